"""Raises the limits that it was given.

Must hold at every level: they are as low for ever.

Family: escapes.
"""

import resource

ENDS = {"A": "refused", "B": "refused", "C": "refused"}


NAMES = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE")


def attack(world):
    lifted = []
    for name in NAMES:
        hard = resource.getrlimit(getattr(resource, name))[1]
        try:
            resource.setrlimit(getattr(resource, name), (hard + 1, hard + 1))
            lifted.append(name)
        except (OSError, ValueError):
            pass
    return str(lifted) if lifted else "refused"
