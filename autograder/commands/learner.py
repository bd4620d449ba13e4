"""The commands of somebody who works through the course."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder import standing, workspace
from autograder.carry import Deps, needed
from autograder.commands.options import level_option
from autograder.course import CourseError, find
from autograder.sandbox import Level
from autograder.verdict import Verdict

__all__ = ["COMMANDS"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For machines: a list, a chapter each.")
def status(as_json: bool) -> None:
    """Chapters, how far each has come, and the next step."""
    found, console = standing.standings(), Console()
    if as_json:
        click.echo(json.dumps([each.to_json() for each in found], indent=1))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("chapter", "about", "minutes", "points"):
        table.add_column(heading)
    for each in found:
        chapter = each.chapter
        table.add_row(chapter.number, chapter.title, str(chapter.minutes), each.state)
    console.print(table)
    console.print(standing.lead(found))


@click.command()
@click.argument("chapter")
def start(chapter: str) -> None:
    """Copy a chapter's notebook into work/. Never overwrites."""
    path = workspace.start(find(chapter))
    click.echo(f"{path} is ready. 'ol lab' opens it.")


@click.command()
@click.argument("chapter")
def reset(chapter: str) -> None:
    """Put a chapter's notebook aside under a dated name and start afresh."""
    path, backup = workspace.reset(find(chapter))
    click.echo(f"Your notebook is kept as {backup}.\n{path} is fresh.")


@click.command()
@click.argument("chapter")
def tests(chapter: str) -> None:
    """The catalogue: each hidden test, its kind, what it checks, and why it matters."""
    from autograder.catalogue import catalogue
    from autograder.report import print_catalogue

    print_catalogue(catalogue(find(chapter)), Console())


@click.command()
@click.argument("function")
@click.option(
    "--step",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="1 is a nudge, 3 is nearly the answer.",
)
def hint(function: str, step: int) -> None:
    """One of the three hints for a function, such as randint32."""
    from autograder.contract import OWN_TESTS, chapter_of
    from autograder.hints import OF_OWN_TESTS, hints

    if function == OWN_TESTS:
        raise CourseError(OF_OWN_TESTS)
    chapter = chapter_of(function)
    found = hints(chapter, function)
    if len(found) < step:
        raise CourseError(f"{function} has {len(found)} hints")
    click.echo(f"Hint {step}: {found[step - 1].title}\n\n{found[step - 1].text}")


def verdict_of(name: str, *, level: Level | None, ref_deps: bool, solutions: bool) -> Verdict:
    """Grade what ``name`` means, and remember it where it is the learner's own notebook."""
    from autograder.grade import grade_notebook, grade_reference

    if solutions:
        return grade_reference(find(name), level=level)
    deps = Deps.EITHER if ref_deps else Deps.OWN
    needed(workspace.chapter_of(name), deps)  # before 'ol start': what is missing below comes first
    target = workspace.target(name)
    verdict = grade_notebook(target.chapter, target.notebook, level=level, deps=deps)
    if target.notebook.absolute() == target.chapter.work:
        workspace.remember(verdict)
    return verdict


def exit_code(verdict: Verdict) -> int:
    """0 pass, 1 not yet, 3 the grader's own fault."""
    return 3 if verdict.faulty else 0 if verdict.passed else 1


@click.command()
@click.argument("target")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--ref-deps", is_flag=True, help="Let needed chapters stand on the reference.")
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
    """Grade a chapter. TARGET is a slug, an alias or a notebook's path.

    \b
    Exit code: 0 pass, 1 not yet, 2 cannot run, 3 the grader's own fault.
    Examples:  ol check ch04    ol check A0.1 --json    ol check handed-in/ch04_mt19937.ipynb
    """
    from autograder.report import print_verdict

    verdict = verdict_of(target, level=level, ref_deps=ref_deps, solutions=solutions)
    if as_json:
        click.echo(verdict.to_json(), nl=False)
    else:
        print_verdict(verdict, Console())
    ctx.exit(exit_code(verdict))


@click.command()
@click.argument("target")
@click.option("--ref-deps", is_flag=True, help="Let needed chapters stand on the reference.")
def watch(target: str, ref_deps: bool) -> None:
    """Check again each time the notebook is saved. Ctrl-C ends it."""
    import watchfiles

    from autograder.report import print_verdict

    console, notebook = Console(), workspace.target(target).notebook.absolute()
    console.print(Text(f"watching {notebook}: save it to check again, Ctrl-C to end"))
    checked = b""
    # The look at every second finds a save that fell between two watches.
    for _ in watchfiles.watch(
        notebook.parent, yield_on_timeout=True, rust_timeout=1000, raise_interrupt=False
    ):
        data = notebook.read_bytes() if notebook.exists() else checked
        if data != checked:
            checked = data
            console.rule(Text(notebook.name))
            print_verdict(
                verdict_of(target, level=None, ref_deps=ref_deps, solutions=False), console
            )


@click.command()
@click.argument("chapter")
@click.pass_context
def diff(ctx: click.Context, chapter: str) -> None:
    """Your code against the reference; only once all of the chapter passes."""
    from autograder.beside import differences

    verdict = verdict_of(chapter, level=None, ref_deps=True, solutions=False)
    if not verdict.passed:
        click.echo(
            "ol: the reference is shown once the whole chapter passes; see 'ol check'", err=True
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
    """Write the chapters that pass as the package llmdata, which pip can install."""
    from autograder.exporting import export_package

    done = export_package(to, solutions=solutions)
    for line in done.skipped:
        click.echo(f"left out: {line}", err=True)
    if not done.modules:
        click.echo("ol: no chapter passes as a whole yet, so nothing was written", err=True)
        ctx.exit(1)
    click.echo(
        f"{done.folder / 'llmdata'} holds {', '.join(done.modules)}.\n"
        f"Try it:  cd {done.folder} && python -c "
        f"'import llmdata.{done.modules[0]} as m; print(m.__all__)'\n"
        f"Keep it: pip install {done.folder}"
    )


COMMANDS = (status, start, reset, tests, hint, check, watch, diff, export)
