"""Golden submissions: notebooks in tests/submissions, each beside the verdict it must get.

``python -m tests.submissions.make`` writes them; tests/submissions/cases says why each verdict is
the right one.
"""

import json
from pathlib import Path

import pytest

from autograder import course
from autograder.grade import grade_notebook
from autograder.sandbox import OPEN_AT_C, Level, Limits, available
from autograder.verdict import Status
from tests.submissions import make
from tests.submissions.kit import POINTS, answered, text_of

FOLDER = Path(__file__).parent / "submissions"
CASES = sorted(path.parent for path in FOLDER.glob("*/expected.json"))


@pytest.fixture
def chapter(monkeypatch):
    """ch04, graded by the small suite of the golden submissions."""
    monkeypatch.setattr(course.Chapter, "hidden", FOLDER / "suite.py")
    return course.find("ch04")


def said(verdict) -> str:
    """Everything that the verdict tells a person."""
    found = [verdict.message, *verdict.notes, *verdict.problems]
    for function in verdict.functions:
        found += function.notes
        found += [f"{test.failure.where} {test.failure.message}"
                  for test in function.tests if test.failure]
    return "\n".join(found)


def fate(function) -> str:
    """``passed``, or every reason for which a test of the function failed."""
    reasons = {test.failure.reason.value for test in function.failures}
    return ", ".join(sorted(reasons)) or "passed"


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_submission_gets_its_verdict(chapter, folder):
    """Status, points, each function's fate and the words that must be said."""
    expected = json.loads((folder / "expected.json").read_text())
    limits = Limits(**expected["limits"])
    verdict = grade_notebook(chapter, folder / expected["file"], limits=limits)

    assert verdict.status.value == expected["status"]
    assert {each.name: fate(each) for each in verdict.functions} == expected["functions"]
    assert verdict.earned == expected["earned"]
    for words in expected["mentions"]:
        assert words in said(verdict)
    assert not verdict.faulty


def test_cases_end_in_every_way():
    """60 cases at least, and one for each status that a file can get; what is no file is refused:
    see test_classroom."""
    statuses = {json.loads((folder / "expected.json").read_text())["status"] for folder in CASES}

    assert statuses == {*Status} - {Status.REFUSED, Status.FAULT}
    assert len(CASES) >= 60


@pytest.mark.parametrize("level", available())
def test_verdict_says_what_its_level_leaves_open(chapter, level):
    """At C each verdict names all that was not stopped; at A and B there is nothing to say."""
    notes = grade_notebook(chapter, text_of(answered()).encode(), level=level).notes

    assert [kind for kind in OPEN_AT_C if kind in " ".join(notes)] == (
        list(OPEN_AT_C) if level is Level.C else [])


def five_thousand_cells(notebook):
    cell = {"cell_type": "code", "metadata": {}, "source": "number = 1"}
    notebook["cells"] += [cell] * 5_000


def outputs_of_100_mb(notebook):
    text = "[1, {" * 20_000_000  # brackets, which a careless scan would count
    notebook["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]


@pytest.mark.parametrize("swell", [five_thousand_cells, outputs_of_100_mb])
def test_size_is_no_fault(chapter, tmp_path, swell):
    """What is only large is graded like any other, from a file that is not kept here."""
    notebook = answered()
    swell(notebook)
    path = tmp_path / "large.ipynb"
    path.write_text(json.dumps(notebook))
    verdict = grade_notebook(chapter, path)

    assert {fate(each) for each in verdict.functions if each.name in POINTS} == {"passed"}


def test_files_are_what_make_writes():
    """No case was edited by hand, left over, or forgotten."""
    committed = {path.relative_to(FOLDER): path.read_bytes()
                 for path in FOLDER.glob("*/*") if path.suffix in (".ipynb", ".json", ".txt")}

    assert committed == dict(make.files())
