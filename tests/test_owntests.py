"""A learner's tests found in a notebook: which cells are taken, and what is said of others."""

import json

import pytest

from autograder.contract import load
from autograder.course import find
from autograder.export import select
from autograder.owntests import from_text, own_tests, reference_tests
from autograder.reading import read

CONTRACT = load(find("ch04"))


def notebook(*sources, ids=()):
    names = [*ids, *(f"c{number}" for number in range(len(sources) - len(ids)))]
    cells = [
        {"cell_type": "code", "id": name, "metadata": {}, "outputs": [], "execution_count": None,
         "source": source}
        for name, source in zip(names, sources, strict=True)
    ]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return read(json.dumps(whole).encode(), CONTRACT)


def taken(*sources, **named):
    return own_tests(notebook(*sources, **named), CONTRACT)


TEST = "def test_it():\n    assert helper(LIMIT) == 3"


def test_cells_with_tests_are_taken_wherever_they_stand():
    """Plain functions, async ones and classes of tests; not what only begins like one."""
    tests = taken("def test_a(): pass", "x = 1", "class TestB:\n    def test_b(self): pass",
                  "tested = 5", "async def test_c(): pass")
    assert tests.text == ("def test_a(): pass\n\nclass TestB:\n    def test_b(self): pass\n\n"
                          "async def test_c(): pass")


def test_what_they_need_comes_along():
    """Helpers, constants and imports, in the notebook's order."""
    tests = taken("LIMIT = 2", "import math", "def helper(n):\n    return n + math.floor(1.5)",
                  "unused = 1", TEST)
    assert tests.text == "\n\n".join(["LIMIT = 2", "import math",
                                      "def helper(n):\n    return n + math.floor(1.5)", TEST])


def test_fixtures_come_along_by_the_name_of_an_argument():
    """And nothing else that happens to have the name."""
    fixture = "import pytest\n@pytest.fixture\ndef state():\n    return 3"
    tests = taken(fixture, "seed = 4", "def test_it(state, seed):\n    assert state == 3")
    assert tests.text == f"{fixture}\n\ndef test_it(state, seed):\n    assert state == 3"


def test_the_chapters_names_are_left_to_the_code_under_test():
    """Also where a cell above defines the function: a test must not bring its own."""
    tests = taken("def randint32(state):\n    return 4",
                  "def test_it():\n    assert randint32(MT19937State(left=N)) == np.uint32(4)")
    assert "def randint32" not in tests.text
    assert tests.names == ("MT19937State", "N", "np", "randint32")


def test_a_test_beside_an_answer_is_left_out_with_a_note():
    """It would test the answer in its own cell, whatever code it is tried on."""
    tests = taken("def randint32(state):\n    return 4\n\ndef test_it():\n    assert randint32(0)")
    assert tests.text == ""
    assert tests.notes == ("cell 1 (c0) defines randint32, so its test_it is left out; "
                           "move tests to a cell of their own",)


def test_a_tests_cell_that_cannot_be_read_is_named():
    """With the line, and the other cells are taken."""
    tests = taken("def test_a():\n    assert (1", "def test_b(): pass", ids=["tests-own_tests"])
    assert tests.text == "def test_b(): pass"
    assert tests.notes == ("cell 1 (tests-own_tests), line 2: '(' was never closed: "
                           "its tests are left out",)


def test_the_released_stub_is_no_test():
    """And neither are the course's own examples of tests."""
    chapter = find("ch04")
    reading = read(chapter.release, CONTRACT)
    assert any("def test_draw_625" in cell.source for cell in reading.cells)
    assert own_tests(reading, CONTRACT).text == ""


def test_lines_are_told_as_the_learner_finds_them():
    """Cell and line, however many cells went before."""
    tests = taken("def test_a():\n    pass", "x = 1", "\ndef test_b():\n    assert 0")
    assert [tests.where(line) for line in (0, 2, 6)] == [
        "", "cell 1 (c0), line 2", "cell 3 (c2), line 3"]


def test_an_import_of_the_chapters_module_defines_no_answer():
    """``from llmdata.rand import randint32`` in a cell of tests must not pass for the function."""
    reading = notebook("def randint32(state):\n    return 4",
                       "from llmdata.rand import randint32\n\ndef test_it():\n    randint32(None)")
    found = select(reading, CONTRACT).functions["randint32"]
    assert (found.problem, found.index) == (None, 1)


def test_the_courses_own_tests_are_those_of_the_solution():
    """Whole files need nothing that they do not import."""
    tests = reference_tests(find("ch04"))
    assert tests.text.startswith("import numpy as np\n")
    assert tests.where(1) == "ch04_mt19937.py (tests-own_tests), line 1"
    assert tests.names == ()


@pytest.mark.parametrize("below", [(), (CONTRACT,)])
def test_a_suite_gives_each_modules_given_cells(below):
    """Those of chapters below come first, as they have to be imported first."""
    suite = from_text("def test_it(): pass", "own.py").suite(CONTRACT, below)
    assert [name for name, _ in suite.given] == ["llmdata.rand"] * (1 + len(below))
    assert (suite.module, suite.passing) == ("llmdata.rand", ("MT19937State",))
    assert all("class MT19937State" in cells[0] for _, cells in suite.given)


@pytest.mark.parametrize(("name", "passing"), [("ch05", ("MT19937State",)), ("ch02", ())])
def test_classes_of_chapters_below_pass_where_they_are_imported(name, passing):
    """Chapter 5's functions take the state of chapter 4, chapter 2's have no use for it."""
    suite = from_text("def test_it(): pass", "own.py").suite(load(find(name)), [CONTRACT])
    assert suite.passing == passing
