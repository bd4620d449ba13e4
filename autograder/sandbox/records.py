"""What goes into a sandbox and what is said about it: frozen records without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Cell", "Limits", "Module", "Outcome", "Problem", "Suite", "SuiteRun", "TestRun"]


@dataclass(frozen=True)
class Limits:
    """Bounds on learner code. Seconds are of the wall clock, and only time in calls counts.

    Where ``cpu_seconds`` are given, they are what ends a loop, whatever else the machine is busy
    with, and the wall clock only what ends a sleep.
    """

    test_seconds: float = 5.0  # one worker's cells and calls together
    cpu_seconds: float | None = None  # of one worker; the kernel rounds up
    total_seconds: float = 60.0  # all workers of one Box together
    memory_bytes: int = 1 << 30  # address space of a worker
    scratch_bytes: int = 64 << 20  # files of a worker
    message_bytes: int = 16 << 20  # the largest frame either way


@dataclass(frozen=True)
class Cell:
    """One cell's source; ``name`` is what messages call it, such as "cell 12 (randint32)"."""

    name: str
    source: str


@dataclass(frozen=True)
class Module:
    """The cells that make up one importable module, such as "llmdata.rand"."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Problem:
    """An exception that left a cell while its module was loaded; later cells ran all the same.

    ``where`` is the innermost line of any cell, which may be one that ``cell`` called, or empty.
    """

    module: str
    cell: str
    kind: str
    message: str
    line: int
    where: str = ""


@dataclass(frozen=True)
class Suite:
    """A learner's tests, as one file, and what they find around them.

    ``given`` are the importable modules, each with the cells that the course gives for it, in the
    order of import; ``module`` is the one under test. ``passing`` are its given classes, whose
    objects pass by value, and ``names`` what the tests use of it without importing it.
    """

    text: str
    given: tuple[tuple[str, tuple[str, ...]], ...]
    module: str
    passing: tuple[str, ...]
    names: tuple[str, ...]


class Outcome(StrEnum):
    """What a tester says of one test."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class TestRun:
    """One test of a run: its outcome, the exception (``kind`` "unwritten" is a stub's), the line of
    the file, its seconds, and what it says it called."""

    name: str
    outcome: Outcome
    kind: str
    message: str
    line: int
    seconds: float
    called: tuple[str, ...] = ()

    __test__ = False  # no test, though its name begins like one


@dataclass(frozen=True)
class SuiteRun:
    """One run of a suite against one implementation: the tests found, and those that ran.

    ``problem`` says why it came to no end, ``during`` which test ran then ("" where none did).
    """

    names: tuple[str, ...]
    tests: tuple[TestRun, ...]
    problem: str = ""
    during: str = ""
    line: int = 0
    timed_out: bool = False
