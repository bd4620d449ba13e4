"""Raises an exception of its own that is called ValueError and is none.

Must hold: names do not decide.

Family: lying objects.
"""

ENDS = {"A": "Exception", "B": "Exception", "C": "Exception"}


class ValueError(Exception):
    pass


def attack(world):
    raise ValueError("believe me")
