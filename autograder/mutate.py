"""Grading the tests that learners write: by right code, which they must accept, and by planted
bugs, which they should notice.

What a tester says is the learner's word, so no single "failed" is believed. A test counts only if
it accepts every correct implementation each time; correct ones come back, unannounced, among the
bugs; and two sandboxes, of two hash seeds, take turns. What fails by chance or by the clock rejects
right code sooner or later. What tells bugs by what they do is just what is wanted.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autograder.carry import Deps, needed
from autograder.contract import reference_module
from autograder.course import Chapter
from autograder.judged import Bug, Judged, Rejection
from autograder.memory import Memory
from autograder.mutants import Mutant
from autograder.owntests import OwnTests
from autograder.pitfalls import pitfalls
from autograder.planted import asked, planted, variant_module, variants
from autograder.sandbox import Level, Module, Outcome, SuiteRun, TestRun
from autograder.trials import BOXES, NO_TIME, TEST_SECONDS, WHOLE_FILE, Code, Trials, failures

__all__ = ["OWN", "Judging", "judge", "unjudged"]

BUG_SECONDS = 1.0  # a test on a bug, besides ten times what it took on right code
DECOYS = 3  # runs on right code among those on bugs
REFERENCE = "the reference"
OWN = "your own code"


@dataclass
class _Standing:
    """How the tests stand: which count so far, and why others do not."""

    tests: OwnTests
    counting: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()
    rejections: dict[str, Rejection] = field(default_factory=dict)
    flaky: dict[str, None] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    called: dict[str, tuple[str, ...]] = field(default_factory=dict)
    own: tuple[Rejection, ...] = ()

    def rejection(self, failure: TestRun, label: str) -> Rejection:
        message = f"{failure.kind}: {failure.message}" if failure.kind else failure.message
        if failure.kind == "NameError":
            message += "; tests are tried alone, so import it or define it beside them"
        return Rejection(failure.name, label, message, self.tests.where(failure.line))

    def hear(self, right: Sequence[tuple[Code, SuiteRun]]) -> None:
        """Take in runs on right code; the reference's come first, one from each sandbox."""
        failed = [(code, {each.name: each for each in failures(run)}) for code, run in right]
        twice = [failed[i][1] for i in range(BOXES)]
        self.unwritten = tuple(name for name, each in twice[0].items() if each.kind == "unwritten")
        for code, each in failed:
            for name, failure in each.items():
                if name in self.unwritten:
                    continue
                if code.label == REFERENCE and not all(name in other for other in twice):
                    self.flaky[name] = None
                else:
                    self.rejections.setdefault(name, self.rejection(failure, code.label))
        ran = [test for _, run in right for test in run.tests]
        for test in ran:
            self.seconds[test.name] = max(test.seconds, self.seconds.get(test.name, 0.0))
            self.called[test.name] = test.called
        skipped = {test.name for test in ran if test.outcome is Outcome.SKIPPED}
        out = {*self.rejections, *self.flaky, *self.unwritten, *skipped}
        names = dict.fromkeys(name for _, run in right for name in run.names)
        self.counting = tuple(name for name in names if name not in out)

    @property
    def flawed(self) -> bool:
        return bool(self.rejections or self.flaky)

    def hear_again(self, run: SuiteRun) -> None:
        """Take in one more run on right code, of the tests that count. If one fails now it fails by
        chance, and a file of many such tests would notice anything: nothing counts."""
        for failure in failures(run):
            self.flaky[failure.name] = None
            self.counting = ()

    def hear_own(self, run: SuiteRun) -> None:
        """Take in the run on the learner's own code, which decides nothing."""
        self.own = tuple(
            self.rejection(each, OWN) for each in failures(run)
            if each.name in (*self.counting, WHOLE_FILE)
        )


def _right(chapter: Chapter, below: tuple[Module, ...]) -> list[Code]:
    """The reference for each sandbox, then the correct variants."""
    modules = (*below, reference_module(chapter))
    others = [
        Code(f"a right implementation ({each.why})", (*below, variant_module(chapter, each)))
        for each in variants(chapter)
    ]
    return [*(Code(REFERENCE, modules, box=box) for box in range(BOXES)), *others]


class Judging:
    """One file of tests on its way through all implementations."""

    def __init__(self, chapter: Chapter, tests: OwnTests, trials: Trials) -> None:
        self.chapter, self.trials = chapter, trials
        self.below = needed(chapter, Deps.REFERENCE).modules
        self.right = _right(chapter, self.below)
        self.standing = _Standing(tests)
        self.kills: Counter[tuple[str, str]] = Counter()  # by the bug's function and the test

    def right_code(self, own: tuple[Module, ...]) -> None:
        """Find out which tests count, on all right code and the learner's own."""
        codes = [*self.right, *([Code(OWN, own, ours=False)] if own else [])]
        runs = list(self.trials.whole(codes))
        self.standing.hear(runs[: len(self.right)])
        if self.standing.flawed and self.standing.counting:
            again = self.decoys(len(self.right))
            for _, run in self.trials.run(again, self.order, self.bug_seconds):
                self.standing.hear_again(run)
        for _, run in runs[len(self.right) :]:
            self.standing.hear_own(run)

    def bugs(self) -> tuple[Bug, ...]:
        """Each planted bug with the test that notices it, right code mixed in among them."""
        chosen = asked(self.chapter)
        codes = [
            Code(each.name, (*self.below, planted(self.chapter, each)), each) for each in chosen
        ]
        if any(self.trials.recall(code, self.order(code)) is None for code in codes):
            codes += self.decoys(DECOYS)
            random.SystemRandom().shuffle(codes)
            codes += self.decoys(BOXES)  # last of each sandbox: "fails from now on" rejects it
        noticed: dict[Mutant, SuiteRun] = {}
        for code, run in self.trials.run(codes, self.order, self.bug_seconds):
            if code.mutant is None:
                self.standing.hear_again(run)
            elif name := self.killer(run):
                self.kills[code.mutant.function, name] += 1
                self.kills["", name] += 1
                noticed[code.mutant] = run
        counted = noticed if self.standing.counting else {}
        return tuple(
            self._noticed(bug, each, counted[each]) if each in counted else bug
            for bug, each in zip(_unnoticed(self.chapter), chosen, strict=True)
        )

    def decoys(self, count: int) -> list[Code]:
        """Right code to be run once more, whatever is remembered of it."""
        chosen = itertools.islice(itertools.cycle(self.right), count)
        return [replace(code, box=None, decoy=True) for code in chosen]

    def killer(self, run: SuiteRun) -> str:
        """The test that noticed something in ``run``, or nothing."""
        if run.problem == NO_TIME:
            return ""
        known = (*self.standing.counting, WHOLE_FILE)
        return next((each.name for each in failures(run) if each.name in known), "")

    def _noticed(self, bug: Bug, mutant: Mutant, run: SuiteRun) -> Bug:
        return replace(bug, name=mutant.name, why=mutant.why, killed_by=self.killer(run),
                       timed_out=run.timed_out)

    def order(self, code: Code) -> list[str]:
        """The tests that count: first those that call the function and noticed most bugs in it so
        far, then those that noticed most of all, then the quickest."""
        function, standing = code.mutant.function if code.mutant else "", self.standing
        return sorted(standing.counting, key=lambda name: (
            -self.kills[function, name], function not in standing.called.get(name, ()),
            -self.kills["", name], standing.seconds.get(name, 0.0),
        ))

    def bug_seconds(self, name: str) -> float:
        return BUG_SECONDS + 10 * self.standing.seconds.get(name, TEST_SECONDS)


def _unnoticed(chapter: Chapter) -> tuple[Bug, ...]:
    chosen, symptoms = asked(chapter), pitfalls(chapter)
    return tuple(
        Bug(number, each.function, bool(each.pitfall), symptoms.get(each.pitfall, ""))
        for number, each in enumerate(chosen, start=1)
    )


def unjudged(chapter: Chapter, problem: str) -> Judged:
    """Nothing could be judged, because of ``problem``.

    Raises:
        CourseError: the chapter's planted bugs are not installed here.
    """
    return Judged(bugs=_unnoticed(chapter), problem=problem)


def judge(
    chapter: Chapter,
    tests: OwnTests,
    own: tuple[Module, ...] = (),
    *,
    level: Level | None = None,
    memory: Memory | None = None,
) -> Judged:
    """What a learner's tests are worth.

    Args:
        chapter: whose planted bugs and variants are used.
        tests: the learner's.
        own: the modules of the learner's own code, on which failures are told and cost nothing.
        level: the isolation to use; the strongest that works where None.
        memory: earlier runs, for learners; without it everything runs, as marks demand.

    Raises:
        CourseError: the chapter's planted bugs are not installed here.
        GraderFault: a sandbox does not start.
    """
    unnoticed = _unnoticed(chapter)
    if not tests.text.strip():
        return Judged(bugs=unnoticed, notes=tests.notes)
    with Trials(chapter, tests, level, memory) as trials:
        judging = Judging(chapter, tests, trials)
        judging.right_code(own)
        standing = judging.standing
        bugs = judging.bugs() if standing.counting else unnoticed
    if memory is not None:
        memory.save()
    return Judged(
        standing.counting, bugs, tuple(standing.rejections.values()), tuple(standing.flaky),
        standing.own, standing.unwritten, tests.notes,
    )
