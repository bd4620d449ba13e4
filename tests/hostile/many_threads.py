"""Starts two thousand threads.

Must hold: there is an end.

Family: bombs.
"""

import threading
import time

ENDS = {
    "A": "RuntimeError or OutOfMemory",
    "B": "RuntimeError or OutOfMemory",
    "C": "RuntimeError or OutOfMemory",
}


def attack(world):
    for _ in range(2_000):
        threading.Thread(target=lambda: time.sleep(600), daemon=True).start()
    return "started them"
