"""``ol capstone``: from the embedded book to a model and its text, by one command.

It runs on the learner's export where a chapter was exported, which means that it passed, and on
the reference elsewhere. Nothing is graded here and nothing is confined: the package runs in a
process of its own, as it would after ``pip install``.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder import books
from autograder.carry import Deps, chapters_below, needed
from autograder.contract import load
from autograder.course import Chapter, find
from autograder.package import ExportedModule, write_package

__all__ = ["assemble", "train", "whole_course"]


def whole_course() -> Chapter:
    """A chapter that stands on the capstone and so on all that it needs."""
    capstone = find("ch12_capstone")
    return dataclasses.replace(capstone, needs=(capstone.slug,))


def assemble(folder: Path, deps: Deps = Deps.EITHER) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write the package to ``folder``; the chapters in it that are the learner's, and the
    reference's.

    Raises:
        CourseError: a chapter is not built, or the folder holds something else.
    """
    whole = whole_course()
    chapters, found = chapters_below(whole), needed(whole, deps)
    write_package(folder, [
        ExportedModule(
            chapter.module, chapter.slug, chapter.title, module.cells,
            tuple(sorted(load(chapter).names)), (), chapter.packages,
        )
        for chapter, module in zip(chapters, found.modules, strict=True)
    ])
    own = tuple(each.slug for each in chapters if each.slug not in found.carried)
    return own, found.carried


def train(package: Path, out: Path, arguments: Sequence[str]) -> int:
    """Train on the embedded book with the package in a folder; the exit code of that process."""
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "llmdata", "train", str(books.embedded()), str(out.absolute())]
    with tempfile.TemporaryDirectory() as elsewhere:  # `python -m` looks into its folder first
        done = subprocess.run(
            [*command, *arguments], env=os.environ | {"PYTHONPATH": path}, cwd=elsewhere,
            check=False,
        )
    return done.returncode
