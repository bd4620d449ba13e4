"""What tests of chapters against the outside world need: the course's own code of a chapter, real
texts, and another process.

The texts are found in the folder that ``OL_DATA`` names; tests that want them are skipped
elsewhere. Nothing is downloaded.
"""

import bz2
import functools
import os
import re
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder import books
from benchmarks import reference as benchmark

ROOT = Path(__file__).parent.parent
DECLARATION = "udhr2.zip"


@contextmanager
def reference(name):
    """The reference of a chapter as a module; what it needs is importable meanwhile."""
    try:
        yield benchmark.reference(name)
    finally:
        for module in [each for each in sys.modules if each.split(".")[0] == "llmdata"]:
            del sys.modules[module]


def elsewhere(code, *arguments, **environment):
    """What ``code`` prints in a process of its own that has these variables too."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, env=os.environ | environment,
        capture_output=True, text=True, check=True,
    )
    return done.stdout


def cut(text):
    """The front matter of a book and its twelve stories."""
    return re.split(r"^(?=[IVX]+\. [A-Z’' -]+$)", text, flags=re.MULTILINE)


def embedded_stories():
    """The twelve stories of the course's own book."""
    return cut(books.embedded().read_bytes().decode().replace("\r\n", "\n"))[1:]


def real_text():
    """The text of the real book."""
    path = books.real()
    if path is None:
        pytest.skip("the real book is not here; 'ol data' brings it, OL_DATA names its folder")
    return path.read_bytes().decode()


def real_stories():
    """The twelve stories of the real book."""
    return cut(real_text())[1:]


def gpt2_merges():
    """GPT-2's 50,000 merges, as lines of two tokens in byte characters."""
    packed = (ROOT / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes()
    return bz2.decompress(packed).decode().splitlines()[1:]


def found(name):
    """A file in the folder that OL_DATA names."""
    path = Path(os.environ.get("OL_DATA", "")) / name
    if not os.environ.get("OL_DATA") or not path.is_file():
        pytest.skip(f"OL_DATA names no folder with {name}")
    return path


@functools.cache
def _translations(path):
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".txt")]
        return {Path(name).stem: archive.read(name).decode() for name in names}


def translations():
    """The Universal Declaration of Human Rights in 388 languages and most living scripts."""
    return dict(_translations(found(DECLARATION)))
