"""Never returns from a loop that is not Python's, so that no signal handler ever runs.

Must hold: the grader's clock ends it.

Family: loops and daemons.
"""

import itertools

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    return sum(itertools.repeat(0))
