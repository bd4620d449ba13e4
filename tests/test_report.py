"""The terminal's account of a verdict: what it holds, in which order, and that it stays plain."""

import dataclasses
import io
import re
from fractions import Fraction

import pytest
from rich.console import Console

from autograder.catalogue import TestInfo
from autograder.report import points, print_catalogue, print_verdict
from autograder.sandbox import Level
from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)

WRONG = Failure(Reason.WRONG, "first difference at index 0: wanted 2, got 3", "double(1)", "[2]",
                "[3]", "cell 4 (solve-double), line 2")


def one(name, failure=None, outcome=None, note=""):
    outcome = outcome or (Outcome.FAILED if failure else Outcome.PASSED)
    return TestVerdict(name, "unit", f"The rule of {name}.", outcome, False, failure, note)


GOOD = FunctionVerdict("good", 40, (one("test_a"), one("test_b")))
BAD = FunctionVerdict("double", 60, (
    one("test_c"), one("test_d", WRONG), one("test_e", Failure(Reason.TIMEOUT, "too slow")),
), notes=("two cells define it; the last counts",))


def verdict(*functions, **more):
    whole = Verdict("ch01_count", Status.GRADED, functions, "A", "0" * 64, "1" * 64)
    return dataclasses.replace(whole, **more)


def printed(shown, *, show=print_verdict, **settings):
    file = io.StringIO()
    show(shown, Console(file=file, width=settings.pop("width", 100), **settings))
    return file.getvalue()


def test_a_pass_is_short():
    """All passed: result, table, isolation; nothing about failures."""
    text = printed(verdict(GOOD, seconds=1.25))

    assert text.startswith("ch01_count: 40 of 40 points, passed\n")
    assert "Isolation: level A, namespaces, Landlock, seccomp and limits; 1.2 s" in text
    assert "failing" not in text


def test_the_table_has_a_row_a_function_and_the_sum():
    """Points earned of points, tests passed of tests, and the state, then the total."""
    table = [line.split() for line in printed(verdict(GOOD, BAD)).splitlines()]

    assert ["good", "40", "of", "40", "2", "of", "2", "passed"] in table
    assert ["double", "20", "of", "60", "1", "of", "3", "wrong", "value"] in table
    assert ["Total", "60", "of", "100"] in table


def test_the_first_failure_is_told_in_full_and_the_rest_in_a_line():
    """The topmost failing function's first failure in full; every other failure is one line."""
    text = printed(verdict(GOOD, BAD))
    full, rest = text.split("Also failing:")

    for part in ("double: test_d", "The rule of test_d.", WRONG.given, WRONG.wanted, WRONG.got,
                 WRONG.message, WRONG.where, "Next step"):
        assert part in full
    assert "double: timed out: The rule of test_e. (test_e)" in rest
    assert "test_d" not in rest


def test_what_bears_on_the_result_is_said():
    """Notes, carried chapters, skipped tests and faults of ours are all named, a reason once."""
    skipped = one("test_s", outcome=Outcome.SKIPPED, note="needs torch")
    as_well = one("test_t", outcome=Outcome.SKIPPED, note="needs torch")
    fault = one("test_f", outcome=Outcome.FAULT, note="KeyError: golden")
    text = printed(verdict(FunctionVerdict("f", 1, (one("test_a"), skipped, fault, as_well)), BAD,
                           notes=("2 cells were not Python",), carried=("ch04_mt19937",)))

    assert "Skipped, leaves the total: test_s, test_t: needs torch" in text
    assert "Our fault, costs nothing: test_f: KeyError: golden" in text
    assert "double: two cells define it; the last counts" in text
    assert "2 cells were not Python" in text
    assert "Carried on the reference: ch04_mt19937" in text


def test_failures_that_are_alike_share_a_line():
    """The cases of one test are counted, and so are the tests of a function that is not there."""
    cases = FunctionVerdict("f", 1, tuple(
        dataclasses.replace(one(f"test_x[{case}]", WRONG), rule="The rule.") for case in range(4)
    ))
    absent = Failure(Reason.UNWRITTEN, "not written yet")
    open_ = FunctionVerdict("g", 1, (one("test_a", absent), one("test_b", absent)))
    rest = printed(verdict(cases, open_)).split("Also failing:\n")[1]

    assert rest.startswith("  f: wrong value: The rule. (test_x), 3 tests")
    assert "  g: not written yet, 2 tests" in rest
    assert "test_a" not in rest


@pytest.mark.parametrize("level", list(Level))
def test_every_level_is_named(level):
    """The isolation is named by its letter and in words."""
    assert f"Isolation: level {level}, " in printed(verdict(GOOD, level=level.value))


def test_an_unreadable_notebook_says_why_and_shows_no_failures():
    """One message; the tests that could not run are not listed one by one."""
    missing = one("test_a", Failure(Reason.MISSING, "no notebook"))
    text = printed(verdict(FunctionVerdict("f", 10, (missing,)), status=Status.UNREADABLE, level="",
                           message="not JSON: line 3"))

    assert "0 of 10 points, not passed yet" in text
    assert "unreadable: not JSON: line 3" in text
    assert "test_a" not in text
    assert "Isolation" not in text


@pytest.mark.parametrize("place", ["message", "given", "wanted", "got", "where"])
def test_learner_text_is_no_markup(place):
    """Square brackets and emoji names from a submission are printed as they are."""
    attack = "[red]x[/red] [link=http://h]y[/link] :boom: [/]"
    failure = dataclasses.replace(WRONG, **{place: attack})
    text = printed(verdict(FunctionVerdict("f", 1, (one("test_a", failure),))))

    assert attack in text


def test_names_and_notes_are_no_markup():
    """The same holds for names, notes and messages, in each of the ten places where they show."""
    attack = "[bold]n[/bold]"
    function = FunctionVerdict(attack, 1, (one(attack, WRONG), one("b", WRONG)), notes=(attack,))
    text = printed(verdict(function, notes=(attack,), carried=(attack,), message=attack))

    assert text.count(attack) == 10


@pytest.mark.parametrize("settings", [
    {"force_terminal": False}, {"force_terminal": True, "no_color": True},
])
@pytest.mark.parametrize(("show", "shown"), [
    (print_verdict, verdict(GOOD, BAD, message="m")),
    (print_catalogue, [TestInfo("test_a", "double", "unit", "rule", "why")]),
])
def test_plain_text_without_colour(settings, show, shown):
    """No terminal, or NO_COLOR: not one escape code."""
    assert "\x1b" not in printed(shown, show=show, **settings)


def test_colour_repeats_words():
    """In a terminal colours are added, and taking them out leaves the plain text."""
    colourful = printed(verdict(GOOD, BAD), force_terminal=True, color_system="standard")

    assert "\x1b[31m" in colourful
    assert re.sub(r"\x1b\[\d+m", "", colourful) == printed(verdict(GOOD, BAD))


def test_nothing_is_lost_in_a_narrow_terminal():
    """At 40 columns every line fits and every word is still there."""
    text = printed(verdict(GOOD, BAD), width=40)

    assert max(map(len, text.splitlines())) <= 40
    for word in ("namespaces,", "double(1)", "wanted", "good"):
        assert word in text


@pytest.mark.parametrize(("earned", "shown"), [
    (Fraction(20), "20"), (Fraction(20, 3), "6.66"), (Fraction(25, 2), "12.5"), (Fraction(0), "0"),
    (Fraction(29999, 1500), "19.99"),
])
def test_points_are_never_rounded_up(earned, shown):
    """Two decimals at most, cut rather than rounded: 19.9993 is not 20."""
    assert points(earned) == shown


def test_the_catalogue_names_test_kind_rule_and_reason():
    """Each test's name and function, its kind, what it checks, and why it matters."""
    info = TestInfo("test_pairs", "merge", "boundary", "Pairs do not overlap.", "aaaa has two")
    text = printed([info], show=print_catalogue)

    for word in (info.name, info.function, info.kind, info.rule, info.why):
        assert word in text
