"""Writes one file of a gigabyte.

Must hold: the write fails at the limit.

Family: bombs.
"""

ENDS = {"A": "OSError or Crashed", "B": "OSError or Crashed", "C": "OSError or Crashed"}


def attack(world):
    with open("large.bin", "wb") as file:
        for _ in range(1_000):
            file.write(bytes(1 << 20))
    return "wrote it"
