"""What earlier runs of a learner's tests gave, kept by content in the learner's folder.

A run is known by everything it depends on: tests, implementation, and the code and packages that
ran them. Nothing that decides a mark is ever taken from here.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder import files, sandbox
from autograder.course import Chapter, work_dir
from autograder.sandbox import Outcome, SuiteRun, TestRun

__all__ = ["PACKAGES", "Memory", "digest", "machinery"]

PACKAGES = ("hypothesis", "numpy", "pytest")  # that run tests


class Memory:
    """Runs by their keys. What is not asked for again is forgotten when it is saved."""

    def __init__(self, chapter: Chapter) -> None:
        self._path = work_dir() / ".cache" / f"mutate-{chapter.slug}.json"
        self._stored = _read(self._path)
        self._used: dict[str, dict[str, Any]] = {}

    @property
    def anything(self) -> bool:
        """Whether there are runs from earlier."""
        return bool(self._stored)

    def get(self, key: str) -> SuiteRun | None:
        """The run of that key, or None."""
        try:
            stored = self._stored[key]
            tests = tuple(
                TestRun(**{**test, "outcome": Outcome(test["outcome"]),
                           "called": tuple(test["called"])})
                for test in stored["tests"]
            )
            run = SuiteRun(**{**stored, "names": tuple(stored["names"]), "tests": tests})
        except (KeyError, TypeError, ValueError):
            return None
        self._used[key] = stored
        return run

    def put(self, key: str, run: SuiteRun) -> None:
        """Keep a run, unless the clock had a part in it."""
        if not run.timed_out:
            self._used[key] = asdict(run)

    def save(self) -> None:
        files.write(self._path, json.dumps(self._used, sort_keys=True) + "\n")


def _read(path: Path) -> Mapping[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def digest(*parts: object) -> str:
    """Of frozen records: their reprs say all that is in them."""
    return hashlib.sha256("\0".join(map(repr, parts)).encode("utf-8", "surrogatepass")).hexdigest()


@functools.cache
def machinery() -> str:
    """Of what runs tests: the interpreter, the packages, and our own part in the sandbox."""
    inside = Path(sandbox.__file__).parent / "inside"
    sources = [path.read_text(encoding="utf-8") for path in sorted(inside.glob("*.py"))]
    return digest(sys.version, *map(importlib.metadata.version, PACKAGES), *sources)
