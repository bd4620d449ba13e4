"""Bytes in memory and in files, read piece by piece, and where two of them part.

What the bytes stand for is ``binary``'s to say, and showing them is ``hexview``'s.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.binary import first_difference
from autograder.course import CourseError
from autograder.show import clean

__all__ = ["Stream", "parting", "stream"]

CHUNK = 1 << 20
WANTED = "wanted are bytes, a NumPy array, or the path of a file"


@dataclass(frozen=True)
class Stream:
    """Bytes that can be read from anywhere: ``read(offset, count)``, fewer at the end."""

    name: str
    size: int
    read: Callable[[int, int], bytes]


def stream(thing: object) -> Stream:
    """The bytes of a bytes-like object or an array, or those in the file that a path names.

    Raises:
        CourseError: it is none of these, or there is no such file, or it cannot be read.
    """
    if isinstance(thing, str | Path):
        return _filed(Path(thing))
    if isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
        data = np.ascontiguousarray(thing).reshape(-1).view(np.uint8)
        return _held(f"array of {thing.dtype}", data)
    if isinstance(thing, bytes | bytearray | memoryview):
        return _held(type(thing).__name__, np.frombuffer(bytes(thing), np.uint8))
    raise CourseError(f"{WANTED}; this is of type {type(thing).__name__}")


def _held(name: str, data: np.ndarray[Any, np.dtype[np.uint8]]) -> Stream:
    return Stream(name, data.size, lambda offset, count: data[offset : offset + count].tobytes())


def _filed(path: Path) -> Stream:
    name = clean(str(path), 120)

    def read(offset: int, count: int) -> bytes:
        try:
            with path.open("rb") as file:
                file.seek(offset)
                return file.read(count)
        except OSError as error:
            raise CourseError(f"{name} cannot be read ({error.strerror})") from error

    try:
        about = path.stat()
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        why = getattr(error, "strerror", error)
        raise CourseError(f"there is no file {name} ({why}); {WANTED}. The bytes of a text are "
                          "text.encode()") from error
    if not stat.S_ISREG(about.st_mode):
        raise CourseError(f"{name} is no file")
    return Stream(clean(path.name, 60), about.st_size, read)


def parting(one: Stream, other: Stream) -> int | None:
    """The first offset at which two streams differ, which may be the end of the shorter one; None
    where they are equal. It holds two pieces of a mebibyte in memory, and reads no further."""
    for offset in range(0, max(one.size, other.size), CHUNK):
        found = first_difference(one.read(offset, CHUNK), other.read(offset, CHUNK))
        if found is not None:
            return offset + found
    return None
