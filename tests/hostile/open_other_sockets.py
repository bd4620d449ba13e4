"""Makes every other kind of socket: to the kernel, raw, of packets, to virtual machines.

Must hold: no kind can be made.

Family: network and sockets.
"""

import socket

ENDS = {"A": "refused", "B": "refused"}


KINDS = (
    (socket.AF_NETLINK, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW),
    (socket.AF_INET, socket.SOCK_RAW), (socket.AF_INET6, socket.SOCK_STREAM),
    (socket.AF_VSOCK, socket.SOCK_STREAM), (socket.AF_ALG, socket.SOCK_SEQPACKET),
    (socket.AF_UNIX, socket.SOCK_SEQPACKET),
)


def attack(world):
    made = []
    for family, kind in KINDS:
        try:
            made.append(socket.socket(family, kind))
        except OSError:
            pass
    return str(made) if made else "refused"
