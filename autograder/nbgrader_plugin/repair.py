"""A submission put back into the released shape, for nbgrader and for people to read.

Every released cell is there exactly once and in its place; what the learner wrote is kept. This is
the copy that is shown and marked up. Grading reads the submission itself.
"""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_locked

from autograder.contract import Contract, load
from autograder.course import find
from autograder.export import select
from autograder.nbgrader_plugin.nodes import code_cell, markdown_cell
from autograder.reading import Reading, SubmittedCell

__all__ = ["RepairSubmission", "inert", "repaired"]


def inert(source: str) -> str:
    """A learner's text as Markdown that shows it letter by letter.

    Links, pictures and formulas can carry scripts as well as raw HTML can, so none of the
    learner's Markdown is interpreted.
    """
    return f'<pre style="white-space: pre-wrap">{html.escape(source)}</pre>'


def _text(cell: SubmittedCell) -> str:
    """The cell's source; half a character (a lone surrogate) cannot be written to a file."""
    return cell.source.encode("utf-8", "replace").decode("utf-8")


def _extra(cell: SubmittedCell) -> NotebookNode:
    """A cell that stands for no released one; nothing of its metadata is kept."""
    name, text = f"learner-{cell.index}", _text(cell)
    return code_cell(name, text) if cell.kind == "code" else markdown_cell(name, inert(text))


def _homes(
    release: NotebookNode, reading: Reading, contract: Contract
) -> dict[str, SubmittedCell]:
    """The learner's cell for each released id: the one that is graded, else the last of that name
    and kind."""
    kinds = {cell.id: cell.cell_type for cell in release.cells}
    homes = {
        cell.grade_id: cell for cell in reading.cells if kinds.get(cell.grade_id) == cell.kind
    }
    cells = {cell.index: cell for cell in reading.cells}
    functions = select(reading, contract).functions
    homes.update({
        part.cell: cells[functions[part.name].index]
        for part in contract.parts if functions[part.name].index
    })
    return homes


def _fill(released: NotebookNode, cell: SubmittedCell) -> None:
    """Put the learner's source into a released cell that learners may change."""
    source = _text(cell)
    if not is_locked(released) and source != released.source:
        released.source = source if released.cell_type == "code" else inert(source)


def repaired(release: NotebookNode, reading: Reading, contract: Contract) -> NotebookNode:
    """``release`` with the learner's cells in it.

    A cell that stands for none of the released ones comes after the one it followed. A cell that
    defines two functions fills the first one's place, and the second's says where to look.
    """
    homes = _homes(release, reading, contract)
    taken: dict[int, str] = {}
    for name, cell in homes.items():
        taken.setdefault(cell.index, name)
    after: Mapping[str, list[NotebookNode]] = defaultdict(list)
    place = ""
    for cell in reading.cells:
        place = taken.get(cell.index, place)
        if cell.index not in taken:
            after[place].append(_extra(cell))
    cells = list(after[""])
    for released in release.cells:
        if (home := homes.get(released.id)) is not None:
            if taken[home.index] == released.id:
                _fill(released, home)
            else:
                released.source = f"# {released.id} stands in {taken[home.index]}"
        cells += [released, *after[released.id]]
    release.cells = cells
    return release


class RepairSubmission(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader publishes no types
    """First of the sanitize steps; needs ``SubmissionExporter`` as the exporter."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        chapter = find(resources["nbgrader"]["assignment"])
        # nbformat's own function is untyped
        release = nbformat.read(chapter.release, as_version=4)  # type: ignore[no-untyped-call]
        reading = resources["nbgrader"].pop("reading")
        if reading is None:
            return release, resources
        return repaired(release, reading, load(chapter)), resources
