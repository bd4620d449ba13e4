"""The commands of somebody who writes tests: are they red, and what do they notice?"""

from __future__ import annotations

import json

import click
from rich.console import Console

from autograder import workspace
from autograder.carry import Deps
from autograder.commands.options import level_option
from autograder.course import Chapter, find
from autograder.owntests import OwnTests
from autograder.sandbox import Level, Module

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
@click.argument("target")
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
@click.option("--explain", is_flag=True, help="Say what is wrong in each bug noticed.")
@click.option("--ref-deps", is_flag=True, help="Let needed chapters stand on the reference.")
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
    """Which planted bugs your own tests notice. TARGET is a slug, an alias or a notebook's path.

    \b
    They pass with every pitfall and four bugs in five noticed, and no right code rejected.
    Exit code: 0 pass, 1 not yet, 2 cannot run, 3 the grader's own fault.
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
        print_judged(judged, chapter.slug, Console(), explain=explain)
    ctx.exit(0 if judged.passed else 1)


@click.group()
def tdd() -> None:
    """Tests first: write them, see them red, then write the code."""


@tdd.command()
@click.argument("target")
@level_option
@click.pass_context
def red(ctx: click.Context, target: str, level: Level | None) -> None:
    """Whether every test of yours fails while nothing is written yet, as it should.

    \b
    Exit code: 0 all fail, 1 some pass or there are none, 2 cannot run.
    """
    from autograder.mutate import run_on_stubs

    chapter, tests, _ = _read(target, Deps.EITHER, solutions=False)
    found = run_on_stubs(chapter, tests, level=level)
    for note in tests.notes:
        click.echo(f"note: {note}")
    for name in found.passed:
        click.echo(f"{name} passes though nothing is written, so it tests nothing of yours")
    click.echo(f"{chapter.slug}: {found.sentence}")
    ctx.exit(0 if found.all_red else 1)


COMMANDS = (mutate, tdd)
