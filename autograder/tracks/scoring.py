"""A track's table filled in: points earned row by row, from the verdicts on its chapters.

A part whose tests could not run here is skipped and leaves the total. What a learner has not begun
earns nothing and says so; grading itself is ``grade``'s work.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from autograder.capstone import whole_course
from autograder.carry import Deps, needed
from autograder.contract import load, reference_module
from autograder.course import Chapter, find
from autograder.export import select
from autograder.grade import grade_notebook, grade_reference
from autograder.reading import Unreadable, read
from autograder.sandbox import Module
from autograder.tracks import Part, Row
from autograder.tracks.clean import Code, remarks
from autograder.verdict import Outcome, TestVerdict, Verdict

__all__ = ["Graded", "Scored", "State", "grade_chapters", "score"]


class State(StrEnum):
    """What became of a row."""

    PASSED = "passed"
    PARTLY = "half"
    FAILED = "failed"
    SKIPPED = "SKIP"
    FAULT = "fault"


@dataclass(frozen=True)
class Graded:
    """A chapter of the track: its verdict and its module, or why there is none."""

    verdict: Verdict | None = None
    module: Module | None = None
    missing: str = ""


@dataclass(frozen=True)
class Scored:
    """One row of the table; ``possible`` is less than its points where something left the total.

    ``reason`` says what to mend, ``skipped`` what could not run here, ``fault`` what went wrong in
    the grader, and ``carried`` which chapters below stand on the reference.
    """

    title: str
    earned: int
    possible: int
    state: State
    reason: str = ""
    skipped: str = ""
    fault: str = ""
    carried: tuple[str, ...] = ()


def grade_chapters(rows: Sequence[Row], *, solutions: bool) -> dict[str, Graded]:
    """Every chapter that the rows name, from the learner's folder or the course's solutions.

    Raises:
        CourseError: the hidden tests are not installed.
    """
    slugs = dict.fromkeys(part.chapter for row in rows for part in row.parts if part.chapter)
    return {slug: _graded(find(slug), solutions) for slug in slugs}


def _graded(chapter: Chapter, solutions: bool) -> Graded:
    if solutions:
        return Graded(grade_reference(chapter, own_tests=False), reference_module(chapter))
    if not chapter.work.exists():
        return Graded(missing=f"{chapter.number} is not started: 'ol start {chapter.number}'")
    verdict = grade_notebook(chapter, chapter.work, deps=Deps.EITHER, own_tests=False)
    contract = load(chapter)
    try:
        own = select(read(chapter.work, contract), contract).module
    except Unreadable as error:
        return Graded(verdict, missing=str(error))
    return Graded(verdict, own)


def _called(test: TestVerdict, names: Sequence[str]) -> bool:
    return test.name in names or test.name.partition("[")[0] in names


def _tests(part: Part, row: Row, verdict: Verdict) -> list[TestVerdict]:
    """The tests that decide a part."""
    others = [name for each in row.parts if each is not part for name in each.tests]
    every = [
        test for function in verdict.functions if function.name in part.functions
        for test in function.tests
    ]
    if part.tests:
        return [test for test in every if _called(test, part.tests)]
    return [test for test in every if not _called(test, others)]


@dataclass(frozen=True)
class _Found:
    """What came of one part."""

    earned: int
    possible: int
    reason: str = ""
    skipped: str = ""
    fault: str = ""
    carried: tuple[str, ...] = ()


def _part(part: Part, row: Row, graded: Mapping[str, Graded], deps: Deps) -> _Found:
    if not part.functions:
        return _clean(part, graded, deps)
    chapter = graded[part.chapter]
    if chapter.verdict is None:
        return _Found(0, part.points, chapter.missing)
    found = _decided(part.points, _tests(part, row, chapter.verdict))
    own = deps is not Deps.REFERENCE  # else it goes without saying
    return dataclasses.replace(found, carried=chapter.verdict.carried if own else ())


def _decided(points: int, tests: Sequence[TestVerdict]) -> _Found:
    """A test that failed decides. Without one, a fault or nothing that ran leave the total."""
    for test in tests:
        if test.outcome is Outcome.FAILED and test.failure:
            name = test.name.partition("[")[0]
            return _Found(0, points, f"{name}: {test.failure.reason}: {test.rule}")
    faults = [test for test in tests if test.outcome is Outcome.FAULT]
    if faults:
        return _Found(0, 0, fault=f"{faults[0].name}: {faults[0].note}")
    if not any(test.outcome is Outcome.PASSED for test in tests):
        notes = [test.note for test in tests if test.note]
        return _Found(0, 0, skipped=notes[0] if notes else "nothing could run")
    return _Found(points, points)


def _clean(part: Part, graded: Mapping[str, Graded], deps: Deps) -> _Found:
    """Of all modules of the course together: as they were graded here, and all others as ``deps``
    says."""
    whole = whole_course()
    modules = {module.name: module for module in needed(whole, deps).modules}
    modules |= {each.module.name: each.module for each in graded.values() if each.module}
    found = remarks(Code(tuple(modules.values()), whole.packages))
    return _Found(0 if found else part.points, part.points, found[0] if found else "")


def _first(parts: Sequence[_Found], key: str) -> str:
    every: list[str] = [getattr(part, key) for part in parts]
    return next(filter(None, every), "")


def _state(parts: Sequence[_Found], earned: int, possible: int) -> State:
    if any(part.fault for part in parts):
        return State.FAULT
    if not possible:
        return State.SKIPPED
    if earned == possible:
        return State.PASSED
    return State.PARTLY if earned else State.FAILED


def score(
    rows: Sequence[Row], graded: Mapping[str, Graded], *, deps: Deps = Deps.EITHER
) -> Iterator[Scored]:
    """The rows in their order. ``deps`` says where modules come from that no row grades."""
    for row in rows:
        parts = [_part(part, row, graded, deps) for part in row.parts]
        earned, possible = (sum(getattr(p, key) for p in parts) for key in ("earned", "possible"))
        yield Scored(
            row.title, earned, possible, _state(parts, earned, possible),
            _first(parts, "reason"), _first(parts, "skipped"), _first(parts, "fault"),
            carried=tuple(dict.fromkeys(name for part in parts for name in part.carried)),
        )
