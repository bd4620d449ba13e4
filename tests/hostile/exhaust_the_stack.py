"""Recurses as deep as it likes, after lifting Python's limit.

Must hold: its process ends one way or another.

Family: exits and crashes.
"""

import sys

ENDS = {
    "A": "Crashed or OutOfMemory or RecursionError",
    "B": "Crashed or OutOfMemory or RecursionError",
    "C": "Crashed or OutOfMemory or RecursionError",
}


class Deep:
    def __repr__(self):
        return repr([self])


def attack(world):
    sys.setrecursionlimit(10**9)
    return repr(Deep())
