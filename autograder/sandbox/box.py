"""One submission in a sandbox: a fresh worker for each test, and one purse of seconds for all."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from .errors import GraderFault
from .host import Host, HostDied
from .inside.channel import Channel
from .isolation import Level
from .probe import strongest
from .records import Limits, Module
from .tester import Tester
from .worker import Bytecode, Purse, Worker

__all__ = ["Box"]

T = TypeVar("T")


@dataclass(frozen=True)
class _Code:
    """A process for code under test, and when it was started."""

    pid: int
    worker: Worker
    since: float


class Box:
    """A sandbox for one submission; a context manager.

    ``modules`` are loaded in order, so that later ones can import earlier ones. Besides the
    standard library only ``packages`` can be imported. ``level`` is the strongest that works here
    unless given. With ``testing``, a folder of Hypothesis's tables of characters, it runs learners'
    tests too. Threads may share a box; each takes workers of its own.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        *,
        packages: Sequence[str] = ("numpy",),
        limits: Limits = Limits(),  # noqa: B008  # frozen, so sharing it is safe
        level: Level | None = None,
        testing: Path | None = None,
    ) -> None:
        self.level = level or strongest()
        self._modules = tuple(modules)
        self._packages = tuple(packages)
        self._limits = limits
        self._purse = Purse(limits.total_seconds)
        self._bytecode: Bytecode = {}
        self._texts: dict[tuple[str, bool], bytes] = {}  # bytecode of tests; see Tester
        self._testing = testing
        self._host: Host | None = None
        self._kept: _Code | None = None
        self._changing = threading.RLock()

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the sandbox without waiting for it. Call from a thread that outlives it.

        Raises:
            GraderFault: a package is not installed, or the process cannot be started.
        """
        self._running()

    def worker(self, modules: Sequence[Module] | None = None) -> Worker:
        """A fresh worker with the modules loaded: the box's, or those given.

        Raises:
            TimedOut, Crashed, Exited: a cell never came to its end, or no seconds are left.
            GraderFault: the sandbox does not start, or confines less than its level says.
        """
        host, (pid, channel) = self._from_host(Host.fork)
        worker = self._worker(host, pid, channel)
        self._load(worker, modules)
        return worker

    def tester(self, modules: Sequence[Module], *, ours: bool) -> Tester:
        """A tester with ``modules`` for its code under test; only of a box for testing, and one at
        a time. Where the code is ``ours`` its process is kept for the next.

        Raises:
            GraderFault: as ``worker``.
        """
        code = self._code_of_ours() if ours else self._code()
        host, (pid, channel) = self._from_host(lambda host: host.fork_tester(code.pid))
        load = functools.partial(code.worker.load, modules, self._bytecode)
        end = functools.partial(self._end, host, pid)
        return Tester(channel, end, code.worker, ours, load, self._texts)

    def _code(self) -> _Code:
        host, (pid, channel) = self._from_host(Host.fork_code)
        return _Code(pid, self._worker(host, pid, channel), time.monotonic())

    def _code_of_ours(self) -> _Code:
        """The one that is kept; a new one before its CPU time, which is limited, can run out."""
        kept = self._kept
        if kept is not None and time.monotonic() - kept.since > self._limits.test_seconds / 2:
            kept.worker.close()
        if kept is None or not kept.worker.usable:
            kept = self._kept = self._code()
        return kept

    def _worker(self, host: Host, pid: int, channel: Channel) -> Worker:
        end = functools.partial(self._end, host, pid)
        spent = functools.partial(self._spent, host, pid)
        return Worker(channel, end, spent, self._limits, self._purse)

    def _load(self, worker: Worker, modules: Sequence[Module] | None) -> None:
        try:
            worker.load(self._modules if modules is None else modules, self._bytecode)
        except BaseException:
            worker.close()
            raise

    def close(self) -> None:
        """End every process and delete every file of the sandbox."""
        with self._changing:
            kept, self._kept = self._kept, None
            if kept is not None:
                kept.worker.close()
            if self._host is not None:
                self._host.close()
                self._host = None

    def _from_host(self, fork: Callable[[Host], T]) -> tuple[Host, T]:
        """From the running sandbox, or from a new one where it died: an earlier worker may have
        taken it down, or left files that it could not delete."""
        for _ in range(2):
            host = self._running()
            try:
                return host, fork(host)
            except HostDied:
                self._forget(host)
        raise GraderFault("the sandbox died twice before it had a worker")

    def _running(self) -> Host:
        with self._changing:
            if self._host is None:
                host = Host(self.level, self._packages, self._limits, testing=self._testing)
                try:
                    host.start()
                except BaseException:
                    host.close()
                    raise
                self._host = host
            return self._host

    def _forget(self, host: Host) -> None:
        """Take a dead sandbox down, unless another thread already has."""
        with self._changing:
            if self._host is host:
                self.close()

    def _spent(self, host: Host, pid: int) -> float | None:
        try:
            return host.spent(pid)
        except HostDied as error:
            self._forget(host)
            raise GraderFault("the sandbox died while a worker's time was asked for") from error

    def _end(self, host: Host, pid: int, grace: float) -> tuple[bytes, int] | None:
        """How a worker ended, once it surely has; None where the whole sandbox went with it."""
        try:
            return host.end(pid, grace)
        except HostDied:
            self._forget(host)
            return None
