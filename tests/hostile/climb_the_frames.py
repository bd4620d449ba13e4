"""Climbs from frame to frame to whoever called it, and looks for anything of a test's.

Must hold: above it are the worker's own few frames, and the grader's are in another process.

Family: frames, memory and /proc.
"""

import sys

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}


def attack(world):
    found, frame = [], sys._getframe()
    while frame is not None:
        names = {*frame.f_locals, *frame.f_globals}
        found += [name for name in names if name.startswith(("pytest", "hidden", "expected"))]
        frame = frame.f_back
    return str(found) if found else "nothing"
