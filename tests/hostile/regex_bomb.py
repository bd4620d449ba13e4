"""Matches a pattern that tries every way to split its text.

Must hold: the grader's clock ends it.

Family: loops and daemons.
"""

import re

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    return re.match("(a*)*b", "a" * 40)
