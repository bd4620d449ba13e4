"""What came of grading a learner's tests: frozen records, and the rules that make points of them.

Running is ``mutate``'s work, showing is ``cards``' and ``report``'s. A bug that lives is known by
its symptom at most: name and explanation are for bugs that a test has noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from autograder.contract import OWN_TESTS, OwnTests
from autograder.verdict import Failure, FunctionVerdict, Outcome, Reason, TestVerdict

__all__ = ["ENOUGH", "Bug", "Judged", "Rejection", "function_of"]

ENOUGH = Fraction(4, 5)  # of the bugs, besides every pitfall


@dataclass(frozen=True)
class Rejection:
    """A test that failed where it should not: on ``code``, such as "the reference"."""

    test: str
    code: str
    message: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.test} rejects {self.code}: {self.message or 'it fails'}"


@dataclass(frozen=True)
class Bug:
    """One planted bug and the test that noticed it ("" while it lives).

    ``name`` and ``why`` are empty while it lives; ``symptom`` is what one would see of a pitfall.
    """

    number: int
    function: str
    pitfall: bool
    symptom: str = ""
    name: str = ""
    why: str = ""
    killed_by: str = ""
    timed_out: bool = False


@dataclass(frozen=True)
class Judged:
    """A learner's tests and what they notice.

    ``tests`` are those that count; ``rejections`` and ``flaky`` say of others why they do not.
    ``own`` are tests that fail on the learner's own code, which may be the code's fault. Where
    ``problem`` is not empty, there was nothing to judge.
    """

    tests: tuple[str, ...] = ()
    bugs: tuple[Bug, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    flaky: tuple[str, ...] = ()
    own: tuple[Rejection, ...] = ()
    unwritten: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""

    @property
    def killed(self) -> int:
        return sum(bool(bug.killed_by) for bug in self.bugs)

    @property
    def share(self) -> Fraction:
        return Fraction(self.killed, len(self.bugs) or 1)

    @property
    def alive_pitfalls(self) -> tuple[Bug, ...]:
        return tuple(bug for bug in self.bugs if bug.pitfall and not bug.killed_by)

    @property
    def accepting(self) -> bool:
        """Whether every correct implementation was accepted in every run."""
        return bool(self.tests) and not (self.rejections or self.flaky or self.problem)

    @property
    def passed(self) -> bool:
        return self.accepting and self.share >= ENOUGH and not self.alive_pitfalls

    @property
    def state(self) -> str:
        """In a few words, how the tests stand."""
        if self.problem:
            return self.problem
        if self.rejections or self.flaky:
            return "some tests fail on right code"
        if not self.tests:
            return "no tests written yet"
        return "passed" if self.passed else "not enough bugs noticed yet"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for ``--json``."""
        return {
            "passed": self.passed, "killed": self.killed, "bugs": len(self.bugs),
            "state": self.state, "tests": list(self.tests), "unwritten": list(self.unwritten),
            "rejections": [vars(each) for each in self.rejections], "flaky": list(self.flaky),
            "own": [vars(each) for each in self.own], "notes": list(self.notes),
            "problem": self.problem, "table": [vars(bug) for bug in self.bugs],
        }


def _failure(judged: Judged, bug: Bug) -> Failure:
    """Why a bug earns nothing."""
    if judged.problem:
        return Failure(Reason.MISSING, judged.problem)
    if judged.rejections:
        first = judged.rejections[0]
        return Failure(Reason.REJECTS, str(first), where=first.where)
    if judged.flaky:
        return Failure(Reason.REJECTS, f"{judged.flaky[0]} does not always say the same")
    if not judged.tests:
        return Failure(Reason.UNWRITTEN, "no tests written yet")
    return Failure(Reason.ALIVE, f"{len(judged.bugs) - judged.killed} of {len(judged.bugs)} bugs "
                                 "are not noticed by any of your tests")


def _bugs(judged: Judged) -> Iterator[TestVerdict]:
    for bug in judged.bugs:
        name = bug.name or f"bug_{bug.number}"
        rule = bug.why or bug.symptom or "a planted bug should be noticed"
        if bug.killed_by:
            yield TestVerdict(name, "bug", rule, Outcome.PASSED, True, note=bug.killed_by)
        else:
            yield TestVerdict(name, "bug", rule, Outcome.FAILED, True, _failure(judged, bug))


def function_of(judged: Judged, own: OwnTests) -> FunctionVerdict:
    """The same as one graded part of a verdict, a bug for a test."""
    return FunctionVerdict(
        OWN_TESTS, own.points, tuple(_bugs(judged)), own.cell, judged.notes, enough=judged.passed
    )
