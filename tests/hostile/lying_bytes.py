"""Returns bytes of its own class that equal everything.

Must hold: it does not cross; comparing its handle is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Lie(bytes):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def attack(world):
    return Lie(b'7')
