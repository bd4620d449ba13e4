"""Values to bytes; the format is described in ``codec``. What cannot cross becomes a handle."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

__all__ = [
    "COUNT", "DOUBLE", "HANDLE", "LONG", "MAX_DEPTH", "MAX_INT_BYTES", "MAX_ITEMS", "WRITERS",
    "Encoder", "TooLarge", "encode",
]

MAX_DEPTH = 64
MAX_ITEMS = 1 << 20  # of all containers of a frame together; packed runs are not counted
MAX_INT_BYTES = 512

COUNT = struct.Struct("<I")
LONG = struct.Struct("<q")
DOUBLE = struct.Struct("<d")
HANDLE = struct.Struct("<Q")

_SHORTEST_RUN = 4

Writer = Callable[["Encoder", Any, int], None]


class TooLarge(Exception):
    """A value that would make a frame larger than allowed."""


class _Unplain(Exception):
    """A dict key or set member that would have to be a handle; the container becomes one."""


class Encoder:
    """Appends values to ``out``. ``handle`` numbers and labels the objects that stay here."""

    def __init__(self, handle: Callable[[object], tuple[int, str]], limit: int) -> None:
        self.out = bytearray()
        self._handle = handle
        self._limit = limit
        self._items = 0
        self._hashing = 0

    def write(self, value: object, depth: int = 0) -> None:
        writer = WRITERS.get(type(value))
        if writer is None or depth > MAX_DEPTH:
            self.write_handle(value)
        else:
            writer(self, value, depth)

    def write_handle(self, value: object) -> None:
        if self._hashing:
            raise _Unplain
        number, label = self._handle(value)
        self.out += b"h" + HANDLE.pack(number)
        self.write_raw(label.encode("utf-8", "surrogatepass"))

    def write_hashed(self, value: object, depth: int) -> None:
        """A dict key or set member, which must not become a handle."""
        self._hashing += 1
        try:
            self.write(value, depth)
        finally:
            self._hashing -= 1

    def write_raw(self, data: bytes) -> None:
        """Bytes after their count."""
        self.check(len(data))
        self.out += COUNT.pack(len(data)) + data

    def count(self, items: int) -> None:
        self._items += items
        if self._items > MAX_ITEMS:
            raise TooLarge(f"more than {MAX_ITEMS} items")
        self.out += COUNT.pack(items)

    def check(self, more: int) -> None:
        """Raises :class:`TooLarge` where ``more`` bytes would not fit."""
        if len(self.out) + more > self._limit:
            raise TooLarge(f"more than {self._limit} bytes")


def _write_int(encoder: Encoder, value: int, depth: int) -> None:
    if -(1 << 63) <= value < 1 << 63:
        encoder.out += b"i" + LONG.pack(value)
        return
    size = value.bit_length() // 8 + 1
    if size > MAX_INT_BYTES:
        encoder.write_handle(value)
        return
    encoder.out += b"I"
    encoder.write_raw(value.to_bytes(size, "little", signed=True))


def _write_float(encoder: Encoder, value: float, depth: int) -> None:
    encoder.out += b"d" + DOUBLE.pack(value)


def _write_str(encoder: Encoder, value: str, depth: int) -> None:
    encoder.check(len(value))  # before a second copy is made of it
    encoder.out += b"s"
    encoder.write_raw(value.encode("utf-8", "surrogatepass"))


def _write_bytes(encoder: Encoder, value: bytes, depth: int) -> None:
    encoder.out += b"b"
    encoder.write_raw(value)


def _sequence_writer(tag: bytes) -> Writer:
    def write(encoder: Encoder, value: list[object] | tuple[object, ...], depth: int) -> None:
        if len(value) >= _SHORTEST_RUN and _write_run(encoder, tag, value):
            return
        encoder.out += tag
        encoder.count(len(value))
        for item in value:
            encoder.write(item, depth + 1)

    return write


def _write_run(encoder: Encoder, tag: bytes, value: list[Any] | tuple[Any, ...]) -> bool:
    """Pack ints of 64 bits, or floats, in one go, where there is nothing else in a sequence."""
    kinds = set(map(type, value))
    code = "q" if kinds == {int} else "d" if kinds == {float} else ""
    if not code:
        return False
    encoder.check(8 * len(value))
    try:
        packed = struct.pack(f"<{len(value)}{code}", *value)
    except struct.error:  # an int of more than 64 bits
        return False
    encoder.out += tag.upper() + code.encode()
    encoder.write_raw(packed)
    return True


def _write_dict(encoder: Encoder, value: dict[object, object], depth: int) -> None:
    start = len(encoder.out)
    try:
        encoder.out += b"m"
        encoder.count(len(value))
        for key, item in value.items():
            encoder.write_hashed(key, depth + 1)
            encoder.write(item, depth + 1)
    except _Unplain:
        del encoder.out[start:]
        encoder.write_handle(value)


def _set_writer(tag: bytes) -> Writer:
    def write(encoder: Encoder, value: set[object] | frozenset[object], depth: int) -> None:
        start = len(encoder.out)
        try:
            encoder.out += tag
            encoder.count(len(value))
            for item in value:
                encoder.write_hashed(item, depth + 1)
        except _Unplain:
            del encoder.out[start:]
            encoder.write_handle(value)

    return write


WRITERS: dict[type, Writer] = {
    type(None): lambda encoder, value, depth: encoder.out.extend(b"N"),
    bool: lambda encoder, value, depth: encoder.out.extend(b"T" if value else b"F"),
    int: _write_int,
    float: _write_float,
    str: _write_str,
    bytes: _write_bytes,
    list: _sequence_writer(b"l"),
    tuple: _sequence_writer(b"u"),
    dict: _write_dict,
    set: _set_writer(b"e"),
    frozenset: _set_writer(b"z"),
}


def encode(value: object, handle: Callable[[object], tuple[int, str]], limit: int) -> bytes:
    """One value as bytes; ``handle`` is called for every object that cannot cross.

    Raises:
        TooLarge: more than ``limit`` bytes, or more than ``MAX_ITEMS`` items.
    """
    encoder = Encoder(handle, limit)
    encoder.write(value)
    encoder.check(0)
    return bytes(encoder.out)
