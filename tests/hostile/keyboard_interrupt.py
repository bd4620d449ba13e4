"""Pretends that Ctrl-C was pressed.

Must hold: the grader is not interrupted.

Family: exits and crashes.
"""

ENDS = {"A": "Exited", "B": "Exited", "C": "Exited"}


def attack(world):
    raise KeyboardInterrupt
