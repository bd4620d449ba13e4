"""Asks for memory that does not count as its own address space: memfd, System V, /dev/shm.

Must hold: none is given.

Family: bombs.
"""

import ctypes
import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    got = []
    try:
        got.append(os.memfd_create("hidden"))
    except OSError:
        pass
    if ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600) >= 0:
        got.append("shmget")
    try:
        got.append(open("/dev/shm/hidden", "w"))
    except OSError:
        pass
    return str(got) if got else "nothing"
