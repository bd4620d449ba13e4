"""The commands that grade a learner's work, and those that a pass opens up: diff and export."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click
from rich.text import Text

from autograder import workspace
from autograder.carry import Deps, needed
from autograder.commands.names import chapter_argument, target_argument
from autograder.commands.options import level_option, ref_deps_option
from autograder.course import find, is_bundle
from autograder.sandbox import Level
from autograder.terminal import console
from autograder.verdict import Verdict

__all__ = ["COMMANDS", "exit_code", "verdict_of"]


def verdict_of(name: str, *, level: Level | None, ref_deps: bool, solutions: bool) -> Verdict:
    """Grade what ``name`` means, and remember it where it is the learner's own notebook."""
    from autograder.grade import grade_reference
    from autograder.visible import checked

    if solutions:
        return grade_reference(find(name), level=level)
    deps = Deps.EITHER if ref_deps else Deps.OWN
    needed(workspace.chapter_of(name), deps)  # before 'ol start': what is missing below comes first
    target = workspace.target(name)
    verdict = checked(target.chapter, target.notebook, level=level, deps=deps)
    if target.notebook.absolute() == target.chapter.work:
        workspace.remember(verdict)
    return verdict


def exit_code(verdict: Verdict) -> int:
    """0 pass, 1 not yet, 3 the grader's own fault."""
    return 3 if verdict.faulty else 0 if verdict.passed else 1


@click.command()
@target_argument
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@ref_deps_option
@click.option("--solutions", is_flag=True, help="Grade the course's own solution instead.")
@level_option
@click.pass_context
def check(
    ctx: click.Context,
    target: str,
    as_json: bool,
    ref_deps: bool,
    solutions: bool,
    level: Level | None,
) -> None:
    """Grade a chapter.

    TARGET is a chapter, by its number, slug or alias, or the path of a notebook.

    Exit code: 0 pass, 1 not yet, 2 cannot run, 3 the grader's own fault.

    \b
    Examples:
      ol check ch04
      ol check A0.1 --json
      ol check handed-in/ch04_mt19937.ipynb
    """
    from autograder.report import print_verdict

    verdict = verdict_of(target, level=level, ref_deps=ref_deps, solutions=solutions)
    if as_json:
        click.echo(verdict.to_json(), nl=False)
    else:
        print_verdict(verdict, console())
    ctx.exit(exit_code(verdict))


@click.command()
@target_argument
@ref_deps_option
def watch(target: str, ref_deps: bool) -> None:
    """Grade a chapter each time its notebook is saved.

    TARGET is a chapter or the path of a notebook. Ctrl-C ends it.

    \b
    Example:
      ol watch ch04
    """
    import watchfiles

    from autograder.report import print_verdict

    screen, notebook = console(), workspace.target(target).notebook.absolute()
    screen.print(Text(f"watching {notebook}: save it to check again, Ctrl-C to end"))
    checked = b""
    # The look at every second finds a save that fell between two watches.
    for _ in watchfiles.watch(
        notebook.parent, yield_on_timeout=True, rust_timeout=1000, raise_interrupt=False
    ):
        data = notebook.read_bytes() if notebook.exists() else checked
        if data != checked:
            checked = data
            screen.rule(Text(notebook.name))
            print_verdict(
                verdict_of(target, level=None, ref_deps=ref_deps, solutions=False), screen
            )


@click.command()
@chapter_argument
@click.pass_context
def diff(ctx: click.Context, chapter: str) -> None:
    """Compare your code with the reference, once all of it passes.

    \b
    Example:
      ol diff ch04
    """
    from autograder.beside import differences
    from autograder.contract import reference_module

    reference_module(find(chapter))  # where there is none, that comes first
    verdict = verdict_of(chapter, level=None, ref_deps=True, solutions=False)
    if not verdict.passed:
        click.echo(
            f"ol: the reference is shown once the whole chapter passes; see 'ol check {chapter}'",
            err=True,
        )
        ctx.exit(exit_code(verdict))
    target = workspace.target(chapter)
    lines = list(differences(target.chapter, target.notebook))
    click.echo("\n".join(lines) or "your code is the reference, line for line")


@click.command()
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write into; work/ unless given.",
)
@click.option("--solutions", is_flag=True, help="Export the reference instead of your own work.")
@click.pass_context
def export(ctx: click.Context, to: Path | None, solutions: bool) -> None:
    """Write the chapters that pass as the package llmdata.

    A chapter passes with its functions; tests of your own need not. pip can install the package.

    \b
    Examples:
      ol export
      ol export --to ../my-llmdata
    """
    from autograder.exporting import export_package

    done = export_package(to, solutions=solutions)
    for line in done.skipped:
        click.echo(f"left out: {line}", err=True)
    if done.not_started:
        click.echo(f"not started: {', '.join(done.not_started)}", err=True)
    if not done.modules:
        click.echo("ol: no chapter passes as a whole yet, so nothing was written", err=True)
        ctx.exit(1)
    if is_bundle():
        click.echo("Only visible checks ran, and PROVENANCE.json says so: hidden tests run when "
                   "you hand in.", err=True)
    folder, python = shlex.quote(str(done.folder)), shlex.quote(sys.executable)
    click.echo(
        f"{done.folder / 'llmdata'} holds {', '.join(done.modules)}.\n"
        f"Try it:  cd {folder} && {python} -c "
        f"'import llmdata.{done.modules[0]} as m; print(m.__all__)'\n"
        f"Keep it: pip install {folder}"
    )


COMMANDS = (check, watch, diff, export)
