"""Leaves folders that nobody may open, its own user included.

Must hold: they are deleted all the same.

Family: escapes.
"""

import os

ENDS = {"A": "left them", "B": "left them", "C": "left them"}


def attack(world):
    os.mkdir("closed", 0)
    os.makedirs("open/closed", 0)
    return "left them"
