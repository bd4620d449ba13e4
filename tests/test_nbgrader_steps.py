"""nbgrader's steps one by one: what is mended, shown, written to the gradebook, and refused."""

import copy
import json
import os
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import determine_grade

from autograder import build, nbgrader_plugin
from autograder.contract import load
from autograder.course import CourseError, find
from autograder.nbgrader_plugin import feedback, live, marks
from autograder.nbgrader_plugin.reader import SubmissionExporter, drop_links
from autograder.nbgrader_plugin.repair import repaired
from autograder.reading import read
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

ANSWER = "def double(number):\n    return 7"
OTHER = "def running(numbers, start=0, *, step=1):\n    return []"
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


def released(chapter):
    return nbformat.read(chapter.release, as_version=4)


def handed_in(chapter, change=lambda cells: None):
    """The release with one function written, changed further in place."""
    notebook = json.loads(chapter.release.read_text())
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["solve-double"]["source"] = ANSWER
    change(notebook["cells"])
    return notebook


def mend(chapter, notebook):
    contract = load(chapter)
    return repaired(released(chapter), read(json.dumps(notebook).encode(), contract), contract)


def the(cells, name):
    return next(cell for cell in cells if cell["id"] == name)


def delete_check(cells):
    cells.remove(the(cells, "check-double"))


def copy_check(cells):
    cells.insert(0, copy.deepcopy(the(cells, "check-double")))


def change_check(cells):
    the(cells, "check-double")["source"] = "True"
    the(cells, "check-double")["metadata"]["nbgrader"]["points"] = 1000


def change_given(cells):
    the(cells, "given-tally")["source"] = "LIMIT = 10**9"


def copy_answer(cells):
    cells.insert(0, copy.deepcopy(the(cells, "solve-double")))
    cells[0]["source"] = "def double(number):\n    return 1"


def lose_metadata(cells):
    for cell in cells:
        cell["metadata"] = {}


def lose_ids(cells):
    lose_metadata(cells)
    for number, cell in enumerate(cells):
        cell["id"] = f"other-{number}"


@pytest.mark.parametrize("change", [
    lambda cells: None, delete_check, copy_check, change_check, change_given, copy_answer,
    lose_metadata, lose_ids, list.reverse,
], ids=lambda change: change.__name__)
def test_repair_restores_the_release(chapter, change):
    """Every released cell is there once, in order, as released, and the answer in its place."""
    expected = released(chapter).cells
    the(expected, "solve-double")["source"] = ANSWER
    ids = {cell.id for cell in expected}
    mended = mend(chapter, handed_in(chapter, change)).cells

    assert [cell for cell in mended if cell.id in ids] == expected


def test_repair_says_where_a_merged_function_is(chapter):
    """A cell that defines two functions fills one place; the other place names it."""
    def merge(cells):
        the(cells, "solve-double")["source"] = f"{ANSWER}\n\n{OTHER}"
        cells.remove(the(cells, "solve-running"))

    cells = mend(chapter, handed_in(chapter, merge)).cells

    assert the(cells, "solve-double").source == f"{ANSWER}\n\n{OTHER}"
    assert the(cells, "solve-running").source == "# solve-running stands in solve-double"


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_repair_keeps_own_cells_but_kills_their_markup(chapter, kind):
    """A learner's own cell stays behind the one it followed, shown but never interpreted."""
    def add(cells):
        place = cells.index(the(cells, "solve-double")) + 1
        cells.insert(place, {"cell_type": kind, "id": "own", "source": "<b>&\n\n[x](javascript:y)",
                             "metadata": {"tags": ["<b>"]}, "attachments": {"a": {"<b>": ""}}})

    cells = mend(chapter, handed_in(chapter, add)).cells
    own = cells[cells.index(the(cells, "solve-double")) + 1]
    text = "&lt;b&gt;&amp;\n\n[x](javascript:y)"

    assert own.cell_type == "markdown"
    assert own.source == f'<pre style="white-space: pre-wrap">{text}</pre>'
    assert own.metadata == {}
    assert "attachments" not in own


def test_answer_in_a_text_cell_is_no_answer(chapter):
    """A solution cell that became Markdown is kept as text, and the released stub stands again."""
    def turn(cells):
        the(cells, "solve-double")["cell_type"] = "markdown"

    cells = mend(chapter, handed_in(chapter, turn)).cells
    stub = the(cells, "solve-double")

    assert stub == the(released(chapter).cells, "solve-double")
    assert ANSWER in [cell.source for cell in cells][cells.index(stub) - 1]


def test_half_a_character_can_be_written(chapter):
    """A lone surrogate, which no file can hold, becomes a question mark."""
    def break_text(cells):
        the(cells, "solve-double")["source"] = ANSWER + "  # \ud800"

    mended = mend(chapter, handed_in(chapter, break_text))

    assert the(mended.cells, "solve-double").source == ANSWER + "  # ?"
    nbformat.writes(mended).encode("utf-8")


def test_only_plain_files_are_let_in(tmp_path):
    """Links, pipes and hidden links go, since nbgrader would follow them; files and the notebook,
    whatever it is, stay."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    folder = tmp_path / "submitted" / "eve" / "ch01"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "notes.txt").write_text("mine")
    for name in ("ch01.ipynb", ".hidden.ipynb", "data/link.txt"):
        (folder / name).symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")

    drop_links(assignment="ch01", student="*", notebooks=[str(folder / "ch01.ipynb")])

    left = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    assert left == {"ch01.ipynb", "data", "data/notes.txt"}
    assert secret.read_text() == "secret"


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


def test_fault_of_the_grader_fails_one_submission_alone(chapter, monkeypatch, tmp_path):
    """nbgrader goes on after an Exception, which a GraderFault is not."""
    def fail(*args, **kwargs):
        raise GraderFault("the sandbox does not start")

    monkeypatch.setattr(marks, "grade_notebook", fail)
    converter = Autograde(coursedir=CourseDirectory(root=str(tmp_path)))
    step = marks.GradeOutOfProcess(parent=SubmissionExporter(parent=converter))
    names = {"student": "ada", "assignment": chapter.slug, "notebook": chapter.slug}

    with pytest.raises(CourseError, match=f"ada/{chapter.slug}.*the sandbox does not start"):
        step.preprocess(nbformat.v4.new_notebook(), {"nbgrader": names})


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
