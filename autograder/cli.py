"""The command ``ol``: one group, and the one place where errors become exit codes.

Exit codes: 0 pass, 1 not yet, 2 cannot run (the message says what to do), 3 the grader's own fault.
What each command does stands in ``autograder.commands``.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from autograder.commands import author, grading, learner, machine, owntests, teacher, tracks
from autograder.course import CourseError, is_bundle
from autograder.sandbox import GraderFault

__all__ = ["main", "ol"]

SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Learn": (*learner.COMMANDS, *grading.COMMANDS, *owntests.COMMANDS, *tracks.COMMANDS),
    "This machine": machine.COMMANDS,
}
WITH_SOLUTIONS: dict[str, tuple[click.Command, ...]] = {
    "Learn": tracks.WITH_SOLUTIONS,
    "This machine": machine.WITH_SOLUTIONS,
    "Teach a class": teacher.WITH_SOLUTIONS,
    "Write the course": author.WITH_SOLUTIONS,
}
HELP = """\
Bytes to Batches: learn the data half of language-model training by building it.

\b
First steps:{demo}
  ol start ch01    copy a chapter into work/
  ol lab           open it in JupyterLab
  ol check ch01    {check}
"""
FAULT = """\
ol: the grader itself failed: {kind}: {error}
Your work was not judged. 'ol doctor' may say why; 'ol --debug ...' shows the traceback."""


def _sections() -> dict[str, tuple[click.Command, ...]]:
    """The commands that are here, by who types them."""
    if is_bundle():
        return SECTIONS
    return {heading: (*SECTIONS.get(heading, ()), *more)
            for heading, more in WITH_SOLUTIONS.items()}


class _Group(click.Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by who types them, each with the first sentence of its help, whole."""
        widest = max(map(len, self.commands))
        for heading, commands in _sections().items():
            with formatter.section(heading):
                formatter.write_dl([
                    (str(each.name).ljust(widest), each.get_short_help_str(limit=100))
                    for each in commands
                ])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a message in place of a traceback, unless --debug asks for it."""
        if ctx.params["debug"]:
            return super().invoke(ctx)
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except CourseError as error:
            click.echo(f"ol: {error}", err=True)
            ctx.exit(2)
        except (Exception, GraderFault) as error:
            click.echo(FAULT.format(kind=type(error).__name__, error=error), err=True)
            ctx.exit(3)


def _help() -> str:
    if is_bundle():
        return HELP.format(demo="", check="run its visible checks")
    return HELP.format(demo="\n  ol demo          see the whole job once", check="have it graded")


@click.group(cls=_Group, help=_help(),
             context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="bytes-to-batches", prog_name="ol")
def ol(debug: bool) -> None:
    pass


for section in _sections().values():
    for command in section:
        ol.add_command(command)


def main() -> None:
    sys.exit(ol(prog_name="ol"))
