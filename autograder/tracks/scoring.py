"""A track's table filled in: points earned row by row, from the verdicts on its chapters.

A part whose tests could not run here is skipped and leaves the total. What a learner has not begun
earns nothing and says so; grading itself is ``grade``'s work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True)
class Graded:
    """A chapter of the track: its verdict (None where there is nothing to grade), its modules in
    the order of import, and why there is nothing."""

    verdict: Verdict | None = None
    modules: tuple[Module, ...] = ()
    packages: tuple[str, ...] = ()
    missing: str = ""


@dataclass(frozen=True)
class Scored:
    """One row of the table; ``possible`` is less than its points where something was skipped."""

    title: str
    earned: int
    possible: int
    state: State
    reason: str = ""


def grade_chapters(rows: Sequence[Row], *, solutions: bool) -> dict[str, Graded]:
    """Every chapter that the rows name, from the learner's folder or the course's solutions.

    Raises:
        CourseError: the hidden tests are not installed.
    """
    slugs = dict.fromkeys(part.chapter for row in rows for part in row.parts if part.chapter)
    return {slug: _graded(find(slug), solutions) for slug in slugs}


def _graded(chapter: Chapter, solutions: bool) -> Graded:
    if solutions:
        modules = (*needed(chapter, Deps.REFERENCE).modules, reference_module(chapter))
        return Graded(grade_reference(chapter, own_tests=False), modules, chapter.packages)
    if not chapter.work.exists():
        return Graded(missing=f"{chapter.number} is not begun: 'ol start {chapter.number}'")
    verdict = grade_notebook(chapter, chapter.work, deps=Deps.EITHER, own_tests=False)
    contract = load(chapter)
    try:
        own = select(read(chapter.work, contract), contract).module
    except Unreadable as error:
        return Graded(verdict, missing=str(error))
    modules = (*needed(chapter, Deps.EITHER).modules, own)
    return Graded(verdict, modules, chapter.packages)


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


def _part(part: Part, row: Row, graded: Mapping[str, Graded]) -> _Found:
    if not part.functions:
        return _clean(part, graded)
    chapter = graded[part.chapter]
    if chapter.verdict is None:
        return _Found(0, part.points, chapter.missing)
    tests = _tests(part, row, chapter.verdict)
    for test in tests:
        if test.outcome is Outcome.FAILED and test.failure:
            name = test.name.partition("[")[0]
            return _Found(0, part.points, f"{name}: {test.failure.reason}: {test.rule}")
    if not any(test.outcome is Outcome.PASSED for test in tests):
        return _Found(0, 0, next((test.note for test in tests if test.note), "nothing could run"))
    return _Found(part.points, part.points)


def _clean(part: Part, graded: Mapping[str, Graded]) -> _Found:
    """Of all modules that are there, together; the learner's own come before the reference's."""
    modules: dict[str, Module] = {}
    for module in (module for each in graded.values() for module in each.modules):
        modules.setdefault(module.name, module)
    modules |= {each.modules[-1].name: each.modules[-1] for each in graded.values() if each.modules}
    packages = dict.fromkeys(name for each in graded.values() for name in each.packages)
    found = remarks(Code(tuple(modules.values()), tuple(packages)))
    return _Found(0 if found else part.points, part.points, found[0] if found else "")


def score(rows: Sequence[Row], graded: Mapping[str, Graded]) -> Iterator[Scored]:
    """The rows in their order."""
    for row in rows:
        parts = [_part(part, row, graded) for part in row.parts]
        earned, possible = (sum(getattr(p, key) for p in parts) for key in ("earned", "possible"))
        reason = next((part.reason for part in parts if part.reason), "")
        if not possible:
            state = State.SKIPPED
        elif earned == possible:
            state = State.PASSED
        else:
            state = State.PARTLY if earned else State.FAILED
        yield Scored(row.title, earned, possible, state, reason)
