"""Where notebooks find a book: the embedded one always, the real one where it lies."""

import hashlib

import pytest

from autograder import books
from autograder.books import BOOK
from autograder.course import CourseError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(books.pooch, "os_cache", lambda name: tmp_path / "cache" / name)
    monkeypatch.delenv("OL_DATA", raising=False)
    folder = tmp_path / "cache" / "bytes-to-batches"
    folder.mkdir(parents=True)
    return folder


def test_embedded_book_is_the_recorded_one():
    """The file has the SHA-256 that its README gives."""
    path = books.embedded()

    assert hashlib.sha256(path.read_bytes()).hexdigest() in (path.parent / "README.md").read_text()


def test_missing_fixtures_say_what_to_do(tmp_path, monkeypatch):
    """Where the folder was not copied, the message names it."""
    monkeypatch.setenv("OL_ROOT", str(tmp_path))
    with pytest.raises(CourseError, match="fixtures/"):
        books.embedded()


def test_real_book_is_looked_for_and_never_fetched(tmp_path, cache, monkeypatch):
    """OL_DATA comes first, then the cache of ``ol data``, then nothing."""
    assert books.real() is None

    (cache / BOOK).touch()
    monkeypatch.setenv("OL_DATA", str(tmp_path))
    assert books.real() == cache / BOOK

    (tmp_path / BOOK).touch()
    assert books.real() == tmp_path / BOOK
