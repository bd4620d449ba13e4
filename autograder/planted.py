"""Planted bugs put into the reference, one at a time, and the hidden tests that notice.

Everything happens in memory and in one sandbox; no file is changed. Grading the tests that learners
write is not this module's work.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping

from autograder import carry
from autograder.boxed import Boxed
from autograder.contract import load, reference_module
from autograder.course import Chapter, CourseError
from autograder.grade import run_tests
from autograder.mutants import Mutant
from autograder.sandbox import Box, Cell, Limits, Module
from autograder.verdict import Outcome

__all__ = ["killers", "mutants", "planted"]

# A bug may loop: two seconds are long for a test of the reference, and time-outs count as killed.
SEED = "0badc0de"  # the audit says the same each time
LIMITS = Limits(test_seconds=2.0, total_seconds=1800.0)


def mutants(chapter: Chapter) -> tuple[Mutant, ...]:
    """The chapter's planted bugs, in the order of its file.

    Raises:
        CourseError: there is no such file, or it has no MUTANTS.
    """
    spec = importlib.util.spec_from_file_location(f"mutants_{chapter.slug}", chapter.mutants)
    if spec is None or spec.loader is None or not chapter.mutants.exists():
        raise CourseError(f"{chapter.mutants} is missing: write the chapter's planted bugs")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: tuple[Mutant, ...] = module.MUTANTS
    return found


def planted(chapter: Chapter, mutant: Mutant) -> Module:
    """The reference with one bug in it.

    Raises:
        CourseError: ``old`` does not stand exactly once in the function's cell, or what comes out
            is not Python.
    """
    reference, place = reference_module(chapter), f"{mutant.function}: {mutant.name}"
    cells = list(reference.cells)
    index = next((i for i, cell in enumerate(cells) if cell.name == f"solve-{mutant.function}"), -1)
    times = cells[index].source.count(mutant.old) if index >= 0 else 0
    if times != 1:
        raise CourseError(
            f"{chapter.mutants}: {place}: its old text stands {times} times in the "
            "reference's cell instead of once"
        )
    source = cells[index].source.replace(mutant.old, mutant.new)
    try:
        compile(source, place, "exec")
    except SyntaxError as error:
        raise CourseError(f"{chapter.mutants}: {place} is not Python: {error.msg}") from error
    cells[index] = Cell(cells[index].name, source)
    return Module(reference.name, tuple(cells))


def _killers(chapter: Chapter, box: Box, mutant: Mutant) -> Iterator[str]:
    """The hidden tests of the bug's own function that fail, each name once."""
    module = planted(chapter, mutant)
    below = carry.needed(chapter, carry.Deps.REFERENCE).modules
    with Boxed(box, module.name, [*below, module]) as subject:
        every = run_tests(chapter, load(chapter), subject, seed=SEED, only=mutant.function)
    for ran in every:
        if ran.test.outcome is Outcome.FAILED:
            yield ran.test.name.partition("[")[0]


def killers(chapter: Chapter) -> Mapping[Mutant, frozenset[str]]:
    """For each planted bug, the hidden tests that notice it."""
    with Box([reference_module(chapter)], packages=chapter.packages, limits=LIMITS) as box:
        return {mutant: frozenset(_killers(chapter, box, mutant)) for mutant in mutants(chapter)}
