"""Reads address 0.

Must hold: the process dies of it, and only that process.

Family: exits and crashes.
"""

import ctypes

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    ctypes.string_at(0)
