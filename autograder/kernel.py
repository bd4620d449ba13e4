"""The kernel that a notebook runs in: its names, its chapter, and the cells that ran in it.

While a notebook is open, ``from llmdata import MODULE`` means that notebook, so that tests in it
are written as they would be anywhere else. Nothing is checked or graded here.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython

from autograder.contract import load, reference_module
from autograder.course import Chapter, CourseError, chapters, work_dir
from autograder.reading import Reading, SubmittedCell

__all__ = ["cell_number", "cells", "here", "namespace", "settle"]

_cells: dict[str, str] = {}  # source by id, in the order of the latest runs
_unnamed = itertools.count(1)


def cell_number() -> int | None:
    """The number of the cell that runs, or None where this is no notebook."""
    shell = get_ipython()
    return shell.execution_count if shell is not None else None


def namespace() -> dict[str, Any]:
    """The names that the learner's cells have made."""
    shell = get_ipython()
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])


def here() -> Chapter | None:
    """The chapter of this notebook: told by the notebook's path or the working folder, else by the
    functions that its cells have defined."""
    named = os.environ.get("JPY_SESSION_NAME", ""), namespace().get("__vsc_ipynb_file__", "")
    words = {Path(path).stem for path in named} | set(Path.cwd().parts)
    told = next((chapter for chapter in chapters() if chapter.slug in words), None)
    if told is not None:
        return told
    likely = max(chapters(), key=_defined, default=None)
    return likely if likely is not None and _defined(likely) else None


def _defined(chapter: Chapter) -> int:
    """How many of a chapter's functions there are in this kernel."""
    names = namespace()
    try:
        return sum(part.name in names for part in load(chapter).parts)
    except CourseError:  # a chapter that is not built yet
        return 0


def cells() -> Reading:
    """The cells that ran so far, read as a submission; of each its latest run."""
    submitted = tuple(
        SubmittedCell(index, name, name, "code", source)
        for index, (name, source) in enumerate(_cells.items(), start=1)
    )
    digest = hashlib.sha256("\0".join(_cells.values()).encode("utf-8", "surrogatepass"))
    return Reading(submitted, digest.hexdigest(), ())


def _note(info: Any) -> None:
    name = getattr(info, "cell_id", None) or f"run-{next(_unnamed)}"
    _cells.pop(name, None)
    _cells[name] = info.raw_cell


class _Notebook(types.ModuleType):
    """Stands for the module that a notebook will be exported as: what its cells define."""

    def __getattr__(self, name: str) -> Any:
        try:
            return namespace()[name]
        except KeyError:
            raise AttributeError(f"no cell of this notebook defines '{name}' yet") from None


class _FromCells(Loader):
    """Makes the module of the notebook that is open."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _Notebook(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to run: cells have been."""


class _FromReference(Loader):
    """Makes the module of an earlier chapter that has not been exported, and says so."""

    def __init__(self, chapter: Chapter) -> None:
        self._chapter = chapter

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        slug = self._chapter.slug
        try:
            cells = reference_module(self._chapter).cells
        except CourseError as error:
            raise ImportError(f"{slug} is not exported yet; 'ol export' does it") from error
        for cell in cells:
            exec(compile(cell.source, f"{slug} ({cell.name})", "exec"), vars(module))
        print(f"{module.__name__}: {slug} is not exported yet, so this is the course's own")


class _Finder(MetaPathFinder):
    """Finds this notebook's module; those of other chapters where nothing has been exported yet;
    and a package for them."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        package, _, tail = name.partition(".")
        if package != "llmdata":
            return None
        if not tail:
            return None if PathFinder.find_spec(name) else _package(name)
        chapter = here()
        if chapter is not None and tail == chapter.module:
            return ModuleSpec(name, _FromCells())
        other = next((each for each in chapters() if each.module == tail), None)
        importlib.invalidate_caches()  # an export may have come since this kernel started
        if other is None or PathFinder.find_spec(name, path):
            return None
        return ModuleSpec(name, _FromReference(other))


def _package(name: str) -> ModuleSpec:
    """A package without code of its own, whose modules are those that were exported."""
    package = ModuleSpec(name, None, is_package=True)
    package.submodule_search_locations = [str(work_dir() / name)]
    return package


def settle(**offered: object) -> None:
    """Note the cells that run from now on, and let them import what they define.

    What is ``offered`` need not be imported; a name that the notebook has already stays its own.
    """
    shell = get_ipython()
    if shell is not None and _note not in shell.events.callbacks["pre_run_cell"]:
        shell.events.register("pre_run_cell", _note)
        sys.meta_path.insert(0, _Finder())
        for name, thing in offered.items():
            shell.user_ns.setdefault(name, thing)
