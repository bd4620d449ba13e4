"""How far a learner has come: in the terminal, for machines, and as a card."""

import hashlib
import json

import pytest
from click.testing import CliRunner

from autograder import standing, workspace
from autograder.cli import ol
from autograder.course import find
from autograder.learn import progress
from autograder.verdict import FunctionVerdict, Outcome, Status, TestVerdict, Verdict


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_WORK", str(tmp_path))


def judged(chapter, outcome):
    """The chapter started, and one function of 100 points judged."""
    notebook = workspace.start(chapter)
    digest = hashlib.sha256(notebook.read_bytes()).hexdigest()
    test = TestVerdict("t", "unit", "r", outcome, False)
    function = FunctionVerdict("f", 100, (test,))
    workspace.remember(Verdict(chapter.slug, Status.GRADED, (function,), "A", digest, ""))
    return notebook


def states():
    return {each.chapter.number: each.state for each in standing.standings()}


def test_states_of_a_chapter():
    """Not started, not checked, its points, and points of a notebook that has changed."""
    workspace.start(find("ch02"))
    judged(find("ch03"), Outcome.PASSED)
    judged(find("ch04"), Outcome.FAILED).write_text("changed")

    assert [*states().values()][:4] == [
        "not started", "not checked", "100 of 100", "0 of 100, changed since"
    ]


@pytest.mark.parametrize(
    ("outcome", "change", "wanted"),
    [
        (Outcome.PASSED, False, "ol start ch02"),
        (Outcome.PASSED, True, "ol lab, then ol check ch01"),
        (Outcome.FAILED, False, "ol lab, then ol check ch01"),
    ],
)
def test_the_next_step(outcome, change, wanted):
    """The first chapter that is not done: what has changed since it passed is not done."""
    notebook = judged(find("ch01"), outcome)
    if change:
        notebook.write_text("changed")

    assert standing.next_step(standing.standings()) == wanted


def test_time_left():
    """That of the chapters that are not done; in minutes at the end, and then nothing."""
    found = standing.standings()
    minutes = {each.chapter.number: each.chapter.minutes for each in found}
    assert standing.left(found) == f"about {round(sum(minutes.values()) / 60)} hours left"
    assert standing.left(found[:1]) == f"about {minutes['ch01']} minutes left"

    judged(find("ch01"), Outcome.PASSED)
    found = standing.standings()
    rest = sum(minutes.values()) - minutes["ch01"]
    assert standing.left(found) == f"about {round(rest / 60)} hours left"
    assert standing.left(found[:1]) == ""
    assert standing.lead(found[:1]) == "Next: ol export: everything passes"


def test_a_terminal_and_a_card_say_the_same(capsys):
    """``ol status`` and ``progress()``: every chapter's state, and the next step."""
    judged(find("ch01"), Outcome.PASSED)
    said = " ".join(CliRunner().invoke(ol, ["status"]).output.split())
    card = progress().card

    assert card.heading == "1 of 12 chapters done"
    assert card.lead in said
    for row, (number, state) in zip(card.rows, states().items(), strict=True):
        assert row.label == number
        assert row.text.endswith(f": {state}")
        assert f"{find(number).title} {find(number).minutes} {state}" in said


def test_status_for_machines():
    """JSON: an object for each chapter, points only where something was judged."""
    judged(find("ch01"), Outcome.PASSED)
    done = CliRunner().invoke(ol, ["status", "--json"])
    found = {each["chapter"]: each for each in json.loads(done.output)}

    first, second = found["ch01_corpus"], found["ch02_bpe"]
    assert (first["done"], first["earned"], first["points"]) == (True, 100, 100)
    assert (second["started"], second["earned"], second["points"]) == (False, None, None)
