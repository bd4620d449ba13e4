"""Inflates a few bytes into more than there is room for.

Must hold: the limit on memory ends it.

Family: bombs.
"""

import gzip

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    return len(gzip.decompress(gzip.compress(bytes(1 << 24)) * 64))
