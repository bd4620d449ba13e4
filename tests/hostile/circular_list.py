"""Returns a list that contains itself.

Must hold: what is too deep stays in the worker.

Family: lying objects.
"""

ENDS = {"A": "list", "B": "list", "C": "list"}


def attack(world):
    circle = []
    circle.append(circle)
    return circle
