"""Looks for the grader's environment variables in its own.

Must hold at every level: a worker's environment is made anew.

Family: reading what is not its own.
"""

import os

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}


def attack(world):
    return os.environ.get("OL_TEST_SECRET", "nothing")
