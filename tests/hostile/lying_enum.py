"""Returns a member of an enumeration of integers, which is an int and compares as it likes.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

import enum

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Lie(enum.IntEnum):
    ONE = 1

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def attack(world):
    return Lie.ONE
