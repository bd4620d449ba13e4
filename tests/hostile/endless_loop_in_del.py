"""Never finishes forgetting an object.

Must hold: the grader's clock ends it, and nothing of the learner's runs at the end of a worker.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


class Clingy:
    def __del__(self):
        while True:
            pass


def attack(world):
    Clingy()
    return "forgotten"
