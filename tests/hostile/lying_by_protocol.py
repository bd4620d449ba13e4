"""Returns an object that NumPy asks to do the comparison itself.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

import numpy as np

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare arrays"


class Lie:
    __array_priority__ = 1e9
    __array_interface__ = np.ones(3).__array_interface__  # what NumPy looks for

    def __array__(self, *_, **__):
        return np.ones(3)

    def __array_ufunc__(self, *_, **__):
        return True

    def __array_function__(self, *_, **__):
        return True


def attack(world):
    return Lie()
