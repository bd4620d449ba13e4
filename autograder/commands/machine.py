"""The commands about this machine: a demonstration, JupyterLab, a check-up, the book, the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from autograder.course import root, work_dir

__all__ = ["COMMANDS"]

PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True}
# Whole files to as many processes as there are cores, the first of them (the audit) first.
SPREAD = ("--numprocesses=auto", "--dist=loadfile", "--no-loadscope-reorder")


@click.command()
@click.pass_context
def demo(ctx: click.Context) -> None:
    """The whole job in about a minute: grade, explain, mend, grade again, export, import."""
    from autograder.demo import run

    ctx.exit(run())


@click.command(context_settings=PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def lab(arguments: tuple[str, ...]) -> None:
    """Open JupyterLab on work/. Prints the URL; further arguments go to JupyterLab."""
    work_dir().mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={work_dir()}"]
    if not (os.environ.get("DISPLAY") or sys.platform == "darwin"):
        command.append("--no-browser")
    if hasattr(os, "getuid") and os.getuid() == 0:
        command.append("--allow-root")
    os.execv(sys.executable, [*command, *arguments])


@click.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Python, versions, isolation, what is missing and the command that mends it."""
    from autograder.doctor import examine

    report = examine()
    for line in report.lines:
        click.echo(line)
    ctx.exit(0 if report.healthy else 1)


@click.command()
def data() -> None:
    """Bring the real book (Project Gutenberg) and check its hash; OL_DATA is looked in first."""
    from autograder.book import fetch

    click.echo(fetch())


@click.command(context_settings=PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def test(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Run the whole test suite; further arguments go to pytest. Skips are printed with reasons."""
    chosen = arguments or (*SPREAD, str(root() / "tests"))
    command = [sys.executable, "-m", "pytest", "-ra", *chosen]
    ctx.exit(subprocess.run(command, cwd=root(), check=False, env=_with_own_bin()).returncode)


def _with_own_bin() -> dict[str, str]:
    """nbgrader shells out to alembic, which lies beside this Python."""
    own = str(Path(sys.executable).parent)
    return os.environ | {"PATH": f"{own}{os.pathsep}{os.environ.get('PATH', '')}"}


COMMANDS = (demo, lab, doctor, data, test)
