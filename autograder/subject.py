"""Where a hidden test's functions come from: a sandboxed worker (``boxed``), a running kernel
(``live``), or nowhere.

A subject hands out the functions of one chapter for one test at a time and keeps a short trace of
the calls, so that a failure can show what was given. Nothing here compares or judges.
"""

from __future__ import annotations

import io
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import pytest

from autograder import show
from autograder.sandbox import LearnerStop
from autograder.verdict import Failure

__all__ = [
    "Absent", "Given", "Printed", "Refused", "Source", "Subject", "Trace", "Traced",
]

Function = Callable[..., Any]


class Refused(LearnerStop):
    """A function that was found unfit before any test ran: missing, broken, wrong signature."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Trace:
    """The last few calls a test made, equal neighbours counted."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str, int]] = deque(maxlen=4)

    def clear(self) -> None:
        self._calls.clear()

    def add(self, text: str, times: int = 1) -> None:
        if self._calls and self._calls[-1][0] == text:
            times += self._calls.pop()[1]
        self._calls.append((text, times))

    def __str__(self) -> str:
        return "\n".join(
            f"{text}  ({times} times)" if times > 1 else text for text, times in self._calls
        )


class Printed(io.TextIOBase):
    """Stands for a standard stream: keeps the first characters and forgets the rest."""

    LONGEST = 1000

    def __init__(self) -> None:
        self._kept = ""

    def write(self, text: str) -> int:
        if len(self._kept) < self.LONGEST:
            self._kept += text[: self.LONGEST]
        return len(text)

    def clear(self) -> None:
        self._kept = ""

    def __str__(self) -> str:
        return self._kept


class Source(Protocol):
    """What one test draws its functions from."""

    def get(self, name: str) -> Any: ...

    def repeat(self, function: Any, times: int, *args: Any) -> list[Any]: ...

    def put(self, value: Any) -> Any:
        """A copy of ``value`` that calls change in place."""

    def fetch(self, kept: Any) -> Any:
        """What has become of it."""

    def processor_time(self) -> float | None:
        """The seconds that a process of its own took so far; None where that cannot be told."""


class Subject(Protocol):
    def open(self) -> Any:
        """A context manager that gives the Source of one test."""


class Traced:
    """A function that notes each call; everything else of it stays hidden from tests."""

    def __init__(self, name: str, function: Function, trace: Trace) -> None:
        self._name, self.function, self._trace = name, function, trace

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.note(args, kwargs)
        return self.function(*args, **kwargs)

    def note(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], times: int = 1) -> None:
        shown = [show.argument(arg) for arg in args]
        shown += [f"{key}={show.argument(arg)}" for key, arg in kwargs.items()]
        self._trace.add(f"{self._name}({', '.join(shown)})", times)

    def __repr__(self) -> str:
        return f"<function {self._name}>"


class Given:
    """One test's view: traced functions from a source, refused ones left out."""

    def __init__(self, source: Source, refused: Mapping[str, Failure]) -> None:
        self.trace, self.printed = Trace(), Printed()
        self._source, self._refused = source, refused

    def restart(self) -> None:
        """Forget the calls and what was printed: the test begins anew with another example."""
        self.trace.clear()
        self.printed.clear()

    def get(self, name: str) -> Any:
        if name in self._refused:
            raise Refused(self._refused[name])
        found = self._source.get(name)
        return Traced(name, found, self.trace) if callable(found) else found

    def repeat(self, function: Traced, times: int, *args: Any) -> list[Any]:
        """The results of ``times`` calls; one message to a worker, however many."""
        function.note(args, {}, times)
        return self._source.repeat(function.function, times, *args)

    def in_place(self, function: Traced, value: Any, *args: Any) -> Any:
        """What a call makes of its first argument, a copy of ``value``; not to be trusted."""
        function.note((value, *args), {})
        kept = self._source.put(value)
        function.function(kept, *args)
        return self._source.fetch(kept)


    def processor_time(self) -> float:
        """The seconds of processor time that this test and its source took so far."""
        apart = self._source.processor_time()
        if apart is None:
            pytest.skip("the processor time of another process cannot be told here")
        return time.thread_time() + apart


class Absent:
    """No submission to speak of: every test fails with the reason."""

    def __init__(self, failure: Failure) -> None:
        self._failure = failure

    @contextmanager
    def open(self) -> Iterator[Source]:
        yield self

    def get(self, name: str) -> Any:
        raise Refused(self._failure)

    def repeat(self, function: Any, times: int, *args: Any) -> list[Any]:
        raise Refused(self._failure)

    def put(self, value: Any) -> Any:
        raise Refused(self._failure)

    def fetch(self, kept: Any) -> Any:
        raise Refused(self._failure)

    def processor_time(self) -> float | None:
        raise Refused(self._failure)


