"""Ends its process while it loads.

Must hold: that is no answer either, before any test has called anything.

Family: exits and crashes.
"""

import os

ENDS = {"A": "Exited", "B": "Exited", "C": "Exited"}


def attack(world):
    return 7


os._exit(0)
