"""The grader's end of one worker: requests with a deadline, and replies that are not trusted.

A reply is checked for its form; whether it is right is the test's business. The clock is the
grader's: a worker that takes too long is killed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .errors import (
    Crashed,
    Exited,
    GraderFault,
    LearnerStop,
    Missing,
    OutOfMemory,
    TimedOut,
    clean,
    rebuilt,
)
from .inside import arrays as _arrays  # noqa: F401  # adds NumPy's types to the codec
from .inside import zygote
from .inside.channel import Channel, Closed
from .inside.codec import Refused, TooLarge, decode, encode
from .inside.encoder import WRITERS
from .proxy import Proxy
from .records import Limits, Module, Problem

__all__ = ["Bytecode", "Purse", "Worker"]

_GRACE_SECONDS = 1.0  # between a worker's last word and its death
_MAX_FRAMES = 16  # what one worker may send in all, counted in largest frames
_SHORT_TEXT = 80

Bytecode = dict[Module, list[bytes]]


class Purse:
    """The seconds that all workers of one box have left together, whatever thread they are in."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._spending = threading.Lock()

    def spend(self, seconds: float) -> None:
        with self._spending:
            self.seconds -= seconds


class Worker:
    """One process with the learner's modules in it, for one test; a context manager."""

    def __init__(
        self,
        channel: Channel,
        end: Callable[[float], tuple[bytes, int] | None],
        spent: Callable[[], float | None],
        limits: Limits,
        purse: Purse,
    ) -> None:
        self.problems: tuple[Problem, ...] = ()
        self._channel = channel
        self._end_process = end
        self._spent = spent
        self._limits = limits
        self._purse = purse
        self._seconds = limits.test_seconds
        self._cells: list[str] = []
        self._stopped: LearnerStop | GraderFault | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def load(self, modules: Sequence[Module], bytecode: Bytecode) -> None:
        """Have the cells run; each is reported by itself. A box does this once, or before each
        tester that this worker's code is given to: then nothing is left of earlier cells.

        ``bytecode`` is what earlier workers of the box compiled, and this one adds to it. It is
        never looked into here: only workers read it.
        """
        self._cells, self._seconds = [], self._limits.test_seconds
        compiled = self._exchange([(m.name, _sources(m, bytecode)) for m in modules])
        if not _is_bytecode(compiled, modules):
            self._break("not the bytecode of the cells")
        bytecode.update(zip(modules, compiled, strict=True))
        problems = []
        for module in modules:
            for cell in module.cells:
                self._cells.append(cell.name)
                reply = self._timed(self._receive, cell.name)
                if reply is not None:
                    kind, _, message, place, line = self._raised(reply)
                    kind, message = clean(kind, _SHORT_TEXT), clean(message)
                    where = self._place(place, line)
                    problems.append(Problem(module.name, cell.name, kind, message, line, where))
        self.problems = tuple(problems)

    def get(self, module: str, name: str) -> Any:
        """What the module calls ``name``: a plain value, or a Proxy. Raises Missing."""
        match reply := self._exchange(("get", module, name)):
            case ("missing",):
                raise Missing(f"{module} defines no '{name}'", name)
        return self._value(reply)

    def repeat(self, function: Proxy, times: int, *args: object) -> list[object]:
        """The results of ``times`` calls with the same arguments, in one message."""
        results = self.ask("repeat", function, times, args)
        if type(results) is not list or len(results) != times:
            self._break(f"not a list of {times} results")
        return results

    def put(self, value: object) -> Any:
        """A Proxy of a plain value in the worker, for functions that change their argument."""
        return self.ask("put", value)

    def fetch(self, proxy: Proxy) -> Any:
        """A copy of what a proxy stands for, where it is plain; else another proxy of it."""
        return self.ask("fetch", proxy)

    def processor_time(self) -> float | None:
        """The seconds of processor time that it took so far, by the kernel's account; None where
        that cannot be told.

        Raises:
            GraderFault: the sandbox is gone.
        """
        if self._stopped is not None:
            raise self._stopped
        return self._spent()

    @property
    def usable(self) -> bool:
        """Whether it has not been ended."""
        return self._stopped is None

    def offer(self, module: str, passing: Sequence[str]) -> None:
        """Let the newest tester have the modules, until it is gone. Objects of the classes
        ``passing`` of ``module`` pass by value."""
        if self._exchange((module, list(passing))) != "":
            self._break("not ready to be tested")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._stopped is None:
            self._stop(GraderFault("a worker was used after it was closed"))

    def ask(self, operation: str, *arguments: object) -> Any:
        """One request and its value. Raises what the learner's code raised, rebuilt."""
        return self._value(self._exchange((operation, *arguments)))

    def _exchange(self, request: object) -> Any:
        if self._stopped is not None:
            raise self._stopped
        if self._channel.pending:
            self._break("more than was asked for")
        payload = self._encode(request)

        def exchange() -> object:
            self._channel.send(payload)
            return self._receive()

        return self._timed(exchange)

    def _timed(self, exchange: Callable[[], object], cell: str = "") -> Any:
        """Do ``exchange`` on the learner's clock; ``cell`` is what runs meanwhile."""
        started = time.monotonic()
        self._channel.deadline = started + min(self._seconds, self._purse.seconds)
        try:
            return exchange()
        except TimeoutError:
            limits, own = self._limits, self._seconds <= self._purse.seconds
            self._stop(TimedOut(
                f"took longer than {limits.test_seconds:g} s" if own
                else f"the submission's {limits.total_seconds:g} s are used up", cell,
            ))
        except Closed:
            self._stop(Crashed("took the whole sandbox down", cell), _GRACE_SECONDS, cell)
        except Refused as error:
            self._break(str(error))
        except BaseException:  # interrupted: answers would no longer belong to questions
            self.close()
            raise
        finally:
            spent = time.monotonic() - started
            self._seconds -= spent
            self._purse.spend(spent)
        assert self._stopped is not None
        raise self._stopped

    def _value(self, reply: Any) -> Any:
        """The value of a reply, or the exception that it stands for."""
        match reply:
            case ("value", value):
                return value
            case ("handle", int(number), str(label)):
                return self._proxy(number, label)
            case ("end",):
                raise StopIteration
            case ("large", str(text)):
                raise OutOfMemory(f"returned too much to be sent: {clean(text, _SHORT_TEXT)}")
        own, nearest, message, place, line = self._raised(reply)
        raise rebuilt(nearest, own, message, self._place(place, line))

    def _place(self, place: int, line: int) -> str:
        return f"{self._cells[place]}, line {line}" if place >= 0 else ""

    def _raised(self, reply: Any) -> tuple[str, str, str, int, int]:
        match reply:
            case ("raised", str(own), str(nearest), str(message), int(place), int(line)):
                if -1 <= place < len(self._cells) and 0 <= line < 1 << 31:
                    return own, nearest, message, place, line
        self._break("not a reply")

    def _break(self, what: str) -> NoReturn:
        """The worker broke the protocol, which only code that meddles can make it do."""
        stop = Crashed(f"sent the grader something that is no answer: {what}")
        self._stop(stop)
        raise stop

    def _stop(self, why: LearnerStop | GraderFault, grace: float = 0.0, where: str = "") -> None:
        """End the process; with ``grace``, its way of ending tells more than ``why``."""
        self._channel.close()
        end = self._end_process(grace)
        self._stopped = _obituary(end, where) if grace and end else why

    def _encode(self, value: object) -> bytes:
        try:
            return encode(value, self._number, self._limits.message_bytes)
        except TooLarge as error:
            raise OutOfMemory(f"an argument is too large to be sent: {error}") from None

    def _receive(self) -> object:
        if self._channel.received > _MAX_FRAMES * self._limits.message_bytes:
            self._break("more than any test has use for")  # list() of an endless generator
        return decode(self._channel.receive(), self._proxy)

    def _proxy(self, number: int, label: str) -> Proxy:
        return Proxy(self, number, clean(label, _SHORT_TEXT).replace("\n", " "))

    def _number(self, value: object) -> tuple[int, str]:
        if type(value) is Proxy and value._worker is self:
            return value._number, ""
        what = f"a {type(value).__name__} cannot be sent to learner code"
        if type(value) in WRITERS:  # made from what the learner's code returned, or it always fails
            raise OutOfMemory(f"{what}: nested too deep, too wide, or of no plain dtype")
        if type(value) is Proxy:
            raise GraderFault(f"{what}: only proxies of the same worker can")
        # The reference meets none of these. So a test took for a plain value what was none.
        raise AssertionError(f"{what}: was an object returned where a plain value is wanted?")


def _sources(module: Module, bytecode: Bytecode) -> list[tuple[str, str, bytes]]:
    known = bytecode.get(module, [b""] * len(module.cells))
    return [(cell.name, cell.source, code) for cell, code in zip(module.cells, known, strict=True)]


def _is_bytecode(compiled: object, modules: Sequence[Module]) -> bool:
    """Whether this is, for every module, as many bytes objects as it has cells."""
    return (
        type(compiled) is list
        and all(type(each) is list and set(map(type, each)) <= {bytes} for each in compiled)
        and list(map(len, compiled)) == [len(module.cells) for module in modules]
    )


def _obituary(end: tuple[bytes, int], where: str) -> LearnerStop:
    match end:
        case (zygote.EXITED, code):
            return Exited(f"ended the process with exit code {code}", where)
        case (zygote.SIGNALLED, signal.SIGXCPU):
            return TimedOut("used up its CPU time", where)
        case (zygote.SIGNALLED, number):
            known = number in set(signal.Signals)
            name = signal.Signals(number).name if known else f"signal {number}"
            return Crashed(f"the process was ended by {name}", where)
        case (zygote.FILLED, _):
            return Crashed("wrote too many files, or too much into them", where)
    return Crashed("closed its connection to the grader", where)
