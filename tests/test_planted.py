"""Planted bugs: each is exactly one change to the reference, and the hidden tests notice it."""

import pytest

from autograder import planted
from autograder.course import CourseError, find
from autograder.mutants import Mutant

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
            planted.reference_module(chapter).cells,
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
    monkeypatch.setattr(planted, "mutants", lambda chapter: (same, swapped, loop))

    found = planted.killers(find("ch04"))

    assert found[same] == frozenset()
    assert "test_high_half_first" in found[swapped]
    assert "test_plain_int_of_64_bits" not in found[swapped]
    assert "test_plain_int_of_64_bits" in found[loop]


def test_missing_file_is_named(monkeypatch, tmp_path):
    """A chapter without planted bugs is told where to write them."""
    chapter = find("ch04")
    monkeypatch.setenv("OL_ROOT", str(tmp_path))

    with pytest.raises(CourseError, match="write the chapter's planted bugs"):
        planted.mutants(chapter)
