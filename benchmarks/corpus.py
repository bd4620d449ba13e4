"""Text to measure with: whatever a machine has, taken in the same order each time.

The folder that ``OL_TEXT`` names comes first, if it is set. Then English (the books of ``ol data``,
then documentation), then the sources and notes of Python and of what is installed beside it.
``documents`` stops where there is enough, so no more than that is ever held.
"""

from __future__ import annotations

import os
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder import books

__all__ = ["Corpus", "documents"]

NOTES = (".md", ".rst", ".txt")
SOURCES = (".py", ".pyi", *NOTES)
SEPARATOR = "<|endoftext|>"  # text to the peers, and a cut to the course; left out
LARGEST = 5_000_000  # a file with more bytes is data rather than text


@dataclass(frozen=True)
class Corpus:
    """Texts, their bytes in UTF-8, and in words where they came from."""

    texts: tuple[str, ...]
    size: int
    taken: str


def _places() -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    if "OL_TEXT" in os.environ:
        yield "texts", Path(os.environ["OL_TEXT"]), NOTES
    if (book := books.real()) is not None:
        yield "books", book.parent, (".txt",)
    yield "documentation", Path("/usr/share/doc"), NOTES
    yield "Python", Path(sysconfig.get_path("stdlib")), SOURCES
    yield "packages", Path(sysconfig.get_path("purelib")), SOURCES


def _files() -> Iterator[tuple[str, Path]]:
    for name, folder, endings in _places():
        for path in sorted(folder.rglob("*")):
            outside = name == "Python" and "site-packages" in path.parts
            if path.suffix in endings and path.is_file() and not outside:
                yield name, path


def documents(enough: int) -> Corpus:
    """At least ``enough`` bytes of text, as whole files, or all that there is."""
    texts: list[str] = []
    sizes: Counter[str] = Counter()
    for name, path in _files():
        if sizes.total() >= enough:
            break
        data = path.read_bytes()
        if len(data) <= LARGEST:
            texts.append(data.decode(errors="replace").replace(SEPARATOR, ""))
            sizes[name] += len(texts[-1].encode())
    taken = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in sizes.items())
    return Corpus(tuple(texts), sizes.total(), f"{len(texts):,} files: {taken}")
