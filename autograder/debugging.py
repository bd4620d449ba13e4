"""Leaves a failed check's error where ``%debug`` and ``pdb.pm()`` look for it.

The traceback is cut to what concerns the learner: it begins at the hidden test and ends in the
innermost frame that is neither the grader's nor pytest's. Nothing is printed here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

__all__ = ["offer"]

OURS = ("_pytest", "autograder", "pluggy")


def _links(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _ours(link: TracebackType, suite: str) -> bool:
    package = str(link.tb_frame.f_globals.get("__name__", "")).split(".")[0]
    return package in OURS and link.tb_frame.f_code.co_filename != suite


def offer(error: BaseException, suite: Path) -> None:
    """Make ``error`` the one that ``%debug`` opens.

    Args:
        error: what a hidden test met.
        suite: the file of hidden tests.
    """
    links = list(_links(error.__traceback__))
    files = [link.tb_frame.f_code.co_filename for link in links]
    start = files.index(str(suite)) if str(suite) in files else 0
    kept = links[start:]
    while len(kept) > 1 and _ours(kept[-1], str(suite)):
        kept.pop()
    cut: TracebackType | None = None
    for link in reversed(kept):
        cut = TracebackType(cut, link.tb_frame, link.tb_lasti, link.tb_lineno)
    error.__traceback__ = cut
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, cut
    if sys.version_info >= (3, 12):
        sys.last_exc = error
