"""Answers with an exception in a cell that does not exist.

Must hold: it is no exception of the grader's, such as IndexError, that arrives.

Family: forged results.
"""

import sys

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    def describe(self, error):
        return ("raised", "Own", "ValueError", "believe me", 10**6, 1)

    sys.modules["inside.serve"].Server.describe = describe
    raise ValueError
