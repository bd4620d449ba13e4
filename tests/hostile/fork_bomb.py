"""Forks a thousand times, and goes on where it fails.

Must hold: there is never a second process.

Family: bombs.
"""

import os

ENDS = {"A": "0 forks", "B": "0 forks"}


def attack(world):
    forks = 0
    for _ in range(1_000):
        try:
            if os.fork() == 0:
                os._exit(0)
            forks += 1
        except OSError:
            pass
    return f"{forks} forks"
