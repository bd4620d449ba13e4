"""Takes the places for asynchronous reads, of which the whole machine has a fixed number.

Must hold: it gets none.

Family: bombs.
"""

import ctypes
import platform

ENDS = {"A": "refused", "B": "refused"}


IO_SETUP = {"x86_64": 206, "aarch64": 0}


def attack(world):
    context = ctypes.c_ulong(0)
    number = IO_SETUP[platform.machine()]
    done = ctypes.CDLL(None).syscall(number, 100, ctypes.byref(context))
    return "refused" if done else "taken"
