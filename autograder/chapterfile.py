"""``solutions/SLUG.py`` read: its cells, their tags, and everything that is wrong with them.

jupytext splits the percent script; the tags are the course's own. Notebooks are ``build``'s work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jupytext

from autograder.cellcode import read_code
from autograder.contract import OWN_TESTS
from autograder.course import Chapter, CourseError

__all__ = ["SourceCell", "read_chapter"]

CODE_TAGS = ("check", "example", "given", "solve", "tests")
TAGS = (*CODE_TAGS, "hints")
MARKER = re.compile(r"\s*#\s*%%(\s|$)")
GIVEN = re.compile(r"[A-Za-z0-9_-]{1,48}")
# Python reads on where jupytext (as str.splitlines) begins a new line.
LINE_ENDS = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
REGION = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS)")
# A comment that looks like a magic stays a comment: the text of a cell is the text of the script.
FORMAT = {"extension": ".py", "format_name": "percent", "comment_magics": False}


@dataclass(frozen=True)
class SourceCell:
    """One cell of a chapter: ``tag`` and ``name`` say what it is for, ``line`` is that of its
    ``# %%``."""

    kind: str
    source: str
    line: int
    tag: str
    name: str
    metadata: dict[str, Any]

    @property
    def points(self) -> Any:
        return self.metadata.get("points")

    @property
    def bonus(self) -> Any:
        return self.metadata.get("bonus")


def _source_cell(cell: Any, line: int) -> SourceCell:
    metadata = {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"}
    tag = next((key for key in TAGS if key in metadata), "")
    return SourceCell(cell.cell_type, cell.source, line, tag, str(metadata.get(tag, "")), metadata)


def _tag_problems(cell: SourceCell) -> Iterator[str]:
    unknown = sorted(cell.metadata.keys() - {*TAGS, "points", "bonus"})
    if unknown:
        yield (f"unknown tag {', '.join(unknown)}; a cell may have one of {', '.join(TAGS)}, "
               'written as tag="name", and a check has points=N or bonus=N')
    if len(cell.metadata.keys() & set(TAGS)) > 1:
        yield "more than one tag; a cell has one purpose"
    if cell.kind not in ("code", "markdown"):
        yield f"a {cell.kind} cell; use code or [markdown]"
    elif cell.tag and (cell.tag in CODE_TAGS) != (cell.kind == "code"):
        yield f"{cell.tag} does not belong on a {cell.kind} cell"
    worth = [each for each in (cell.points, cell.bonus) if each is not None]
    if cell.tag == "check" and not (
        len(worth) == 1 and isinstance(worth[0], int) and worth[0] > 0
    ):
        yield f'check="{cell.name}" needs points=N or bonus=N, a whole number above 0'
    if cell.tag != "check" and worth:
        yield "points and bonus belong on a check cell"
    if cell.name == OWN_TESTS and cell.bonus is not None:
        yield "the learner's own tests are worth points, no bonus"
    legal = GIVEN.fullmatch(cell.name) if cell.tag == "given" else cell.name.isidentifier()
    if cell.tag == "tests" and cell.name != OWN_TESTS:
        yield f'tests="{cell.name}": the learner\'s own tests are called {OWN_TESTS}'
    if cell.tag and not legal:
        yield f'{cell.tag}="{cell.name}": that is not a name'


def _region_problems(cell: SourceCell) -> Iterator[str]:
    """Regions that nbgrader cuts out: paired, and only where it allows them."""
    marks = REGION.findall(cell.source)
    for region, tags in (("SOLUTION", ("solve", "tests")), ("HIDDEN TESTS", ("check",))):
        edges = [edge for edge, name in marks if name == region]
        if edges != ["BEGIN", "END"] * (len(edges) // 2):
            yield f"BEGIN {region} and END {region} do not pair up"
        elif edges and cell.tag not in tags:
            yield f"a {region} region outside of a {' or '.join(tags)} cell"
        elif cell.tag in tags and not edges:
            yield f'{cell.tag}="{cell.name}" has no "### BEGIN {region}" and "### END {region}"'


def _code_problems(cell: SourceCell) -> Iterator[str]:
    if cell.kind != "code":
        return
    code = read_code(cell.source)
    if code.problem:
        yield f"the code cannot be read (its line {code.problem.line}): {code.problem.message}"
    elif cell.tag == "solve":
        definition = code.definitions.get(cell.name)
        if definition is None or definition.kind not in ("function", "class"):
            yield f'solve="{cell.name}" defines no function or class {cell.name}'


def _file_problems(cells: Sequence[SourceCell]) -> Iterator[tuple[int, str]]:
    """What no single cell shows: doubles, and tags for functions that nobody writes."""
    solved = {cell.name for cell in cells if cell.tag in ("solve", "tests")}
    checked = {cell.name for cell in cells if cell.tag == "check"}
    seen: Counter[tuple[str, str]] = Counter()
    for cell in (cell for cell in cells if cell.tag):
        seen[cell.tag, cell.name] += 1
        if seen[cell.tag, cell.name] == 2:
            yield cell.line, f'a second {cell.tag}="{cell.name}"; each stands once'
        if cell.tag != "given" and cell.name not in solved:
            yield cell.line, f'{cell.tag}="{cell.name}", but no cell has solve="{cell.name}"'
        if cell.tag in ("solve", "tests") and cell.name not in checked:
            yield cell.line, f'{cell.tag}="{cell.name}" has no check="{cell.name}" points=N'


def _problems(cells: Sequence[SourceCell]) -> Iterator[tuple[int, str]]:
    for cell in cells:
        for look in (_tag_problems, _region_problems, _code_problems):
            yield from ((cell.line, problem) for problem in look(cell))
    yield from _file_problems(cells)


def read_chapter(chapter: Chapter) -> tuple[SourceCell, ...]:
    """The cells of a chapter's script.

    Raises:
        CourseError: something is wrong with it; one line for each thing, with file and line.
    """
    text = chapter.source.read_text(encoding="utf-8")
    numbered = list(enumerate(text.split("\n"), start=1))
    for number, line in numbered:
        if odd := LINE_ENDS.search(line):
            raise CourseError(f"{chapter.source}, line {number}: the character {odd[0]!a} ends a "
                              "line for some programs and not for others; write it as an escape")
    raw = jupytext.reads(text, fmt=FORMAT).cells
    lines = [number for number, line in numbered if MARKER.match(line)]
    if len(lines) != len(raw):
        raise CourseError(f"{chapter.source}: {len(lines)} lines '# %%' make {len(raw)} cells; "
                          "no text may stand before the first, and no such line in a string or a "
                          "fenced block")
    cells = tuple(_source_cell(cell, line) for cell, line in zip(raw, lines, strict=True))
    found = sorted(_problems(cells))
    if found:
        where = f"{chapter.source}, line"
        raise CourseError("\n".join(f"{where} {line}: {problem}" for line, problem in found))
    return cells
