"""Looks for open files that were left to it.

Must hold: it has the null device three times, its line to the grader, and nothing else.

Family: reading what is not its own.
"""

import os
import stat

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}


def attack(world):
    found = []
    for number in range(1024):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if number > 2 and not stat.S_ISCHR(mode):
            found.append((number, stat.S_ISSOCK(mode)))
    return "nothing" if found in ([], [(found[0][0], True)]) else str(found)
