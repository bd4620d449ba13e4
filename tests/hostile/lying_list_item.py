"""Hides an object that equals everything in an honest list.

Must hold: comparing the list is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare items"


class Liar:
    def __eq__(self, other):
        return True


def attack(world):
    return [1, Liar(), 3]
