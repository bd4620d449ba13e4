"""A submission read as data: every encoding and version, every kind of damage, bounded."""

import gc
import hashlib
import json
import os
import tracemalloc

import pytest

from autograder import build, contract, course, reading
from autograder.reading import Unreadable, read
from tests import toy

SOURCE = "def double(number):\n    return 'é' + number"


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The toy chapter's contract."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(toy.make_course(tmp_path_factory.mktemp("course"))))
        chapter = course.find("ch01")
        return contract.from_notebook(chapter, json.loads(build.build(chapter).solution))


def notebook(*cells, **more) -> dict:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def code(source=SOURCE, **more) -> dict:
    return {"cell_type": "code", "id": "solve-double", "metadata": {}, "source": source,
            "outputs": [], "execution_count": None, **more}


def text(notebook: dict) -> str:
    return json.dumps(notebook, ensure_ascii=False)


@pytest.mark.parametrize("encoding", [
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1",
])
def test_every_usual_encoding_is_read(wanted, encoding):
    """What some editor or mail program made of the file is converted; the hash is of the bytes."""
    data = text(notebook(code())).encode(encoding)
    found = read(data, wanted)

    assert found.cells[0].source == SOURCE
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert (found.notes == ()) is encoding.startswith("utf-8")


@pytest.mark.parametrize("source", [
    SOURCE, SOURCE.splitlines(keepends=True), SOURCE.replace("\n", "\r\n"),
    SOURCE.replace("\n", "\r"),
])
def test_source_is_one_text_with_plain_line_ends(wanted, source):
    """A string or a list of lines, with any line ends."""
    assert read(text(notebook(code(source))).encode(), wanted).cells[0].source == SOURCE


@pytest.mark.parametrize(("cell", "id_", "grade_id"), [
    (code(), "solve-double", "solve-double"),
    (code(id="abc", metadata={"nbgrader": {"grade_id": "solve-double"}}), "abc", "solve-double"),
    (code(id=None, metadata={"id": "solve-double"}), "solve-double", "solve-double"),
    (code(id="<script>"), "", ""),
    (code(id="x" * 65), "", ""),
    (code(id=7), "", ""),
    (code(id="other"), "other", ""),
    (code(id="other", metadata={"nbgrader": {"grade_id": "a b"}}), "other", ""),
    (code(id="other", metadata={"nbgrader": "yes"}), "other", ""),
    (code(id="other", metadata=[]), "other", ""),
])
def test_ids_are_legal_or_empty(wanted, cell, id_, grade_id):
    """nbgrader's id, or a cell id that the course uses; Colab keeps the latter in the metadata."""
    found = read(text(notebook(cell)).encode(), wanted).cells[0]

    assert (found.id, found.grade_id) == (id_, grade_id)


def test_nbformat_4_0_and_duplicate_ids_are_read(wanted):
    """Ids may be missing or doubled."""
    old = {key: value for key, value in code().items() if key != "id"}
    found = read(text(notebook(old, code(), code(), nbformat_minor=0)).encode(), wanted)

    assert [cell.id for cell in found.cells] == ["", "solve-double", "solve-double"]


def test_nbformat_3_is_read(wanted):
    """Worksheets are joined; code stands under ``input``."""
    sheet = {"cells": [{"cell_type": "heading", "level": 1, "source": ["Title"]},
                       {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"}]}
    found = read(json.dumps({"nbformat": 3, "worksheets": [sheet, sheet]}).encode(), wanted)

    assert [(cell.index, cell.kind, cell.source) for cell in found.cells] == [
        (1, "markdown", "Title"), (2, "code", "x = 1\ny = 2"),
        (3, "markdown", "Title"), (4, "code", "x = 1\ny = 2"),
    ]


@pytest.mark.parametrize("odd", [
    None, 7, "text", [], [["cells"]], {"source": 3}, {"source": [1, "a"]}, {"cell_type": []},
])
def test_odd_types_cost_only_themselves(wanted, odd):
    """An entry that is no cell leaves the others where they are."""
    found = read(text(notebook(odd, code())).encode(), wanted)

    assert [cell.index for cell in found.cells] == [1, 2]
    assert found.cells[1].source == SOURCE
    assert bool(found.notes) is not isinstance(odd, dict)


@pytest.mark.parametrize(("data", "message"), [
    (b"", "the file is empty"),
    (b" \n", "the file is empty"),
    (b"{", "not a notebook: Expecting property name"),
    (b"[1, 2]", "outermost value is no object"),
    (b'"cells"', "outermost value is no object"),
    (b"{}", "no cells"),
    (b'{"cells": []}', "no cells"),
    (b'{"cells": {"0": {}}}', "no cells"),
    (b'{"worksheets": [[], {"cells": 3}]}', "no cells"),
    (b"def f():\n    pass\n", "looks like a Python script"),
    (b"\n<!DOCTYPE html><html>", "web page"),
    (b'{\n<<<<<<< HEAD\n"cells": []\n=======\n', "merge conflict"),
    (b'{"cells": ' + b"[" * 100_000, "not a notebook"),
    (b'{"cells": [' + b"9" * 5000 + b"]}", "not a notebook"),
    (b"\xff\xfe\x00", "not a notebook"),
    (b"PK\x03\x04\x14\x00\x00\x00", "not a notebook"),
])
def test_what_is_no_notebook_is_refused(wanted, data, message):
    """The message says what it is instead."""
    with pytest.raises(Unreadable, match=message):
        read(data, wanted)


def test_a_file_is_read_only_if_it_is_one(wanted, tmp_path):
    """A folder, a pipe, a link and nothing at all are refused without waiting or following."""
    real = tmp_path / "real.ipynb"
    real.write_text(text(notebook(code())))
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "link.ipynb").symlink_to(real)

    assert read(real, wanted).cells[0].source == SOURCE
    for name, message in {
        "link.ipynb": "is a link", "pipe.ipynb": "is not a file", ".": "cannot be read|is not a fi",
        "none.ipynb": "cannot be read",
    }.items():
        with pytest.raises(Unreadable, match=message):
            read(tmp_path / name, wanted)


def test_size_is_bounded(wanted, tmp_path, monkeypatch):
    """A file beyond the limit is refused before it is decoded, text beyond its own limit after."""
    monkeypatch.setattr(reading, "MAX_BYTES", 3000)
    monkeypatch.setattr(reading, "MAX_TEXT", 1000)
    path = tmp_path / "big.ipynb"
    for filler, message in (("x" * 4000, "file is larger"), ("x" * 2000, "cells hold more")):
        path.write_text(text(notebook(code(filler))))
        with pytest.raises(Unreadable, match=message):
            read(path, wanted)


def test_too_many_cells_are_refused(wanted, monkeypatch):
    """The number of cells has a bound of its own."""
    monkeypatch.setattr(reading, "MAX_CELLS", 3)
    with pytest.raises(Unreadable, match="more than 3 cells"):
        read(text(notebook(*[code()] * 4)).encode(), wanted)


@pytest.mark.parametrize("bulk", [
    {"outputs": [{"text": "x" * 5000}]},
    {"outputs": [{"data": {"text/html": ['"]}{[\\', "[" * 5000]}}]},
    {"attachments": {"a.png": {"image/png": "x" * 5000}}},
])
def test_outputs_do_not_count(wanted, monkeypatch, bulk):
    """Outputs and pasted pictures are dropped before the JSON is parsed, whatever they hold."""
    monkeypatch.setattr(reading, "MAX_TEXT", 1000)
    found = read(text(notebook(code(**bulk), code())).encode(), wanted)

    assert [cell.source for cell in found.cells] == [SOURCE, SOURCE]


@pytest.mark.parametrize("source", [
    '{"outputs": [1, 2]}', '\\"outputs": [', 'd = {"a": 1, "outputs": [[["]}', '\\\\" ,"outputs":[',
])
def test_source_that_looks_like_outputs_stays(wanted, source):
    """Only a key of the notebook is dropped, never the text of a cell."""
    found = read(text(notebook(code(source, outputs=[{"text": source}]), code())).encode(), wanted)

    assert [cell.source for cell in found.cells] == [source, SOURCE]


def test_memory_stays_near_the_size_of_the_file(wanted):
    """A long output costs a few copies of its bytes, not a tree of Python objects."""
    data = text(notebook(code(outputs=[{"text": ["a\n"] * 200_000}]))).encode()
    gc.collect()
    tracemalloc.start()
    read(data, wanted)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 4 * len(data)


def test_an_output_that_never_ends_is_left_at_once(wanted):
    """An open string full of escaped quotes is passed over once, not once for each quote."""
    data = text(notebook(code())).encode().partition(b'"outputs": [')[0]

    with pytest.raises(Unreadable, match="not a notebook"):
        read(data + b'"outputs": ["' + b'\\"' * 300_000, wanted)


def test_labels_name_cells(wanted):
    """Messages name a cell by its place, and by its id where it has one."""
    graded = code(id="5eed", metadata={"nbgrader": {"grade_id": "solve-running"}})
    found = read(text(notebook(code(), graded, code(id=None))).encode(), wanted)

    assert [cell.label for cell in found.cells] == [
        "cell 1 (solve-double)", "cell 2 (solve-running)", "cell 3"]
