"""How far a learner has come: each chapter's state, the minutes left, the next step.

It reads what checks left in the learner's folder. It grades nothing and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.cards import Card, Row, Tone
from autograder.course import Chapter, chapters
from autograder.workspace import Progress, progress

__all__ = ["Standing", "card", "lead", "left", "next_step", "standings", "upcoming"]


@dataclass(frozen=True)
class Standing:
    """A chapter, and what was last said of the notebook in the learner's folder."""

    chapter: Chapter
    seen: Progress | None

    @property
    def started(self) -> bool:
        return self.chapter.work.exists()

    @cached_property
    def current(self) -> bool:
        """Whether the notebook is still what was judged; it is read once for that."""
        return self.seen is not None and self.seen.is_of(self.chapter.work)

    @property
    def done(self) -> bool:
        return self.seen is not None and self.seen.passed and self.current

    @property
    def state(self) -> str:
        """The points, or why there are none; of visible checks, whether they pass."""
        if not self.started:
            return "not started"
        if self.seen is None:
            return "not checked"
        since = "" if self.current else ", changed since"
        if not self.seen.points:  # only visible checks ran
            return f"visible checks {'pass' if self.seen.passed else 'do not pass yet'}{since}"
        return f"{round(self.seen.earned, 2):g} of {self.seen.points}{since}"

    def to_json(self) -> dict[str, object]:
        """What ``ol status --json`` says of a chapter."""
        return {
            "chapter": self.chapter.slug, "title": self.chapter.title,
            "minutes": self.chapter.minutes, "started": self.started, "current": self.current,
            "done": self.done, "earned": self.seen.earned if self.seen else None,
            "points": self.seen.points if self.seen else None,
        }


def standings() -> list[Standing]:
    """Every chapter's, in the order of the course."""
    known = progress()
    return [Standing(chapter, known.get(chapter.slug)) for chapter in chapters()]


def left(found: Sequence[Standing]) -> str:
    """How long the chapters that are not done are said to take, in words; of none, nothing."""
    minutes = sum(each.chapter.minutes for each in found if not each.done)
    if minutes > 180:
        return f"about {round(minutes / 60)} hours left"
    return f"about {minutes} minutes left" if minutes else ""


def upcoming(found: Sequence[Standing]) -> Standing | None:
    """The first chapter that is not done."""
    return next((each for each in found if not each.done), None)


def next_step(found: Sequence[Standing]) -> str:
    """What to type next."""
    first = upcoming(found)
    if first is None:
        return "ol export: everything passes"
    number = first.chapter.number
    return f"ol lab, then ol check {number}" if first.started else f"ol start {number}"


def lead(found: Sequence[Standing]) -> str:
    """The next step, and the time that is left."""
    return f"Next: {next_step(found)}" + (f" ({time})" if (time := left(found)) else "")


def card(found: Sequence[Standing]) -> Card:
    """The course in one card, a row a chapter."""
    done = sum(each.done for each in found)
    rows = (
        Row(each.chapter.number, f"{each.chapter.title}: {each.state}") for each in found
    )
    tone = Tone.PASSED if done == len(found) else Tone.CALM
    return Card(tone, f"{done} of {len(found)} chapters done", lead(found), tuple(rows))
