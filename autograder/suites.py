"""Keeps a file of hidden tests imported from one run to the next, until the file changes.

Left to itself pytest imports it anew for each run, which takes longer than most checks where no
bytecode may be written, or takes the one of an earlier run for the one on disk. Only
``sys.modules`` is touched here; pytest does the importing.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

__all__ = ["forget_if_changed", "keep"]

_kept: dict[Path, tuple[str, tuple[int, int]]] = {}  # the module's name, and its file's state


def _state(suite: Path) -> tuple[int, int]:
    status = suite.stat()
    return status.st_mtime_ns, status.st_size


def keep(suite: Path, module: ModuleType) -> None:
    """Let pytest's next run find ``module`` imported."""
    sys.modules[module.__name__] = module
    _kept[suite] = module.__name__, _state(suite)


def forget_if_changed(suite: Path) -> None:
    """Have ``suite`` imported anew if it was written since it was kept."""
    if suite in _kept and _kept[suite][1] != _state(suite):
        name, _ = _kept.pop(suite)
        sys.modules.pop(name, None)
