"""The command line as people type it: what it prints, and its exit codes."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.course import find, work_dir

SCHEMA = Path(__file__).parent.parent / "docs" / "formats" / "verdict.schema.json"
RIGHT_LAST_WORD = "words[j] = words[(j + M) % N] ^ (y >> 1) ^ matrix_a[y & 1]"


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    return find("ch04")


def ol(*arguments):
    """Run ``ol`` in this process; its exit code and all that it printed."""
    result = CliRunner().invoke(cli.ol, list(arguments), prog_name="ol")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def hand_in(chapter, replace=lambda source: source):
    """The learner's notebook, with each solution cell passed through ``replace``."""
    notebook = json.loads(chapter.solution.read_text())
    for cell in notebook["cells"]:
        if cell["id"].startswith("solve-"):
            cell["source"] = replace("".join(cell["source"]))
    chapter.work.parent.mkdir(parents=True, exist_ok=True)
    chapter.work.write_text(json.dumps(notebook))


def test_a_learners_way(chapter):
    """Start, fill, check, status, diff, export: each step tells, and the package works."""
    assert ol("start", "ch04")[0] == 0
    assert ol("check", "A0.1")[0] == 1
    hand_in(chapter)
    code, said = ol("check", "ch04")
    assert (code, "100 of 100 points, passed" in said) == (0, True)
    assert "100 of 100" in ol("status")[1]
    assert ol("diff", "ch04") == (0, "your code is the reference, line for line\n")
    assert ol("export")[0] == 0

    code = (
        "from llmdata.rand import *; s = MT19937State(); manual_seed(s, 137); print(randint32(s))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=chapter.work.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "4053805790\n"


def test_wrong_twist_is_explained(chapter):
    """A twist whose last word is wrong ends with 1, the rule, and what was wanted and got."""
    hand_in(
        chapter,
        lambda source: source.replace(
            "state.state[:] = words\n", "state.state[:-1] = words[:-1]\n"
        ),
    )

    code, said = ol("check", "ch04")

    assert code == 1
    assert "next_state" in said
    for part in ("Rule", "Wanted", "Got", "Next step"):
        assert part in said, part


def test_json_is_the_verdict_and_nothing_else(chapter):
    """--json prints one JSON document, with the same exit code."""
    hand_in(chapter, lambda source: source.replace("high << 32", "high << 31"))
    code, said = ol("check", "ch04", "--json")

    verdict = json.loads(said)
    jsonschema.validate(verdict, json.loads(SCHEMA.read_text()))
    assert (code, verdict["passed"]) == (1, False)
    assert {
        function["name"]
        for function in verdict["functions"]
        if function["earned"] < function["points"]
    } == {"randint64", "randfloat64"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "ch77"), "no chapter 'ch77'"),
        (("check", "ch04"), "'ol start ch04' makes it"),
        (("check", "nowhere.ipynb"), "does not say which chapter"),
        (("reset", "ch04"), "'ol start ch04' makes it"),
        (("diff", "ch04"), "'ol start ch04' makes it"),
        (("hint", "randint33"), "no chapter asks for a function 'randint33'"),
        (("hint", "own_tests"), "'ol mutate' with the chapter"),
        (("new", "Nonsense"), "is not a slug"),
        (("new", "ch04_other"), "is taken by ch04_mt19937"),
        (("frobnicate",), "No such command"),
        (("check",), "Missing argument"),
        (("check", "--require-level", "Z", "ch04"), "is not one of"),
    ],
)
def test_what_cannot_run_says_why_and_ends_with_2(chapter, arguments, said):
    """Bad input: a message, exit code 2, no traceback."""
    code, printed = ol(*arguments)

    assert code == 2
    assert said in printed
    assert "Traceback" not in printed


def test_a_fault_of_the_grader_ends_with_3(chapter, monkeypatch):
    """Our own failure is told apart from the learner's, and --debug shows its traceback."""

    def broken(*_, **__):
        raise RuntimeError("the suite cannot be collected")

    hand_in(chapter)
    monkeypatch.setattr("autograder.visible.grade_notebook", broken)

    code, printed = ol("check", "ch04")
    assert (code, "Your work was not judged" in printed) == (3, True)
    with pytest.raises(RuntimeError):
        ol("--debug", "check", "ch04")


def test_weaker_isolation_is_refused(chapter, monkeypatch):
    """--require-level A on a machine that offers only C grades nothing."""
    from autograder import required
    from autograder.sandbox import Level

    hand_in(chapter)
    monkeypatch.setattr(required, "strongest", lambda: Level.C)

    assert ol("check", "--require-level", "A", "ch04")[0] == 2


def test_nothing_passes_nothing_is_exported(chapter):
    """Export of an unfinished chapter names what is missing and writes no package."""
    ol("start", "ch04")
    code, said = ol("export")

    assert code == 1
    assert "manual_seed" in said
    assert "not started: ch01, ch02, ch03, ch05, " in said
    assert not (chapter.work.parent.parent / "llmdata").exists()


def test_module_that_would_not_import_is_not_exported(chapter):
    """Grading forgives a line that raises after the definitions; a package could not."""
    hand_in(chapter, lambda source: f"{source}\n1 / 0\n" if "def randint64" in source else source)

    assert ol("check", "ch04")[0] == 0
    code, said = ol("export")
    assert code == 1
    assert "ZeroDivisionError" in said


def test_diff_waits_until_all_passes(chapter):
    """The reference is not shown to somebody who is still at it."""
    ol("start", "ch04")
    code, said = ol("diff", "ch04")

    assert code == 1
    assert RIGHT_LAST_WORD not in said


def test_hints_come_one_at_a_time(chapter):
    """Three steps, each another text; a fourth is refused."""
    told = {ol("hint", "randint32", "--step", str(step))[1] for step in (1, 2, 3)}

    assert len(told) == 3
    assert ol("hint", "randint32", "--step", "4")[0] == 2


def test_catalogue_lists_every_hidden_test(chapter):
    """``ol tests`` names each test with its rule."""
    from autograder.catalogue import catalogue

    said = " ".join(ol("tests", "ch04")[1].split())

    for test in catalogue(chapter):
        assert test.name[:15] in said


@contextmanager
def running(*arguments, **environment):
    """``ol`` in a process of its own, ended after five minutes at the latest."""
    command = [sys.executable, "-P", "-u", "-m", "autograder", *arguments]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment,
    ) as process:
        bound = threading.Timer(300, process.kill)
        bound.start()
        try:
            yield process
        finally:
            bound.cancel()
            process.terminate()
            process.communicate(timeout=60)


def read_until(process, text):
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    raise AssertionError(f"{text!r} never came; there was: {seen}")


def interrupted(process):
    """What is printed after Ctrl-C, pressed again each second until the process ends."""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=1)[0]
        except subprocess.TimeoutExpired:
            pass
    raise AssertionError("Ctrl-C does not end it")


def test_watch_checks_on_each_save(chapter):
    """A save sets off another check; an interrupt ends the watch with no traceback."""
    hand_in(chapter, lambda source: source.replace("high << 32", "high << 31"))
    with running("watch", "ch04") as process:
        seen = read_until(process, "not passed yet")
        hand_in(chapter)
        seen += read_until(process, "100 of 100 points, passed")
        seen += interrupted(process)

    assert "Traceback" not in seen


def answered(url):
    """The JSON behind a URL, which a server that is starting may refuse for a while."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.URLError:
            time.sleep(0.3)
    raise AssertionError(f"{url} was never answered")


def test_lab_prints_its_url_and_serves_the_learners_folder(chapter):
    """Without a display JupyterLab starts all the same, on work/, and says where."""
    ol("start", "ch04")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running("lab", f"--ServerApp.port={port}", DISPLAY="") as process:
        seen = read_until(process, f"http://127.0.0.1:{port}/lab/tree/start.ipynb?token=")
        token = re.search(r"token=(\w+)", seen)[1]
        listing = f"http://127.0.0.1:{port}/api/contents/{chapter.slug}?token={token}"
        names = [entry["name"] for entry in answered(listing)["content"]]

    assert names == [f"{chapter.slug}.ipynb"]


@pytest.mark.parametrize(("given", "opens"), [
    ([], ["--LabApp.default_url=/lab/tree/start.ipynb"]),
    (["--LabApp.default_url=/tree"], ["--LabApp.default_url=/tree"]),
    (["--LabApp.default_url", "/tree"], ["--LabApp.default_url", "/tree"]),
])
def test_lab_opens_the_course_page_unless_told_otherwise(chapter, monkeypatch, given, opens):
    """The page is made, and named to JupyterLab once; what the learner asks for comes first."""
    started = []
    monkeypatch.setattr(os, "execv", lambda _, command: started.extend(command))
    ol("lab", *given)

    assert (work_dir() / "start.ipynb").is_file()
    assert [each for each in started if "default_url" in each or each == "/tree"] == opens


def test_new_chapter_is_whole_from_the_start(tmp_path, monkeypatch):
    """What ``ol new`` lays out builds, passes, and can be handed in empty for no points."""
    from shutil import copytree, ignore_patterns

    root = tmp_path / "course"
    here = Path(__file__).parent.parent
    for name in ("solutions", "notebooks", "fixtures", "autograder", "docs"):
        copytree(here / name, root / name, ignore=ignore_patterns("__pycache__"))
    monkeypatch.setenv("OL_ROOT", str(root))
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))

    assert ol("new", "ch13_quantize")[0] == 0
    assert ol("new", "ch13_quantize")[0] == 2
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    }
    steps = [
        ("build", "ch13", 0),
        ("check", "--solutions", "ch13", 0),
        ("audit", "ch13", 0),
        ("start", "ch13", 0),
        ("check", "ch13", 1),
        ("build", "--check", 0),
    ]
    for *words, wanted in steps:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "autograder", *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == wanted, (words, done.stdout, done.stderr)


NAIVE = """
from llmdata import rand

def test_length():
    assert len(rand.randint32_array(None, 3)) == 3

def test_limit():
    assert rand.N == 624
"""


def with_tests(chapter, source):
    """The released notebook with a cell of tests, as the learner's."""
    notebook = json.loads(chapter.release.read_text())
    cell = {"cell_type": "code", "id": "own", "metadata": {}, "outputs": [],
            "execution_count": None, "source": source}
    notebook["cells"].append(cell)
    chapter.work.parent.mkdir(parents=True, exist_ok=True)
    chapter.work.write_text(json.dumps(notebook))


def test_what_ones_tests_notice(chapter):
    """A row for each bug, the state in a sentence, and exit code 1 until they pass."""
    with_tests(chapter, NAIVE)
    code, said = ol("mutate", "ch04")
    assert code == 1
    assert "ch04_mt19937: your tests notice 0 of 62 planted bugs; not enough" in said
    assert "(you would see: " in said
    assert "Your code: test_length passes on right code and fails on yours" in said
    assert "left below" not in said


def test_what_ones_tests_notice_as_json(chapter):
    """One document; what lives has a symptom at most, and no name."""
    with_tests(chapter, NAIVE)
    code, said = ol("mutate", "ch04", "--json")
    found = json.loads(said)
    assert (code, found["passed"], found["killed"], found["bugs"]) == (1, False, 0, 62)
    assert found["tests"] == ["test_length", "test_limit"]
    assert {(bug["name"], bug["why"]) for bug in found["table"]} == {("", "")}


def test_tests_are_red_before_there_is_code(chapter):
    """One that passes on the stub is named; without tests there is nothing to say."""
    with_tests(chapter, NAIVE)
    code, said = ol("tdd", "red", "ch04")
    assert code == 1
    assert "test_limit passes though nothing is written, so it tests nothing of yours" in said
    assert "ch04_mt19937: 1 of 2 tests fail while nothing is written" in said
    with_tests(chapter, NAIVE.partition("def test_limit")[0])
    assert ol("tdd", "red", "ch04") == (
        0, "ch04_mt19937: 1 of 1 tests fail while nothing is written\n")
    with_tests(chapter, "x = 1")
    assert ol("tdd", "red", "ch04") == (1, "ch04_mt19937: no tests written yet\n")


@pytest.mark.parametrize("command", [("mutate",), ("tdd", "red")])
def test_nothing_to_judge(chapter, command):
    """Without a notebook there is no traceback, but what to do."""
    code, said = ol(*command, "ch04")
    assert code == 2
    assert "ol start ch04" in said
