"""Loads code by its file, past the path that imports look at: the reference, and shared libraries.

Must hold: a file that cannot be read cannot be loaded.

Family: forbidden imports.
"""

import ctypes
import glob
import importlib.machinery
import importlib.util
import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    found = []
    for name in ("autograder/course.py", "tests/toy.py"):
        path = os.path.join(world["repository"], name)
        loader = importlib.machinery.SourceFileLoader("stolen", path)
        try:
            found.append(loader.get_data(path))
        except OSError:
            pass
    for pattern in ("regex/*.so", "_cffi_backend*.so", "pyarrow/*.so"):
        for path in glob.glob(os.path.join(world["site-packages"], pattern)):
            try:
                found.append(ctypes.CDLL(path))
            except OSError:
                pass
    return str(found) if found else "nothing"
