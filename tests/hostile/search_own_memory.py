"""Reads its own memory, all of it, for what the grader knows: it is a copy of its parent's.

Must hold: the parent never knew anything.

Family: frames, memory and /proc.
"""

import re

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}
WANTED = re.compile(rb"OL_TEST_SECRE[T]=")  # a pattern that does not match itself


def attack(world):
    found = 0
    try:
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
            for line in maps:
                first, last = (int(each, 16) for each in re.match("(.*?)-(.*?) ", line).groups())
                if " r" in line and last - first < 1 << 28 and "[v" not in line:
                    memory.seek(first)
                    found += len(WANTED.findall(memory.read(last - first)))
    except OSError:
        pass
    return f"{found} times" if found else "nothing"
