"""A class of chapter 4: ``ol autograde`` beside stock ``nbgrader autograde`` and Otter-Grader.

Half of the class is right, and of the rest some loop, some are broken, some have begun. Nobody
wrote tests of their own, so that all run the same hidden tests: ours in sandboxes, the peers in the
learner's kernel. Otter-Grader ends a loop only where Docker runs each submission, so its class has
right ones in the place of those that loop. Each command is timed whole, once. Memory is the largest
process of a command's.

``OL_BENCH_CLASS`` is the number of submissions (200), and ``OL_BENCH_PEERS`` that of the peers,
where it should be another: a looping submission costs nbgrader minutes, and what they need for one
does not depend on how many there are. ``OL_BENCH_PYTHON`` names an interpreter that has
Otter-Grader besides the course's packages (else it is this one). What it lacks is left out.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from measure import Row, seconds_of

from autograder.contract import load, reference_cells
from autograder.course import find, root

CHAPTER = "ch04"
CLASS = int(os.environ.get("OL_BENCH_CLASS", "200"))
PEERS = int(os.environ.get("OL_BENCH_PEERS", str(CLASS)))
FEW = max(CLASS // 10, 5)  # the class that memory is compared with
PYTHON = Path(os.environ.get("OL_BENCH_PYTHON", sys.executable)).absolute()
FASTER, SCALES, FLAT = 3, 1.7, 1.2
LOOP = "def randint64(state):\n    while True:\n        pass"
SYNTAX = "def randint64(state)\n    return 0"
# Runs a command and says how much memory its largest process had, in kilobytes.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
OTTER_TEST = """\
OK_FORMAT = True
test = {{"name": "{name}", "points": {points}, "suites": [{{"type": "doctest", "scored": True,
    "cases": [{{"code": ">>> from autograder.nbgrader_plugin import score\\n"
        ">>> import contextlib, io\\n>>> with contextlib.redirect_stdout(io.StringIO()):\\n"
        "...     earned = score('{name}')\\n>>> earned == {points}\\nTrue",
        "hidden": True, "locked": False}}]}}]}}
"""
OTTER = """
import glob, sys
from otter.api import grade_submission
for path in sorted(glob.glob("submitted/*/*/*.ipynb")):
    try:
        grade_submission(path, "autograder.zip", quiet=True)
    except Exception as error:
        print(path, type(error).__name__, file=sys.stderr)
"""


def _notebook(number: int, sources: Mapping[str, str]) -> str:
    """The release with these functions written; no two are alike."""
    notebook: dict[str, Any] = json.loads(find(CHAPTER).release.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = sources.get(cell["id"].removeprefix("solve-"), cell["source"])
    notebook["metadata"]["number"] = number
    return json.dumps(notebook)


def _submission(number: int, loops: bool) -> str:
    """Of ten, five are right, and one each: loops (or not), has a syntax error, is cut short, has
    written three functions, is empty."""
    right = reference_cells(load(find(CHAPTER)))
    changed: Mapping[int, Mapping[str, str]] = {
        5: right | {"randint64": LOOP} if loops else right, 6: right | {"randint64": SYNTAX},
        8: dict(itertools.islice(right.items(), 3)), 9: {},
    }
    text = _notebook(number, changed.get(number % 10, right))
    return text[: len(text) // 2] if number % 10 == 7 else text


def _environment() -> dict[str, str]:
    own = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": own, "OL_ROOT": str(root()), "PYTHONWARNINGS": "ignore"}


def _course(folder: Path, size: int, *, ours: bool, loops: bool = True) -> Path:
    """A course of nbgrader's with ``size`` submissions, with or without our configuration."""
    chapter = find(CHAPTER)
    folder.mkdir()
    if ours:
        shutil.copy(root() / "nbgrader_config.py", folder)
    source = folder / ("solutions" if ours else "source") / chapter.slug
    source.mkdir(parents=True)
    shutil.copy(chapter.solution, source)
    for number in range(size):
        path = folder / "submitted" / f"s{number:04}" / chapter.slug / f"{chapter.slug}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(_submission(number, loops), encoding="utf-8")
    _run(folder, ["nbgrader", "generate_assignment", chapter.slug])
    return folder


def _run(folder: Path, command: Sequence[str], *, check: bool = True) -> str:
    """What a command prints; in a session of its own, since Otter ends all that are in its own."""
    done = subprocess.run(command, cwd=folder, env=_environment(), check=check, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    return done.stdout


def _autograde(workers: int) -> list[str]:
    return [sys.executable, "-P", "-m", "autograder", "autograde", CHAPTER,
            "--workers", str(workers)]


def _ours(parent: Path, size: int, workers: int) -> tuple[float, float]:
    """Seconds a submission, and the largest process in MB."""
    folder = _course(parent / f"ours-{size}-{workers}", size, ours=True)
    said: list[str] = []
    command = [sys.executable, "-c", PEAK, *_autograde(workers)]
    seconds = seconds_of(lambda: said.append(_run(folder, command)))
    return seconds / size, int(said[0]) / 1e3


def _stock(parent: Path) -> float:
    folder = _course(parent / "stock", PEERS, ours=False)
    command = ["nbgrader", "autograde", find(CHAPTER).slug]
    return seconds_of(lambda: _run(folder, command, check=False)) / PEERS  # it fails on some


def _otter(parent: Path) -> float:
    """Otter on the same notebooks, a test for each function; all in one process."""
    folder = _course(parent / "otter", PEERS, ours=False, loops=False)
    (folder / "tests").mkdir()
    for part in load(find(CHAPTER)).parts:
        text = OTTER_TEST.format(name=part.name, points=part.points)
        (folder / "tests" / f"{part.name}.py").write_text(text, encoding="utf-8")
    _run(folder, [str(PYTHON), "-m", "otter", "generate", "-t", "tests", "--no-environment"])
    return seconds_of(lambda: _run(folder, [str(PYTHON), "-c", OTTER])) / PEERS


def _peers() -> dict[str, Callable[[Path], float]]:
    asked = "from importlib.metadata import version; print(version('otter-grader'))"
    done = subprocess.run([PYTHON, "-c", asked], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"classroom: Otter-Grader is left out: {PYTHON} does not have it; OL_BENCH_PYTHON")
        return {"stock nbgrader autograde": _stock}
    return {"stock nbgrader autograde": _stock, f"otter-grader {done.stdout.strip()}": _otter}


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        parent = Path(name)
        one, many = _ours(parent, CLASS, 1)
        two, _ = _ours(parent, CLASS, 2)
        _, few = _ours(parent, FEW, 1)
        found = [
            Row(f"a submission of {CLASS}, one worker / {peer}", one, seconds,
                f"at most 1/{FASTER}", one * FASTER <= seconds)
            for peer, seconds in ((peer, action(parent)) for peer, action in _peers().items())
        ]
        found.append(Row(f"a submission of {CLASS}, two workers / one", two, one,
                         f"at most 1/{SCALES}", two * SCALES <= one))
    return [*found, Row(f"memory, a class of {CLASS} / of {FEW}", many, few,
                        f"at most {FLAT}", many <= FLAT * few, "MB")]
