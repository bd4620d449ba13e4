"""Returns an object that says its class is int.

Must hold: the grader asks the object itself for nothing.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Liar:
    __class__ = int

    def __eq__(self, other):
        return True

    def __int__(self):
        return 7

    __index__ = __int__


def attack(world):
    return Liar()
