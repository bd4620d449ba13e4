"""Returns an int of a million digits, which takes minutes to print.

Must hold: it does not cross.

Family: bombs.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


def attack(world):
    return 1 << 3_300_000
