"""What grading says: frozen records, and their versioned JSON.

Nothing here runs or decides anything; ``grade`` fills these in, and ``report``, ``cards`` and the
nbgrader classes read them. The JSON's schema is ``docs/formats/verdict.schema.json``.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

__all__ = [
    "NOT_THERE",
    "NOT_WANTED",
    "VERSION",
    "Failure",
    "FunctionVerdict",
    "Outcome",
    "Reason",
    "Status",
    "TestVerdict",
    "Verdict",
]

VERSION = 1
NOT_WANTED = "the value is not the one wanted"  # the message where there is no more to say


class Status(StrEnum):
    """What became of a submission; exactly one holds.

    The three in the middle are for cells that never came to their end, so that no test passed.
    """

    GRADED = "graded"
    TIMEOUT = "timed out"
    MEMORY = "out of memory"
    CRASHED = "crashed"
    UNREADABLE = "unreadable"  # a file without cells that could be found
    REFUSED = "refused"  # no file, or one that is too big
    FAULT = "grader fault"

    @property
    def judged(self) -> bool:
        """Whether hidden tests ran on it."""
        return self not in (Status.UNREADABLE, Status.REFUSED, Status.FAULT)


class Outcome(StrEnum):
    """What became of one hidden test."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    FAULT = "grader fault"


class Reason(StrEnum):
    """Why a test failed."""

    WRONG = "wrong value"
    ERROR = "unexpected error"
    UNWRITTEN = "not written yet"
    MISSING = "missing"
    SIGNATURE = "wrong signature"
    TIMEOUT = "timed out"
    MEMORY = "out of memory"
    EXITED = "ended the process"
    CRASHED = "crashed"
    ALIVE = "bugs not noticed"
    REJECTS = "rejects right code"


NOT_THERE = (Reason.MISSING, Reason.UNWRITTEN)


@dataclass(frozen=True)
class Failure:
    """One failure as data; every text is bounded and free of control characters.

    ``given`` is the calls the test made, ``wanted`` and ``got`` the two sides of its comparison;
    each is empty where it does not apply. ``where`` is a cell and line of the learner's notebook.
    """

    reason: Reason
    message: str
    given: str = ""
    wanted: str = ""
    got: str = ""
    where: str = ""


@dataclass(frozen=True)
class TestVerdict:
    """One hidden test: its rule is the sentence the learner reads."""

    name: str
    kind: str
    rule: str
    outcome: Outcome
    fresh: bool
    failure: Failure | None = None
    note: str = ""

    __test__ = False  # the name starts with Test, but pytest has nothing to collect here


@dataclass(frozen=True)
class FunctionVerdict:
    """One function (or one other graded part) and the tests that decide its points.

    ``enough``: what passed counts as all of it (planted bugs, of which a few may live).
    ``bonus``: its points come on top, and nothing is missing without them.
    """

    name: str
    points: int
    tests: tuple[TestVerdict, ...]
    cell: str = ""
    notes: tuple[str, ...] = ()
    enough: bool = False
    bonus: bool = False

    def _count(self, outcome: Outcome) -> int:
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def count_passed(self) -> int:
        return self._count(Outcome.PASSED)

    @property
    def counted(self) -> int:
        """Tests that decide points: a skipped one and a grader's fault never do."""
        return self.count_passed + self._count(Outcome.FAILED)

    @property
    def passed(self) -> bool:
        return self.enough or 0 < self.counted == self.count_passed

    @property
    def faulty(self) -> bool:
        return self._count(Outcome.FAULT) > 0

    @property
    def possible(self) -> int:
        """Its part of the total: none where no test could be counted, and none of a bonus."""
        return self.points if self.counted and not self.bonus else 0

    @property
    def earned(self) -> Fraction:
        """The exact points."""
        return self.points * self.share

    @property
    def share(self) -> Fraction:
        """Tests passed over tests counted."""
        return Fraction(1) if self.enough else Fraction(self.count_passed, self.counted or 1)

    @property
    def failures(self) -> tuple[TestVerdict, ...]:
        """The tests that failed, where they cost anything."""
        failed = (test for test in self.tests if test.outcome is Outcome.FAILED)
        return () if self.enough else tuple(failed)

    @property
    def left_out(self) -> bool:
        """Whether it is a bonus that nobody has begun."""
        reasons = {test.failure.reason for test in self.failures if test.failure}
        return self.bonus and not self.count_passed and reasons <= {*NOT_THERE}

    @property
    def first_failure(self) -> TestVerdict | None:
        return next(iter(self.failures), None)


@dataclass(frozen=True)
class Verdict:
    """Everything grading found out about one submission of one chapter.

    ``problems`` are errors that left a cell while the module was loaded: they cost nothing where
    the functions are there all the same, but such a module cannot be imported. ``suite_sha256`` is
    empty where no hidden test ran.
    """

    chapter: str
    status: Status
    functions: tuple[FunctionVerdict, ...]
    level: str
    submission_sha256: str
    suite_sha256: str
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    message: str = ""
    seconds: float = 0.0

    @property
    def points(self) -> int:
        return sum(function.possible for function in self.functions)

    @property
    def earned(self) -> Fraction:
        return sum((function.earned for function in self.functions), Fraction(0))

    @property
    def visible(self) -> bool:
        """Whether only visible checks ran, which give no points."""
        return not self.suite_sha256

    @property
    def faulty(self) -> bool:
        return self.status is Status.FAULT or any(function.faulty for function in self.functions)

    @property
    def passed(self) -> bool:
        required = (function for function in self.functions if not function.bonus)
        return self.status is Status.GRADED and all(function.passed for function in required)

    def function(self, name: str) -> FunctionVerdict:
        return next(function for function in self.functions if function.name == name)

    def redacted(self) -> Verdict:
        """For class feedback: values of tests with fixed inputs are taken out, so that nobody
        learns what to hard-code; the rule and the kind of failure stay."""
        return dataclasses.replace(
            self,
            functions=tuple(
                dataclasses.replace(
                    function, tests=tuple(_redacted(test) for test in function.tests)
                )
                for function in self.functions
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the order of the schema; points as numbers, shares as passed/counted."""
        functions = []
        for function, plain in zip(
            self.functions, dataclasses.asdict(self)["functions"], strict=True
        ):
            functions.append(
                {
                    "name": function.name,
                    "points": function.points,
                    "bonus": function.bonus,
                    "earned": float(function.earned),
                    "passed": function.count_passed,
                    "counted": function.counted,
                    "enough": function.enough,
                    "cell": function.cell,
                    "notes": list(function.notes),
                    "tests": list(plain["tests"]),
                }
            )
        return {
            "version": VERSION,
            "chapter": self.chapter,
            "status": self.status.value,
            "passed": self.passed,
            "points": self.points,
            "earned": float(self.earned),
            "level": self.level,
            "message": self.message,
            "notes": list(self.notes),
            "problems": list(self.problems),
            "carried": list(self.carried),
            "submission_sha256": self.submission_sha256,
            "suite_sha256": self.suite_sha256,
            "seconds": self.seconds,
            "functions": functions,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n"


def _redacted(test: TestVerdict) -> TestVerdict:
    if test.fresh:
        return test
    kept = test.failure
    if kept is not None:
        wrong = kept.reason is Reason.WRONG
        kept = Failure(kept.reason, NOT_WANTED if wrong else kept.message, where=kept.where)
    # Between brackets pytest spells out a test's inputs.
    return dataclasses.replace(test, name=test.name.partition("[")[0], failure=kept)
