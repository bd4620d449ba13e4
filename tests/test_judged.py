"""The rules that make points of what a learner's tests notice."""

from dataclasses import replace
from fractions import Fraction

import pytest

from autograder.cards import Row, failure_rows
from autograder.contract import OwnTests
from autograder.judged import Bug, Judged, Rejection, function_of
from autograder.verdict import Outcome, Reason

OWN = OwnTests(20, "tests-own_tests", "check-own_tests", "", "")


def bugs(killed, alive=0, pitfalls=0):
    """Bugs that test_a notices, bugs that live, and pitfalls that live."""
    return tuple(
        Bug(number, "f", number >= killed + alive, "it is wrong", *(
            ("name", "why", "test_a") if number < killed else ()))
        for number in range(killed + alive + pitfalls)
    )


@pytest.mark.parametrize(("killed", "alive", "passed"), [(10, 0, True), (8, 2, True),
                                                         (79, 21, False), (7, 3, False)])
def test_four_bugs_in_five_are_wanted(killed, alive, passed):
    """Exactly four in five are enough."""
    assert Judged(("test_a",), bugs(killed, alive)).passed is passed


def test_every_pitfall_is_wanted():
    """One that lives is too many."""
    judged = Judged(("test_a",), bugs(99, 0, 1))
    assert not judged.passed
    assert [bug.number for bug in judged.alive_pitfalls] == [99]


@pytest.mark.parametrize("flaw", [
    {"rejections": (Rejection("test_b", "the reference", "no"),)},
    {"flaky": ("test_b",)},
    {"problem": "it cannot be read"},
    {"tests": ()},
])
def test_no_right_code_may_be_rejected(flaw):
    """One test that fails on right code, or does so at times, keeps the rest from passing."""
    assert not replace(Judged(("test_a",), bugs(10)), **flaw).passed


def test_points_are_all_or_a_share():
    """All where the tests pass, else the share of the bugs that tests which count have noticed."""
    passed = function_of(Judged(("test_a",), bugs(8, 2)), OWN)
    missed = function_of(Judged(("test_a",), bugs(9, 0, 1)), OWN)
    assert (passed.earned, passed.passed) == (20, True)
    assert (missed.earned, missed.passed) == (Fraction(18), False)


def test_nothing_is_earned_where_nothing_counts():
    """The bugs stand there alive, each with the reason."""
    rejection = Rejection("test_a", "the reference", "AssertionError: assert False", "cell 3")
    judged = Judged((), bugs(0, 3), rejections=(rejection,))
    function = function_of(judged, OWN)
    assert function.earned == 0
    failure = function.tests[0].failure
    assert (failure.reason, failure.where) == (Reason.REJECTS, "cell 3")
    assert failure.message == "test_a rejects the reference: AssertionError: assert False"


@pytest.mark.parametrize(("judged", "reason"), [
    (Judged((), bugs(0, 2)), Reason.UNWRITTEN),
    (Judged((), bugs(0, 2), problem="no notebook"), Reason.MISSING),
    (Judged(("test_a",), bugs(1, 2)), Reason.ALIVE),
    (Judged((), bugs(0, 2), flaky=("test_b",)), Reason.REJECTS),
])
def test_the_reason_is_the_one_that_matters(judged, reason):
    """What stands in the way comes before the number of bugs."""
    assert function_of(judged, OWN).first_failure.failure.reason is reason


def test_a_bug_that_lives_gives_nothing_away():
    """Its symptom at most, never its name or what is wrong in it."""
    tests = function_of(Judged(("test_a",), bugs(1, 1, 1)), OWN).tests
    assert [(test.name, test.rule, test.outcome) for test in tests] == [
        ("name", "why", Outcome.PASSED),
        ("bug_1", "it is wrong", Outcome.FAILED),
        ("bug_2", "it is wrong", Outcome.FAILED),
    ]
    assert failure_rows(tests[1])[0] == Row("Symptom", "it is wrong")
