"""Two steps for ``nbgrader autograde``: grade out of process, and write what comes out.

Grading itself is ``autograder.grade``'s. Scores go from the verdict straight into the gradebook
and are never read back from outputs.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import compute_checksum

from autograder.carry import Deps
from autograder.course import Chapter, CourseError, find
from autograder.grade import grade_notebook
from autograder.nbgrader_plugin import feedback
from autograder.nbgrader_plugin.reader import submission_path
from autograder.sandbox import GraderFault
from autograder.verdict import FunctionVerdict, Verdict

__all__ = ["GradeOutOfProcess", "SaveVerdictGrades"]


def _graded(chapter: Chapter, notebook: Path) -> Verdict:
    """The verdict on one submission, which may stand on the course's own earlier chapters.

    Raises:
        CourseError: grading cannot begin, or the grader failed.
    """
    try:
        return grade_notebook(chapter, notebook, deps=Deps.REFERENCE)
    except GraderFault as fault:  # no Exception, so nbgrader would give up everybody else too
        raise CourseError(f"{notebook} is not graded, the grader failed: {fault}") from fault


class GradeOutOfProcess(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader publishes no types
    """In place of nbgrader's Execute: grades the file that was handed in, runs nothing here."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        chapter = find(resources["nbgrader"]["assignment"])
        verdict = _graded(chapter, submission_path(self.parent, resources))
        resources["nbgrader"]["verdict"] = verdict
        shown = verdict.redacted()
        functions = feedback.by_check(shown)
        for cell in nb.cells:
            if cell.id in functions:
                cell.outputs = feedback.outputs(functions[cell.id], shown.status)
        nb.cells = [*feedback.remarks(shown), *nb.cells]
        return nb, resources


def _untouched(nb: NotebookNode) -> set[str]:
    """The cells that are as they were released."""
    return {
        cell.metadata.nbgrader.grade_id for cell in nb.cells
        if "nbgrader" in cell.metadata
        and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
    }


class SaveVerdictGrades(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader publishes no types
    """In place of nbgrader's SaveAutoGrades: every grade of the submission is written anew.

    What no verdict decides (a cell that only a person can mark, tests that met a fault of the
    grader or were all skipped) gets no score and waits for a person.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        names = resources["nbgrader"]
        functions, untouched = feedback.by_check(names["verdict"]), _untouched(nb)
        with Gradebook(names["db_url"]) as gradebook:
            submission = gradebook.find_submission_notebook(
                names["notebook"], names["assignment"], names["student"])
            for grade in submission.grades:
                self._write(grade, functions.get(grade.name), names["student"])
            for comment in submission.comments:
                comment.auto_comment = "No response." if comment.name in untouched else None
            gradebook.db.commit()
        return nb, resources

    def _write(self, grade: Any, function: FunctionVerdict | None, student: str) -> None:
        """The share of the tests passed, of what the gradebook says the cell is worth; a bonus is
        worth nothing there, and comes as extra credit."""
        if function is not None and function.bonus:
            grade.extra_credit = float(function.earned) if feedback.decided(function) else None
        if function is not None and feedback.decided(function):
            grade.auto_score = float(function.share * Fraction(grade.max_score))
        else:
            grade.auto_score = None
            notes = {test.note for test in function.tests if test.note} if function else set()
            self.log.error("%s of %s gets no score, a person must decide. %s",
                           grade.name, student, "; ".join(sorted(notes)))
        # A mark that a person gave stands; nbgrader has them look at it again.
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
