"""``ol audit``: what is not right with the course, a sentence each, saying what to do.

It reads and grades; it changes nothing.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from autograder.automatic import automatic
from autograder.build import stale
from autograder.carry import Deps
from autograder.catalogue import catalogue
from autograder.contract import OWN_TESTS, load
from autograder.course import Chapter, chapters, root
from autograder.grade import grade_notebook, grade_reference
from autograder.hiddentests import digest
from autograder.hints import hints
from autograder.mutants import Mutant
from autograder.noticed import killers, rejections, survivors
from autograder.pitfalls import listed
from autograder.planted import equivalents, misfits, mutants
from autograder.verdict import FunctionVerdict, Outcome, Verdict

__all__ = ["findings"]

Check = Callable[[Chapter], Iterator[str]]
HINTS = 3
HAND_EXAMPLE = "By hand:"
POINTS = 100
IMPORT = ("import ", "from ")  # tests that learners write need some of the same
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
    if contract.own_tests is None:
        yield f'{chapter.slug}: it asks for no tests; add a cell with tests="{OWN_TESTS}"'
    if contract.points != POINTS:
        yield f"{chapter.slug}: its points add up to {contract.points} instead of {POINTS}"


def tests_declared(chapter: Chapter) -> Iterator[str]:
    for test in catalogue(chapter):
        for lacking in [key for key in ("rule", "why") if not getattr(test, key)]:
            yield f"{chapter.slug}: hidden test {test.name} has no {lacking}"


def _with(functions: Sequence[FunctionVerdict], *outcomes: Outcome) -> Iterator[tuple[str, str]]:
    for function in functions:
        for test in function.tests:
            if test.outcome in outcomes:
                yield function.name, test.name


@functools.lru_cache(maxsize=1)
def _graded(chapter: Chapter, stamp: str) -> Verdict:
    return grade_reference(chapter)


def _reference(chapter: Chapter) -> Verdict:
    """The verdict on the reference, made once for several questions."""
    return _graded(chapter, digest(chapter.solution, chapter.hidden, chapter.mutants))


def _skipped(chapter: Chapter) -> set[tuple[str, str]]:
    """Functions and tests that cannot run here, such as those that need the real book."""
    return set(_with(_reference(chapter).functions, Outcome.SKIPPED))


def reference_passes(chapter: Chapter) -> Iterator[str]:
    verdict = _reference(chapter)
    functions = [function for function in verdict.functions if function.name != OWN_TESTS]
    for function, test in _with(functions, Outcome.FAILED):
        yield f"{chapter.slug}: the reference fails {test} of {function}; mend the one or the other"
    for function, test in _with(functions, Outcome.FAULT):
        yield f"{chapter.slug}: the grader itself fails in {test} of {function}; mend the grader"
    for remark in (*verdict.notes, *verdict.problems):
        yield f"{chapter.slug}: the reference does not load cleanly: {remark}"
    for own in verdict.functions:
        if own.name == OWN_TESTS and own.first_failure and own.first_failure.failure:
            told = own.first_failure.failure.message
            yield f"{chapter.slug}: the course's own tests do not pass 'ol mutate': {told}"


def stubs_fail(chapter: Chapter) -> Iterator[str]:
    """What cannot run here is skipped for the reference, too, and says nothing of the stub."""
    verdict = grade_notebook(chapter, chapter.release, deps=Deps.REFERENCE)
    passed = set(_with(verdict.functions, Outcome.PASSED, Outcome.SKIPPED))
    for function, test in sorted(passed - _skipped(chapter)):
        yield f"{chapter.slug}: the empty stub passes {test} of {function}; make it call {function}"


def bugs_and_tests_match(chapter: Chapter) -> Iterator[str]:
    """Every planted bug is noticed by a hidden test, and every one that can run notices one."""
    found = killers(chapter)
    for mutant, tests in found.items():
        if not tests:
            yield f"{chapter.slug}: no hidden test notices {mutant.name} in {mutant.function}"
    busy = frozenset().union(*found.values())
    absent = {test.partition("[")[0] for _, test in _skipped(chapter)}
    for test in catalogue(chapter):
        if test.name not in busy | absent:
            yield f"{chapter.slug}: hidden test {test.name} notices no planted bug; plant one"
    yield from _pitfalls_caught(chapter, found)


def _pitfalls_caught(
    chapter: Chapter, found: Mapping[Mutant, frozenset[str]]
) -> Iterator[str]:
    """The test that a table of pitfalls names notices the bug that is planted for the slip."""
    tests = {pitfall.slip: pitfall.test for pitfall in listed(chapter)}
    for mutant, noticing in found.items():
        if mutant.pitfall in tests and tests[mutant.pitfall] not in noticing:
            yield (f"{chapter.slug}: {tests[mutant.pitfall]} does not catch '{mutant.pitfall}', "
                   f"planted as {mutant.name}; name one that does in {chapter.source}")


def pitfalls_planted(chapter: Chapter) -> Iterator[str]:
    """Every slip in the tables of pitfalls is planted, and no other is called one."""
    slips = [pitfall.slip for pitfall in listed(chapter)]
    named = {mutant.pitfall: mutant for mutant in mutants(chapter) if mutant.pitfall}
    for slip in slips:
        if slip not in named:
            yield f"{chapter.slug}: no planted bug has the pitfall '{slip}'; plant one"
    for pitfall, mutant in named.items():
        if pitfall not in slips:
            yield (f"{chapter.slug}: the pitfall of {mutant.name}, '{pitfall}', stands in no table "
                   f"of {chapter.source}")


def variants_pass(chapter: Chapter) -> Iterator[str]:
    """No hidden test asks for more than right code."""
    for variant, tests in rejections(chapter).items():
        for test in sorted(tests):
            yield (f"{chapter.slug}: hidden test {test} rejects the correct variant "
                   f"{variant.name}; mend the one or the other")


def automatic_mutants_noticed(chapter: Chapter) -> Iterator[str]:
    """Every automatic mutant is noticed or listed as equivalent, and the list is up to date."""
    excused = {(each.function, each.change) for each in equivalents(chapter)}
    there = [(each.function, each.change) for each in automatic(chapter)]
    alive = {(each.function, each.change) for each in survivors(chapter)}
    for function, change in there:
        if (function, change) in alive - excused:
            yield (f"{chapter.slug}: no hidden test notices {change} in {function}; add one, or "
                   f"list it as equivalent in {chapter.mutants}")
    for function, change in sorted(excused - alive):
        reason = "a hidden test notices it" if (function, change) in there else "it is no mutant"
        yield f"{chapter.mutants}: {change} in {function} is listed as equivalent, but {reason}"


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
        if len(line) >= TELLTALE and not line.startswith(IMPORT):
            yield f"{chapter.release}: gives away the line {line!r}"


def fixtures_recorded(chapter: Chapter) -> Iterator[str]:
    readme = (root() / "fixtures" / "README.md").read_text(encoding="utf-8")
    for path in sorted(chapter.fixtures.rglob("*")):
        if {"make.py", "__pycache__"} & set(path.parts):
            continue
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
    pitfalls_planted,
    bugs_and_tests_match,
    variants_pass,
    automatic_mutants_noticed,
    nothing_leaks,
    fixtures_recorded,
)
SLOW = (bugs_and_tests_match, variants_pass, automatic_mutants_noticed)


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


def findings(chosen: Sequence[Chapter], *, thorough: bool = True) -> tuple[str, ...]:
    """Every finding on the chosen chapters, and on the course as a whole; those on bugs, variants
    and automatic mutants, which take longest, may be left out."""
    checks = [check for check in CHECKS if thorough or check not in SLOW]
    found = list(orphans())
    for chapter in chosen:
        whole = list(row_whole(chapter)) or misfits(chapter)
        found += whole or [sentence for check in checks for sentence in check(chapter)]
    return tuple(found)
