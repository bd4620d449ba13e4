"""Calls the kernel's fork, vfork, clone and clone3 by number, past everything Python checks.

Must hold: the kernel refuses each.

Family: loops and daemons.
"""

import ctypes
import os
import platform
import signal

ENDS = {"A": "refused", "B": "refused"}

_NUMBERS = {"x86_64": (57, 58, 56), "aarch64": (220,)}


def attack(world):
    syscall, long = ctypes.CDLL(None).syscall, ctypes.c_long
    clone3 = (ctypes.c_uint64 * 8)(0, 0, 0, 0, signal.SIGCHLD)
    calls = [(number, long(signal.SIGCHLD), 0) for number in _NUMBERS[platform.machine()]]
    for number, first, second in [*calls, (435, clone3, ctypes.sizeof(clone3))]:
        pid = syscall(long(number), first, long(second), long(0), long(0), long(0))
        if pid == 0:
            os._exit(0)
        if pid > 0:
            return f"call {number} forked"
    return "refused"
