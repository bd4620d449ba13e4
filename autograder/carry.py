"""What a chapter stands on: the learner's own export of earlier chapters, or the reference.

Chooses modules and says which are carried on the reference; it grades nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from autograder.contract import load, reference_module
from autograder.course import Chapter, CourseError, find, work_dir
from autograder.sandbox import Cell, Module

__all__ = ["Deps", "Needed", "chapters_below", "needed"]


class Deps(StrEnum):
    """What needed chapters may stand on. A class's marks must not depend on whose machine grades,
    so there it is always the reference."""

    OWN = "own export"
    EITHER = "own export, else the reference"
    REFERENCE = "reference"


@dataclass(frozen=True)
class Needed:
    """Modules in the order they are imported, and the chapters that stand on the reference."""

    modules: tuple[Module, ...]
    carried: tuple[str, ...]


def _own(chapter: Chapter) -> Module | None:
    """The module from the learner's export, whose presence means that the chapter passed."""
    path = work_dir() / "llmdata" / f"{chapter.module}.py"
    if not path.is_file():
        return None
    return Module(f"llmdata.{chapter.module}", (Cell(path.name, path.read_text(encoding="utf-8")),))


def chapters_below(chapter: Chapter) -> list[Chapter]:
    """Every chapter below ``chapter``, each once, what is needed first."""
    found: dict[str, Chapter] = {}
    for name in chapter.needs:
        direct = find(name)
        for below in (*chapters_below(direct), direct):
            found.setdefault(below.slug, below)
    return list(found.values())


def needed(chapter: Chapter, deps: Deps) -> Needed:
    """The modules that ``chapter``'s code imports.

    Raises:
        CourseError: one is neither exported nor allowed to stand on the reference.
    """
    modules, carried = [], []
    for below in chapters_below(chapter):
        own = None if deps is Deps.REFERENCE else _own(below)
        if own is None and (deps is Deps.OWN or not load(below).reference):
            raise CourseError(
                f"{_name(chapter)} needs {_name(below)}: build it{_otherwise(below)} "
                f"({chapter.number} stands on {below.number}: 'ol start {below.number}' begins it, "
                "'ol export' adds it to your package)"
            )
        modules.append(own or reference_module(below))
        if own is None:
            carried.append(below.slug)
    return Needed(tuple(modules), tuple(carried))


def _otherwise(below: Chapter) -> str:
    return (", or rerun with --ref-deps" if load(below).reference else
            " first; the course's own, for --ref-deps, is not in what a class receives")


def _name(chapter: Chapter) -> str:
    return chapter.aliases[0] if chapter.aliases else chapter.number
