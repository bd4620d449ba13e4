"""A teacher's course folder, as nbgrader's configuration lays it out: who handed in what, and when.

Only names are looked at; ``judging`` opens the files.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.apps import AutogradeApp
from nbgrader.utils import parse_utc

from autograder.course import Chapter, CourseError

__all__ = ["Course", "Submission", "here"]

LONGEST_TIMESTAMP = 200  # bytes


@dataclass(frozen=True)
class Submission:
    """One student's notebook, which may be anything, or missing."""

    student: str
    notebook: Path

    @property
    def missing(self) -> bool:
        """Whether there is nothing of that name; nbgrader then gives no marks."""
        return not os.path.lexists(self.notebook)

    @property
    def timestamp(self) -> datetime | None:
        """When it was collected, in UTC; None where no plain file says so."""
        path = self.notebook.with_name("timestamp.txt")
        try:
            if not stat.S_ISREG(path.lstat().st_mode):
                return None
            with open(path, encoding="ascii") as file:
                found: datetime = parse_utc(file.read(LONGEST_TIMESTAMP).strip())
                return found
        except (OSError, ValueError):
            return None


@dataclass(frozen=True)
class Course:
    """Where the gradebook is, what was handed in for one chapter, and the weakest isolation that
    the configuration allows."""

    folder: Path
    db_url: str
    course_id: str
    submissions: tuple[Submission, ...]
    require_level: str = "C"


def here(chapter: Chapter) -> Course:
    """The course in the current folder, by its nbgrader configuration.

    Raises:
        CourseError: nothing was handed in for the chapter.
    """
    app = AutogradeApp()
    app.initialize([])
    directory = app.coursedir
    pattern = directory.format_path(directory.submitted_directory, "*", chapter.slug)
    wanted = re.compile(
        directory.format_path(
            directory.submitted_directory, "(?P<student>.+)", chapter.slug, escape=True
        ),
        re.DOTALL,
    )
    found = {match["student"]: Path(path)
             for path in glob.glob(pattern) if (match := wanted.fullmatch(path))}
    for student in directory.student_id_exclude.split(","):
        found.pop(student, None)
    if not found:
        raise CourseError(f"nothing is handed in for {chapter.slug}: there is no {pattern}. "
                          "Start this in the folder where you start nbgrader.")
    return Course(
        Path(directory.root), directory.db_url, directory.course_id,
        tuple(Submission(student, folder / f"{chapter.slug}.ipynb")
              for student, folder in sorted(found.items())),
        app.config.GradeOutOfProcess.get("require_level", "C"),
    )
