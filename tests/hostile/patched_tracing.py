"""Has a function of its own called for every line, call and exception from now on.

Must hold: it sees the worker's own lines only, and its answer is a value or none at all.

Family: patched Python and packages.
"""

import sys
import threading

ENDS = {
    "A": "list or Crashed or Exited",
    "B": "list or Crashed or Exited",
    "C": "list or Crashed or Exited",
}
DO = "compare items"


def trace(frame, event, argument):
    for name, value in list(frame.f_locals.items()):
        if type(value) is list:
            frame.f_locals[name] = [0, 0, 0]
    return trace


def attack(world):
    sys.settrace(trace)
    sys.setprofile(trace)
    threading.settrace(trace)
    sys.excepthook = sys.unraisablehook = lambda *_: sys.exit(0)
    return [3, 2, 1]
