"""Values and messages as short, harmless text for people.

Everything is bounded in length and free of control characters, whatever it was made from. Nothing
here marks up for HTML; the templates escape.
"""

from __future__ import annotations

import reprlib
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.binary import Field, field_at, first_difference, kind_of, words

__all__ = ["argument", "clean", "difference", "value"]

LONGEST = 400
HEX_WIDTH = 16


def clean(text: str, longest: int = LONGEST) -> str:
    """``text`` cut to ``longest`` characters, control and format characters replaced by ``?``."""
    if len(text) <= longest and text.isprintable():
        return text  # nearly always, and tens of times quicker than looking at each character
    cut = text[: longest + 1].replace("\r\n", "\n")
    shown = "".join(
        character if character == "\n" or unicodedata.category(character)[0] != "C" else "?"
        for character in cut
    )
    return shown[:longest] + " ..." if len(shown) > longest else shown


class _Short(reprlib.Repr):
    """A bounded repr that says what it leaves out."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 8
        self.maxstring = self.maxother = 120
        self.maxlong = 80

    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to print very long integers in decimal; their size says enough."""
        return repr(x) if x.bit_length() < 1000 else f"<int of {x.bit_length()} bits>"

    def repr_instance(self, x: Any, level: int) -> str:
        """Objects of a learner's classes go by their class: their repr may be long, or raise."""
        plain = type(x).__module__.split(".")[0] in ("builtins", "numpy", "autograder")
        return super().repr_instance(x, level) if plain else f"<{type(x).__name__}>"

    def repr_ndarray(self, x: np.ndarray[Any, Any], level: int) -> str:
        head = ", ".join(repr(item) for item in x.ravel()[:8].tolist())
        more = ", ..." if x.size > 8 else ""
        shape = "" if x.shape == (len(x.ravel()[:8]),) else f", shape {x.shape}"
        return f"array([{head}{more}], {x.dtype}{shape})"


_short = _Short()


def value(thing: object) -> str:
    """A value as a learner would type it, bounded."""
    try:
        return clean(_short.repr(thing))
    except Exception:  # a learner's own __repr__, in the learner's own kernel, may raise anything
        return f"<{type(thing).__name__} that cannot be shown>"


def argument(thing: object) -> str:
    """A value in a call: as ``value``, but a long array by its size alone."""
    if isinstance(thing, np.ndarray) and thing.size > HEX_WIDTH:
        return f"array of {' x '.join(map(str, thing.shape))} {thing.dtype}"
    return value(thing)


def _hex(data: bytes, offset: int) -> str:
    start = offset - offset % HEX_WIDTH
    return f"{start:08x}  {data[start : start + HEX_WIDTH].hex(' ')}"


def _place(data: bytes, offset: int) -> Field | None:
    return field_at(data[:HEX_WIDTH], offset, data[offset - offset % HEX_WIDTH :][:HEX_WIDTH])


def _header(got: bytes, wanted: bytes) -> list[str]:
    """The numbers at the head of ``wanted``, if they have names, and what ``got`` has in place of
    those that differ."""
    kind = kind_of(wanted)
    if kind is None:
        return []
    there = {each.name: each.value for each in words(got[:HEX_WIDTH], kind.words)}
    lines = [f"header of a {kind.name}:"]
    for each in words(wanted[:HEX_WIDTH], kind.words):
        other = there.get(each.name, "nothing")
        said = each.value if other == each.value else f"wanted {each.value}, got {other}"
        lines.append(f"  {each.name}: {said}")
    return lines


def _difference_of_bytes(got: bytes, wanted: bytes) -> str:
    first = first_difference(got, wanted)
    if first is None:
        return ""
    lines = [f"length {len(got)} instead of {len(wanted)}"] if len(got) != len(wanted) else []
    if first < min(len(got), len(wanted)) and len(got) > 1:
        right, wrong = _place(wanted, first), _place(got, first)
        place = f", {right.name}: wanted {right.value}" if right else ""
        place += f", got {wrong.value}" if right and wrong and wrong.name == right.name else ""
        lines += [f"first differing byte at offset {first}{place}",
                  f"wanted {_hex(wanted, first)}", f"got    {_hex(got, first)}"]
    return "\n".join(lines + _header(got, wanted))


def _difference_of_dicts(got: dict[Any, Any], wanted: dict[Any, Any]) -> str:
    for key, right in wanted.items():
        if key not in got or got[key] != right:
            shown = value(got[key]) if key in got else "nothing"
            return f"first difference at {value(key)}: wanted {value(right)}, got {shown}"
    return ""


def difference(got: object, wanted: object) -> str:
    """Where two sequences or dicts of one type part first, or ``""`` where that says nothing."""
    if isinstance(got, dict) and isinstance(wanted, dict):
        return _difference_of_dicts(got, wanted)
    if type(got) is not type(wanted) or not isinstance(got, list | tuple | bytes | str):
        return ""
    if isinstance(got, bytes) and isinstance(wanted, bytes):
        return _difference_of_bytes(got, wanted)
    assert isinstance(wanted, Sequence)
    if isinstance(got, str) and f"{got}{wanted}".isidentifier():
        return ""  # two words, such as names of types: seen at a glance
    if len(got) != len(wanted):
        return f"length {len(got)} instead of {len(wanted)}"
    pairs = enumerate(zip(got, wanted, strict=True))
    first = next((i for i, (one, other) in pairs if one != other), None)
    if first is None or len(got) == 1:
        return ""
    return (f"first difference at index {first}: "
            f"wanted {value(wanted[first])}, got {value(got[first])}")
