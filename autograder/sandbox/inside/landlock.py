"""Landlock: which files a process and its children can reach. Layers add up: each only takes away.

Handles every right the kernel knows up to ABI 7, refuses TCP (ABI 4), and keeps signals and
abstract sockets inside the layer (ABI 6). What Landlock does not govern (modes, owners, times,
attributes, UDP) is seccomp's part.
"""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterable

from . import linux

__all__ = ["Rule", "abi", "restrict"]

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REGULAR, _MAKE_SYMLINK = 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE = 1 << 13, 1 << 14

READ = READ_FILE | READ_DIR
# REFER: without it a rename between two folders fails, with both of them writable.
WRITE = (
    READ | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REGULAR
    | _MAKE_SYMLINK | _REFER
)
_ON_FILES = _EXECUTE | _WRITE_FILE | READ_FILE | _TRUNCATE
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_KNOWN_FROM_5 = (1 << 16) - 1

Rule = tuple[str, int]  # a path, and the rights granted on it and beneath


def abi() -> int:
    """The kernel's Landlock version. Raises OSError where there is none."""
    return linux.syscall("landlock", _CREATE_RULESET, 0, 0, _VERSION_FLAG)


def restrict(rules: Iterable[Rule]) -> None:
    """Allow this process and its children ``rules`` and nothing else, for good.

    A path that does not exist grants nothing.
    """
    version = abi()
    known = _KNOWN.get(version, _KNOWN_FROM_5)
    network = 0b11 if version >= 4 else 0  # bind and connect TCP
    scoped = 0b11 if version >= 6 else 0  # abstract sockets and signals
    fields = 1 if version < 4 else 2 if version < 6 else 3
    attributes = struct.pack("=QQQ", known, network, scoped)[: 8 * fields]
    ruleset = linux.syscall("landlock", _CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path, rights in rules:
            with contextlib.suppress(FileNotFoundError):
                _allow(ruleset, path, rights & known)
        linux.syscall("landlock", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= _ON_FILES
        rule = struct.pack("=Qi", rights, opened)
        linux.syscall("landlock", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(opened)
