"""Raises an exception whose message cannot be read and whose class lies about its bases.

Must hold: it arrives as the nearest built-in class.

Family: lying objects.
"""

ENDS = {"A": "ValueError", "B": "ValueError", "C": "ValueError"}


class Meta(type):
    @property
    def __mro__(cls):
        raise SystemExit

    @property
    def __name__(cls):
        raise SystemExit


class Hostile(ValueError, metaclass=Meta):
    def __str__(self):
        raise SystemExit


def attack(world):
    raise Hostile
