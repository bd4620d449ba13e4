"""A hex view of bytes or of a file, or of two where they part: in HTML, and the same as text.

Of one stream no more is read than is shown; of two, what it takes to find where they part. Headers
of llm.c's files are told by name, right or wrong; nothing is checked.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.binary import WORD, field_at, kind_of, words
from autograder.cards import TwoForms, template
from autograder.course import CourseError
from autograder.show import value
from autograder.streams import Stream, parting, stream

__all__ = ["Header", "HexView", "Line", "view"]

WIDTH = 16
MOST_ROWS = 256
WINDOW = 1 << 16  # bytes looked at for what is shown, rows that are left out among them
BEFORE = 2  # rows shown before the one with the first difference
SIDES = ("first", "second")


@dataclass(frozen=True)
class Line:
    """A row of bytes of one stream, or of both where ``side`` is empty; or a note on rows that are
    left out. ``differing``: the places in ``data`` of bytes that the other stream has not."""

    offset: int
    data: bytes = b""
    side: str = ""
    differing: frozenset[int] = frozenset()
    note: str = ""

    @property
    def label(self) -> str:
        return f"{self.offset:08x}"

    @property
    def readable(self) -> str:
        return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in self.data)

    @property
    def carets(self) -> str:
        return " ".join("^^" if each in self.differing else "  " for each in range(WIDTH))


@dataclass(frozen=True)
class Header:
    """The first words of a known kind of file: offset and name of each, and its value in each
    stream."""

    kind: str
    rows: tuple[tuple[int, str, tuple[str, ...]], ...]


@dataclass(frozen=True, repr=False)
class HexView(TwoForms):
    """What IPython shows as HTML and a terminal as text.

    Attributes:
        lead: sentences on what is shown.
        sides: names of the streams where there are two.
    """

    lead: tuple[str, ...]
    lines: tuple[Line, ...]
    header: Header | None
    sides: tuple[str, ...]

    @property
    def html(self) -> str:
        rendered: str = template("hexview.html").render(view=self, width=WIDTH)
        return rendered

    @property
    def text(self) -> str:
        return "\n".join([*self.lead, *self._header(), *self._rows()])

    def _header(self) -> Iterator[str]:
        if self.header:
            yield f"header of a {self.header.kind}:"
            width = max(len(name) for _, name, _ in self.header.rows)
            for offset, name, values in self.header.rows:
                said = zip(self.sides or [""], values, strict=True)
                yield f"  {offset:2}  {name:<{width}}  " + ", ".join(
                    f"{side} {value}".strip() for side, value in said)

    def _rows(self) -> Iterator[str]:
        side = max((len(name) + 2 for name in self.sides), default=0)
        for line in self.lines:
            if line.note:
                yield f"{'':10}{line.note}"
                continue
            yield (f"{line.label}  {line.side:<{side}}{line.data.hex(' '):<{3 * WIDTH}} "
                   f"{line.readable}")
            if line.differing and line.side == SIDES[1]:
                yield f"{'':{10 + side}}{line.carets}".rstrip()


def view(data: object, other: object, start: int | None, rows: int) -> HexView:
    """The view that ``learn.hexview`` shows, whose docstring has the arguments.

    Raises:
        CourseError: something cannot be shown; the message says what, and what would do.
    """
    streams = [stream(data), *([] if other is None else [stream(other)])]
    longest = max(each.size for each in streams)
    lead, begin = [f"{each.name}: {each.size:,} bytes" for each in streams], 0
    if other is not None:
        first = parting(*streams)
        begin = max(0, (first or 0) // WIDTH - BEFORE) * WIDTH
        lead = [f"{side}: {said}" for side, said in zip(SIDES, lead, strict=True)]
        lead.append(_parted(streams, first))
    if start is not None:
        begin = _whole("start", start, longest) // WIDTH * WIDTH
    groups = itertools.islice(_rows(streams, begin), _whole("rows", rows, MOST_ROWS))
    lines = list(itertools.chain.from_iterable(groups))
    end = max((line.offset + len(line.data) for line in lines), default=longest)
    if end < longest:
        lines.append(Line(end, note=f"{longest - end:,} more bytes: start={end} shows them"))
    return HexView(tuple(lead), tuple(lines), _header(streams), () if other is None else SIDES)


def _whole(name: str, number: int, most: int) -> int:
    try:
        if 0 <= (whole := operator.index(number)) <= most:
            return whole
    except TypeError:
        pass
    raise CourseError(f"{name} is a whole number from 0 to {most}, not {value(number)}")


def _rows(streams: Sequence[Stream], begin: int) -> Iterator[list[Line]]:
    """Row after row; of rows that are the same the first, and how many follow."""
    windows = [each.read(begin, WINDOW) for each in streams]
    places = range(0, max(map(len, windows)), WIDTH)
    for row, alike in itertools.groupby(places, lambda at: [w[at : at + WIDTH] for w in windows]):
        first, *others = alike
        lines = list(_lines(begin + first, row))
        if others:
            note = f"{len(others)} more of the same" if len(others) > 1 else "the same again"
            lines.append(Line(begin + others[-1] + WIDTH, note=note))
        yield lines


def _lines(offset: int, row: Sequence[bytes]) -> Iterator[Line]:
    if row[0] == row[-1]:
        yield Line(offset, row[0])
        return
    for side, mine, theirs in zip(SIDES, row, reversed(row), strict=True):
        pairs = enumerate(itertools.zip_longest(mine, theirs))
        differing = frozenset(place for place, (one, other) in pairs if one != other)
        yield Line(offset, mine, side, differing, note="" if mine else f"{side} has ended")


def _parted(streams: Sequence[Stream], first: int | None) -> str:
    """Where two streams part, and the number there in both, if it has a name."""
    if first is None:
        return "They are the same."
    if first == min(each.size for each in streams):
        return f"They are the same as far as the shorter goes, {first:,} bytes."
    row = first - first % WIDTH
    found = [field_at(each.read(0, WIDTH), first, each.read(row, WIDTH)) for each in streams]
    names = {each.name for each in found if each}
    named = f", {names.pop()}" if len(names) == 1 else ""
    values = ", ".join(f"{side} {each.value}" for side, each in zip(SIDES, found, strict=True)
                       if each and named)
    return f"First differing byte at offset {first:,}{named}" + (f": {values}" if values else ".")


def _header(streams: Sequence[Stream]) -> Header | None:
    """The header's words, if any of the streams begins as a known kind of file does."""
    starts = [each.read(0, WIDTH) for each in streams]
    kind = next(filter(None, map(kind_of, starts)), None)
    if kind is None:
        return None
    values = [{each.offset: str(each.value) for each in words(start, kind.words)}
              for start in starts]
    return Header(kind.name, tuple(
        (WORD * index, name, tuple(each.get(WORD * index, "nothing") for each in values))
        for index, name in enumerate(kind.words)
    ))
