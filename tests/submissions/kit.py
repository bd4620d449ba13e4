"""Parts of the golden submissions: how a case is declared, and notebooks to start from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SLUG = "ch04_mt19937"
POINTS = {
    "manual_seed": 8, "next_state": 12, "randint32": 16, "randint64": 8, "randfloat32": 12,
    "randfloat64": 8, "randint32_array": 16,
}
DRAWING = ("randint32", "randint64", "randfloat32", "randfloat64")  # the last three call the first

Notebook = dict[str, Any]
Cell = dict[str, Any]
CASES: dict[str, tuple[Callable[[], Notebook | bytes], dict[str, Any]]] = {}


def case(
    *, failed: dict[str, str] | None = None, earned: int | None = None,
    mentions: tuple[str, ...] = (), status: str = "graded", file: str = "notebook.ipynb",
    limits: dict[str, float] | None = None, own_tests: tuple[str, int] | None = None,
) -> Callable[[Callable[[], Notebook | bytes]], Callable[[], Notebook | bytes]]:
    """Declare a case: the reason why each failing function fails; all others pass.

    ``earned`` is what the functions that pass are worth, unless a failing one passes some tests.
    ``own_tests`` is how a learner's tests fare, where the case has some, and their points.
    """
    failed = failed or {}
    whole = sum(points for name, points in POINTS.items() if name not in failed)
    nothing = "missing" if status == "unreadable" else "not written yet"
    fate, points = own_tests or (nothing, 0)
    expected = {
        "file": file, "status": status, "earned": points + (whole if earned is None else earned),
        "functions": {name: failed.get(name, "passed") for name in POINTS} | {"own_tests": fate},
        "mentions": list(mentions), "limits": limits or {},
    }

    def declare(make: Callable[[], Notebook | bytes]) -> Callable[[], Notebook | bytes]:
        rule = " ".join((make.__doc__ or "").split())
        CASES[make.__name__.replace("_", "-")] = make, {"rule": rule, **expected}
        return make
    return declare


def all_of(reason: str) -> dict[str, str]:
    return dict.fromkeys(POINTS, reason)


def text_of(notebook: Notebook) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def built(folder: str) -> Notebook:
    """A built notebook without its prose, so that editing the prose changes no case."""
    notebook: Notebook = json.loads((ROOT / folder / SLUG / f"{SLUG}.ipynb").read_text("utf-8"))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return notebook


def answered(*names: str) -> Notebook:
    """The release without its demos, with the reference's answers for the functions named (all of
    them unless any is)."""
    notebook, solution = built("notebooks"), built("solutions")
    answers = {f"solve-{name}": cell_of(solution, name)["source"] for name in names or POINTS}
    kept = ("example-", "check-", "given-", "solve-")
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"].startswith(kept)]
    for cell in notebook["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    return notebook


def cell_of(notebook: Notebook, name: str, kind: str = "solve") -> Cell:
    return next(cell for cell in notebook["cells"] if cell["id"] == f"{kind}-{name}")


def place_of(notebook: Notebook, name: str) -> int:
    return int(notebook["cells"].index(cell_of(notebook, name)))


def label(name: str, kind: str = "solve") -> str:
    """What messages call a cell of an answered notebook."""
    notebook = answered()
    return f"cell {notebook['cells'].index(cell_of(notebook, name, kind)) + 1} ({kind}-{name})"


def source(cell: Cell) -> str:
    return "".join(cell["source"])


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def edited(name: str, old: str, new: str, *, notebook: Notebook | None = None) -> Notebook:
    """All answered, with one passage of one function's cell replaced."""
    notebook = notebook or answered()
    cell = cell_of(notebook, name)
    assert source(cell).count(old) == 1, (name, old)
    cell["source"] = lines(source(cell).replace(old, new))
    return notebook


def written(name: str, text: str) -> Notebook:
    """All answered, with one function's cell written anew."""
    notebook = answered()
    cell_of(notebook, name)["source"] = lines(text)
    return notebook


def code(text: str, **more: Any) -> Cell:
    """A cell that a learner added."""
    return {"cell_type": "code", "execution_count": None, "id": "5eed0137", "metadata": {},
            "outputs": [], "source": lines(text), **more}


def inserted(place: int, *cells: Cell, notebook: Notebook | None = None) -> Notebook:
    notebook = notebook or answered()
    notebook["cells"][place:place] = cells
    return notebook


def in_one_cell(*above: str) -> Notebook:
    """All answered in one cell, below these lines; the cells of the functions are gone."""
    notebook = answered()
    solved = [cell_of(notebook, name) for name in POINTS]
    text = "\n\n\n".join([*above, *map(source, solved)])
    notebook["cells"] = [cell for cell in notebook["cells"] if cell not in solved]
    return inserted(1, code(text), notebook=notebook)


FLOAT32 = "return np.float32(randint32(state) & ((1 << 24) - 1)) * np.float32(2**-24)"
