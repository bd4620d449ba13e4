"""One submission in, one verdict out.

Hidden tests run here, under pytest; the learner's module runs in a sandboxed worker and is reached
through proxies. This module only joins the parts: reading and choosing cells, isolation, the tests
and the records each have a module of their own.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder import carry
from autograder.boxed import Boxed
from autograder.carry import Deps
from autograder.contract import OWN_TESTS, Contract, load, reference_module
from autograder.course import Chapter
from autograder.export import FunctionSource, Selection, select
from autograder.hiddentests import digest, run_tests, suite_sha256
from autograder.judged import function_of
from autograder.mutate import judge, unjudged
from autograder.owntests import OwnTests, reference_tests
from autograder.owntests import own_tests as gathered_tests
from autograder.plugin import Ran
from autograder.reading import Refused, Unreadable, read
from autograder.sandbox import (
    OPEN_AT_C,
    Box,
    GraderFault,
    LearnerStop,
    Level,
    Limits,
    Module,
    TimedOut,
)
from autograder.show import clean
from autograder.subject import Absent
from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)

# Of all its tests together; what one leaves, another may use. A machine that is busy with other
# things takes several times as long as a quiet one, and nobody's marks should hang on that.
SECONDS_A_FUNCTION = 60.0
TEST_SECONDS, TEST_CPU_SECONDS = 20.0, 5.0
WEAK = f"Isolation level C leaves open: {', '.join(OPEN_AT_C)}"

__all__ = [
    "grade_notebook", "grade_reference", "limits_for", "loaded", "refusal", "refused", "unread",
]


def limits_for(contract: Contract) -> Limits:
    """What a submission of a chapter may take."""
    return Limits(
        TEST_SECONDS, TEST_CPU_SECONDS, total_seconds=SECONDS_A_FUNCTION * len(contract.parts)
    )


def _functions(
    contract: Contract, ran: Sequence[Ran], sources: Mapping[str, FunctionSource]
) -> tuple[FunctionVerdict, ...]:
    return tuple(
        FunctionVerdict(
            part.name,
            part.points,
            tuple(each.test for each in ran if each.function == part.name),
            sources[part.name].cell if part.name in sources else "",
            sources[part.name].notes if part.name in sources else (),
            bonus=part.bonus,
        )
        for part in contract.parts
    )


def refusal(source: FunctionSource) -> Failure | None:
    """Why a function cannot be called, or None where it can."""
    problem = source.problem
    return Failure(problem, source.message, where=source.cell) if problem else None


def _refusals(selection: Selection) -> dict[str, Failure]:
    found = {name: refusal(source) for name, source in selection.functions.items()}
    return {name: failure for name, failure in found.items() if failure}


def loaded(box: Box) -> tuple[Status, tuple[str, ...]]:
    """How far the cells ran, and what went wrong meanwhile; a cell that stops half way gives what
    it defined."""
    try:
        with box.worker() as worker:
            full = any(problem.kind == MemoryError.__name__ for problem in worker.problems)
            return Status.MEMORY if full else Status.GRADED, tuple(
                f"{problem.cell}, line {problem.line}: {problem.kind}: {problem.message} "
                "(what the cell defined before this line is graded)"
                for problem in worker.problems
            )
    except LearnerStop as stop:  # the tests have said so, each for itself
        status = Status.TIMEOUT if isinstance(stop, TimedOut) else Status.CRASHED
        return status, (clean(str(stop)),)


def _own_tests(
    chapter: Chapter, tests: OwnTests | None, own: tuple[Module, ...], level: Level | None
) -> tuple[FunctionVerdict, ...]:
    """The learner's tests as one more graded part, where the chapter asks for some."""
    wanted = load(chapter).own_tests
    if wanted is None or tests is None:
        return ()
    try:
        return (function_of(judge(chapter, tests, own, level=level), wanted),)
    except GraderFault as fault:
        missed = TestVerdict(OWN_TESTS, "bug", "", Outcome.FAULT, False, note=str(fault))
        return (FunctionVerdict(OWN_TESTS, wanted.points, (missed,), wanted.cell),)


def _grade_module(
    chapter: Chapter,
    module: Module,
    *,
    submission: str,
    sources: Mapping[str, FunctionSource],
    refused: Mapping[str, Failure],
    notes: tuple[str, ...],
    limits: Limits,
    level: Level | None,
    deps: Deps,
    tests: OwnTests | None,
) -> Verdict:
    start = time.perf_counter()
    contract, suite = load(chapter), suite_sha256(chapter)
    needed = carry.needed(chapter, deps)
    with Box(
        [*needed.modules, module], packages=chapter.packages, limits=limits, level=level
    ) as box:
        box.start()
        with Boxed(box, module.name) as subject:
            ran = run_tests(chapter, contract, subject, seed=submission, refused=refused)
        status, problems = loaded(box)
        used = box.level
    if used is Level.C:
        notes += (WEAK,)
    functions = _functions(contract, ran, sources)
    if any(function.count_passed for function in functions):
        status = Status.GRADED  # what ran out was the time of the tests, or the memory of one cell
    own = _own_tests(chapter, tests, (*needed.modules, module), level)
    return Verdict(
        chapter.slug,
        status,
        (*functions, *own),
        used.value,
        submission,
        suite,
        notes,
        problems,
        needed.carried,
        seconds=round(time.perf_counter() - start, 3),
    )


def grade_notebook(
    chapter: Chapter,
    source: Path | bytes,
    *,
    limits: Limits | None = None,
    level: Level | None = None,
    deps: Deps = Deps.OWN,
    own_tests: bool = True,
) -> Verdict:
    """Grade one notebook, whatever it holds.

    Args:
        chapter: whose hidden tests decide.
        source: the notebook's file, or its bytes.
        limits: bounds on time, memory and files; the default gives each function its share.
        level: the isolation to use; the strongest that works where None.
        deps: what needed chapters stand on.
        own_tests: whether the tests that the learner wrote are judged, too.

    Raises:
        CourseError: grading cannot begin: hidden tests are not installed, or a needed chapter is
            missing.
    """
    contract = load(chapter)
    try:
        reading = read(source, contract)
    except Unreadable as error:
        return _unread(chapter, source, error)
    selection = select(reading, contract)
    return _grade_module(
        chapter,
        selection.module,
        submission=reading.sha256,
        sources=selection.functions,
        refused=_refusals(selection),
        notes=(*reading.notes, *selection.notes),
        limits=limits or limits_for(contract),
        level=level,
        deps=deps,
        tests=gathered_tests(reading, contract) if own_tests else None,
    )


def unread(chapter: Chapter, source: Path | bytes, error: Unreadable) -> Verdict:
    """The verdict where there is nothing to grade, before any test is asked."""
    status = Status.REFUSED if isinstance(error, Refused) else Status.UNREADABLE
    digest = hashlib.sha256(source if isinstance(source, bytes) else b"").hexdigest()
    return Verdict(chapter.slug, status, (), "", digest, "", message=str(error))


def _unread(chapter: Chapter, source: Path | bytes, error: Unreadable) -> Verdict:
    """The same, with every test failing, and saying why."""
    bare, contract = unread(chapter, source, error), load(chapter)
    subject = Absent(Failure(Reason.MISSING, bare.message))
    ran = run_tests(chapter, contract, subject, seed=bare.submission_sha256)
    functions = _functions(contract, ran, {})
    if contract.own_tests:
        functions += (function_of(unjudged(chapter, bare.message), contract.own_tests),)
    return replace(bare, functions=functions, suite_sha256=suite_sha256(chapter))


def refused(chapter: Chapter, message: str) -> Verdict:
    """The verdict on what is no file, or none that may be read; ``message`` says what it is."""
    return _unread(chapter, b"", Refused(message))


def grade_reference(
    chapter: Chapter,
    *,
    limits: Limits | None = None,
    level: Level | None = None,
    own_tests: bool = True,
) -> Verdict:
    """Grade the course's own solution, in the sandbox like any other."""
    return _grade_module(
        chapter,
        reference_module(chapter),
        submission=digest(chapter.solution),
        sources={},
        refused={},
        notes=(),
        limits=limits or limits_for(load(chapter)),
        level=level,
        deps=Deps.REFERENCE,
        tests=reference_tests(chapter) if own_tests else None,
    )
