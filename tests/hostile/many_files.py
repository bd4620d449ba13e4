"""Makes 200,000 empty files: they take no bytes and still cost the machine.

Must hold: the zygote's watch ends it.

Family: bombs.
"""

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    for number in range(200_000):
        open(f"{number}.txt", "w").close()
    return "made them"
