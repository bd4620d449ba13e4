"""Verdicts kept on disk, so that nothing is graded twice: each under a key made of all it rests on.

The key is a hash of the submission, the hidden tests and what stands below them, the grader and the
versions of the packages; equal keys mean equal verdicts, whoever handed in. Grading is ``grade``'s.
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder import files
from autograder.carry import chapters_below
from autograder.course import Chapter
from autograder.hiddentests import digest, suite_sha256
from autograder.memory import PACKAGES
from autograder.sandbox import Level
from autograder.verdict import (
    VERSION,
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)

__all__ = ["Shelf", "edition", "from_json", "key"]


@functools.cache
def _grader_sha256() -> str:
    """Of the grader's own files; those of the chapters count for their chapter.

    Once for each process, which goes on running what it began with, whatever is on disk by then.
    """
    found = sorted(Path(__file__).parent.rglob("*.py"))
    return digest(*(path for path in found if not path.name.startswith("ch")))


def edition(chapter: Chapter) -> str:
    """What a verdict on the chapter rests on besides the submission, as a SHA-256.

    Raises:
        CourseError: the chapter's hidden tests are not installed.
    """
    versions = {name: metadata.version(name) for name in {*PACKAGES, *chapter.packages}}
    solutions = [each.solution for each in (*chapters_below(chapter), chapter)]
    parts = [chapter.slug, suite_sha256(chapter), digest(*solutions), _grader_sha256(),
             platform.python_version(), sorted(versions.items()), VERSION]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def key(edition: str, source: bytes | str) -> str:
    """The key of a submission's bytes, or of the reason why they were refused."""
    kind, data = ("file", source) if isinstance(source, bytes) else ("refused", source.encode())
    parts = [edition, kind, hashlib.sha256(data).hexdigest()]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _test(plain: Mapping[str, Any]) -> TestVerdict:
    failure = plain["failure"]
    if failure is not None:
        failure = Failure(**{**failure, "reason": Reason(failure["reason"])})
    return TestVerdict(**{**plain, "outcome": Outcome(plain["outcome"]), "failure": failure})


def _function(plain: Mapping[str, Any]) -> FunctionVerdict:
    return FunctionVerdict(
        plain["name"], plain["points"], tuple(map(_test, plain["tests"])), plain["cell"],
        tuple(plain["notes"]), plain["enough"], plain["bonus"],
    )


def from_json(text: str) -> Verdict:
    """What ``Verdict.to_json`` wrote.

    Raises:
        ValueError, KeyError, TypeError: it is something else.
    """
    plain = json.loads(text)
    return Verdict(
        plain["chapter"], Status(plain["status"]), tuple(map(_function, plain["functions"])),
        plain["level"], plain["submission_sha256"], plain["suite_sha256"], tuple(plain["notes"]),
        tuple(plain["problems"]), tuple(plain["carried"]), plain["message"], plain["seconds"],
    )


@dataclass(frozen=True)
class Shelf:
    """The verdicts of one course on one chapter: a folder with a file for each key."""

    folder: Path

    @classmethod
    def of(cls, course: Path, chapter: Chapter) -> Shelf:
        """The shelf in an nbgrader course's folder."""
        return cls(course / "verdicts" / chapter.slug)

    def find(self, key: str) -> Verdict | None:
        """The verdict under ``key``; None where there is none, or none that is whole."""
        try:
            return from_json((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def final(self, key: str, required: Level = Level.C) -> Verdict | None:
        """The verdict under ``key``, unless a fault of the grader, or weaker isolation than
        ``required``, says to grade again."""
        verdict = self.find(key)
        return None if verdict is None or verdict.faulty or verdict.level > required else verdict

    def keep(self, key: str, verdict: Verdict) -> None:
        """Write a verdict, whole or not at all; one that is there is replaced."""
        files.write(self.folder / f"{key}.json", verdict.to_json())
