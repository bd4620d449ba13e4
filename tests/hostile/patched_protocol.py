"""Replaces the worker's own encoder by one that sends what it likes.

Must hold: bytes that are no message are refused.

Family: patched Python and packages.
"""

import sys

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    sys.modules["inside.serve"].encode = lambda *ignored: b"l" + b"\xff" * 10
    return 1
