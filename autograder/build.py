"""From ``solutions/SLUG.py`` to what is built of it: solution notebook, release, contract stub.

The release is made by nbgrader's own steps, so ``nbgrader generate_assignment`` writes the same
bytes. Importing this takes a second (jupytext, nbgrader), so nothing that grades imports it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)

from autograder import files
from autograder.chapterfile import SourceCell, read_chapter
from autograder.contract import BONUS, from_notebook
from autograder.course import Chapter, root
from autograder.normalize import METADATA, NormalizeRelease
from autograder.stubs import stub_text

__all__ = ["STUB", "Built", "build", "stale", "write"]

FORMAT: Any = nbformat  # only half of it has types
STUB = "raise NotImplementedError"
HEADING = re.compile(r"#{1,6} +(.+)")


@dataclass(frozen=True)
class Built:
    """The bytes of a chapter's three products."""

    solution: bytes
    release: bytes
    stub: bytes


def _slug(heading: str) -> str:
    """A heading as part of a cell id: ASCII letters and digits, hyphens between."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:48].strip("-") or "section"


def _ids(cells: Sequence[SourceCell]) -> Iterator[str]:
    """``TAG-NAME`` where a cell has a tag, else the section's heading and a number within it."""
    section, count = "top", Counter[str]()
    for cell in cells:
        heading = HEADING.match(cell.source) if cell.kind == "markdown" else None
        if heading:
            section = _slug(heading[1])
        if cell.tag:
            yield f"{cell.tag}-{cell.name}"
        else:
            count[section] += 1
            yield f"{section}-{count[section]}"


def _metadata(cell: SourceCell, name: str) -> dict[str, Any]:
    """nbgrader's metadata, and the tag of a bonus; only what is exported or graded has any."""
    if cell.tag not in ("check", "given", "solve", "tests"):
        return {}
    written = cell.tag in ("solve", "tests")  # by the learner
    graded = {"points": cell.points or 0} if cell.tag == "check" else {}  # a bonus is beside them
    nbgrader = {
        "grade": cell.tag == "check", "grade_id": name, "locked": not written, **graded,
        "schema_version": 3, "solution": written, "task": False,
    }
    return {"nbgrader": nbgrader} | ({"tags": [f"{BONUS}{cell.bonus}"]} if cell.bonus else {})


def _notebook(chapter: Chapter, cells: Sequence[SourceCell]) -> Any:
    metadata = METADATA | {"course": chapter.header}
    new = {"code": FORMAT.v4.new_code_cell, "markdown": FORMAT.v4.new_markdown_cell}
    return FORMAT.v4.new_notebook(metadata=metadata, cells=[
        new[cell.kind](cell.source, id=name, metadata=_metadata(cell, name))
        for cell, name in zip(cells, _ids(cells), strict=True)
    ])


def _release(notebook: Any) -> Any:
    """What nbgrader's steps and our last one make of the solution, in place."""
    resources: dict[str, Any] = {}
    for step in (
        LockCells(), ClearSolutions(code_stub={"python": STUB}), ClearOutput(), CheckCellMetadata(),
        ClearHiddenTests(), ComputeChecksums(), NormalizeRelease(),
    ):
        notebook, resources = step.preprocess(notebook, resources)
    return notebook


def _bytes(notebook: Any) -> bytes:
    text: str = FORMAT.writes(notebook)
    return f"{text}\n".encode()


def build(chapter: Chapter) -> Built:
    """Build a chapter in memory; the same source gives the same bytes.

    Raises:
        CourseError: the source is not right; the message names file, line and what to do.
    """
    notebook = _notebook(chapter, read_chapter(chapter))
    solution = _bytes(notebook)
    contract = from_notebook(chapter, json.loads(solution))
    return Built(solution, _bytes(_release(notebook)), stub_text(contract).encode("utf-8"))


def _products(chapter: Chapter) -> dict[Path, bytes]:
    built = build(chapter)
    return {
        chapter.solution: built.solution,
        chapter.release: built.release,
        chapter.contract: built.stub,
    }


def _differing(chapter: Chapter) -> Iterator[tuple[Path, bytes]]:
    for path, data in _products(chapter).items():
        if not path.is_file() or path.read_bytes() != data:
            yield path, data


def write(chapter: Chapter) -> list[Path]:
    """Write what differs from the source; the paths that changed."""
    changed = []
    for path, data in _differing(chapter):
        files.write(path, data)
        changed.append(path)
    return changed


def stale(chapter: Chapter) -> list[str]:
    """A sentence for each product that is missing, or is not what the source builds."""
    return [
        f"{path.relative_to(root())} is {'stale' if path.exists() else 'missing'}: "
        f"run 'ol build {chapter.number}'"
        for path, _ in _differing(chapter)
    ]
