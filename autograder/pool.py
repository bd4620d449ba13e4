"""Many submissions on several processes: this machine's, or a Dask cluster's.

Both are used through ``concurrent.futures``, which share the work out; only how much waits at a
time is decided here, so that memory does not grow with the class. What a verdict is worth, and
where it is kept, is others' business.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from autograder.course import CourseError, find
from autograder.sandbox import Level

__all__ = ["Pool", "Task", "cluster", "done", "local"]

GRACE = 5.0  # seconds for a sandbox to be taken down
_grading = threading.Lock()  # pytest is one to a process, and a worker of Dask may have threads


@dataclass(frozen=True)
class Task:
    """A submission to grade: its bytes, or the reason why they are not looked at; and the weakest
    isolation that will do."""

    key: str
    slug: str
    edition: str
    source: bytes | str
    required: Level = Level.C


@dataclass(frozen=True)
class Pool:
    """An executor and how many submissions it grades at a time."""

    executor: Executor
    size: int


def work(task: Task) -> str:
    """Grade one submission, in whichever process this is; the verdict as JSON.

    Raises:
        CourseError: this process is of another edition, its machine's isolation is too weak, or
            the grader failed; the message names the machine, which may be one of many.
    """
    try:
        return _graded(task)
    except CourseError as error:
        raise CourseError(f"on {platform.node()}: {error}") from error


def _graded(task: Task) -> str:
    from autograder.judging import judge
    from autograder.kept import edition

    chapter = find(task.slug)
    if edition(chapter) != task.edition:
        raise CourseError("this worker has other hidden tests, or another version of the course "
                          "or its packages, than the machine that asked: update and restart it")
    with _grading:
        return judge(chapter, task.source, task.required).to_json()


def _end_with_parent() -> None:
    """Have this process end when the one that started it is killed, with its sandbox."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def local(workers: int) -> Iterator[Pool]:
    """Processes of this machine; when they are left early, nothing more is begun."""
    # A fork would copy the threads' locks of whoever calls, held or not.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, _end_with_parent)
    try:
        yield Pool(executor, workers)
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Pool]:
    """The workers that a Dask scheduler has, such as ``tcp://10.0.0.1:8786``.

    Raises:
        CourseError: ``distributed`` is not installed, the scheduler does not answer, or it has no
            workers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise CourseError("--scheduler needs Dask: pip install distributed") from error
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise CourseError(f"the scheduler {address} does not answer ({error})") from error
    with client:
        size = sum(client.nthreads().values())
        if not size:
            raise CourseError(f"the scheduler {address} has no workers; start some with "
                              f"'dask worker {address} --nthreads 1'")
        with client.get_executor() as executor:
            yield Pool(executor, size)


def _waves(pool: Pool, tasks: Iterable[Task]) -> Iterator[tuple[Task, Future[str]]]:
    """Each task when it is done; at most twice as many as can be worked on are held."""
    running: dict[Future[str], Task] = {}

    def ended() -> Iterator[tuple[Task, Future[str]]]:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future

    for task in tasks:
        running[pool.executor.submit(work, task)] = task
        if len(running) >= 2 * pool.size:
            yield from ended()
    while running:
        yield from ended()


def done(
    open_pool: Callable[[], AbstractContextManager[Pool]], tasks: Iterable[Task]
) -> Iterator[tuple[Task, str | Exception]]:
    """Each task with its verdict as JSON, or with what kept the grader from one.

    Whoever was not done when a worker died is left out; ask for those again.
    """
    with open_pool() as pool:
        try:
            for task, future in _waves(pool, tasks):
                error = future.exception()
                if isinstance(error, BrokenExecutor):
                    continue
                if error is None:
                    yield task, future.result()
                elif isinstance(error, Exception):
                    yield task, error
                else:
                    raise error
        except BrokenExecutor:
            return
