"""From a percent script to the notebooks: ids, metadata, the release, and what is refused."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder import build, course
from autograder.course import CourseError
from tests import toy

ROOT = Path(__file__).parent.parent


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """The toy course's first chapter."""
    monkeypatch.setenv("OL_ROOT", str(toy.make_course(tmp_path)))
    return course.find("ch01")


def cells(data: bytes) -> dict[str, dict]:
    return {cell["id"]: cell for cell in json.loads(data)["cells"]}


def source(cell: dict) -> str:
    return "".join(cell["source"])


def rewrite(chapter, old: str, new: str):
    text = chapter.source.read_text()
    assert text.count(old) == 1
    chapter.source.write_text(text.replace(old, new))


def test_ids_say_what_a_cell_is_for(chapter):
    """A tagged cell is TAG-NAME; any other is numbered within its section."""
    assert list(cells(build.build(chapter).solution)) == [
        "counting-1", "given-tally", "counting-2", "doubling-1", "solve-double", "example-double",
        "check-double", "hints-double", "running-totals-1", "solve-running", "example-running",
        "running-totals-2", "check-running",
    ]


@pytest.mark.parametrize(("name", "wanted"), [
    ("given-tally", {"grade": False, "solution": False, "locked": True}),
    ("solve-double", {"grade": False, "solution": True, "locked": False}),
    ("check-double", {"grade": True, "solution": False, "locked": True, "points": 40}),
])
def test_tags_become_nbgrader_metadata(chapter, name, wanted):
    """What is exported or graded carries nbgrader's metadata, under its id."""
    metadata = cells(build.build(chapter).solution)[name]["metadata"]

    assert metadata == {"nbgrader": wanted | {"grade_id": name, "schema_version": 3, "task": False}}


def test_other_cells_carry_no_metadata(chapter):
    """Examples, hints and untagged cells belong to the learner alone."""
    built = cells(build.build(chapter).solution)
    plain = [built[name]["metadata"] for name in ("example-double", "hints-double", "counting-2")]

    assert plain == [{}, {}, {}]


@pytest.mark.parametrize("product", ["solution", "release"])
def test_notebooks_are_valid_and_clean(chapter, product):
    """nbformat 4.5, fixed metadata with the chapter's header, no outputs, one final newline."""
    data = getattr(build.build(chapter), product)
    notebook = nbformat.reads(data.decode(), as_version=4)
    nbformat.validate(notebook)

    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    header = json.loads(json.dumps(chapter.header))  # tuples as lists
    assert notebook.metadata == build.METADATA | {"course": header}
    assert not any(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    assert {cell.get("execution_count") for cell in notebook.cells} == {None}
    assert data.endswith(b"}\n")


def test_release_holds_no_answer(chapter):
    """Solutions become a stub with its docstring and hints; hidden regions vanish."""
    released = cells(build.build(chapter).release)

    assert source(released["solve-double"]).splitlines()[-3:] == [
        "    # TODO (ch01_count): add.", "    # HINT: number + number.",
        "    raise NotImplementedError",
    ]
    assert source(released["check-double"]) == 'check("double")'
    assert released["check-double"]["metadata"]["deletable"] is False


def test_same_source_same_bytes(chapter):
    """Building twice gives the same bytes."""
    assert build.build(chapter) == build.build(chapter)


def test_nbgrader_releases_the_same_bytes(chapter, tmp_path):
    """``nbgrader generate_assignment`` with the course's config writes what ``build`` writes."""
    build.write(chapter)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", chapter.slug, "--no-db",
         f"--CourseDirectory.release_directory={tmp_path / 'released'}"],
        cwd=tmp_path, env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, timeout=120,
    )

    released = tmp_path / "released" / chapter.slug / f"{chapter.slug}.ipynb"
    assert done.returncode == 0, done.stderr
    assert released.read_bytes() == chapter.release.read_bytes()


def test_normalize_removes_what_editors_add(chapter):
    """A source that JupyterLab has saved over gives the same release."""
    notebook = nbformat.reads(build.build(chapter).release.decode(), as_version=4)
    clean = nbformat.writes(notebook)
    notebook.metadata["language_info"]["version"] = "3.11.4"
    notebook.metadata["widgets"] = {"state": {}}
    for cell in notebook.cells:
        cell.metadata["execution"] = {"iopub.status.busy": "2026-01-01"}
        if "nbgrader" in cell.metadata:
            cell.id = "0123abcd"
    notebook, _ = build.NormalizeRelease().preprocess(notebook, {})

    assert nbformat.writes(notebook) == clean


def test_write_makes_three_files_and_only_what_changed(chapter):
    """``write`` names what it wrote; a second run has nothing to do."""
    assert set(build.write(chapter)) == {chapter.solution, chapter.release, chapter.contract}
    assert build.write(chapter) == []

    chapter.release.write_text("{}")
    assert build.write(chapter) == [chapter.release]


def test_stale_says_what_to_do(chapter):
    """Each product that is missing or not as built gets a sentence, with the command."""
    build.write(chapter)
    assert build.stale(chapter) == []

    rewrite(chapter, "points=40", "points=41")
    chapter.release.unlink()
    assert build.stale(chapter) == [
        "solutions/ch01_count/ch01_count.ipynb is stale: run 'ol build ch01'",
        "notebooks/ch01_count/ch01_count.ipynb is missing: run 'ol build ch01'",
    ]


SCORED = """\
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("double")
### END HIDDEN TESTS
"""


@pytest.mark.parametrize(("old", "new", "message"), [
    ('given="tally"', 'gives="tally"', "line 23: unknown tag gives"),
    ('given="tally"', "given=tally", "line 23: unknown tag incorrectly_encoded_metadata"),
    ('given="tally"', 'given="a tally"', 'given="a tally": that is not a name'),
    ('example="double"', 'example="double" hints="double"', "more than one tag"),
    ('[markdown] hints="double"', 'hints="double"', "hints does not belong on a code cell"),
    ('example="double"', '[markdown] example="double"', "example does not belong on a markdown"),
    ('example="double"', '[raw]', "a raw cell"),
    ('check="double" points=40', 'check="double"', 'check="double" needs points=N'),
    ('check="double" points=40', 'check="double" points="4"', 'check="double" needs points=N'),
    ('example="double"', 'example="double" points=4', "points and bonus belong on a check cell"),
    ('example="double"', 'example="double" bonus=4', "points and bonus belong on a check cell"),
    ('check="double" points=40', 'check="double" bonus=0', "points=N or bonus=N"),
    ('check="double" points=40', 'check="double" points=40 bonus=4', "points=N or bonus=N"),
    ('solve="double"', 'solve="running"', 'a second solve="running"'),
    ('solve="double"', 'solve="triple"', 'solve="triple" defines no function or class triple'),
    ('solve="double"', "", 'check="double", but no cell has solve="double"'),
    ('solve="double"', "", "a SOLUTION region outside of a solve or tests cell"),
    ('check="double" points=40', "", 'solve="double" has no check="double"'),
    ('check="double" points=40', "", "a HIDDEN TESTS region outside of a check cell"),
    ("    ### BEGIN SOLUTION\n    return min", "    return min", "do not pair up"),
    (SCORED, "", 'check="double" has no "### BEGIN HIDDEN TESTS"'),
    ("assert double(21) == 42", "assert double(21 == 42", "its line 1): '(' was never closed"),
    ("LIMIT = 10\n", "LIMIT = = 10\n", "its line 5): invalid syntax"),
    ("# Two functions.", "# Two\u2028functions.", r"line 21: the character '\u2028' ends a line"),
    ("demo = [1, 2, 3]", 'demo = """\n# %%\n"""', "no such line in a string"),
    ("\n# %% [markdown]\n# # C", "\nimport os\n\n# %% [markdown]\n# # C", "before the first"),
])
def test_bad_sources_are_refused(chapter, old, new, message):
    """The message names the file, the line and what is wrong."""
    rewrite(chapter, old, new)

    with pytest.raises(CourseError) as caught:
        build.build(chapter)
    assert str(chapter.source) in str(caught.value)
    assert message in str(caught.value)


def test_a_solution_needs_its_region(chapter):
    """Without BEGIN and END SOLUTION nbgrader would release nothing of the cell."""
    rewrite(chapter, "    ### BEGIN SOLUTION\n    return min", "    return min")
    rewrite(chapter, "LIMIT * 10)\n    ### END SOLUTION\n", "LIMIT * 10)\n")

    with pytest.raises(CourseError, match='solve="double" has no "### BEGIN SOLUTION"'):
        build.build(chapter)


def test_every_problem_is_told_at_once(chapter):
    """One run of ``ol build`` names all that is wrong."""
    rewrite(chapter, "points=40", "points=0")
    rewrite(chapter, "points=60", "points=0")

    with pytest.raises(CourseError) as caught:
        build.build(chapter)
    assert str(caught.value).count("needs points=N") == 2


def is_marker(line: str) -> bool:
    return line.lstrip().removeprefix("#").lstrip().startswith(("%%", "<codecell>", "In["))


LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"])), max_size=4,
).filter(lambda lines: not any(map(is_marker, lines)))


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # examples write their file anew
    deadline=None, max_examples=50,
)
@given(LINES)
@example(["%matplotlib inline", "!ls", "?help"])
def test_any_text_in_code_survives(chapter, lines):
    """A code cell arrives as it stands: quotes, comments that look like magics, any script."""
    code = "\n".join([*(f"# {line}" for line in lines), f"text = {lines!r}"])
    chapter.source.write_text(
        toy.HEADER.format(title="x", module="any", alias="", needs="") + f"\n# %%\n{code}\n",
        encoding="utf-8", newline="")

    assert source(cells(build.build(chapter).solution)["top-1"]) == code
