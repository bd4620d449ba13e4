"""The chapters as one course of nbgrader's: its scores are what ``ol check`` says, cell by cell.

A submission that is partly right goes through every chapter; one that is right, and an empty one,
through chapter 2, which has a bonus. Chapter 4 is ``test_nbgrader``'s.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from autograder.course import chapters, root
from tests.classroom import Course, filled, partly_right, points, reference

CHAPTERS = {chapter.slug: chapter for chapter in chapters() if chapter.number != "ch04"}
WHOLE = "ch02_bpe"
in_every_chapter = pytest.mark.parametrize("graded", CHAPTERS, indirect=True)
in_one = pytest.mark.parametrize("graded", [WHOLE], indirect=True)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("course"))
    shutil.copy(root() / "nbgrader_config.py", course.folder)
    return course


@pytest.fixture(scope="module")
def graded(course, request):
    """The course after the submissions for a chapter, and the chapter."""
    chapter = CHAPTERS[request.param]
    shutil.copytree(chapter.solution.parent, course.folder / "solutions" / chapter.slug)
    course.run("generate_assignment", chapter.slug)
    course.submit("partly", partly_right(chapter), chapter.slug)
    if chapter.slug == WHOLE:
        course.submit("right", filled(chapter, reference(chapter)), chapter.slug)
        course.submit("empty", filled(chapter, {}), chapter.slug)
    course.run("autograde", chapter.slug)
    return course, chapter


def checked(path, folder):
    """The points of each check cell by ``ol check --json``."""
    command = [sys.executable, "-m", "autograder", "check", str(path), "--ref-deps", "--json"]
    done = subprocess.run(command, cwd=root(), env=os.environ | {"OL_WORK": str(folder)},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # not yet: something is missing
    functions = json.loads(done.stdout)["functions"]
    return {f"check-{each['name']}": each["earned"] for each in functions}


@in_every_chapter
def test_release_is_the_committed_one(graded):
    """nbgrader makes it from the solution, to the byte."""
    course, chapter = graded
    made = course.folder / "notebooks" / chapter.slug / f"{chapter.slug}.ipynb"

    assert made.read_bytes() == chapter.release.read_bytes()


@in_one
def test_the_solution_earns_everything(graded):
    """Full points in each check cell, 100 in all."""
    course, chapter = graded

    assert course.grades("right", chapter.slug) == points(chapter)
    assert sum(points(chapter).values()) == 100


@in_one
def test_the_empty_release_earns_nothing(graded):
    """Nothing in any check cell, as ``ol check`` says too."""
    course, chapter = graded
    grades = course.grades("empty", chapter.slug)

    assert grades == checked(course.submission("empty", chapter.slug), course.folder)
    assert grades == dict.fromkeys(points(chapter), 0)


@in_every_chapter
def test_partly_right_work_earns_its_part(graded):
    """In each check cell what ``ol check`` says: all, some and nothing are among them."""
    course, chapter = graded
    grades = course.grades("partly", chapter.slug)
    full = points(chapter)
    functions = [cell for cell, worth in full.items() if worth][:-1]

    assert grades == checked(course.submission("partly", chapter.slug), course.folder)
    assert grades[functions[0]] == full[functions[0]]  # later ones may stand on one with a bug
    assert all(0 <= grades[cell] < full[cell] for cell in functions[1::2])
    assert any(grades[cell] > 0 for cell in functions[1::2])
