"""Tries attacks of tests/hostile on the sandbox, one after the other; ``test_hostile`` judges.

It is a program, so that the grader can be another user than who runs the tests: it reads a line
with an attack's name and a level, and writes what came of it as a line of JSON. It decides nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograder.sandbox import Box, Cell, Level, Limits, Module, Proxy, Worker, available
from autograder.sandbox.inside.linux import PR_SET_CHILD_SUBREAPER, prctl
from tests.attacks import REPOSITORY, Attack, find

SMALL = {"scratch_bytes": 8 << 20, "memory_bytes": 1 << 29, "message_bytes": 1 << 20}
PATIENT = Limits(test_seconds=30.0, total_seconds=600.0, **SMALL)
# For attacks that never end: long enough to load, short enough to wait for.
BRIEF = Limits(test_seconds=0.5, total_seconds=600.0, **SMALL)

HONEST = Module("llmdata.honest", (Cell("cell 1", "def double(x):\n    return 2 * x\n"),))

LIBC = ctypes.CDLL(None)
IPC_RMID, IPC_PRIVATE = 0, 0


class Surroundings:
    """What an attack can reach for: a file, sockets that listen, a queue, the grader's pid."""

    def __init__(self, folder: Path) -> None:
        self.files = folder / "files"
        self.files.mkdir()
        (self.files / "secret").write_text("the grader's own")
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.unix.bind(str(folder / "socket"))
        self.sockets = (self.tcp, self.udp, self.unix)
        for sock in self.sockets:
            sock.setblocking(False)
        self.queue = LIBC.msgget(IPC_PRIVATE, 0o600)
        self.world = {
            "repository": str(REPOSITORY),
            "site-packages": str(Path(np.__file__).parent.parent),
            "files": str(self.files), "secret": str(self.files / "secret"),
            "tcp": self.tcp.getsockname()[1], "udp": self.udp.getsockname()[1],
            "unix": str(folder / "socket"), "grader": os.getpid(), "queue": self.queue,
        }

    def state(self) -> dict[str, object]:
        """Everything that has to be the same afterwards."""
        files = {}
        for path in sorted(self.files.iterdir()):
            facts = path.stat()
            owner, changed = facts.st_uid, facts.st_mtime_ns
            files[path.name] = (
                path.read_bytes(), facts.st_mode, owner, changed, os.listxattr(path))
        return {
            "files": files, "received": [self.received(sock) for sock in self.sockets],
            "queue": self.messages(), "environment": dict(os.environ),
            "descriptors": len(os.listdir("/proc/self/fd")),
        }

    def received(self, sock: socket.socket) -> bool:
        try:
            sock.accept() if sock is self.tcp else sock.recv(1)
        except BlockingIOError:
            return False
        return True

    def messages(self) -> str:
        """The kernel's line on the queue: its owner, messages, bytes; "" where it is gone."""
        lines = Path("/proc/sysvipc/msg").read_text().splitlines()
        return next((line for line in lines if line.split()[1] == str(self.queue)), "")

    def close(self) -> None:
        LIBC.msgctl(self.queue, IPC_RMID, None)
        for sock in self.sockets:
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


def outcome(box: Box, attack: Attack, world: dict[str, Any]) -> tuple[str, str]:
    """The name of how it ended, and the message if it was an exception."""
    module = Module("llmdata.attack", (Cell(f"cell 1 ({attack.name})", attack.source),))
    try:
        with box.worker([module]) as worker:
            function = worker.get(module.name, "attack")
            result = use(function(world), attack.do, function, worker)
    except BaseException as error:
        return type(error).__name__, str(error)
    return result if type(result) is str else type(result).__name__, ""


def tried(attack: Attack, level: Level, box: Box, folder: Path) -> dict[str, object]:
    """How an attack ended, and what is different from before it."""
    surroundings = Surroundings(folder)
    with contextlib.closing(surroundings):
        with box.worker([HONEST]):
            pass
        host, state, processes = box._host, surroundings.state(), descendants(os.getpid())
        end, message = outcome(box, attack, surroundings.world)
        changed = [name for name, now in surroundings.state().items() if now != state[name]]
    with box.worker([HONEST]) as worker:
        answer = worker.get("llmdata.honest", "double")(21)
    left = settled(lambda: descendants(os.getpid()), processes) - processes
    return {
        "end": end, "message": message, "changed": changed, "answer": answer, "left": left,
        "survived": box._host is host, "runs as": getattr(box._host, "runs_as", ""),
    }


@contextlib.contextmanager
def boxes() -> Iterator[Callable[[Level, Limits], Box]]:
    """One box for each level and pair of limits, so that attacks follow one another in it."""
    made: dict[tuple[Level, Limits], Box] = {}
    with contextlib.ExitStack() as stack:
        def box(level: Level, limits: Limits) -> Box:
            if (level, limits) not in made:
                made[level, limits] = stack.enter_context(Box([], level=level, limits=limits))
            return made[level, limits]

        yield box


def main() -> None:
    """Answer line by line until there are no more; the first line says which levels there are."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # what escapes becomes a child of this process, and is seen
    os.environ["OL_TEST_SECRET"] = "the grader's own"
    print(json.dumps(available()), flush=True)
    with boxes() as box:
        for line in sys.stdin:
            name, level = line.split()
            attack = find(name)
            limits = BRIEF if "TimedOut" in attack.ends(level) else PATIENT
            with tempfile.TemporaryDirectory() as folder:
                found = tried(attack, Level(level), box(Level(level), limits), Path(folder))
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
