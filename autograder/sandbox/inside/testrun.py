"""Running the tests of one module in an open pytest session, and saying how each came out.

What it says is the learner's word, since the learner's code runs in the same process. Which module
and which tests is ``owntests``' work.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

__all__ = ["FILE", "MAX_TESTS", "MAX_TEXT", "Run", "told"]

FILE = "own_tests.py"
MAX_TEXT = 2_000
MAX_TESTS = 500
_MAX_NAME = 200
_MAX_CALLED = 50


def told(error: BaseException) -> tuple[str, str, int]:
    """An exception's class and message, and the innermost line of the learner's file."""
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename == FILE:
        line = error.lineno or 0
    return type(error).__name__, str(error)[:MAX_TEXT], line


def _raised_in_test(error: BaseException) -> bool:
    """Whether the learner's own file raised it, and no code under test."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step is not None and step.tb_frame.f_code.co_filename == FILE


def _function(name: str) -> str:
    """The function or class at the top of the file that a test's name belongs to."""
    return name.partition("::")[0].partition("[")[0]


class Run:
    """pytest's hooks for one module's tests; ``tell`` takes what there is to say."""

    def __init__(self, session: pytest.Session, tell: Callable[[object], None]) -> None:
        self._session, self.tell = session, tell
        self._functions: frozenset[str] | None = None  # those to collect; all where None
        self._outcome = "passed"
        self._said: tuple[str, str, int] = "", "", 0
        self._seconds = 0.0
        self.called: set[str] = set()  # what a test has called; the caller shares it

    @staticmethod
    def name(item: pytest.Item) -> str:
        """A test's name in the file, its class's with it."""
        _session, _module, *nodes = item.listchain()
        return "::".join(node.name for node in nodes)[:_MAX_NAME]

    def items(
        self, module: types.ModuleType, path: Path, wanted: Sequence[str] | None = None
    ) -> list[pytest.Item]:
        """The module's tests: those wanted, in that order, or all."""
        self._functions = None if wanted is None else frozenset(map(_function, wanted))
        node: pytest.Module = pytest.Module.from_parent(self._session, path=path)
        node.obj = module
        found = {self.name(item): item for item in self._session.genitems(node)}
        if wanted is None:
            return list(found.values())[:MAX_TESTS]
        return [found[name] for name in wanted if name in found]

    def run(self, items: Iterable[pytest.Item], *, stop: bool) -> bool:
        """Run tests, with ``stop`` up to the first that fails; whether one did."""
        for item, following in itertools.pairwise([*items, None]):
            assert item is not None
            self._outcome, self._said, self._seconds = "passed", ("", "", 0), 0.0
            self.called.clear()
            self.tell(("began", self.name(item)))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            called = sorted(self.called)[:_MAX_CALLED]
            self.tell(("ended", self.name(item), self._outcome, *self._said, self._seconds, called))
            if stop and self._outcome == "failed":
                return True
        return False

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, name: str) -> list[pytest.Item] | None:
        """Leaves out what is not wanted; None leaves the decision to pytest."""
        return None if self._functions is None or name in self._functions else []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            reason = (str(report.longrepr).strip().splitlines() or [""])[-1]
            self.tell(("broken", "pytest cannot collect it", reason[:MAX_TEXT], 0))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """pytest's own would print the traceback, which takes longer than most tests."""
        outcome, error = "passed", call.excinfo.value if call.excinfo else None
        if error is not None:
            outcome = "skipped" if isinstance(error, pytest.skip.Exception) else "failed"
            self._said = told(error)
            if isinstance(error, NotImplementedError) and _raised_in_test(error):
                self._said = ("unwritten", *self._said[1:])
        return pytest.TestReport(
            item.nodeid, item.location, {}, outcome, "",  # type: ignore[arg-type]  # a word of three
            call.when, (), call.duration,  # type: ignore[arg-type]  # nothing is collected here
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds += report.duration
        if report.outcome != "passed" and self._outcome != "failed":
            self._outcome = report.outcome
