"""A learner's tests, run on one implementation after another in two sandboxes.

Which implementations there are, and in what order, is the caller's choice; what their runs mean is
``mutate``'s.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from autograder.carry import chapters_below
from autograder.characters import characters
from autograder.contract import load
from autograder.course import Chapter
from autograder.memory import Memory, digest, machinery
from autograder.mutants import Mutant
from autograder.owntests import OwnTests
from autograder.sandbox import Box, Level, Limits, Module, Outcome, SuiteRun, TestRun

__all__ = ["BOXES", "NO_TIME", "TEST_SECONDS", "WHOLE_FILE", "Code", "Trials", "failures", "run_on"]

BOXES = 2  # of a hash seed each
TEST_SECONDS = 10.0  # one test, where nothing is known of it
SUITE_SECONDS = 20.0  # all tests together, on one implementation
ALL_SECONDS = 480.0  # on all implementations together
LIMITS = Limits(test_seconds=2 * SUITE_SECONDS, total_seconds=3600.0)
WHOLE_FILE = "the file as it is imported"
NO_TIME = "all your tests together take too long"

Order = Callable[["Code"], Sequence[str] | None]
Seconds = Callable[[str], float]


@dataclass(frozen=True)
class Code:
    """One implementation: what messages call it, and its modules, the one under test last.

    ``mutant`` is the bug that is planted in it, ``box`` the sandbox it has to run in. It is
    ``ours`` unless a learner wrote it. A ``decoy`` is right code again: it runs each time,
    whatever is remembered and however long the rest took.
    """

    label: str
    modules: tuple[Module, ...]
    mutant: Mutant | None = None
    box: int | None = None
    ours: bool = True
    decoy: bool = False


class Trials:
    """Runs of one file of tests; a context manager, for one thread.

    Where there is a ``memory``, what it knows is not run again.
    """

    def __init__(
        self, chapter: Chapter, tests: OwnTests, level: Level | None, memory: Memory | None = None
    ) -> None:
        self._suite = tests.suite(load(chapter), [load(each) for each in chapters_below(chapter)])
        self._memory = memory
        self._suite_key = digest(machinery(), chapter.packages, self._suite)
        self._boxes = [
            Box([], packages=chapter.packages, limits=LIMITS, level=level, testing=characters())
            for _ in range(BOXES)
        ]
        self._locks = [threading.Lock() for _ in self._boxes]
        # While one pair of processes runs tests, the other is made ready: two pairs at once, with
        # answers going to and fro in each, would wait for each other most of the time.
        self._turn = threading.Lock()
        self._stack = ExitStack()

    def __enter__(self) -> Trials:
        for box in self._boxes:
            self._stack.enter_context(box)
        self._pool = self._stack.enter_context(ThreadPoolExecutor(BOXES))
        self._end = time.monotonic() + ALL_SECONDS
        if self._memory is None or not self._memory.anything:
            self._start()  # they get ready while implementations are made
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def run(
        self, codes: Sequence[Code], order: Order, seconds: Seconds
    ) -> Iterator[tuple[Code, SuiteRun]]:
        """Run the tests on each code; neighbours run in different sandboxes.

        Args:
            codes: the implementations.
            order: asked when a code's run begins: the tests to run until one fails, or None for
                all.
            seconds: how long a test of a name may take.

        Raises:
            GraderFault: a sandbox does not start.
        """
        known = [self.recall(code, order(code)) for code in codes]
        if None in known:
            self._start()
        runs = [
            self._pool.submit(self._run, place, code, order, seconds) if run is None else run
            for place, (code, run) in enumerate(zip(codes, known, strict=True))
        ]
        for code, run in zip(codes, runs, strict=True):
            yield code, run if isinstance(run, SuiteRun) else run.result()

    def whole(self, codes: Sequence[Code]) -> Iterator[tuple[Code, SuiteRun]]:
        """All tests on each implementation; as ``run``."""
        return self.run(codes, lambda code: None, lambda name: TEST_SECONDS)

    def _start(self) -> None:
        """Start the sandboxes, in the thread that this is for: they end with the one that did."""
        for box in self._boxes:
            box.start()

    def recall(self, code: Code, order: Sequence[str] | None) -> SuiteRun | None:
        """What is remembered of such a run."""
        if self._memory is None or code.decoy:
            return None
        return self._memory.get(self._key(code, order))

    def _key(self, code: Code, order: Sequence[str] | None) -> str:
        tests = None if order is None else sorted(order)
        return digest(self._suite_key, code.modules, code.box, tests)

    def _run(self, place: int, code: Code, order: Order, seconds: Seconds) -> SuiteRun:
        if time.monotonic() > self._end and not code.decoy:
            return SuiteRun((), (), NO_TIME)
        wanted = order(code)
        box = place % BOXES if code.box is None else code.box
        with self._locks[box], self._boxes[box].tester(code.modules, ours=code.ours) as tester:
            tester.prepare(self._suite, None if wanted is None else tuple(wanted), seconds(""))
            with self._turn:
                end = time.monotonic() + SUITE_SECONDS
                run = tester.run(lambda name: min(seconds(name), max(end - time.monotonic(), 0.01)))
        if self._memory is not None and not code.decoy:
            self._memory.put(self._key(code, wanted), run)
        return run


def failures(run: SuiteRun) -> Iterator[TestRun]:
    """The tests that failed, the one during which a run came to an untimely end among them."""
    yield from (test for test in run.tests if test.outcome is Outcome.FAILED)
    if run.problem:
        name = run.during or WHOLE_FILE
        yield TestRun(name, Outcome.FAILED, "", run.problem, run.line, 0.0)


def run_on(
    chapter: Chapter, tests: OwnTests, code: Code, *, level: Level | None = None
) -> SuiteRun:
    """All tests on one implementation; nothing where there are none.

    Raises:
        GraderFault: a sandbox does not start.
    """
    if not tests.text.strip():
        return SuiteRun((), ())
    with Trials(chapter, tests, level) as trials:
        ((_, run),) = trials.whole([code])
    return run
