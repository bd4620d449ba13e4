"""Imports a package that the grader has installed and the chapter does not allow.

Must hold at every level: only allowed packages are on the path.

Family: forbidden imports.
"""

ENDS = {"A": "ModuleNotFoundError", "B": "ModuleNotFoundError", "C": "ModuleNotFoundError"}


def attack(world):
    import pytest

    return pytest.__version__
