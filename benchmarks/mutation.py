"""Mutation testing, seconds a bug: ours against mutmut, cosmic-ray and pytest-gremlins.

All run the same tests, an excellent learner's, on the same module, each as it comes out of the box.
A peer makes mutants of its own, so only the time for one compares; it is given some of them, spread
over the module. What happens once (starting, collecting, coverage, runs on right code) is counted
for none of them; the last row has the whole command. Ours alone runs tests and code in sandboxes.

The peers are no dependencies of the course, and pytest-gremlins would load itself into every
session of pytest: ``OL_BENCH_PYTHON`` names an interpreter that has them (else it is this one).
What it lacks is left out.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from measure import Row, seconds_of

from autograder.contract import reference_module
from autograder.course import find
from autograder.mutate import Judging
from autograder.owntests import OwnTests, reference_tests
from autograder.trials import Trials

CHAPTER = "ch04"
PYTHON = Path(os.environ.get("OL_BENCH_PYTHON", sys.executable)).absolute()
FASTER = 10
BUGS, LIMIT_SECONDS = 15, 3.0  # the whole command
MUTMUT_NAMES = "llmdata.rand.x_*__mutmut_*5"  # every tenth of some 330
COSMIC_RAY_STEP = 89  # of some 1,070
GREMLINS_OPERATOR = "comparison"  # seven mutants; it has no way to ask for some of each kind
PATIENCE = 180  # seconds
FEWER = f"""
from autograder import mutate
every = mutate.mutants
mutate.mutants = lambda chapter: every(chapter)[:: len(every(chapter)) // {BUGS}][:{BUGS}]
from autograder.cli import main
main()
"""
SETUP = """\
[tool:pytest]
pythonpath = .
[mutmut]
source_paths = llmdata
only_mutate = llmdata/rand.py
pytest_add_cli_args_test_selection = tests
use_git_change_detection = false
"""


def tests() -> OwnTests:
    """The course's own."""
    return reference_tests(find(CHAPTER))


def ours() -> tuple[float, int]:
    """Seconds for the planted bugs, right code among them included, and how many there are."""
    chapter = find(CHAPTER)
    with Trials(chapter, tests(), None) as trials:
        judging = Judging(chapter, tests(), trials)
        judging.right_code(())
        start = time.perf_counter()
        tried = len(judging.bugs())
        return time.perf_counter() - start, tried


def whole() -> float:
    """Seconds of ``ol mutate`` as a learner runs it, on ``BUGS`` bugs, nothing remembered.

    The bugs are cut down in the process that runs, not in the chapter's file.
    """
    with tempfile.TemporaryDirectory() as name:
        notebook = json.loads(find(CHAPTER).solution.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["id"] == "tests-own_tests":
                cell["source"] = tests().text
        path = Path(name, f"{find(CHAPTER).slug}.ipynb")
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return seconds_of(lambda: subprocess.run(
            [sys.executable, "-c", FEWER, "mutate", str(path)],
            check=True, capture_output=True, env=os.environ | {"OL_WORK": name},
        ))


@contextmanager
def project() -> Iterator[Path]:
    """A folder with the reference as one plain file, and the tests, as a learner would keep them.

    Raises:
        subprocess.CalledProcessError: the tests do not pass there.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for below in ("llmdata", "tests"):
            (folder / below).mkdir()
        cells = [cell.source for cell in reference_module(find(CHAPTER)).cells]
        (folder / "llmdata" / "__init__.py").touch()
        (folder / "llmdata" / "rand.py").write_text("\n\n\n".join(cells), encoding="utf-8")
        (folder / "setup.cfg").write_text(SETUP, encoding="utf-8")
        (folder / "tests" / "test_rand.py").write_text(tests().text, encoding="utf-8")
        run(folder, "python", "-m", "pytest", "-q", "tests")
        yield folder


def program(name: str) -> str:
    return str(PYTHON if name == "python" else PYTHON.parent / name)


def run(folder: Path, name: str, *arguments: str) -> str:
    done = subprocess.run(
        [program(name), *arguments],
        cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    return done.stdout


def mutmut(folder: Path) -> tuple[float, int]:
    """On all cores; the rate is what it says itself, of the mutants alone."""
    said = run(folder, "mutmut", "run", MUTMUT_NAMES)
    tried = int(re.findall(r"(\d+)/\d+ ", said)[-1])
    return tried / float(re.findall(r"([\d.]+) mutations/second", said)[0]), tried


def cosmic_ray(folder: Path) -> tuple[float, int]:
    """One mutant after another; each is written to the file and tested in a new process."""
    (folder / "cosmic-ray.toml").write_text(
        "[cosmic-ray]\nmodule-path = 'llmdata/rand.py'\ntimeout = 10.0\nexcluded-modules = []\n"
        f"test-command = '''{shlex.quote(program('python'))} -m pytest -x -q tests'''\n"
        "[cosmic-ray.distributor]\nname = 'local'\n",
        encoding="utf-8",
    )
    run(folder, "cosmic-ray", "init", "cosmic-ray.toml", "session.sqlite")
    with closing(sqlite3.connect(folder / "session.sqlite")) as session:
        session.execute("DELETE FROM work_items WHERE rowid % ?", [COSMIC_RAY_STEP])
        session.execute(
            "DELETE FROM mutation_specs WHERE job_id NOT IN (SELECT job_id FROM work_items)"
        )
        session.commit()
        tried = session.execute("SELECT count(*) FROM work_items").fetchone()[0]
    seconds = seconds_of(
        lambda: run(folder, "cosmic-ray", "exec", "cosmic-ray.toml", "session.sqlite")
    )
    return seconds, tried


def gremlins(folder: Path) -> tuple[float, int]:
    """One mutant after another, from the line that announces the first to the end."""
    arguments = [
        "-m", "pytest", "-q", "tests", "--gremlins", "--gremlin-targets=llmdata/rand.py",
        f"--gremlin-operators={GREMLINS_OPERATOR}", "--gremlin-report=json",
    ]  # fmt: skip
    first = 0.0
    with subprocess.Popen(
        [program("python"), *arguments],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        for line in process.stdout or ():
            if "Gremlin 1/" in line:
                first = time.perf_counter()
    seconds = time.perf_counter() - first
    report = json.loads((folder / "coverage/gremlins/gremlins.json").read_text(encoding="utf-8"))
    return seconds, report["summary"]["total"]


PEERS: Mapping[str, Callable[[Path], tuple[float, int]]] = {
    "cosmic-ray": cosmic_ray,
    "mutmut": mutmut,
    "pytest-gremlins": gremlins,
}


def version(package: str) -> str:
    """The installed version of a peer; empty, with a word on it, where there is none."""
    asked = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([PYTHON, "-c", asked], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"mutation: {package} is left out: {PYTHON} does not have it; see OL_BENCH_PYTHON")
    return done.stdout.strip()


def peers() -> dict[str, float]:
    """Seconds a mutant of each peer that is there."""
    found = {}
    for package, action in PEERS.items():
        if installed := version(package):
            with project() as folder:
                seconds, tried = action(folder)
            found[f"{package} {installed}"] = seconds / tried
    return found


def rows() -> list[Row]:
    compared = peers()
    seconds, tried = ours()
    mine = seconds / tried
    command = whole()
    return [
        *(
            Row(
                f"a planted bug of {CHAPTER}, 10 tests / a mutant of {name}",
                mine, peer, f"at most 1/{FASTER}", mine * FASTER <= peer,
            )
            for name, peer in compared.items()
        ),
        Row(
            f"ol mutate {CHAPTER}, 10 tests, {BUGS} bugs / its limit",
            command, LIMIT_SECONDS, f"{LIMIT_SECONDS:.0f} s", command < LIMIT_SECONDS,
        ),
    ]  # fmt: skip
