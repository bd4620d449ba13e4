"""The kernel that a notebook runs in: its names, its chapter, and the cells that ran in it.

While a notebook is open, ``from llmdata import MODULE`` means that notebook, so that tests in it
are written as they would be anywhere else. Nothing is checked or graded here.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython

from autograder.contract import load
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


class _Finder(MetaPathFinder, Loader):
    """Finds this notebook's module, and a package for it where nothing has been exported yet."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "llmdata" and PathFinder.find_spec(name) is None:
            package = ModuleSpec(name, self, is_package=True)
            package.submodule_search_locations = [str(work_dir() / name)]
            return package
        if name.startswith("llmdata.") and (chapter := here()) is not None:
            return ModuleSpec(name, self) if name == f"llmdata.{chapter.module}" else None
        return None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _Notebook(spec.name) if "." in spec.name else types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to run: cells have been."""


def settle() -> None:
    """Note the cells that run from now on, and let them import what they define."""
    shell = get_ipython()
    if shell is not None and _note not in shell.events.callbacks["pre_run_cell"]:
        shell.events.register("pre_run_cell", _note)
        sys.meta_path.insert(0, _Finder())
