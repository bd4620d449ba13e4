"""Starts a program, by subprocess and by replacing itself.

Must hold: neither is possible.

Family: loops and daemons.
"""

import os
import subprocess

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    try:
        subprocess.run(["/bin/true"], check=False)
    except OSError:
        os.execv("/bin/true", ["true"])
    return "started"
