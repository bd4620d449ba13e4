"""Kills the process that forked it.

Must hold: the call is refused, and the next worker comes from the same parent.

Family: signals and other processes.
"""

import os
import signal

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    os.kill(os.getppid(), signal.SIGKILL)
    return "killed"
