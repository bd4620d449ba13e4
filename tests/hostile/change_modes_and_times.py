"""Changes mode, owner, times and attributes of a file outside its scratch folder.

Landlock does not govern these calls. Must hold: they are answered as if done (programs take them
for granted), and the file stays as it was.

Family: planted files and variables.
"""

import os

ENDS = {"A": "believed it", "B": "believed it"}


def attack(world):
    os.chmod(world["secret"], 0o777)
    os.chown(world["secret"], 1, 1)
    os.utime(world["secret"], (0, 0))
    os.setxattr(world["secret"], "user.mark", b"here")
    return "believed it"
