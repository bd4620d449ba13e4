"""What a verdict looks like in a marked notebook: a card under every check, one on the whole.

For a class: rules and kinds of failure, no hidden test and none of its names (a name can spell an
input out). Outputs are for people; the gradebook never reads them.
"""

from __future__ import annotations

from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.cards import Card, Row, Tone, failure_rows, state
from autograder.nbgrader_plugin.nodes import code_cell, node
from autograder.verdict import FunctionVerdict, Outcome, Reason, Status, Verdict

__all__ = ["by_check", "decided", "outputs", "remarks"]


def by_check(verdict: Verdict) -> dict[str, FunctionVerdict]:
    """Each function under the id of the cell that carries its points."""
    return {f"check-{function.name}": function for function in verdict.functions}


def decided(function: FunctionVerdict) -> bool:
    """Whether the tests alone decide the points; where not, a person does."""
    return function.counted > 0 and not function.faulty


def _others(function: FunctionVerdict) -> Iterator[Row]:
    """What is left to say beside the first failure."""
    first = function.first_failure
    if first and first.failure and first.failure.reason not in (Reason.UNWRITTEN, Reason.MISSING):
        rules = {
            (test.rule, test.failure.reason): None
            for test in function.tests if test.failure is not None and test.rule != first.rule
        }
        yield from (Row("Also failing", f"{rule} ({reason})") for rule, reason in rules)
    if faults := sum(test.outcome is Outcome.FAULT for test in function.tests):
        yield Row("Our fault", f"Tests that could not run: {faults}. A person decides.")
    skipped = {test.note: None for test in function.tests if test.outcome is Outcome.SKIPPED}
    yield from (Row("Skipped", note) for note in skipped)
    yield from (Row("Note", note) for note in function.notes)


def _card(function: FunctionVerdict) -> Card:
    first = function.first_failure
    tone = Tone.PASSED if decided(function) else Tone.CALM
    if first:
        tone = Tone.CALM if function.left_out else Tone.FAILED
    return Card(
        tone, f"{function.name}: {state(function)}",
        f"{function.count_passed} of {function.counted} tests passed.",
        (*(failure_rows(first, function.cell) if first else ()), *_others(function)),
    )


def _shown(card: Card) -> NotebookNode:
    data = node(**{"text/html": card.html, "text/plain": card.text})
    return node(output_type="display_data", metadata={}, data=data)


def _points(function: FunctionVerdict) -> NotebookNode:
    """The output that nbgrader's own scoring would read as the same points, but for a bonus, of
    which it has none."""
    if function.bonus:
        told = f"A bonus of {float(function.earned):g} of {function.points} points.\n"
        return node(output_type="stream", name="stdout", text=told)
    if function.earned and decided(function):
        data = node(**{"text/plain": repr(float(function.earned))})
        return node(output_type="execute_result", execution_count=None, metadata={}, data=data)
    told = f"0 of {function.points} points" if decided(function) else "a person decides"
    return node(output_type="error", ename="NoPoints", evalue=told, traceback=[told])


def outputs(function: FunctionVerdict, status: Status) -> list[NotebookNode]:
    """A check cell's outputs: a card, unless nothing could be read, and the points."""
    cards = [_shown(_card(function))] if status.judged else []
    return [*cards, _points(function)]


def remarks(verdict: Verdict) -> list[NotebookNode]:
    """A cell with what bears on the whole submission, or none where there is nothing to say."""
    notes = [*verdict.notes, *verdict.problems,
             *(f"the course's own code stands in for {slug}" for slug in verdict.carried)]
    if not verdict.message and not notes:
        return []
    card = Card(Tone.CALM, f"{verdict.chapter}: {verdict.status}", verdict.message,
                tuple(Row("Note", note) for note in notes))
    return [code_cell("about-this-submission", "# About this submission", [_shown(card)])]
