"""Returns a string of four gigabytes.

Must hold: it cannot even be made.

Family: bombs.
"""

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    return "x" * (4 << 30)
