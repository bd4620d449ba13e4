"""Stops every clock that Python has, and then takes its time.

Must hold: the clock that counts is the grader's.

Family: clocks.
"""

import time

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")


def attack(world):
    for name in CLOCKS:
        setattr(time, name, lambda: 0.0)
        setattr(time, f"{name}_ns", lambda: 0)
    while True:
        pass
