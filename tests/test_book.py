"""``ol data``: the right text or none, from OL_DATA, the cache or a server."""

import functools
import http.server
import os
import threading
from pathlib import Path

import pytest

from autograder import book, books
from autograder.course import CourseError

DATA = os.environ.get("OL_DATA")
MARKED = "\ufeffheader\r\n*** START OF THE BOOK ***\r\n{}*** END OF THE BOOK ***\r\nlicence\r\n"


@pytest.fixture
def real_text() -> bytes:
    if not DATA or not (Path(DATA) / books.BOOK).is_file():
        pytest.skip(f"{books.BOOK} does not lie in OL_DATA")
    return (Path(DATA) / books.BOOK).read_bytes()


@pytest.fixture
def served(tmp_path):
    """Serves a folder on the loopback address; gives the folder and its URL."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/pg1661.txt"
        server.shutdown()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(books.pooch, "os_cache", lambda name: tmp_path / "cache" / name)
    monkeypatch.delenv("OL_DATA", raising=False)
    return tmp_path / "cache" / "bytes-to-batches"


def test_download_is_checked_and_kept(real_text, served, cache):
    """The lines between the markers of what was sent are kept when their hash is the known one."""
    folder, url = served
    body = real_text.decode().replace("\n", "\r\n")
    (folder / "pg1661.txt").write_bytes(MARKED.format(body).encode())

    assert book.fetch(url).read_bytes() == real_text
    assert [path.name for path in cache.iterdir()] == [books.BOOK]
    assert book.fetch("http://127.0.0.1:9/never-asked") == cache / books.BOOK


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (MARKED.format("another text\r\n"), "another text than this course knows"),
        ("no markers at all", "no START and END marker"),
        ("*** END OF\n*** START OF\n", "no START and END marker"),
    ],
)
def test_wrong_text_is_not_kept(served, cache, sent, said):
    """Whatever else a server sends, nothing is kept under the book's name."""
    folder, url = served
    (folder / "pg1661.txt").write_bytes(sent.encode())

    with pytest.raises(CourseError, match=said):
        book.fetch(url)
    assert list(cache.iterdir()) == []


def test_no_network_says_what_to_do():
    """Without a server the message names OL_DATA as the way round."""
    with pytest.raises(CourseError, match="OL_DATA="):
        book.fetch("http://127.0.0.1:9/pg1661.txt")


def test_named_folder_comes_first(real_text, tmp_path, monkeypatch):
    """A text in OL_DATA is used if it is the right one, and named if it is not."""
    (tmp_path / books.BOOK).write_bytes(real_text)
    monkeypatch.setenv("OL_DATA", str(tmp_path))
    assert book.fetch() == tmp_path / books.BOOK

    (tmp_path / books.BOOK).write_bytes(real_text + b"\n")
    with pytest.raises(CourseError, match="is not the text"):
        book.fetch()
