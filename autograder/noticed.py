"""Which hidden tests notice planted bugs, automatic mutants and, wrongly, correct variants.

Work is spread over processes, each with a sandbox of its own. Which mutants there are is
``planted``'s and ``automatic``'s to say.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from autograder import carry
from autograder.automatic import Automatic, automatic
from autograder.boxed import Boxed
from autograder.course import Chapter
from autograder.hiddentests import run_many
from autograder.mutants import Mutant, Variant
from autograder.planted import (
    changed_module,
    equivalents,
    mutants,
    planted,
    variant_module,
    variants,
)
from autograder.plugin import Job, Jobs, Ran
from autograder.sandbox import Box, Limits, Module
from autograder.verdict import Outcome

__all__ = ["killers", "rejections", "survivors"]

Item = TypeVar("Item")
Answer = TypeVar("Answer")

SEED = "0badc0de"  # the audit says the same each time
# A bug may loop: two seconds are long for a test of the reference, and time-outs count as killed.
BUG_LIMITS = Limits(test_seconds=30.0, cpu_seconds=1.0, total_seconds=3600.0)
VARIANT_LIMITS = Limits(test_seconds=60.0, total_seconds=3600.0)  # right code may be slow
A_PROCESS = 3  # fewer items are not worth another one


Failing = Generator[Job, tuple[Ran, ...], frozenset[str]]


def _failing(chapter: Chapter, box: Box, module: Module, *choice: Any) -> Failing:
    """Of the tests that a job with ``choice`` runs on a module, those that fail."""
    below = carry.needed(chapter, carry.Deps.REFERENCE).modules
    with Boxed(box, module.name, [*below, module]) as subject:
        every = yield Job(subject, *choice)
    return frozenset(
        ran.test.name.partition("[")[0] for ran in every if ran.test.outcome is Outcome.FAILED
    )


@contextmanager
def _box(chapter: Chapter, limits: Limits) -> Iterator[Box]:
    with Box([], packages=chapter.packages, limits=limits) as box:
        box.start()  # here, since a sandbox ends with the thread that started it
        yield box


def _spread(
    work: Callable[[Chapter, Sequence[Item]], list[Answer]], chapter: Chapter, items: Sequence[Item]
) -> list[Answer]:
    """``work`` on all items, in as many processes as there are cores: pytest shares none."""
    count = min(os.cpu_count() or 1, len(items) // A_PROCESS)
    if count < 2:
        return work(chapter, items)
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        shares = [items[first::count] for first in range(count)]
        answers = list(pool.map(work, itertools.repeat(chapter), shares))
    return [answers[index % count][index // count] for index in range(len(items))]


def _killers(chapter: Chapter, bugs: Sequence[Mutant]) -> list[frozenset[str]]:
    found = []

    def jobs(box: Box) -> Jobs:
        for bug in bugs:
            found.append((yield from _failing(chapter, box, planted(chapter, bug), bug.function)))

    with _box(chapter, BUG_LIMITS) as box:
        run_many(chapter, jobs(box), seed=SEED)
    return found


def killers(chapter: Chapter) -> Mapping[Mutant, frozenset[str]]:
    """For each planted bug, the hidden tests of its own function that notice it."""
    bugs = mutants(chapter)
    return dict(zip(bugs, _spread(_killers, chapter, bugs), strict=True))


def _rejecting(chapter: Chapter, right: Sequence[Variant]) -> list[frozenset[str]]:
    found = []

    def jobs(box: Box) -> Jobs:
        for variant in right:
            found.append((yield from _failing(chapter, box, variant_module(chapter, variant))))

    with _box(chapter, VARIANT_LIMITS) as box:
        run_many(chapter, jobs(box), seed=SEED)
    return found


def rejections(chapter: Chapter) -> Mapping[Variant, frozenset[str]]:
    """For each correct variant, the hidden tests of any function that it fails."""
    right = variants(chapter)
    return dict(zip(right, _spread(_rejecting, chapter, right), strict=True))


def _noticed(chapter: Chapter, changes: Sequence[Automatic]) -> list[bool]:
    """Whether some hidden test fails on each mutant: first the tests of its own function, those
    that noticed most so far to begin with; then all, unless nothing else is expected."""
    excused = {(each.function, each.change) for each in equivalents(chapter)}
    noticed: Counter[str] = Counter()
    found = []

    def jobs(box: Box) -> Jobs:
        for mutant in changes:
            module = changed_module(chapter, {mutant.function: mutant.source})
            for only in (mutant.function, None):
                failing = yield from _failing(
                    chapter, box, module, only, lambda test: -noticed[test]
                )
                if failing or (mutant.function, mutant.change) in excused:
                    break
            noticed.update(failing)
            found.append(bool(failing))

    with _box(chapter, BUG_LIMITS) as box:
        run_many(chapter, jobs(box), seed=SEED)
    return found


def survivors(chapter: Chapter) -> tuple[Automatic, ...]:
    """The automatic mutants of the reference that no hidden test notices.

    One that is listed as equivalent is tried on the tests of its own function alone.
    """
    every = automatic(chapter)
    noticed = _spread(_noticed, chapter, every)
    return tuple(mutant for mutant, seen in zip(every, noticed, strict=True) if not seen)
