"""Tells the reference, which a careless grader tries first, from the bugs that come after it.

Must come of it: nothing is gained. The order is drawn afresh with the reference among the bugs, so
what counts runs rejects the reference too, or counts none.
"""

import os

from llmdata import rand

EARLY_SECONDS = 0.5
EARLY_PROCESSES = 20


def seconds_of_parent():
    """How long the parent process has run; 0 where that is not to be seen."""
    try:
        with open(f"/proc/{os.getppid()}/stat") as stat, open("/proc/uptime") as uptime:
            ticks = int(stat.read().rpartition(")")[2].split()[19])
            return float(uptime.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def test_soon_after_the_start():
    """Passes while the parent is young."""
    assert rand.MT19937State().left == 0
    assert seconds_of_parent() < EARLY_SECONDS


def test_with_a_small_number():
    """Passes in the first processes after the parent."""
    assert rand.MT19937State().left == 0
    assert os.getpid() - os.getppid() < EARLY_PROCESSES
