"""A class's submissions, one at a time: what was handed in, and the verdict on it.

The same for ``ol autograde`` and for nbgrader's own command, so that each finds what the other has
graded. Running many at once is ``pool``'s work.
"""

from __future__ import annotations

from pathlib import Path

from autograder.carry import Deps
from autograder.course import Chapter, CourseError
from autograder.grade import grade_notebook, refused
from autograder.kept import Shelf, edition, key
from autograder.reading import Refused, content
from autograder.required import strong_enough
from autograder.sandbox import GraderFault, Level
from autograder.verdict import Verdict

__all__ = ["handed_in", "judge", "judged"]


def handed_in(notebook: Path) -> bytes | str:
    """A submission's bytes, or why nobody looks at them: a link, a folder, a pipe, nothing there.

    nbgrader would follow a link, which may lead to another learner's work.
    """
    if notebook.parent.is_symlink():
        return f"{notebook.parent.name} is a link; hand in the folder itself"
    try:
        return content(notebook)
    except Refused as error:
        return str(error)


def judge(chapter: Chapter, source: bytes | str, required: Level = Level.C) -> Verdict:
    """The verdict on what ``handed_in`` gave; it may stand on the course's own earlier chapters.

    Raises:
        CourseError: grading cannot begin, the grader failed, or this machine's isolation is weaker
            than ``required``.
    """
    if isinstance(source, str):
        return refused(chapter, source)
    try:
        level = strong_enough(required)
        return grade_notebook(chapter, source, level=level, deps=Deps.REFERENCE)
    except GraderFault as fault:  # no Exception, so nbgrader would give up everybody else too
        raise CourseError(f"the grader failed: {fault}") from fault


def judged(
    chapter: Chapter, notebook: Path, course: Path, required: Level = Level.C
) -> Verdict:
    """The verdict on one submission: the one that is kept in the course's folder, else a new one,
    which is then kept. One that was given with weaker isolation than ``required`` does not count.

    Raises:
        CourseError: as ``judge``.
    """
    shelf, source = Shelf.of(course, chapter), handed_in(notebook)
    name = key(edition(chapter), source)
    verdict = shelf.final(name, required)
    if verdict is None:
        verdict = judge(chapter, source, required)
        shelf.keep(name, verdict)
    return verdict
