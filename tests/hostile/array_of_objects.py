"""Returns an array of objects that each equal everything.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

import numpy as np

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare arrays"


class Lie:
    def __eq__(self, other):
        return True

    __hash__ = None


def attack(world):
    return np.array([Lie(), Lie(), Lie()], object)
