"""``ol data``: the real book of the first chapters, fetched once and known by its hash.

The file that Project Gutenberg sends changes now and then around the text; the text between its
marker lines does not, so that is what is hashed and kept. Splitting it is chapter 1's subject.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pooch

from autograder import books, files
from autograder.course import CourseError

__all__ = ["fetch"]

URL = "https://www.gutenberg.org/cache/epub/1661/pg1661.txt"
BODY = re.compile(rb"^\*\*\* START OF.*?\n(.*?)^\*\*\* END OF", re.DOTALL | re.MULTILINE)
SHA256 = "3552d466d95a92fb58e96bbfabbfc02370d359ac95933b5feafe4ebaf3f243b3"


def _checked(path: Path) -> Path:
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise CourseError(
            f"{path} is not the text this course knows (its SHA-256 differs); "
            "move it away and run 'ol data' again"
        )
    return path


def _body(raw: bytes) -> bytes:
    """The lines between the START and END markers, LF, one final newline."""
    found = BODY.search(raw.replace(b"\r\n", b"\n"))
    if found is None:
        raise CourseError("what was downloaded has no START and END marker lines; try again later")
    return found[1]


def fetch(url: str = URL) -> Path:
    """The book's path: in ``OL_DATA`` if it lies there, else downloaded into pooch's cache.

    Raises:
        CourseError: the file found is another, or cannot be downloaded.
    """
    if found := books.real():
        return _checked(found)
    kept = books.cache() / books.BOOK
    try:
        sent = pooch.retrieve(
            url, known_hash=None, path=kept.parent, fname="pg1661.txt", progressbar=True
        )
    except (OSError, ValueError) as error:
        raise CourseError(
            f"{url} cannot be downloaded ({error}). Check the network, or put {books.BOOK} "
            "into a folder and name it: OL_DATA=/that/folder ol data"
        ) from error
    try:
        body = _body(Path(sent).read_bytes())
    finally:  # a file that is left here would be taken for a good one next time
        Path(sent).unlink()
    if hashlib.sha256(body).hexdigest() != SHA256:
        raise CourseError(f"{url} sent another text than this course knows; nothing was kept")
    files.write(kept, body)
    return kept
