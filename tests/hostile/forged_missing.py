"""Answers a call with the message that a name is missing.

Must hold: that is no answer to a call, and no exception of the grader's own making.

Family: forged results.
"""

import sys

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    sys.modules["inside.serve"].Server.describe = lambda self, error: ("missing",)
    raise ValueError
