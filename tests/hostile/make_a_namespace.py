"""Makes itself root of a user namespace of its own, the first step of most escapes.

Must hold: unshare and mount are refused.

Family: escapes.
"""

import ctypes

ENDS = {"A": "refused", "B": "refused"}

_NEW_USER = 0x10000000


def attack(world):
    libc = ctypes.CDLL(None)
    if libc.unshare(_NEW_USER) == 0:
        return "a namespace"
    return "mounted" if libc.mount(b"none", b".", b"tmpfs", 0, None) == 0 else "refused"
