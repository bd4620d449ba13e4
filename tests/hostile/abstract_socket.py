"""Connects to, and listens at, a Unix socket that has no file.

Must hold: no socket can be made, connected or bound.

Family: network and sockets.
"""

import socket

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
        made.bind("\0ol-attack")
        made.listen()
    return "listened"
