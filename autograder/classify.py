"""From an exception in a hidden test to a failure that a learner can use.

An exception that a test meets counts against the submission unless it is plainly ours: a learner
who returns a wrong type may well break the test's next line. ``is_fault`` names the few that are
ours; the audit proves that the reference meets none of the others.
"""

from __future__ import annotations

import traceback

import pytest
from hypothesis.errors import Flaky

from autograder import show
from autograder.sandbox import (
    Crashed,
    Exited,
    GraderFault,
    LearnerStop,
    Missing,
    OutOfMemory,
    TimedOut,
    Unwritten,
)
from autograder.subject import Refused
from autograder.verdict import NOT_WANTED, Failure, Reason

__all__ = ["Mismatch", "failure_of", "is_fault"]

REASONS: dict[type[BaseException], Reason] = {
    Crashed: Reason.CRASHED,
    Exited: Reason.EXITED,
    Missing: Reason.MISSING,
    OutOfMemory: Reason.MEMORY,
    TimedOut: Reason.TIMEOUT,
    Unwritten: Reason.UNWRITTEN,
    NotImplementedError: Reason.UNWRITTEN,
    MemoryError: Reason.MEMORY,
    SystemExit: Reason.EXITED,
}


class Mismatch(AssertionError):
    """A failed comparison as data; by convention what was got stands left, what is wanted right."""

    def __init__(self, op: str, got: object, wanted: object) -> None:
        super().__init__(f"got {show.value(got)}, wanted {op} {show.value(wanted)}")
        self.op, self.got, self.wanted = op, got, wanted


def is_fault(error: BaseException) -> bool:
    """Whether the grader, not the submission, is to blame."""
    return isinstance(error, GraderFault)


def _where(error: BaseException) -> str:
    """The learner's line: told by the worker, or the innermost frame in a kernel's cell."""
    told = getattr(error, "learner_where", "")
    if told:
        return show.clean(told, 120)
    cells = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if "ipykernel_" in frame.filename or frame.filename.startswith("<ipython-input")
    ]
    return f"{cells[-1].name}, line {cells[-1].lineno} of its cell" if cells else ""


def _message(error: BaseException) -> str:
    """What a stop says of itself, with the name of the exception where that is not ours."""
    text = show.clean(str(error))
    return text if isinstance(error, LearnerStop) or not text else f"{type(error).__name__}: {text}"


def _mismatch(error: Mismatch, given: str) -> Failure:
    wanted = show.value(error.wanted)
    if error.op != "==":
        wanted = f"{error.op} {wanted}"
    message = show.difference(error.got, error.wanted) or NOT_WANTED
    return Failure(Reason.WRONG, message, given, wanted, show.value(error.got))


def failure_of(error: BaseException, given: str) -> Failure:
    """What to tell of ``error``, which a test met after the calls in ``given``."""
    where = _where(error)
    if isinstance(error, Mismatch):
        return _mismatch(error, given)
    if isinstance(error, Refused):
        return error.failure
    if isinstance(error, pytest.fail.Exception):  # pytest.raises met no error
        return Failure(Reason.WRONG, "an error should have been raised", given,
                       show.clean(str(error)).removeprefix("DID NOT RAISE "), "no error", where)
    if isinstance(error, Flaky):
        return Failure(Reason.WRONG, "the same calls do not always give the same results", given)
    if isinstance(error, AssertionError):
        message = show.clean(str(error)) or "the rule does not hold"
        return Failure(Reason.WRONG, message, given, where=where)
    for kind, reason in REASONS.items():
        if isinstance(error, kind):
            return Failure(reason, _message(error) or reason.value, given, where=where)
    name = getattr(error, "learner_class", type(error).__name__)
    return Failure(Reason.ERROR, show.clean(f"{name}: {error}"), given, where=where)
