"""Nests 200,000 folders, deeper than a path can name or a recursion can follow.

Must hold: it is ended, and the next worker finds a clean folder.
"""

import os

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    for _ in range(200_000):
        os.mkdir("d")
        os.chdir("d")
    return "made them"
