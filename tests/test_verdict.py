"""Verdicts: points to the exact fraction, what is left out, and the JSON form."""

import json
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)

SCHEMA = json.loads(
    (Path(__file__).parent.parent / "docs" / "formats" / "verdict.schema.json").read_text()
)
WRONG = Failure(Reason.WRONG, "differs", "f(1)", "2", "3", "cell 4, line 2")


def a_test(outcome: Outcome, *, fresh: bool = False, failure: Failure | None = None) -> TestVerdict:
    return TestVerdict("test_x", "unit", "The rule.", outcome, fresh, failure)


def function_of(*outcomes: Outcome, points: int = 10) -> FunctionVerdict:
    return FunctionVerdict("f", points, tuple(a_test(outcome) for outcome in outcomes))


def verdict_of(*functions: FunctionVerdict, status: Status = Status.GRADED) -> Verdict:
    return Verdict("ch04_mt19937", status, functions, "A", "0" * 64, "1" * 64)


P, F, S, G = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED, Outcome.FAULT


@pytest.mark.parametrize(
    ("outcomes", "earned", "possible", "passed"),
    [
        ((P, P, P), Fraction(10), 10, True),
        ((P, F, F), Fraction(10, 3), 10, False),
        ((F,), Fraction(0), 10, False),
        ((P, S), Fraction(10), 10, True),
        ((P, F, S), Fraction(5), 10, False),
        ((S, S), Fraction(0), 0, False),
        ((P, G), Fraction(10), 10, True),
        ((G,), Fraction(0), 0, False),
        ((), Fraction(0), 0, False),
    ],
)
def test_points_are_shared_by_counted_tests(outcomes, earned, possible, passed):
    """Skipped tests and grader faults leave the total; the rest share the points exactly."""
    function = function_of(*outcomes)

    assert (function.earned, function.possible, function.passed) == (earned, possible, passed)


def test_thirds_add_up():
    """Sums are exact: three functions that earn a third of one point earn one point."""
    verdict = verdict_of(*[function_of(P, F, F, points=1)] * 3)

    assert verdict.earned == 1


@pytest.mark.parametrize(
    ("verdict", "faulty", "passed"),
    [
        (verdict_of(function_of(P)), False, True),
        (verdict_of(function_of(P), function_of(P, G)), True, True),
        (verdict_of(function_of(F)), False, False),
        (verdict_of(function_of(P), status=Status.UNREADABLE), False, False),
    ],
)
def test_faults_and_passes_are_told_apart(verdict, faulty, passed):
    """One fault marks the verdict as faulty, whatever else passed."""
    assert (verdict.faulty, verdict.passed) == (faulty, passed)


def test_json_follows_the_schema():
    """What --json prints is what docs/formats/verdict.schema.json says."""
    tests = (a_test(P), a_test(F, failure=WRONG), a_test(S))
    verdict = verdict_of(FunctionVerdict("f", 10, tests, "cell 4", ("a note",)))

    plain = json.loads(verdict.to_json())
    jsonschema.validate(plain, SCHEMA)

    assert plain["earned"] == 5.0
    assert plain["functions"][0]["tests"][1]["failure"]["wanted"] == "2"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain | {"level": "Z"}, SCHEMA)


@pytest.mark.parametrize(("fresh", "wanted"), [(True, "2"), (False, "")])
def test_class_feedback_hides_fixed_inputs(fresh, wanted):
    """In a class, values are shown only of tests whose inputs differ for each submission."""
    verdict = verdict_of(FunctionVerdict("f", 10, (a_test(F, fresh=fresh, failure=WRONG),)))

    failure = verdict.redacted().function("f").tests[0].failure

    assert (failure.wanted, failure.reason) == (wanted, Reason.WRONG)
    assert (failure.given == "") is not fresh


def test_class_feedback_hides_the_inputs_in_names():
    """pytest spells out the inputs of a fixed test between brackets; a class sees none of them."""
    test = TestVerdict("test_x[137-4053805790]", "golden", "The rule.", P, False)
    verdict = verdict_of(FunctionVerdict("f", 10, (test,)))

    assert verdict.redacted().function("f").tests[0].name == "test_x"
