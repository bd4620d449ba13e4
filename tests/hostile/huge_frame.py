"""Announces a message of four gigabytes.

Must hold: the grader does not make room for it.

Family: forged results.
"""

import os

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def to_every_file(data):
    for number in range(64):
        try:
            os.write(number, data)
        except OSError:
            pass


def attack(world):
    to_every_file(b"\xff\xff\xff\xff")
    return 1
