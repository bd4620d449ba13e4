"""Speed, as ratios against peers timed in the same run: ``python benchmarks/run.py [NAME ...]``.

Prints a table and keeps it as JSON in ``benchmarks/out/``. A benchmark is a module beside this one
whose ``rows`` gives its comparisons; it is found by its name.
"""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent


def main(names: list[str]) -> int:
    helpers = {"corpus", "measure", "reference", "run"}
    known = sorted({path.stem for path in HERE.glob("*.py")} - helpers)
    unknown = sorted(set(names) - set(known))
    if unknown:
        sys.exit(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
    table = Table("benchmark", "ours", "peer", "ours / peer", "limit", "holds")
    (HERE / "out").mkdir(exist_ok=True)
    all_hold = True
    for name in names or known:
        rows = importlib.import_module(name).rows()
        for row in rows:
            table.add_row(
                row.what,
                f"{row.ours:.3f} {row.unit}",
                f"{row.peer:.3f} {row.unit}",
                f"{row.ratio:.2f}",
                row.limit,
                "yes" if row.holds else "NO",
            )
        all_hold = all_hold and all(row.holds for row in rows)
        kept = json.dumps([asdict(row) for row in rows], indent=1)
        (HERE / "out" / f"{name}.json").write_text(kept + "\n", encoding="utf-8")
    Console().print(table)
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
