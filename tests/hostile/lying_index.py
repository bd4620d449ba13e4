"""Returns an object that gives itself out as an index, a length and a truth value.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Lie:
    def __index__(self):
        return 7

    __int__ = __len__ = __index__

    def __bool__(self):
        return True

    def __eq__(self, other):
        return True

    __hash__ = None


def attack(world):
    return Lie()
