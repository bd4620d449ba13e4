"""The commands about this machine: a demonstration, JupyterLab, a check-up, the book, the tests."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from autograder.course import root
from autograder.workspace import start_page

__all__ = ["COMMANDS", "WITH_SOLUTIONS"]

PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True}
# What stands before click's own script: where ol lies, and for zsh what completion builds on.
COMPLETIONS = {
    "bash": "PATH=$PATH:{folder}",
    "zsh": "PATH=$PATH:{folder}\n"
           "(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit }}",
    "fish": "set -gx PATH $PATH {folder}",
}
# Whole files to as many processes as there are cores, the first of them (the audit) first.
SPREAD = ("--numprocesses=auto", "--dist=loadfile", "--no-loadscope-reorder")


@click.command()
@click.pass_context
def demo(ctx: click.Context) -> None:
    """Show the whole job in about a minute.

    Grade, explain, mend, grade again, export, import; in a folder of its own, which goes away.

    \b
    Example:
      ol demo
    """
    from autograder.demo import run

    ctx.exit(run())


@click.command(context_settings=PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def lab(arguments: tuple[str, ...]) -> None:
    """Open JupyterLab on work/, with the course page first.

    It prints the URL. Further arguments go to JupyterLab.

    \b
    Examples:
      ol lab
      ol lab --port=9999
    """
    page = start_page()
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={page.parent}"]
    if not any(each.startswith("--LabApp.default_url") for each in arguments):
        command.append(f"--LabApp.default_url=/lab/tree/{page.name}")
    if not (os.environ.get("DISPLAY") or sys.platform == "darwin"):
        command.append("--no-browser")
    if hasattr(os, "getuid") and os.getuid() == 0:
        command.append("--allow-root")
    os.execv(sys.executable, [*command, *arguments])


@click.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Say what this machine offers, and what mends the rest.

    Python, versions, isolation, what is missing. Exit code: 0 all that is required is there, 1 not.

    \b
    Example:
      ol doctor
    """
    from autograder.doctor import examine

    report = examine()
    for line in report.lines:
        click.echo(line)
    ctx.exit(0 if report.healthy else 1)


@click.command()
def data() -> None:
    """Fetch the real book and check its hash.

    It is Project Gutenberg's, and no chapter needs it: one is embedded. The folder OL_DATA is
    looked in first.

    \b
    Example:
      ol data
    """
    from autograder.book import fetch

    click.echo(fetch())


@click.command(context_settings=PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def test(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Run the project's own tests.

    All of them, unless arguments say which; they go to pytest. Skips are printed with reasons.

    \b
    Examples:
      ol test
      ol test tests/test_cli.py -x
    """
    chosen = arguments or (*SPREAD, str(root() / "tests"))
    command = [sys.executable, "-m", "pytest", "-ra", *chosen]
    ctx.exit(subprocess.run(command, cwd=root(), check=False, env=_with_own_bin()).returncode)


@click.command()
@click.argument("shell", type=click.Choice(tuple(COMPLETIONS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes your shell complete ol's words.

    It also puts this folder on the PATH, so that plain ol does from any folder. Put the line into
    the file that your shell reads at its start to keep it.

    \b
    Examples:
      eval "$(./ol completion bash)"
      eval "$(./ol completion zsh)"
      ./ol completion fish | source
    """
    complete = get_completion_class(shell)
    assert complete is not None  # it is one of click's three
    click.echo(COMPLETIONS[shell].format(folder=shlex.quote(str(root()))))
    click.echo(complete(ctx.find_root().command, {}, "ol", "_OL_COMPLETE").source())


def _with_own_bin() -> dict[str, str]:
    """nbgrader shells out to alembic, which lies beside this Python."""
    own = str(Path(sys.executable).parent)
    return os.environ | {"PATH": f"{own}{os.pathsep}{os.environ.get('PATH', '')}"}


COMMANDS = (lab, doctor, data, completion)
WITH_SOLUTIONS = (demo, test)
