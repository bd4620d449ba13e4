"""Sends a signal to every process it can reach, to its group, and to the grader.

The signal is 0, which asks for permission and does no harm. Must hold: there is none.

Family: signals and other processes.
"""

import os

ENDS = {"A": "refused", "B": "refused"}


def attack(world):
    reached = []
    for pid in (-1, 0, 1, os.getppid(), world["grader"]):
        try:
            os.kill(pid, 0)
            reached.append(pid)
        except OSError:
            pass
    return str(reached) if reached else "refused"
