"""Returns a NumPy scalar of its own class that equals everything.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

import numpy as np

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Lie(np.float64):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def attack(world):
    return Lie(0.0)
