"""The tests that a learner wrote, taken out of a notebook as one file for a tester.

Cells are found by the test functions they define. Nothing is run and nothing is judged here;
running is ``sandbox.Tester``'s work, judging is ``mutate``'s.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.carry import Deps, needed
from autograder.contract import Contract, bare, load
from autograder.course import Chapter
from autograder.export import closure, select
from autograder.reading import Reading
from autograder.sandbox import Module, Suite
from autograder.submission import CodeCell, Submission

__all__ = ["OwnTests", "from_text", "gathered", "own_tests", "reference_tests"]


@dataclass(frozen=True)
class OwnTests:
    """A learner's tests as one text, where its cells begin in it, and remarks on them."""

    text: str
    names: tuple[str, ...]
    cells: tuple[tuple[int, str], ...]  # first line of each cell, and how messages name it
    notes: tuple[str, ...] = ()

    def where(self, line: int) -> str:
        """A line of the text as the learner finds it."""
        place = bisect.bisect(self.cells, line, key=lambda cell: cell[0]) - 1
        if line < 1 or place < 0:
            return ""
        first, label = self.cells[place]
        return f"{label}, line {line - first + 1}"

    def suite(self, contract: Contract, below: Sequence[Contract] = ()) -> Suite:
        """For a tester; ``below`` are the chapters that this one needs."""
        given = tuple(
            (each.module, tuple(cell.source for cell in each.given)) for each in (*below, contract)
        )
        classes = dict.fromkeys(
            name for each in (*below, contract) for name in each.given_classes
            if name in contract.given_names
        )
        return Suite(self.text, given, contract.module, tuple(classes), self.names)


def _tests(cell: CodeCell) -> list[str]:
    return [
        name for name, each in cell.code.definitions.items()
        if (name.startswith("test_") and each.kind.endswith("function"))
        or (name.startswith("Test") and each.kind == "class")
    ]


def _fixtures(chosen: Sequence[CodeCell], submission: Submission) -> Iterator[CodeCell]:
    """The cells with fixtures that functions in ``chosen`` take: pytest finds them by name."""
    for each in (each for cell in chosen for each in cell.code.definitions.values()):
        for name in each.signature.parameters if each.signature else ():
            for cell in submission.definers.get(name, [])[-1:]:
                if "fixture" in cell.code.source:
                    yield cell


def _chosen(submission: Submission, contract: Contract) -> tuple[list[CodeCell], list[str]]:
    """Cells with tests, and remarks on those that cannot be taken."""
    parts = {part.name for part in contract.parts}
    chosen, notes = [], []
    own = contract.own_tests
    for cell in submission.learner:
        if own and bare(cell.at.source) == own.stub.strip():
            continue
        if cell.code.problem and own and cell.at.grade_id == own.cell:
            notes.append(f"{cell.label}, {cell.code.problem}: its tests are left out")
        elif tests := _tests(cell):
            if answers := sorted(parts & cell.code.definitions.keys()):
                notes.append(f"{cell.label} defines {answers[0]}, so its {tests[0]} is left out; "
                             "move tests to a cell of their own")
            else:
                chosen.append(cell)
    return chosen, notes


def own_tests(reading: Reading, contract: Contract) -> OwnTests:
    """The tests in a submission: cells that define some, and those they need names from."""
    submission = Submission(reading, contract)
    chosen, notes = _chosen(submission, contract)
    known = contract.names | contract.given_names
    cells = closure([*chosen, *_fixtures(chosen, submission)], submission, known)
    used = frozenset[str]().union(*(cell.code.needs for cell in cells)) & known
    lines, starts = 1, []
    for cell in cells:
        starts.append((lines, cell.label))
        lines += cell.code.source.count("\n") + 2
    text = "\n\n".join(cell.code.source for cell in cells)
    return OwnTests(text, tuple(sorted(used)), tuple(starts), tuple(notes))


def gathered(
    chapter: Chapter, reading: Reading, deps: Deps
) -> tuple[OwnTests, tuple[Module, ...]]:
    """The tests in a notebook, and the modules of the code that they were written beside."""
    contract = load(chapter)
    below = needed(chapter, deps).modules
    return own_tests(reading, contract), (*below, select(reading, contract).module)


def reference_tests(chapter: Chapter) -> OwnTests:
    """The course's own tests for a chapter; none where it asks for none."""
    own = load(chapter).own_tests
    if own is None:
        return OwnTests("", (), ())
    return from_text(own.reference, f"{chapter.source.name} ({own.cell})")


def from_text(text: str, label: str) -> OwnTests:
    """Tests that stand in one file, which messages call ``label`` and which imports all it uses."""
    return OwnTests(text, (), ((1, label),))
