"""Timing that both sides share: rounds alternate, medians are compared, a limit is stated."""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Row", "alternate", "cpu_of", "median", "seconds_of"]


@dataclass(frozen=True)
class Row:
    """One comparison. ``ratio`` is ours over the peer's, or ours in units of the limit."""

    what: str
    ours: float
    peer: float
    limit: str
    holds: bool
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.ours / self.peer


def seconds_of(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def cpu_of(command: Sequence[str], **options: Any) -> tuple[float, float]:
    """Wall and CPU seconds of a command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = seconds_of(lambda: subprocess.run(command, check=True, capture_output=True, **options))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def alternate(
    ours: Callable[[], Any], peer: Callable[[], Any], rounds: int
) -> tuple[list[Any], list[Any]]:
    pairs = [(ours(), peer()) for _ in range(rounds)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)
