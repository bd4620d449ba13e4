"""A learner's tests where nothing is written yet: each should fail there.

What they are worth on right code and on planted bugs is ``mutate``'s.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograder.carry import Deps, needed
from autograder.contract import load
from autograder.course import Chapter
from autograder.export import select
from autograder.owntests import OwnTests
from autograder.reading import read
from autograder.sandbox import Level, Outcome
from autograder.trials import Code, failures, run_on

__all__ = ["OnStubs", "run_on_stubs"]


@dataclass(frozen=True)
class OnStubs:
    """Tests where nothing is written yet: those that fail, as they should, and those that pass."""

    passed: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def all_red(self) -> bool:
        return bool(self.failed) and not self.passed

    @property
    def sentence(self) -> str:
        if not self.passed and not self.failed:
            return "no tests written yet"
        all_tests = len(self.passed) + len(self.failed)
        return f"{len(self.failed)} of {all_tests} tests fail while nothing is written"


def run_on_stubs(chapter: Chapter, tests: OwnTests, *, level: Level | None = None) -> OnStubs:
    """Which tests are red: each should fail where nothing is written yet.

    Raises:
        CourseError: a needed chapter is missing, and so is its reference.
        GraderFault: a sandbox does not start.
    """
    contract = load(chapter)
    stub = select(read(chapter.release, contract), contract).module
    below = needed(chapter, Deps.EITHER).modules
    run = run_on(chapter, tests, Code("the stub", (*below, stub)), level=level)
    passed = [test.name for test in run.tests if test.outcome is Outcome.PASSED]
    failed = [each.name for each in failures(run) if each.kind != "unwritten"]
    return OnStubs(tuple(passed), tuple(failed))
