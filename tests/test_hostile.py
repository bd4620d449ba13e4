"""Every file in tests/hostile is a submission that attacks; each is run at every level. Its folder
``own_tests`` holds learners' tests that attack: see test_mutate.

A file's docstring says what it does and what must hold. ``ENDS`` says how ``attack(world)`` has to
end at each level: the name of the exception that arrives, the text returned, or the type of
another value. A level that is not in it does not stop the attack, which is then not run there.
``DO`` is what a test does with the value. After each attack nothing may have changed outside: no
process more, no file touched, nothing received; and the next worker answers.

An attack that succeeds must do the machine no harm: bombs are small, signals are 0, loops end.
"""

from __future__ import annotations

import ast
import contextlib
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.sandbox import Box, Cell, Level, Limits, Module, Proxy, Worker, available
from autograder.sandbox.inside.linux import PR_SET_CHILD_SUBREAPER, prctl

REPOSITORY = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "hostile"
ATTACKS = sorted(path.stem for path in FOLDER.glob("*.py"))

SMALL = {"scratch_bytes": 8 << 20, "memory_bytes": 1 << 29, "message_bytes": 1 << 20}
PATIENT = Limits(test_seconds=30.0, total_seconds=600.0, **SMALL)
# For attacks that never end: long enough to load, short enough to wait for.
BRIEF = Limits(test_seconds=0.5, total_seconds=600.0, **SMALL)

HONEST = Module("llmdata.honest", (Cell("cell 1", "def double(x):\n    return 2 * x\n"),))


def constants(source: str) -> dict[str, Any]:
    """A file's constants, read without running it."""
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("ENDS", "DO")
    }


@pytest.fixture(scope="module", autouse=True)
def stray_processes_come_here() -> Iterator[None]:
    """Whatever escapes from a sandbox becomes a child of this process, and is seen."""
    if sys.platform != "linux":
        pytest.skip("processes are counted in /proc")
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    prctl(PR_SET_CHILD_SUBREAPER, 0)


@pytest.fixture(scope="module")
def boxes() -> Iterator[Callable[[Level, Limits], Box]]:
    """One box for each level and pair of limits, so that attacks follow one another in it."""
    made: dict[tuple[Level, Limits], Box] = {}
    with contextlib.ExitStack() as stack:
        def box(level: Level, limits: Limits) -> Box:
            if (level, limits) not in made:
                made[level, limits] = stack.enter_context(Box([], level=level, limits=limits))
            return made[level, limits]

        yield box


class Surroundings:
    """What an attack can reach for: a file, sockets that listen, the grader's pid."""

    def __init__(self, folder: Path) -> None:
        self.files = folder / "files"
        self.files.mkdir()
        (self.files / "secret").write_text("the grader's")
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.unix.bind(str(folder / "socket"))
        self.sockets = (self.tcp, self.udp, self.unix)
        for sock in self.sockets:
            sock.setblocking(False)
        self.world = {
            "repository": str(REPOSITORY),
            "site-packages": str(Path(pytest.__file__).parent.parent),
            "files": str(self.files), "secret": str(self.files / "secret"),
            "tcp": self.tcp.getsockname()[1], "udp": self.udp.getsockname()[1],
            "unix": str(folder / "socket"), "grader": os.getpid(),
        }

    def state(self) -> dict[str, object]:
        """Everything that has to be the same afterwards."""
        files = {}
        for path in sorted(self.files.iterdir()):
            facts = path.stat()
            attributes = os.listxattr(path) if hasattr(os, "listxattr") else []
            owner, changed = facts.st_uid, facts.st_mtime_ns
            files[path.name] = (path.read_bytes(), facts.st_mode, owner, changed, attributes)
        return {"files": files, "received": [self.received(sock) for sock in self.sockets]}

    def received(self, sock: socket.socket) -> bool:
        try:
            sock.accept() if sock is self.tcp else sock.recv(1)
        except BlockingIOError:
            return False
        return True


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Surroundings]:
    monkeypatch.setenv("OL_TEST_SECRET", "the grader's")
    made = Surroundings(tmp_path)
    yield made
    for sock in made.sockets:
        sock.close()


def descendants(pid: int) -> int:
    """How many processes live below ``pid``, all the way down; the dead are not counted."""
    try:
        alive = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return alive + sum(descendants(int(child)) for child in children)


def settled(count: Callable[[], int], wanted: int) -> int:
    """The count, as soon as it is what is wanted: namespaces take a moment to go."""
    deadline = time.monotonic() + 10
    while count() != wanted and time.monotonic() < deadline:
        time.sleep(0.01)
    return count()


def use(result: Any, how: str, attack: Proxy, worker: Worker) -> object:
    """Do what a test would do with a value; a value that means nothing good never passes."""
    match how:
        case "list":
            return list(result)
        case "compare":
            assert not result == 7
        case "compare items":
            assert not result == [1, 2, 3]
        case "compare arrays":
            np.testing.assert_array_equal(result, np.ones(3))
        case "call again":
            return attack({})
        case "repeat":
            return worker.repeat(attack, 10, {})
    return result


def outcome(box: Box, module: Module, world: dict[str, Any], how: str) -> tuple[str, str]:
    """The name of how it ended, and the message if it was an exception."""
    try:
        with box.worker([module]) as worker:
            attack = worker.get(module.name, "attack")
            result = use(attack(world), how, attack, worker)
    except BaseException as error:
        if isinstance(error, AssertionError | pytest.fail.Exception):
            raise
        return type(error).__name__, str(error)
    return result if type(result) is str else type(result).__name__, ""


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", ATTACKS)
def test_attack_ends_as_it_must(
    name: str, level: Level, boxes: Callable[[Level, Limits], Box], surroundings: Surroundings
) -> None:
    """An attack changes nothing but its own mark, and the next worker is none the worse."""
    source = (FOLDER / f"{name}.py").read_text()
    found = constants(source)
    if level not in available():
        pytest.skip(f"level {level} does not work on this machine")
    if level not in found["ENDS"]:
        pytest.skip(f"level {level} does not stop this: it has limits only")
    ends = found["ENDS"][level].split(" or ")
    box = boxes(level, BRIEF if "TimedOut" in ends else PATIENT)
    with box.worker([HONEST]):
        pass
    host, state, processes = box._host, surroundings.state(), descendants(os.getpid())

    module = Module("llmdata.attack", (Cell(f"cell 1 ({name})", source),))
    end, message = outcome(box, module, surroundings.world, found.get("DO", ""))

    assert end in ends, message
    assert len(message) < 3_000
    assert all(character.isprintable() or character == "\n" for character in message)
    assert surroundings.state() == state
    with box.worker([HONEST]) as worker:
        assert worker.get("llmdata.honest", "double")(21) == 42
    assert box._host is host, "the sandbox did not survive"
    assert settled(lambda: descendants(os.getpid()), processes) == processes


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_file_says_what_it_does(name: str) -> None:
    """A submission here says what it tries and what must hold, and how it ends at A and B."""
    source = (FOLDER / f"{name}.py").read_text()
    assert "Must hold" in (ast.get_docstring(ast.parse(source)) or "")
    assert {"A", "B"} <= set(constants(source)["ENDS"]) <= {"A", "B", "C"}
