"""Finds out that it is graded, and answers otherwise than it would to a learner.

Cannot be prevented. Must hold: it gains nothing, since right answers need the right code.

Family: detecting the grader.
"""

import sys

ENDS = {"A": "graded", "B": "graded", "C": "graded"}


def attack(world):
    return "graded" if "inside" in sys.modules or "ipykernel" not in sys.modules else "at home"
