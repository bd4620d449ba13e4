"""Whether modules are clean: they load with warnings as errors, and leak neither files nor memory.

The sandbox bounds both from outside: a worker has 64 open files and a gigabyte. The finer numbers
are those of ``probe``, which runs beside the learner's code, so an honest leak is found and a
disguised one may not be: nothing but this one row hangs on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox import Box, Cell, LearnerStop, Limits, Module
from autograder.show import clean

__all__ = ["Code", "remarks"]

ERRORS = Cell("warnings as errors", "import warnings\nwarnings.simplefilter('error')")
STRICT = Module("strict", (ERRORS,))
PROBE = Path(__file__).with_name("probe.py")
LIMITS = Limits(test_seconds=60.0, total_seconds=120.0)
GROWTH = 4_000  # bytes: less than a hundred of the smallest objects, or a place for each decode


@dataclass(frozen=True)
class Code:
    """Modules in the order of their import, and what they may import besides."""

    modules: tuple[Module, ...]
    packages: tuple[str, ...]


def remarks(code: Code) -> list[str]:
    """What is not clean, a sentence each."""
    probe = Module("probe", (Cell(PROBE.name, PROBE.read_text(encoding="utf-8")),))
    try:
        with (
            Box([STRICT, *code.modules, probe], packages=code.packages, limits=LIMITS) as box,
            box.worker() as worker,
        ):
            if worker.problems:
                first = worker.problems[0]
                return [f"{first.module}, {first.cell}, line {first.line}: {first.kind}: "
                        f"{first.message}"]
            leaks = worker.get("probe", "leaks")
            try:
                found = leaks()
            except Exception as error:  # the learner's, rebuilt
                return [f"{type(error).__name__}: {clean(str(error))}"]
            return _leaks(found)
    except LearnerStop as stop:
        return [clean(str(stop))]


def _leaks(found: object) -> list[str]:
    if not isinstance(found, dict):
        return ["the numbers of leaks are no dict"]
    said = []
    for what, number in found.items():
        if type(number) is not int or number > GROWTH:
            said.append(f"memory grows over {what}: {clean(str(number), 40)} bytes")
    return said
