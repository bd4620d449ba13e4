"""Prints without end to see who reads it.

Must hold: nobody does, so nothing fills up.

Family: bombs.
"""

import os

ENDS = {"A": "printed", "B": "printed", "C": "printed"}


def attack(world):
    for _ in range(10_000):
        print("x" * 1_000)
        os.write(2, b"y" * 1_000)
    return "printed"
