"""The one pytest plug-in that grades: its reports are verdicts.

It collects nothing itself and compares nothing itself; pytest does both. Assertions fail as
``Mismatch``, which carries both sides as data, so pytest never prints or diffs values that a
learner chose. What tests are given is ``fixtures``'s.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from autograder import show, suites
from autograder.classify import Mismatch, failure_of, is_fault
from autograder.fixtures import Fixtures
from autograder.sandbox import GraderFault, TimedOut
from autograder.subject import Given, Subject
from autograder.verdict import Failure, Outcome, TestVerdict

__all__ = ["Grading", "Job", "Jobs", "Order", "Ran"]

# Of one function: its other tests then count as timed out, and other functions get their turn.
MOST_TIMEOUTS = 2

Order = Callable[[str], int]  # what tests are sorted by, of a name without parameters


@dataclass(frozen=True)
class Ran:
    """One test that ran: whose points it decides, what came of it, the exception for a debugger
    (None unless it failed), and the start of what was printed in this process meanwhile."""

    function: str
    test: TestVerdict
    error: BaseException | None = None
    printed: str = ""


@dataclass(frozen=True)
class Job:
    """What to run the tests on, and which: those of the function ``only``, or all. Where there is
    an ``order`` they run in it, and the first that fails is the last."""

    subject: Subject
    only: str | None = None
    order: Order | None = None


Jobs = Generator[Job, tuple[Ran, ...], None]  # each is told what came of its job before the next


@dataclass
class Grading:
    """pytest's hooks for one session: a chapter's hidden tests, collected once, job after job."""

    jobs: Jobs
    fixtures: Fixtures
    only: str | None = None  # the one function whose tests are collected
    ran: list[Ran] = field(default_factory=list)
    collected: bool = False
    interrupted: bool = False
    error: BaseException | None = None
    timeouts: Counter[str] = field(default_factory=Counter)
    _failed: dict[str, tuple[TestVerdict, BaseException | None]] = field(default_factory=dict)

    def pytest_configure(self, config: pytest.Config) -> None:
        """Nobody reads pytest's own account of a failure, and this style costs least."""
        config.option.tbstyle = "native"

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(
        self, collector: pytest.Collector, name: str, obj: object
    ) -> list[pytest.Item] | None:
        """Leaves out the tests of other functions; None leaves the decision to pytest."""
        marks = [mark for mark in getattr(obj, "pytestmark", []) if mark.name == "checks"]
        others = self.only is not None and any(mark.args[0] != self.only for mark in marks)
        return [] if others else None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.collected = True
        for item in items[:1]:
            suites.keep(item.path, item.module)  # type: ignore[attr-defined]  # every item is a function

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Runs the jobs; what leaves them is kept, since pytest would make a report of it."""
        if session.testsfailed:
            raise session.Interrupted("the file cannot be imported")
        try:
            job = next(self.jobs)
            while True:
                self._run(job, session.items)
                job = self.jobs.send(tuple(self.ran))
        except StopIteration:
            pass
        except pytest.UsageError:
            raise
        except (Exception, GraderFault) as error:
            self.error = error
        return True

    def _run(self, job: Job, items: list[pytest.Item]) -> None:
        self.fixtures.subject = job.subject
        self.ran.clear()
        self.timeouts.clear()
        chosen = [item for item in items if job.only in (None, _declared(item).args[0])]
        if (order := job.order) is not None:
            chosen.sort(key=lambda item: order(item.name.partition("[")[0]))
        for item, following in itertools.pairwise([*chosen, None]):
            assert item is not None
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if job.order and self.ran[-1].test.outcome is Outcome.FAILED:
                break

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        raise Mismatch(op, left, right)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Called for an error of collection too, which is a class of its own."""
        self.interrupted = type(excinfo.value) is KeyboardInterrupt

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.timeouts[_declared(item).args[0]] >= MOST_TIMEOUTS:
            raise TimedOut(f"not run, since {MOST_TIMEOUTS} tests before it took too long")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Iterator[None]:
        """pytest tidies up only after fixtures that raise an Exception, and asserts in the next
        test that it has; stops and faults are no Exceptions, so they are noted here."""
        try:
            return (yield)
        except BaseException as error:
            key = getattr(request, "param", None)
            fixturedef.cached_result = (None, key, (error, error.__traceback__))
            raise

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Hypothesis calls a test once an example; a failure must show the calls of the last."""
        handle = getattr(item.obj, "hypothesis", None)  # type: ignore[attr-defined]  # every item is a function
        if handle is None:
            return (yield)
        whole = handle.inner_test
        handle.inner_test = _restarting(whole, item.funcargs["given"])  # type: ignore[attr-defined]
        try:
            return (yield)
        finally:
            handle.inner_test = whole

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        report = yield
        if call.excinfo is not None and item.nodeid not in self._failed:
            self._failed[item.nodeid] = _judge(item, call.excinfo)
            self.timeouts[_declared(item).args[0]] += isinstance(call.excinfo.value, TimedOut)
        if call.when == "teardown":
            test, error = self._failed.pop(item.nodeid, (_verdict(item, Outcome.PASSED), None))
            given = item.funcargs.get("given")  # type: ignore[attr-defined]  # every item is a function
            printed = show.clean(str(given.printed).strip()) if given else ""
            self.ran.append(Ran(_declared(item).args[0], test, error, printed))
        return report


def _declared(item: pytest.Item) -> pytest.Mark:
    mark = item.get_closest_marker("checks")
    if mark is None:
        raise pytest.UsageError(f"{item.nodeid} lacks @checks(...): say whose points it decides")
    return mark


def _verdict(
    item: pytest.Item, outcome: Outcome, failure: Failure | None = None, note: str = ""
) -> TestVerdict:
    kind = _declared(item).kwargs["kind"]
    rule = " ".join((item.function.__doc__ or "").split())  # type: ignore[attr-defined]  # every item is a function
    return TestVerdict(item.name, kind, rule, outcome, kind == "property", failure, note)


def _judge(
    item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]
) -> tuple[TestVerdict, BaseException | None]:
    error = excinfo.value
    if isinstance(error, pytest.skip.Exception):
        return _verdict(item, Outcome.SKIPPED, note=str(error)), None
    if is_fault(error):
        return _verdict(item, Outcome.FAULT, note=f"{type(error).__name__}: {error}"), error
    given = item.funcargs.get("given")  # type: ignore[attr-defined]  # every item is a function
    failure = failure_of(error, str(given.trace) if given else "")
    return _verdict(item, Outcome.FAILED, failure), error


def _restarting(test: Callable[..., None], given: Given) -> Callable[..., None]:
    @functools.wraps(test)
    def example(*args: Any, **kwargs: Any) -> None:
        given.restart()
        test(*args, **kwargs)

    return example
