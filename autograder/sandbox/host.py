"""The grader's side of one sandbox: start the zygote, have workers forked and ended, take it down.

It knows nothing of learner code, tests or values. Whatever the sandbox does, every wait here ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from .errors import GraderFault, clean
from .inside import zygote
from .inside.channel import Channel, Closed
from .inside.linux import PR_SET_DUMPABLE, prctl
from .inside.lockdown import HYPOTHESIS_HOME
from .isolation import (
    Level,
    View,
    bubblewrap,
    build_view,
    environment,
    python_command,
    throwaway_user,
)
from .plain import decode, encode
from .records import Limits

__all__ = ["Host", "HostDied"]

_START_SECONDS = 30.0
_ANSWER_SECONDS = 10.0
_STOP_SECONDS = 2.0
# What a tester imports: pytest, Hypothesis, and what the two are made of.
TESTING = (
    "pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis",
    "_hypothesis_globals", "_hypothesis_pytestplugin", "sortedcontainers",
)


class HostDied(Exception):
    """The zygote is gone or does not answer; a new Host is needed."""


class Host:
    """One zygote. ``start`` first; ``close`` always."""

    def __init__(
        self, level: Level, packages: Sequence[str], limits: Limits, *, testing: Path | None = None
    ) -> None:
        self.level = level
        self._packages = [*packages, *(TESTING if testing else ())]
        self._testing = testing
        self._limits = limits
        self.runs_as = "this user"
        self._ready = False
        self._asking = threading.Lock()  # one request and its answer at a time
        self._folder: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Start the process and return at once; the first ``fork`` waits until it is ready.

        At level A the sandbox dies with the thread that called this.

        Raises:
            GraderFault: the process cannot be started.
        """
        if not hasattr(os, "fork"):
            raise GraderFault("it forks, which Windows cannot do. Run ol in WSL; "
                              "docs/for-learners.md, 'On Windows', says how")
        self._folder = tempfile.mkdtemp(prefix="ol-sandbox-")
        # By this name Hypothesis knows that it need not read all modules in it for constants.
        view_folder = Path(self._folder, "site-packages" if self._testing else "view")
        scratch = Path(self._folder, "scratch")
        os.chmod(self._folder, 0o711)  # whoever runs inside has to come through
        view_folder.mkdir(0o755)
        scratch.mkdir(0o700)
        view = build_view(view_folder, self._packages)
        if self._testing:
            shutil.copytree(self._testing, view_folder / HYPOTHESIS_HOME / "unicode_data")
        user = None if self.level is Level.A else throwaway_user(view)
        if user is not None:
            self.runs_as = "a throw-away user"
            os.chown(scratch, user, user)
        elif os.geteuid() == 0:
            self.runs_as = "root without capabilities"
        if self.level is Level.C and sys.platform == "linux":
            prctl(PR_SET_DUMPABLE, 0)  # there, nothing else keeps our memory from being read
        ours, theirs = socket.socketpair()
        self._control = ours
        with theirs:
            self._process = self._run(self._command(view, str(scratch)), theirs, user)
        self._send_settings(view, str(scratch), user is not None)

    def fork(self) -> tuple[int, Channel]:
        """A new worker, confined and waiting for cells: its pid inside, and our end of its socket.

        Raises:
            GraderFault: the sandbox did not start, or a worker is confined less than it should.
            HostDied: the sandbox was there, and is gone since.
        """
        return self._forked(zygote.FORK)

    def fork_code(self) -> tuple[int, Channel]:
        """A worker as of ``fork``, for code that testers are given."""
        return self._forked(zygote.FORK_CODE)

    def fork_tester(self, code: int) -> tuple[int, Channel]:
        """A worker as of ``fork``, for a learner's tests of the code in process ``code``."""
        return self._forked(zygote.FORK_TESTER, code)

    def _forked(self, what: bytes, code: int = 0) -> tuple[int, Channel]:
        ours, theirs = socket.socketpair()
        channel = Channel(ours, self._limits.message_bytes)
        try:
            with theirs:
                pid = self._request(what, code, 0, (zygote.FORKED,), theirs)[1]
            self._confirm(channel)
        except BaseException as error:
            channel.close()
            if isinstance(error, Closed | TimeoutError):
                raise HostDied from error
            raise
        return pid, channel

    def _confirm(self, channel: Channel) -> None:
        """Hear a new worker say that it is confined."""
        channel.deadline = time.monotonic() + _ANSWER_SECONDS
        problem = decode(channel.receive())
        if problem != "":
            raise GraderFault(f"a worker cannot be confined at level {self.level}: {problem}")

    def end(self, pid: int, grace: float) -> tuple[bytes, int]:
        """See that a worker is gone, giving it ``grace`` seconds to end by itself.

        Returns how it ended: one of ``zygote``'s codes, and an exit code or a signal.

        Raises:
            HostDied: the sandbox does not answer, or is gone.
        """
        ways = (zygote.EXITED, zygote.SIGNALLED, zygote.STOPPED, zygote.FILLED)
        return self._request(zygote.END, pid, int(grace * 1000), ways)

    def spent(self, pid: int) -> float | None:
        """The seconds of processor time that a worker took so far; None where nobody can tell.

        Raises:
            HostDied: as ``end``.
        """
        microseconds = self._request(zygote.SPENT, pid, 0, (zygote.SPENT,))[1]
        return None if microseconds < 0 else microseconds / 1e6

    def close(self) -> None:
        """Take everything down: the processes, then the files."""
        with self._asking:
            if self._control is not None:
                self._control.close()  # the zygote ends its workers and itself
                self._control = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP_SECONDS)
            self._kill(self._process)
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._process = None
        if self._folder is not None:
            _remove(self._folder)
            self._folder = None

    def _command(self, view: View, scratch: str) -> list[str]:
        path = f"import sys; sys.path.append({view.folder!r})"
        command = [*python_command(), "-c", f"{path}; from inside import zygote; zygote.main()"]
        if self.level is Level.A:
            command = [*bubblewrap(view, scratch, self._limits.scratch_bytes), *command]
        return command

    def _run(
        self, command: list[str], control: socket.socket, user: int | None
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                command, env=environment(), cwd="/", start_new_session=True,
                stdin=control.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                user=user, group=user, extra_groups=None if user is None else [],
            )
        except OSError as error:
            raise GraderFault(f"the sandbox cannot be started: {error}") from error

    def _send_settings(self, view: View, scratch: str, own_user: bool) -> None:
        limits = self._limits
        settings = {
            "level": self.level.value, "packages": self._packages, "reads": list(view.reads),
            "masked": list(view.masked), "scratch": scratch, "own_user": own_user,
            "cpu_seconds": limits.cpu_seconds or limits.test_seconds * (os.cpu_count() or 1),
            "memory_bytes": limits.memory_bytes, "scratch_bytes": limits.scratch_bytes,
            "message_bytes": limits.message_bytes, "testing": self._testing is not None,
        }
        assert self._control is not None
        with contextlib.suppress(Closed):  # _wait_until_ready will say why
            Channel(self._control, 0).send(encode(settings, 1 << 20))

    def _wait_until_ready(self) -> None:
        if self._ready:
            return
        try:
            self._receive(_START_SECONDS, (zygote.READY,))
        except HostDied:
            why = self._errors()
            raise GraderFault(f"the sandbox (level {self.level}) did not start: {why}") from None
        self._ready = True

    def _request(
        self, what: bytes, pid: int, grace: int, answers: Sequence[bytes],
        attached: socket.socket | None = None,
    ) -> tuple[bytes, int]:
        data = zygote.REQUEST.pack(what, pid, grace)
        with self._asking:
            if self._control is None:
                raise HostDied
            self._wait_until_ready()
            try:
                if attached is None:
                    self._control.sendall(data)
                else:
                    socket.send_fds(self._control, [data], [attached.fileno()])
            except OSError as error:
                raise HostDied from error
            return self._receive(_ANSWER_SECONDS + grace / 1000, answers)

    def _receive(self, seconds: float, answers: Sequence[bytes]) -> tuple[bytes, int]:
        assert self._control is not None
        self._control.settimeout(seconds)
        try:
            data = self._control.recv(zygote.ANSWER.size, socket.MSG_WAITALL)
        except OSError as error:
            raise HostDied from error
        if len(data) != zygote.ANSWER.size:
            raise HostDied
        what, value = zygote.ANSWER.unpack(data)
        if what not in answers:
            raise HostDied
        return what, value

    def _errors(self) -> str:
        """The last lines the process wrote before it gave up."""
        process = self._process
        if process is None or process.stderr is None:
            return "no process"
        self._kill(process)
        lines = process.stderr.read().decode(errors="replace").strip().splitlines()
        return clean(" / ".join(lines[-3:])) or f"exit code {process.returncode}"

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()


def _remove(folder: str) -> None:
    """Delete what a sandbox left; ``rm`` where the tree is too deep for shutil."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        subprocess.run(["rm", "-rf", folder], check=False, stderr=subprocess.DEVNULL)
