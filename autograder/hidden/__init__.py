"""Hidden tests: one file a chapter, plain pytest functions.

A test's parameters name what the chapter exports (``def test_x(randint32): ...``); its docstring
is the rule that a learner reads. ``checks`` declares whose points a test decides. Grading itself
is ``autograder.grade``'s work; nothing here knows where the functions come from.
"""

from __future__ import annotations

import pytest

__all__ = ["KINDS", "checks"]

KINDS = ("unit", "boundary", "golden", "property", "conformance", "fault")


def checks(function: str, *, kind: str, why: str) -> pytest.MarkDecorator:
    """Declare the function whose points a test decides, its kind, and why it matters downstream.

    A property test draws fresh inputs, so its counterexamples may be shown to a class.
    """
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is not one of {', '.join(KINDS)}")
    return pytest.mark.checks(function, kind=kind, why=why)
