"""Nests 200,000 folders, deeper than a path can name or a recursion can follow.

Must hold: it is ended, and the next worker finds a clean folder.

Family: bombs.
"""

import os

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


_NAME = "d" * 200


def attack(world):
    for _ in range(200_000):
        os.mkdir(_NAME)
        os.chdir(_NAME)
    return "made them"
