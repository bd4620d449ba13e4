"""``tokenize_shards`` with something going wrong at each of its operations on files, one at a time.

``python tokenize_faults.py PACKAGE FOLDER STEPS`` forks a child for every run. The child fails (the
k-th operation raises ENOSPC), dies (before the k-th operation), or dies half way through a write
(half of the bytes arrive). Then the folder has to hold the old output or the new one, whole, and a
run without faults has to bring the new one and to leave nothing else behind. Prints what came of it
as JSON. With STEPS "two", folders are swapped in two renames, as where the system cannot swap;
between the two the old output waits under ``.out.replaced``, and only then it may.
"""

import builtins
import errno
import fcntl
import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE, FOLDER, STEPS = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
sys.path.insert(0, str(PACKAGE))

from llmdata import tokenize  # noqa: E402  # the package is there by the line above

DIED = 9


class Faults:
    """Counts operations; at number ``at`` it does what ``how`` says."""

    def __init__(self, how: str, at: int) -> None:
        self.how, self.at, self.seen = how, at, []

    def meet(self, name: str, half: Callable[[], object] = lambda: None) -> None:
        self.seen.append(name)
        if len(self.seen) - 1 != self.at:
            return
        if self.how == "fail":
            raise OSError(errno.ENOSPC, f"no room, at {name}")
        if self.how == "half":
            half()
        os._exit(DIED)

    def wrap(self, owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def operation(*args: Any, **named: Any) -> Any:
            self.meet(name)
            return real(*args, **named)

        setattr(owner, name, operation)


class File:
    """A file that was opened for writing."""

    def __init__(self, real: Any, faults: Faults) -> None:
        self._real, self._faults = real, faults

    def write(self, data: Any) -> int:
        def half() -> None:
            self._real.write(data[: len(data) // 2])
            self._real.flush()

        self._faults.meet("write", half)
        return self._real.write(data)

    def seek(self, *args: int) -> int:
        self._faults.meet("seek")
        return self._real.seek(*args)

    def flush(self) -> None:
        self._faults.meet("flush")
        self._real.flush()

    def close(self) -> None:
        try:
            self._faults.meet("close")
        finally:
            self._real.close()

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def install(faults: Faults) -> None:
    real = io.open

    def opened(path: Any, mode: str = "r", *args: Any, **named: Any) -> Any:
        if not set(mode) & set("wax+"):
            return real(path, mode, *args, **named)
        faults.meet("open")
        return File(real(path, mode, *args, **named), faults)

    io.open = builtins.open = opened
    for name in ("mkdir", "rename", "replace", "unlink", "rmdir", "fsync"):
        faults.wrap(os, name)
    faults.wrap(fcntl, "flock")
    if STEPS == "two":
        tokenize._swapped = lambda one, other: False
    else:
        faults.wrap(tokenize, "_swapped")


def pack(corpus: str) -> None:
    tokenize.tokenize_shards(
        FOLDER / corpus / "_MANIFEST.json", None, FOLDER / "out", tokenizer_id="bytes",
        doc_sep_id=0, max_file_tokens=40,
    )


def forked(how: str, at: int, corpus: str) -> tuple[int, list[str]]:
    """The exit code of a run, and the operations that it came to."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        faults, code = Faults(how, at), 0
        install(faults)
        try:
            pack(corpus)
        except OSError:
            code = 1
        os.write(theirs, json.dumps(faults.seen).encode())
        os._exit(code)
    os.close(theirs)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = b"".join(iter(lambda: os.read(ours, 1 << 16), b""))
    os.close(ours)
    return code, json.loads(said or b"[]")


def contents(folder: Path) -> dict[str, bytes] | None:
    return {p.name: p.read_bytes() for p in folder.iterdir()} if folder.exists() else None


def restore(kept: Path) -> None:
    for name in ("out", "out.tmp", ".out.replaced"):
        shutil.rmtree(FOLDER / name, ignore_errors=True)
    (FOLDER / "out.lock").unlink(missing_ok=True)
    shutil.copytree(kept, FOLDER / "out")


def main() -> None:
    outputs = {}
    for corpus in ("old", "new"):
        assert forked("never", -1, corpus)[0] == 0
        outputs[corpus] = contents(FOLDER / "out")
        shutil.copytree(FOLDER / "out", FOLDER / f"kept-{corpus}")
    restore(FOLDER / "kept-old")
    code, operations = forked("never", -1, "new")
    assert (code, contents(FOLDER / "out")) == (0, outputs["new"])
    lost, codes = [], []
    for how in ("fail", "die", "half"):
        for at, name in enumerate(operations):
            if how == "half" and name != "write":
                continue
            restore(FOLDER / "kept-old")
            codes.append(forked(how, at, "new")[0])
            waiting = ".out.replaced" if STEPS == "two" and not (FOLDER / "out").exists() else "out"
            found = contents(FOLDER / waiting)
            again = forked("never", -1, "new")[0]
            left = sorted(path.name for path in FOLDER.glob("*out*"))
            after = (again, contents(FOLDER / "out"), left)
            if found not in outputs.values() or after != (0, outputs["new"], ["out"]):
                lost.append(f"{how} at operation {at}, {name}: {sorted(found or {})}, {left}")
    print(json.dumps({"operations": operations, "faults": len(codes), "lost": lost,
                      "died": codes.count(DIED), "failed": codes.count(1)}))


main()
