"""Never returns, and ignores every signal that can be ignored.

Must hold: the signal that ends it cannot.

Family: loops and daemons.
"""

import signal

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


def attack(world):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass
