"""Raises an exception whose message takes for ever to make.

Must hold: the grader's clock ends it.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


class Endless(ValueError):
    def __str__(self):
        while True:
            pass


def attack(world):
    raise Endless
