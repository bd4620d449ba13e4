"""Where a notebook finds a book to work on: the embedded one, and the real one if it is here.

Nothing is downloaded and nothing is checked here: ``ol data`` fetches (``book``), and chapter 1's
``load_corpus`` checks the hash.
"""

from __future__ import annotations

import os
from pathlib import Path

import pooch

from autograder.course import CourseError, root

__all__ = ["BOOK", "cache", "embedded", "real"]

BOOK = "sherlock_holmes.txt"


def cache() -> Path:
    """Where ``ol data`` keeps the book."""
    return Path(pooch.os_cache("bytes-to-batches"))


def embedded() -> Path:
    """The course's own e-book: twelve very short stories, with marker lines and CRLF.

    Raises:
        CourseError: this installation has no fixtures.
    """
    path = root() / "fixtures" / "book" / "twelve_stories.txt"
    if not path.is_file():
        raise CourseError(f"{path} is missing; copy the course's folder fixtures/ to {root()}")
    return path


def real() -> Path | None:
    """The prepared text of the real book, from ``OL_DATA`` or where ``ol data`` keeps it; None
    where it is in neither place."""
    named = os.environ.get("OL_DATA")
    folders = [*([Path(named)] if named else []), cache()]
    return next((folder / BOOK for folder in folders if (folder / BOOK).is_file()), None)
