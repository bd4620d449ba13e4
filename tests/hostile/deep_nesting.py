"""Returns a list in a list, a hundred thousand deep.

Must hold: what is too deep stays in the worker.

Family: bombs.
"""

ENDS = {"A": "list", "B": "list", "C": "list"}


def attack(world):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep
