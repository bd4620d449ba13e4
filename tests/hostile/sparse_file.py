"""Makes a file that claims a terabyte and holds nothing.

Must hold: no file grows beyond the limit, however it is asked for.

Family: bombs.
"""

import os

ENDS = {"A": "refused", "B": "refused", "C": "refused"}


def attack(world):
    with open("sparse", "wb") as file:
        for grow in (
            lambda: os.ftruncate(file.fileno(), 1 << 40),
            lambda: os.posix_fallocate(file.fileno(), 0, 1 << 40),
            lambda: os.pwrite(file.fileno(), b"end", 1 << 40),
        ):
            try:
                grow()
                return "grew"
            except OSError:
                pass
    return "refused"
