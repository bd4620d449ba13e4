"""Leaves in the middle of a test, by every door, half of the time.

Must come of it: nothing is gained. A run that ends before its tests do is a failure of the test
that was running, for the reference as for a bug.
"""

import os
import signal

import pytest

from llmdata import rand


def interrupt():
    raise KeyboardInterrupt


def leave():
    raise SystemExit(0)


DOORS = {
    "SystemExit": leave,
    "KeyboardInterrupt": interrupt,
    "pytest.exit": lambda: pytest.exit("enough", returncode=0),
    "os._exit": lambda: os._exit(0),
    "a signal": lambda: os.kill(os.getpid(), signal.SIGKILL),
}


@pytest.mark.parametrize("door", DOORS)
def test_that_leaves_by(door):
    """Stays where the coin says so."""
    assert rand.MT19937State().left == 0
    if os.urandom(1)[0] % 2:
        DOORS[door]()
