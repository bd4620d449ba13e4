"""A class's verdicts on one chapter, counted: scores, statuses, what was hard, what was noticed.

Read from what ``classroom`` kept; nothing is graded here. ``classpage`` makes a page of it.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograder.classroom import Batch
from autograder.contract import OWN_TESTS, load
from autograder.course import CourseError
from autograder.show import clean
from autograder.verdict import NOT_THERE, FunctionVerdict, Outcome, Reason, TestVerdict, Verdict

__all__ = ["AGAIN", "ClassReport", "Row", "Share", "gather", "table"]

AGAIN, NONE = "to be repeated", "not graded yet"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # a spreadsheet runs a cell that begins so


@dataclass(frozen=True)
class Row:
    """One submission: points of each part in the order of the report's, None where undecided."""

    student: str
    status: str
    earned: float | None
    points: int | None
    parts: tuple[float | None, ...]
    message: str = ""


@dataclass(frozen=True)
class Share:
    """A hidden test or a planted bug: how many of those whom it concerned it befell."""

    name: str
    about: str
    count: int
    of: int

    @property
    def percent(self) -> float:
        return 100 * self.count / self.of


@dataclass(frozen=True)
class ClassReport:
    """What a page and a table are made of.

    ``hardest`` has the share of submissions that fail a test, of those that wrote its function;
    ``bugs`` the share that notice a bug, of those that wrote tests.
    """

    slug: str
    title: str
    parts: tuple[str, ...]
    rows: tuple[Row, ...]
    statuses: tuple[tuple[str, int], ...]
    hardest: tuple[Share, ...]
    bugs: tuple[Share, ...]

    @property
    def percents(self) -> list[float]:
        """The score of everybody who has one, in percent of what could be earned."""
        return [100 * row.earned / row.points for row in self.rows
                if row.earned is not None and row.points]


class _Shares:
    """Counts by name; the first text about a name that is not empty stays."""

    def __init__(self) -> None:
        self._count, self._of = Counter[str](), Counter[str]()
        self._about: dict[str, str] = {}

    def add(self, name: str, about: str, befell: bool) -> None:
        self._count[name] += befell
        self._of[name] += 1
        self._about[name] = self._about.get(name) or about

    def all(self) -> Iterator[Share]:
        for name, of in self._of.items():
            yield Share(name, self._about[name], self._count[name], of)


def _tried(test: TestVerdict) -> bool:
    """Whether there was something for the test to judge."""
    decided = test.outcome in (Outcome.PASSED, Outcome.FAILED)
    return decided and not (test.failure and test.failure.reason in NOT_THERE)


def _count_tests(function: FunctionVerdict, shares: _Shares) -> None:
    """The cases of a test are one test, which fails where any of them does."""
    tests: dict[str, list[TestVerdict]] = {}
    for test in filter(_tried, function.tests):
        tests.setdefault(test.name.partition("[")[0], []).append(test)
    for name, cases in tests.items():
        failed = any(case.outcome is Outcome.FAILED for case in cases)
        shares.add(f"{function.name}: {name}", cases[0].rule, failed)


def _count_bugs(function: FunctionVerdict, shares: _Shares) -> None:
    """A bug goes by its number, since a verdict names only those that were noticed."""
    if any(test.failure and test.failure.reason in (*NOT_THERE, Reason.REJECTS)
           for test in function.tests):
        return  # nobody wrote tests here, or none of them counts
    for number, test in enumerate(function.tests, start=1):
        caught = test.outcome is Outcome.PASSED
        shares.add(f"bug {number}", f"{test.name}: {test.rule}" if caught else "", caught)


def _points(function: FunctionVerdict) -> float | None:
    return float(function.earned) if function.counted and not function.faulty else None


def _row(student: str, verdict: Verdict | None, parts: Sequence[str]) -> Row:
    nothing = (None,) * len(parts)
    if verdict is None:
        return Row(student, NONE, None, None, nothing)
    if verdict.faulty:
        return Row(student, AGAIN, None, None, nothing, verdict.message)
    points = {function.name: _points(function) for function in verdict.functions}
    return Row(student, verdict.status.value, float(verdict.earned), verdict.points,
               tuple(points.get(name) for name in parts), verdict.message)


def gather(batch: Batch) -> ClassReport:
    """Count what is kept of a class, one verdict after the other.

    Raises:
        CourseError: nothing is kept yet.
    """
    contract = load(batch.chapter)
    parts = tuple(part.name for part in contract.parts)
    parts += (OWN_TESTS,) if contract.own_tests else ()
    rows, hard, noticed = [], _Shares(), _Shares()
    for submission, verdict in batch.verdicts():
        for function in verdict.functions if verdict else ():
            if function.name == OWN_TESTS:
                _count_bugs(function, noticed)
            else:
                _count_tests(function, hard)
        rows.append(_row(submission.student, verdict, parts))
    if all(row.status == NONE for row in rows):
        raise CourseError(
            f"no verdict on {batch.chapter.slug} is kept yet that its hidden tests, as they are "
            f"now, gave; 'ol autograde {batch.chapter.number}' grades the class"
        )
    return ClassReport(
        batch.chapter.slug, batch.chapter.title, parts, tuple(rows),
        tuple(Counter(row.status for row in rows).most_common()),
        tuple(sorted(hard.all(), key=lambda share: -share.percent)),
        tuple(sorted(noticed.all(), key=lambda share: share.percent)),
    )


def _inert(text: str) -> str:
    """A cell that a spreadsheet shows and does not run."""
    return f"'{text}" if text.startswith(FORMULA) else text


def table(report: ClassReport) -> str:
    """The class as CSV, a row for each submission."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["student", "status", "earned", "points", *report.parts, "message"])
    for row in report.rows:
        writer.writerow(_cells(row))
    return file.getvalue()


def _cells(row: Row) -> Iterable[object]:
    student, message = (clean(_inert(text)) for text in (row.student, row.message))
    return [student, row.status, row.earned, row.points, *row.parts, message]
