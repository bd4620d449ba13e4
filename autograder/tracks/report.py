"""Tracks and milestones for the terminal. What learners wrote is ``Text``, never markup."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from autograder.report import plain_table
from autograder.tracks.milestone import Output
from autograder.tracks.scoring import Scored, State

__all__ = ["print_milestone", "print_track"]


STYLES = {State.PASSED: "green", State.SKIPPED: "yellow", State.FAULT: "yellow"}


def print_track(name: str, rows: Sequence[Scored], console: Console) -> None:
    """Print a track's table, and first of all what to mend first."""
    table = plain_table("Row")
    table.add_column("Points", justify="right")
    table.add_column("")
    for row in rows:
        style = STYLES.get(row.state, "red")
        table.add_row(Text(row.title), Text(f"{row.earned} of {row.possible}"),
                      Text(row.state, style))
    earned, possible = sum(row.earned for row in rows), sum(row.possible for row in rows)
    console.print(Text(f"{name}: {earned} of {possible} points"))
    wanting = (row for row in rows if row.reason)
    for number, (reason, group) in enumerate(groupby(wanting, lambda row: row.reason)):
        title = "Then" if number else "Mend first"
        names = dict.fromkeys(row.title.partition(":")[0] for row in group)
        console.print(Text(f"{title}: {', '.join(names)}: {reason}"))
    console.print(table)
    for row in rows:
        for kind, said in (("SKIP", row.skipped), ("The grader's fault", row.fault)):
            if said:
                console.print(Text(f"{kind}, leaves the total: {row.title}: {said}"))
    for below in {name: None for row in rows for name in row.carried}:
        above = [row.title.partition(":")[0] for row in rows if below in row.carried]
        console.print(Text(f"On the reference's {below}: {', '.join(dict.fromkeys(above))}"))


def print_milestone(name: str, outputs: Sequence[Output], console: Console) -> None:
    """Print the files, and of each whether it is what it should be."""
    table = plain_table("File", "Bytes", "SHA-256", "")
    table.columns[1].justify = "right"
    for each in outputs:
        said = Text(each.difference, "red") if each.difference else Text("the same", "green")
        table.add_row(Text(each.name), f"{each.size:,}", each.sha256[:12], said)
    wrong = sum(bool(each.difference) for each in outputs)
    right = len(outputs) - wrong
    console.print(Text(f"{name}: {right} of {len(outputs)} files are the reference's"))
    console.print(table)
