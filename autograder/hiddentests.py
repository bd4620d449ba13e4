"""A chapter's hidden tests, run on whatever stands for its functions.

Sandboxes, verdicts and points are ``grade``'s; finding and collecting the tests is pytest's.
"""

from __future__ import annotations

import functools
import hashlib
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.contract import Contract, Part, load
from autograder.course import Chapter, CourseError
from autograder.live import Live, misfits
from autograder.plugin import Job, Jobs, Ran
from autograder.session import run_jobs, run_suite
from autograder.subject import Subject
from autograder.verdict import Failure

__all__ = ["check_live", "digest", "run_many", "run_tests", "suite_sha256"]


def digest(*paths: Path) -> str:
    """The SHA-256 of the files' bytes, one after the other."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def suite_sha256(chapter: Chapter) -> str:
    """What the verdict depends on besides the submission: hidden tests, golden values, bugs.

    Raises:
        CourseError: the chapter's hidden tests are not installed.
    """
    if not chapter.hidden.exists():
        raise CourseError(
            f"the hidden tests of {chapter.slug} are not installed here; "
            "they run when the notebook is handed in"
        )
    golden = chapter.fixtures / "golden.json"
    return digest(*filter(Path.exists, (chapter.hidden, golden, chapter.mutants)))


@functools.lru_cache(maxsize=64)
def _read(path: Path, stamp: tuple[int, int]) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _golden(path: Path) -> Any:
    """Read again only when it changes, as it may while a worker of a cluster runs."""
    state = path.stat()
    return _read(path, (state.st_mtime_ns, state.st_size))


def _settings(chapter: Chapter, contract: Contract, seed: str) -> dict[str, Any]:
    return {
        "names": contract.names,
        "seed": int(seed[:8], 16),
        "golden": lambda: _golden(chapter.fixtures / "golden.json"),
    }


def run_tests(
    chapter: Chapter,
    contract: Contract,
    subject: Subject,
    *,
    seed: str,
    refused: Mapping[str, Failure] | None = None,
    only: str | None = None,
) -> tuple[Ran, ...]:
    """Run a chapter's hidden tests, or those of one function, on a subject.

    ``seed`` is hexadecimal; equal seeds give equal inputs to tests that draw them.
    """
    job, settings = Job(subject, only), _settings(chapter, contract, seed)
    return run_suite(chapter.hidden, job, refused=refused or {}, **settings)


def run_many(chapter: Chapter, jobs: Jobs, *, seed: str) -> None:
    """Run a chapter's hidden tests on one subject after the other, as the jobs say."""
    run_jobs(chapter.hidden, jobs, refused={}, **_settings(chapter, load(chapter), seed))


def check_live(
    chapter: Chapter, part: Part, namespace: Mapping[str, Any]
) -> tuple[Ran, ...]:
    """Run one function's hidden tests on the live objects of this process: quick, debuggable, and
    worth no marks."""
    contract = load(chapter)
    suite_sha256(chapter)
    seed = f"{time.time_ns() & 0xFFFFFFFF:08x}"
    refused = misfits(namespace, {each.name: each.signature for each in contract.parts})
    return run_tests(chapter, contract, Live(namespace), seed=seed, refused=refused, only=part.name)
