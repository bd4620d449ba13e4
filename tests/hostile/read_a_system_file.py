"""Reads /etc/passwd.

Must hold: the file is out of view (A) or out of reach (B).

Family: reading what is not its own.
"""

ENDS = {"A": "FileNotFoundError", "B": "PermissionError"}


def attack(world):
    with open("/etc/passwd") as file:
        return file.read()
