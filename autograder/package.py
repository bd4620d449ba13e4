"""``llmdata`` on disk: a package that pip can install, and where each function came from. A module
that exports ``main`` makes it a command as well.

What is exported is decided elsewhere. The same modules give the same bytes; a folder that is not
ours is never touched.
"""

from __future__ import annotations

import ast
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder import files
from autograder.course import CourseError
from autograder.magics import without_statements
from autograder.sandbox import Cell

__all__ = ["ExportedFunction", "ExportedModule", "write_package"]

GENERATED = "# Written by 'ol export'; it will be written over. The notebooks are the source."
PROVENANCE = "PROVENANCE.json"
FORMAT = "llmdata-provenance"
VERSION = 1
PROJECT = """\
{generated}

[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "llmdata"
version = "0.1.0"
description = "Exported from the notebooks of Bytes to Batches"
requires-python = ">=3.11"
dependencies = {dependencies}

[tool.setuptools]
packages = ["llmdata"]

[tool.setuptools.package-data]
llmdata = ["PROVENANCE.json"]
"""
MAIN = """\
{generated}
\"\"\"``python -m llmdata``: the command line of llmdata.{module}.\"\"\"

import os
import sys

if not __package__:  # run by its path: then this folder's tokenize.py would hide Python's own
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.path.dirname(here), *(path for path in sys.path if path != here)]

from llmdata.{module} import main

if __name__ == "__main__":
    main()
"""


@dataclass(frozen=True)
class ExportedFunction:
    """Where one function or class came from, and what grading said of it.

    ``origin`` is ``learner`` or ``reference``; ``cell`` counts from 1 in ``notebook``; ``sha256``
    is that of the cell's source; ``verdict`` is ``passed``, ``failed``, or ``visible checks only``
    where what passed was no hidden test; ``tests`` reads like ``6 of 6``.
    """

    name: str
    origin: str
    notebook: str
    cell: int
    cell_id: str
    sha256: str
    verdict: str
    tests: str


@dataclass(frozen=True)
class ExportedModule:
    """One chapter's module: its cells in order, and the names that it exports.

    ``name`` is without the package (``rand``); ``packages`` are what it needs from PyPI.
    """

    name: str
    chapter: str
    title: str
    cells: tuple[Cell, ...]
    names: tuple[str, ...]
    functions: tuple[ExportedFunction, ...]
    packages: tuple[str, ...] = ()


def _future_imports(source: str) -> list[ast.ImportFrom]:
    return [node for node in ast.parse(source).body
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"]


def _module_text(module: ExportedModule) -> str:
    """One file of all cells; ``from __future__`` moves to the top, where a file must have it."""
    future = {cell: _future_imports(cell.source) for cell in module.cells}
    nodes = [node for found in future.values() for node in found]
    features = sorted({alias.name for node in nodes for alias in node.names})
    title = module.title.replace("\\", "\\\\").replace('"', '\\"')
    blocks = [
        f'{GENERATED}\n"""{title}: chapter {module.chapter}."""',
        *([f"from __future__ import {', '.join(features)}"] if features else []),
        *(f"# {cell.name}\n{without_statements(cell.source, found).strip()}"
          for cell, found in future.items()),
        "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(module.names)) + "]",
    ]
    return "\n\n\n".join(blocks) + "\n"


def _init_text(modules: Sequence[ExportedModule]) -> str:
    names = "".join(f'    "{name}",\n' for name in sorted(module.name for module in modules))
    doc = f'"""What passed of Bytes to Batches; see {PROVENANCE}."""'
    return f"{GENERATED}\n{doc}\n\n__all__ = [\n{names}]\n"


def _main_texts(modules: Sequence[ExportedModule]) -> dict[str, str]:
    """``__main__.py``, where a module has a command line; the last one knows those before it."""
    ordered = sorted(modules, key=lambda module: module.chapter)
    commands = [module.name for module in ordered if "main" in module.names]
    texts = [MAIN.format(generated=GENERATED, module=name) for name in commands]
    return {"__main__.py": texts[-1]} if texts else {}


def _provenance_text(modules: Sequence[ExportedModule]) -> str:
    entries = {
        module.name: {
            "chapter": module.chapter,
            "title": module.title,
            "functions": [asdict(function) for function in module.functions],
        }
        for module in sorted(modules, key=lambda module: module.name)
    }
    provenance = {"format": FORMAT, "version": VERSION, "modules": entries}
    return json.dumps(provenance, indent=1, ensure_ascii=False) + "\n"


def _project_text(modules: Sequence[ExportedModule]) -> str:
    packages = sorted({package for module in modules for package in module.packages})
    return PROJECT.format(generated=GENERATED, dependencies=json.dumps(packages))


def _is_ours(package: Path) -> bool:
    try:
        provenance = json.loads((package / PROVENANCE).read_text(encoding="utf-8"))
        return bool(provenance["format"] == FORMAT)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _refuse_foreign(target: Path) -> None:
    package, project = target / "llmdata", target / "pyproject.toml"
    in_the_way = {
        package: package.is_symlink() or (package.exists() and not _is_ours(package)),
        project: project.exists() and not project.read_bytes().startswith(GENERATED.encode()),
    }
    for path, foreign in in_the_way.items():
        if foreign:
            raise CourseError(f"{path} was not written by 'ol export' and stays as it is; "
                              "move it, or export elsewhere with --to")


def _swap(new: Path, package: Path, old: Path) -> None:
    """Put ``new`` in the place of ``package``; what was there comes back if that fails."""
    if package.exists():
        package.rename(old)
    try:
        new.rename(package)
    except OSError:
        if old.exists():
            old.rename(package)
        raise


def write_package(target: Path, modules: Sequence[ExportedModule]) -> None:
    """Write ``target/llmdata`` and ``target/pyproject.toml``, whole or not at all.

    Raises:
        CourseError: something else lies there, or it cannot be written.
    """
    _refuse_foreign(target)
    texts = {f"{module.name}.py": _module_text(module) for module in modules}
    texts |= {"__init__.py": _init_text(modules), PROVENANCE: _provenance_text(modules)}
    texts |= _main_texts(modules)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".llmdata-", dir=target) as scratch:
            new = Path(scratch) / "new"
            new.mkdir()
            for name, text in texts.items():
                (new / name).write_text(text, encoding="utf-8")
            _swap(new, target / "llmdata", Path(scratch) / "old")
    except OSError as error:
        raise CourseError(f"{target}: the package cannot be written ({error.strerror})") from error
    files.write(target / "pyproject.toml", _project_text(modules))
