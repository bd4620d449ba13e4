"""Asks for the address of a name, which carries the name to whoever answers.

Must hold: no question leaves.

Family: network and sockets.
"""

import socket

ENDS = {
    "A": "gaierror or PermissionError or OSError",
    "B": "gaierror or PermissionError or OSError",
}


def attack(world):
    return str(socket.getaddrinfo("answers.invalid", 80))
