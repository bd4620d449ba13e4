"""Tracks: scoring tables that gather what several chapters are worth, such as A0.

A track is the module in ``tables`` that is called like it. Chapters are graded by ``grade``; this
package only picks from the verdicts.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path

from autograder.course import CourseError

__all__ = ["Part", "Row", "find_track", "track_names"]


@dataclass(frozen=True)
class Part:
    """Some points of a row, earned whole or not at all.

    They are earned where every test passes that counts for ``functions`` of ``chapter``, or every
    one called in ``tests``. A part without ``tests`` has those that no other part of its row names;
    one without ``functions`` asks whether the track's modules are clean (see ``clean``).
    """

    points: int
    chapter: str = ""
    functions: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    title: str
    parts: tuple[Part, ...]

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)


def track_names() -> tuple[str, ...]:
    """The tracks there are, as they are written."""
    tables = Path(__file__).parent.glob("tables/[a-z]*.py")
    return tuple(sorted(path.stem.upper() for path in tables))


def find_track(name: str) -> tuple[Row, ...]:
    """The rows of the track of that name, however it is capitalised.

    Raises:
        CourseError: there is none.
    """
    if name.upper() not in track_names():
        raise CourseError(f"there is no track '{name}'. Tracks: {', '.join(track_names())}")
    rows: tuple[Row, ...] = importlib.import_module(f"{__name__}.tables.{name.lower()}").ROWS
    return rows
