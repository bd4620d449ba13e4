"""The course as a page in a notebook: a graph of the chapters, and a table that says the same.

Marks, words and lines carry the meaning; colour only repeats it. What is known of each chapter is
``standing``'s, and where it stands in the graph is ``graph``'s.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.cards import TwoForms, template
from autograder.graph import edges, layers
from autograder.standing import Standing, lead, upcoming

__all__ = ["Box", "CoursePage", "page"]

WIDTH, HEIGHT = 204, 66  # of a box
ACROSS, DOWN = 222, 96  # from box to box
MARKS = {"done": "✔", "next": "▶", "started": "◐", "": "○"}
NOT = "not started"
LEGEND = (f"{'  '.join(f'{mark} {state or NOT}' for state, mark in MARKS.items())}. "
          "An arrow leads to a chapter that needs this one.")


@dataclass(frozen=True)
class Box:
    """A chapter in the graph and in the table; ``x`` and ``y`` are of the box's upper left."""

    standing: Standing
    state: str
    needs: tuple[str, ...]
    x: float
    y: float

    @property
    def mark(self) -> str:
        return MARKS[self.state]

    @property
    def number(self) -> str:
        return self.standing.chapter.number

    @property
    def title(self) -> list[str]:
        """In two lines at most."""
        return textwrap.wrap(self.standing.chapter.title, 26, max_lines=2, placeholder=" …")

    @property
    def link(self) -> str:
        """To the learner's notebook, from where this kernel runs; empty where there is none."""
        work = self.standing.chapter.work
        return Path(os.path.relpath(work)).as_posix() if self.standing.started else ""


@dataclass(frozen=True, repr=False)
class CoursePage(TwoForms):
    """What IPython shows as HTML and a terminal as text."""

    heading: str
    lead: str
    boxes: tuple[Box, ...]
    arrows: tuple[tuple[Box, Box], ...]

    legend = LEGEND
    box_width, box_height = WIDTH, HEIGHT

    @property
    def width(self) -> float:
        return max((box.x for box in self.boxes), default=0) + WIDTH

    @property
    def height(self) -> float:
        return max((box.y for box in self.boxes), default=0) + HEIGHT

    @property
    def html(self) -> str:
        rendered: str = template("coursepage.html").render(page=self)
        return rendered

    @property
    def text(self) -> str:
        width = max((len(box.standing.chapter.title) for box in self.boxes), default=0)
        lines = [
            f"{box.mark} {box.number}  {box.standing.chapter.title:<{width}}  "
            f"{box.standing.chapter.minutes:>3} min  {box.standing.state}"
            + (f"; needs {', '.join(box.needs)}" if box.needs else "")
            for box in self.boxes
        ]
        return "\n".join([self.heading, self.lead, *lines, self.legend])


def _places(rows: Sequence[Sequence[str]]) -> dict[str, tuple[float, float]]:
    """The upper left of each box, each row in the middle."""
    widest = max(map(len, rows), default=0)
    return {
        number: ((widest - len(row)) * ACROSS / 2 + index * ACROSS, level * DOWN)
        for level, row in enumerate(rows) for index, number in enumerate(row)
    }


def page(found: Sequence[Standing]) -> CoursePage:
    """The page that shows these chapters."""
    chapters = [each.chapter for each in found]
    drawn, places, first = edges(chapters), _places(layers(chapters)), upcoming(found)

    def state(each: Standing) -> str:
        if each.done:
            return "done"
        return "next" if each is first else "started" if each.started else ""

    boxes = {
        each.chapter.number: Box(
            each, state(each),
            tuple(below for below, above in drawn if above == each.chapter.number),
            *places[each.chapter.number],
        )
        for each in found
    }
    done = sum(each.done for each in found)
    return CoursePage(
        f"{done} of {len(found)} chapters done", lead(found), tuple(boxes.values()),
        tuple((boxes[below], boxes[above]) for below, above in drawn),
    )
