"""Never returns.

Must hold: the grader's clock ends it.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    while True:
        pass
