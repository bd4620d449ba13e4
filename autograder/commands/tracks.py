"""``ol grade``: a scoring table over several chapters, or a milestone; and ``ol capstone``."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.carry import Deps
from autograder.commands.names import track_argument
from autograder.terminal import console

if TYPE_CHECKING:
    from autograder.tracks.milestone import Milestone

__all__ = ["COMMANDS", "WITH_SOLUTIONS"]


def _track(name: str, *, solutions: bool, as_json: bool) -> int:
    """Print a track's table. Returns the exit code."""
    from autograder.tracks import find_track
    from autograder.tracks.report import print_track
    from autograder.tracks.scoring import State, grade_chapters, score

    rows = find_track(name)
    deps = Deps.REFERENCE if solutions else Deps.EITHER
    scored = tuple(score(rows, grade_chapters(rows, solutions=solutions), deps=deps))
    earned, possible = (sum(getattr(row, key) for row in scored) for key in ("earned", "possible"))
    if as_json:
        plain = [dataclasses.asdict(row) for row in scored]
        click.echo(json.dumps({"earned": earned, "possible": possible, "rows": plain}, indent=1))
    else:
        print_track(name.upper(), scored, console())
    if any(row.state is State.FAULT for row in scored):
        return 3
    return 0 if earned == possible else 1


def _milestone(milestone: Milestone, *, deps: Deps, as_json: bool) -> int:
    """Print a milestone's outputs. Returns the exit code."""
    from autograder.tracks.milestone import run
    from autograder.tracks.report import print_milestone

    outputs = run(milestone, deps)
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(each) for each in outputs], indent=1))
    else:
        print_milestone(milestone.name, outputs, console())
    return 1 if any(each.difference for each in outputs) else 0


@click.command()
@track_argument
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
@click.option("--ref-deps", is_flag=True, help="Milestones: chapters may stand on the reference.")
@click.option("--solutions", is_flag=True, help="Grade the course's own solutions instead.")
@click.pass_context
def grade(
    ctx: click.Context, name: str, as_json: bool, ref_deps: bool, solutions: bool
) -> None:
    """Score a track (A0) or a milestone (MS-corpus).

    A0: a row is earned whole, or by halves where it has two parts. What cannot be verified on this
    machine is SKIP and leaves the total. Of rows that build on each other, mend the topmost first.

    MS-corpus: your exported chapters go from an e-book to token files, twice, and every file is
    compared with the other run's and with the reference's.

    Exit code: 0 all earned, 1 not yet, 2 cannot run, 3 the grader's own fault.

    \b
    Examples:
      ol grade A0
      ol grade MS-corpus --ref-deps
    """
    from autograder.tracks.milestone import find_milestone

    milestone = find_milestone(name)
    if milestone is None:
        code = _track(name, solutions=solutions, as_json=as_json)
    else:
        deps = Deps.REFERENCE if solutions else Deps.EITHER if ref_deps else Deps.OWN
        code = _milestone(milestone, deps=deps, as_json=as_json)
    ctx.exit(code)


@click.command()
@click.option("--to", type=click.Path(path_type=Path, file_okay=False),
              help="The folder to write; work/capstone unless given.")
@click.option("--seed", default=42, show_default=True, help="Of weights and batches.")
@click.option("--steps", type=click.IntRange(min=1), help="How many batches to train on.")
@click.pass_context
def capstone(ctx: click.Context, to: Path | None, seed: int, steps: int | None) -> None:
    """Train the model of chapter 12 on the embedded book.

    Text, loss and datasheet go into work/capstone. It runs on your own exported chapters, and on
    the course's where there is none; it says which.

    The test split is evaluated by the first run, whatever its --to and --steps, and by no later
    one: work/test-opened keeps its number in a file that has the split's SHA-256 for a name.

    \b
    Examples:
      ol capstone
      ol capstone --steps 20 --to try
    """
    from autograder import capstone as whole
    from autograder.course import work_dir

    with tempfile.TemporaryDirectory() as package:
        own, carried = whole.assemble(Path(package))
        click.echo(f"yours: {', '.join(own) or 'nothing'}")
        click.echo(f"the course's: {', '.join(carried) or 'nothing'}")
        options = ["--seed", str(seed), "--seals", str(work_dir() / "test-opened"),
                   *(["--steps", str(steps)] if steps else [])]
        ctx.exit(whole.train(Path(package), to or work_dir() / "capstone", options))


COMMANDS = (capstone,)
WITH_SOLUTIONS = (grade,)
