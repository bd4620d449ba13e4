"""Never returns.

Must hold: the grader's clock ends it.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    while True:
        pass
