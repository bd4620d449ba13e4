"""Never finishes loading.

Must hold: the grader's clock ends it, before any test has called anything.

Family: loops and daemons.
"""

ENDS = {"A": "TimedOut", "B": "TimedOut", "C": "TimedOut"}


while True:
    pass
