"""Leaves pipes with names, which whoever opens them waits for.

Must hold: none can be made (A, B), or nobody opens what it leaves and it is deleted (C).

Family: escapes.
"""

import os

ENDS = {"A": "left", "B": "left", "C": "left"}


def attack(world):
    for name in ("results.json", "conftest.py"):
        try:
            os.mkfifo(name)
        except PermissionError:
            pass
    os.symlink("results.json", "link")
    os.symlink("loop", "loop")
    return "left"
