"""Lists the folder that its own scratch folder lies in, and the grader's temporary folder.

Must hold: neither can be listed, so no other worker's files are found.

Family: reading what is not its own.
"""

import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    found = []
    for folder in ("..", "/tmp", world["files"]):
        try:
            found += os.listdir(folder)
        except OSError:
            pass
    return str(found) if found else "nothing"
