"""Forks twice, into a session of its own, so that neither its group nor its parent leads to it.

Must hold at every level: refused (A, B), or found and ended when the worker is (C, on Linux).

Family: loops and daemons.
"""

import os
import time

ENDS = {"A": "PermissionError", "B": "PermissionError", "C": "left behind"}


def attack(world):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    return "left behind"
