"""Returns an array whose items are records with objects in them.

Must hold: only plain kinds of numbers cross; comparing its handle is an error.

Family: lying objects.
"""

import numpy as np

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare arrays"


def attack(world):
    return np.zeros(3, [("a", "f8"), ("b", "O")])
