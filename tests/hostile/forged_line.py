"""Answers with an exception at a line that no file has.

Must hold: a place that cannot be is no place.

Family: forged results.
"""

import sys

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    def describe(self, error):
        return ("raised", "Own", "ValueError", "believe me", 0, 10**30)

    sys.modules["inside.serve"].Server.describe = describe
    raise ValueError
