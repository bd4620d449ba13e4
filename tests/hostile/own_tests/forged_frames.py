"""Tells the grader of failed tests that there are not, over every connection of this process.

Must come of it: nothing is gained. A test that the reference never passed kills nothing, a report
that contradicts another is no pass, and garbage ends the run with a reason.
"""

import gc
import os
import struct

from llmdata import rand

RUN = os.urandom(4).hex()  # a forged test has a new name in each run


def text(value):
    data = value.encode()
    return b"s" + struct.pack("<I", len(data)) + data


def frame(*words):
    """A report as the wire has it: a tuple of texts, a line and seconds."""
    payload = b"u" + struct.pack("<I", len(words) + 2) + b"".join(map(text, words))
    payload += b"i" + struct.pack("<q", 1) + b"d" + struct.pack("<d", 0.001)
    return struct.pack("<I", len(payload)) + payload


def test_by_the_senders_own_hand():
    """Finds whatever can send and says that another test began and failed."""
    assert rand.MT19937State().left == 0
    for thing in gc.get_objects():
        if type(thing).__name__ == "Server" and hasattr(thing, "send"):
            thing.send(("began", f"test_forged_{RUN}"))
            thing.send(("ended", f"test_forged_{RUN}", "failed", "AssertionError", "", 1, 0.001))


def test_over_every_descriptor():
    """Writes the same into all that is open but the standard streams."""
    assert rand.MT19937State().left == 0
    forged = frame("ended", f"test_written_{RUN}", "failed", "AssertionError", "")
    for number in range(3, 64):
        try:
            if not os.get_blocking(number) and not os.isatty(number):
                os.write(number, forged)
        except OSError:
            continue
