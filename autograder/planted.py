"""Planted bugs and correct variants put into the reference, one at a time.

Everything happens in memory; no file is changed and nothing is run. Who notices a bug is
``noticed``'s to say of hidden tests, and ``mutate``'s of tests that learners write.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping
from types import ModuleType

from autograder.cellcode import read_code
from autograder.contract import load, reference_cells, reference_module
from autograder.course import Chapter, CourseError, is_bundle
from autograder.mutants import Equivalent, Mutant, Variant
from autograder.sandbox import Cell, Module
from autograder.signatures import signature_problem

__all__ = [
    "asked", "changed_module", "equivalents", "misfits", "mutants", "planted", "variant_module",
    "variants",
]


def _tables(chapter: Chapter) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mutants_{chapter.slug}", chapter.mutants)
    if spec is None or spec.loader is None or not chapter.mutants.exists():
        raise CourseError(
            f"the planted bugs of {chapter.slug} are not installed here ({chapter.mutants}); "
            "tests are graded by them when the notebook is handed in"
            + ("; until then 'ol check' runs them on your own code" if is_bundle() else "")
        )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mutants(chapter: Chapter) -> tuple[Mutant, ...]:
    """The chapter's planted bugs, in the order of its file.

    Raises:
        CourseError: there is no such file.
    """
    found: tuple[Mutant, ...] = _tables(chapter).MUTANTS
    return found


def asked(chapter: Chapter) -> tuple[Mutant, ...]:
    """The planted bugs that learners' tests are graded by: those within their reach, in what
    everybody writes.

    Raises:
        CourseError: the chapter's planted bugs are not installed here.
    """
    optional = {part.name for part in load(chapter).parts if part.bonus}
    return tuple(
        each for each in mutants(chapter)
        if each.function not in optional and not each.hidden_only
    )


def variants(chapter: Chapter) -> tuple[Variant, ...]:
    """The chapter's correct variants; none where its file has no such table.

    Raises:
        CourseError: there is no such file.
    """
    return getattr(_tables(chapter), "VARIANTS", ())


def equivalents(chapter: Chapter) -> tuple[Equivalent, ...]:
    """The automatic mutants listed as equivalent; none where the file has no such table.

    Raises:
        CourseError: there is no such file.
    """
    return getattr(_tables(chapter), "EQUIVALENTS", ())


def changed_module(chapter: Chapter, sources: Mapping[str, str]) -> Module:
    """The reference with other sources in the cells of some functions."""
    reference = reference_module(chapter)
    replaced = {f"solve-{function}": source for function, source in sources.items()}
    return Module(
        reference.name,
        tuple(Cell(each.name, replaced.get(each.name, each.source)) for each in reference.cells),
    )


def planted(chapter: Chapter, mutant: Mutant) -> Module:
    """The reference with one bug in it.

    Raises:
        CourseError: ``old`` does not stand exactly once in the function's cell, or what comes out
            is not Python.
    """
    place = f"{chapter.mutants}: {mutant.function}: {mutant.name}"
    cell = reference_cells(load(chapter)).get(mutant.function, "")
    times = cell.count(mutant.old)
    if times != 1:
        raise CourseError(
            f"{place}: its old text stands {times} times in the reference's cell instead of once"
        )
    source = cell.replace(mutant.old, mutant.new)
    if problem := read_code(source).problem:
        raise CourseError(f"{place} is not Python: {problem}")
    return changed_module(chapter, {mutant.function: source})


def variant_module(chapter: Chapter, variant: Variant) -> Module:
    """The reference with some functions written another way.

    Raises:
        CourseError: a function is none of the chapter's, or its source is not Python, defines
            something else, or is called otherwise than the reference.
    """
    parts = {part.name: part for part in load(chapter).parts}
    for function, source in variant.sources:
        place, code = f"{chapter.mutants}: variant {variant.name}: {function}", read_code(source)
        if function not in parts:
            raise CourseError(f"{place} is no function of the chapter")
        if code.problem:
            raise CourseError(f"{place} is not Python: {code.problem}")
        if function not in code.definitions:
            raise CourseError(f"{place} is not defined by its source")
        signature = code.definitions[function].signature
        if problem := signature_problem(signature, parts[function].signature):
            raise CourseError(f"{place}: {problem}")
    return changed_module(chapter, dict(variant.sources))


def misfits(chapter: Chapter) -> list[str]:
    """A sentence for each planted bug or variant that does not fit the reference; none where the
    chapter has no file of them."""
    if not chapter.mutants.exists():
        return []
    attempts: list[Callable[[], Module]] = [
        *(functools.partial(planted, chapter, mutant) for mutant in mutants(chapter)),
        *(functools.partial(variant_module, chapter, variant) for variant in variants(chapter)),
    ]
    found = []
    for attempt in attempts:
        try:
            attempt()
        except CourseError as error:
            found.append(str(error))
    return found
