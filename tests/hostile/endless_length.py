"""Returns an object that never finishes saying how long it is.

Must hold: a test that takes its items runs out of time, and the grader does not hang.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}
DO = "list"


class Endless:
    def __len__(self):
        while True:
            pass

    def __iter__(self):
        while True:
            pass


def attack(world):
    return Endless()
