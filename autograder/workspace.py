"""The learner's folder: a chapter started, put aside and started again, and how far it has come.

A learner's notebook is never overwritten: ``start`` refuses, ``reset`` moves it to a dated backup.
Grading is not this module's work; it only remembers what grading said.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder import files
from autograder.course import Chapter, CourseError, find, slug_problem, work_dir
from autograder.verdict import Verdict

__all__ = [
    "Progress", "Target", "chapter_of", "progress", "remember", "reset", "start", "start_page",
    "target",
]


WELCOME = """\
# Bytes to Batches

Click into the cell below and press Shift+Enter. It shows the chapters: what each needs, what is
done, what is next, and how many minutes it takes. Run it again whenever you like.

A chapter that you have started is a link. To start one, type `ol start` and its name in a terminal,
as in `ol start ch04`. Begin with any chapter that no arrow leads to."""
COURSE = "from autograder.learn import course_page\n\ncourse_page()"


@dataclass(frozen=True)
class Target:
    """What a command is to look at: a chapter, and the notebook to read."""

    chapter: Chapter
    notebook: Path


@dataclass(frozen=True)
class Progress:
    """The last verdict of a chapter in the learner's folder, and the SHA-256 of what it judged."""

    earned: float
    points: int
    passed: bool
    sha256: str

    def is_of(self, notebook: Path) -> bool:
        """Whether ``notebook`` is still what was judged."""
        return (
            notebook.is_file() and hashlib.sha256(notebook.read_bytes()).hexdigest() == self.sha256
        )


def start(chapter: Chapter) -> Path:
    """Copy the release into the learner's folder.

    Raises:
        CourseError: there is work of the learner's already, or no release.
    """
    if chapter.work.exists() or chapter.work.is_symlink():
        raise CourseError(
            f"{chapter.work} is there already and stays as it is. 'ol lab' opens it; "
            f"'ol reset {chapter.number}' puts it aside and starts afresh."
        )
    if not chapter.release.exists():
        raise CourseError(f"{chapter.release} is missing; {chapter.remake}")
    files.write(chapter.work, chapter.release.read_bytes())
    return chapter.work


def start_page() -> Path:
    """The notebook that shows the course; made if there is none, and never overwritten."""
    page = work_dir() / "start.ipynb"
    if not os.path.lexists(page):
        cells = [
            {"cell_type": "markdown", "id": "welcome", "metadata": {}, "source": WELCOME},
            {"cell_type": "code", "id": "course", "metadata": {}, "source": COURSE, "outputs": [],
             "execution_count": None},
        ]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4,
                    "nbformat_minor": 5}
        files.write(page, json.dumps(notebook, indent=1) + "\n")
    return page


def reset(chapter: Chapter) -> tuple[Path, Path]:
    """Move the learner's notebook to a dated backup, then start afresh; both paths."""
    if not chapter.work.exists():
        raise CourseError(f"{chapter.work} is not there; 'ol start {chapter.number}' makes it")
    backup = files.backup_name(chapter.work)
    chapter.work.rename(backup)
    return start(chapter), backup


def target(name: str) -> Target:
    """The chapter and notebook that a slug, an alias or a path means.

    Raises:
        CourseError: neither a chapter nor a notebook of one is called so.
    """
    path, chapter = Path(name), chapter_of(name)
    if _is_path(path):
        if not os.path.lexists(path):
            raise CourseError(f"{path} is not there; 'ol check {chapter.number}' looks in work/")
        return Target(chapter, path)
    if not chapter.work.exists():
        raise CourseError(f"{chapter.work} is not there; 'ol start {chapter.number}' makes it")
    return Target(chapter, chapter.work)


def chapter_of(name: str) -> Chapter:
    """The chapter that a slug, an alias or a path means, whether or not its notebook is there: of a
    path, by its nearest part that is a slug.

    Raises:
        CourseError: none is called so.
    """
    path = Path(name)
    if not _is_path(path):
        return find(name)
    for part in (path.stem.split(".")[0], *reversed(path.absolute().parent.parts)):
        if slug_problem(part) is None:
            return find(part)
    raise CourseError(
        f"{path}: the name does not say which chapter it is; "
        "name the file, or its folder, after the chapter (ch04_mt19937.ipynb)"
    )


def _is_path(path: Path) -> bool:
    """Whether a notebook is meant, and not a chapter's slug or alias."""
    return path.suffix == ".ipynb" or path.is_file()


def _progress_file() -> Path:
    return work_dir() / "progress.json"


def progress() -> dict[str, Progress]:
    """What is remembered, by slug; empty where nothing is, or where the file cannot be read."""
    try:
        stored = json.loads(_progress_file().read_text(encoding="utf-8"))
        return {slug: Progress(**entry) for slug, entry in stored.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def remember(verdict: Verdict) -> None:
    """Keep a verdict of the learner's own notebook for ``ol status``."""
    earned, sha256 = float(verdict.earned), verdict.submission_sha256
    new = Progress(earned, verdict.points, verdict.passed, sha256)
    kept = progress() | {verdict.chapter: new}
    text = json.dumps({slug: asdict(entry) for slug, entry in sorted(kept.items())}, indent=1)
    files.write(_progress_file(), text + "\n")
