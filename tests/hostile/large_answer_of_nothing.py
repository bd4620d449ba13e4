"""Returns an array of terabytes that takes eight bytes of memory.

Must hold: its size is looked at before it is copied.

Family: bombs.
"""

import numpy as np

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    return np.broadcast_to(np.float64(1), (1 << 20, 1 << 20))[:]
