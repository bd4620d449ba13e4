"""The grader's end of one tester: a learner's tests against one implementation, in two processes.

What a tester says is not trusted: it is checked for its form, bounded in size and time, and taken
for what the learner claims. What follows from it is ``autograder.mutate``'s business.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from .errors import LearnerStop, TimedOut, clean
from .inside.channel import Channel, Closed
from .inside.codec import Refused
from .plain import decode, encode
from .records import Outcome, Suite, SuiteRun, TestRun
from .worker import Worker

__all__ = ["Tester"]

_MAX_EVENTS = 4_000
_MAX_SENT = 8 << 20
_SEND_SECONDS = 10.0
_SHORT_TEXT = 200


class Tester:
    """One process with a learner's tests, and the worker with the code they test; it runs once.

    The worker is ``kept`` for another tester, unless something went wrong; ``load`` has it run its
    cells. ``bytecode`` is what earlier testers of the box compiled
    of a text; only testers read it.
    """

    def __init__(
        self,
        channel: Channel,
        end: Callable[[float], tuple[bytes, int] | None],
        code: Worker,
        kept: bool,
        load: Callable[[], None],
        bytecode: MutableMapping[tuple[str, bool], bytes],
    ) -> None:
        self._code, self._kept, self._load = code, kept, load
        self._channel = channel
        self._end_process = end
        self._bytecode = bytecode
        self._events = 0
        self._said = _Said()

    def __enter__(self) -> Tester:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End what need not be kept, whatever it is doing."""
        self._channel.close()
        self._end_process(0.0)
        if not self._kept or self._said.problem:
            self._code.close()

    def prepare(self, suite: Suite, order: tuple[str, ...] | None, seconds: float) -> None:
        """Load tests and code, up to the point where the tests can run.

        Args:
            suite: the tests.
            order: names of those to run until one fails; None runs all, and explains failures.
            seconds: how long loading the tests may take.
        """
        with self._listening():
            self._send(suite, order)  # first, since the two processes make ready side by side
            self._load()
            self._code.offer(suite.module, suite.passing)
            while not (self._said.ended or self._said.ready):
                event = self._event(seconds)
                if event[0] == "compiled" and type(event[-1]) is bytes:
                    self._bytecode.setdefault((suite.text, order is None), event[-1])
                else:
                    self._said.hear(event)

    def run(self, seconds: Callable[[str], float]) -> SuiteRun:
        """Run the tests, and say how they came out.

        Args:
            seconds: how long a test may take, by its name ("" while none runs).
        """
        with self._listening():
            if not self._said.ended:
                self._channel.send(encode("go", _SHORT_TEXT))
            while not self._said.ended:
                self._said.hear(self._event(seconds(self._said.during)))
        return self._said.run()

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        """Whatever a tester does becomes a part of what is known of its run."""
        said = self._said
        try:
            yield
        except (TimeoutError, TimedOut) as stop:
            said.problem, said.timed_out = clean(str(stop)) or "took too long", True
        except (Closed, Refused, LearnerStop) as stop:
            said.problem = clean(str(stop)) or "the tests ended their process"
        said.ended = said.ended or bool(said.problem)

    def _send(self, suite: Suite, order: tuple[str, ...] | None) -> None:
        modules = [(name, list(cells)) for name, cells in suite.given]
        request = (
            suite.text, self._bytecode.get((suite.text, order is None), b""), modules, suite.module,
            list(suite.passing), list(suite.names), None if order is None else list(order),
        )
        self._channel.deadline = time.monotonic() + _SEND_SECONDS
        self._channel.send(encode(request, 1 << 24))

    def _event(self, seconds: float) -> Any:
        self._events += 1
        if self._events > _MAX_EVENTS or self._channel.received > _MAX_SENT:
            raise Refused("more than any run of tests has to say")
        self._channel.deadline = time.monotonic() + seconds
        event = decode(self._channel.receive())
        if type(event) is not tuple or not event:
            raise Refused("no event of a run")
        return event


class _Said:
    """What a tester has said so far; each event is checked for its form."""

    def __init__(self) -> None:
        self.ran: list[TestRun] = []
        self.names: tuple[str, ...] = ()
        self.during, self.problem, self.line = "", "", 0
        self.timed_out = self.ready = self.ended = False

    def hear(self, event: tuple[Any, ...]) -> None:
        match event:
            case ("collected", list(found)) if _are_names(found):
                self.names = tuple(clean(name, _SHORT_TEXT) for name in found)
            case ("began", str(name)):
                self.during = clean(name, _SHORT_TEXT)
            case ("ended", str(name), str(outcome), str(kind), str(message), int(line),
                  float(spent), list(called)) if outcome in set(Outcome) and _are_names(called):
                self.ran.append(TestRun(
                    clean(name, _SHORT_TEXT), Outcome(outcome), clean(kind, 80), clean(message),
                    line, spent, tuple(called),
                ))
                self.during = ""
            case ("broken", str(kind), str(message), int(line)):
                self.problem, self.line, self.ended = clean(f"{kind}: {message}"), line, True
            case ("ready",):
                self.ready = True
            case ("done",):
                self.ended = True
            case _:
                raise Refused("no event of a run")

    def run(self) -> SuiteRun:
        return SuiteRun(
            self.names, tuple(self.ran), self.problem, self.during, self.line, self.timed_out
        )


def _are_names(values: list[object]) -> bool:
    return {str} >= set(map(type, values))
