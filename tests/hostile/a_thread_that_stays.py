"""Leaves a thread running that is no daemon.

Must hold: the answer counts, and the thread ends with the worker.

Family: loops and daemons.
"""

import threading
import time

ENDS = {"A": "left running", "B": "left running", "C": "left running"}


def attack(world):
    threading.Thread(target=lambda: time.sleep(600)).start()
    return "left running"
