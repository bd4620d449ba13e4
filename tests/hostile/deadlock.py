"""Waits for a lock that it holds itself.

Must hold: the grader's clock ends it.

Family: loops and daemons.
"""

import threading

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
