"""Direct calls of the Linux kernel by ctypes. Each raises OSError where the kernel says no."""

from __future__ import annotations

import ctypes
import os
import signal

__all__ = ["drop_capabilities", "kill_with_parent", "no_new_privileges", "prctl", "syscall"]

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def syscall(name: str, number: int, *arguments: object) -> int:
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), name)


def prctl(option: int, *arguments: object) -> int:
    wide = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments]
    wide += [ctypes.c_ulong(0)] * (4 - len(wide))
    return _checked(_libc.prctl(option, *wide), f"prctl {option}")


def no_new_privileges() -> None:
    """No program started from here on gains by being setuid. Landlock and seccomp ask for it."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def kill_with_parent() -> None:
    """Die when the thread that started this process does. Cleared by every change of user."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def drop_capabilities() -> None:
    """Give up every capability: uid 0 is then a user like any other."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
