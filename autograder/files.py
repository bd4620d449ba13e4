"""Writing files so that nothing is ever half written or lost.

A file appears under its name only when it is whole. Reading is not this module's work.
"""

from __future__ import annotations

import os
import tempfile
from datetime import datetime
from pathlib import Path

from autograder.course import CourseError

__all__ = ["backup_name", "write"]


def write(path: Path, data: bytes | str) -> None:
    """Write to a temporary name beside ``path``, then rename.

    Raises:
        CourseError: the folder cannot be written, the disk is full, ...
    """
    raw = data.encode("utf-8") if isinstance(data, str) else data
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise CourseError(
            f"{path}: cannot be written ({error.strerror}); nothing was changed"
        ) from error


def backup_name(path: Path) -> Path:
    """A dated name beside ``path`` that is not taken: ``ch04.2026-01-31-120000.ipynb``."""
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    name = path.with_name(f"{path.stem}.{stamp}{path.suffix}")
    number = 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.stem}.{stamp}-{number}{path.suffix}")
    return name
