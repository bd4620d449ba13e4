"""Sends open files along with its answer, on the line to the grader.

Must hold: the grader takes the answer and none of the files.

Family: forged results.
"""

import os
import socket
import stat
import struct
import sys

ENDS = {"A": "sent", "B": "sent", "C": "sent"}


def attack(world):
    codec = next(each for name, each in sys.modules.items() if name.endswith("inside.codec"))
    answer = codec.encode(("value", "sent"), None, 1000)
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                line = socket.socket(fileno=os.dup(number))
                socket.send_fds(line, [struct.pack("<I", len(answer)), answer], [0] * 16)
                return "sent"
        except OSError:
            pass
