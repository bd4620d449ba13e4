"""Raises an exception that ``except Exception`` does not catch.

Must hold: it reaches the test as a stop, not as itself.

Family: exits and crashes.
"""

ENDS = {"A": "Exited", "B": "Exited", "C": "Exited"}


class Untouchable(BaseException):
    pass


def attack(world):
    raise Untouchable("nobody catches me")
