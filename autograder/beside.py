"""``ol diff``: a learner's functions beside the reference's, as unified diffs.

It shows and judges nothing; that all of it passes is for the caller to make sure.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.contract import load, reference_cells
from autograder.course import Chapter
from autograder.export import select
from autograder.reading import read

__all__ = ["differences"]

# What authors write around a solution says nothing about the code.
AUTHORS_LINE = re.compile(r"\s*(### (BEGIN|END) SOLUTION|# (TODO|HINT)\b.*)")


def _lines(source: str) -> list[str]:
    return [line for line in source.strip().splitlines() if not AUTHORS_LINE.fullmatch(line)]


def differences(chapter: Chapter, notebook: Path) -> Iterator[str]:
    """The lines of one diff after another; none for a function that is the same."""
    contract = load(chapter)
    selection = select(read(notebook, contract), contract)
    for name, reference in reference_cells(contract).items():
        yield from difflib.unified_diff(
            _lines(selection.functions[name].source),
            _lines(reference),
            f"yours: {name}",
            f"reference: {name}",
            lineterm="",
        )
