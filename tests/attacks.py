"""The attacks in tests/hostile as data, and the table of them in the document.

``python -m tests.attacks`` writes the table and prints how much there is. Nothing here runs an
attack: that is ``attacked``'s.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from autograder import files
from autograder.sandbox import Level

REPOSITORY = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "hostile"
DOCUMENT = REPOSITORY / "docs" / "how-grading-is-kept-honest.md"
BEGIN, END = "<!-- made by python -m tests.attacks -->\n", "<!-- end -->\n"

LEVELS = tuple(Level)
ROOT, THROWAWAY, ORDINARY = USERS = (
    "root", "root with a throw-away user", "an ordinary user")

FAMILIES = (
    "exits and crashes",
    "patched Python and packages",
    "lying objects",
    "frames, memory and /proc",
    "reading what is not its own",
    "forbidden imports",
    "planted files and variables",
    "forged results",
    "signals and other processes",
    "escapes",
    "bombs",
    "loops and daemons",
    "network and sockets",
    "clocks",
    "detecting the grader",
    "injection",
)


@dataclass(frozen=True)
class Attack:
    """One file: its docstring and constants, read without running it."""

    name: str
    source: str
    says: str
    constants: dict[str, object] = field(hash=False)

    @property
    def family(self) -> str:
        return self.says.rpartition("\n\nFamily: ")[2].removesuffix(".")

    @property
    def levels(self) -> tuple[str, ...]:
        """Where it is stopped."""
        ends = self.constants["ENDS"]
        assert isinstance(ends, dict)
        return tuple(ends)

    @property
    def do(self) -> str:
        """What a test does with the value."""
        return str(self.constants.get("DO", ""))

    def ends(self, level: str) -> list[str]:
        """The ways in which it may end at ``level``; none where it is not stopped."""
        ends = self.constants["ENDS"]
        assert isinstance(ends, dict)
        return str(ends[level]).split(" or ") if level in ends else []


@functools.cache
def find(name: str) -> Attack:
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    constants = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("ENDS", "DO")
    }
    return Attack(name, source, ast.get_docstring(tree) or "", constants)


NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


def table() -> str:
    """A row for each family: how many attacks, at which level they are stopped, and which not."""
    families: dict[str, list[Attack]] = defaultdict(list)
    for attack in map(find, NAMES):
        families[attack.family].append(attack)
    return "\n".join(["| family | attacks | A | B | C | C does not stop |",
                      "|---|---|---|---|---|---|",
                      *(_row(name, families[name]) for name in FAMILIES),
                      _row("all", list(map(find, NAMES)), named=False)]) + "\n"


def _row(family: str, attacks: list[Attack], *, named: bool = True) -> str:
    stopped = [str(sum(level in each.levels for each in attacks)) for level in "ABC"]
    open_at_c = [each.name.replace("_", " ") for each in attacks if "C" not in each.levels]
    last = ", ".join(open_at_c) if named else str(len(open_at_c))
    return "| " + " | ".join([family, str(len(attacks)), *stopped, last]) + " |"


def document(text: str) -> str:
    """``text`` with the table between its two marks made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


def counts() -> str:
    """What the grader is tried with, in one line."""
    cases = len(list(Path(__file__).parent.glob("submissions/*/expected.json")))
    own = len(list(FOLDER.glob("own_tests/*.py")))
    levels, users = ", ".join(LEVELS), ", ".join(USERS)
    return (f"{cases} cases; {len(NAMES)} attacks and {own} of tests that learners write; "
            f"{len(LEVELS)} levels ({levels}); {len(USERS)} users ({users})")


if __name__ == "__main__":
    files.write(DOCUMENT, document(DOCUMENT.read_text(encoding="utf-8")))
    print(counts())
