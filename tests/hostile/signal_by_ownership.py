"""Makes another process the owner of a socket, and a signal of its choice what the owner gets.

Must hold: neither can be set, by fcntl or by ioctl.

Family: signals and other processes.
"""

import fcntl
import socket
import struct

ENDS = {"A": "refused", "B": "refused"}


def attack(world):
    one, _ = socket.socketpair()
    owner = struct.pack("i", world["grader"])
    done = []
    for call in (
        lambda: fcntl.fcntl(one, fcntl.F_SETOWN, world["grader"]),
        lambda: fcntl.fcntl(one, 10, 9),  # F_SETSIG, SIGKILL
        lambda: fcntl.ioctl(one, 0x8901, owner),  # FIOSETOWN
    ):
        try:
            done.append(call())
        except OSError:
            pass
    return str(done) if done else "refused"
