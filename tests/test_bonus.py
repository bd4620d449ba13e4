"""Functions that nobody has to write: what they add, and that nothing is missing without them."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder import build, cards, learn
from autograder.commands.grading import exit_code
from autograder.contract import load, reference_cells
from autograder.course import find
from autograder.exporting import export_package
from autograder.grade import grade_notebook
from autograder.nbgrader_plugin import live
from autograder.planted import asked, mutants
from autograder.report import print_verdict
from autograder.verdict import Outcome, TestVerdict
from tests import toy
from tests.classroom import Course

REPOSITORY = Path(__file__).parent.parent
SCHEMA = json.loads((REPOSITORY / "docs" / "formats" / "verdict.schema.json").read_text())
HALF = "def triple(number):\n    return 3"
# What a learner made of the bonus, the points it earns, and how it is said to stand.
WRITTEN = {
    "right": ("def triple(number):\n    return 3 * number", 10, "passed"),
    "half right": (HALF, 5, "wrong value"),
    "wrong": ("def triple(number):\n    return 0", 0, "wrong value"),
    "a stub": (None, 0, "left out"),
    "taken out": ("", 0, "left out"),
}


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """The toy chapter with a third function, which is a bonus."""
    folder = toy.make_with_bonus(tmp_path_factory.mktemp("toy"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(folder))
        patch.setenv("OL_WORK", str(folder / "work"))
        chapter = find("ch01")
        for each in (chapter, find("ch02")):
            build.write(each)
        yield chapter


def handed_in(chapter, bonus):
    """The released notebook with everything written, and ``bonus`` in the bonus's cell."""
    notebook = json.loads(chapter.release.read_text())
    sources = reference_cells(load(chapter)) | {"triple": bonus}
    for cell in notebook["cells"]:
        source = sources.get(cell["id"].removeprefix("solve-"))
        if source is not None:
            cell["source"] = source
    return json.dumps(notebook)


@pytest.fixture(scope="module")
def verdicts(chapter):
    """The verdict on each way to write the bonus."""
    return {
        name: grade_notebook(chapter, handed_in(chapter, source).encode())
        for name, (source, _, _) in WRITTEN.items()
    }


def test_points_come_on_top(chapter):
    """The chapter's points are those of the others; the cell has none for nbgrader, and a tag."""
    contract = load(chapter)
    cells = {cell["id"]: cell for cell in json.loads(chapter.release.read_text())["cells"]}
    metadata = cells["check-triple"]["metadata"]

    assert {part.name: (part.points, part.bonus) for part in contract.parts} == {
        "double": (40, False), "running": (60, False), "triple": (10, True)
    }
    assert contract.points == 100
    assert (metadata["nbgrader"]["points"], metadata["tags"]) == (0, ["bonus=10"])


@pytest.mark.parametrize("name", WRITTEN)
def test_a_verdict_passes_without_it(verdicts, name):
    """Whatever became of the bonus, the chapter passes with 100 points, to which it adds its
    share."""
    verdict, (_, earned, state) = verdicts[name], WRITTEN[name]
    found = verdict.to_dict()

    jsonschema.validate(found, SCHEMA)
    assert (verdict.passed, verdict.points, verdict.earned) == (True, 100, 100 + earned)
    assert exit_code(verdict) == 0
    assert cards.state(verdict.function("triple")) == state
    assert [each["name"] for each in found["functions"] if each["bonus"]] == ["triple"]


def printed(verdict):
    console = Console(width=100, no_color=True)
    with console.capture() as capture:
        print_verdict(verdict, console)
    return capture.get()


def test_a_report_calls_it_a_bonus(verdicts):
    """The table says so; a bonus that somebody has begun has its failures told, one that nobody has
    begun is no failure."""
    right, wrong, open_ = (printed(verdicts[name]) for name in ("right", "wrong", "a stub"))

    assert "110 of 100 points, passed" in right
    assert "bonus 10 of 10" in right
    assert "Three times 2 is 6." in wrong
    assert "left out" in open_
    assert "Three times 2 is 6." not in open_


def test_a_fault_in_it_is_told(verdicts):
    """A test of the bonus that the grader could not run is the grader's fault like any other."""
    verdict = verdicts["right"]
    missed = TestVerdict("test_two", "unit", "w", Outcome.FAULT, False)
    faulty = replace(verdict.function("triple"), tests=(missed,))
    whole = replace(verdict, functions=(*verdict.functions[:-1], faulty))

    assert (whole.passed, whole.earned, exit_code(whole)) == (True, 100, 3)


def test_cards(chapter, verdicts):
    """Whole chapters are counted without it, and an empty stub is no reproach."""
    functions = verdicts["a stub"].functions
    overview = cards.overview([each for each in functions if each.name != "own_tests"], "ch01")
    card = cards.of_function(verdicts["a stub"].function("triple"))

    assert "2 of 2 functions pass" in overview.text
    assert "triple (bonus)" in overview.text
    assert "nothing is missing without it" in card.text


def test_learners_tests_are_not_graded_by_it(chapter):
    """Its bugs are for the hidden tests alone."""
    assert "triple" in {bug.function for bug in mutants(chapter)}
    assert {bug.function for bug in asked(chapter)} == {"double", "running"}


@pytest.mark.parametrize(("name", "offered"), [("right", True), ("wrong", False),
                                               ("a stub", False), ("taken out", False)])
def test_export_offers_it_once_it_passes(chapter, tmp_path, name, offered):
    """The chapter is exported in any case, and the module can be imported whole."""
    chapter.work.parent.mkdir(parents=True, exist_ok=True)
    chapter.work.write_text(handed_in(chapter, WRITTEN[name][0]))
    export_package(tmp_path, solutions=False)
    code = "from llmdata.count import *; print('triple' in vars())"
    out = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, text=True)

    assert out.strip() == str(offered)


def test_validating_does_not_ask_for_it(chapter, monkeypatch):
    """nbgrader's Validate looks for errors; an empty bonus is none, another empty function is."""
    def unwritten(number):
        raise NotImplementedError

    monkeypatch.setattr(learn, "namespace", lambda: {"triple": unwritten, "double": unwritten})
    monkeypatch.setenv("NBGRADER_VALIDATING", "1")

    assert learn.check("triple").card.tone is not cards.Tone.PASSED
    with pytest.raises(AssertionError, match="double"):
        learn.check("double")


def test_score_in_a_kernel(chapter, monkeypatch, capsys):
    """Stock nbgrader refuses more than a cell's points, so the bonus is said and not scored."""
    shell = SimpleNamespace(user_ns={"triple": lambda number: 3 * number})
    monkeypatch.setattr(live, "get_ipython", lambda: shell)

    assert live.score("triple") == 0.0
    assert "bonus of 10 points" in capsys.readouterr().out


@pytest.fixture(scope="module")
def gradebook(chapter, tmp_path_factory):
    """What nbgrader's own commands make of three submissions."""
    folder = tmp_path_factory.mktemp("class")
    shutil.copy(REPOSITORY / "nbgrader_config.py", folder)
    shutil.copytree(chapter.solution.parent, folder / "solutions" / chapter.slug)
    for student in ("right", "half right", "a stub"):
        path = folder / "submitted" / student / chapter.slug / f"{chapter.slug}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(handed_in(chapter, WRITTEN[student][0]))
    for command in ("generate_assignment", "autograde"):
        Course(folder).run(command, chapter.slug)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        yield book


@pytest.mark.parametrize("student", ["right", "half right", "a stub"])
def test_nbgrader_has_it_as_extra_credit(chapter, gradebook, student):
    """It is no part of the maximum, and its share comes on top of the score."""
    notebook = gradebook.find_submission_notebook(chapter.slug, chapter.slug, student)
    grades = {grade.name: grade for grade in notebook.grades}
    bonus = WRITTEN[student][1]

    assert (grades["check-triple"].auto_score, grades["check-triple"].max_score) == (0, 0)
    assert grades["check-triple"].extra_credit == bonus
    assert grades["check-double"].extra_credit is None
    assert not any(grade.needs_manual_grade for grade in notebook.grades)
    assert (notebook.score, notebook.max_score) == (100 + bonus, 100)
