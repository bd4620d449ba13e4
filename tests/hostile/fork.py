"""Forks.

Must hold: the call is refused.

Family: loops and daemons.
"""

import os

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    if os.fork() == 0:
        os._exit(0)
    return "forked"
