"""Walks the file system for planted bugs, solutions and the file of the code under test.

Must come of it: nothing. The course's files are out of view, so every implementation passes.
"""

import os
import sys
import time
from pathlib import Path

import pytest

WORDS = ("mutants", "planted", "ch04_mt19937")
SECONDS = 0.3
ENTRIES = 20_000


def walk(top):
    """Paths below ``top``, for a while."""
    end, seen = time.monotonic() + SECONDS, 0
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
        for name in (*folders, *names):
            seen += 1
            yield Path(folder, name)
        if time.monotonic() > end or seen > ENTRIES:
            return


def tops():
    own = Path(__file__).resolve().parent
    return sorted({"/", "/tmp", str(own), str(own.parent), os.getcwd(), os.path.expanduser("~")})


def test_nothing_beside_the_tests_names_bugs():
    """The folders around this file, the current one, home and the root."""
    for top in tops():
        for path in walk(top):
            if path.suffix in (".py", ".json", ".sqlite") and "owntests" not in path.parts:
                assert not any(word in path.name for word in WORDS), path


@pytest.mark.parametrize("name", ["llmdata/rand.py", "rand.py", "llmdata/rand/__init__.py"])
def test_the_file_under_test_is_right(name):
    """Where a file of the module can be read, it has the right comparison."""
    for folder in {*sys.path, ".", "..", os.path.dirname(__file__)}:
        path = Path(folder or ".", name)
        if path.is_file():
            assert "state.left <= 0" in path.read_text(errors="replace")
