"""Returns an array of its own class whose comparisons are all true.

Must hold: it does not cross, and NumPy in the grader is not given it either.

Family: lying objects.
"""

import numpy as np

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare arrays"


class Liar(np.ndarray):
    def __eq__(self, other):
        return np.ones(self.shape, bool)

    def __array_function__(self, function, types, arguments, named):
        return True


def attack(world):
    return np.zeros(3).view(Liar)
