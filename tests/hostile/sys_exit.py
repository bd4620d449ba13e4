"""Asks Python to end.

Must hold: no ``except Exception`` of a test takes it for an error.

Family: exits and crashes.
"""

import sys

ENDS = {"A": "Exited", "B": "Exited", "C": "Exited"}


def attack(world):
    sys.exit(0)
