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

_kept: dict[str, tuple[Path, int, int]] = {}  # by the module's name: its file as it was imported


def _state(suite: Path) -> tuple[Path, int, int]:
    status = suite.stat()
    return suite, status.st_mtime_ns, status.st_size


def keep(suite: Path, module: ModuleType) -> None:
    """Let pytest's next run find ``module`` imported."""
    sys.modules[module.__name__] = module
    _kept[module.__name__] = _state(suite)


def forget_if_changed(suite: Path) -> None:
    """Have ``suite`` imported anew if it was written since it was kept, or lies elsewhere."""
    for name, state in list(_kept.items()):
        if state[0].name == suite.name and state != _state(suite):
            del _kept[name]
            sys.modules.pop(name, None)
