"""Speaks to a UDP socket that listens in the grader.

Must hold: no socket can be made, and nothing arrives.

Family: network and sockets.
"""

import socket

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", world["udp"]))
    return "sent"
