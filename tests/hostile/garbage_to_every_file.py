"""Writes noise to every open file, the grader's socket among them.

Must hold: noise is refused.

Family: forged results.
"""

import os

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    for number in range(64):
        try:
            os.write(number, os.urandom(1_000))
        except OSError:
            pass
    return 1
