"""Calls the kernel's fork, vfork, clone and clone3 by number, past everything Python checks.

Must hold: the kernel refuses each.
"""

import ctypes
import os
import platform

ENDS = {"A": "refused", "B": "refused"}

_NUMBERS = {"x86_64": (57, 58, 56, 435), "aarch64": (220, 435)}


def attack(world):
    libc = ctypes.CDLL(None)
    for number in _NUMBERS[platform.machine()]:
        pid = libc.syscall(ctypes.c_long(number), ctypes.c_long(17), 0, 0, 0, 0)  # 17: SIGCHLD
        if pid == 0:
            os._exit(0)
        if pid > 0:
            return f"call {number} forked"
    return "refused"
