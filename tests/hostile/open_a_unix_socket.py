"""Speaks to a Unix socket that listens in the grader.

Must hold: no socket can be made, and nothing arrives.

Family: network and sockets.
"""

import socket

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    socket.socket(socket.AF_UNIX).connect(world["unix"])
    return "sent"
