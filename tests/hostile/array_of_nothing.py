"""Returns arrays of huge shapes that hold no byte at all.

Must hold: the grader does not stumble over them, and makes no room.

Family: bombs.
"""

import numpy as np

ENDS = {
    "A": "list or OutOfMemory or Crashed",
    "B": "list or OutOfMemory or Crashed",
    "C": "list or OutOfMemory or Crashed",
}


def attack(world):
    return [np.empty((1 << 40, 0)), np.empty((0, 1 << 50)), np.empty(0, "V0"), np.empty(9, "S0")]
