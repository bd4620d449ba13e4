"""The command ``ol``: one group, and the one place where errors become exit codes.

Exit codes: 0 pass, 1 not yet, 2 cannot run (the message says what to do), 3 the grader's own fault.
What each command does stands in ``autograder.commands``.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from autograder.commands import author, learner, machine, owntests, teacher, tracks
from autograder.course import CourseError
from autograder.sandbox import GraderFault

__all__ = ["main", "ol"]

SECTIONS = {
    "Learn": (*learner.COMMANDS, *owntests.COMMANDS, *tracks.COMMANDS),
    "This machine": machine.COMMANDS,
    "Teach a class": teacher.COMMANDS,
    "Write the course": author.COMMANDS,
}
FAULT = """\
ol: the grader itself failed: {kind}: {error}
Your work was not judged. 'ol doctor' may say why; 'ol --debug ...' shows the traceback."""


class _Group(click.Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by who types them, each with the first sentence of its help, whole."""
        widest = max(map(len, self.commands))
        for heading, commands in SECTIONS.items():
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


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="bytes-to-batches", prog_name="ol")
def ol(debug: bool) -> None:
    """Bytes to Batches: learn the data half of language-model training by building it.

    \b
    First steps:
      ol demo          see the whole job once
      ol start ch01    copy a chapter into work/
      ol lab           open it in JupyterLab
      ol check ch01    have it graded
    """


for section in SECTIONS.values():
    for command in section:
        ol.add_command(command)


def main() -> None:
    sys.exit(ol(prog_name="ol"))
