"""A class on nbgrader's own commands, for the tests of what they leave behind.

The course is made of this repository; what is handed in is for chapter 4 unless another is named.
Nothing here asserts what a submission earns.
"""

import ast
import copy
import html
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from autograder.contract import load, reference_cells
from autograder.course import find, root
from autograder.planted import mutants


def points(chapter):
    """What each check cell of a chapter can earn as a score; a bonus is extra credit."""
    contract = load(chapter)
    scored = {part.check: 0 if part.bonus else part.points for part in contract.parts}
    return scored | {contract.own_tests.check: contract.own_tests.points}


def reference(chapter):
    """The cells that a learner fills, as the course fills them."""
    contract = load(chapter)
    cells = {f"solve-{name}": source for name, source in reference_cells(contract).items()}
    return cells | {contract.own_tests.cell: contract.own_tests.reference}


CHAPTER = find("ch04")
SLUG = CHAPTER.slug
POINTS = points(CHAPTER)
REFERENCE = reference(CHAPTER)
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
    """A folder that nbgrader works in: for a teacher, or a learner.

    The chapters are those of ``repository``, or of this one; the gradebook is a file here unless
    ``db_url`` says where.
    """

    folder: Path
    repository: Path | None = None
    db_url: str | None = None

    @property
    def environment(self):
        return {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder), "OL_ROOT": str(self.repository or root()),
            "OL_WORK": str(self.folder / "work"),
        }

    def configure(self, *lines):
        """Add lines to nbgrader's configuration."""
        with (self.folder / "nbgrader_config.py").open("a") as file:
            file.write("\n".join(["", *lines, ""]))

    def run(self, *arguments, code=0):
        """Run one nbgrader command here and return what it said; it has to end with ``code``."""
        env = os.environ | self.environment
        done = subprocess.run(["nbgrader", *arguments], cwd=self.folder, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == code, done.stdout
        return done.stdout

    def submit(self, student, notebook, slug=SLUG):
        path = self.submission(student, slug)
        path.parent.mkdir(parents=True)
        path.write_text(notebook if isinstance(notebook, str) else json.dumps(notebook))

    def submission(self, student, slug=SLUG):
        return self.folder / "submitted" / student / slug / f"{slug}.ipynb"

    def marked(self, student):
        path = self.folder / "autograded" / student / SLUG / f"{SLUG}.ipynb"
        return nbformat.read(path, as_version=4)

    def feedback(self, student):
        return (self.folder / "feedback" / student / SLUG / f"{SLUG}.html").read_text()

    def gradebook(self):
        return Gradebook(self.db_url or f"sqlite:///{self.folder / 'gradebook.db'}")

    def grades(self, student, slug=SLUG):
        """Scores by check cell, as the gradebook has them; none is waiting for a person."""
        with self.gradebook() as gradebook:
            found = gradebook.find_submission_notebook(slug, slug, student).grades
            assert not any(grade.needs_manual_grade for grade in found)
            assert all(grade.manual_score is None for grade in found)
            return {grade.name: grade.auto_score for grade in found}


def copy_of_repository(folder):
    """What a course needs of this repository, in a new folder, to be changed at will."""
    for name in ("autograder", "fixtures", "notebooks", "solutions"):
        shutil.copytree(root() / name, folder / name,
                        ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root() / "nbgrader_config.py", folder)


def filled(chapter, sources):
    """The released notebook with these sources in its cells."""
    return fill(json.loads(chapter.release.read_text()), sources)


def fill(notebook, sources):
    for cell in notebook["cells"]:
        cell["source"] = sources.get(cell["id"], cell["source"])
    return notebook


def solved(*functions):
    """The released notebook with these functions, or all, written as the reference has them."""
    wanted = [f"solve-{name}" for name in functions] or REFERENCE
    return filled(CHAPTER, {cell: REFERENCE[cell] for cell in wanted})


def partly_right(chapter):
    """The first function right, the next with a planted bug, and so on; no bonus, no tests."""
    sources = {}
    required = [part for part in load(chapter).parts if not part.bonus]
    for place, part in enumerate(required):
        bug = next(each for each in mutants(chapter) if each.function == part.name)
        source = reference(chapter)[part.cell]
        sources[part.cell] = source.replace(bug.old, bug.new) if place % 2 else source
    return filled(chapter, sources)


def text_of(page):
    """What an HTML page says."""
    return html.unescape(re.sub(r"<[^>]*>", "", page))


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


def secrets(course, student):
    """Lines of the hidden tests and of the reference, but for those that the student was given or
    wrote."""
    release = nbformat.read(CHAPTER.release, as_version=4)
    written = [cell for cell in course.marked(student).cells
               if cell.id.startswith(("solve-", "tests-", "learner-"))]
    known = "\n".join(cell.source for cell in (*release.cells, *written))
    allowed = known + " ".join(known.replace("`", "").split())  # as Markdown shows it
    lines = [*hidden_code(), *"\n".join(REFERENCE.values()).splitlines()]
    telling = {line.strip() for line in lines if len(line.strip()) > 24}
    return {line for line in telling if line not in allowed}


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
