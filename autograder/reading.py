"""A submitted notebook read as data, however damaged; nothing in it is ever run.

What comes out is the cells and remarks on what was mended. Which cells count is ``export``'s
decision.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.contract import Contract
from autograder.course import CourseError
from autograder.show import clean

__all__ = [
    "MAX_BYTES", "MAX_CELLS", "MAX_TEXT", "Reading", "Refused", "SubmittedCell", "Unreadable",
    "content", "read",
]

MAX_BYTES = 256 * 2**20  # of the file
MAX_TEXT = 16 * 2**20  # of what is left of it without outputs and pictures
MAX_CELLS = 10_000
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# In a JSON string every quote has a backslash before it, so these bytes can only be a key.
BULK = re.compile(rb'"(?:attachments|outputs|widgets)"\s*:\s*(?=[\[{])')
BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)


class Unreadable(CourseError):
    """A submission in which no cells can be found: what is wrong with it, and what to do."""


class Refused(Unreadable):
    """What was handed in is no file, or larger than any notebook; nothing of it was looked at."""


@dataclass(frozen=True)
class SubmittedCell:
    """One cell: ``index`` counts from 1, ``kind`` is code, markdown or raw, ids are legal or ""."""

    index: int
    id: str
    grade_id: str
    kind: str
    source: str

    @property
    def label(self) -> str:
        """How messages name the cell."""
        name = self.grade_id or self.id
        return f"cell {self.index} ({name})" if name else f"cell {self.index}"


@dataclass(frozen=True)
class Reading:
    """A submission's cells, the SHA-256 of its bytes, and what was mended."""

    cells: tuple[SubmittedCell, ...]
    sha256: str
    notes: tuple[str, ...]


def content(path: Path) -> bytes:
    """The bytes of a submission.

    Raises:
        Refused: it is a link, a folder, a pipe, not there, or larger than ``MAX_BYTES``.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Refused(f"{path.name} is not a file; hand in the notebook itself")
            return _bounded(file.read(MAX_BYTES + 1))
    except OSError as error:
        if path.is_symlink():
            raise Refused(f"{path.name} is a link; hand in the notebook itself") from error
        raise Refused(f"{path.name} cannot be read ({error.strerror})") from error


def _bounded(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise Refused(f"the file is larger than {MAX_BYTES >> 20} MiB; "
                      "clear the outputs and save it again")
    return data


def _end_of(data: bytes, start: int) -> int:
    """Just behind the array or object that begins at ``start``; the data's end if it never ends."""
    depth = 0
    for match in BRACKET.finditer(data, start):
        depth += bool(match[1]) - bool(match[2])
        if not depth:
            return match.end()
    return len(data)


def _without_bulk(data: bytes) -> bytes:
    """The JSON with outputs, attachments and widget state replaced by null, before it is parsed."""
    pieces, position = [], 0
    while match := BULK.search(data, position):
        pieces += [data[position : match.end()], b"null"]
        position = _end_of(data, match.end())
    return b"".join([*pieces, data[position:]])


def _utf8(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The file as UTF-8 without a byte order mark, and a note where it was something else."""
    encoding: str = json.detect_encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding, text = "latin-1", data.decode("latin-1")
    known = encoding.startswith("utf-8")
    notes = () if known else (f"the file is in {encoding}, not UTF-8; it was converted",)
    return text.encode("utf-8"), notes


def _not_json(data: bytes, error: Exception) -> Unreadable:
    start = data.lstrip()[:200].lower()
    if re.search(rb"^(<{7}|>{7}) ", data, re.MULTILINE):
        hint = "it holds the marks of a merge conflict (<<<<<<<); resolve the conflict first"
    elif start.startswith((b"<!doctype", b"<html")):
        hint = "it is a web page; download the notebook itself"
    elif start.startswith((b"#", b"import ", b"from ", b"def ")):
        hint = "it looks like a Python script; hand in the .ipynb file"
    else:
        hint = f"{clean(str(error), 120)}; save it again in JupyterLab, or take an older copy"
    return Unreadable(f"the file is not a notebook: {hint}")


def _parse(data: bytes) -> Mapping[str, Any]:
    if len(data) > MAX_TEXT:
        raise Unreadable(f"the cells hold more than {MAX_TEXT >> 20} MiB of text; "
                         "take pasted data out of the notebook")
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _not_json(data, error) from error
    if not isinstance(notebook, dict):
        raise Unreadable("the file is JSON, but not a notebook: its outermost value is no object")
    return notebook


def _raw_cells(notebook: Mapping[str, Any]) -> list[Any]:
    """The cells of nbformat 4, or of the worksheets of nbformat 3."""
    cells = notebook.get("cells")
    sheets = notebook.get("worksheets")
    if not isinstance(cells, list) and isinstance(sheets, list):
        cells = [cell for sheet in sheets for cell in _list(_dict(sheet).get("cells"))]
    if not isinstance(cells, list) or not cells:
        raise Unreadable("the notebook has no cells; start again from the chapter's release")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"the notebook has more than {MAX_CELLS:,} cells")
    return cells


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _id(value: Any) -> str:
    return value if isinstance(value, str) and ID.fullmatch(value) else ""


def _source(cell: Mapping[str, Any]) -> str:
    """A cell's text with plain line ends; code of nbformat 3 stands under ``input``."""
    source = cell.get("source", cell.get("input"))
    text = source if isinstance(source, str) else "".join(
        line for line in _list(source) if isinstance(line, str))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _cells(raw: list[Any], contract: Contract) -> Iterator[SubmittedCell]:
    kinds = {"code": "code", "heading": "markdown", "markdown": "markdown"}
    for index, entry in enumerate(raw, start=1):
        cell = _dict(entry)
        metadata = _dict(cell.get("metadata"))
        name = _id(cell.get("id")) or _id(metadata.get("id"))  # Colab keeps it in the metadata
        grade_id = _id(_dict(metadata.get("nbgrader")).get("grade_id"))
        if not grade_id and name in contract.ids:
            grade_id = name
        kind = kinds.get(str(cell.get("cell_type")), "raw")
        yield SubmittedCell(index, name, grade_id, kind, _source(cell))


def read(source: Path | bytes, contract: Contract) -> Reading:
    """Read a submission of the chapter that ``contract`` describes.

    Raises:
        Unreadable: there is no notebook in it, or it is too big.
    """
    data = content(Path(source)) if isinstance(source, os.PathLike) else _bounded(source)
    if not data.strip():
        raise Unreadable("the file is empty; save the notebook, then hand it in again")
    text, notes = _utf8(data)
    raw = _raw_cells(_parse(_without_bulk(text)))
    odd = [str(index) for index, entry in enumerate(raw, start=1) if not isinstance(entry, dict)]
    if odd:
        notes += (f"passed over, since it is no cell: entry {', '.join(odd[:5])} of the notebook",)
    return Reading(tuple(_cells(raw, contract)), hashlib.sha256(data).hexdigest(), notes)
