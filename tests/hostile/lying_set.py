"""Returns a set of its own class that holds everything.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Lie(set):
    def __contains__(self, item):
        return True

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def attack(world):
    return Lie()
