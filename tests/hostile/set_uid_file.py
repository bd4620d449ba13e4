"""Makes a file whose owner's rights go to whoever starts it, and starts it.

Must hold: nothing can be started, nobody else can reach the file, and it goes with the worker.

Family: escapes.
"""

import os

ENDS = {"A": "PermissionError", "B": "PermissionError"}


def attack(world):
    number = os.open("root", os.O_CREAT | os.O_WRONLY, 0o6777)
    os.write(number, b"#!/bin/sh\n")
    os.fchmod(number, 0o6777)
    os.close(number)
    os.execv("./root", ["root"])
