"""A class graded at once: nobody is lost, nothing is graded twice, and nbgrader sees no difference.

The course is the toy one. A hidden test of its own lets a submission harm the grader, as none of
the course's does; each such submission asks for it by what it returns.
"""

import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

from autograder import build, cli
from autograder.classroom import Batch
from autograder.contract import load, reference_cells
from autograder.course import find
from autograder.hiddentests import run_tests
from autograder.judging import handed_in, judge
from autograder.kept import Shelf, edition, key
from autograder.live import Live
from autograder.nbgrader_plugin import courses, entering, gradebook
from autograder.sandbox import Level, available
from autograder.show import clean
from autograder.verdict import Outcome, Status
from tests import toy
from tests.classroom import Course

REPOSITORY = Path(__file__).parent.parent
SLUG = "ch01_count"
TROUBLE = '''

@checks("running", kind="fault", why="w")
def test_grader(running):
    """The grader stays well."""
    import os, time
    from autograder.sandbox import GraderFault
    what, seconds = running([7]), os.environ.get("OL_TEST_SECONDS", "0")
    time.sleep(float(seconds))
    if os.environ.get("OL_TEST_TROUBLE") and what == ["fault"]:
        raise GraderFault("the disk is full")
    if os.environ.get("OL_TEST_TROUBLE") and what == ["death"]:
        os._exit(1)
    assert what == [7]
'''
WITH_GOLDEN = '''
from autograder.hidden import checks


@checks("double", kind="golden", why="w")
def test_golden(double, golden):
    """Twice 21 is what the chapter says."""
    assert double(21) == golden
'''
DOUBLE = "def double(number):\n    return {}"
ABORT = "\nimport os\nos.abort()"
TRIPLE = "def triple(number):\n    return 3"
RUNNING = "def running(numbers, start=0, *, step=1):\n    return {}"
PATH = os.environ.get("PATH", "")
PATIENCE = 120  # seconds that a busy machine may take


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """The toy chapter with a bonus, and with a test that can harm the grader."""
    folder = toy.make_with_bonus(tmp_path_factory.mktemp("toy"))
    with (folder / "autograder" / "hidden" / f"{SLUG}.py").open("a") as file:
        file.write(TROUBLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(folder))
        chapter = find(SLUG)
        for each in (chapter, find("ch02")):
            build.write(each)
        yield chapter


def notebook(chapter, number, **sources):
    """A submission unlike any other, with these functions written."""
    content = json.loads(chapter.release.read_text())
    for cell in content["cells"]:
        cell["source"] = sources.get(cell["id"].removeprefix("solve-"), cell["source"])
    content["metadata"]["number"] = number
    return json.dumps(content)


def right(chapter):
    return notebook(chapter, 0, **reference_cells(load(chapter)))


WORK = {
    "all of it": right,
    "nothing": lambda chapter: notebook(chapter, 1),
    "half": lambda chapter: notebook(chapter, 2, double=DOUBLE.format("number + number")),
    "half a bonus": lambda chapter: notebook(chapter, 3, triple=TRIPLE),
    "an end": lambda chapter: notebook(chapter, 4, double=DOUBLE.format("0") + ABORT),
    "o'neill, \"x\" (1) \\ é": lambda chapter: right(chapter)[:400],
    "=cmd|'calc'!A0": lambda chapter: "",
    "n" * 200: lambda chapter: notebook(chapter, 5, double=DOUBLE.format("42")),
}
STATUS = dict.fromkeys(WORK, Status.GRADED) | {
    "an end": Status.CRASHED, "o'neill, \"x\" (1) \\ é": Status.UNREADABLE,
    "=cmd|'calc'!A0": Status.UNREADABLE,
}


def link(path):
    path.symlink_to(path.parents[2] / "all of it" / SLUG / path.name)


def folder_that_is_a_link(path):
    path.parent.rmdir()
    path.parent.symlink_to(path.parents[2] / "all of it" / SLUG)


def folder_that_is_a_pipe(path):
    path.parent.rmdir()
    os.mkfifo(path.parent)


ODD = {
    "link": link, "pipe": os.mkfifo, "folder": Path.mkdir, "linked folder": folder_that_is_a_link,
    "piped folder": folder_that_is_a_pipe, "nothing handed in": lambda path: None,
}
NO_NOTEBOOK = {"piped folder", "nothing handed in"}  # for nbgrader there is nobody of that name


class Class(Course):
    """A course folder with the class's submissions."""

    def ol(self, *arguments, **environment):
        """Start ``ol`` here, in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "autograder", *arguments], cwd=self.folder,
            env=os.environ | {"OL_WORK": str(self.folder / "work")} | environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )

    def autograde(self, *arguments, code=0, **environment):
        """Run ``ol autograde``; what it printed."""
        process = self.ol("autograde", SLUG, *(arguments or ("--workers", "2")), **environment)
        printed = process.communicate(timeout=PATIENCE)[0]
        assert process.returncode == code, printed
        return printed

    def shelf(self):
        return {path: (path.stat().st_ino, path.stat().st_mtime_ns)
                for path in self.folder.glob(f"verdicts/{SLUG}/{'?' * 64}.json")}

    def book(self):
        """Everything in the gradebook that grading writes, by student and cell."""
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            found = {}
            for submission in book.assignment_submissions(SLUG):
                (written,) = submission.notebooks
                for grade in written.grades:
                    found[submission.student.id, grade.name] = (
                        grade.auto_score, grade.extra_credit, grade.manual_score,
                        grade.needs_manual_grade)
                for comment in written.comments:
                    found[submission.student.id, comment.name] = comment.auto_comment
                found[submission.student.id, "time"] = submission.timestamp
            return found


@pytest.fixture(scope="module")
def empty(chapter, tmp_path_factory):
    """A course whose gradebook knows the chapter, and nobody has handed in."""
    course = Class(tmp_path_factory.mktemp("empty"))
    shutil.copy(REPOSITORY / "nbgrader_config.py", course.folder)
    shutil.copytree(chapter.solution.parent, course.folder / "solutions" / SLUG)
    course.run("generate_assignment", SLUG)
    return course


@contextmanager
def copied(course, folder):
    subprocess.run(["cp", "-a", f"{course.folder}/.", folder], check=True)  # pipes and all
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield Class(folder)
    finally:
        os.chdir(before)


@pytest.fixture
def course(empty, tmp_path):
    """An empty course, which is also the current folder."""
    with copied(empty, tmp_path) as course:
        yield course


def ol(*arguments):
    """Run ``ol`` in this process, in the current folder; its exit code and what it printed."""
    result = CliRunner().invoke(cli.ol, list(arguments))
    return result.exit_code, result.output


def hand_in(course, chapter):
    for student, make in WORK.items():
        course.submit(student, make(chapter), SLUG)
    (course.submission("half", SLUG).parent / "timestamp.txt").write_text("2026-02-03 04:05:06 UTC")
    for student, make in ODD.items():
        path = course.submission(student, SLUG)
        path.parent.mkdir(parents=True)
        make(path)


def wait_until(true):
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def gone(session):
    """Whether no process of a session is left."""
    done = subprocess.run(["ps", "-s", str(session), "-o", "stat="], capture_output=True, text=True,
                          check=False)
    return not [line for line in done.stdout.split() if not line.startswith("Z")]


@pytest.fixture(scope="module")
def graded(chapter, empty, tmp_path_factory):
    """The class after a run that was killed in the middle and one that went on: the course, the
    verdicts that the first run left, and what the second printed."""
    with copied(empty, tmp_path_factory.mktemp("class")) as course:
        hand_in(course, chapter)
        process = course.ol("autograde", SLUG, "--workers", "2", OL_TEST_SECONDS="0.5")
        wait_until(lambda: len(course.shelf()) >= 2)
        process.kill()
        process.communicate(timeout=PATIENCE)
        wait_until(lambda: gone(process.pid))
        left = course.shelf()
        yield course, left, course.autograde()


@pytest.fixture(scope="module")
def batch(graded, chapter):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(graded[0].folder)
        return Batch.of(courses.here(chapter), chapter)


def test_a_killed_run_goes_on(graded, batch):
    """What was graded is not graded again, all else is, and nobody is forgotten."""
    course, left, printed = graded
    everything = course.shelf()
    expected = {batch.shelf.folder / f"{name}.json" for name in batch.keys.values()}

    assert 2 <= len(left) < len(everything)
    assert {path: everything[path] for path in left} == left
    assert everything.keys() == expected
    assert f"{len(WORK) + len(ODD)} submissions, {len(everything) - len(left)} to grade" in printed


def test_everybody_has_one_status(graded, batch):
    """Graded or why not, whatever was handed in; who is not graded is told in a line."""
    found = {each.student: verdict.status for each, verdict in batch.verdicts()}

    assert found == STATUS | dict.fromkeys(ODD, Status.REFUSED)
    for student, status in found.items():
        told = f"\n{clean(student, 80)}: {status}: " in graded[2]
        assert told == (status is not Status.GRADED)


def test_parallel_is_one_by_one(graded, batch, chapter):
    """Each verdict is what grading that submission alone gives."""
    for each, verdict in batch.verdicts():
        if each.student in ("all of it", "half", "half a bonus", "link"):
            alone = judge(chapter, handed_in(each.notebook)).to_dict()
            assert verdict.to_dict() | {"seconds": 0} == alone | {"seconds": 0}


@pytest.fixture(scope="module")
def stock_order(chapter, empty, tmp_path_factory):
    """The gradebook where nbgrader's own command graded the class, with nothing kept."""
    with copied(empty, tmp_path_factory.mktemp("nbgrader")) as course:
        hand_in(course, chapter)
        course.run("autograde", SLUG)
        return course.book()


def test_gradebook_is_what_nbgrader_would_write(graded, stock_order):
    """Scores, extra credit, comments and times, cell by cell; nothing for whom nothing is there."""
    book = graded[0].book()

    assert book == stock_order
    assert {student for student, _ in book} == {*WORK, *ODD} - NO_NOTEBOOK
    assert book["half a bonus", "check-triple"][:2] == (0, 5)
    assert book["nothing", "solve-double"] == "No response."
    assert book["half", "time"].isoformat() == "2026-02-03T04:05:06"


def test_entered_once_and_manual_marks_stay(graded, chapter, tmp_path):
    """A second run grades nothing, enters nothing, and leaves a person's mark as it is."""
    with copied(graded[0], tmp_path) as course:
        with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
            grade = book.find_grade("check-double", SLUG, SLUG, "half")
            grade.manual_score, grade.needs_manual_grade = 12, False
            grade.notebook.late_submission_penalty = 3
            book.db.commit()
        before, shelf = course.book(), course.shelf()
        code, printed = ol("autograde", SLUG)

        assert code == 0
        assert "0 to grade" in printed
        assert "0 submissions entered" in printed
        assert (course.book(), course.shelf()) == (before, shelf)


def test_nbgrader_takes_the_verdicts_that_are_there(graded, chapter, tmp_path):
    """nbgrader autograde looks them up by the same key: a verdict that was changed shows."""
    with copied(graded[0], tmp_path) as course:
        batch = Batch.of(courses.here(chapter), chapter)
        name = next(name for each, name in batch.keys.items() if each.student == "all of it")
        kept = batch.shelf.folder / f"{name}.json"
        kept.write_text(kept.read_text().replace('"outcome": "passed"', '"outcome": "skipped"'))
        course.run("autograde", SLUG, "--student", "all of it")

        assert course.book()["all of it", "check-double"][0] is None
        assert len(course.shelf()) == len(graded[0].shelf())


TROUBLED = {
    "faulty": lambda chapter: notebook(chapter, 1, running=RUNNING.format('["fault"]')),
    "deadly": lambda chapter: notebook(chapter, 2, running=RUNNING.format('["death"]')),
    "ada": right, "bob": lambda chapter: notebook(chapter, 3),
    "eve": lambda chapter: notebook(chapter, 4, double=DOUBLE.format("42")),
}


def test_faults_of_the_grader_cost_nobody(chapter, course):
    """A test that breaks, and a grader that dies: both are to be repeated, everybody else has
    marks, and the next run, where the trouble is over, has all of them."""
    for student, make in TROUBLED.items():
        course.submit(student, make(chapter), SLUG)
    printed = course.autograde(code=3, OL_TEST_TROUBLE="1")

    assert "faulty: to be repeated: GraderFault: the disk is full" in printed
    assert "deadly: to be repeated: the grader's process died" in printed
    assert "the grader failed on 2" in printed
    assert {student for student, _ in course.book()} == {"ada", "bob", "eve"}

    printed = course.autograde()

    assert "5 submissions, 2 to grade" in printed
    assert "gradebook: 2 submissions entered" in printed
    assert {student for student, _ in course.book()} == {*TROUBLED}


@pytest.fixture(scope="module")
def without_bubblewrap(tmp_path_factory):
    """A PATH on which no program lies, so that level B is the strongest."""
    return str(tmp_path_factory.mktemp("no-programs"))


@pytest.fixture(scope="module")
def at_level_b(chapter, empty, without_bubblewrap, tmp_path_factory):
    """Two submissions, graded and entered at level B."""
    if Level.B not in available():
        pytest.skip("level B does not work on this machine")
    with copied(empty, tmp_path_factory.mktemp("level-b")) as course:
        course.submit("ada", right(chapter), SLUG)
        course.submit("bob", notebook(chapter, 3), SLUG)
        course.autograde("--workers", "1", PATH=without_bubblewrap)
    assert levels(course) == {"B"}
    return course


@pytest.fixture
def insisting(at_level_b, without_bubblewrap, monkeypatch, tmp_path):
    """A copy of that course, on the same machine without bubblewrap."""
    with copied(at_level_b, tmp_path) as course:
        monkeypatch.setenv("PATH", without_bubblewrap)
        yield course


def levels(course):
    return {json.loads(path.read_text())["level"] for path in course.shelf()}


REQUIRES_A = 'c.GradeOutOfProcess.require_level = "A"'


@pytest.mark.parametrize("option", [("--require-level", "A"), ()], ids=["option", "configured"])
def test_weaker_isolation_grades_no_class(insisting, chapter, option):
    """The command says which level is required and which there is, ends with 2, and changes neither
    verdicts nor marks; what was handed in since waits."""
    insisting.submit("eve", notebook(chapter, 4), SLUG)
    if not option:
        insisting.configure(REQUIRES_A)
    shelf, book = insisting.shelf(), insisting.book()

    printed = insisting.autograde("--workers", "1", *option, code=2)

    assert "level A is required, and this machine offers B; 'ol doctor'" in printed
    assert (insisting.shelf(), insisting.book()) == (shelf, book)


def test_weaker_isolation_grades_nobody_in_nbgrader(insisting):
    """nbgrader's own command takes no verdict that was given with less, and leaves the marks."""
    insisting.configure(REQUIRES_A)
    shelf, book = insisting.shelf(), insisting.book()

    said = insisting.run("autograde", SLUG, "--force", code=1)

    assert "level A is required, and this machine offers B; 'ol doctor'" in said
    assert (insisting.shelf(), insisting.book()) == (shelf, book)


@pytest.mark.skipif(Level.A not in available(), reason="level A does not work on this machine")
def test_verdicts_of_weaker_isolation_are_given_again(insisting, monkeypatch):
    """Where the level that is required works, what was graded with less is graded anew, once."""
    monkeypatch.setenv("PATH", PATH)
    required = ("--workers", "1", "--require-level", "A")

    assert "2 submissions, 2 to grade" in insisting.autograde(*required)
    assert levels(insisting) == {"A"}
    assert "2 submissions, 0 to grade" in insisting.autograde(*required)


def test_all_marks_are_entered_or_none(graded, chapter, tmp_path, monkeypatch):
    """Where entering fails half way, the gradebook is as it was."""
    with copied(graded[0], tmp_path) as course:
        batch = Batch.of(courses.here(chapter), chapter)
        (batch.shelf.folder / "entered.json").unlink()
        with Gradebook(batch.course.db_url) as book:
            book.remove_student("half")
            book.find_grade("check-double", SLUG, SLUG, "all of it").auto_score = 1
            book.db.commit()
        before, whole = course.book(), gradebook.write_grades

        def fail(written, student, *rest):
            whole(written, student, *rest)
            if student == "nothing":
                raise ZeroDivisionError

        monkeypatch.setattr(gradebook, "write_grades", fail)
        with pytest.raises(ZeroDivisionError):
            entering.enter(batch)

        assert course.book() == before


@pytest.mark.parametrize(("change", "said"), [
    (lambda folder: shutil.rmtree(folder / "submitted"), "nothing is handed in"),
    (lambda folder: (folder / "gradebook.db").unlink(), "nbgrader generate_assignment"),
    (lambda folder: (folder / "gradebook.db").write_text("x" * 4096), "cannot be used"),
], ids=["no submissions", "no gradebook", "a damaged gradebook"])
def test_what_cannot_begin_says_what_to_do(chapter, course, change, said):
    """A course that is not ready is told so before anything is graded, and nothing is made."""
    course.submit("ada", right(chapter), SLUG)
    change(course.folder)
    before = {*course.folder.rglob("*")}

    code, printed = ol("autograde", SLUG)

    assert (code, said in printed) == (2, True)
    assert {*course.folder.rglob("*")} == before


def test_equal_keys_mean_equal_verdicts(chapter, monkeypatch):
    """Another file, another reason, other hidden tests or another version: another key."""
    known = edition(chapter)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0")
    keys = [key(known, b"a"), key(known, b"b"), key(known, "a"), key(edition(chapter), b"a")]
    with chapter.hidden.open("a") as file:
        file.write("\n")
    keys.append(key(edition(chapter), b"a"))

    assert key(known, b"a") == keys[0]
    assert len({*keys}) == len(keys)


def test_a_process_keeps_to_the_grader_that_it_runs(chapter, monkeypatch):
    """The grader's files are looked at once, the chapter's each time: a worker that goes on with
    old code does not take itself for the new on disk, nor old tests for new ones."""
    read, whole = [], Path.read_bytes
    edition(chapter)
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or whole(path))
    edition(chapter)

    assert chapter.hidden in read
    assert [path for path in read if path.is_relative_to(REPOSITORY / "autograder")] == []


def test_golden_values_are_read_again_when_they_change(tmp_path, monkeypatch):
    """As hidden tests are: a worker of a cluster may outlive an edition of the chapter."""
    monkeypatch.setenv("OL_ROOT", str(toy.make_tested(tmp_path)))
    chapter = find(SLUG)
    build.write(chapter)
    chapter.hidden.write_text(WITH_GOLDEN)
    chapter.fixtures.mkdir(parents=True)
    outcomes = []
    for wanted in (42, 420):
        (chapter.fixtures / "golden.json").write_text(json.dumps(wanted))
        double = Live({"double": lambda number: 42})
        (ran,) = run_tests(chapter, load(chapter), double, seed="0" * 8)
        outcomes.append(ran.test.outcome)

    assert outcomes == [Outcome.PASSED, Outcome.FAILED]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}'])
def test_a_damaged_verdict_is_none(tmp_path, text):
    """What was cut short or edited is graded again, not trusted."""
    (tmp_path / "k.json").write_text(text)

    assert Shelf(tmp_path).final("k") is None


@pytest.fixture
def dask(course, chapter):
    """A scheduler and two workers, each a process: the address, and the workers."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("distributed is not installed; pip install distributed")
    file, started = course.folder / "scheduler.json", []

    def start(*arguments):
        environment = os.environ | {"OL_TEST_SECONDS": "0.5", "PYTHONWARNINGS": "ignore"}
        started.append(subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:],
             "--scheduler-file", str(file)],
            cwd=course.folder, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        wait_until(file.exists)
        for _ in range(2):
            start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_dask_worker_that_dies_loses_nothing(chapter, course, dask):
    """One of two workers is killed in the middle: every submission has one verdict, the right one,
    and its marks."""
    address, workers = dask
    for number in range(8):
        course.submit(f"s{number}", notebook(chapter, number, double=DOUBLE.format("42")), SLUG)
    process = course.ol("autograde", SLUG, "--scheduler", address)
    wait_until(lambda: len(course.shelf()) >= 1 or process.poll() is not None)
    workers[0].send_signal(signal.SIGKILL)
    printed = process.communicate(timeout=PATIENCE)[0]

    assert process.returncode == 0, printed
    assert "8 graded" in printed
    assert len(course.shelf()) == 8
    assert {row[0] for (_, cell), row in course.book().items() if cell == "check-double"} == {20}


@pytest.fixture
def weaker(monkeypatch, without_bubblewrap):
    """From here on programs are started without bubblewrap, so that level B is their strongest."""
    if available()[:2] != (Level.A, Level.B):
        pytest.skip("levels A and B do not both work on this machine")
    monkeypatch.setenv("PATH", without_bubblewrap)


def test_a_weaker_dask_worker_grades_nobody(chapter, course, weaker, dask):
    """Where the machine that asks offers the level that is required and a worker does not, none is
    graded with less or entered, and a line for each says why, and on which machine."""
    students = {"ada": right(chapter), "bob": notebook(chapter, 3)}
    for student, content in students.items():
        course.submit(student, content, SLUG)

    printed = course.autograde("--scheduler", dask[0], "--require-level", "A", code=3, PATH=PATH)

    why = f"on {platform.node()}: level A is required, and this machine offers B; 'ol doctor' says"
    assert [f"{student}: to be repeated: {why}" in printed for student in students] == [True, True]
    assert levels(course) == {""}
    assert course.book() == {}


def test_a_scheduler_that_is_not_there_is_told(chapter, course):
    """No answer is a message, not a class full of faults."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("distributed is not installed; pip install distributed")
    course.submit("ada", right(chapter), SLUG)

    code, printed = ol("autograde", SLUG, "--scheduler", "tcp://127.0.0.1:9")

    assert (code, "does not answer" in printed) == (2, True)
    assert course.shelf() == {}
