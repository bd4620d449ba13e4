"""A submission's cells, sorted: the learner's, the course's own, and given ones that changed.

It answers who defines a name. Choosing cells is ``export``'s work, and so is judging them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.cellcode import CellCode, SyntaxProblem, read_code
from autograder.contract import Contract, Part, bare
from autograder.reading import Reading, SubmittedCell

__all__ = ["CodeCell", "Submission"]

MAX_CODE = 2_000_000  # characters of code read in one notebook
TOO_MUCH = CellCode("", problem=SyntaxProblem(f"more than {MAX_CODE:,} characters in all", 1))


@dataclass(frozen=True)
class CodeCell:
    """A code cell and what its code does with names."""

    at: SubmittedCell
    code: CellCode

    @property
    def label(self) -> str:
        """How messages name the cell."""
        return self.at.label

    def seems_meant_for(self, part: Part) -> bool:
        """Whether the cell's id or its text says that ``part`` was to be written here."""
        return part.cell in (self.at.grade_id, self.at.id) or part.name in self.code.mentions


class Submission:
    """The cells of one notebook.

    ``learner`` holds the cells that may be graded, in notebook order, ``own`` the course's own
    cells as released, ``given`` its exported cells where they were changed, and ``text`` what is
    no code.
    """

    def __init__(self, reading: Reading, contract: Contract) -> None:
        self.learner: list[CodeCell] = []
        self.own: list[SubmittedCell] = []
        self.given: list[SubmittedCell] = []
        self.text = [cell for cell in reading.cells if cell.kind != "code"]
        self.definers: dict[str, list[CodeCell]] = {}
        room = MAX_CODE
        for cell in (cell for cell in reading.cells if cell.kind == "code"):
            if bare(cell.source) in contract.own_cells:
                self.own.append(cell)
            elif cell.grade_id.startswith("given-"):
                self.given.append(cell)
            else:
                room -= len(cell.source)
                code = read_code(cell.source) if room >= 0 else TOO_MUCH
                self._add(CodeCell(cell, code), contract.module)

    def _add(self, cell: CodeCell, module: str) -> None:
        self.learner.append(cell)
        for name, definition in cell.code.definitions.items():
            if definition.module != module:  # tests import what is defined above
                self.definers.setdefault(name, []).append(cell)

    @property
    def broken(self) -> list[CodeCell]:
        """The cells that cannot be read as Python."""
        return [cell for cell in self.learner if cell.code.problem]

    def second_half_of(self, first: CodeCell) -> CodeCell | None:
        """The next code cell, where it begins in the middle of a block."""
        follower = next((cell for cell in self.learner if cell.at.index > first.at.index), None)
        if follower and follower.code.problem and follower.code.problem.indented:
            return follower
        return None

    def providers(self, name: str, user: CodeCell) -> Iterator[CodeCell]:
        """Where ``user`` has a global from: its last definition, and what changes it afterwards."""
        found = self.definers.get(name, [])
        if name in user.code.definitions:  # x = f(x) means an earlier x
            found = [cell for cell in found if cell.at.index < user.at.index]
        if not found:
            yield from self.definers.get("*", [])
            return
        yield found[-1]
        if found[-1].code.definitions[name].kind == "value":
            yield from (cell for cell in self.learner
                        if cell.at.index > found[-1].at.index and name in cell.code.changes)
