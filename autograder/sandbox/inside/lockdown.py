"""What a sandbox gives up, in two steps: the zygote once, each worker again and more.

Every failure raises: a worker never runs with less than its level promises. At level C only limits
are left, so reading files, the network and new processes are NOT prevented there. At level B names,
sizes and times of files can still be asked for, wherever they are; their contents cannot.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from . import landlock, linux, seccomp

__all__ = ["HYPOTHESIS_HOME", "Settings", "confine_worker", "confine_zygote"]

_LINUX = sys.platform == "linux"
_OPEN_FILES = 64
HYPOTHESIS_HOME = "hypothesis-home"  # in the folder that holds this package
_THREADS = 64


@dataclass(frozen=True)
class Settings:
    """What the grader tells a zygote. Paths are those inside the sandbox; sizes are bytes."""

    level: str
    packages: list[str]
    reads: list[str]
    masked: list[str]
    scratch: str
    own_user: bool
    cpu_seconds: float
    memory_bytes: int
    scratch_bytes: int
    message_bytes: int
    testing: bool = False  # whether learners' tests run here, beside code

    @property
    def kernel(self) -> bool:
        """Whether Landlock and seccomp belong to the level."""
        return self.level in ("A", "B")


def confine_zygote(settings: Settings) -> None:
    """Privileges and, at A and B, every file but Python, the allowed packages and scratch."""
    if not _LINUX:
        return
    linux.no_new_privileges()
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    if settings.kernel:
        reads = [r for path, _ in _reads(settings) for r in _without_masked(path, settings.masked)]
        landlock.restrict(reads + _writes(settings.scratch))


def confine_worker(settings: Settings, scratch: str) -> None:
    """Limits; and at A and B its own ``scratch`` only, and the filter of system calls."""
    _limit(settings)
    if not _LINUX:
        return
    linux.kill_with_parent()
    if settings.kernel:
        # The zygote's layer still holds: here whole folders will do, and cost a tenth.
        landlock.restrict(_reads(settings) + _writes(scratch))
        seccomp.install()


def _reads(settings: Settings) -> list[landlock.Rule]:
    """Rights to read, without links: a rule would follow one to what is not in the list."""
    return [(path, landlock.READ) for path in settings.reads if not os.path.islink(path)]


def _without_masked(path: str, masked: list[str]) -> Iterator[landlock.Rule]:
    """Rights to read ``path``; with a masked folder somewhere inside it, entry by entry."""
    if not any(folder.startswith(f"{path}/") for folder in masked):
        yield path, landlock.READ
        return
    yield path, landlock.READ_DIR  # Python's import system lists it
    for entry in os.scandir(path):
        if entry.path not in masked and not entry.is_symlink():
            yield from _without_masked(entry.path, masked)


def _writes(scratch: str) -> list[landlock.Rule]:
    devices = [(f"/dev/{name}", landlock.READ) for name in ("zero", "random", "urandom")]
    return [(scratch, landlock.WRITE), (os.devnull, landlock.WRITE), *devices]


def _limit(settings: Settings) -> None:
    """Soft and hard alike. The grader's clock comes first; CPU time is only the backstop."""
    import resource  # here, since Windows has none and imports this module all the same

    seconds = math.ceil(settings.cpu_seconds) + 1
    limits = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, seconds, seconds + 1),  # SIGXCPU, then SIGKILL
        (resource.RLIMIT_FSIZE, settings.scratch_bytes, settings.scratch_bytes),
        (resource.RLIMIT_NOFILE, _OPEN_FILES, _OPEN_FILES),
    ]
    if _LINUX:  # macOS has the name, and does not bind by it
        limits.append((resource.RLIMIT_AS, settings.memory_bytes, settings.memory_bytes))
    if settings.own_user:  # counted by user: only of use where nobody else has it
        limits.append((resource.RLIMIT_NPROC, _THREADS, _THREADS))
    for what, soft, hard in limits:
        resource.setrlimit(what, (soft, hard))
