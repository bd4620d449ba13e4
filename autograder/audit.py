"""``ol audit``: what is not right with the course, a sentence each, saying what to do.

It reads and grades; it changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from autograder.build import stale
from autograder.carry import Deps
from autograder.catalogue import catalogue
from autograder.contract import load
from autograder.course import Chapter, chapters, root
from autograder.grade import grade_notebook, grade_reference
from autograder.hints import hints
from autograder.planted import killers
from autograder.verdict import FunctionVerdict, Outcome

__all__ = ["findings"]

Check = Callable[[Chapter], Iterator[str]]
HINTS = 3
HAND_EXAMPLE = "By hand:"
POINTS = 100
TELLTALE = 24  # a shorter line may well stand in a released notebook by chance


def row_whole(chapter: Chapter) -> Iterator[str]:
    for path in (
        chapter.solution,
        chapter.release,
        chapter.hidden,
        chapter.mutants,
        chapter.contract,
    ):
        if not path.exists():
            yield f"{path} is missing: write it, or run 'ol build'"


def built_fresh(chapter: Chapter) -> Iterator[str]:
    yield from stale(chapter)


def notebooks_clean(chapter: Chapter) -> Iterator[str]:
    for path in (chapter.solution, chapter.release):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for cell_id, times in Counter(cell["id"] for cell in cells).items():
            if times > 1:
                yield f"{path}: cell id {cell_id} stands {times} times; rename its section"
        if any(cell.get("outputs") or cell.get("execution_count") for cell in cells):
            yield f"{path}: holds outputs; run 'ol build'"


def functions_whole(chapter: Chapter) -> Iterator[str]:
    contract, tested = load(chapter), {test.function for test in catalogue(chapter)}
    ids = {cell["id"] for cell in json.loads(chapter.release.read_text(encoding="utf-8"))["cells"]}
    for part in contract.parts:
        if part.name not in tested:
            yield f"{chapter.slug}: {part.name} has no hidden test; add one to {chapter.hidden}"
        if HAND_EXAMPLE not in part.doc:
            yield f"{chapter.slug}: the docstring of {part.name} has no '{HAND_EXAMPLE}' example"
        if f"example-{part.name}" not in ids:
            yield f'{chapter.slug}: {part.name} has no cell with example="{part.name}"'
        found = len(hints(chapter, part.name))
        if found != HINTS:
            yield f"{chapter.slug}: {part.name} has {found} hints instead of {HINTS}"
    for name in sorted(tested - {part.name for part in contract.parts}):
        yield f"{chapter.slug}: hidden tests check {name}, which is no function of the chapter"
    total = sum(part.points for part in contract.parts)
    if total != POINTS:
        yield f"{chapter.slug}: its points add up to {total} instead of {POINTS}"


def tests_declared(chapter: Chapter) -> Iterator[str]:
    for test in catalogue(chapter):
        for lacking in [key for key in ("rule", "why") if not getattr(test, key)]:
            yield f"{chapter.slug}: hidden test {test.name} has no {lacking}"


def _with(functions: Sequence[FunctionVerdict], *outcomes: Outcome) -> Iterator[tuple[str, str]]:
    for function in functions:
        for test in function.tests:
            if test.outcome in outcomes:
                yield function.name, test.name


def reference_passes(chapter: Chapter) -> Iterator[str]:
    verdict = grade_reference(chapter)
    for function, test in _with(verdict.functions, Outcome.FAILED, Outcome.FAULT):
        yield f"{chapter.slug}: the reference fails {test} of {function}; mend the one or the other"
    for remark in (*verdict.notes, *verdict.problems):
        yield f"{chapter.slug}: the reference does not load cleanly: {remark}"


def stubs_fail(chapter: Chapter) -> Iterator[str]:
    verdict = grade_notebook(chapter, chapter.release, deps=Deps.REFERENCE)
    for function, test in _with(verdict.functions, Outcome.PASSED, Outcome.SKIPPED):
        yield f"{chapter.slug}: the empty stub passes {test} of {function}; make it call {function}"


def bugs_and_tests_match(chapter: Chapter) -> Iterator[str]:
    """Every planted bug is noticed by a hidden test, and every hidden test notices one."""
    found = killers(chapter)
    for mutant, tests in found.items():
        if not tests:
            yield f"{chapter.slug}: no hidden test notices {mutant.name} in {mutant.function}"
    busy = frozenset().union(*found.values())
    for test in catalogue(chapter):
        if test.name not in busy:
            yield f"{chapter.slug}: hidden test {test.name} notices no planted bug; plant one"


def nothing_leaks(chapter: Chapter) -> Iterator[str]:
    """No line of a hidden test or of a solution stands in what learners get."""
    released = chapter.release.read_text(encoding="utf-8")
    lines = chapter.hidden.read_text(encoding="utf-8").splitlines()
    source = chapter.source.read_text(encoding="utf-8")
    for region in re.findall(r"### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END", source, re.S):
        lines += region.splitlines()
    cells = json.loads(released)["cells"]
    shown = {line.strip() for cell in cells for line in "".join(cell["source"]).splitlines()}
    for line in sorted({line.strip() for line in lines} & shown):
        if len(line) >= TELLTALE:
            yield f"{chapter.release}: gives away the line {line!r}"


def fixtures_recorded(chapter: Chapter) -> Iterator[str]:
    readme = (root() / "fixtures" / "README.md").read_text(encoding="utf-8")
    for path in sorted(chapter.fixtures.rglob("*")):
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() not in readme:
            yield f"{path}: its SHA-256 does not stand in fixtures/README.md; record it there"


CHECKS: tuple[Check, ...] = (
    row_whole,
    built_fresh,
    notebooks_clean,
    functions_whole,
    tests_declared,
    reference_passes,
    stubs_fail,
    bugs_and_tests_match,
    nothing_leaks,
    fixtures_recorded,
)


def orphans() -> Iterator[str]:
    """Files named after a chapter that does not exist."""
    slugs = {chapter.slug for chapter in chapters()}
    modules = {chapter.module for chapter in chapters()}
    places: list[tuple[str, set[str]]] = [
        ("autograder/hidden/ch*.py", slugs),
        ("autograder/mutants/ch*.py", slugs),
        ("notebooks/*", slugs),
        ("solutions/ch*/", slugs),
        ("fixtures/ch*", slugs),
        ("docs/contracts/llmdata/*.pyi", modules),
    ]
    for pattern, known in places:
        for path in sorted(root().glob(pattern)):
            if Path(path.name).stem not in known:
                yield f"{path}: belongs to no chapter; remove it, or write solutions/{path.stem}.py"


def findings(chosen: Sequence[Chapter]) -> tuple[str, ...]:
    """Every finding on the chosen chapters, and on the course as a whole."""
    found = list(orphans())
    for chapter in chosen:
        whole = list(row_whole(chapter))
        found += whole or [sentence for check in CHECKS for sentence in check(chapter)]
    return tuple(found)
