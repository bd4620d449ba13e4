"""Puts the grader's site-packages and the base Python's on the path, and imports from there.

Must hold: the folders are empty or closed.

Family: forbidden imports.
"""

import os
import sys

ENDS = {"A": "ModuleNotFoundError", "B": "ModuleNotFoundError or PermissionError"}


def attack(world):
    sys.path[:0] = [world["site-packages"], os.path.dirname(os.__file__) + "/site-packages"]
    try:
        import pip
    except ModuleNotFoundError:
        import pytest

        return pytest.__version__
    return pip.__version__
