"""``ol demo``: a sample learner's notebook goes through the whole job, with the real commands.

Everything happens in a temporary folder. The sample lies in ``fixtures/demo/``; one of its
functions is wrong, and the demonstration mends it as the learner would.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.markup import escape

from autograder import files
from autograder.course import find, root
from autograder.terminal import console

__all__ = ["run"]

CHAPTER = "ch04"
CELL = "solve-randint64"
WRONG = "return (low << 32) | high"
RIGHT = "return (high << 32) | low"
FRESH_PYTHON = """\
from llmdata.rand import MT19937State, manual_seed, randint32
state = MT19937State()
manual_seed(state, 137)
print([randint32(state) for _ in range(5)])
"""


class _Stage:
    """Says what comes, shows the command, runs it, and minds its exit code."""

    def __init__(self, work: Path) -> None:
        self.console = console()
        self.as_expected = True
        self._environment = os.environ | {"OL_WORK": str(work), "PYTHONDONTWRITEBYTECODE": "1"}

    def say(self, text: str) -> None:
        self.console.print(f"\n[bold]{escape(text)}[/bold]")

    def show(self, shown: str, command: list[str], *, cwd: Path, code: int = 0) -> None:
        self.console.print(f"$ {escape(shown)}")
        sys.stdout.flush()
        done = subprocess.run(command, cwd=cwd, env=self._environment, check=False)
        if done.returncode != code:
            self.as_expected = False
            self.say(f"exit code {done.returncode} instead of {code}: please report this")

    def ol(self, arguments: str, *, cwd: Path, code: int = 0) -> None:
        self.show(
            f"ol {arguments}",
            [sys.executable, "-P", "-m", "autograder", *arguments.split()],
            cwd=cwd,
            code=code,
        )


def _mend(notebook: Path) -> None:
    """What the learner does in JupyterLab, done to the file."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    cell = next(cell for cell in content["cells"] if cell["id"] == CELL)
    cell["source"] = "".join(cell["source"]).replace(WRONG, RIGHT).splitlines(keepends=True)
    files.write(notebook, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def run() -> int:
    """Show the whole job; 0 when each step ended as it should."""
    chapter = find(CHAPTER)
    with tempfile.TemporaryDirectory(prefix="ol-demo-") as name:
        folder = Path(name).resolve()
        work = folder / "work"
        notebook = work / chapter.slug / f"{chapter.slug}.ipynb"
        stage = _Stage(work)
        stage.say(
            f"A learner has filled the cells of {chapter.slug}. Have the notebook graded:"
        )
        files.write(notebook, (root() / "fixtures" / "demo" / notebook.name).read_bytes())
        stage.ol(f"check {CHAPTER}", cwd=folder, code=1)
        stage.say("One slip, in randint64, and randfloat64 draws from it. What would help?")
        stage.ol("hint randint64", cwd=folder)
        stage.say("In the notebook the learner swaps the two halves:")
        stage.console.print(f"[red]- {escape(WRONG)}[/red]\n[green]+ {escape(RIGHT)}[/green]")
        _mend(notebook)
        stage.ol(f"check {CHAPTER}", cwd=folder)
        stage.say("All of it passes, so it can be exported as a package:")
        stage.ol("export", cwd=folder)
        stage.say("A fresh Python imports it. PyTorch, seeded with 137, draws the same five words:")
        stage.show(
            "python -c 'from llmdata.rand import ...'",
            [sys.executable, "-c", FRESH_PYTHON],
            cwd=work,
        )
        stage.say("Your turn: ./ol start ch01, then ./ol lab")
    return 0 if stage.as_expected else 1
