"""Two steps for ``nbgrader autograde``: grade out of process, and write what comes out.

Grading itself is ``judging``'s, and what ``ol autograde`` has graded is taken from there. Scores go
from the verdict straight into the gradebook and are never read back from outputs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum

from autograder.course import CourseError, find
from autograder.judging import judged
from autograder.nbgrader_plugin import feedback
from autograder.nbgrader_plugin.gradebook import untouched, write_grades
from autograder.nbgrader_plugin.reader import submission_path
from autograder.sandbox import Level

__all__ = ["GradeOutOfProcess", "SaveVerdictGrades"]


class GradeOutOfProcess(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader publishes no types
    """In place of nbgrader's Execute: grades the file that was handed in, runs nothing here."""

    require_level = Enum(
        list(Level), Level.C, help="Refuse to grade with weaker isolation than this: A, B or C."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        chapter = find(resources["nbgrader"]["assignment"])
        notebook = submission_path(self.parent, resources)
        course = Path(self.parent.parent.coursedir.root)
        try:
            verdict = judged(chapter, notebook, course, Level(self.require_level))
        except CourseError as error:
            raise CourseError(f"{notebook} is not graded: {error}") from error
        resources["nbgrader"]["verdict"] = verdict
        shown = verdict.redacted()
        functions = feedback.by_check(shown)
        for cell in nb.cells:
            if cell.id in functions:
                cell.outputs = feedback.outputs(functions[cell.id], shown.status)
        nb.cells = [*feedback.remarks(shown), *nb.cells]
        return nb, resources


class SaveVerdictGrades(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader publishes no types
    """In place of nbgrader's SaveAutoGrades: every grade of the submission is written anew."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        names = resources["nbgrader"]
        student = names["student"]
        with Gradebook(names["db_url"]) as gradebook:
            submission = gradebook.find_submission_notebook(
                names["notebook"], names["assignment"], student)
            write_grades(submission, student, names["verdict"], untouched(nb), self.log.error)
            gradebook.db.commit()
        return nb, resources
