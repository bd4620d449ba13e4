"""Leaves a file for the next run wherever one might be left.

Must hold: only its scratch folder takes files, and goes with the worker.

Family: planted files and variables.
"""

import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    left, folders = [], ("/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/", "..", "../..")
    for folder in (*folders, world["files"]):
        try:
            with open(os.path.join(folder, "ol-memo"), "x"):
                left.append(folder)
            os.remove(os.path.join(folder, "ol-memo"))
        except OSError:
            pass
    return str(left) if left else "nothing"
