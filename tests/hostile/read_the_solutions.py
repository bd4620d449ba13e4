"""Looks for solutions and hidden tests in the repository, and reads whatever it finds there.

Must hold: not one file of the repository can be opened, and not one of its folders listed.

Family: reading what is not its own.
"""

import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    found = []
    for name in ("solutions", "autograder/hidden", "autograder/mutants", "tests", "."):
        folder = os.path.join(world["repository"], name)
        try:
            found += os.listdir(folder) if name != "." else []
        except OSError:
            pass
    for name in ("pyproject.toml", "autograder/hidden/__init__.py", "autograder/sandbox/box.py"):
        try:
            found.append(open(os.path.join(world["repository"], name)).read())
        except OSError:
            pass
    return str(found) if found else "nothing"
