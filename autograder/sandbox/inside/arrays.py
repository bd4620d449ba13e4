"""NumPy's part of the wire format: arrays and scalars of plain dtypes.

Importing this module adds them to ``codec``; a worker without NumPy does without. Object, string,
structured, date, complex and long double dtypes, and subclasses of ndarray, do not cross: they stay
in the worker as handles. Strides do not cross: an array arrives in C order, writable and its own.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np

from .decoder import READERS, Decoder, Refused
from .encoder import WRITERS, Encoder

__all__ = ["DTYPES"]

# Bool, ints of 8 to 64 bits, floats of 16 to 64 bits, in both byte orders. A frame names a dtype by
# its place here, so no text from the other side ever reaches np.dtype.
_CHARACTERS = "?bBhHiIlLqQefd"
DTYPES = tuple(sorted({np.dtype(order + c).str for c in _CHARACTERS for order in "<>"}))
_PLACES = {name: place for place, name in enumerate(DTYPES)}
_SCALARS = {np.dtype(c).type for c in _CHARACTERS}
_MAX_DIMENSIONS = 32
_DIMENSION = struct.Struct("<Q")


def _write_array(encoder: Encoder, value: np.ndarray[Any, Any], depth: int) -> None:
    place = _PLACES.get(value.dtype.str)
    if place is None or value.ndim > _MAX_DIMENSIONS:
        encoder.write_handle(value)
        return
    encoder.check(value.nbytes)  # before tobytes(): a broadcast array is larger than its memory
    encoder.out += b"a" + bytes([place, value.ndim])
    for size in value.shape:
        encoder.out += _DIMENSION.pack(size)
    encoder.write_raw(value.tobytes())


def _write_scalar(encoder: Encoder, value: np.generic, depth: int) -> None:
    encoder.out += b"g" + bytes([_PLACES[value.dtype.str]])
    encoder.write_raw(value.tobytes())


def _read_array(decoder: Decoder, depth: int) -> np.ndarray[Any, Any]:
    dtype = _read_dtype(decoder)
    dimensions = decoder.take(1)[0]
    if dimensions > _MAX_DIMENSIONS:
        raise Refused("too many dimensions")
    shape = tuple(decoder.unpack(_DIMENSION) for _ in range(dimensions))
    data = decoder.raw()
    if math.prod(shape) * dtype.itemsize != len(data):
        raise Refused("shape and size disagree")
    if dtype.kind == "b" and data.strip(b"\0\1"):
        raise Refused("a bool is 0 or 1")
    try:
        return np.ndarray(shape, dtype, data).copy()
    except ValueError as error:  # such as (0, 2**62): no bytes, yet too large
        raise Refused(str(error)) from None


def _read_scalar(decoder: Decoder, depth: int) -> np.generic:
    dtype = _read_dtype(decoder)
    data = decoder.raw()
    if len(data) != dtype.itemsize or (dtype.kind == "b" and data not in (b"\0", b"\1")):
        raise Refused("not one scalar")
    scalar: np.generic = np.frombuffer(data, dtype)[0]
    return scalar


def _read_dtype(decoder: Decoder) -> np.dtype[Any]:
    place = decoder.take(1)[0]
    if place >= len(DTYPES):
        raise Refused("unknown dtype")
    return np.dtype(DTYPES[place])


WRITERS[np.ndarray] = _write_array
WRITERS.update(dict.fromkeys(_SCALARS, _write_scalar))
READERS[b"a"] = _read_array
READERS[b"g"] = _read_scalar
