"""Hides an object that equals everything, and hashes like 1, among the keys of a dict.

Must hold: the dict does not cross; comparing its handle is an error.

Family: lying objects.
"""

ENDS = {"A": "TypeError", "B": "TypeError", "C": "TypeError"}
DO = "compare"


class Liar:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(1)


def attack(world):
    return {Liar(): 2}
