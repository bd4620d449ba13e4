"""Reads a file by other names: through /proc/self/root, /proc/1/root, /proc/self/cwd and many dots.

Must hold: what counts is the file, not its name.

Family: reading what is not its own.
"""

import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    found, path = [], world["secret"].lstrip("/")
    for root in ("/proc/self/root/", "/proc/1/root/", "/proc/self/cwd/" + "../" * 20, "../" * 20):
        for open_it in (os.open, lambda name, flags: os.open(name, flags | os.O_PATH)):
            try:
                found.append(os.read(open_it(root + path, os.O_RDONLY), 100))
            except OSError:
                pass
    return str(found) if found else "nothing"
