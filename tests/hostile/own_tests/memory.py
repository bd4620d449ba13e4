"""Keeps what the first implementation answers, wherever it can, and compares the next ones with it.

Must come of it: nothing. No file, object, limit, shared memory or process outlives a run, so each
implementation is the first. What is left behind outside a sandbox is small, and ends or is noticed
by its name.
"""

import builtins
import contextlib
import hashlib
import os
import resource
import socket
import sys
import tempfile
import time
from multiprocessing import shared_memory
from pathlib import Path

import numpy as np
import pytest

from llmdata import rand

NAME = "first_answers_of_ch04"
FOLDERS = {
    os.path.expanduser("~"), os.getcwd(), os.path.dirname(__file__), tempfile.gettempdir(),
    "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue",
}  # fmt: skip
OBJECTS = {
    "builtins": builtins, "sys": sys, "numpy": np, "pytest": pytest, "Item": pytest.Item,
    "the state": rand.MT19937State, "the module": rand,
}  # fmt: skip


@pytest.fixture
def now():
    """A digest of what the implementation under test answers."""
    state, answers = rand.MT19937State(), []
    for name, *more in [
        ("randint32",), ("manual_seed", -1), ("randint32_array", 700), ("next_state",),
        ("randint64",), ("randfloat32",), ("randfloat64",), ("randint32_array", 600),
    ]:  # fmt: skip
        try:
            answer = getattr(rand, name)(state, *more)
        except Exception as error:
            answer = type(error)
        answers += [type(answer), str(answer), state.left, state.next, state.state.tolist()]
    return hashlib.sha256(repr(answers).encode()).hexdigest()


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_as_a_file_has_it(folder, now):
    """A hidden file; where none can be written, now is the first time."""
    path, first = Path(folder, f".{NAME}"), now
    with contextlib.suppress(OSError):
        if path.exists():
            first = path.read_text()
        else:
            path.write_text(now)
    assert first == now


@pytest.mark.parametrize("place", OBJECTS)
def test_as_an_object_has_it(place, now):
    """An attribute of something that may outlive the run."""
    first = vars(OBJECTS[place]).get(NAME, now)
    with contextlib.suppress(Exception):
        setattr(OBJECTS[place], NAME, first)
    assert first == now


def test_as_the_environment_has_it(now):
    """A variable, which child processes inherit."""
    assert os.environ.setdefault(NAME, now) == now


def test_as_a_limit_has_it(now):
    """Sixteen bits in a limit of the process."""
    number = int(now[:4], 16) + 1
    first, most = resource.getrlimit(resource.RLIMIT_MSGQUEUE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_MSGQUEUE, (number, most))
    assert first == number or not 0 < first <= 65536


def test_as_shared_memory_has_it(now):
    """A segment that nobody unlinks; its name holds the user's number and the hour."""
    name, first = f"ch04-{os.getuid()}-{int(time.time()) // 3600}", now.encode()
    with contextlib.suppress(Exception):
        try:
            segment = shared_memory.SharedMemory(name)
            first = bytes(segment.buf[:64])
        except FileNotFoundError:
            segment = shared_memory.SharedMemory(name, create=True, size=64)
            segment.buf[:64] = first
        segment.close()
    assert first == now.encode()


def leave_one_behind(answer):
    """A process that says the answer to all who ask at an abstract socket, for a second."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0{NAME}")
        listening.listen()
        listening.settimeout(0.2)
        if os.fork() == 0:
            end = time.monotonic() + 1.0
            while time.monotonic() < end:
                with contextlib.suppress(OSError):
                    listening.accept()[0].send(answer)
            os._exit(0)


def test_as_a_process_left_behind_has_it(now):
    """A process that outlives its run."""
    first = b""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(0.2)
        asking.connect(f"\0{NAME}")
        first = asking.recv(64)
    if not first:
        leave_one_behind(now.encode())

    assert first in (b"", now.encode())
