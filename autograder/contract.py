"""What a chapter exports: the parts a learner writes, the cells the course gives.

Read from the built solution notebook as plain JSON, so that grading needs neither jupytext nor
nbformat. Submissions are ``reading``'s work; building is ``build``'s.
"""

from __future__ import annotations

import difflib
import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import Signature
from pathlib import Path
from typing import Any

from autograder.cellcode import read_code
from autograder.course import Chapter, CourseError, chapters
from autograder.sandbox import Cell, Module

__all__ = [
    "BONUS", "OWN_TESTS", "Contract", "OwnTests", "Part", "bare", "chapter_of", "from_notebook",
    "load", "reference_cells", "reference_module",
]


@dataclass(frozen=True)
class Part:
    """One function or class that a learner writes, and the points its tests decide.

    ``bonus``: nobody has to write it, and its points come on top of the chapter's.
    """

    name: str
    kind: str  # "function" or "class"
    points: int
    signature: Signature | None  # None for a class without an __init__
    cell: str  # the id of the cell to write it in
    check: str  # the id of the cell that checks it
    doc: str  # its docstring
    bonus: bool = False


SOLUTION = re.compile(r"( *)### BEGIN SOLUTION\n.*?### END SOLUTION", re.DOTALL)
BONUS = "bonus="  # begins the tag of a check cell whose points come on top
OWN_TESTS = "own_tests"  # the name of the tests a learner writes, where functions have theirs


@dataclass(frozen=True)
class OwnTests:
    """The tests that a learner writes: their points, the cell for them, and the course's own."""

    points: int
    cell: str
    check: str
    reference: str
    stub: str  # what the release has in its place


@dataclass(frozen=True)
class Contract:
    """A chapter's exports.

    ``given`` and ``reference`` hold cells in notebook order, the latter with the solutions among
    them; ``given_names`` is what the given cells bind, imports included; ``own_cells`` are the
    sources of the course's other code cells, as ``bare`` makes them. ``own_tests`` is None where a
    chapter asks for none.
    """

    chapter: str
    module: str
    parts: tuple[Part, ...]
    given: tuple[Cell, ...]
    reference: tuple[Cell, ...]
    given_names: frozenset[str]
    given_exports: tuple[str, ...]
    own_cells: frozenset[str]
    ids: frozenset[str]
    given_classes: tuple[str, ...] = ()
    own_tests: OwnTests | None = None

    @property
    def names(self) -> frozenset[str]:
        """Everything that other chapters and hidden tests may use."""
        return frozenset({*self.given_exports, *(part.name for part in self.parts)})

    @property
    def points(self) -> int:
        """The points of the whole chapter, without any bonus."""
        own = self.own_tests.points if self.own_tests else 0
        return sum(part.points for part in self.parts if not part.bonus) + own

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)


def bare(source: str) -> str:
    """A cell's source without hidden tests and outer blank lines: the same in every notebook."""
    kept, hidden = [], False
    for line in source.split("\n"):
        hidden = hidden or "BEGIN HIDDEN TESTS" in line
        if not hidden:
            kept.append(line)
        hidden = hidden and "END HIDDEN TESTS" not in line
    return "\n".join(kept).strip()


def _bonus(cell: Mapping[str, Any]) -> int:
    """The bonus points of a check cell; 0 where its points are the chapter's."""
    tags = [tag for tag in cell["metadata"].get("tags", ()) if tag.startswith(BONUS)]
    return int(tags[0].removeprefix(BONUS)) if tags else 0


def _part(name: str, sources: Mapping[str, str], points: Mapping[str, int], bonus: int) -> Part:
    definition = read_code(sources[f"solve-{name}"]).definitions[name]
    return Part(name, definition.kind, bonus or points[name], definition.signature,
                f"solve-{name}", f"check-{name}", definition.doc, bonus > 0)


def _own_tests(sources: Mapping[str, str], points: Mapping[str, int]) -> OwnTests | None:
    cell = f"tests-{OWN_TESTS}"
    if cell not in sources:
        return None
    stub = SOLUTION.sub(r"\1raise NotImplementedError", sources[cell])
    return OwnTests(points[OWN_TESTS], cell, f"check-{OWN_TESTS}", sources[cell], stub)


def from_notebook(chapter: Chapter, notebook: Mapping[str, Any]) -> Contract:
    """The contract that a built solution notebook, given as plain data, makes."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in code}
    checks = {
        cell["id"].removeprefix("check-"): cell for cell in code if cell["id"].startswith("check-")
    }
    points = {name: cell["metadata"]["nbgrader"]["points"] for name, cell in checks.items()}
    reference = tuple(Cell(name, source) for name, source in sources.items()
                      if name.startswith(("given-", "solve-")))
    given = tuple(cell for cell in reference if cell.name.startswith("given-"))
    solved = [name.removeprefix("solve-") for name in sources if name.startswith("solve-")]
    bound = {
        name: definition
        for cell in given for name, definition in read_code(cell.source).definitions.items()
    }
    return Contract(
        chapter.slug, f"llmdata.{chapter.module}",
        parts=tuple(_part(name, sources, points, _bonus(checks[name])) for name in solved),
        given=given,
        reference=reference,
        given_names=frozenset(bound),
        given_exports=tuple(name for name, definition in bound.items()
                            if definition.kind != "import" and not name.startswith("_")),
        own_cells=frozenset(bare(source) for name, source in sources.items()
                            if not name.startswith(("solve-", "tests-"))),
        ids=frozenset(cell["id"] for cell in notebook["cells"]),
        given_classes=tuple(name for name, each in bound.items() if each.kind == "class"),
        own_tests=_own_tests(sources, points),
    )


@functools.lru_cache(maxsize=64)
def _load(chapter: Chapter, path: Path, stamp: tuple[int, int]) -> Contract:
    contract = from_notebook(chapter, json.loads(path.read_text(encoding="utf-8")))
    return _without_reference(contract) if path == chapter.release else contract


def _without_reference(contract: Contract) -> Contract:
    """What a release tells: its stubs are no reference."""
    own = contract.own_tests
    return replace(contract, reference=(), own_tests=own and replace(own, reference=""))


def load(chapter: Chapter) -> Contract:
    """The contract of a chapter; read again only when its notebook changes. In what a class
    receives it is the released one, and the contract has no reference, unless the chapter is over.

    Raises:
        CourseError: the notebook is not built, or is not what ``ol build`` writes.
    """
    path = chapter.fullest
    try:
        state = path.stat()
        return _load(chapter, path, (state.st_mtime_ns, state.st_size))
    except FileNotFoundError as error:
        raise CourseError(f"{path} is missing; {chapter.remake}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{path} is not as it was built "
                          f"({type(error).__name__}: {error}); {chapter.remake}") from error


def reference_module(chapter: Chapter) -> Module:
    """The course's own solution: given and solution cells in notebook order.

    Raises:
        CourseError: it is not here, since this is what a class receives.
    """
    contract = load(chapter)
    if not contract.reference:
        raise CourseError(f"the course's own solution of {chapter.slug} is not in what a class "
                          "receives, so nothing can stand on it or be compared with it here")
    return Module(contract.module, contract.reference)


def reference_cells(contract: Contract) -> dict[str, str]:
    """The source of each part's solution cell, by the part's name."""
    sources = {cell.name: cell.source for cell in contract.reference}
    return {part.name: sources[part.cell] for part in contract.parts}


def chapter_of(name: str) -> Chapter:
    """The chapter in which a learner writes ``name``.

    Raises:
        CourseError: no chapter has such a function; the message suggests the nearest.
    """
    known: list[str] = []
    for chapter in chapters():
        names = [part.name for part in load(chapter).parts]
        if name in names:
            return chapter
        known += names
    near = difflib.get_close_matches(name, known, n=1)
    guess = f" Did you mean '{near[0]}'?" if near else ""
    raise CourseError(f"no chapter asks for a function '{name}'.{guess}")
