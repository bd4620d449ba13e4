"""The hints of a function, taken from the chapter's released notebook.

They stand in one markdown cell with the id ``hints-FUNCTION``, a ``<details>`` block each, so that
the notebook, ``hint()`` and ``ol hint`` all show the same words. Nothing here shows anything.
"""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass

from autograder.course import Chapter, CourseError, is_bundle

__all__ = ["OF_OWN_TESTS", "Hint", "hints"]

OF_OWN_TESTS = "tests of your own have no hints. " + (
    "Each row of the chapter's tables of what goes wrong is a slip that one of them should notice"
    if is_bundle() else
    "check_tests() in the notebook, or 'ol mutate' with the chapter, shows which slips they miss "
    "and what one would see of each"
)

PREFIX = "hints-"
SUMMARY = r"<summary>\s*(?:Hint \d+:)?(.*?)</summary>"
BLOCK = re.compile(rf"<details>\s*{SUMMARY}(.*?)</details>", re.DOTALL)


@dataclass(frozen=True)
class Hint:
    """One hint; ``text`` is Markdown."""

    title: str
    text: str


def _texts(chapter: Chapter) -> dict[str, str]:
    """The Markdown of each hints cell, by the function's name."""
    try:
        cells = json.loads(chapter.release.read_text(encoding="utf-8"))["cells"]
        return {
            cell["id"].removeprefix(PREFIX): "".join(cell["source"])
            for cell in cells if cell["id"].startswith(PREFIX)
        }
    except FileNotFoundError as error:
        raise CourseError(f"{chapter.release} is missing; {chapter.remake}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{chapter.release} cannot be read; {chapter.remake}") from error


def hints(chapter: Chapter, function: str) -> tuple[Hint, ...]:
    """The hints of ``function``, the gentlest first.

    Raises:
        CourseError: the chapter has no released notebook, or no hints for that name.
    """
    texts = _texts(chapter)
    if function not in texts:
        near = difflib.get_close_matches(function, texts, n=1)
        guess = f" Did you mean '{near[0]}'?" if near else ""
        raise CourseError(f"{chapter.number} has no hints for '{function}'.{guess} "
                          f"There are hints for {', '.join(texts) or 'nothing'}.")
    found = BLOCK.findall(texts[function])
    return tuple(Hint(title.strip(), text.strip()) for title, text in found)
