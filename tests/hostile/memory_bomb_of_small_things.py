"""Takes memory in the smallest pieces there are, so that not one is left to say so.

Must hold: the worker has kept some back, and the learner reads what happened.

Family: bombs.
"""

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    nested = ()
    for _ in range(20_000_000):
        nested = (nested,)
    return "took it"
