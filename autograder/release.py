"""``ol release --class DIR``: the folder that a class receives.

It has all that a learner needs and nothing that tells an answer: no hidden tests, planted bugs or
golden values, of the package no module that shows some, and of solutions those of chapters that are
over for the class. What is taken is named here; whatever else lies in the course's folders stays
there. Packing and sending are not this module's work.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import jinja2

from autograder.build import stale
from autograder.course import Chapter, CourseError, chapters, root

__all__ = ["release"]

README = "class-readme.md.jinja"
PATTERNS = (
    "LICENSE", "environment.yml", "ol", "pyproject.toml", "requirements.lock",
    "autograder/**/*.py", "autograder/py.typed", "autograder/templates/*",
    "docs/for-learners.md", "docs/formats/*", "docs/contracts/llmdata/*.pyi",
    "fixtures/book/*", "fixtures/ch09_evalloader/questions.jsonl",
    "fixtures/gpt2/LICENSE", "fixtures/gpt2/vocab.bpe.bz2",
)
# Hidden tests and planted bugs; scoring tables, which name hidden tests; what mends a sample
# learner's notebook.
KEPT_BACK = ("autograder/hidden/[!_]*", "autograder/mutants/[!_]*", "autograder/tracks/**/*",
             "autograder/demo.py")


def _files() -> Iterator[Path]:
    """What is taken as it is, below the course's folder."""
    course = root()
    kept = {path for pattern in KEPT_BACK for path in course.glob(pattern)}
    for pattern in PATTERNS:
        found = [path for path in sorted(course.glob(pattern)) if path.is_file()]
        if not found:
            raise CourseError(f"{course / pattern} is missing, and a class needs it")
        yield from (path.relative_to(course) for path in found if path not in kept)
    yield from (chapter.release.relative_to(course) for chapter in chapters())


def _readme(finished: Sequence[Chapter]) -> str:
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("autograder"), keep_trailing_newline=True, trim_blocks=True,
        autoescape=False,
    )
    text: str = templates.get_template(README).render(
        chapters=chapters(), finished=[chapter.number for chapter in finished]
    )
    return text


def _free(folder: Path) -> Path:
    """Where ``folder`` really lies.

    Raises:
        CourseError: something is there already.
    """
    place = folder.resolve()
    if place.exists() and not (place.is_dir() and not any(place.iterdir())):
        raise CourseError(f"{folder} is there already, and not an empty folder; nothing was "
                          "changed. Name a folder that does not exist yet")
    return place


def _fill(folder: Path, finished: Sequence[Chapter]) -> None:
    files = {name: root() / name for name in _files()}
    files |= {chapter.finished.relative_to(root()): chapter.solution for chapter in finished}
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
        path.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    (folder / "README.md").write_text(_readme(finished), encoding="utf-8")


def release(folder: Path, finished: Sequence[Chapter] = ()) -> Path:
    """Write what a class receives to ``folder``, which appears when it is whole.

    The same course gives the same bytes. Returns the folder's path.

    Args:
        finished: chapters that are over for the class, whose solutions it receives, so that later
            ones can stand on them.

    Raises:
        CourseError: something is there already, a built file is stale, or the disk does not let it
            be written.
    """
    place = _free(folder)
    if found := [sentence for chapter in chapters() for sentence in stale(chapter)]:
        raise CourseError("\n".join(found))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=f".{place.name}.", suffix=".new", dir=place.parent
        ) as name:
            new = Path(name) / place.name
            new.mkdir()
            _fill(new, finished)
            new.replace(place)
    except OSError as error:
        raise CourseError(
            f"{folder}: cannot be written ({error.strerror}); nothing was changed"
        ) from error
    return place
