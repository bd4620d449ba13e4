"""Hidden tests on workers of a sandbox: a fresh one for each test, made ready ahead of time.

While one test runs, another thread ends the worker before it and starts the one after it, so that
a test seldom waits. Starting and ending are ``sandbox``'s work, judging is ``plugin``'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from autograder.sandbox import Box, GraderFault, LearnerStop, Module, TimedOut, Worker
from autograder.subject import Source

__all__ = ["Boxed"]

MOST_LATE = 2  # workers whose cells never came to their end; the next would take as long


class _WorkerSource:
    def __init__(self, worker: Worker, module: str) -> None:
        self._worker, self._module = worker, module

    def get(self, name: str) -> Any:
        return self._worker.get(self._module, name)

    def repeat(self, function: Any, times: int, *args: Any) -> list[Any]:
        return self._worker.repeat(function, times, *args)

    def put(self, value: Any) -> Any:
        return self._worker.put(value)

    def fetch(self, kept: Any) -> Any:
        return self._worker.fetch(kept)

    def processor_time(self) -> float | None:
        return self._worker.processor_time()


class Boxed:
    """A subject whose tests get a worker each; a context manager, to be left before the box is.

    ``modules`` are loaded in place of the box's own, where they are given.
    """

    def __init__(self, box: Box, module: str, modules: Sequence[Module] | None = None) -> None:
        self._box, self._module, self._modules = box, module, modules
        self._thread = ThreadPoolExecutor(1)
        self._late = 0
        self._spare = self._start()

    def _start(self) -> Future[Worker]:
        return self._thread.submit(self._worker)

    def _worker(self) -> Worker:
        if self._late >= MOST_LATE:
            raise TimedOut(f"not run, since the cells took too long {MOST_LATE} times before")
        try:
            return self._box.worker(self._modules)
        except TimedOut:
            self._late += 1
            raise

    def __enter__(self) -> Boxed:
        return self

    def __exit__(self, *error: object) -> None:
        if not self._spare.cancel():
            try:
                self._spare.result().close()
            except (LearnerStop, GraderFault):
                pass  # a worker that never came up; no test asked for it
        self._thread.shutdown()

    @contextmanager
    def open(self) -> Iterator[Source]:
        """One test's worker."""
        ready, self._spare = self._spare, self._start()
        worker = ready.result()
        try:
            yield _WorkerSource(worker, self._module)
        finally:
            self._thread.submit(worker.close)
