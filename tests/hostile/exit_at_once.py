"""Ends its process with the code of success.

Must hold: that is no answer.

Family: exits and crashes.
"""

import os

ENDS = {"A": "Exited", "B": "Exited", "C": "Exited"}


def attack(world):
    os._exit(0)
