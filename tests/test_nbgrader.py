"""nbgrader's own commands on a course made of this repository, and what they leave behind."""

import csv
import functools
import json
import math
import shutil
from html.parser import HTMLParser

import pytest
from nbgrader.utils import determine_grade

from autograder.course import root
from autograder.grade import grade_notebook
from tests.classroom import (
    CHAPTER,
    POINTS,
    SLUG,
    Course,
    copied_check,
    half_right,
    hostile,
    secrets,
    solved,
    text_of,
)

STUDENTS = ("right", "half", "hostile", "copied", "broken")
STOCK = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Five submissions through every command of a class."""
    course = Course(tmp_path_factory.mktemp("course"))
    shutil.copy(root() / "nbgrader_config.py", course.folder)
    shutil.copytree(CHAPTER.solution.parent, course.folder / "solutions" / SLUG)
    course.run("generate_assignment", SLUG)
    course.submit("right", solved())
    course.submit("half", half_right())
    course.submit("hostile", hostile(course))
    course.submit("copied", copied_check())
    course.submit("broken", json.dumps(solved())[:5000])
    course.run("autograde", SLUG)
    course.run("generate_feedback", SLUG)
    course.run("export")
    return course


@functools.cache
def verdict_of(course, student):
    """What the grader itself says of the file that was handed in."""
    return grade_notebook(CHAPTER, course.submission(student))


def test_generate_assignment_writes_the_release(course):
    """nbgrader makes the committed release from the solution, to the byte."""
    made = course.folder / "notebooks" / SLUG / f"{SLUG}.ipynb"

    assert made.read_bytes() == CHAPTER.release.read_bytes()


@pytest.mark.parametrize("student", STUDENTS)
def test_every_submission_is_graded(course, student):
    """Each check cell has a finite score between nothing and its points, whatever was handed in."""
    grades = course.grades(student)

    assert grades.keys() == POINTS.keys()
    for name, score in grades.items():
        assert math.isfinite(score)
        assert 0 <= score <= POINTS[name]


@pytest.mark.parametrize("student", ["half", "hostile"])
def test_scores_are_the_verdicts(course, student):
    """nbgrader's scores are those of the grader on the same file, cell by cell."""
    verdict = verdict_of(course, student)
    points = {f"check-{function.name}": float(function.earned) for function in verdict.functions}

    assert course.grades(student) == points
    assert 0 < sum(points.values()) < 100


@pytest.mark.parametrize(("student", "full"), [
    ("right", set(POINTS)), ("copied", {"check-manual_seed"}), ("broken", set()),
    ("hostile", {"check-manual_seed"}),
])
def test_scores_are_earned(course, student, full):
    """Full points for right work only: a copied check cell costs nothing, what cannot be read earns
    nothing, and neither a forged line nor an object equal to everything earns a point."""
    earned = {name for name, score in course.grades(student).items() if score == POINTS[name]}

    assert earned == full


def test_unreadable_submission_is_told_why(course):
    """The feedback on a damaged file says what is wrong with it."""
    assert "the file is not a notebook" in course.feedback("broken")


@pytest.mark.parametrize("student", STUDENTS)
def test_outputs_score_the_same(course, student):
    """nbgrader's own reading of the outputs gives the points that the gradebook has."""
    cells = {cell.id: cell for cell in course.marked(student).cells}

    assert {name: determine_grade(cells[name])[0] for name in POINTS} == course.grades(student)


def test_feedback_tells_the_rules(course):
    """Feedback names the rule of every test that failed."""
    function = verdict_of(course, "half").function("randint64")
    rules = {test.rule for test in function.tests if test.failure}

    assert rules
    assert [rule for rule in rules if rule not in text_of(course.feedback("half"))] == []


def test_feedback_names_no_case(course):
    """The name of a test's case spells its input out, so none is in the feedback."""
    tests = [test for each in verdict_of(course, "half").functions for test in each.tests]
    cases = {test.name for test in tests if "[" in test.name}

    assert cases
    assert {name for name in cases if name in text_of(course.feedback("half"))} == set()


@pytest.mark.parametrize("student", STUDENTS)
def test_feedback_keeps_the_secrets(course, student):
    """Feedback holds no line of the hidden tests, nor of the reference unless it was handed in."""
    kept = secrets(course, student)
    page = text_of(course.feedback(student))

    assert len(kept) > 50
    assert {line for line in kept if line in page} == set()


class Active(HTMLParser):
    """Collects what a page runs: scripts, and the values of attributes."""

    def __init__(self):
        super().__init__()
        self.found, self._script = [], False

    def handle_starttag(self, tag, attrs):
        self._script = tag == "script"
        self.found += [f"{name}={value}" for name, value in attrs]

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        if self._script:
            self.found.append(data)


def test_learners_markup_is_inert(course):
    """Scripts, handlers and links that a learner wrote are text in the feedback, whole and dead."""
    page = course.feedback("hostile")
    active = Active()
    active.feed(page)

    assert text_of(page).count("evil(1)") == 2
    assert [found for found in active.found if "evil" in found] == []


def test_export_adds_up(course):
    """The exported table has a row for each submission with the sum of its scores."""
    with open(course.folder / "grades.csv", newline="") as file:
        rows = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}

    sums = {student: sum(course.grades(student).values()) for student in STUDENTS}

    assert rows == pytest.approx(sums)


def test_stock_nbgrader_grades_too(course, tmp_path):
    """Without our steps the same notebook earns the same points, in a kernel, with a warning."""
    shutil.copytree(course.folder, tmp_path, dirs_exist_ok=True)
    course = Course(tmp_path)
    (tmp_path / "nbgrader_config.py").write_text(STOCK)
    course.run("autograde", SLUG, "--student", "right", "--force")
    outputs = {cell.id: cell.outputs for cell in course.marked("right").cells if cell.id in POINTS}
    scores = {
        name: float(output.data["text/plain"])
        for name in outputs for output in outputs[name] if output.output_type == "execute_result"
    }

    assert scores == course.grades("right") == POINTS
    for each in outputs.values():
        assert "not tamper-proof" in "".join(output.get("text", "") for output in each)
