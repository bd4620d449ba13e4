"""The zygote: imports the allowed packages once, then forks a worker whenever the grader asks.

It never runs learner code. Where learners' tests are to run it holds an open pytest session too, so
that a tester, which is forked with the code under test beside it, need only collect and run. It
also watches what workers write, since neither a limit on the size of one file nor a sized tmpfs
bounds the number of files. Its standard input is a socket to the grader.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import NoReturn

from . import lockdown, offer, serve
from .channel import Channel
from .codec import decode

__all__ = [
    "ANSWER", "END", "EXITED", "FILLED", "FORK", "FORKED", "FORK_CODE", "FORK_TESTER", "READY",
    "REQUEST", "SIGNALLED", "SPENT", "STOPPED", "Tester", "main",
]

# FORK comes with one end of a socket pair and is answered by FORKED and the worker's pid. So are
# FORK_CODE, and FORK_TESTER, which names the pid of the code that the tester is for. END names
# a pid and how many milliseconds it may take to end by itself; the answer says how it ended. SPENT
# is answered by the processor time that a pid took, in microseconds, or -1 where nobody can tell.
REQUEST = struct.Struct("<cii")
ANSWER = struct.Struct("<ci")
FORK, FORK_CODE, FORK_TESTER, END, SPENT = b"F", b"C", b"T", b"E", b"U"
READY, FORKED, EXITED, SIGNALLED, STOPPED, FILLED = b"R", b"P", b"X", b"S", b"K", b"D"

_WATCH_SECONDS = 0.05
_MAX_FILES = 2_000
_MAX_PATH = 1_000


def main() -> None:
    """Read the settings, confine and prepare, then serve until the grader is gone."""
    control = socket.socket(fileno=0)
    settings = _settings(Channel(control, 1 << 20))
    lockdown.confine_zygote(settings)
    if sys.platform != "darwin":  # whose NumPy does not survive a fork: there each worker imports
        serve.load(settings.packages)
    zygote = _Zygote(control, settings)
    try:
        if settings.testing:
            importlib.import_module(".owntests", __package__).hold_session(
                settings.scratch, zygote.serve
            )
        else:
            zygote.serve()
    except Exception:
        traceback.print_exc()  # os._exit would keep quiet about it
    finally:
        os._exit(0)


def _settings(channel: Channel) -> lockdown.Settings:
    fields = decode(channel.receive(), lambda number, label: None)
    assert isinstance(fields, dict)
    return lockdown.Settings(**fields)


@dataclass(frozen=True)
class Tester:
    """What a process that runs a learner's tests has: its line to the grader, and to the code."""

    channel: Channel
    code: socket.socket
    settings: lockdown.Settings
    scratch: str


@dataclass
class _Worker:
    scratch: str
    full: bool = False


class _Zygote:
    def __init__(self, control: socket.socket, settings: lockdown.Settings) -> None:
        self.control = control
        self.settings = settings
        self.workers: dict[int, _Worker] = {}  # by pid
        self.codes: dict[int, socket.socket] = {}  # by pid: where each is told of testers
        self.tester: Tester | None = None  # in a process that was forked to be one
        self.moved = 0  # folders ever, in delete()

    def serve(self) -> Tester | None:
        """Serve until the grader is gone; in a process forked to be a tester, its ends of sockets.

        Only a tester goes on after this.
        """
        gc.freeze()  # what is here now is shared by all workers
        self.answer(READY, 0)
        while self.step():
            if self.tester is not None:
                return self.tester
        self.end_all()
        return None

    def step(self) -> bool:
        """Answer one request, or look at the workers' files; False once the grader is gone."""
        wait = _WATCH_SECONDS if self.workers else None
        if not select.select([self.control], [], [], wait)[0]:
            self.watch()
            return True
        data, descriptors, _, _ = socket.recv_fds(self.control, REQUEST.size, 1)
        if len(data) != REQUEST.size:
            return False
        what, pid, grace = REQUEST.unpack(data)
        if what == FORK:
            self.fork(descriptors[0])
        elif what == FORK_CODE:
            self.fork_code(descriptors[0])
        elif what == FORK_TESTER:
            self.fork_tester(descriptors[0], pid)
        elif what == SPENT:
            self.answer(SPENT, _spent(pid))
        else:
            self.end(pid, grace / 1000)
        return True

    def new_scratch(self) -> str:
        """A folder whose name tells nobody how many there were before."""
        return tempfile.mkdtemp(dir=self.settings.scratch)

    def fork(self, descriptor: int) -> None:
        scratch = self.new_scratch()
        pid = os.fork()
        if pid == 0:
            channel = _settle(self.control, descriptor, self.settings)
            _end_after(lambda: serve.run(channel, self.settings, scratch))
        os.close(descriptor)
        self.forked(pid, scratch)

    def fork_code(self, descriptor: int) -> None:
        """A process for the code that learners' tests are tried on; it serves tester after tester,
        in the scratch folder of each."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            ours.close()
            channel = _settle(self.control, descriptor, self.settings)
            _end_after(lambda: offer.run(channel, self.settings, theirs))
        theirs.close()
        os.close(descriptor)
        self.codes[pid] = ours
        self.forked(pid, self.new_scratch())

    def fork_tester(self, descriptor: int, code: int) -> None:
        """A process for a learner's tests, with a line to the code in process ``code``."""
        scratch = self.new_scratch()
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            theirs.close()
            channel = _settle(self.control, descriptor, self.settings)
            self.tester = Tester(channel, ours, self.settings, scratch)
            return
        with ours, theirs, contextlib.suppress(OSError):  # dead code will be noticed by the grader
            socket.send_fds(self.codes[code], [os.fsencode(scratch)], [theirs.fileno()])
        os.close(descriptor)
        self.forked(pid, scratch)

    def forked(self, pid: int, scratch: str) -> None:
        self.workers[pid] = _Worker(scratch)
        self.answer(FORKED, pid)

    def end(self, pid: int, grace: float) -> None:
        """Make sure that a worker is gone, with whatever it started, and its files."""
        status = _wait(pid, grace)
        if status is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        worker = self.workers.pop(pid)
        if pid in self.codes:
            self.codes.pop(pid).close()
        if not self.settings.kernel:
            _end_orphans(pid, self.workers)
        if worker.full:
            self.answer(FILLED, 0)
        elif status is None:
            self.answer(STOPPED, 0)
        elif os.WIFSIGNALED(status):
            self.answer(SIGNALLED, os.WTERMSIG(status))
        else:
            self.answer(EXITED, os.WEXITSTATUS(status))
        self.delete(worker.scratch)

    def delete(self, folder: str) -> None:
        """Delete a tree of any depth: folders move up first, so no path grows, nothing recurses."""
        os.chmod(folder, 0o700)
        waiting = [folder]
        while waiting:
            path = waiting.pop()
            for entry in list(os.scandir(path)):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
                    self.moved += 1
                    waiting.append(os.path.join(self.settings.scratch, f"moved{self.moved}"))
                    os.rename(entry.path, waiting[-1])
                else:
                    os.unlink(entry.path)
            os.rmdir(path)

    def answer(self, what: bytes, value: int) -> None:
        self.control.sendall(ANSWER.pack(what, value))

    def watch(self) -> None:
        for pid, worker in self.workers.items():
            if not worker.full and _over(worker.scratch, self.settings.scratch_bytes):
                worker.full = True
                os.kill(pid, signal.SIGKILL)

    def end_all(self) -> None:
        for pid in self.workers:
            os.kill(pid, signal.SIGKILL)


def _spent(pid: int) -> int:
    """The processor time of a child in microseconds, by the kernel's own account."""
    if sys.platform != "linux":
        return -1
    return time.clock_gettime_ns(~pid << 3 | 2) // 1000  # as clock_getcpuclockid(3) makes it


def _wait(pid: int, grace: float) -> int | None:
    """The status of a child that ends within ``grace`` seconds."""
    deadline = time.monotonic() + grace
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.001)


def _end_orphans(worker: int, known: Container[int]) -> None:
    """At level C a worker can start processes: end its group, and what came to this subreaper."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker, signal.SIGKILL)
    listing = f"/proc/self/task/{os.getpid()}/children"
    if not os.path.exists(listing):
        return
    while True:
        with open(listing) as file:
            orphans = [pid for pid in map(int, file.read().split()) if pid not in known]
        if not orphans:
            return
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _over(folder: str, limit: int) -> bool:
    """Whether a folder holds too many files or bytes, or is nested too deep. Follows no link."""
    files = size = 0
    folders = [folder]
    while folders:
        path = folders.pop()
        with contextlib.suppress(OSError), os.scandir(path) as entries:  # it may be gone meanwhile
            for entry in entries:
                files += 1
                size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
        if files > _MAX_FILES or size > limit or len(path) > _MAX_PATH:
            return True
    return False


def _settle(control: socket.socket, descriptor: int, settings: lockdown.Settings) -> Channel:
    """In a child: leave the grader's socket to the zygote, and the terminal to nobody."""
    control.detach()
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    os.close(null)
    return Channel(socket.socket(fileno=descriptor), settings.message_bytes)


def _end_after(run: Callable[[], None]) -> NoReturn:
    """A worker never returns into the zygote's own code."""
    try:
        run()
    finally:
        os._exit(1)
