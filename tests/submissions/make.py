"""Writes the golden submissions: ``python -m tests.submissions.make`` from the repository's root.

Each function in ``cases/`` makes one notebook of ch04 and says which verdict it must get. Verdicts
follow from the rules (a case's docstring says which), never from what the grader answered.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.submissions.cases import behaviour, cells, editors, encodings, names, work
from tests.submissions.kit import CASES, text_of

FOLDER = Path(__file__).parent
DECLARED_IN = (behaviour, cells, editors, encodings, names, work)  # importing them fills CASES


def files() -> Iterator[tuple[Path, bytes]]:
    """Every file, by its path below this folder."""
    for name, (make, expected) in CASES.items():
        made = make()
        data = made if isinstance(made, bytes) else text_of(made).encode("utf-8")
        yield Path(name, expected["file"]), data
        yield Path(name, "expected.json"), (json.dumps(expected, indent=1) + "\n").encode()


def main() -> None:
    """Write all cases anew; folders of cases that are gone go too."""
    for old in FOLDER.glob("*/expected.json"):
        shutil.rmtree(old.parent)
    for path, data in files():
        (FOLDER / path).parent.mkdir(exist_ok=True)
        (FOLDER / path).write_bytes(data)


if __name__ == "__main__":
    main()
