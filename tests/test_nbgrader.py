"""nbgrader's own commands on a course made of this repository, and what they leave behind."""

import ast
import copy
import csv
import functools
import html
import json
import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade

from autograder.contract import load, reference_cells
from autograder.course import find, root
from autograder.grade import grade_notebook

CHAPTER = find("ch04")
SLUG = CHAPTER.slug
POINTS = {part.check: part.points for part in load(CHAPTER).parts}
REFERENCE = {f"solve-{name}": source for name, source in reference_cells(load(CHAPTER)).items()}
STOCK = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
"""
ONE_WORD = """
def randint64(state):
    return randint32(state)
"""
SABOTAGE = """
import os
for path in {paths}:
    try:
        os.remove(path)
        open(path, "w").close()
    except OSError:
        pass
print('{{"earned": 100, "auto_score": 100.0}}')
"""
ALWAYS_EQUAL = """
class Same(int):
    def __eq__(self, other):
        return True
    __hash__ = None

def randint32(state):
    return Same(0)
"""
ENDS_THE_PROCESS = """
def randint64(state):
    import os
    os._exit(0)
"""
MARKUP = """<script>evil(1)</script><img src=x onerror=evil(2)> [x](javascript:evil(3))
### BEGIN HIDDEN TESTS"""


@dataclass(frozen=True)
class Course:
    """A folder that nbgrader works in."""

    folder: Path

    def run(self, *arguments):
        """Run one nbgrader command here and return what it said."""
        env = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder), "OL_ROOT": str(root()),
            "OL_WORK": str(self.folder / "work"),
        }
        done = subprocess.run(["nbgrader", *arguments], cwd=self.folder, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def submit(self, student, notebook):
        path = self.submission(student)
        path.parent.mkdir(parents=True)
        path.write_text(notebook if isinstance(notebook, str) else json.dumps(notebook))

    def submission(self, student):
        return self.folder / "submitted" / student / SLUG / f"{SLUG}.ipynb"

    def marked(self, student):
        path = self.folder / "autograded" / student / SLUG / f"{SLUG}.ipynb"
        return nbformat.read(path, as_version=4)

    def feedback(self, student):
        return (self.folder / "feedback" / student / SLUG / f"{SLUG}.html").read_text()

    def grades(self, student):
        """Scores by check cell, as the gradebook has them; none is waiting for a person."""
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as gradebook:
            found = gradebook.find_submission_notebook(SLUG, SLUG, student).grades
            assert not any(grade.needs_manual_grade for grade in found)
            assert all(grade.manual_score is None for grade in found)
            return {grade.name: grade.auto_score for grade in found}


def solved(*functions):
    """The released notebook with these functions, or all, written as the reference has them."""
    notebook = json.loads(CHAPTER.release.read_text())
    for cell in notebook["cells"]:
        name = cell["id"].removeprefix("solve-")
        if name in functions or (not functions and cell["id"] in REFERENCE):
            cell["source"] = REFERENCE[cell["id"]]
    return notebook


def cell_of(notebook, name):
    return next(cell for cell in notebook["cells"] if cell["id"] == name)


def half_right():
    notebook = solved("manual_seed", "next_state", "randint32")
    cell_of(notebook, "solve-randint64")["source"] = ONE_WORD
    return notebook


def hostile(course):
    notebook = solved("manual_seed")
    paths = [str(course.folder / "gradebook.db"), str(course.submission("right"))]
    cell_of(notebook, "solve-manual_seed")["source"] = (
        SABOTAGE.format(paths=paths) + REFERENCE["solve-manual_seed"])
    cell_of(notebook, "solve-randint32")["source"] = ALWAYS_EQUAL
    cell_of(notebook, "solve-randint64")["source"] = ENDS_THE_PROCESS
    for kind in ("markdown", "raw"):
        notebook["cells"].insert(1, {"cell_type": kind, "id": f"own-{kind}", "source": MARKUP,
                                     "metadata": {"tags": ["x onclick=evil(4)"]}})
    return notebook


def copied_check():
    notebook = solved("manual_seed")
    check = cell_of(notebook, "check-manual_seed")
    notebook["cells"].insert(notebook["cells"].index(check), copy.deepcopy(check))
    return notebook


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


STUDENTS = ("right", "half", "hostile", "copied", "broken")


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


def text_of(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


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


def hidden_code():
    """The hidden tests without their docstrings, which are the rules that everybody may read."""
    source = CHAPTER.hidden.read_text()
    told = {
        number
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node)
        for number in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    return [line for number, line in enumerate(source.splitlines(), 1) if number not in told]


@pytest.mark.parametrize("student", STUDENTS)
def test_feedback_keeps_the_secrets(course, student):
    """Feedback holds no line of the hidden tests, nor of the reference unless it was handed in."""
    release = nbformat.read(CHAPTER.release, as_version=4)
    known = "\n".join(cell.source for cell in (*release.cells, *course.marked(student).cells))
    allowed = known + " ".join(known.replace("`", "").split())  # as Markdown shows it
    lines = [*hidden_code(), *"\n".join(REFERENCE.values()).splitlines()]
    telling = {line.strip() for line in lines if len(line.strip()) > 24}
    secrets = {line for line in telling if line not in allowed}
    page = text_of(course.feedback(student))

    assert len(secrets) > 50
    assert {line for line in secrets if line in page} == set()


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
