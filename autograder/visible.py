"""The visible checks: what a learner's notebook is checked by where the hidden tests are not.

Each function's hand example runs in a sandbox of the kind that hidden tests use, after the
learner's cells and in one module with them; the tests that the learner wrote run on the learner's
own code. All of it is worth no points, and no mark is ever taken from it, so it need not be out of
the reach of the code that it checks. ``checked`` is what learners' commands call; classes are
graded by ``grade`` alone.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder.cards import Card, Row, of_function
from autograder.carry import Deps, Needed, needed
from autograder.classify import Mismatch, failure_of
from autograder.contract import OWN_TESTS, Part, load
from autograder.course import Chapter, is_bundle
from autograder.examples import Example, examples, sides
from autograder.export import FunctionSource, Selection, select
from autograder.grade import grade_notebook, limits_for, loaded, refusal, unread
from autograder.mutate import OWN
from autograder.owntests import OwnTests, own_tests
from autograder.reading import Reading, Unreadable, read
from autograder.sandbox import (
    Box,
    LearnerStop,
    Level,
    Missing,
    Module,
    Problem,
    SuiteRun,
    TestRun,
    Worker,
)
from autograder.trials import WHOLE_FILE, Code, failures, run_on
from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)

__all__ = ["check_function", "checked", "tests_card", "with_grading"]

ONLY = "Only hand examples ran, for no points: the hidden tests run when you hand in."
ONLY_TESTS = "Your tests ran on your own code only: planted bugs grade them when you hand in."
RULE = "the hand example holds"
OWN_RULE = "a test of yours passes on your own code"


def checked(
    chapter: Chapter,
    source: Path | bytes,
    *,
    level: Level | None = None,
    deps: Deps = Deps.OWN,
) -> Verdict:
    """The verdict on a learner's own notebook: of the hidden tests, where they are here, else of
    the visible checks, with no points and no ``suite_sha256``.

    Raises:
        CourseError: a needed chapter is missing.
    """
    if not is_bundle():
        return grade_notebook(chapter, source, level=level, deps=deps)
    start, contract = time.perf_counter(), load(chapter)
    try:
        reading = read(source, contract)
    except Unreadable as error:
        return unread(chapter, source, error)
    stands, selection = _with_own(chapter, reading, deps)
    modules = stands.modules
    with _box(chapter, modules, level) as box:
        status, problems = loaded(box)
        stuck = _stuck(status, problems)
        functions = [
            _function(chapter, part, selection.functions[part.name], box, modules, stuck)
            for part in contract.parts
        ]
        used = box.level
    said = [ONLY]
    if contract.own_tests:
        functions.append(_own_tests(chapter, reading, modules, level))
        said.append(ONLY_TESTS)
    return Verdict(
        chapter.slug, status, tuple(functions), used.value, reading.sha256, "",
        (*said, *reading.notes, *selection.notes), problems, stands.carried,
        seconds=round(time.perf_counter() - start, 3),
    )


def check_function(chapter: Chapter, reading: Reading, part: Part) -> FunctionVerdict:
    """The visible check of one function of what ``reading`` holds.

    Raises:
        CourseError: a needed chapter is missing.
    """
    stands, selection = _with_own(chapter, reading, Deps.EITHER)
    modules = stands.modules
    with _box(chapter, modules, None) as box:
        stuck = _stuck(*loaded(box))
        return _function(chapter, part, selection.functions[part.name], box, modules, stuck)


def with_grading(card: Card, said: str = ONLY) -> Card:
    """``card`` with a row on what is left to grading."""
    return replace(card, rows=(*card.rows, Row("Grading", said)))


def tests_card(chapter: Chapter, reading: Reading) -> Card:
    """How the learner's tests do on the learner's own code.

    Raises:
        CourseError: a needed chapter is missing.
    """
    stands, _ = _with_own(chapter, reading, Deps.EITHER)
    card = of_function(_own_tests(chapter, reading, stands.modules, None))
    rows = tuple(row for row in card.rows if row.label != "Hint")  # tests of one's own have none
    return with_grading(replace(card, rows=rows), ONLY_TESTS)


def _with_own(chapter: Chapter, reading: Reading, deps: Deps) -> tuple[Needed, Selection]:
    """What is loaded, the learner's module last, and how that was chosen."""
    selection, below = select(reading, load(chapter)), needed(chapter, deps)
    return replace(below, modules=(*below.modules, selection.module)), selection


def _box(chapter: Chapter, modules: Sequence[Module], level: Level | None) -> Box:
    limits = limits_for(load(chapter))
    return Box(modules, packages=chapter.packages, limits=limits, level=level)


def _stuck(status: Status, problems: Sequence[str]) -> Failure | None:
    """Why no example could run: the learner's cells never came to their end."""
    return None if status is Status.GRADED else Failure(Reason(status.value), problems[0])


def _function(
    chapter: Chapter,
    part: Part,
    source: FunctionSource,
    box: Box,
    modules: Sequence[Module],
    stuck: Failure | None,
) -> FunctionVerdict:
    example = examples(chapter).get(part.name)
    failure = refusal(source) or stuck
    if example and not failure:
        failure = _run(example, box, modules)
    tests = (_test("hand_example", "example", RULE, failure),) if example or failure else ()
    return FunctionVerdict(part.name, 0, tests, source.cell, source.notes, bonus=part.bonus)


def _test(name: str, kind: str, rule: str, failure: Failure | None) -> TestVerdict:
    outcome = Outcome.FAILED if failure else Outcome.PASSED
    return TestVerdict(name, kind, rule, outcome, False, failure)


def _run(example: Example, box: Box, modules: Sequence[Module]) -> Failure | None:
    """What goes wrong in an example; None where it holds."""
    *below, own = modules
    try:
        with box.worker([*below, Module(own.name, (*own.cells, *example.cells))]) as worker:
            met = next((each for each in worker.problems if each.cell == example.label), None)
            return _failure(example, met, worker, own.name) if met else None
    except LearnerStop as stop:
        return failure_of(stop, "")


def _failure(example: Example, met: Problem, worker: Worker, module: str) -> Failure:
    """One exception in an example: of a comparison both sides, else what was raised."""
    failed = example.assertion(met.line) if met.where.startswith(example.label) else None
    given = ast.unparse(failed) if failed else ""
    if met.kind == "NotImplementedError":
        return Failure(Reason.UNWRITTEN, Reason.UNWRITTEN.value, where=met.where)
    if met.kind != "AssertionError" or failed is None:
        return Failure(Reason.ERROR, f"{met.kind}: {met.message}", given, where=met.where)
    try:
        got, wanted = (worker.get(module, name) for name in sides(failed.lineno))
    except Missing:
        return Failure(Reason.WRONG, met.message or "it does not hold", given, where=met.where)
    return replace(failure_of(Mismatch("==", got, wanted), given), where=met.where)


def _own_tests(
    chapter: Chapter, reading: Reading, modules: tuple[Module, ...], level: Level | None
) -> FunctionVerdict:
    contract = load(chapter)
    tests = own_tests(reading, contract)
    run = run_on(chapter, tests, Code(OWN, modules, ours=False), level=level)
    failed = {each.name: each for each in failures(run)}
    ran = tuple(
        _test(name, "own", OWN_RULE, _of_test(failed[name], run, tests) if name in failed else None)
        for name in dict.fromkeys((*(each.name for each in run.tests), *failed))
    )
    if not ran:
        nothing = Failure(Reason.UNWRITTEN, "no tests written yet")
        ran = (_test(OWN_TESTS, "own", OWN_RULE, nothing),)
    cell = contract.own_tests.cell if contract.own_tests else ""
    return FunctionVerdict(OWN_TESTS, 0, ran, cell, tests.notes)


def _of_test(failed: TestRun, run: SuiteRun, tests: OwnTests) -> Failure:
    where = tests.where(failed.line)
    if failed.kind == "unwritten":
        return Failure(Reason.UNWRITTEN, Reason.UNWRITTEN.value, where=where)
    late = run.timed_out and failed.name in (run.during, WHOLE_FILE)
    message = ": ".join(filter(None, (failed.kind, failed.message)))
    return Failure(Reason.TIMEOUT if late else Reason.ERROR, message, where=where)
