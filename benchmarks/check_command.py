"""``ol check`` of a finished chapter against stock ``nbgrader autograde`` of the same notebook.

Both are whole processes and run the same hidden tests: ours in the sandbox, nbgrader's in a kernel.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from measure import Row, alternate, cpu_of, median

from autograder.course import find, root

ROUNDS = 5
CHAPTER = "ch04"


def _course(folder: Path) -> None:
    """A stock nbgrader course with one submission: the solution."""
    chapter = find(CHAPTER)
    for parent in ("source", "submitted/ada"):
        place = folder / parent / chapter.slug
        place.mkdir(parents=True)
        (place / chapter.solution.name).write_bytes(chapter.solution.read_bytes())
    cpu_of(["nbgrader", "generate_assignment", chapter.slug], cwd=folder, env=_environment())


def _environment() -> dict[str, str]:
    own = str(Path(sys.executable).parent)
    return os.environ | {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "OL_ROOT": str(root())}


def rows() -> list[Row]:
    chapter = find(CHAPTER)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _course(folder)
        ours, stock = alternate(
            lambda: cpu_of(
                [sys.executable, "-P", "-m", "autograder", "check", str(chapter.solution)]
            ),
            lambda: cpu_of(
                ["nbgrader", "autograde", chapter.slug, "--force"], cwd=folder, env=_environment()
            ),
            ROUNDS,
        )
    found = []
    for kind, position in (("wall", 0), ("CPU", 1)):
        mine, peer = (
            median([each[position] for each in ours]),
            median([each[position] for each in stock]),
        )
        found.append(
            Row(
                f"ol check {CHAPTER} / stock nbgrader autograde, {kind}",
                mine,
                peer,
                "at most 1/3",
                mine * 3 <= peer,
            )
        )
    return found
