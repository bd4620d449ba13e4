"""Pretends that Ctrl-C was pressed.

Must hold: the grader is not interrupted.
"""

ENDS = {"A": "Exited", "B": "Exited", "C": "Exited"}


def attack(world):
    raise KeyboardInterrupt
