"""Answers one result where ten were asked for, hoping that a test compares only what is there.

Must hold: the number of results is checked before any test sees them.

Family: forged results.
"""

import sys

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}
DO = "repeat"


def attack(world):
    sys.modules["inside.serve"].Server.operations["repeat"] = lambda *ignored: ("value", [1])
    return 1
