"""Raises an exception whose message is a terminal's link, title and cursor commands.

Must hold: no control character is left in it.

Family: injection.
"""

ENDS = {"A": "ValueError", "B": "ValueError", "C": "ValueError"}


def attack(world):
    codes = "\x1b]8;;http://evil.invalid\x07here\x1b]8;;\x07\x1b]0;title\x07\x1b[2J\x1b[1A\r\b\x9b31m"
    raise ValueError(codes + "\u202e\u2066\u200f\ufeff\ud800")
