"""Lowers the grader's limits, priority and share of the processors, and its parent's.

Must hold: each is refused, even where the new value is the old one.

Family: signals and other processes.
"""

import os
import resource

ENDS = {"A": "refused", "B": "refused"}


def attack(world):
    done = []
    for pid in (world["grader"], os.getppid()):
        for act in (
            lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE),
            lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19),
            lambda pid: os.sched_setaffinity(pid, {0}),
            lambda pid: os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0)),
        ):
            try:
                act(pid)
                done.append(pid)
            except OSError:
                pass
    return str(done) if done else "refused"
