"""Sleeps, which takes no processor time.

Must hold: the grader's clock ends it.

Family: loops and daemons.
"""

import time

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    time.sleep(10**6)
