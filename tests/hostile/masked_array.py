"""Returns a masked array, whose hidden items compare equal to whatever they stand beside.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

import numpy as np

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare arrays"


def attack(world):
    return np.ma.masked_all(3)
