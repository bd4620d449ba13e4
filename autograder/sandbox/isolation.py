"""The levels of isolation: what is in view inside, and the command that starts a sandbox.

A: bubblewrap (own namespaces, no network, nothing mounted but the view) and all of B.
B: Landlock, seccomp, limits, and a throw-away user or no capabilities where the grader is root.
C: a process of its own with limits. It keeps values honest; it does NOT keep files, the network or
   other processes out of reach, so strangers' work is not for it outside a throw-away machine.

What the processes inside do to themselves is ``inside.lockdown``'s part; which level works on a
machine is found by trying, in ``probe``.
"""

from __future__ import annotations

import functools
import glob
import importlib.util
import os
import random
import shutil
import stat
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from .errors import GraderFault

__all__ = [
    "OPEN_AT_C", "Level", "View", "bubblewrap", "build_view", "environment", "python_command",
    "throwaway_user",
]

# What level C does not stop; each verdict given there says so.
OPEN_AT_C = (
    "reading files", "writing outside its folder", "the network", "starting processes",
    "signals to other processes", "what the whole machine shares",
)

_PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
# One thread each: BLAS's others would not survive the zygote's fork, and each of Arrow's takes
# addresses of a worker's limit, so that there would be less room the more cores a machine has.
_SET = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_IO_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve addresses that nothing uses
}


class Level(StrEnum):
    """How well learner code is kept in; A is the strongest."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True)
class View:
    """What learner code may read: files and folders under their own paths.

    ``folder`` goes on ``sys.path`` and holds links to ``inside`` and each allowed package;
    ``masked`` are folders somewhere inside ``reads`` that stay out of sight: the site-packages of
    this Python and of others that share a folder with the system's libraries.
    """

    folder: str
    reads: tuple[str, ...]
    masked: tuple[str, ...]


def build_view(folder: Path, packages: Sequence[str]) -> View:
    """Fill ``folder`` with links, and list what has to be in view.

    Raises:
        GraderFault: a package is not installed.
    """
    targets = [Path(__file__).resolve().parent / "inside"]
    for name in packages:
        targets += _package(name)
    for target in targets:
        (folder / target.name).symlink_to(target)
    system, masked = _system()
    return View(str(folder), _unique([*system, str(folder), *map(str, targets)]), masked)


@functools.cache
def _system() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What every sandbox has in view, and what of it is masked: Python and shared libraries."""
    stdlib = os.path.dirname(os.path.realpath(os.__file__))
    libraries = _library_folders()
    masked = glob.glob(f"{stdlib}/*-packages")
    for library in libraries:
        masked += glob.glob(f"{library}/python*/*-packages")
    reads = [
        *filter(os.path.islink, ("/lib", "/lib64", "/usr/lib64")), *libraries,
        *filter(os.path.exists, ("/etc/ld.so.cache", "/etc/alternatives")),
        *glob.glob(f"{os.path.realpath(sys.base_prefix)}/lib/*.so*"), python_command()[0], stdlib,
    ]
    return tuple(reads), _unique(masked)


def _unique(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def _package(name: str) -> list[Path]:
    """A package's folder or a module's file, and the folder of shared libraries beside it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise GraderFault(f"the package '{name}' that the chapter allows is not installed")
    origin = Path(spec.origin)
    top = origin.parent if spec.submodule_search_locations else origin
    libraries = top.with_name(f"{name}.libs")
    return [path.resolve() for path in (top, libraries) if path.exists()]


def _library_folders() -> list[str]:
    """Where the system keeps its shared libraries; links are followed."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or "none"
    usual = [f"/lib/{multiarch}", f"/usr/lib/{multiarch}", "/lib64", "/usr/lib64"]
    found = list(filter(os.path.isdir, usual)) or ["/lib", "/usr/lib"]
    return [os.path.realpath(folder) for folder in found]


def python_command() -> list[str]:
    """The base interpreter, not a virtual environment's: isolated, without site, in UTF-8."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = os.path.join(sys.base_exec_prefix, "bin", version)
    executable = os.path.realpath(base if os.path.exists(base) else sys.executable)
    return [executable, "-I", "-S", "-B", "-X", "utf8"]


def environment() -> dict[str, str]:
    """All that processes inside see of the environment: what NumPy and Arrow are told."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**_SET, **passed}


def bubblewrap(view: View, scratch: str, scratch_bytes: int) -> list[str]:
    """The bwrap command, up to the program to run in it.

    Raises:
        GraderFault: bubblewrap is not installed.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise GraderFault("bubblewrap (bwrap) is not installed")
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--dev", "/dev"]
    for path in sorted({*view.reads, *view.masked}, key=len):  # a folder before what is in it
        if path in view.masked:
            command += ["--tmpfs", path]
        elif os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        else:
            command += ["--ro-bind", path, path]
    for path in view.masked:
        command += ["--remount-ro", path]
    return [*command, "--size", str(scratch_bytes), "--tmpfs", scratch, "--chdir", scratch]


def throwaway_user(view: View) -> int | None:
    """A user id that nobody has, where the grader is root and such a user could run Python."""
    if os.geteuid() != 0 or not all(map(_open_to_all, view.reads)):
        return None
    user = random.SystemRandom().randrange(1 << 29, 1 << 30)
    return user if _mapped(user) else None


def _open_to_all(path: str) -> bool:
    real = Path(os.path.realpath(path))
    reachable = all(parent.stat().st_mode & stat.S_IXOTH for parent in real.parents)
    return reachable and bool(real.stat().st_mode & stat.S_IROTH)


def _mapped(user: int) -> bool:
    """Whether the user namespace we run in knows ``user``; rootless containers map few ids."""
    if not os.path.exists("/proc/self/uid_map"):
        return True
    with open("/proc/self/uid_map") as file:
        ranges: Iterable[list[str]] = map(str.split, file)
        return any(int(first) <= user < int(first) + int(size) for first, _, size in ranges)
