"""Has code run when its interpreter ends: at exit, in a thread, and in a finaliser.

Must hold: nothing of the learner's runs at the end of a worker, and nothing waits for it.

Family: exits and crashes.
"""

import atexit
import threading
import weakref

ENDS = {"A": "waiting", "B": "waiting", "C": "waiting"}


class Thing:
    pass


KEPT = Thing()


def loop():
    while True:
        pass


def attack(world):
    atexit.register(loop)
    threading.Thread(target=lambda: threading.main_thread().join()).start()
    weakref.finalize(KEPT, loop)
    return "waiting"
