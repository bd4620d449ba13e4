"""Returns a dict whose keys all have the same hash: building it again costs its size squared.

Must hold: the grader stops building it.

Family: bombs.
"""

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    return {key * (2**61 - 1): None for key in range(500)}
