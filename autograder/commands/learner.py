"""The commands of somebody who works through the course; those that grade are in ``grading``."""

from __future__ import annotations

import json
from dataclasses import asdict

import click
from rich.text import Text

from autograder import standing, workspace
from autograder.commands.names import chapter_argument, function_argument
from autograder.course import Chapter, CourseError, chapters, find
from autograder.terminal import console

__all__ = ["COMMANDS"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON: a list, a chapter each.")
def status(as_json: bool) -> None:
    """Show how far each chapter has come, and the next step.

    \b
    Examples:
      ol status
      ol status --json
    """
    from autograder.report import plain_table

    found = standing.standings()
    if as_json:
        click.echo(json.dumps([each.to_json() for each in found], indent=1))
        return
    table = plain_table("Chapter", "About", "Minutes", "Points")
    table.columns[2].justify = "right"
    for each in found:
        chapter = each.chapter
        table.add_row(chapter.number, chapter.title, str(chapter.minutes), each.state)
    console().print(table)
    console().print(Text(standing.lead(found)))


@click.command()
@chapter_argument
def start(chapter: str) -> None:
    """Copy a chapter's notebook into work/; never overwrites.

    \b
    Example:
      ol start ch04
    """
    path = workspace.start(find(chapter))
    workspace.start_page()
    click.echo(f"{path} is ready. 'ol lab' opens it.")


@click.command()
@chapter_argument
def reset(chapter: str) -> None:
    """Put your notebook aside under a dated name, and start afresh.

    \b
    Example:
      ol reset ch04
    """
    path, backup = workspace.reset(find(chapter))
    click.echo(f"Your notebook is kept as {backup}.\n{path} is fresh.")


@click.command()
@chapter_argument
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON: a list, a test each.")
def tests(chapter: str, as_json: bool) -> None:
    """List a chapter's hidden tests, and why each matters.

    \b
    Examples:
      ol tests ch04
      ol tests ch04 --json
    """
    from autograder.catalogue import catalogue
    from autograder.report import print_catalogue

    found = catalogue(find(chapter))
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False))
    else:
        print_catalogue(found, console())


def _asked(words: tuple[str, ...]) -> tuple[Chapter, str]:
    """The chapter and the function that one or two words name."""
    from autograder.contract import chapter_of, load

    if len(words) > 2:
        raise click.UsageError("name a function, or a chapter and a function")
    if len(words) == 2:
        return find(words[0]), words[1]
    if words[0].lower() in (name.lower() for each in chapters() for name in each.names):
        functions = ", ".join(part.name for part in load(find(words[0])).parts)
        raise CourseError(f"name a function of {words[0]}, too: {functions}")
    return chapter_of(words[0]), words[0]


@click.command()
@function_argument
@click.option(
    "--step",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="1 is a nudge, 3 is nearly the answer.",
)
def hint(words: tuple[str, ...], step: int) -> None:
    """Show one of the three hints for a function.

    The chapter may be left out: no two ask for a function of the same name.

    \b
    Examples:
      ol hint randint32
      ol hint ch02 merge --step 2
    """
    from autograder.contract import OWN_TESTS
    from autograder.hints import OF_OWN_TESTS, hints

    if words[-1] == OWN_TESTS:
        raise CourseError(OF_OWN_TESTS)
    chapter, function = _asked(words)
    found = hints(chapter, function)
    if len(found) < step:
        raise CourseError(f"{function} has {len(found)} hints")
    click.echo(f"{function}, hint {step} of {len(found)}: {found[step - 1].title}\n\n"
               f"{found[step - 1].text}")
    if step < len(found):
        click.echo(f"\nMore: ol hint {function} --step {step + 1}")


COMMANDS = (status, start, reset, tests, hint)
