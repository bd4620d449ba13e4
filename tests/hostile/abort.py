"""Aborts.

Must hold: the process dies of it, and leaves no core file.

Family: exits and crashes.
"""

import os

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    os.abort()
