"""Plain values to and from the sandbox: what the grader and its machinery there tell each other.

Values of learner code, which may be handles, are ``proxy``'s business.
"""

from __future__ import annotations

from typing import Any

from .inside import codec

__all__ = ["decode", "encode"]


def encode(value: object, limit: int) -> bytes:
    """The bytes that stand for ``value``.

    Args:
        value: made of plain values only.
        limit: the most bytes there may be.
    """
    return codec.encode(value, _unsendable, limit)


def decode(data: bytes) -> Any:
    """The value that ``data`` stands for.

    Raises:
        Refused: these are no bytes of a plain value.
    """
    return codec.decode(data, _no_handle)


def _unsendable(value: object) -> tuple[int, str]:
    raise TypeError(f"{type(value).__name__} is no plain value")


def _no_handle(number: int, label: str) -> object:
    raise codec.Refused("no handle can be meant here")
