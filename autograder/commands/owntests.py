"""The commands of somebody who writes tests: are they red, and what do they notice?"""

from __future__ import annotations

import json

import click

from autograder import workspace
from autograder.carry import Deps
from autograder.commands.names import target_argument
from autograder.commands.options import level_option, ref_deps_option
from autograder.course import Chapter, find
from autograder.owntests import OwnTests
from autograder.sandbox import Level, Module
from autograder.terminal import console

__all__ = ["COMMANDS"]


def _read(name: str, deps: Deps, solutions: bool) -> tuple[Chapter, OwnTests, tuple[Module, ...]]:
    """A chapter, the tests in the learner's notebook (or the course's own), and the code that
    they were written beside."""
    from autograder.carry import needed
    from autograder.contract import load, reference_module
    from autograder.owntests import gathered, reference_tests
    from autograder.reading import read

    if solutions:
        chapter = find(name)
        below = needed(chapter, Deps.REFERENCE).modules
        return chapter, reference_tests(chapter), (*below, reference_module(chapter))
    target = workspace.target(name)
    reading = read(target.notebook, load(target.chapter))
    return target.chapter, *gathered(target.chapter, reading, deps)


@click.command()
@target_argument
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
@click.option("--explain", is_flag=True, help="Say what is wrong in each bug noticed.")
@ref_deps_option
@click.option("--solutions", is_flag=True, help="Judge the course's own tests instead.")
@level_option
@click.pass_context
def mutate(
    ctx: click.Context,
    target: str,
    as_json: bool,
    explain: bool,
    ref_deps: bool,
    solutions: bool,
    level: Level | None,
) -> None:
    """Show which planted bugs your own tests notice.

    TARGET is a chapter or the path of a notebook. The tests pass with every pitfall and four bugs
    in five noticed, and no right code rejected.

    Exit code: 0 pass, 1 not yet, 2 cannot run, 3 the grader's own fault.

    \b
    Examples:
      ol mutate ch04
      ol mutate ch04 --explain
      ol mutate ch04 --json
    """
    from autograder.memory import Memory
    from autograder.mutate import judge
    from autograder.testreport import print_judged

    deps = Deps.EITHER if ref_deps else Deps.OWN
    chapter, tests, own = _read(target, deps, solutions)
    judged = judge(chapter, tests, own, level=level, memory=Memory(chapter))
    if as_json:
        click.echo(json.dumps(judged.to_dict(), indent=1, ensure_ascii=False))
    else:
        print_judged(judged, chapter.slug, console(), explain=explain)
    ctx.exit(0 if judged.passed else 1)


@click.group()
def tdd() -> None:
    """Write tests first: see them red, then write the code.

    \b
    Example:
      ol tdd red ch04
    """


@tdd.command()
@target_argument
@level_option
@click.pass_context
def red(ctx: click.Context, target: str, level: Level | None) -> None:
    """Show whether your tests fail while nothing is written.

    TARGET is a chapter or the path of a notebook.

    Exit code: 0 all fail, 1 some pass or there are none, 2 cannot run.

    \b
    Example:
      ol tdd red ch04
    """
    from autograder.onstubs import run_on_stubs

    chapter, tests, _ = _read(target, Deps.EITHER, solutions=False)
    found = run_on_stubs(chapter, tests, level=level)
    for note in tests.notes:
        click.echo(f"note: {note}")
    for name in found.passed:
        click.echo(f"{name} passes though nothing is written, so it tests nothing of yours")
    click.echo(f"{chapter.slug}: {found.sentence}")
    ctx.exit(0 if found.all_red else 1)


COMMANDS = (mutate, tdd)
