"""Takes three gigabytes of memory, bit by bit.

Must hold: MemoryError at the limit, and the machine does not feel it.

Family: bombs.
"""

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    taken = [bytearray(16 << 20) for _ in range(200)]
    return f"took {len(taken) >> 6} GiB"
