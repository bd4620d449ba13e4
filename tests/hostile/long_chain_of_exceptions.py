"""Raises an exception that has a hundred thousand others behind it.

Must hold: the last one arrives, and nobody walks along the chain for ever.

Family: bombs.
"""

ENDS = {"A": "ValueError", "B": "ValueError", "C": "ValueError"}


def attack(world):
    error = None
    for number in range(100_000):
        new = ValueError(number)
        new.__cause__ = new.__context__ = error
        error = new
    raise error
