"""Every submission of a chapter gets a verdict, on as many processes as there are.

What is graded is kept at once, so a run that was killed goes on where it was. ``pool`` runs the
grading and ``judging`` does it; the gradebook is ``nbgrader_plugin.entering``'s.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from autograder.course import Chapter, CourseError
from autograder.judging import handed_in
from autograder.kept import Shelf, edition, from_json, key
from autograder.nbgrader_plugin.courses import Course, Submission
from autograder.pool import Pool, Task, done, local
from autograder.sandbox import Level
from autograder.show import clean
from autograder.verdict import Status, Verdict

__all__ = ["Batch", "Opener"]

Opener = Callable[[], AbstractContextManager[Pool]]


@dataclass(frozen=True)
class Batch:
    """One chapter's submissions in a course, and the key of each as it was read; ``required`` is
    the weakest isolation whose verdicts count."""

    course: Course
    chapter: Chapter
    edition: str
    keys: Mapping[Submission, str]
    required: Level = Level.C

    @classmethod
    def of(cls, course: Course, chapter: Chapter, required: Level = Level.C) -> Batch:
        """Read what was handed in.

        Raises:
            CourseError: the chapter's hidden tests are not installed.
        """
        known = edition(chapter)
        keys = {each: key(known, handed_in(each.notebook)) for each in course.submissions}
        return cls(course, chapter, known, keys, required)

    @property
    def shelf(self) -> Shelf:
        return Shelf.of(self.course.folder, self.chapter)

    def pending(self) -> dict[str, Submission]:
        """By key, what has no verdict that stands; of equal files only one."""
        found = {name: each for each, name in self.keys.items()}
        return {name: each for name, each in found.items()
                if self.shelf.final(name, self.required) is None}

    def verdicts(self) -> Iterator[tuple[Submission, Verdict | None]]:
        """Each submission with what is kept of it, one read after the other."""
        return ((each, self.shelf.find(name)) for each, name in self.keys.items())

    def _tasks(self, submissions: Iterable[Submission]) -> Iterator[Task]:
        """Each read when it is wanted; one that has changed meanwhile is left for the next run."""
        for each in submissions:
            source = handed_in(each.notebook)
            if (name := key(self.edition, source)) == self.keys[each]:
                yield Task(name, self.chapter.slug, self.edition, source, self.required)

    def grade(self, open_pool: Opener, pending: Mapping[str, Submission]) -> Iterator[Verdict]:
        """Grade, and keep each verdict as soon as it is there.

        Raises:
            CourseError: the pool cannot be opened, or the disk takes no more verdicts.
        """
        left = dict(pending)
        for task, result in done(open_pool, self._tasks(pending.values())):
            del left[task.key]
            yield self._keep(task, result)
        # Where a process died it took others' work with it: each of those gets a process alone.
        for task in self._tasks(left.values()):
            died = CourseError("the grader's process died")
            alone = dict(done(functools.partial(local, 1), [task]))
            yield self._keep(task, alone.get(task, died))

    def _keep(self, task: Task, result: str | Exception) -> Verdict:
        """A verdict, or that there is none and the submission is to be graded again."""
        if isinstance(result, str):
            verdict = from_json(result)
        else:
            message = clean(str(result) or type(result).__name__)
            verdict = Verdict(self.chapter.slug, Status.FAULT, (), "", "", "", message=message)
        self.shelf.keep(task.key, verdict)
        return verdict
