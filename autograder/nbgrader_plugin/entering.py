"""A class's verdicts on their way into the gradebook, in one transaction.

``classroom`` has graded; ``gradebook`` says what a mark is. What was entered is remembered beside
the verdicts, since entering it again would send every manual mark back to whoever gave it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import InvalidEntry
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from autograder import files
from autograder.classroom import Batch
from autograder.course import CourseError
from autograder.judging import handed_in
from autograder.nbgrader_plugin import gradebook as marks
from autograder.nbgrader_plugin.courses import Submission
from autograder.show import clean
from autograder.verdict import Verdict

__all__ = ["Entered", "check", "enter"]


@dataclass(frozen=True)
class Entered:
    """How many submissions the gradebook took, why it could not take others, and, in a line each,
    what waits for a person."""

    count: int
    refused: tuple[str, ...]
    waiting: tuple[str, ...]


@contextmanager
def _gradebook(batch: Batch) -> Iterator[Any]:
    course = batch.course
    try:
        with marks.in_one_transaction(course.db_url, course.course_id, batch.chapter) as gradebook:
            yield gradebook
    except (SQLAlchemyError, InvalidEntry, ImportError) as error:  # a database may need a driver
        raise CourseError(
            f"the gradebook {make_url(course.db_url)} cannot be used, and is as it was "
            f"({clean(str(error))}). What is graded is kept: the same command tries again"
        ) from error


def check(batch: Batch) -> None:
    """Find out before anything is graded whether the marks could be entered.

    Raises:
        CourseError: the gradebook cannot be used, or does not know the chapter.
    """
    with _gradebook(batch):
        pass


def _read(record: Path) -> dict[str, str]:
    """What was entered of each student, as a key; nothing where that is not known."""
    try:
        known = json.loads(record.read_text(encoding="utf-8"))
        return known if isinstance(known, dict) else {}
    except (OSError, ValueError):
        return {}


def _standing(batch: Batch) -> Iterator[tuple[Submission, Verdict]]:
    """What is to be in the gradebook: nothing that the grader has yet to repeat."""
    for submission, verdict in batch.verdicts():
        if verdict is not None and not verdict.faulty and not submission.missing:
            yield submission, verdict


def enter(batch: Batch) -> Entered:
    """Write what the gradebook does not have yet, all of it or nothing.

    Raises:
        CourseError: the gradebook cannot be written; then it is as it was.
    """
    record = batch.shelf.folder / "entered.json"
    known, new = _read(record), dict[str, str]()
    refused, waiting = list[str](), list[str]()
    with _gradebook(batch) as gradebook:
        for each, verdict in _standing(batch):
            name = batch.keys[each]
            if problem := marks.problem_with(gradebook, each.student):
                refused.append(f"{clean(each.student)}: no marks are entered, {problem}")
            elif known.get(each.student) != name or not marks.knows(
                gradebook, batch.chapter, each.student
            ):
                marks.enter(gradebook, batch.chapter, each.student, handed_in(each.notebook),
                            verdict, waiting.append, each.timestamp)
                new[each.student] = name
    files.write(record, json.dumps(known | new, indent=1) + "\n")
    return Entered(len(new), tuple(refused), tuple(waiting))
