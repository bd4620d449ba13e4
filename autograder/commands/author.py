"""The commands of somebody who writes the course."""

from __future__ import annotations

import click

from autograder.commands.names import chapters_argument
from autograder.course import Chapter, CourseError, chapters, find

__all__ = ["WITH_SOLUTIONS"]


def _chosen(names: tuple[str, ...]) -> tuple[Chapter, ...]:
    return tuple(find(name) for name in names) or chapters()


@click.command()
@chapters_argument
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a built file is stale.")
@click.pass_context
def build(ctx: click.Context, names: tuple[str, ...], check: bool) -> None:
    """Build notebooks and contracts from solutions/SLUG.py.

    All chapters, unless some are named.

    \b
    Examples:
      ol build ch04
      ol build --check
    """
    from autograder.build import stale, write
    from autograder.planted import misfits

    if check:
        found = [sentence for chapter in _chosen(names) for sentence in stale(chapter)]
        click.echo("\n".join(found) or "every built file is fresh")
        ctx.exit(1 if found else 0)
    for chapter in _chosen(names):
        for path in write(chapter):
            click.echo(f"built {path}")
        if found := misfits(chapter):
            raise CourseError("\n".join(found))


@click.command()
@click.argument("slug")
def new(slug: str) -> None:
    """Lay out a new chapter: source, hidden tests, a planted bug.

    SLUG is ch, two digits and a name in lower case; it names the chapter's files.

    \b
    Example:
      ol new ch13_quantize
    """
    from autograder.scaffold import lay_out

    for path in lay_out(slug):
        click.echo(f"made {path}")
    number = slug.split("_")[0]
    click.echo(f"Next: write solutions/{slug}.py, then 'ol build {number}', 'ol audit {number}'.")


@click.command()
@chapters_argument
@click.pass_context
def audit(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Say in a sentence each what is not right with the course.

    All chapters, unless some are named.

    Exit code: 0 nothing is found, 1 something is, 2 cannot run.

    \b
    Examples:
      ol audit ch04
      ol audit
    """
    from autograder.audit import findings

    found = findings(_chosen(names))
    for sentence in found:
        click.echo(sentence)
    click.echo(f"{len(found)} finding{'' if len(found) == 1 else 's'}")
    ctx.exit(1 if found else 0)


WITH_SOLUTIONS = (build, new, audit)
