"""A submission on its way into nbgrader: links stay out, and the released shape comes back."""

import copy
import json
import os

import nbformat
import pytest

from autograder import build
from autograder.contract import load
from autograder.course import find
from autograder.nbgrader_plugin.reader import drop_links
from autograder.nbgrader_plugin.repair import repaired
from autograder.reading import read
from tests import toy

ANSWER = "def double(number):\n    return 7"
OTHER = "def running(numbers, start=0, *, step=1):\n    return []"


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """The toy chapter, built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(toy.make_course(tmp_path_factory.mktemp("toy"))))
        chapter = find("ch01")
        build.write(chapter)
        yield chapter


def released(chapter):
    return nbformat.read(chapter.release, as_version=4)


def handed_in(chapter, change):
    """The release with one function written, changed further in place."""
    notebook = json.loads(chapter.release.read_text())
    the(notebook["cells"], "solve-double")["source"] = ANSWER
    change(notebook["cells"])
    return notebook


def mend(chapter, notebook):
    contract = load(chapter)
    return repaired(released(chapter), read(json.dumps(notebook).encode(), contract), contract)


def the(cells, name):
    return next(cell for cell in cells if cell["id"] == name)


def change_nothing(cells):
    pass


def delete_check(cells):
    cells.remove(the(cells, "check-double"))


def copy_check(cells):
    cells.insert(0, copy.deepcopy(the(cells, "check-double")))


def change_check(cells):
    the(cells, "check-double")["source"] = "True"
    the(cells, "check-double")["metadata"]["nbgrader"]["points"] = 1000


def change_given(cells):
    the(cells, "given-tally")["source"] = "LIMIT = 10**9"


def copy_answer(cells):
    cells.insert(0, copy.deepcopy(the(cells, "solve-double")))
    cells[0]["source"] = "def double(number):\n    return 1"


def lose_metadata(cells):
    for cell in cells:
        cell["metadata"] = {}


def lose_ids(cells):
    lose_metadata(cells)
    for number, cell in enumerate(cells):
        cell["id"] = f"other-{number}"


@pytest.mark.parametrize("change", [
    change_nothing, delete_check, copy_check, change_check, change_given, copy_answer,
    lose_metadata, lose_ids, list.reverse,
], ids=lambda change: change.__name__)
def test_repair_restores_the_release(chapter, change):
    """Every released cell is there once, in order, as released, and the answer in its place."""
    expected = released(chapter).cells
    the(expected, "solve-double")["source"] = ANSWER
    ids = {cell.id for cell in expected}
    mended = mend(chapter, handed_in(chapter, change)).cells

    assert [cell for cell in mended if cell.id in ids] == expected


def test_repair_says_where_a_merged_function_is(chapter):
    """A cell that defines two functions fills one place; the other place names it."""
    def merge(cells):
        the(cells, "solve-double")["source"] = f"{ANSWER}\n\n{OTHER}"
        cells.remove(the(cells, "solve-running"))

    cells = mend(chapter, handed_in(chapter, merge)).cells

    assert the(cells, "solve-double").source == f"{ANSWER}\n\n{OTHER}"
    assert the(cells, "solve-running").source == "# solve-running stands in solve-double"


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_repair_keeps_own_cells_but_kills_their_markup(chapter, kind):
    """A learner's own cell stays behind the one it followed, shown but never interpreted."""
    def add(cells):
        place = cells.index(the(cells, "solve-double")) + 1
        cells.insert(place, {"cell_type": kind, "id": "own", "source": "<b>&\n\n[x](javascript:y)",
                             "metadata": {"tags": ["<b>"]}, "attachments": {"a": {"<b>": ""}}})

    cells = mend(chapter, handed_in(chapter, add)).cells
    own = cells[cells.index(the(cells, "solve-double")) + 1]
    text = "&lt;b&gt;&amp;\n\n[x](javascript:y)"

    assert own.cell_type == "markdown"
    assert own.source == f'<pre style="white-space: pre-wrap">{text}</pre>'
    assert own.metadata == {}
    assert "attachments" not in own


def test_answer_in_a_text_cell_is_no_answer(chapter):
    """A solution cell that became Markdown is kept as text, and the released stub stands again."""
    def turn(cells):
        the(cells, "solve-double")["cell_type"] = "markdown"

    cells = mend(chapter, handed_in(chapter, turn)).cells
    stub = the(cells, "solve-double")

    assert stub == the(released(chapter).cells, "solve-double")
    assert ANSWER in [cell.source for cell in cells][cells.index(stub) - 1]


def test_half_a_character_can_be_written(chapter):
    """A lone surrogate, which no file can hold, becomes a question mark."""
    def break_text(cells):
        the(cells, "solve-double")["source"] = ANSWER + "  # \ud800"

    mended = mend(chapter, handed_in(chapter, break_text))

    assert the(mended.cells, "solve-double").source == ANSWER + "  # ?"
    nbformat.writes(mended).encode("utf-8")


def test_only_plain_files_are_let_in(tmp_path):
    """Links, pipes and hidden links go, since nbgrader would follow them; files and the notebook,
    whatever it is, stay."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    folder = tmp_path / "submitted" / "eve" / "ch01"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "notes.txt").write_text("mine")
    for name in ("ch01.ipynb", ".hidden.ipynb", "data/link.txt"):
        (folder / name).symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")

    drop_links(assignment="ch01", student="*", notebooks=[str(folder / "ch01.ipynb")])

    left = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    assert left == {"ch01.ipynb", "data", "data/notes.txt"}
    assert secret.read_text() == "secret"
