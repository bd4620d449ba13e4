"""A tester: runs a learner's tests under pytest, in a process of their own.

The zygote opens a pytest session and holds it; a tester is forked from there, loads one file and
runs it. What it says is the learner's word: ``autograder.mutate`` draws the conclusions, and takes
care that lying does not pay.
"""

from __future__ import annotations

import ast
import contextlib
import marshal
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from _pytest.assertion.rewrite import rewrite_asserts
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.extra import pytestplugin

from . import lockdown, serve, standin
from .channel import Channel, Closed
from .quick import arguments
from .testrun import FILE, Run, told
from .zygote import Tester

__all__ = ["hold_session"]

_EXAMPLES = 100  # as Hypothesis has it, so that tests are worth here what they are elsewhere
_PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
_LIKELY = 4  # tests collected at first; on most bugs one of them fails
_REHEARSALS = 3  # of each step, so that Python has its fast form of all that is called
_REHEARSED = """
import pytest
from hypothesis import given, settings, strategies as st

@pytest.fixture
def number():
    return 3

@pytest.mark.parametrize("other", [3, 4])
def test_a(number, other):
    with pytest.raises(ValueError, match="no"):
        raise ValueError("no")
    assert number == other

@settings(max_examples=2)
@given(st.integers(), st.text(), st.lists(st.floats(0, 1)))
def test_b(n, text, numbers):
    assert n == n
"""


def hold_session(scratch: str, serve_workers: Callable[[], Tester | None]) -> None:
    """Open a pytest session and call ``serve_workers`` in it; where that returns a tester, this is
    its process, and the session goes on with its tests."""
    here = Path(scratch, "session")  # beside the testers' folders: pytest must not look above them
    here.mkdir()
    os.chdir(here)
    set_hypothesis_home_dir(Path(__file__).parents[1] / lockdown.HYPOTHESIS_HOME)
    for name, phases in (("quick", _PHASES), ("told", (*_PHASES, hypothesis.Phase.shrink))):
        hypothesis.settings.register_profile(
            name, derandomize=True, database=None, deadline=None, print_blob=False, phases=phases,
            max_examples=_EXAMPLES, suppress_health_check=list(hypothesis.HealthCheck),
        )
    code = pytest.main(
        [f"--rootdir={here}", f"--confcutdir={here}", "--noconftest", *arguments(os.devnull)],
        plugins=[_Held(serve_workers), pytestplugin],
    )
    print(f"pytest held no session: {code!r}", file=sys.stderr)


class _Held:
    """The hook in which a session waits."""

    def __init__(self, serve_workers: Callable[[], Tester | None]) -> None:
        self._serve_workers = serve_workers

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Called once the session is open; never returns."""
        said: list[object] = []
        run = Run(session, said.append)
        session.config.pluginmanager.register(run)
        _rehearse(run, session.config)
        tester = self._serve_workers()
        if tester is not None:
            _run_tests(run, tester, session.config)
        os._exit(0)


def _rehearse(run: Run, config: pytest.Config) -> None:
    """Have everything done once that is done slowly the first time, before processes are forked."""
    hypothesis.settings.load_profile("quick")
    for _ in range(_REHEARSALS):
        path, module = Path("rehearsal.py").absolute(), types.ModuleType("rehearsal")
        code = _compiled(_REHEARSED, b"", path, config, explaining=False)
        exec(code, vars(module))
        run.run(run.items(module, path), stop=False)


def _run_tests(run: Run, tester: Tester, config: pytest.Config) -> None:
    """Load the learner's file, run its tests, and tell the grader."""
    server = serve.begin(tester.channel, tester.settings, tester.scratch)
    run.tell = tell = server.send
    path = Path(tester.scratch, FILE)
    with contextlib.suppress(Closed):
        try:
            module, order, run.called = _load(server, tester, path, config)
            items = run.items(module, path, order[:_LIKELY] if order is not None else None)
            tell(("collected", [run.name(item) for item in items]))
            tell(("ready",))
            server.receive()  # it is our turn
            if not run.run(items, stop=order is not None) and order is not None:
                run.run(run.items(module, path, order[_LIKELY:]), stop=True)
            tell(("done",))
        except Exception as error:
            tell(("broken", *told(error)))


def _load(
    server: serve.Server, tester: Tester, path: Path, config: pytest.Config
) -> tuple[types.ModuleType, list[str] | None, set[str]]:
    """The learner's module, run; the tests that are wanted of it (all where None); and where the
    names of what they call will be."""
    text, bytecode, modules, main, given, names, order = server.receive()
    hypothesis.settings.load_profile("told" if order is None else "quick")
    path.write_text(text, encoding="utf-8")
    module = types.ModuleType(path.stem)
    limit = tester.settings.message_bytes
    try:
        code = _compiled(text, bytecode, path, config, explaining=order is None)
        server.send(("compiled", marshal.dumps(code)))
        peer = standin.Peer(Channel(tester.code, limit), limit)
        chapter = standin.install(peer, modules, main, given)
        vars(module).update(__file__=str(path))
        for name in names:
            with contextlib.suppress(AttributeError):  # as in a notebook that lacks the function
                vars(module)[name] = getattr(chapter, name)
        exec(code, vars(module))
    except BaseException as error:
        server.send(("broken", *told(error)))
        os._exit(0)
    return module, order, peer.called


def _compiled(
    text: str, bytecode: bytes, path: Path, config: pytest.Config, *, explaining: bool
) -> types.CodeType:
    """The file's code, perhaps with assertions that explain themselves, which takes time."""
    if bytecode:
        code: types.CodeType = marshal.loads(bytecode)
        return code
    tree = ast.parse(text, FILE)
    if explaining:
        rewrite_asserts(tree, text.encode(), str(path), config)
    return compile(tree, FILE, "exec", dont_inherit=True)


