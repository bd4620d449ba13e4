"""What is shown of a learner's tests: all that is told, and nothing that would give a bug away."""

import pytest
from rich.console import Console

from autograder.judged import Bug, Judged, Rejection
from autograder.testreport import card, print_judged

DEAD = Bug(1, "draw", True, "the first is wrong", "late_twist", "It twists late.", "test_a[3]")
ALIVE = Bug(2, "draw", False)
PITFALL = Bug(3, "seed", True, "60 gives 120")
REJECTION = Rejection("test_b", "the reference", "AssertionError: no", "cell 3, line 4")


def printed(judged, **options):
    console = Console(width=100, record=True, color_system=None, force_terminal=False)
    with console.capture() as captured:
        print_judged(judged, "ch01", console, **options)
    return captured.get()


@pytest.mark.parametrize(("judged", "mark"), [
    (Judged(("test_a",), (DEAD,)), "✔"),
    (Judged(("test_a",), (DEAD, PITFALL)), "✘"),
    (Judged((), (PITFALL,), rejections=(REJECTION,)), "✘"),
    (Judged((), (PITFALL,)), "○"),
])
def test_a_card_says_at_once_how_it_stands(judged, mark):
    """Passed, failed, or nothing to judge yet."""
    assert card(judged).text.startswith(f"{mark} Your tests notice ")


def test_bugs_are_a_picture_in_both_forms():
    """Full marks for the dead, open ones for the living, triangles for pitfalls, and a hover."""
    shown = card(Judged(("test_a",), (DEAD, ALIVE, PITFALL)))
    rows = {row.label: row.plain for row in shown.rows}
    assert (rows["draw"], rows["seed"]) == ("▲□ 1 of 2", "△ 0 of 1")
    assert 'title="late_twist: It twists late."' in shown.html
    assert 'title="you would see: 60 gives 120"' in shown.html


def test_a_living_bug_gives_nothing_away_but_its_symptom():
    """Neither in the table nor among the explanations."""
    said = printed(Judged(("test_a",), (DEAD, ALIVE, PITFALL)), explain=True)
    assert "draw, late twist: It twists late." in said
    assert "(you would see: 60 gives 120)" in said
    assert said.count("draw,") == 1
    assert "ch01: your tests notice 1 of 3 planted bugs; not enough bugs noticed yet" in said


def test_what_stands_in_the_way_is_told():
    """Rejections with their place, flaky tests, stubs, one's own code, notes, and what to do."""
    judged = Judged(
        ("test_a",), (DEAD,), (REJECTION,), ("test_c",),
        (Rejection("test_a", "your own code", "AssertionError: 1"),), ("test_d",), ("a note",),
    )
    said = printed(judged)
    for words in ("test_b rejects the reference: AssertionError: no (cell 3, line 4)",
                  "test_c: passes and fails on the same code",
                  "test_a passes on right code and fails on yours: AssertionError: 1",
                  "Not written: test_d", "Note: a note", "mend these tests"):
        assert words in said


def test_names_of_a_learners_are_no_markup():
    """Neither in a terminal nor in HTML."""
    nasty = Rejection("test_[red]<b>", "the reference", "<script>[/red]")
    judged = Judged((), (PITFALL,), (nasty,))
    assert "test_[red]<b> rejects the reference: <script>[/red]" in printed(judged)
    assert "<script>" not in card(judged).html
