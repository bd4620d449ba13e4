"""Answers with a handle to an object that does not exist.

Must hold: using it is the learner's error.

Family: forged results.
"""

import os
import struct

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


def frame(payload):
    return struct.pack("<I", len(payload)) + payload


def to_every_file(data):
    for number in range(64):
        try:
            os.write(number, data)
        except OSError:
            pass


def attack(world):
    handle = b"h" + struct.pack("<Q", 2**63) + struct.pack("<I", 4) + b"fake"
    to_every_file(frame(b"u\2\0\0\0" + b"s\5\0\0\0value" + handle))
    os.kill(os.getpid(), 9)
