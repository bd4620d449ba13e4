"""From a submission's cells to the module that is graded: which cells are taken, and why.

Cells are found by what they define, and only then by their id. Nothing is run, and nothing is
refused: what is wrong with one function becomes its ``problem``, the rest goes on.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from inspect import Signature

from autograder import remarks
from autograder.contract import Contract, Part
from autograder.reading import Reading
from autograder.sandbox import Cell, Module
from autograder.show import clean
from autograder.signatures import signature_problem
from autograder.submission import CodeCell, Submission
from autograder.verdict import Reason

__all__ = ["FunctionSource", "Selection", "closure", "select", "signature_problem"]

MAX_NOTES = 40


@dataclass(frozen=True)
class FunctionSource:
    """Where one part of the contract stands in the submission.

    ``problem`` says why it cannot be graded (None where it can) and ``message`` explains; where no
    cell is to blame, ``cell`` and ``source`` are empty and ``index`` is 0.
    """

    name: str
    cell: str = ""
    index: int = 0
    cell_id: str = ""
    sha256: str = ""
    source: str = ""
    signature: Signature | None = None
    problem: Reason | None = None
    message: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Selection:
    """The module to grade, each part's place in the submission, and remarks on the cells."""

    module: Module
    functions: dict[str, FunctionSource]
    notes: tuple[str, ...]


def _kind_problem(part: Part, kind: str) -> str | None:
    """Why something of this kind cannot be ``part``; a value or an import may be anything."""
    if kind in (part.kind, "value", "import"):
        return None
    article = "an" if kind.startswith("async") else "a"
    return f"{part.name} is {article} {kind}; a plain {part.kind} is wanted"


def _bounded(notes: Iterable[str]) -> tuple[str, ...]:
    """Notes of bounded length and number: names in them are as long as a learner likes."""
    kept = [clean(note) for note in itertools.islice(notes, MAX_NOTES + 1)]
    return (*kept[:MAX_NOTES], *(["and more of the kind"] if len(kept) > MAX_NOTES else []))


def _source(part: Part, cell: CodeCell, submission: Submission) -> FunctionSource:
    """``part`` as ``cell`` has it, well or badly."""
    hint = remarks.split(cell, submission)
    reason, signature, notes = None, None, hint
    if cell.code.problem:
        message = "; ".join((f"{cell.label}, {cell.code.problem}", *hint))
        reason, notes = Reason.ERROR, ()
    else:
        definition = cell.code.definitions[part.name]
        signature = definition.signature
        unfit = (_kind_problem(part, definition.kind)
                 or signature_problem(signature, part.signature))
        reason, message = (Reason.SIGNATURE, unfit) if unfit else (None, "")
        notes = (*remarks.about_function(part, cell, submission), *hint)
    digest = hashlib.sha256(cell.at.source.encode("utf-8", "surrogatepass")).hexdigest()
    return FunctionSource(
        part.name, cell.label, cell.at.index, cell.at.grade_id or cell.at.id, digest,
        cell.at.source, signature, reason, clean(message), _bounded(notes),
    )


def _find(part: Part, submission: Submission) -> CodeCell | None:
    """The last cell that defines ``part``; else the last unreadable one that seems meant for it."""
    unread = [cell for cell in submission.broken if cell.seems_meant_for(part)]
    return next(reversed(submission.definers.get(part.name) or unread), None)


def closure(
    start: Iterable[CodeCell], submission: Submission, known: frozenset[str]
) -> list[CodeCell]:
    """``start`` and every cell that one of them needs a global from, in notebook order.

    Names in ``known`` are there already.
    """
    taken: dict[int, CodeCell] = {}
    todo = list(start)
    while todo:
        cell = todo.pop()
        if cell.at.index not in taken:
            taken[cell.at.index] = cell
            for name in cell.code.needs - known:
                todo.extend(submission.providers(name, cell))
    return [taken[index] for index in sorted(taken)]


def select(reading: Reading, contract: Contract) -> Selection:
    """Choose what is graded.

    Given cells come from the course, then follow, in notebook order, the cells that define parts of
    the contract and those they need globals from.
    """
    submission = Submission(reading, contract)
    found = {part: _find(part, submission) for part in contract.parts}
    functions = {
        part.name: _source(part, cell, submission) if cell else FunctionSource(
            part.name, problem=Reason.MISSING,
            message=clean(remarks.missing(part, submission, contract)))
        for part, cell in found.items()
    }
    start = (cell for cell in found.values() if cell and not cell.code.problem)
    taken = closure(start, submission, contract.given_names)
    notes = _bounded(remarks.about_cells(taken, submission, contract))
    cells = (*contract.given, *(Cell(cell.label, cell.code.source) for cell in taken))
    return Selection(Module(contract.module, cells), functions, notes)
