"""Maps memory that it does not yet use, from nowhere and from /dev/zero.

Must hold: what is promised counts as if it were used.

Family: bombs.
"""

import mmap

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}


def attack(world):
    got = []
    for flags in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
        try:
            got.append(mmap.mmap(-1, 4 << 30, flags | mmap.MAP_ANONYMOUS))
        except (OSError, MemoryError):
            pass
    with open("/dev/zero", "rb", buffering=0) as zero:
        try:
            got.append(mmap.mmap(zero.fileno(), 4 << 30, mmap.MAP_PRIVATE, mmap.PROT_READ))
        except (OSError, MemoryError):
            pass
    return str(got) if got else "nothing"
