"""Which levels work on this machine, found by starting a sandbox at each and having it fork.

For ``ol doctor`` and for choosing a level. Nothing of a learner's runs here.
"""

from __future__ import annotations

import functools
import shutil
import sys
from dataclasses import dataclass

from .errors import GraderFault
from .host import Host, HostDied
from .inside import landlock
from .isolation import Level
from .records import Limits

__all__ = ["available", "explain", "strongest"]


@dataclass(frozen=True)
class _Trial:
    """What became of a sandbox of one level; no problem means that it works here."""

    problem: str
    runs_as: str = ""


@functools.cache
def _try(level: Level) -> _Trial:
    if sys.platform != "linux" and level is not Level.C:
        return _Trial("only Linux has it")
    host = Host(level, (), Limits())
    try:
        host.start()
        pid, channel = host.fork()
        channel.close()
        host.end(pid, 0.0)
        return _Trial("", host.runs_as)
    except GraderFault as fault:
        return _Trial(str(fault))
    except HostDied:
        return _Trial("the sandbox started, and died of its first worker")
    finally:
        host.close()


def available() -> tuple[Level, ...]:
    """The levels that work here, strongest first; C always does."""
    return tuple(level for level in Level if level is Level.C or not _try(level).problem)


def strongest() -> Level:
    """The first of ``available``, without trying those after it."""
    return next(level for level in Level if level is Level.C or not _try(level).problem)


def explain() -> list[str]:
    """One line a mechanism: what was tried, and the answer."""
    lines = [f"bubblewrap: {shutil.which('bwrap') or 'not installed'}", f"Landlock: {_landlock()}"]
    for level in Level:
        trial = _try(level)
        answer = trial.problem or f"works; learner code runs as {trial.runs_as}"
        lines.append(f"level {level}: {answer}")
    return lines


def _landlock() -> str:
    if sys.platform != "linux":
        return "only Linux has it"
    try:
        return f"version {landlock.abi()}"
    except OSError as error:
        return str(error)
