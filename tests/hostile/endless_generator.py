"""Returns a generator that never ends.

Must hold: a test that takes all of it runs out of time, not of memory.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}
DO = "list"


def attack(world):
    while True:
        yield 1
