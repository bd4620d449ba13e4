"""Returns a generator of a thousand million bytes, half a million at a time.

Must hold: a test that takes all of it is stopped before its memory is full.

Family: bombs.
"""

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}
DO = "list"


def attack(world):
    for _ in range(2_000):
        yield bytes(500_000)
