"""One submission in a sandbox: a fresh worker for each test, and one purse of seconds for all."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import GraderFault
from .host import Host, HostDied
from .inside.channel import Channel
from .isolation import Level
from .probe import strongest
from .records import Limits, Module
from .worker import Bytecode, Purse, Worker

__all__ = ["Box"]


class Box:
    """A sandbox for one submission; a context manager.

    ``modules`` are loaded in order, so that later ones can import earlier ones. Besides the
    standard library only ``packages`` can be imported. ``level`` is the strongest that works here
    unless given.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        *,
        packages: Sequence[str] = ("numpy",),
        limits: Limits = Limits(),  # noqa: B008  # frozen, so sharing it is safe
        level: Level | None = None,
    ) -> None:
        self.level = level or strongest()
        self._modules = tuple(modules)
        self._packages = tuple(packages)
        self._limits = limits
        self._purse = Purse(limits.total_seconds)
        self._bytecode: Bytecode = {}
        self._host: Host | None = None

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the sandbox without waiting for it. Call from a thread that outlives it.

        Raises:
            GraderFault: a package is not installed, or the process cannot be started.
        """
        if self._host is not None:
            return
        self._host = Host(self.level, self._packages, self._limits)
        try:
            self._host.start()
        except BaseException:
            self.close()
            raise

    def worker(self, modules: Sequence[Module] | None = None) -> Worker:
        """A fresh worker with the modules loaded: the box's, or those given.

        Raises:
            TimedOut, Crashed, Exited: a cell never came to its end, or no seconds are left.
            GraderFault: the sandbox does not start, or confines less than its level says.
        """
        pid, channel = self._fork()
        worker = Worker(channel, lambda grace: self._end(pid, grace), self._limits, self._purse)
        try:
            worker.load(self._modules if modules is None else modules, self._bytecode)
        except BaseException:
            worker.close()
            raise
        return worker

    def close(self) -> None:
        """End every process and delete every file of the sandbox."""
        if self._host is not None:
            self._host.close()
            self._host = None

    def _fork(self) -> tuple[int, Channel]:
        """From the running sandbox, or from a new one where it died: an earlier worker may have
        taken it down, or left files that it could not delete."""
        for _ in range(2):
            self.start()
            assert self._host is not None
            try:
                return self._host.fork()
            except HostDied:
                self.close()
        raise GraderFault("the sandbox died twice before it had a worker")

    def _end(self, pid: int, grace: float) -> tuple[bytes, int] | None:
        """How a worker ended, once it surely has; None where the whole sandbox went with it."""
        if self._host is None:
            return None
        try:
            return self._host.end(pid, grace)
        except HostDied:
            self.close()
            return None
