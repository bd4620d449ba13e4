"""Stops its own process, so that it neither answers nor ends.

Must hold: the grader's clock ends it.

Family: exits and crashes.
"""

import os
import signal

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    os.kill(os.getpid(), signal.SIGSTOP)
