"""The commands of somebody who works through the course."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.text import Text

from autograder import standing, workspace
from autograder.carry import Deps, needed
from autograder.commands.names import chapter_argument, function_argument, target_argument
from autograder.commands.options import level_option
from autograder.course import Chapter, CourseError, chapters, find, is_bundle
from autograder.sandbox import Level
from autograder.terminal import console
from autograder.verdict import Verdict

__all__ = ["COMMANDS", "WITH_SOLUTIONS"]


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
@click.option("--ref-deps", is_flag=True, help="Let needed chapters stand on the reference.")
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


COMMANDS = (status, start, reset, tests, hint, check, watch, export)
WITH_SOLUTIONS = (diff,)
