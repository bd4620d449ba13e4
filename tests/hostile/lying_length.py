"""Returns an object that claims to hold a million million items, for list() to reserve room for.

Must hold: the grader does not believe it, and takes the items as they come.

Family: lying objects.
"""

ENDS = {"A": "list", "B": "list", "C": "list"}
DO = "list"


class Endless:
    def __len__(self):
        return 10**12

    def __iter__(self):
        return iter(())


def attack(world):
    return Endless()
