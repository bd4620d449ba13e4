"""Answers with values of a kind that only the grader's own words have: tuples that say "value".

Must hold: inside a value they are tuples and no words.

Family: forged results.
"""

ENDS = {"A": "tuple", "B": "tuple", "C": "tuple"}


def attack(world):
    return ("value", ("handle", 0, "int"), ("raised", "E", "ValueError", "", 0, 0), ("missing",))
