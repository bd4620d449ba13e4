"""The course's own code of a chapter as a module, for benchmarks to time."""

from __future__ import annotations

import sys
import types

from autograder.carry import Deps, needed
from autograder.contract import reference_module
from autograder.course import find

__all__ = ["reference"]


def reference(name: str) -> types.ModuleType:
    """The module of the chapter that ``name`` means, with those that it needs importable."""
    chapter = find(name)
    package = sys.modules.setdefault("llmdata", types.ModuleType("llmdata"))
    package.__path__ = []
    for module in (*needed(chapter, Deps.REFERENCE).modules, reference_module(chapter)):
        made = sys.modules[module.name] = types.ModuleType(module.name)
        for cell in module.cells:
            exec(compile(cell.source, f"{module.name} ({cell.name})", "exec"), vars(made))
    return made
