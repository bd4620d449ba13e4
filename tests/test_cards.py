"""Cards: what they say of each verdict, in HTML and in text, and that nothing in them is markup."""

import html
import re

import pytest

from autograder import cards
from autograder.advice import next_step
from autograder.cards import Tone
from autograder.verdict import Failure, FunctionVerdict, Outcome, Reason, TestVerdict

WRONG = Failure(Reason.WRONG, "first difference at index 1: wanted 5, got 2", "double([1])",
                "[1, 5]", "[1, 2]", "double, line 3 of its cell")


def one(name="test_one", failure=None, outcome=None, note=""):
    outcome = outcome or (Outcome.FAILED if failure else Outcome.PASSED)
    return TestVerdict(name, "unit", f"The rule of {name}.", outcome, False, failure, note)


def card(*tests, cell=""):
    return cards.of_function(FunctionVerdict("double", 10, tests, cell))


def visible(shown):
    """The text of a card's HTML, tags and style taken out."""
    body = re.sub(r"<style>.*?</style>", "", shown.html, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", body))


def rows(shown):
    return {row.label: row.text for row in shown.rows}


def test_a_passed_function_says_how_many_tests():
    """All tests passed: one sentence, no rows."""
    shown = card(one(), one("test_two"))

    assert shown.tone is Tone.PASSED
    assert shown.text == "✔ double: passed\n  2 tests passed."


def test_a_failure_is_told_in_full():
    """Rule, given, wanted, got, difference, where, next step, hint, and the count of all tests."""
    shown = card(one(), one("test_two", WRONG), one("test_three", WRONG))

    assert shown.tone is Tone.FAILED
    assert shown.heading == "double: wrong value"
    assert shown.lead == "1 of 3 tests passed; test_two failed first."
    assert rows(shown) == {
        "Rule": "The rule of test_two.", "Given": WRONG.given, "Wanted": WRONG.wanted,
        "Got": WRONG.got, "Difference": WRONG.message, "Where": WRONG.where,
        "Next step": next_step(Reason.WRONG), "Hint": 'hint("double")',
        "Also failing": "test_three",
    }


def test_cases_of_one_test_are_counted():
    """A parametrised test is named once among the others, with the number of its failing cases."""
    shown = card(*(one(f"test_{name}", WRONG) for name in ("a", "b[1]", "b[2]", "c")))

    assert rows(shown)["Also failing"] == "test_b (2 cases), test_c"


def test_a_long_list_of_names_is_cut():
    """Of many failing tests eight are named."""
    shown = card(*(one(f"test_{number}", WRONG) for number in range(12)))

    assert rows(shown)["Also failing"].endswith("test_7, test_8, 3 more")


def test_nothing_to_say_is_no_row():
    """Where Wanted and Got say all, there is no Difference; where no line is known, the cell is."""
    plain = Failure(Reason.WRONG, "the value is not the one wanted", "double(1)", "2", "3")
    shown = rows(card(one(failure=plain), cell="cell 7 (solve-double)"))

    assert "Difference" not in shown
    assert shown["Where"] == "cell 7 (solve-double)"


def test_a_redacted_failure_keeps_its_message():
    """Without values, the message is all there is."""
    plain = Failure(Reason.WRONG, "the value is not the one wanted")

    assert rows(card(one(failure=plain)))["What happened"] == plain.message


@pytest.mark.parametrize("reason", [Reason.UNWRITTEN, Reason.MISSING])
def test_what_is_not_written_is_no_failure(reason):
    """A function that is not there yet gets a calm card, without a rule it could have broken."""
    shown = card(one(failure=Failure(reason, "double has no code", "double(1)")))

    assert shown.tone is Tone.CALM
    assert rows(shown) == {"What happened": "double has no code", "Next step": next_step(reason),
                           "Hint": 'hint("double")'}


def test_a_half_written_function_is_a_failure():
    """Where some tests pass, the function is there; NotImplementedError is then a failure."""
    shown = card(one(), one("test_two", Failure(Reason.UNWRITTEN, "not written yet")))

    assert shown.tone is Tone.FAILED


def test_skipped_tests_say_why():
    """Skipped tests with one reason share a row."""
    shown = card(one(), *(
        one(name, outcome=Outcome.SKIPPED, note="needs torch") for name in ("test_a", "test_b")
    ))

    assert shown.tone is Tone.PASSED
    assert rows(shown) == {"Skipped": "test_a, test_b: needs torch"}


@pytest.mark.parametrize("other", [[], [one()]])
def test_our_fault_is_never_a_failure(other):
    """A fault of the grader is named as ours, and the card is calm."""
    shown = card(*other, one("test_two", outcome=Outcome.FAULT, note="KeyError: golden"))

    assert shown.tone is Tone.CALM
    assert "KeyError: golden" in rows(shown)["Our fault"]


def test_no_test_at_all_is_no_pass():
    """Where nothing ran, nothing passed."""
    assert card().tone is Tone.CALM
    assert card().lead == "No test could run here."


@pytest.mark.parametrize("where", ["given", "wanted", "got", "message", "where"])
def test_learner_text_is_no_markup(where):
    """Whatever a learner's code puts into a failure shows as text."""
    texts = dict.fromkeys(["message", "given", "wanted", "got", "where"], "x")
    attack = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>'\"&amp;{{ 7 * 7 }}"
    shown = card(one(failure=Failure(Reason.WRONG, **texts | {where: attack})))

    assert "<script>" not in shown.html
    assert "<img" not in shown.html
    assert attack in visible(shown)


def test_names_are_no_markup():
    """Names of functions and tests are text too."""
    verdict = FunctionVerdict("<b>f</b>", 1, (one("<i>t</i>", WRONG),))

    assert not re.search("<[bi]>", cards.of_function(verdict).html)


@pytest.mark.parametrize("shown", [
    card(one()), card(one(failure=WRONG)), card(one(failure=Failure(Reason.MISSING, "m"))),
    cards.notice("Not checked", "no such function"),
    cards.overview([FunctionVerdict("double", 1, (one(),))], "ch01"),
])
def test_text_says_what_the_html_says(shown):
    """The plain-text twin has the words of the HTML in the same order, and so has ``repr``."""
    bundle = shown._repr_mimebundle_()

    assert visible(shown).split() == bundle["text/plain"].split()
    assert repr(shown) == bundle["text/plain"]


def test_text_keeps_lines_in_their_column():
    """Later lines of a value stand under its first."""
    failure = Failure(Reason.WRONG, "m", "first\nsecond", "1", "2")
    lines = card(one(failure=failure)).text.splitlines()
    first = next(line for line in lines if line.endswith("first"))
    second = next(line for line in lines if line.endswith("second"))

    assert first.index("first") == second.index("second")


def test_marks_differ_without_colour():
    """Passed, failed and calm cards begin with different marks."""
    assert len({tone.value for tone in Tone}) == len(Tone) == 3


def test_colours_have_fallbacks():
    """Every variable of JupyterLab's theme has a fallback, for VS Code, Colab and saved pages."""
    used = re.findall(r"var\(--jp-[\w-]+(.)", card(one()).html)

    assert used
    assert set(used) == {","}


def test_the_overview_has_a_row_a_function():
    """Each function's state and count; all passed is a pass, less is not."""
    done = FunctionVerdict("done", 1, (one(),))
    open_ = FunctionVerdict("open", 1, (one(), one("test_two", WRONG)))

    assert cards.overview([done], "ch01").tone is Tone.PASSED
    shown = cards.overview([done, open_], "ch01")
    assert shown.tone is Tone.CALM
    assert shown.heading == "ch01: 1 of 2 functions pass"
    assert rows(shown)["open"] == "wrong value, 1 of 2 tests passed"


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_one_next_step(reason):
    """There is always one sentence on what to do next, and it is one."""
    step = next_step(reason)

    assert step.endswith(".")
    assert ". " not in step
