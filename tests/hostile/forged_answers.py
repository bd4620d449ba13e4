"""Writes its answer to the next question before it is asked.

Must hold: more answers than questions are noticed.

Family: forged results.
"""

import os
import struct

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}
DO = "call again"


def frame(payload):
    return struct.pack("<I", len(payload)) + payload


def to_every_file(data):
    for number in range(64):
        try:
            os.write(number, data)
        except OSError:
            pass


def attack(world):
    answer = b"u\2\0\0\0" + b"s\5\0\0\0value" + b"T"
    to_every_file(frame(answer) * 3)
    return True
