"""Milestones: several chapters' modules at work together, twice, and beside the reference.

A milestone's script runs in the sandbox with the modules and gives the files that they wrote. Only
bytes are compared here, by the grader.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import books
from autograder.binary import first_difference
from autograder.carry import Deps, needed
from autograder.course import Chapter, CourseError, find, root
from autograder.sandbox import Box, Cell, LearnerStop, Limits, Module
from autograder.show import clean

__all__ = ["Milestone", "Output", "find_milestone", "run"]

@dataclass(frozen=True)
class Milestone:
    """A script beside this file, and the last chapters that it calls."""

    name: str
    script: str
    needs: tuple[str, ...]

    @property
    def cell(self) -> Cell:
        path = Path(__file__).with_name(self.script)
        return Cell(path.name, path.read_text(encoding="utf-8"))

    @property
    def whole(self) -> Chapter:
        """A chapter that stands on all that is needed."""
        last = find(self.needs[-1])
        return dataclasses.replace(last, slug=self.name, aliases=(self.name,), needs=self.needs)


MILESTONES = (Milestone("MS-corpus", "ms_corpus.py", ("ch07_tokenize",)),)
LIMITS = Limits(test_seconds=60.0, total_seconds=240.0)
Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Output:
    """One file: how many bytes and which SHA-256, and how it differs from what it should be."""

    name: str
    size: int
    sha256: str
    difference: str = ""


def find_milestone(name: str) -> Milestone | None:
    """The milestone of that name, however it is capitalised; None where there is none."""
    return next((each for each in MILESTONES if each.name.lower() == name.lower()), None)


def _tokenizer() -> bytes:
    golden = json.loads((root() / "fixtures" / "ch03_tokenizer" / "golden.json").read_bytes())
    return json.dumps(golden["hugging_face"]["file"]).encode()


def _runs(milestone: Milestone, deps: Deps, times: int) -> Iterator[Files]:
    """What the script gives, each time in a fresh process.

    Raises:
        LearnerStop: the modules cannot be run to the end.
        CourseError: a chapter is missing, or what came back is no files.
    """
    chapter = milestone.whole
    modules = [*needed(chapter, deps).modules, Module("milestone", (milestone.cell,))]
    with Box(modules, packages=chapter.packages, limits=LIMITS) as box:
        for _ in range(times):
            with box.worker() as worker:
                given = books.embedded().read_bytes(), _tokenizer()
                found = worker.get("milestone", "outputs")(*given)
                if not isinstance(found, dict) or {*map(type, found)} - {str} or {
                    *map(type, found.values())
                } - {bytes}:
                    raise CourseError("what came back is not a dict of files; an earlier chapter "
                                      "has been tampered with")
                yield found


def _difference(name: str, got: bytes | None, wanted: bytes | None, of: str) -> str:
    if got == wanted:
        return ""
    if got is None:
        return f"missing; {of} has it"
    if wanted is None:
        return f"{of} has no such file"
    first = first_difference(got, wanted)
    assert first is not None  # they are not equal
    here = [data[first : first + 8].hex(" ") or "the end" for data in (got, wanted)]
    return f"differs from {of} at byte {first:,}: {here[0]} in place of {here[1]}"


def _compared(first: Files, second: Files, reference: Files) -> Iterator[Output]:
    for name in sorted({*first, *second, *reference}):
        got = first.get(name)
        said = [
            _difference(name, second.get(name), got, "the first run"),
            _difference(name, got, reference.get(name), "the reference"),
        ]
        data = got or b""
        yield Output(clean(name, 80), len(data), hashlib.sha256(data).hexdigest(),
                     "; ".join(filter(None, said)))


def run(milestone: Milestone, deps: Deps) -> Sequence[Output]:
    """The outputs of a milestone on what ``deps`` allows, each compared with its second run and
    with the reference's.

    Raises:
        CourseError: a chapter is missing, or its code does not come to an end; the message says so.
    """
    try:
        first, second = _runs(milestone, deps, 2)
    except LearnerStop as stop:
        said = clean(str(stop))
        raise CourseError(f"{milestone.name} does not come to its end: {said}") from stop
    (reference,) = _runs(milestone, Deps.REFERENCE, 1)
    return tuple(_compared(first, second, reference))
