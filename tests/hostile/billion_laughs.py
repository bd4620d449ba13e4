"""Returns a list of ten lists of ten lists, and so on: small here, huge where it is written out.

Must hold: it is refused, or stays in the worker, before it is written out.

Family: bombs.
"""

ENDS = {"A": "list or OutOfMemory", "B": "list or OutOfMemory", "C": "list or OutOfMemory"}


def attack(world):
    value = "laugh"
    for _ in range(30):
        value = [value] * 10
    return value
