# Built by 'ol build' from solutions/ch01_corpus.py: edit that file instead.

from pathlib import Path
from typing import Any

START: str

END: str

def prepare(raw: bytes) -> str:
    """The book in an e-book: the lines strictly between the markers, each with one newline."""

QUESTIONS: Any

def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""

def provenance_path(path: Path) -> Path:
    """Where the provenance of a corpus lies: for books/holmes.txt, books/holmes_provenance.json."""

def recorded_retrieval(path: Path) -> str:
    """The hash of the retrieval that the corpus at `path` was made from; "" if none is known."""

def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears under its name only when it is whole."""

def write_corpus(text: str, raw: bytes, path: Path, force: bool=False) -> dict:
    """Write a corpus and, beside it, its provenance; return the provenance."""

CORPUS_SHA256: str

def load_corpus(path: Path, sha256: str=CORPUS_SHA256) -> str:
    """The corpus at `path`, if its bytes have the right SHA-256."""

NUMERALS: Any

STORY_RE: Any

def split_stories(text: str) -> list[str]:
    """The twelve stories of a book, each from its heading to the next; front matter is dropped."""

EOT: str

def make_splits(stories: list[str]) -> dict[str, str]:
    """Train, val and test: stories I to X joined by the separator, story XI, and story XII."""
