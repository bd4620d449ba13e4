"""Mutation testing, seconds a bug: ours against mutmut, cosmic-ray and pytest-gremlins.

All run the same tests, an excellent learner's, on the same module, each as it comes out of the box.
A peer makes mutants of its own, so only the time for one compares; it is given some of them, spread
over the module, and its start (collecting, coverage, a clean run) is not counted. Ours is.

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
from autograder.course import find, root

CHAPTER = "ch04"
PYTHON = Path(os.environ.get("OL_BENCH_PYTHON", sys.executable)).absolute()
FASTER = 10
BUGS, LIMIT_SECONDS = 15, 3.0  # the whole command
MUTMUT_NAMES = "llmdata.rand.x_*__mutmut_*5"  # every tenth of some 330
COSMIC_RAY_STEP = 89  # of some 1,070
GREMLINS_OPERATOR = "comparison"  # seven mutants; it has no way to ask for some of each kind
PATIENCE = 180  # seconds
SETUP = """\
[tool:pytest]
pythonpath = .
[mutmut]
source_paths = llmdata
only_mutate = llmdata/rand.py
pytest_add_cli_args_test_selection = tests
use_git_change_detection = false
"""


def tests() -> Path:
    return root() / "tests" / "owntests" / find(CHAPTER).slug / "good.py"


def ours(bugs: int | None = None) -> tuple[float, int]:
    """Seconds of ``ol mutate ch04`` with ten tests, its start included, and how many bugs it tried.

    ``bugs`` says how many to take; all, where it is None.
    """
    from autograder.mutate import timed

    return timed(find(CHAPTER), tests(), bugs)


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
        (folder / "tests" / "test_rand.py").write_bytes(tests().read_bytes())
        run(folder, "python", "-m", "pytest", "-q", "tests")
        yield folder


def command(name: str) -> str:
    return str(PYTHON if name == "python" else PYTHON.parent / name)


def run(folder: Path, name: str, *arguments: str) -> str:
    done = subprocess.run(
        [command(name), *arguments],
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
        f"test-command = '''{shlex.quote(command('python'))} -m pytest -x -q tests'''\n"
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
        [command("python"), *arguments],
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
    whole, _ = ours(BUGS)
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
            whole, LIMIT_SECONDS, f"{LIMIT_SECONDS:.0f} s", whole < LIMIT_SECONDS,
        ),
    ]  # fmt: skip
