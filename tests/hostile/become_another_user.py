"""Takes another user's or group's identity, and capabilities that were given up.

Must hold at every level: a worker is nobody else, and cannot become root again.

Family: escapes.
"""

import ctypes
import os

ENDS = {"A": "refused", "B": "refused", "C": "refused"}


LIBC = ctypes.CDLL(None, use_errno=True)
PR_CAP_AMBIENT, RAISE = 47, 2


def attack(world):
    done, other = [], os.getuid() + 1
    for act in (
        lambda: os.setuid(other), lambda: os.setresuid(other, other, other),
        lambda: os.setgid(other), lambda: os.setgroups([0]), lambda: os.setreuid(other, other),
    ):
        try:
            act()
            done.append(act.__code__.co_names)
        except OSError:
            pass
    header, every = (ctypes.c_uint32 * 2)(0x20080522), (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    if LIBC.capset(header, every) == 0:
        done.append("capset")
    if LIBC.prctl(PR_CAP_AMBIENT, RAISE, 21, 0, 0) == 0:
        done.append("ambient")
    return str(done) if done else "refused"
