"""Walks up the frames of every thread and reads their local variables.

Must come of it: nothing. No frame of this process knows which implementation is being tried.
"""

import contextlib
import sys
import threading

from llmdata import rand

WORDS = ("mutant", "planted_bug", "variant", "is_reference", "pitfall")


def every_frame():
    """All frames of this thread and of the others, from the inside out."""
    for frame in [sys._getframe(), *sys._current_frames().values()]:
        step = frame
        for _ in range(200):
            if step is None:
                break
            yield step
            step = step.f_back


def test_no_frame_names_an_implementation():
    """Names of local variables, and of the files they stand in."""
    for frame in every_frame():
        for name, value in list(frame.f_locals.items()):
            if isinstance(value, str | bytes | int | tuple | dict):
                text = repr(value)[:100_000]
                assert not any(word in name.lower() for word in WORDS), name
                assert "def randint32(state" not in text or "left <= 0" in text


def test_no_frame_runs_the_code_under_test():
    """A profiler sees each function that is entered while a draw is made."""
    seen = []

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_name == "randint32":
            seen.append(frame.f_code.co_consts)

    before = sys.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        with contextlib.suppress(Exception):  # what a bug raises is no matter here
            rand.randint32(rand.MT19937State())
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    assert all({7, 15, 0xEFC60000} <= set(constants) for constants in seen)
