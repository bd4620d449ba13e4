"""Takes handles of the grader and of its parent, to signal and to copy open files through.

Must hold: no handle is given.

Family: signals and other processes.
"""

import ctypes
import os

ENDS = {"A": "refused", "B": "refused"}


LIBC = ctypes.CDLL(None, use_errno=True)
PIDFD_OPEN, PIDFD_GETFD, PIDFD_SEND_SIGNAL = 434, 438, 424


def attack(world):
    for pid in (world["grader"], os.getppid(), 1):
        handle = LIBC.syscall(PIDFD_OPEN, pid, 0)
        if handle >= 0:
            return f"{LIBC.syscall(PIDFD_GETFD, handle, 0, 0)} from {pid}"
        if LIBC.syscall(PIDFD_SEND_SIGNAL, 3, 0, None, 0) == 0:
            return f"signalled {pid}"
    return "refused"
