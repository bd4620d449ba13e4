"""What goes into a sandbox and what is said about it: frozen records without behaviour."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Cell", "Limits", "Module", "Problem"]


@dataclass(frozen=True)
class Limits:
    """Bounds on learner code. Seconds are of the wall clock, and only time in calls counts."""

    test_seconds: float = 5.0  # one worker's cells and calls together
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
    """An exception that left a cell while its module was loaded; later cells ran all the same."""

    module: str
    cell: str
    kind: str
    message: str
    line: int
