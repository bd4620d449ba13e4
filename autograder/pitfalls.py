"""The pitfalls of a chapter, read from the tables in its text.

A table begins with the row ``| slip | what you would see | caught by |``. Whether a planted bug
stands for each slip is the audit's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autograder.course import Chapter, CourseError

__all__ = ["Pitfall", "listed", "pitfalls"]

HEAD = ["slip", "what you would see", "caught by"]


@dataclass(frozen=True)
class Pitfall:
    """One row: a common slip, what it looks like, and the hidden test that notices it."""

    slip: str
    symptom: str
    test: str


def _rows(text: str) -> Iterator[list[str]]:
    """The cells of each table row in a percent script's text; an empty list between tables."""
    for line in text.splitlines():
        row = re.fullmatch(r"#\s*\|(.*)\|\s*", line)
        cells = re.split(r"(?<!\\)\|", row[1]) if row else []
        yield [cell.strip().replace(r"\|", "|") for cell in cells]


def listed(chapter: Chapter) -> tuple[Pitfall, ...]:
    """The rows of all tables of pitfalls, in the order of the chapter.

    Raises:
        CourseError: a row has not three cells, or a slip stands twice.
    """
    found: dict[str, Pitfall] = {}
    inside = False
    for cells in _rows(chapter.source.read_text(encoding="utf-8")):
        if not inside or not cells:
            inside = cells == HEAD
        elif set("".join(cells)) != {"-"}:
            if len(cells) != len(HEAD) or cells[0] in found:
                raise CourseError(
                    f"{chapter.source}: the row of pitfalls '{cells[0]}' stands twice, or has not "
                    "three cells; write | slip | what you would see | caught by |"
                )
            found[cells[0]] = Pitfall(cells[0], cells[1], cells[2].strip("`"))
    return tuple(found.values())


def pitfalls(chapter: Chapter) -> Mapping[str, str]:
    """What each slip looks like, by the slip in the chapter's own words."""
    return {pitfall.slip: pitfall.symptom for pitfall in listed(chapter)}
