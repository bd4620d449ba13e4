"""Hidden tests: one file a chapter, plain pytest functions.

A test's parameters name what the chapter exports (``def test_x(randint32): ...``); its docstring
is the rule that a learner reads. ``checks`` declares whose points a test decides. Grading itself
is ``autograder.grade``'s work; nothing here knows where the functions come from.
"""

from __future__ import annotations

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
    processor_time: Callable[[], float], ours: Callable[[], object],
    yardstick: Callable[[], object], *, enough: float,
) -> float:
    """The processor time of ``ours`` in units of that of ``yardstick``, which runs in between.

    ``processor_time`` is the fixture: a machine that is busy with other things changes nothing.
    Up to twelve runs of both alternate and the best of each is taken; the first that is ``enough``
    ends it.
    """
    mine: list[float] = []
    theirs: list[float] = []
    for _ in range(12):
        for action, seconds in ((ours, mine), (yardstick, theirs)):
            start = processor_time()
            action()
            seconds.append(processor_time() - start)
        if min(mine) <= enough * min(theirs):
            break
    return min(mine) / min(theirs)
