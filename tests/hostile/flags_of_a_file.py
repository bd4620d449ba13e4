"""Changes the flags of one of Python's own files, which takes no right to write.

Must hold: no flag can be set, even by the owner.

Family: planted files and variables.
"""

import fcntl
import os
import struct

ENDS = {"A": "refused", "B": "refused"}


FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
NO_DUMP = 0x40  # does no harm


def attack(world):
    number = os.open(os.path.join(os.path.dirname(os.__file__), "this.py"), os.O_RDONLY)
    try:
        flags = struct.unpack("l", fcntl.ioctl(number, FS_IOC_GETFLAGS, bytes(8)))[0]
        fcntl.ioctl(number, FS_IOC_SETFLAGS, struct.pack("l", flags ^ NO_DUMP))
        fcntl.ioctl(number, FS_IOC_SETFLAGS, struct.pack("l", flags))
    except OSError:
        return "refused"
    return "changed"
