"""The objects of a running kernel as a subject for hidden tests: for a learner's own check.

Nothing keeps them from the tests, so no mark is ever taken from it; ``boxed`` is for marks.
"""

from __future__ import annotations

import copy
import inspect
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import Signature
from types import FrameType
from typing import Any

import pytest

from autograder.sandbox import Missing, TimedOut
from autograder.signatures import signature_problem
from autograder.subject import Source
from autograder.verdict import Failure, Reason

__all__ = ["Live", "misfits"]


class Live:
    """The objects of a running kernel, as they are: for a learner's own check, never for marks.

    A test that takes longer than ``seconds`` of processor time, or ``PATIENCE`` times that by the
    clock, is stopped, and those after it do not run. That needs POSIX signals and the main thread;
    elsewhere the kernel's stop button does it.
    """

    seconds = 5.0
    PATIENCE = 4

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace
        self._stopped = False

    @contextmanager
    def open(self) -> Iterator[Source]:
        if not _can_time():
            yield self
            return
        ends = (signal.SIGPROF, signal.SIGALRM)
        before = {each: signal.signal(each, self._stop) for each in ends}
        # Each again and again, until it stops something.
        signal.setitimer(signal.ITIMER_PROF, self.seconds, 0.1)
        signal.setitimer(signal.ITIMER_REAL, self.PATIENCE * self.seconds, 0.1)
        try:
            yield self
        finally:
            for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
                signal.setitimer(timer, 0)
            for each, handler in before.items():
                signal.signal(each, handler)

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        """Stops the learner's code only: pytest and Hypothesis are not made to be broken off."""
        while frame is not None and frame.f_globals is not self._namespace:
            if str(frame.f_globals.get("__name__")).startswith("autograder."):
                return
            frame = frame.f_back
        self._stopped = True
        raise TimedOut(f"stopped after {self.seconds:g} seconds")

    def get(self, name: str) -> Any:
        if self._stopped:
            pytest.skip("not run, since a test before it took too long")
        if name not in self._namespace:
            raise Missing(f"{name} is not defined in this notebook yet", name)
        return self._namespace[name]

    def repeat(self, function: Any, times: int, *args: Any) -> list[Any]:
        return [function(*args) for _ in range(times)]

    def put(self, value: Any) -> Any:
        return copy.deepcopy(value)

    def fetch(self, kept: Any) -> Any:
        return kept

    def processor_time(self) -> float:
        return 0.0


def misfits(
    namespace: Mapping[str, Any], signatures: Mapping[str, Signature | None]
) -> dict[str, Failure]:
    """The functions of a kernel that cannot be called as the course calls them."""
    found = {}
    for name, wanted in signatures.items():
        try:
            own = inspect.signature(namespace[name])
        except (KeyError, TypeError, ValueError):
            continue  # not there, or not made in Python: the tests themselves will tell
        if problem := signature_problem(own, wanted):
            found[name] = Failure(Reason.SIGNATURE, problem)
    return found


def _can_time() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
