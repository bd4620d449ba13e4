"""Planted bugs, automatic mutants and variants: what changes in the reference, and who notices."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from autograder import build, noticed, planted
from autograder.cli import ol
from autograder.contract import load, reference_module
from autograder.course import CourseError, find
from autograder.mutants import Mutant, Variant
from tests.toy import make_tested

CH04 = find("ch04")
RIGHT = "return (high << 32) | low"
WRONG = "return (low << 32) | high"


def bug(old, new, function="randint64"):
    return Mutant(function, "a_bug", old=old, new=new, why="for the test")


def test_one_cell_is_changed():
    """A planted bug changes its function's cell and leaves the others alone."""
    chapter = find("ch04")
    changed = {
        cell.name
        for cell, other in zip(
            planted.planted(chapter, bug(RIGHT, WRONG)).cells,
            reference_module(chapter).cells,
            strict=True,
        )
        if cell != other
    }
    assert changed == {"solve-randint64"}


@pytest.mark.parametrize(
    ("mutant", "said"),
    [
        (bug("high", "low"), "stands 4 times"),
        (bug("no such text", ""), "stands 0 times"),
        (bug(RIGHT, RIGHT, function="randint46"), "stands 0 times"),
        (bug(RIGHT, "return ("), "is not Python"),
    ],
)
def test_a_bug_that_does_not_fit_is_our_error(mutant, said):
    """Text that stands twice, nowhere, or makes no Python is named with its place."""
    with pytest.raises(CourseError, match=said) as caught:
        planted.planted(find("ch04"), mutant)

    assert f"{mutant.function}: a_bug" in str(caught.value)


def test_who_notices_what(monkeypatch):
    """Nobody notices right code; tests of the function notice a wrong value and a loop."""
    same, swapped = bug(RIGHT, RIGHT), bug(RIGHT, WRONG)
    loop = bug(RIGHT, f"while True: pass\n    {RIGHT}")
    monkeypatch.setattr(noticed, "mutants", lambda chapter: (same, swapped, loop))

    found = noticed.killers(find("ch04"))

    assert found[same] == frozenset()
    assert "test_high_half_first" in found[swapped]
    assert "test_plain_int_of_64_bits" not in found[swapped]
    assert "test_plain_int_of_64_bits" in found[loop]


def test_missing_file_is_named(monkeypatch, tmp_path):
    """A chapter without planted bugs is told where to write them."""
    chapter = find("ch04")
    monkeypatch.setenv("OL_ROOT", str(tmp_path))

    with pytest.raises(CourseError, match="planted bugs of ch04_mt19937 are not installed here"):
        planted.mutants(chapter)


def test_learners_tests_are_asked_for_what_is_within_reach(monkeypatch):
    """Neither for a bug that only a hidden test can notice, nor for one of a bonus."""
    near, bonus = bug(RIGHT, WRONG), bug("a", "b", function="randint32_array")
    far = replace(near, hidden_only=True)
    parts = [replace(part, bonus=part.name == bonus.function) for part in load(CH04).parts]
    monkeypatch.setattr(planted, "mutants", lambda chapter: (near, far, bonus))
    monkeypatch.setattr(planted, "load", lambda chapter: replace(load(CH04), parts=tuple(parts)))

    assert planted.asked(CH04) == (near,)


def variant(*sources):
    return Variant("another", "for the test", sources)


def test_a_variant_takes_the_place_of_whole_cells():
    """Only the cells of the functions it names are changed, and they are the variant's own."""
    mine = "def randint64(generator):\n    return 7"
    module = planted.variant_module(find("ch04"), variant(("randint64", mine)))
    cells = {cell.name: cell.source for cell in module.cells}
    before = {cell.name: cell.source for cell in reference_module(find("ch04")).cells}

    assert cells == before | {"solve-randint64": mine}
    assert list(cells) == list(before)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (("randint46", "def randint46(state): ..."), "randint46 is no function of the chapter"),
        (("randint64", "def randint64(state: ..."), "randint64 is not Python"),
        (("randint64", "def randint46(state): ..."), "randint64 is not defined by its source"),
        (("randint64", "def randint64(): ..."), r"randint64: wanted \(state\)"),
    ],
)
def test_a_variant_that_does_not_fit_is_our_error(source, said):
    """What is no variant of a chapter's function is named, with the file."""
    with pytest.raises(CourseError, match=said) as caught:
        planted.variant_module(find("ch04"), variant(source))

    assert "ch04_mt19937.py: variant another" in str(caught.value)


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The toy course's first chapter, built, with hidden tests and planted bugs."""
    monkeypatch.setenv("OL_ROOT", str(make_tested(tmp_path)))
    chapter = find("ch01")
    build.write(chapter)
    return chapter


COMMUTES = (
    "`return min(number + number, LIMIT * 10)` -> `return min(LIMIT * 10, number + number)`"
)


def test_who_survives(toy):
    """Of an automatic mutant that some test of any function notices nothing is said."""
    other = toy.hidden.read_text().replace('"double", kind="boundary"', '"running", kind="unit"')
    toy.hidden.write_text(other)
    survivors = noticed.survivors(toy)

    assert [(each.function, each.change) for each in survivors] == [("double", COMMUTES)]


def test_each_answer_goes_with_its_mutant(toy):
    """Several processes share the work; what they find is put together in the order of the code."""
    text = toy.hidden.read_text()
    toy.hidden.write_text(text.replace("running([1, 2, 3]) == [1, 3, 6]", "running([]) == []"))
    survivors, every = noticed.survivors(toy), noticed.automatic(toy)
    changes = {each.change for each in every if each.function == "running"}

    assert list(survivors) == [each for each in every if each in survivors]
    head = "def running(numbers, start=0, *, step={}):".format
    assert changes - {each.change for each in survivors} == {  # all that an empty list shows
        f"`{head(1)}` -> `{head(0)}`",
        "`totals = []` -> `pass`",
        "`return totals` -> `return`",
    }


def test_a_bug_that_does_not_fit_stops_the_build(toy, monkeypatch):
    """``ol build`` says the place of each, once everything is written, and ends with 2."""
    bugs = toy.mutants.read_text()
    toy.mutants.write_text(bugs.replace("min(number + number", "max(number + number", 1))
    result = CliRunner().invoke(ol, ["build", "ch01"])

    assert result.exit_code == 2
    assert f"{toy.mutants}: double: squared: its old text stands 0 times" in result.output
