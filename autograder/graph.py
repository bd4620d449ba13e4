"""The chapters as a graph: which stands on which, and where each is drawn.

Layers run from the top to the bottom, and a chapter stands as low as those that need it allow.
States of chapters are not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from autograder.course import Chapter

__all__ = ["edges", "layers"]

Needs = Mapping[str, frozenset[str]]


def _all_needs(chapters: Sequence[Chapter]) -> Needs:
    """For each chapter's number the numbers of all that it stands on, directly or not, as
    far as they are among the chapters."""
    known = {name: each.number for each in chapters
             for name in (each.slug, each.number, *each.aliases)}
    direct = {each.number: {known[name] for name in each.needs if name in known}
              for each in chapters}
    found: dict[str, frozenset[str]] = {}

    def below(number: str) -> frozenset[str]:
        if number not in found:
            found[number] = frozenset(direct[number]).union(*map(below, direct[number]))
        return found[number]

    return {number: below(number) for number in direct}


def edges(chapters: Sequence[Chapter]) -> list[tuple[str, str]]:
    """Pairs of a chapter and one that needs it, without those that follow from others."""
    needs = _all_needs(chapters)
    return [
        (below, above) for above, standing_on in needs.items() for below in sorted(standing_on)
        if not any(below in needs[between] for between in standing_on)
    ]


def layers(chapters: Sequence[Chapter]) -> list[list[str]]:
    """The numbers of the chapters, layer by layer; in a layer each stands near those that need
    it, as far as that goes."""
    leads_to: dict[str, list[str]] = {each.number: [] for each in chapters}
    for below, above in edges(chapters):
        leads_to[below].append(above)
    height: dict[str, int] = {}

    def climb(number: str) -> int:
        if number not in height:
            height[number] = 1 + max(map(climb, leads_to[number]), default=-1)
        return height[number]

    top = max(map(climb, leads_to), default=-1)
    place: dict[str, float] = {}
    found = []
    for level in range(top + 1):
        row = sorted((each for each in leads_to if height[each] == level),
                     key=lambda each: (_mean(place[up] for up in leads_to[each]), each))
        place |= {each: (index + 0.5) / len(row) for index, each in enumerate(row)}
        found.append(row)
    return found[::-1]


def _mean(places: Iterable[float]) -> float:
    return fmean([*places] or [0.5])
