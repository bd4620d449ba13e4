"""The commands of somebody who grades a class."""

from __future__ import annotations

import functools
import itertools
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.text import Text

from autograder.commands.names import chapter_argument
from autograder.commands.options import required_option
from autograder.course import CourseError, find
from autograder.required import strong_enough
from autograder.sandbox import Level
from autograder.show import clean
from autograder.terminal import console
from autograder.verdict import Outcome, Status, Verdict

if TYPE_CHECKING:
    from autograder.classroom import Batch, Opener

__all__ = ["WITH_SOLUTIONS"]

LONGEST_NAME = 80
MOST_LINES = 10  # of a kind that a whole class may have


def _opener(workers: int | None, scheduler: str | None) -> Opener:
    from autograder.pool import cluster, local

    if scheduler and workers:
        raise CourseError("--workers is for this machine, --scheduler for a cluster; name one")
    if scheduler:
        return functools.partial(cluster, scheduler)
    return functools.partial(local, workers or os.cpu_count() or 1)


def _grade(batch: Batch, opener: Opener, console: Console) -> None:
    """Grade what is not graded yet, with a bar where somebody looks."""
    pending = batch.pending()
    console.print(f"{len(batch.keys)} submissions, {len(pending)} to grade")
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=len(pending))
        for _ in batch.grade(opener, pending) if pending else ():
            progress.advance(bar)


def _why(verdict: Verdict | None) -> str:
    """Why a submission is not simply graded."""
    if verdict is None:
        return "it changed while the others were graded"
    tests = (test for function in verdict.functions for test in function.tests)
    faults = (test.note for test in tests if test.outcome is Outcome.FAULT)
    return verdict.message or next(itertools.chain(faults, verdict.problems), "")


def _tell_odd(batch: Batch, console: Console) -> int:
    """A line for each submission that is not simply graded, and the counts; how many are left."""
    from autograder.classreport import AGAIN

    counts: Counter[str] = Counter()
    for submission, verdict in batch.verdicts():
        status = AGAIN if verdict is None or verdict.faulty else verdict.status.value
        counts[status] += 1
        if status != Status.GRADED:
            name = clean(submission.student, LONGEST_NAME)
            line = Text(f"{name}: {status}: {clean(_why(verdict))}")
            console.print(line, soft_wrap=True)
    console.print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    return counts[AGAIN]


@click.command()
@chapter_argument
@click.option("--workers", type=click.IntRange(min=1),
              help="Processes on this machine; as many as it has cores unless given.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786.")
@required_option
@click.pass_context
def autograde(
    ctx: click.Context,
    chapter: str,
    workers: int | None,
    scheduler: str | None,
    required: str | None,
) -> None:
    """Grade a class, in parallel, and enter the marks.

    Every submission in submitted/ is graded. Start it where you start nbgrader. It can be stopped,
    or killed, at any moment: started again it goes on where it was. 'nbgrader autograde' afterwards
    takes the verdicts that are there.

    Exit code: 0 all graded and entered, 1 the gradebook could not take a mark, 2 cannot run, 3 the
    grader failed on some; start it again for those.

    \b
    Examples:
      ol autograde ch04 --workers 4
      ol autograde ch04 --scheduler tcp://10.0.0.1:8786
    """
    from autograder.classroom import Batch
    from autograder.nbgrader_plugin import courses, entering

    opener, found, screen = _opener(workers, scheduler), find(chapter), console()
    course = courses.here(found)
    weakest = Level(required or course.require_level)
    if not scheduler:  # whose workers look at their own machines
        strong_enough(weakest)
    batch = Batch.of(course, found, weakest)
    entering.check(batch)
    _grade(batch, opener, screen)
    again = _tell_odd(batch, screen)
    entered = entering.enter(batch)
    for lines in (entered.refused, entered.waiting):
        for line in lines[:MOST_LINES]:
            screen.print(Text(line), soft_wrap=True)
        if len(lines) > MOST_LINES:
            screen.print(f"... and {len(lines) - MOST_LINES} more of these")
    screen.print(f"gradebook: {entered.count} submissions entered")
    if again:
        click.echo(f"ol: the grader failed on {again}; nobody loses by it. "
                   f"'ol autograde {chapter}' grades them again", err=True)
    ctx.exit(3 if again else 1 if entered.refused else 0)


@click.command()
@chapter_argument
@click.option("--to", type=click.Path(path_type=Path, file_okay=False),
              help="The folder to write into; reports/ unless given.")
def report(chapter: str, to: Path | None) -> None:
    """Write a class's results: a page with plots, and a table.

    They are reports/SLUG.html and .csv, made of the verdicts that 'ol autograde' and 'nbgrader
    autograde' keep; nothing is graded.

    \b
    Example:
      ol report ch04
    """
    from autograder import files
    from autograder.classpage import page
    from autograder.classreport import gather, table
    from autograder.classroom import Batch
    from autograder.nbgrader_plugin import courses

    graded = find(chapter)
    course = courses.here(graded)
    found = gather(Batch.of(course, graded))
    for ending, text in (("html", page(found)), ("csv", table(found))):
        path = (to or course.folder / "reports") / f"{graded.slug}.{ending}"
        files.write(path, text)
        click.echo(f"wrote {path}")


@click.command()
@click.option("--class", "folder", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="The folder to make; it must not exist yet, or be empty.")
@click.option("--finished", multiple=True, metavar="CHAPTER",
              help="A chapter that is over, whose solution is handed out; may be repeated.")
def release(folder: Path, finished: Sequence[str]) -> None:
    """Write the folder that a class receives.

    It has no hidden tests or planted bugs, and solutions of finished chapters only. There 'ol
    check' and check() run the hand examples, and say that hidden tests run at grading.

    \b
    Examples:
      ol release --class ../class-2027
      ol release --class ../march --finished ch01
    """
    from autograder.release import release as write

    made = write(folder, [find(name) for name in dict.fromkeys(finished)])
    click.echo(f"wrote {made}\nTry it as a learner: cd {folder} && ./ol status")


WITH_SOLUTIONS = (autograde, report, release)
