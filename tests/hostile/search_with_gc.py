"""Asks the garbage collector for every object there is, and looks for the grader's.

Must hold: no object of the grader, of pytest or of a hidden test has ever been in this process.

Family: frames, memory and /proc.
"""

import gc

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}


def attack(world):
    gc.unfreeze()
    owners = {str(getattr(each, "__module__", "")) for each in gc.get_objects()}
    found = {each for each in owners if each.startswith(("autograder", "pytest", "_pytest"))}
    return str(found) if found else "nothing"
