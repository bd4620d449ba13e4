"""Never finishes loading.

Must hold: the grader's clock ends it, before any test has called anything.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    return 7


while True:
    pass
