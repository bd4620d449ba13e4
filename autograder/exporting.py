"""``ol export``: the chapters that pass, written as the package ``llmdata``.

It grades before it writes: nothing unproven is exported but a bonus that somebody has begun, which
is no part of what the module offers. In what a class receives that takes the visible checks, and
the package's provenance says so. Choosing cells and writing files are other modules' work.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.carry import Deps
from autograder.contract import OWN_TESTS, Contract, load, reference_cells, reference_module
from autograder.course import Chapter, CourseError, chapters, root, work_dir
from autograder.export import select
from autograder.grade import grade_reference
from autograder.package import ExportedFunction, ExportedModule, write_package
from autograder.reading import read
from autograder.sandbox import Module
from autograder.verdict import FunctionVerdict, Verdict
from autograder.visible import checked

__all__ = ["Exported", "export_package"]


@dataclass(frozen=True)
class Exported:
    """Where the package lies, what is in it, and why each other chapter that is started is not."""

    folder: Path
    modules: tuple[str, ...]
    skipped: tuple[str, ...]
    not_started: tuple[str, ...]


@dataclass(frozen=True)
class _Place:
    """Where a function's cell stands: its index from 1 in the notebook, its id, its SHA-256."""

    index: int
    cell_id: str
    sha256: str


def _module(
    chapter: Chapter,
    module: Module,
    verdict: Verdict,
    places: Mapping[str, _Place],
    *,
    origin: str,
    notebook: str,
) -> ExportedModule:
    contract = load(chapter)
    passed = "visible checks only" if verdict.visible else "passed"
    unproven = {each.name for each in verdict.functions if each.bonus and not each.passed}

    def entry(function: FunctionVerdict) -> ExportedFunction:
        place = places[function.name]
        return ExportedFunction(
            function.name,
            origin,
            notebook,
            place.index,
            place.cell_id,
            place.sha256,
            passed if function.passed else "failed",
            f"{function.count_passed} of {function.counted}",
        )

    return ExportedModule(
        chapter.module,
        chapter.slug,
        chapter.title,
        module.cells,
        tuple(sorted(contract.names - unproven)),
        tuple(entry(function) for function in verdict.functions if function.name in places),
        chapter.packages,
    )


def _reference_places(contract: Contract) -> dict[str, _Place]:
    order = [cell.name for cell in contract.reference]
    return {
        part.name: _Place(
            order.index(part.cell) + 1, part.cell, hashlib.sha256(source.encode()).hexdigest()
        )
        for part, source in zip(contract.parts, reference_cells(contract).values(), strict=True)
    }


def _reference(chapter: Chapter) -> ExportedModule:
    return _module(
        chapter,
        reference_module(chapter),
        grade_reference(chapter),
        _reference_places(load(chapter)),
        origin="reference",
        notebook=chapter.source.relative_to(root()).as_posix(),
    )


def _learner(chapter: Chapter) -> ExportedModule | str:
    """The learner's module, or why it is left out."""
    contract, data = load(chapter), chapter.work.read_bytes()
    try:
        verdict = checked(chapter, data, deps=Deps.EITHER)
    except CourseError as error:  # a chapter below is missing, and all others are to be exported
        return f"{chapter.slug}: {error}"
    # Later chapters stand on the functions; tests of one's own are no part of the package.
    functions = [function for function in verdict.functions if function.name != OWN_TESTS]
    failing = [each.name for each in functions if not (each.passed or each.bonus)]
    if failing:
        return f"{chapter.slug}: {', '.join(failing)} not passed; see 'ol check {chapter.number}'"
    if verdict.problems:
        return f"{chapter.slug}: it would not import. {verdict.problems[0]}; mend that line"
    selection = select(read(data, contract), contract)
    places = {
        name: _Place(source.index, source.cell_id, source.sha256)
        for name, source in selection.functions.items()
    }
    return _module(
        chapter,
        selection.module,
        verdict,
        places,
        origin="learner",
        notebook=chapter.work.relative_to(work_dir()).as_posix(),
    )


def export_package(to: Path | None, *, solutions: bool) -> Exported:
    """Write every chapter that passes into ``to`` (the learner's folder unless given).

    Raises:
        CourseError: the folder holds another llmdata, or cannot be written.
    """
    folder = (to or work_dir()).absolute()
    started = [each for each in chapters() if solutions or each.work.exists()]
    results = [_reference(each) if solutions else _learner(each) for each in started]
    modules = [result for result in results if isinstance(result, ExportedModule)]
    if modules:
        write_package(folder, modules)
    return Exported(
        folder,
        tuple(module.name for module in modules),
        tuple(result for result in results if isinstance(result, str)),
        tuple(each.number for each in chapters() if each not in started),
    )
