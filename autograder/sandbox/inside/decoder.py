"""Bytes to values, trusting none of them; the format is described in ``codec``."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from .encoder import COUNT, DOUBLE, HANDLE, LONG, MAX_DEPTH, MAX_INT_BYTES, MAX_ITEMS

__all__ = ["MAX_COLLISIONS", "MAX_KEYS", "READERS", "Decoder", "Refused", "decode"]

MAX_KEYS = 1 << 17  # dict keys and set members of a frame, other than str and bytes: see key()
MAX_COLLISIONS = 16  # of them in one dict or set that share one hash

Reader = Callable[["Decoder", int], object]


class Refused(Exception):
    """Bytes that are no message, or that break a bound."""


class Decoder:
    """Reads values from ``data``. ``handle`` says what a handle's number and label stand for."""

    def __init__(self, data: bytes, handle: Callable[[int, str], object]) -> None:
        self.data = data
        self.at = 0
        self.handle = handle
        self._items = MAX_ITEMS
        self._keys = MAX_KEYS

    def read(self, depth: int = 0) -> object:
        reader = READERS.get(self.take(1))
        if reader is None or depth > MAX_DEPTH + 1:
            raise Refused("nested too deep, or an unknown tag")
        return reader(self, depth)

    def take(self, size: int) -> bytes:
        taken = self.data[self.at : self.at + size]
        if len(taken) != size:
            raise Refused("cut short")
        self.at += size
        return taken

    def unpack(self, form: struct.Struct) -> Any:
        (value,) = form.unpack_from(self.data, self.at)
        self.at += form.size
        return value

    def raw(self) -> bytes:
        return self.take(self.unpack(COUNT))

    def text(self) -> str:
        return self.raw().decode("utf-8", "surrogatepass")

    def count(self) -> int:
        """How many values follow; each takes a byte at least."""
        size: int = self.unpack(COUNT)
        self._items -= size
        if self._items < 0 or size > len(self.data) - self.at:
            raise Refused("too many items")
        return size

    def items(self, depth: int) -> list[object]:
        return [self.read(depth + 1) for _ in range(self.count())]

    def members(self, depth: int) -> Iterator[Any]:
        hashes: dict[int, int] = {}
        return (self.key(depth + 1, hashes) for _ in range(self.count()))

    def key(self, depth: int, hashes: dict[int, int]) -> Any:
        """A dict key or set member; ``hashes`` counts those of the same dict or set.

        A str or bytes hashes with this process's own secret. The hash of anything else is in the
        hands of whoever chose the value, so equal hashes and the number of such keys are bounded:
        a crafted table would cost time that grows with the square of its size.
        """
        value = self.read(depth)
        if type(value) not in (str, bytes):
            mark = hash(value)
            hashes[mark] = hashes.get(mark, 0) + 1
            self._keys -= 1
            if self._keys < 0 or hashes[mark] > MAX_COLLISIONS:
                raise Refused("too many keys, or colliding ones")
        return value


def _read_wide_int(decoder: Decoder, depth: int) -> int:
    data = decoder.raw()
    if len(data) > MAX_INT_BYTES:
        raise Refused("int too wide")
    return int.from_bytes(data, "little", signed=True)


def _read_run(decoder: Decoder, depth: int) -> tuple[Any, ...]:
    code = decoder.take(1)
    if code not in (b"q", b"d"):
        raise Refused("unknown kind of run")
    data = decoder.raw()
    return struct.unpack(f"<{len(data) // 8}{code.decode()}", data)


def _read_dict(decoder: Decoder, depth: int) -> dict[object, object]:
    return {key: decoder.read(depth + 1) for key in decoder.members(depth)}


READERS: dict[bytes, Reader] = {
    b"N": lambda decoder, depth: None,
    b"T": lambda decoder, depth: True,
    b"F": lambda decoder, depth: False,
    b"i": lambda decoder, depth: decoder.unpack(LONG),
    b"I": _read_wide_int,
    b"d": lambda decoder, depth: decoder.unpack(DOUBLE),
    b"s": lambda decoder, depth: decoder.text(),
    b"b": lambda decoder, depth: decoder.raw(),
    b"l": lambda decoder, depth: decoder.items(depth),
    b"u": lambda decoder, depth: tuple(decoder.items(depth)),
    b"L": lambda decoder, depth: list(_read_run(decoder, depth)),
    b"U": _read_run,
    b"m": _read_dict,
    b"e": lambda decoder, depth: set(decoder.members(depth)),
    b"z": lambda decoder, depth: frozenset(decoder.members(depth)),
    b"h": lambda decoder, depth: decoder.handle(decoder.unpack(HANDLE), decoder.text()),
}


def decode(data: bytes, handle: Callable[[int, str], object]) -> object:
    """The value that ``data`` stands for, built of exact built-in types.

    ``handle`` is called with the number and label of each handle, and answers with the object.

    Raises:
        Refused: the bytes are no message, or break a bound.
    """
    decoder = Decoder(data, handle)
    try:
        value = decoder.read()
    except (struct.error, UnicodeDecodeError, TypeError) as error:  # TypeError: a key has no hash
        raise Refused(str(error)) from None
    if decoder.at != len(data):
        raise Refused("bytes left over")
    return value
