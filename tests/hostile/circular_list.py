"""Returns a list that contains itself.

Must hold: what is too deep stays in the worker.
"""

ENDS = {"A": "list", "B": "list", "C": "list"}


def attack(world):
    circle = []
    circle.append(circle)
    return circle
