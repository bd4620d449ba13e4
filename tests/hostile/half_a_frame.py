"""Sends half a message and no more.

Must hold: the grader does not wait for the rest for ever.

Family: forged results.
"""

import os

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    for number in range(64):
        try:
            os.write(number, b"\x10\0\0\0half")
        except OSError:
            pass
    while True:
        pass
