"""Asks the kernel not to end it together with the process that forked it.

Must hold: the kernel refuses, so that a sandbox that is killed takes its workers along.

Family: signals and other processes.
"""

import ctypes

ENDS = {"A": "refused", "B": "refused"}


PR_SET_PDEATHSIG = 1


def attack(world):
    refused = ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    return "refused" if refused else "outlives it"
