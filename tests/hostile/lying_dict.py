"""Returns a dict of its own class that has every key and equals everything.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Lie(dict):
    def __missing__(self, key):
        return self

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def attack(world):
    return Lie()
