"""What a learner's tests are worth, as a card and for the terminal: the bugs, alive and dead, and
what stands in the way.

Nothing here decides anything. A bug that lives is shown by its symptom at most.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.cards import Card, Row, Tile, Tone
from autograder.judged import ENOUGH, Bug, Judged
from autograder.report import plain_table

__all__ = ["card", "print_judged"]

MOST_SYMPTOMS = 4
LEGEND = "■ noticed  □ alive  ▲ △ the same of a pitfall. A bug has a name once a test notices it."


def _wording(bug: Bug) -> str:
    """All that a learner is told of a bug."""
    if bug.killed_by:
        return f"{bug.name}: {bug.why}"
    return f"you would see: {bug.symptom}" if bug.symptom else ""


def _alike(judged: Judged) -> Iterator[Row]:
    for rejection in judged.rejections:
        place = f" ({rejection.where})" if rejection.where else ""
        yield Row("Rejects", f"{rejection}{place}", code=True)
    if judged.flaky:
        yield Row("Flaky", f"{', '.join(judged.flaky)}: passes and fails on the same code")
    for own in judged.own:
        yield Row("Your code", f"{own.test} passes on right code and fails on yours: {own.message}",
                  code=True)


def _summary(judged: Judged) -> tuple[Row, ...]:
    """What to know besides the table, and the next step."""
    rows = list(_alike(judged))
    if judged.unwritten:
        rows.append(Row("Not written", ", ".join(judged.unwritten)))
    rows += (Row("Note", note) for note in judged.notes)
    symptoms = list(dict.fromkeys(bug.symptom for bug in judged.alive_pitfalls if bug.symptom))
    if judged.accepting and symptoms:
        more = [f"and {len(symptoms) - MOST_SYMPTOMS} more"] if symptoms[MOST_SYMPTOMS:] else []
        rows.append(Row("Pitfalls", "not noticed yet: "
                        + "; ".join([*symptoms[:MOST_SYMPTOMS], *more])))
    return (*rows, *_next(judged))


def _next(judged: Judged) -> Iterator[Row]:
    if judged.rejections or judged.flaky:
        yield Row("Next step", "test what the chapter promises, and nothing else; mend these tests "
                               "or take them out")
    elif not judged.passed:
        wanted = -(-len(judged.bugs) * ENOUGH.numerator // ENOUGH.denominator)
        idea = ("write a test that one of the symptoms would fail" if judged.alive_pitfalls else
                "test types, edges and refusals of the functions that have most bugs left")
        yield Row("Next step", f"{wanted} bugs and every pitfall are wanted; {idea}")


def _mark(bug: Bug) -> str:
    """Full once a test notices the bug; a triangle for a pitfall."""
    return ("▲" if bug.killed_by else "△") if bug.pitfall else ("■" if bug.killed_by else "□")


def card(judged: Judged) -> Card:
    """The bugs as a picture, a row for each function."""
    rows = []
    for function, group in itertools.groupby(judged.bugs, lambda bug: bug.function):
        bugs = list(group)
        tiles = tuple(
            Tile(_mark(bug), _wording(bug) or "a bug that lives", not bug.killed_by) for bug in bugs
        )
        killed = sum(bool(bug.killed_by) for bug in bugs)
        rows.append(Row(function, f"{killed} of {len(bugs)}", tiles=tiles))
    tried = judged.tests or judged.rejections or judged.flaky
    tone = Tone.PASSED if judged.passed else Tone.FAILED if tried else Tone.CALM
    lead = f"{LEGEND} Point at one to see what it is."
    return Card(tone, f"Your tests notice {judged.killed} of {len(judged.bugs)} bugs: "
                      f"{judged.state}", lead, (*rows, *_summary(judged)))


def _table(judged: Judged) -> Table:
    table = plain_table("", "In", "What it is", "Noticed by")
    table.columns[1].no_wrap = True
    for bug in judged.bugs:
        seen = f"(you would see: {bug.symptom})" if bug.symptom else ""
        by = bug.killed_by.partition("[")[0] + (" (timed out)" if bug.timed_out else "")
        table.add_row(
            Text(_mark(bug), "green" if bug.killed_by else "yellow"), bug.function,
            Text(bug.name.replace("_", " ") or seen), Text(by, overflow="fold"),
        )
    return table


def _explained(judged: Judged) -> Iterator[str]:
    for bug in judged.bugs:
        if bug.killed_by:
            yield f"{bug.function}, {bug.name.replace('_', ' ')}: {bug.why}"


def print_judged(judged: Judged, title: str, console: Console, *, explain: bool = False) -> None:
    """Print what ``judged`` says to the person who wrote the tests."""
    console.print(_table(judged))
    console.print(LEGEND)
    if explain:
        for line in _explained(judged):
            console.print(Text(line))
    for row in _summary(judged):
        console.print(Text(f"{row.label}: {row.text}"))
    console.print(Text(f"{title}: your tests notice {judged.killed} of {len(judged.bugs)} planted "
                       f"bugs; {judged.state}", "green" if judged.passed else "yellow"))
