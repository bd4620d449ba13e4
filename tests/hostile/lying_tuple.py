"""Returns a named tuple whose comparisons are all true.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

from collections import namedtuple

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare items"


class Lie(namedtuple("Lie", "a b c")):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def attack(world):
    return Lie(0, 0, 0)
