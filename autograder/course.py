"""Where everything of the course lies, and which chapter a name means.

Chapters are found by name: every ``solutions/SLUG.py`` is one, and the same slug names its files
in every other folder. What a class receives has no such folder; there every released notebook is
one, and carries the same header. No other module builds a path inside the repository. This one
reads a chapter's header and nothing more of it: notebooks, tests and code are other modules' work.
"""

from __future__ import annotations

import difflib
import functools
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

__all__ = [
    "Chapter",
    "CourseError",
    "chapters",
    "find",
    "hypothesis_dir",
    "is_bundle",
    "root",
    "slug_problem",
    "work_dir",
]


class CourseError(Exception):
    """Something the person at the keyboard can mend: what, where, and what to do."""


def root() -> Path:
    """The repository's folder, or ``OL_ROOT`` where that is set."""
    return Path(os.environ.get("OL_ROOT") or Path(__file__).resolve().parent.parent)


def is_bundle() -> bool:
    """Whether this is what a class receives: it has no hidden tests or planted bugs, and solutions
    of finished chapters at most, so what runs here are the visible checks."""
    return not (root() / "solutions").is_dir()


def work_dir() -> Path:
    """The learner's own folder: ``OL_WORK``, else ``work/`` in the repository."""
    return Path(os.environ.get("OL_WORK") or root() / "work").absolute()


def hypothesis_dir() -> Path:
    """Where Hypothesis keeps what it can make again: never the folder somebody works in, and the
    same for every course that this code serves."""
    return Path(__file__).resolve().parent.parent / ".hypothesis"


@dataclass(frozen=True)
class Chapter:
    """One chapter: its header, and the place of each of its files (which need not exist)."""

    slug: str
    title: str
    module: str
    aliases: tuple[str, ...]
    needs: tuple[str, ...]
    packages: tuple[str, ...]
    minutes: int
    difficulty: int
    importance: int

    @property
    def number(self) -> str:
        """The short name that learners type, such as ``ch04``."""
        return self.slug.split("_")[0]

    @property
    def names(self) -> tuple[str, ...]:
        """All that the chapter is called."""
        return self.slug, self.number, *self.aliases

    @property
    def header(self) -> dict[str, Any]:
        """What the source says of the chapter, as its built notebooks repeat it."""
        return {key: getattr(self, key) for key in HEADER_KEYS}

    @property
    def remake(self) -> str:
        """How a built file that is lost or damaged comes back, for messages."""
        return "copy it anew from what you received" if is_bundle() else (
            f"run 'ol build {self.number}'"
        )

    @property
    def source(self) -> Path:
        return root() / "solutions" / f"{self.slug}.py"

    @property
    def solution(self) -> Path:
        return root() / "solutions" / self.slug / f"{self.slug}.ipynb"

    @property
    def release(self) -> Path:
        return root() / "notebooks" / self.slug / f"{self.slug}.ipynb"

    @property
    def finished(self) -> Path:
        """The solution in what a class receives, of a chapter that is over for that class."""
        return root() / "finished" / self.slug / f"{self.slug}.ipynb"

    @property
    def fullest(self) -> Path:
        """The notebook that says most of the chapter: the solution, where it is here."""
        if not is_bundle():
            return self.solution
        return self.finished if self.finished.exists() else self.release

    @property
    def hidden(self) -> Path:
        return root() / "autograder" / "hidden" / f"{self.slug}.py"

    @property
    def mutants(self) -> Path:
        return root() / "autograder" / "mutants" / f"{self.slug}.py"

    @property
    def fixtures(self) -> Path:
        return root() / "fixtures" / self.slug

    @property
    def contract(self) -> Path:
        return root() / "docs" / "contracts" / "llmdata" / f"{self.module}.pyi"

    @property
    def work(self) -> Path:
        return work_dir() / self.slug / f"{self.slug}.ipynb"


HEADER_KEYS = (
    "title",
    "module",
    "aliases",
    "needs",
    "packages",
    "minutes",
    "difficulty",
    "importance",
)


def _of_script(source: Path) -> dict[str, Any]:
    """The ``course`` mapping in the YAML header of a percent script.

    Raises:
        CourseError: the header is missing or is not YAML.
    """
    lines = source.read_text(encoding="utf-8").splitlines()
    fences = [i for i, line in enumerate(lines) if line == "# ---"]
    if len(fences) < 2 or fences[0] != 0:
        raise CourseError(
            f"{source}: no YAML header between two '# ---' lines at the top; see 'ol new'"
        )
    text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[1 : fences[1]])
    try:
        return dict(yaml.safe_load(text)["jupyter"]["course"])
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise CourseError(
            f"{source}: the header has no readable jupyter.course entry ({error})"
        ) from error


def _of_notebook(release: Path) -> dict[str, Any]:
    """The same mapping in the metadata of a released notebook.

    Raises:
        CourseError: it is not there.
    """
    try:
        return dict(json.loads(release.read_text(encoding="utf-8"))["metadata"]["course"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(
            f"{release} does not say which chapter it is; copy it anew from what you received"
        ) from error


def _chapter(path: Path) -> Chapter:
    """The chapter that a script or a released notebook tells of.

    Raises:
        CourseError: its header is missing, cannot be read, or lacks a key.
    """
    course = _of_script(path) if path.suffix == ".py" else _of_notebook(path)
    missing = [key for key in HEADER_KEYS if key not in course]
    if missing:
        raise CourseError(f"{path}: the header lacks {', '.join(missing)}")
    values: dict[str, Any] = {
        key: tuple(course[key]) if isinstance(course[key], list) else course[key]
        for key in HEADER_KEYS
    }
    return Chapter(slug=path.stem, **values)


@functools.cache
def _chapters(folder: Path, pattern: str) -> tuple[Chapter, ...]:
    found = (path for path in folder.glob(pattern) if slug_problem(path.stem) is None)
    return tuple(_chapter(path) for path in sorted(found))


def chapters() -> tuple[Chapter, ...]:
    """All chapters, in order of their slugs."""
    if is_bundle():
        return _chapters(root() / "notebooks", "ch*/ch*.ipynb")
    return _chapters(root() / "solutions", "ch*.py")


def find(name: str) -> Chapter:
    """The chapter that a slug, a short name (``ch04``) or an alias (``A0.1``) means; the alias
    that was asked for is its first.

    Raises:
        CourseError: none is called so; the message suggests the nearest.
    """
    names = {
        known.lower(): chapter for chapter in chapters() for known in chapter.names
    }
    wanted = name.strip().lower()
    if wanted in names:
        chapter = names[wanted]
        aliases = sorted(chapter.aliases, key=lambda alias: alias.lower() != wanted)
        return replace(chapter, aliases=tuple(aliases))
    near = difflib.get_close_matches(wanted, names, n=1, cutoff=0.4)
    guess = f" Did you mean '{near[0]}'?" if near else ""
    known = ", ".join(chapter.number for chapter in chapters())
    raise CourseError(
        f"there is no chapter '{name}'.{guess} Chapters: {known}; 'ol status' lists them."
    )


def slug_problem(slug: str) -> str | None:
    """Why ``slug`` cannot name a chapter, or None."""
    head, _, tail = slug.partition("_")
    ok = len(head) == 4 and head.startswith("ch") and head[2:].isascii() and head[2:].isdigit()
    if (
        ok
        and tail
        and all(part.isascii() and part.isalnum() and part.islower() for part in tail.split("_"))
    ):
        return None
    return f"'{slug}' is not a slug: two digits and a name in lower case, such as ch13_quantize"
