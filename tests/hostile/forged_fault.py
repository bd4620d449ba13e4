"""Writes a message to every open file that says the grader itself has failed.

Must hold: after the first cell no such message is believed.

Family: forged results.
"""

import os
import struct

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def frame(payload):
    return struct.pack("<I", len(payload)) + payload


def to_every_file(data):
    for number in range(64):
        try:
            os.write(number, data)
        except OSError:
            pass


def attack(world):
    to_every_file(frame(b"s" + struct.pack("<I", 5) + b"fault"))
    return 1
