"""What passes between a tester and the code it tests, besides the plain values of ``codec``.

Paths, and objects of the classes that a chapter gives, pass by value: both processes have those
classes. What a call did to its arguments is repeated on the caller's own objects. Other objects
stay where they are.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path, PosixPath
from typing import Any

from .decoder import READERS, Decoder, Refused
from .encoder import WRITERS, Encoder

__all__ = ["allow", "changeable", "fields", "kept"]

_TAG_OBJECT, _TAG_PATH = b"o", b"p"
_classes: list[type] = []


def allow(classes: Sequence[type]) -> None:
    """Add paths and ``classes``, in place of earlier ones, to this process's codec; the other one
    has to add its own twins in the same order. Not for the grader: it takes plain values only."""
    for kind in _classes:
        del WRITERS[kind]
    _classes.clear()
    WRITERS[PosixPath] = _write_path
    READERS[_TAG_PATH] = lambda decoder, depth: Path(decoder.text())
    READERS[_TAG_OBJECT] = _read_object
    for kind in classes:
        _classes.append(kind)
        WRITERS[kind] = _write_object


def _write_path(encoder: Encoder, value: Path, depth: int) -> None:
    encoder.out += _TAG_PATH
    encoder.write_raw(str(value).encode("utf-8", "surrogatepass"))


def _write_object(encoder: Encoder, value: Any, depth: int) -> None:
    encoder.out += _TAG_OBJECT + bytes([_classes.index(type(value))])
    encoder.write(vars(value), depth + 1)


def _read_object(decoder: Decoder, depth: int) -> object:
    place = decoder.take(1)[0]
    if place >= len(_classes):
        raise Refused("an object of no class that passes")
    made: object = object.__new__(_classes[place])
    fields = decoder.read(depth + 1)
    if type(fields) is not dict:
        raise Refused("an object without fields")
    vars(made).update(fields)
    return made


def changeable(value: object) -> bool:
    """Whether a call may change ``value`` in place, as far as it crosses."""
    return type(value) in (list, dict, set, *_arrays(), *_classes)


def fields(value: object) -> dict[str, Any]:
    """The fields of an object that passes by value; nothing of others."""
    return dict(vars(value)) if type(value) in _classes else {}


def _arrays() -> tuple[type, ...]:
    numpy = sys.modules.get("numpy")
    return (numpy.ndarray,) if numpy else ()


def kept(own: Any, new: Any) -> Any:
    """``own``, changed in place to what ``new`` says; ``new`` where that cannot be done."""
    if type(own) is not type(new) or not changeable(own):
        return new
    if type(own) is list:
        pairs = zip(own, new, strict=False)
        own[:] = [*(kept(old, item) for old, item in pairs), *new[len(own) :]]
    elif type(own) is set:
        own.clear()
        own.update(new)
    elif type(own) is dict:
        _keep_items(own, new)
    elif type(own) in _classes:
        _keep_items(vars(own), vars(new))
    elif own.shape == new.shape and own.dtype == new.dtype and own.flags.writeable:
        own[...] = new
    else:
        return new
    return own


def _keep_items(own: dict[Any, Any], new: dict[Any, Any]) -> None:
    items = {key: kept(own[key], item) if key in own else item for key, item in new.items()}
    own.clear()
    own.update(items)
