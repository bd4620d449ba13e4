"""Swaps its scratch folder for a link to another, so that what is deleted is somebody else's.

Must hold: the folder's own name is not its to change, and deleting follows no link.

Family: escapes.
"""

import os

ENDS = {"A": "linked", "B": "linked"}


def attack(world):
    here = os.getcwd()
    os.symlink(world["files"], "files")
    os.makedirs("deep/er")
    os.symlink(world["files"], "deep/er/files")
    for act in (lambda: os.rename(here, here + "x"), lambda: os.rmdir(here)):
        try:
            act()
        except OSError:
            pass
    return "linked"
