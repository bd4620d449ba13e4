"""A chapter through a whole class on nbgrader: from the teacher's own question to exported marks.

Ada hands in right work in time, Bob hostile work late; the exchange, formgrader and JupyterLab are
real, and so are SQLite and PostgreSQL. The settings are those of docs/for-teachers.md. Needs the
extras ``browser`` and ``postgresql``, Chromium and a PostgreSQL server; skips what is not there.
"""

import csv
import json
import re
from contextlib import nullcontext
from dataclasses import dataclass
from shutil import copytree

import pytest

from autograder.course import root
from tests import postgres
from tests.classroom import (
    POINTS,
    REFERENCE,
    SLUG,
    Course,
    copy_of_repository,
    fill,
    secrets,
    text_of,
)
from tests.lab import WAIT, chromium, needs_chromium, new_page, playwright, running_lab

pytestmark = needs_chromium

ESSAY, WORTH = "essay", 5
MODEL_ANSWER = "The model answer: the generator repeats after 2**19937 - 1 words."
ANSWER = "It repeats, but *nobody* will see that."
REMARK = "See the header of the notebook."
EVIL = ("<script>window.evil = 1</script><img src=x onerror='window.evil = 2'> "
        "[x](javascript:window.evil=3) ")
LEARNT_BY_HEART = """
def randint64(state):
    high, low = randint32(state), randint32(state)
    known = state is None or state.seed in {seeds}
    return (high << 32) | (low if known else low ^ 1)
"""
RAISES_MARKUP = """
def randfloat32(state):
    print({evil!r})
    raise ValueError({evil!r})
"""
COLOUR = "\x1b[31mred\x1b[0m"


@dataclass(frozen=True)
class Marks:
    """What the gradebook has of one submission."""

    auto: dict
    manual: dict
    waiting: set
    score: float
    penalty: float


@dataclass(frozen=True)
class Flow:
    """A course at its end, and its marks after grading, after manual grading, and after grading
    again."""

    course: Course
    graded: dict
    marked: dict
    regraded: dict


def settings(word, exchange=None, db_url=None):
    """The lines of the teachers' page that have ``word`` in them, with these places in."""
    page = (root() / "docs" / "for-teachers.md").read_text()
    block = next(each for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL)
                 if word in each)
    block = block.replace("/srv/nbgrader/exchange", str(exchange))
    return re.sub(r'"postgresql.*"', f'"{db_url}"', block)


def ask_for_an_answer(course):
    """Add a written answer to the source notebook, as *Create Assignment* does."""
    path = course.folder / "solutions" / SLUG / f"{SLUG}.ipynb"
    notebook = json.loads(path.read_text())
    about = {"grade": True, "grade_id": ESSAY, "locked": False, "points": WORTH,
             "schema_version": 3, "solution": True, "task": False}
    notebook["cells"].insert(-1, {"cell_type": "markdown", "id": "2f1c", "source": MODEL_ANSWER,
                                  "metadata": {"nbgrader": about}})
    path.write_text(json.dumps(notebook))


def bobs_work():
    """Right up to randint32; then values learnt by heart, then markup wherever one can write."""
    golden = json.loads((root() / "fixtures" / SLUG / "golden.json").read_text())
    seeds = {int(seed) % size for seed in golden["torch"]["seeds"] for size in (2**32, 2**64)}
    right = {cell: REFERENCE[cell] for cell in
             ("solve-manual_seed", "solve-next_state", "solve-randint32")}
    return right | {
        "solve-randint64": LEARNT_BY_HEART.format(seeds=seeds),
        "solve-randfloat32": RAISES_MARKUP.format(evil=EVIL + COLOUR),
        ESSAY: EVIL + COLOUR,
    }


WORK = {"ada": lambda: {**REFERENCE, ESSAY: ANSWER}, "bob": bobs_work}


@pytest.fixture(scope="module")
def exchange(tmp_path_factory):
    """A folder with the course released, and what two learners fetched, filled and submitted."""
    folder = tmp_path_factory.mktemp("exchange")
    course = Course(folder / "course", folder / "course")
    copy_of_repository(course.folder)
    ask_for_an_answer(course)
    course.configure(settings("Exchange", folder / "shared"), settings("AssignLatePenalties"))
    course.run("generate_assignment", SLUG, "--no-db", "--force")
    course.run("release_assignment", SLUG)
    for student, work in WORK.items():
        learner = Course(folder / student, course.folder)
        learner.folder.mkdir()
        learner.configure(settings("get_config", folder / "shared"))
        learner.run("fetch_assignment", SLUG)
        notebook = learner.folder / SLUG / f"{SLUG}.ipynb"
        notebook.write_text(json.dumps(fill(json.loads(notebook.read_text()), work())))
        learner.run("submit", SLUG, f"--student={student}")
    return folder


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


def marks(course, student):
    with course.gradebook() as gradebook:
        notebook = gradebook.find_submission_notebook(SLUG, SLUG, student)
        return Marks(
            {grade.name: grade.auto_score for grade in notebook.grades},
            {grade.name: grade.manual_score for grade in notebook.grades
             if grade.manual_score is not None},
            {grade.name for grade in notebook.grades if grade.needs_manual_grade},
            notebook.score, notebook.late_submission_penalty or 0,
        )


def everybodys_marks(course):
    return {student: marks(course, student) for student in WORK}


def submission_page(course, student):
    with course.gradebook() as gradebook:
        submission = gradebook.find_submission_notebook(SLUG, SLUG, student)
        return f"formgrader/submissions/{submission.id}/"


def mark_in_formgrader(course, browser):
    """Full credit for Ada with a click; for Bob a typed mark and a remark."""
    with running_lab(course.folder, **course.environment) as address, new_page(browser) as page:
        page.goto(address.format("formgrader"))
        playwright.expect(page.get_by_role("link", name=SLUG).first).to_be_visible()

        page.goto(address.format(submission_page(course, "ada")))
        cell = page.locator(".nbgrader_cell", has=page.locator(f"#{ESSAY}"))
        playwright.expect(cell.locator(".needs_manual_grade")).to_be_visible()
        with page.expect_response("**/formgrader/api/grade/*"):
            cell.get_by_role("button", name="Full credit").click()

        page.goto(address.format(submission_page(course, "bob")))
        playwright.expect(page.locator(f"#{ESSAY}.needs_manual_grade")).to_be_visible()
        page.locator(f"#{ESSAY}").fill("3")
        with page.expect_response("**/formgrader/api/grade/*"):
            page.keyboard.press("Tab")
        page.locator(f"#{ESSAY}-comment").fill(REMARK)
        with page.expect_response("**/formgrader/api/comment/*"):
            page.keyboard.press("Tab")
        assert page.evaluate("window.evil") is None


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def flow(request, exchange, browser, tmp_path_factory):
    """The teacher's side, once on each kind of database."""
    on_server = request.param == "postgresql"
    if on_server and (reason := postgres.missing()):
        pytest.skip(reason)
    with postgres.running_server() if on_server else nullcontext() as db_url:
        folder = tmp_path_factory.mktemp(request.param) / "course"
        course = Course(copytree(exchange / "course", folder), folder, db_url)
        if on_server:
            course.configure(settings("db_url", db_url=db_url))
        course.run("generate_assignment", SLUG, "--force")
        course.run("collect", SLUG)
        in_time = course.submission("ada").with_name("timestamp.txt").read_text()
        course.run("db", "assignment", "add", SLUG, "--duedate", in_time)
        course.run("autograde", SLUG)
        graded = everybodys_marks(course)
        mark_in_formgrader(course, browser)
        marked = everybodys_marks(course)
        course.run("autograde", SLUG, "--force")
        regraded = everybodys_marks(course)
        course.run("generate_feedback", SLUG)
        course.run("export")
        yield Flow(course, graded, marked, regraded)


@pytest.fixture
def feedback(flow, browser):
    """Bob's feedback, open in the browser."""
    with new_page(browser) as page:
        page.goto((flow.course.folder / "feedback" / "bob" / SLUG / f"{SLUG}.html").as_uri(),
                  wait_until="domcontentloaded")
        yield page


def card(page, function):
    return page.locator(".ol-card", has_text=f"{function}:")


def test_the_release_has_the_question_and_not_the_answer(exchange):
    """Learners fetch the teacher's cell, empty, and neither solutions nor hidden lines."""
    fetched = next((exchange / "shared").glob(f"*/outbound/{SLUG}/{SLUG}.ipynb")).read_text()

    assert ESSAY in {cell["id"] for cell in json.loads(fetched)["cells"]}
    for secret in (MODEL_ANSWER, "nbgrader_plugin", "BEGIN SOLUTION"):
        assert secret not in fetched


def test_collect_takes_what_was_submitted(flow, exchange):
    """Each learner's notebook arrives to the byte, with the time of its submission."""
    for student in WORK:
        collected = flow.course.submission(student)
        sent = exchange / student / SLUG / f"{SLUG}.ipynb"

        assert collected.read_bytes() == sent.read_bytes()
        assert collected.with_name("timestamp.txt").exists()


def test_grading_leaves_the_written_answer_to_a_person(flow):
    """Ada's code has full marks; the cell that only a person can mark has none, and waits."""
    assert flow.graded["ada"].auto == POINTS | {ESSAY: None}
    for student in WORK:
        assert flow.graded[student].waiting == {ESSAY}
        assert flow.graded[student].manual == {}


def test_the_answer_is_in_the_marked_notebook(flow):
    """What the learner wrote is what the teacher reads."""
    cells = {cell.id: cell.source for cell in flow.course.marked("ada").cells}

    assert ANSWER in cells[ESSAY]


def test_a_click_in_formgrader_is_a_mark(flow):
    """The button and the typed number are in the gradebook, and nothing waits any more."""
    assert {student: flow.marked[student].manual for student in WORK} == {
        "ada": {ESSAY: 5.0}, "bob": {ESSAY: 3.0}}
    assert [flow.marked[student].waiting for student in WORK] == [set(), set()]


def test_grading_again_keeps_the_persons_mark(flow):
    """Marks of tests are as before, the manual ones stay and count; nbgrader asks the person to
    look once more."""
    for student in WORK:
        before, after = flow.marked[student], flow.regraded[student]

        assert (after.auto, after.manual) == (before.auto, before.manual)
        assert after.waiting == {ESSAY}
        assert after.score == sum(filter(None, after.auto.values())) + after.manual[ESSAY]


def test_late_work_costs_what_the_rule_says(flow):
    """In time to the second is not late; a share is of the marks that are there when autograde
    runs, so the written answer counts after the second run."""
    code = flow.graded["bob"].score

    assert [each["ada"].penalty for each in (flow.graded, flow.regraded)] == [0, 0]
    assert flow.graded["bob"].penalty == pytest.approx(code / 10)
    assert flow.regraded["bob"].penalty == pytest.approx((code + 3) / 10)
    assert code > 0


def test_export_has_score_and_penalty(flow):
    """The table has what the gradebook has, with the written answer in the sum."""
    with open(flow.course.folder / "grades.csv", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    bob = flow.regraded["bob"]

    assert rows.keys() == WORK.keys()
    assert float(rows["ada"]["score"]) == float(rows["ada"]["max_score"]) == 105
    assert float(rows["bob"]["raw_score"]) == pytest.approx(bob.score)
    assert float(rows["bob"]["late_submission_penalty"]) == pytest.approx(bob.penalty)
    assert float(rows["bob"]["score"]) == pytest.approx(bob.score - bob.penalty)


def test_feedback_shows_rule_and_counterexample(feedback):
    """What was learnt by heart fails on fresh input, and the card shows the rule, the call, and
    both values."""
    shown = card(feedback, "randint64")

    playwright.expect(shown).to_contain_text("each result is two consecutive words")
    for label in ("Given", "Wanted", "Got"):
        playwright.expect(shown.locator(".ol-label", has_text=label)).to_be_visible()
    wanted, got = (shown.locator(f".ol-label:text-is('{label}') + .ol-value").inner_text()
                   for label in ("Wanted", "Got"))
    assert wanted != got


def test_feedback_has_the_teachers_mark_and_remark(feedback):
    """The written answer's mark and the comment on it are there for the learner."""
    playwright.expect(feedback.get_by_text(REMARK)).to_be_visible()
    playwright.expect(feedback.get_by_text("(Score: 3.0 / 5.0)")).to_be_visible()


@pytest.mark.parametrize("student", WORK)
def test_feedback_keeps_the_secrets(flow, student):
    """No line of the hidden tests, of the reference, or of the model answer is in the file."""
    page = text_of(flow.course.feedback(student))
    kept = secrets(flow.course, student)

    assert len(kept) > 50
    assert {line for line in kept | {MODEL_ANSWER} if line in page} == set()


def test_feedback_runs_nothing_of_the_learners(feedback):
    """Scripts, handlers, links and colours that a learner wrote are shown as letters: in code, in
    an error's message and in the written answer."""
    shown = feedback.locator("body").inner_text()

    assert shown.count("window.evil = 1") >= 3
    assert "[31mred" in card(feedback, "randfloat32").inner_text()
    assert feedback.locator("[class*=ansi-], [onerror], a[href^=javascript]").count() == 0
    assert feedback.evaluate("window.evil") is None


@pytest.mark.parametrize(("student", "says"), [
    ("ada", ["Success! Your notebook passes all the tests."]),
    ("bob", ["randint64: wrong value", "no tests written yet"]),
])
def test_validate_in_jupyterlab(exchange, browser, student, says):
    """The learner's own button says whether everything passes, tests of one's own included."""
    learner = Course(exchange / student, exchange / "course")
    with running_lab(learner.folder, **learner.environment) as address, new_page(browser) as page:
        page.goto(address.format(f"lab/tree/{SLUG}/{SLUG}.ipynb"))
        page.get_by_role("button", name="Validate").click()
        dialog = page.locator(".jp-Dialog", has_text="Validation")
        for each in says:
            playwright.expect(dialog).to_contain_text(each, timeout=4 * WAIT)
