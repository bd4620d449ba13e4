"""Planted bugs and correct variants: one file a chapter, tables of replacements in the reference.

A chapter's file has three tables: ``MUTANTS``, ``VARIANTS`` and ``EQUIVALENTS``. A test that kills
no bug tests nothing, a bug that no hidden test kills is a hole, and a test that rejects a variant
asks for more than the chapter does; the audit says all three. Applying and running them is
``autograder.planted``'s work.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Equivalent", "Mutant", "Variant"]


@dataclass(frozen=True)
class Mutant:
    """One bug: ``old`` stands exactly once in the reference's cell of ``function``.

    ``why`` says what is wrong with ``new``; ``pitfall`` is the chapter's own words for the slip,
    where its table of pitfalls has it. ``hidden_only``: what it takes to notice the bug is out of
    reach for a learner's test, so those are not graded by it.
    """

    function: str
    name: str
    old: str
    new: str
    why: str
    pitfall: str = ""
    hidden_only: bool = False


@dataclass(frozen=True)
class Variant:
    """A right implementation unlike the reference: ``sources`` are pairs of a function and the
    whole source that takes the place of its cell."""

    name: str
    why: str
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Equivalent:
    """An automatic mutant that no test can notice, by what it changes, and the reason."""

    function: str
    change: str
    why: str
