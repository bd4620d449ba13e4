"""Sets alarms and timers that interrupt whatever runs when they ring.

Must hold: they ring in its own process only, and end that at most.

Family: clocks.
"""

import signal
import time

ENDS = {"A": "Crashed", "B": "Crashed", "C": "Crashed"}


def attack(world):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    time.sleep(60)
