"""Opens files, pipes and sockets until nothing more can be opened.

Must hold: there are few, and the worker can still answer.

Family: bombs.
"""

import os
import socket

ENDS = {"A": "OSError", "B": "OSError", "C": "OSError"}


def attack(world):
    kept = []
    while len(kept) < 10_000:
        kept += os.pipe()
        kept += [each.detach() for each in socket.socketpair()]
    return "all of them"
