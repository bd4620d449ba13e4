"""What a chapter exports, read from its built notebook."""

import json
import subprocess
import sys

import pytest

from autograder import build, contract, course
from autograder.course import CourseError
from tests import toy


@pytest.fixture
def chapters(tmp_path, monkeypatch):
    """The toy course, built."""
    monkeypatch.setenv("OL_ROOT", str(toy.make_course(tmp_path)))
    for chapter in course.chapters():
        build.write(chapter)
    return course.chapters()


def test_parts_are_what_a_learner_writes(chapters):
    """Each solve cell is a part, with the points of its check and its docstring."""
    parts = contract.load(chapters[0]).parts

    assert [(part.name, part.kind, part.points, part.cell, part.check) for part in parts] == [
        ("double", "function", 40, "solve-double", "check-double"),
        ("running", "function", 60, "solve-running", "check-running"),
    ]
    assert parts[0].doc.startswith("Twice a number")


@pytest.mark.parametrize(("index", "name", "wanted"), [
    (0, "double", "(number: int) -> int"), (0, "running", "(numbers, start=0, *, step=1)"),
    (1, "Words", "(text, sep=' ')"),
])
def test_signatures_come_from_the_reference(chapters, index, name, wanted):
    """A class is called as its ``__init__`` is, without ``self``."""
    assert str(contract.load(chapters[index]).part(name).signature) == wanted


def test_names_leave_out_imports(chapters):
    """Given classes and constants are exported, modules that the course imports are not."""
    loaded = contract.load(chapters[0])

    assert loaded.module == "llmdata.count"
    assert loaded.names == {"LIMIT", "Tally", "double", "running"}
    assert loaded.given_names == {"LIMIT", "Tally", "dataclass", "np"}


def test_reference_is_given_and_solved_cells_in_order(chapters):
    """Demos, examples and checks are no part of the module; its code runs."""
    module = contract.reference_module(chapters[0])
    assert [cell.name for cell in module.cells] == ["given-tally", "solve-double", "solve-running"]

    namespace = {}
    for cell in module.cells:
        exec(cell.source, namespace)
    assert namespace["running"]([1, 2, 3], step=2) == [1, 4]


def test_reference_cells_are_found_by_part(chapters):
    """A part's reference is its whole cell."""
    cells = contract.reference_cells(contract.load(chapters[1]))

    assert list(cells) == ["Words"]
    assert cells["Words"].startswith("class Words:")


def test_chapter_of_finds_a_function(chapters):
    """A function's name is enough to find its chapter."""
    assert contract.chapter_of("running") == chapters[0]
    with pytest.raises(CourseError, match="no chapter asks for a function 'runing'"):
        contract.chapter_of("runing")


def test_load_sees_a_rebuilt_notebook(chapters):
    """The cache holds as long as the file does."""
    assert contract.load(chapters[0]) is contract.load(chapters[0])

    source = chapters[0].source
    source.write_text(source.read_text().replace("points=40", "points=41"))
    build.write(chapters[0])
    assert contract.load(chapters[0]).part("double").points == 41


@pytest.mark.parametrize("damage", ["", "[]", '{"cells": [{}]}', '{"cells": '])
def test_a_damaged_notebook_says_what_to_do(chapters, damage):
    """Whatever lies where the built notebook should, the message names the command."""
    chapters[0].solution.write_text(damage)

    with pytest.raises(CourseError, match=r"not as it was built .* run 'ol build ch01'"):
        contract.load(chapters[0])


def test_an_unbuilt_chapter_says_what_to_do(chapters):
    """A missing notebook is asked for."""
    chapters[0].solution.unlink()

    with pytest.raises(CourseError, match="is missing; run 'ol build ch01'"):
        contract.load(chapters[0])


def test_bare_is_the_same_for_solution_and_release(chapters):
    """The course's own cells are known again in a learner's notebook and in the solution."""
    loaded = contract.load(chapters[0])
    for path in (chapters[0].solution, chapters[0].release):
        own = {
            contract.bare("".join(cell["source"])) for cell in json.loads(path.read_text())["cells"]
            if cell["cell_type"] == "code" and not cell["id"].startswith("solve-")
        }
        assert own == loaded.own_cells


def test_stub_shows_signatures_fields_and_first_lines(chapters):
    """The .pyi file holds what a caller needs and no body; unused imports are left out."""
    assert chapters[0].contract.read_text() == '''\
# Built by 'ol build' from solutions/ch01_count.py: edit that file instead.

from dataclasses import dataclass
import numpy as np

LIMIT: int

@dataclass
class Tally:
    """A running count."""
    total: int
    seen: np.ndarray

def double(number: int) -> int:
    """Twice a number, at most `LIMIT` times ten."""

def running(numbers, start=0, *, step=1):
    """The running totals of a list."""
'''
    assert "import" not in chapters[1].contract.read_text()
    assert "    def count(self):\n" in chapters[1].contract.read_text()


@pytest.mark.parametrize("slow", ["jupytext", "nbformat", "nbgrader"])
def test_grading_needs_no_notebook_library(slow):
    """What grades imports neither jupytext, nbformat nor nbgrader: they take a second."""
    code = f"import sys, autograder.export, autograder.contract; sys.exit({slow!r} in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
