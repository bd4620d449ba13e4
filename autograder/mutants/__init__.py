"""Planted bugs: one file a chapter, a table of small replacements in the reference.

A hidden test that kills none of them tests nothing, and a bug that none kills is a hole; the audit
says both. Applying and running them is ``autograder.planted``'s work.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Mutant"]


@dataclass(frozen=True)
class Mutant:
    """One bug: ``old`` stands exactly once in the reference's cell of ``function``.

    ``why`` says what is wrong with ``new``; ``pitfall`` is the chapter's own words for the slip,
    where its table of pitfalls has it.
    """

    function: str
    name: str
    old: str
    new: str
    why: str
    pitfall: str = ""
