"""Returns more than a message may carry, though it fits into memory.

Must hold: it is refused before it is sent.

Family: bombs.
"""

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    return b"x" * (100 << 20)
