"""Uses and removes the grader's System V queue by its number, which can be guessed.

Must hold: what needs no file and no name is out of reach as well, and stays.

Family: signals and other processes.
"""

import ctypes

ENDS = {"A": "refused", "B": "refused"}


LIBC = ctypes.CDLL(None, use_errno=True)
IPC_RMID, IPC_NOWAIT = 0, 0o4000


def attack(world):
    message, done = ctypes.create_string_buffer(b"\1" + bytes(63)), []
    if LIBC.msgsnd(world["queue"], message, 1, IPC_NOWAIT) == 0:
        done.append("sent")
    if LIBC.msgrcv(world["queue"], message, 1, 0, IPC_NOWAIT) >= 0:
        done.append("received")
    if LIBC.msgctl(world["queue"], IPC_RMID, None) == 0:
        done.append("removed")
    return str(done) if done else "refused"
