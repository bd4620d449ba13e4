"""From a verdict to nbgrader: cards, the gradebook, and the hidden line in a kernel."""

import json
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import determine_grade

from autograder import build, judging, nbgrader_plugin
from autograder.course import CourseError, find
from autograder.nbgrader_plugin import feedback, live, marks
from autograder.nbgrader_plugin.reader import SubmissionExporter
from autograder.sandbox import GraderFault
from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)
from tests import toy

HIDDEN = '''
from autograder.hidden import checks


@checks("double", kind="unit", why="it is the example")
def test_example(double):
    """Twenty-one doubled is forty-two."""
    assert double(21) == 42


@checks("double", kind="unit", why="zero is the neutral element")
def test_zero(double):
    """Zero doubled is zero."""
    assert double(0) == 0
'''


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """The toy chapter, built, with hidden tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(toy.make_course(tmp_path_factory.mktemp("toy"))))
        chapter = find("ch01")
        build.write(chapter)
        chapter.hidden.parent.mkdir(parents=True)
        chapter.hidden.write_text(HIDDEN)
        yield chapter


def function_with(*outcomes):
    """A function worth 40 points whose tests came out so."""
    failure = Failure(Reason.WRONG, "<script>evil()</script>")
    return FunctionVerdict("double", 40, tuple(
        TestVerdict(f"test_{number}[137-4053805790]", "unit", f"Rule {number}.", outcome, False,
                    failure if outcome is Outcome.FAILED else None,
                    "" if outcome in (Outcome.PASSED, Outcome.FAILED) else "no torch here")
        for number, outcome in enumerate(outcomes)
    ))


CASES = {
    "all passed": ((Outcome.PASSED, Outcome.PASSED), 40.0),
    "a third passed": ((Outcome.PASSED, Outcome.FAILED, Outcome.FAILED), 40 / 3),
    "none passed": ((Outcome.FAILED, Outcome.FAILED), 0.0),
    "one skipped": ((Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED), 20.0),
    "all skipped": ((Outcome.SKIPPED,), None),
    "a fault of the grader": ((Outcome.PASSED, Outcome.FAULT), None),
    "nothing ran": ((), None),
}


def verdict(*functions, status=Status.GRADED, **more):
    return Verdict("ch01_count", status, functions, "A", "", "", **more)


def save(monkeypatch, saved, *grades):
    """Let SaveVerdictGrades write ``grades`` from a verdict."""
    notebook = SimpleNamespace(grades=grades, comments=[])
    gradebook = SimpleNamespace(find_submission_notebook=lambda *names: notebook,
                                db=SimpleNamespace(commit=lambda: None))
    monkeypatch.setattr(marks, "Gradebook", lambda url: nullcontext(gradebook))
    names = dict.fromkeys(("db_url", "notebook", "assignment"), "") | {"student": "ada"}
    names["verdict"] = saved
    marks.SaveVerdictGrades().preprocess(nbformat.v4.new_notebook(), {"nbgrader": names})


def stale(name="check-double", manual_score=None):
    """A grade as an earlier run left it."""
    return SimpleNamespace(name=name, max_score=40.0, auto_score=39.0, manual_score=manual_score,
                           needs_manual_grade=False)


@pytest.mark.parametrize(("outcomes", "score"), CASES.values(), ids=CASES)
def test_gradebook_gets_the_share_of_tests_passed(monkeypatch, outcomes, score):
    """A plain float, never what an earlier run left; where tests decide nothing, a person must."""
    grade = stale()
    save(monkeypatch, verdict(function_with(*outcomes)), grade)

    assert grade.auto_score == score
    assert type(grade.auto_score) in (float, type(None))
    assert grade.needs_manual_grade is (score is None)


def test_fault_is_logged(monkeypatch, caplog):
    """A grade that waits for a person is told with the cell, the learner and the reason."""
    save(monkeypatch, verdict(function_with(Outcome.FAULT)), stale())

    assert "check-double of ada gets no score, a person must decide. no torch here" in caplog.text


def test_cell_that_no_test_decides_waits_for_a_person(monkeypatch):
    """A graded cell that a teacher added keeps no score of an earlier run."""
    grade = stale("essay")
    save(monkeypatch, verdict(function_with(Outcome.PASSED)), grade)

    assert (grade.auto_score, grade.needs_manual_grade) == (None, True)


def test_mark_of_a_person_is_kept(monkeypatch):
    """A manual score stays, and nbgrader asks the person to look at it again."""
    grade = stale(manual_score=12.0)
    save(monkeypatch, verdict(function_with(Outcome.PASSED)), grade)

    assert (grade.manual_score, grade.auto_score, grade.needs_manual_grade) == (12.0, 40.0, True)


@pytest.mark.parametrize(("outcomes", "score"), CASES.values(), ids=CASES)
def test_outputs_never_score_too_much(outcomes, score):
    """nbgrader's own reading of the outputs gives the same score, and 0 where a person decides."""
    outputs = feedback.outputs(function_with(*outcomes), Status.GRADED)
    cell = nbformat.v4.new_code_cell(outputs=outputs)
    cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": 40}

    assert determine_grade(cell)[0] == (score or 0)


def test_card_tells_rules_and_no_secret():
    """The card has every failed rule and the count; what came from a learner is escaped, and no
    test is named, since the name of a case spells its input out."""
    outcomes = (Outcome.PASSED, Outcome.FAILED, Outcome.FAILED)
    data = feedback.outputs(function_with(*outcomes), Status.GRADED)[0].data

    for text in (data["text/html"], data["text/plain"]):
        assert "1 of 3 tests passed" in text
        assert "Rule 1." in text
        assert "Rule 2. (wrong value)" in text
        assert "137" not in text
    assert "<script>" not in data["text/html"]


def test_remarks_come_first_and_only_if_needed():
    """What bears on the whole submission is one cell; where nothing does, there is none."""
    assert feedback.remarks(verdict()) == []
    (cell,) = feedback.remarks(verdict(status=Status.UNREADABLE, message="the file is empty",
                                       notes=("a note",), carried=("ch01_count",)))
    shown = cell.outputs[0].data["text/plain"]
    for text in ("the file is empty", "a note", "ch01_count"):
        assert text in shown


def grade(chapter, folder):
    """Let GradeOutOfProcess work on a released notebook; what it makes of it and of resources."""
    handed_in = folder / "submitted" / "ada" / chapter.slug / f"{chapter.slug}.ipynb"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_bytes(chapter.release.read_bytes())
    converter = Autograde(coursedir=CourseDirectory(root=str(folder)))
    step = marks.GradeOutOfProcess(parent=SubmissionExporter(parent=converter))
    names = {"student": "ada", "assignment": chapter.slug, "notebook": chapter.slug}
    notebook = nbformat.read(chapter.release, as_version=4)
    notebook, resources = step.preprocess(notebook, {"nbgrader": names})
    return notebook.cells, resources["nbgrader"]


def test_values_of_fixed_inputs_stay_secret(chapter, monkeypatch, tmp_path):
    """The check cell shows the verdict as a class may see it; the verdict itself is kept whole."""
    failure = Failure(Reason.WRONG, "2 is not 274", "double(137)", "274", "2")
    test = TestVerdict("test_137", "unit", "Twice a number.", Outcome.FAILED, False, failure)
    whole = verdict(FunctionVerdict("double", 40, (test,)))
    monkeypatch.setattr(judging, "grade_notebook", lambda *args, **kwargs: whole)

    cells, names = grade(chapter, tmp_path)
    shown = json.dumps([cell.outputs for cell in cells if cell.id == "check-double"])

    assert "Twice a number." in shown
    assert not any(secret in shown for secret in ("137", "274"))
    assert names["verdict"] is whole


def test_fault_of_the_grader_fails_one_submission_alone(chapter, monkeypatch, tmp_path):
    """nbgrader goes on after an Exception, which a GraderFault is not."""
    def fail(*args, **kwargs):
        raise GraderFault("the sandbox does not start")

    monkeypatch.setattr(judging, "grade_notebook", fail)

    with pytest.raises(CourseError, match=f"ada/{chapter.slug}.*the sandbox does not start"):
        grade(chapter, tmp_path)


@pytest.mark.parametrize(("double", "points"), [
    (lambda number: number + number, 40.0), (lambda number: 42, 20.0), (lambda number: None, 0.0),
])
def test_score_in_a_kernel(chapter, monkeypatch, capsys, double, points):
    """The hidden line gives the points as a plain float, with a warning and nothing on stderr,
    which nbgrader would take for a failure."""
    shell = SimpleNamespace(user_ns={"double": double})
    monkeypatch.setattr(live, "get_ipython", lambda: shell)

    score = nbgrader_plugin.score("double")

    assert (score, type(score)) == (points, float)
    out, err = capsys.readouterr()
    assert "not tamper-proof" in out
    assert err == ""


def test_score_needs_a_notebook(chapter):
    """Called anywhere else it says where it belongs."""
    with pytest.raises(RuntimeError, match="in a notebook"):
        nbgrader_plugin.score("double")


def test_a_kernel_need_not_load_nbgrader():
    """What a check cell imports leaves nbgrader and its database out."""
    code = "import sys, autograder.nbgrader_plugin; print('nbgrader' in sys.modules)"

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
