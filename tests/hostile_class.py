"""Hands attacks of tests/hostile in as notebooks and grades them, one after the other;
``test_hostile_class`` judges.

The chapter has two functions: an attack's file is, as it stands, the cell of ``attack``; an honest
answer is the cell of ``honest``. Like ``attacked`` this is a program, which may die of an attack
while the tests go on: it reads a line with a name, and writes what came of it as a line of JSON. It
decides nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from autograder.course import Chapter, find
from autograder.grade import grade_notebook, grade_reference
from autograder.sandbox import Level, strongest
from autograder.sandbox.inside.linux import PR_SET_CHILD_SUBREAPER, prctl
from tests import attacks, toy
from tests.attacked import BRIEF, PATIENT, Surroundings, descendants, settled
from tests.attacks import Attack

SLUG = "ch01_attack"
REFERENCE = {  # by function: its points, and the course's own answer
    "attack": (40, "def attack(world):\n    return 7  # the reference's own\n"),
    "honest": (60, "def honest(number):\n    return 2 * number\n"),
}
HONEST = "def honest(n):\n    return n + n\n"
HIDDEN = '''
import os

import numpy as np
import pytest

from autograder.hidden import checks  # a hidden test's own


@checks("attack", kind="unit", why="w")
def test_use(attack, golden, repeat):
    """It is 7, or what else is wanted of it."""
    value = attack(golden)
    match os.environ["OL_TEST_USE"]:
        case "list":
            assert list(value) == [7]
        case "compare items":
            assert value == [1, 2, 3]
        case "compare arrays":
            np.testing.assert_array_equal(value, np.ones(3))
        case "call again":
            assert attack({}) is True  # as forged_answers has it
        case "repeat":
            assert repeat(attack, 10, {}) == [7] * 10
        case _:
            assert value == 7


@checks("attack", kind="fault", why="w")
def test_error(attack, golden):
    """Or there is an error."""
    with pytest.raises(LookupError):
        attack(golden)


@checks("honest", kind="unit", why="w")
def test_twice(honest):
    """Twice 21 is 42."""
    assert honest(21) == 42
'''


def notebook(answers: Mapping[str, str]) -> str:
    """The chapter's notebook with these answers, by function; it has nothing else in it."""
    cells = []
    for name, (points, _) in REFERENCE.items():
        cells += [
            {"cell_type": "code", "id": f"solve-{name}", "metadata": {}, "source": answers[name]},
            {"cell_type": "code", "id": f"check-{name}", "source": f"check({name!r})",
             "metadata": {"nbgrader": {"points": points}}},
        ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def make_course(folder: Path, world: Mapping[str, object]) -> Chapter:
    """The chapter, as if it were built, below ``folder``; ``OL_ROOT`` leads there from now on."""
    files = {
        f"solutions/{SLUG}.py": toy.HEADER.format(
            title="Attacks", module="attack", alias="T.1", needs=""),
        f"solutions/{SLUG}/{SLUG}.ipynb": notebook(
            {name: answer for name, (_, answer) in REFERENCE.items()}),
        f"autograder/hidden/{SLUG}.py": HIDDEN,
        f"fixtures/{SLUG}/golden.json": json.dumps(world),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    os.environ["OL_ROOT"] = str(folder)
    return find(SLUG)


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below a folder, by size and when it was changed."""
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns)
            for path in folder.rglob("*")}


def graded(
    attack: Attack, chapter: Chapter, level: Level, surroundings: Surroundings
) -> dict[str, object]:
    """The verdict on an attack, and what is different from before it."""

    def state() -> dict[str, object]:
        return surroundings.state() | {"folder": listing(Path(tempfile.gettempdir()))}

    limits = BRIEF if "TimedOut" in attack.ends(level) else PATIENT
    os.environ["OL_TEST_USE"] = attack.do
    before = state()
    if "numpy" not in attack.source:  # starts several times as fast, and has less to fill
        chapter, limits = replace(chapter, packages=()), replace(limits, memory_bytes=1 << 27)
    submission = notebook({"attack": attack.source, "honest": HONEST}).encode()
    verdict = grade_notebook(chapter, submission, limits=limits, level=level)
    left = settled(lambda: descendants(os.getpid()), 1) - 1
    changed = [name for name, now in state().items() if now != before[name]]
    return {"verdict": verdict.to_dict(), "changed": changed, "left": left}


def main() -> None:
    """Answer line by line until there are no more; everything lies in the folder named."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # what escapes becomes a child of this process, and is seen
    folder = Path(sys.argv[1])
    (folder / "temporary").mkdir()
    tempfile.tempdir = str(folder / "temporary")
    os.environ["OL_TEST_SECRET"] = "the grader's own"
    with contextlib.closing(Surroundings(folder)) as surroundings:
        chapter, level = make_course(folder / "course", surroundings.world), strongest()
        grade_reference(chapter, level=level)  # what a first grading leaves is no attack's doing
        for line in sys.stdin:
            found = graded(attacks.find(line.strip()), chapter, level, surroundings)
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
