"""Closes every open file, the grader's socket among them.

Must hold: the process is ended, not waited for.

Family: exits and crashes.
"""

import os

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    os.closerange(0, 1_000)
    while True:
        pass
