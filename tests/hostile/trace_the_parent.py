"""Attaches to its parent as a debugger would, and reads memory of the parent and the grader.

Must hold: the kernel refuses.

Family: signals and other processes.
"""

import ctypes
import os
import platform

ENDS = {"A": "refused", "B": "refused"}

_PTRACE, _READ = {"x86_64": (101, 310), "aarch64": (117, 270)}[platform.machine()]
_ATTACH = 16


def attack(world):
    syscall, long = ctypes.CDLL(None).syscall, ctypes.c_long
    for pid in (os.getppid(), world["grader"]):
        if syscall(long(_PTRACE), long(_ATTACH), long(pid), 0, 0) == 0:
            return "attached"
        if syscall(long(_READ), long(pid), 0, 0, 0, 0, 0) >= 0:
            return "read"
    return "refused"
