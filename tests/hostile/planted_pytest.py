"""Puts modules of its own in the place of pytest and of the grader.

Must hold: the grader's modules are in another process.

Family: patched Python and packages.
"""

import sys
import types

ENDS = {"A": "planted", "B": "planted", "C": "planted"}


NAMES = ("pytest", "_pytest", "_pytest.reports", "_pytest.runner", "autograder", "autograder.grade")


class Passed(types.ModuleType):
    outcome = "passed"
    failed = skipped = False
    passed = True

    def __getattr__(self, name):
        return lambda *_, **__: True


def attack(world):
    for name in NAMES:
        sys.modules[name] = Passed(name)
    return "planted"
