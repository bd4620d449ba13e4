"""Computes a power that has more digits than there is time for.

Must hold: the grader's clock ends it, or the limit on memory does.

Family: bombs.
"""

ENDS = {
    "A": "TimedOut or OutOfMemory",
    "B": "TimedOut or OutOfMemory",
    "C": "TimedOut or OutOfMemory",
}


def attack(world):
    return 7 ** 7 ** 11 % 10
