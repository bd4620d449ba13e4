"""The hand examples of a chapter, as its released notebook has them: what can be checked anywhere.

An example is taken with the cells of the course that it needs names from, never from a learner's
notebook, where it may have been changed. Nothing is run here.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.contract import Contract, load
from autograder.course import Chapter
from autograder.export import closure
from autograder.reading import Reading, read
from autograder.sandbox import Cell
from autograder.submission import CodeCell, Submission

__all__ = ["Example", "examples", "sides"]

PREFIX = "example-"


@dataclass(frozen=True)
class Example:
    """One function's hand example; ``before`` are the course's cells that it stands on."""

    function: str
    source: str
    before: tuple[Cell, ...]

    @property
    def label(self) -> str:
        """How messages name the cell."""
        return f"the hand example of {self.function}"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What runs after the learner's cells. Each ``assert a == b`` keeps both sides, under the
        names that ``sides`` tells, on the lines where it stands."""
        return (*self.before, Cell(self.label, _keeping(self.source)))

    def assertion(self, line: int) -> ast.Assert | None:
        """The innermost ``assert`` that stands on ``line``."""
        found = [each for each in _asserts(self.source)
                 if each.lineno <= line <= (each.end_lineno or each.lineno)]
        return found[-1] if found else None


def sides(line: int) -> tuple[str, str]:
    """The names under which the comparison on ``line`` keeps what was got and what is wanted."""
    return f"_got_{line}", f"_wanted_{line}"


def _asserts(source: str) -> Iterator[ast.Assert]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert))


def _keeping(source: str) -> str:
    """``source`` with both sides of each ``assert a == b`` kept under a name; no line moves."""
    inserted: list[tuple[int, int, str]] = []  # line, byte in it, text
    for node in _asserts(source):
        match node.test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                for side, name in zip((left, right), sides(node.lineno), strict=True):
                    end = side.end_lineno or side.lineno, side.end_col_offset or 0
                    inserted += [(side.lineno, side.col_offset, f"({name} := "), (*end, ")")]
    lines = [line.encode() for line in source.split("\n")]
    for line, place, text in sorted(inserted, reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[:place] + text.encode() + old[place:]
    return b"\n".join(lines).decode()


def _statements(cell: CodeCell) -> Iterator[Cell]:
    """A cell's statements, each to be run by itself: what a sandbox does not have, such as what
    plots, then takes nothing else with it."""
    for node in ast.parse(cell.code.source).body:
        yield Cell(cell.label, ast.unparse(node))


def _example(reading: Reading, contract: Contract, place: int) -> Example:
    """The example in the cell at ``place``; of what stands below it, nothing is taken."""
    above = dataclasses.replace(reading, cells=reading.cells[: place + 1])
    # Here the course's own cells are what names are looked for in.
    submission = Submission(above, dataclasses.replace(contract, own_cells=frozenset()))
    cell = submission.learner[-1]
    taken = closure([cell], submission, contract.names | contract.given_names)
    before = tuple(each for other in taken if other is not cell for each in _statements(other))
    return Example(cell.at.id.removeprefix(PREFIX), cell.code.source, before)


@functools.lru_cache(maxsize=16)
def _read(path: Path, contract: Contract) -> dict[str, Example]:
    reading = read(path, contract)
    found = (
        _example(reading, contract, place)
        for place, cell in enumerate(reading.cells) if cell.id.startswith(PREFIX)
    )
    return {example.function: example for example in found}


def examples(chapter: Chapter) -> dict[str, Example]:
    """The hand examples of a chapter by their functions; read once.

    Raises:
        CourseError: the released notebook is missing or cannot be read.
    """
    return _read(chapter.release, load(chapter))
