"""What a verdict becomes in nbgrader's gradebook: scores, extra credit, comments, for one
submission or for a class in one transaction.

Manual marks and late penalties are never touched. Verdicts come from ``judging``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry, Student
from nbgrader.utils import compute_checksum
from sqlalchemy.engine import make_url

from autograder.contract import load
from autograder.course import Chapter, CourseError
from autograder.nbgrader_plugin import feedback
from autograder.nbgrader_plugin.repair import repaired
from autograder.reading import Unreadable, read
from autograder.verdict import FunctionVerdict, Verdict

__all__ = ["enter", "in_one_transaction", "knows", "problem_with", "untouched", "write_grades"]


def untouched(nb: NotebookNode) -> set[str]:
    """The cells that are as they were released."""
    return {
        cell.metadata.nbgrader.grade_id for cell in nb.cells
        if "nbgrader" in cell.metadata
        and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
    }


def write_grades(
    notebook: Any, student: str, verdict: Verdict, untouched: set[str], tell: Callable[[str], Any]
) -> None:
    """Write every grade and comment of a student's ``SubmittedNotebook`` anew; ``tell`` hears of
    the grades that wait for a person.

    Those are what no verdict decides: a cell that only a person can mark, tests that met a fault
    of the grader or were all skipped.
    """
    functions = feedback.by_check(verdict)
    for grade in notebook.grades:
        if problem := _write(grade, functions.get(grade.name)):
            tell(f"{grade.name} of {student} gets no score, a person must decide. {problem}")
    for comment in notebook.comments:
        comment.auto_comment = "No response." if comment.name in untouched else None


def _write(grade: Any, function: FunctionVerdict | None) -> str:
    """The share of the tests passed, of what the gradebook says the cell is worth; a bonus is
    worth nothing there, and comes as extra credit. Returns why there is no score, else nothing."""
    problem = ""
    if function is not None and function.bonus:
        grade.extra_credit = float(function.earned) if feedback.decided(function) else None
    if function is not None and feedback.decided(function):
        grade.auto_score = float(function.share * Fraction(grade.max_score))
    else:
        grade.auto_score = None
        notes = {test.note for test in function.tests if test.note} if function else set()
        problem = "; ".join(sorted(notes)) or "no test marks this cell"
    # A mark that a person gave stands; nbgrader has them look at it again.
    grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
    return problem


@contextmanager
def in_one_transaction(db_url: str, course_id: str, chapter: Chapter) -> Iterator[Any]:
    """A ``Gradebook`` that keeps everything or, after an exception, nothing.

    nbgrader's own methods commit as they go; here that only hands over to the one transaction.

    Raises:
        CourseError: the gradebook does not know the assignment.
    """
    advice = f"enter the chapter first: nbgrader generate_assignment {chapter.slug} --force"
    url = make_url(db_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise CourseError(f"there is no gradebook {url.database}; {advice}")
    with Gradebook(db_url, course_id) as gradebook, gradebook.engine.begin() as connection:
        gradebook.db.remove()
        gradebook.db.configure(
            bind=connection, join_transaction_mode="rollback_only", expire_on_commit=False
        )
        try:
            gradebook.find_notebook(chapter.slug, chapter.slug)
        except MissingEntry as error:
            raise CourseError(f"the gradebook does not know {chapter.slug}; {advice}") from error
        yield gradebook
        gradebook.db.commit()


def problem_with(gradebook: Any, student: str) -> str:
    """Why the gradebook cannot hold a student of this name; empty where it can."""
    longest = Student.__table__.c.id.type.length
    try:
        student.encode()
    except UnicodeEncodeError:
        return "the folder's name is not in UTF-8"
    if gradebook.engine.dialect.name != "sqlite" and len(student) > longest:  # SQLite has no limit
        return f"the folder's name is longer than the gradebook's {longest} characters"
    return ""


def knows(gradebook: Any, chapter: Chapter, student: str) -> bool:
    """Whether there is a submission of the student's already."""
    try:
        gradebook.find_submission(chapter.slug, student)
    except MissingEntry:
        return False
    return True


def enter(
    gradebook: Any, chapter: Chapter, student: str, source: bytes | str, verdict: Verdict,
    tell: Callable[[str], Any], timestamp: datetime | None,
) -> None:
    """Write what ``nbgrader autograde`` would write of one submission, but for late penalties."""
    # nbformat's own function is untyped
    marked = nbformat.read(chapter.release, as_version=4)  # type: ignore[no-untyped-call]
    try:
        if isinstance(source, bytes):
            marked = repaired(marked, read(source, load(chapter)), load(chapter))
    except Unreadable:
        pass  # the release stands in its place
    gradebook.update_or_create_student(student)
    when = {} if timestamp is None else {"timestamp": timestamp}
    gradebook.update_or_create_submission(chapter.slug, student, **when)
    notebook = gradebook.find_submission_notebook(chapter.slug, chapter.slug, student)
    write_grades(notebook, student, verdict, untouched(marked), tell)
    gradebook.db.flush()
