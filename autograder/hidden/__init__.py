"""Hidden tests: one file a chapter, plain pytest functions.

A test's parameters name what the chapter exports (``def test_x(randint32): ...``); its docstring
is the rule that a learner reads. ``checks`` declares whose points a test decides. Grading itself
is ``autograder.grade``'s work; nothing here knows where the functions come from.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import pytest

__all__ = ["KINDS", "checks", "relative_time"]

KINDS = ("unit", "boundary", "golden", "property", "conformance", "fault")


def checks(function: str, *, kind: str, why: str) -> pytest.MarkDecorator:
    """Declare the function whose points a test decides, its kind, and why it matters downstream.

    A property test draws fresh inputs, so its counterexamples may be shown to a class.
    """
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is not one of {', '.join(KINDS)}")
    return pytest.mark.checks(function, kind=kind, why=why)


def relative_time(
    ours: Callable[[], object], yardstick: Callable[[], object], *, enough: float
) -> float:
    """The time of ``ours`` in units of that of ``yardstick``, which runs in the same minute.

    Up to twelve runs of both alternate and the best of each is taken, so a busy machine has to
    disturb all twelve of one side to change the answer; the first that is ``enough`` ends it. Where
    the yardstick alone says that the machine is too busy, the test is skipped, which costs nothing.
    """
    mine: list[float] = []
    theirs: list[float] = []
    for _ in range(12):
        for action, seconds in ((ours, mine), (yardstick, theirs)):
            start = time.perf_counter()
            action()
            seconds.append(time.perf_counter() - start)
        if min(mine) <= enough * min(theirs):
            break
    else:
        if statistics.median(theirs) > 2 * min(theirs):
            pytest.skip("this machine is too busy to compare two speeds")
    return min(mine) / min(theirs)
