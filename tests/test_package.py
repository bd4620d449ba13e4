"""The package that is exported: what pip gets, where it came from, and what it leaves alone."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from autograder.course import CourseError
from autograder.package import ExportedFunction, ExportedModule, write_package
from autograder.sandbox import Cell

DOUBLE = ExportedFunction(
    "double", "learner", "work/ch01_count/ch01_count.ipynb", 5, "solve-double", "0" * 64,
    "passed", "6 of 6",
)
COUNT = ExportedModule(
    "count", "ch01_count", "Counting", (
        Cell("given-tally", "import math\nLIMIT = 10\n"),
        Cell("cell 5 (solve-double)", "def double(number):\n    return 2 * number\n"),
    ), ("double", "LIMIT"), (DOUBLE,), ("numpy",),
)
WORDS = ExportedModule(
    "words", "ch02_words", 'Words, """quoted""" \\ and more', (
        Cell("cell 3", "from llmdata.count import double"), Cell("cell 4", "four = double(2)"),
    ), ("four",), (), (),
)


def python(target, code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=target, text=True,
                          capture_output=True, check=True)
    return done.stdout.strip()


def test_the_package_imports(tmp_path):
    """Each module stands on the others by their full names, without a warning."""
    write_package(tmp_path, [COUNT, WORDS])

    assert python(tmp_path, "from llmdata.words import *; print(four)") == "4"
    assert python(tmp_path, "import llmdata.words as w; print(w.__doc__)") == (
        'Words, """quoted""" \\ and more: chapter ch02_words.')
    assert python(tmp_path, "from llmdata import *; print(count.double(21))") == "42"


def test_module_text_names_its_cells(tmp_path):
    """The file says that it is generated, from which chapter, and which cell each part is."""
    write_package(tmp_path, [COUNT])

    assert (tmp_path / "llmdata" / "count.py").read_text() == '''\
# Written by 'ol export'; it will be written over. The notebooks are the source.
"""Counting: chapter ch01_count."""


# given-tally
import math
LIMIT = 10


# cell 5 (solve-double)
def double(number):
    return 2 * number


__all__ = [
    "LIMIT",
    "double",
]
'''


def test_future_imports_move_to_the_top(tmp_path):
    """What a cell may have anywhere, a file may only have first."""
    line = "x = 'é'; from __future__ import annotations; y = 2"
    late = Cell("cell 9", f"{line}\ndef f(a: nothing): pass")
    write_package(tmp_path, [replace(COUNT, cells=(*COUNT.cells, late))])

    shown = python(tmp_path, "from llmdata.count import f, x, y; print(x, y, f.__annotations__)")
    assert shown == "é 2 {'a': 'nothing'}"


COMMAND = ExportedModule(
    "tokenize", "ch03_command", "A command", (
        Cell("cell 5", "import asyncio, sys\ndef main():\n    print('ran', sys.argv[1])"),
    ), ("main",), (), (),
)


@pytest.mark.parametrize("how", [["-m", "llmdata"], ["llmdata/__main__.py"], ["llmdata"]])
def test_a_main_makes_a_command(tmp_path, how):
    """By module, by script and by folder, whatever the standard library calls its own modules."""
    write_package(tmp_path, [COMMAND])
    done = subprocess.run([sys.executable, "-W", "error", *how, "this"], cwd=tmp_path, text=True,
                          capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "ran this\n", "")


def test_the_last_main_is_the_command(tmp_path):
    """Of two chapters with a command the later one answers, in whatever order they are given."""
    first = replace(COMMAND, name="words", chapter="ch02_words", cells=(
        Cell("cell 5", "def main():\n    print('not me')"),
    ))
    for number, modules in enumerate(([first, COMMAND], [COMMAND, first])):
        write_package(tmp_path / str(number), modules)
        done = subprocess.run([sys.executable, "-m", "llmdata", "this"], text=True,
                              cwd=tmp_path / str(number), capture_output=True, check=False)
        assert done.stdout == "ran this\n"


def test_provenance_tells_where_each_function_came_from(tmp_path):
    """Notebook, cell, hash and verdict, and whether the learner wrote it."""
    write_package(tmp_path, [COUNT, WORDS])
    provenance = json.loads((tmp_path / "llmdata" / "PROVENANCE.json").read_text())

    assert provenance["version"] == 1
    assert provenance["modules"]["count"]["chapter"] == "ch01_count"
    assert provenance["modules"]["count"]["functions"] == [{
        "name": "double", "origin": "learner", "notebook": "work/ch01_count/ch01_count.ipynb",
        "cell": 5, "cell_id": "solve-double", "sha256": "0" * 64, "verdict": "passed",
        "tests": "6 of 6",
    }]


def contents(folder) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*") if path.is_file()
    }


def test_same_modules_same_bytes(tmp_path):
    """The order in which modules are given does not matter, nor what was exported before."""
    write_package(tmp_path / "a", [COUNT, WORDS])
    write_package(tmp_path / "b", [replace(WORDS, name="gone")])
    write_package(tmp_path / "b", [WORDS, COUNT])

    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert sorted(contents(tmp_path / "b")) == [
        "llmdata/PROVENANCE.json", "llmdata/__init__.py", "llmdata/count.py", "llmdata/words.py",
        "pyproject.toml",
    ]


@pytest.mark.parametrize("provenance", [None, "{}", "[]", "{", '{"format": "other"}'])
def test_a_foreign_folder_stays(tmp_path, provenance):
    """A package that is not ours is not replaced, whatever it holds."""
    package = tmp_path / "llmdata"
    package.mkdir()
    (package / "mine.py").write_text("1")
    if provenance is not None:
        (package / "PROVENANCE.json").write_text(provenance)
    before = contents(tmp_path)

    with pytest.raises(CourseError, match="was not written by 'ol export'"):
        write_package(tmp_path, [COUNT])
    assert contents(tmp_path) == before


def test_a_link_is_not_followed(tmp_path):
    """A link to an export of ours is still somebody's link."""
    write_package(tmp_path / "real", [COUNT])
    (tmp_path / "llmdata").symlink_to(tmp_path / "real" / "llmdata")

    with pytest.raises(CourseError, match="was not written"):
        write_package(tmp_path, [WORDS])
    assert (tmp_path / "real" / "llmdata" / "count.py").exists()


def test_a_foreign_pyproject_stays(tmp_path):
    """So does a project file; nothing else is written then."""
    (tmp_path / "pyproject.toml").write_text("[project]\n")

    with pytest.raises(CourseError, match=r"pyproject\.toml was not written"):
        write_package(tmp_path, [COUNT])
    assert not (tmp_path / "llmdata").exists()


def test_a_failed_write_leaves_the_old_package(tmp_path, monkeypatch):
    """If the new folder cannot take its place, the old one is back."""
    write_package(tmp_path, [COUNT])
    before = contents(tmp_path)
    rename = type(tmp_path).rename

    def fail(self, to):
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, to)

    monkeypatch.setattr(type(tmp_path), "rename", fail)
    with pytest.raises(CourseError, match="No space left"):
        write_package(tmp_path, [WORDS])
    assert contents(tmp_path) == before


def test_pip_can_build_it(tmp_path):
    """setuptools, called as pip calls it, makes a wheel that holds modules and provenance."""
    write_package(tmp_path, [COUNT, WORDS])
    built = python(tmp_path, "import setuptools.build_meta as b; print(b.build_wheel('.'))")
    wheel = built.splitlines()[-1]
    names = python(tmp_path, f"import zipfile; print(zipfile.ZipFile({wheel!r}).namelist())")

    for name in ("__init__.py", "count.py", "words.py", "PROVENANCE.json"):
        assert f"'llmdata/{name}'" in names
    metadata = f"zipfile.ZipFile({wheel!r}).read('llmdata-0.1.0.dist-info/METADATA').decode()"
    assert "Requires-Dist: numpy" in python(tmp_path, f"import zipfile; print({metadata})")
