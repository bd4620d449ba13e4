"""Speaks to a TCP socket that listens in the grader.

Must hold: no socket can be made, and nothing arrives.

Family: network and sockets.
"""

import socket

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    socket.create_connection(("127.0.0.1", world["tcp"]))
    return "sent"
