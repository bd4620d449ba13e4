"""Writes the zygote's own words to every open file: forked, ended well, still there.

Must hold: they reach the grader on a line where they mean nothing.

Family: forged results.
"""

import os
import struct

ENDS = {"A": "Crashed or TimedOut", "B": "Crashed or TimedOut", "C": "Crashed or TimedOut"}
DO = "compare"


def attack(world):
    for word in (b"R", b"P", b"X", b"S", b"K", b"D"):
        for number in range(64):
            try:
                os.write(number, struct.pack("<ci", word, 0))
            except OSError:
                pass
    return 7
