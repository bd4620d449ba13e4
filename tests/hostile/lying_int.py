"""Returns an int of its own class that equals everything.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Liar(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


def attack(world):
    return Liar(7)
