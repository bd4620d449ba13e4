"""Replaces the built-in functions that the worker's own code uses to talk to the grader.

Must hold: what comes of it is a value of the learner's or a broken message, and no more.

Family: patched Python and packages.
"""

import builtins

ENDS = {
    "A": "Crashed or Exited or list",
    "B": "Crashed or Exited or list",
    "C": "Crashed or Exited or list",
}


def attack(world):
    builtins.len = lambda thing: 10**6
    builtins.isinstance = lambda thing, kind: True
    builtins.type = lambda thing: str
    return [1, 2, 3]
