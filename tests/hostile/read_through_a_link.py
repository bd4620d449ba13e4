"""Makes a link in its scratch folder, where it may write, to a file that it may not read.

Must hold: what counts is where the link leads.

Family: escapes.
"""

import os

ENDS = {"A": "FileNotFoundError", "B": "PermissionError"}


def attack(world):
    os.symlink(world["secret"], "link")
    with open("link") as file:
        return file.read()
