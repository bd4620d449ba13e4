"""Takes a lease on one of Python's own files, so that whoever opens it waits for the holder.

Must hold: no lease is given, even to the owner; no other worker is slowed down.

Family: signals and other processes.
"""

import fcntl
import os

ENDS = {"A": "refused", "B": "refused"}


def attack(world):
    taken = []
    for name in ("antigravity.py", "this.py", "nturl2path.py"):
        number = os.open(os.path.join(os.path.dirname(os.__file__), name), os.O_RDONLY)
        for kind in (fcntl.F_WRLCK, fcntl.F_RDLCK):
            try:
                fcntl.fcntl(number, fcntl.F_SETLEASE, kind)
                taken.append(name)
            except OSError:
                pass
    return str(taken) if taken else "refused"
