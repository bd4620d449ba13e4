"""Raises an exception with a message of fifty megabytes and a class name of ten.

Must hold: it is too large to be sent, and no test takes it for the error it waits for.

Family: bombs.
"""

ENDS = {"A": "OutOfMemory", "B": "OutOfMemory", "C": "OutOfMemory"}


def attack(world):
    raise type("E" * 10_000_000, (ValueError,), {})("m" * 50_000_000)
