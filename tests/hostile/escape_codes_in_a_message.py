"""Raises an exception whose message recolours terminals, turns text around and is no Unicode.

Must hold: no such character is left in it, and it is short.

Family: injection.
"""

ENDS = {"A": "ValueError", "B": "ValueError", "C": "ValueError"}


def attack(world):
    raise ValueError("\x1b[31m\x1b]0;title\x07 \u202eright to left \ud800 " + "x" * 10**6)
