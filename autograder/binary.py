"""Bytes as what they stand for: where two streams part, and the numbers of llm.c's files by name.

The formats are those of ``docs/formats/``. A header is told as it stands, right or wrong; whether
it fits the file is not asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["WORD", "Field", "Kind", "field_at", "fields", "first_difference", "kind_of", "words"]

HEADER = 1024  # bytes of a header; numbers stand in its first four words, zeros in the others
WORD = 4


@dataclass(frozen=True)
class Kind:
    """A kind of file: the names of its numbers, and of what follows the header.

    ``item`` names one number of the body, and ``widths`` says by version how many bytes that has.
    """

    name: str
    words: tuple[str, ...]
    item: str = ""
    widths: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Field:
    """One number in a file, and the ``size`` bytes at ``offset`` that it is read from."""

    offset: int
    size: int
    name: str
    value: int


KINDS = {
    20240520: Kind(
        "token file", ("magic", "version", "number of ids", "size of the vocabulary"),
        "id", ((1, 2), (2, 4)),
    ),
    20240522: Kind(
        "file of multiple-choice examples",
        ("magic", "version", "number of examples", "bytes of the longest example"),
        "word", ((1, 2),),
    ),
    20240328: Kind(
        "vocabulary file", ("magic", "version", "number of tokens", "id that ends a text")
    ),
}


def first_difference(one: bytes, other: bytes) -> int | None:
    """The first offset at which two streams differ, which may be the end of the shorter one; None
    where they are equal."""
    shorter = min(len(one), len(other))
    parted = np.frombuffer(one, np.uint8, shorter) != np.frombuffer(other, np.uint8, shorter)
    if parted.any():
        return int(parted.argmax())
    return None if len(one) == len(other) else shorter


def kind_of(start: bytes) -> Kind | None:
    """The kind of file that begins so, or None for any other bytes."""
    return KINDS.get(int.from_bytes(start[:WORD], "little"))


def fields(start: bytes) -> tuple[Field, ...]:
    """The numbers of a header as far as ``start`` goes; none where no known file begins so."""
    kind = kind_of(start)
    return words(start, kind.words) if kind else ()


def words(start: bytes, names: Sequence[str]) -> tuple[Field, ...]:
    """The first words of a header under these names, as far as ``start`` goes."""
    there = min(len(names), len(start) // WORD)
    values = np.frombuffer(start, "<i4", there).tolist()
    return tuple(
        Field(WORD * index, WORD, name, value)
        for index, (name, value) in enumerate(zip(names, values, strict=False))
    )


def field_at(start: bytes, offset: int, near: bytes) -> Field | None:
    """The number that the byte at ``offset`` belongs to; None where the format has no name for it.

    Args:
        start: the file's first bytes, 16 where there are so many.
        offset: a byte of the file.
        near: the file's bytes from ``offset - offset % 16`` on, 16 where there are so many.
    """
    known, kind = fields(start), kind_of(start)
    if offset < HEADER:
        return next((each for each in known if offset - each.offset < each.size), None)
    width = dict(kind.widths).get(known[1].value) if kind and len(known) > 1 else None
    if kind is None or width is None:
        return None
    at = offset % 16 - offset % width
    raw = near[at : at + width] if at >= 0 else b""
    index = (offset - HEADER) // width
    return Field(offset - offset % width, width, f"{kind.item} {index:,}",
                 int.from_bytes(raw, "little")) if len(raw) == width else None
