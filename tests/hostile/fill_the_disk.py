"""Writes a gigabyte in files that are each below the limit for one file.

Must hold: it is stopped near the limit for all files together, by the file system (A) or by
the zygote's watch (all levels).

Family: bombs.
"""

ENDS = {"A": "OSError or Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    for number in range(1_000):
        with open(f"{number}.bin", "wb") as file:
            file.write(bytes(1 << 20))
    return "wrote it"
