"""Makes a pair of datagram sockets, which needs no address, and sends from it to a path.

Must hold: only stream pairs can be made, and those cannot be sent to anywhere else.

Family: network and sockets.
"""

import socket

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", world["unix"])
    return "sent"
