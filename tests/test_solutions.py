"""The solutions run from top to bottom, as a reader would run them, and show what they promise."""

import nbclient
import nbformat
import pytest

from autograder.contract import load
from autograder.course import chapters


@pytest.fixture(scope="module", params=[chapter.slug for chapter in chapters()])
def ran(request, tmp_path_factory):
    """A chapter and its solution notebook with the outputs of one run."""
    chapter = next(each for each in chapters() if each.slug == request.param)
    notebook = nbformat.read(chapter.solution, as_version=4)
    folder = tmp_path_factory.mktemp("run")
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return chapter, notebook


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_no_cell_writes_an_error_or_a_warning(ran):
    """Nothing on stderr: a warning that learners meet is a fault of the chapter."""
    _, notebook = ran
    noise = [
        output
        for output in outputs(notebook)
        if output.output_type == "error" or output.get("name") == "stderr"
    ]
    assert noise == []


def test_every_check_passes(ran):
    """Each check's card says that its function passed, and the hidden line gives all its points,
    but for a bonus, which nbgrader would refuse."""
    chapter, notebook = ran
    for part in load(chapter).parts:
        card, points = shown(notebook, part.check)
        assert card.splitlines()[0] == f"✔ {part.name}: passed"
        assert points == str(0.0 if part.bonus else float(part.points))


def shown(notebook, cell_id):
    """The first card and the last value of a cell."""
    outputs = next(cell for cell in notebook.cells if cell.id == cell_id).outputs
    texts = {output.output_type: output.data["text/plain"] for output in reversed(outputs)
             if output.output_type in ("display_data", "execute_result")}
    return texts["display_data"], texts["execute_result"]


def test_the_chapters_own_tests_pass(ran):
    """They notice enough bugs, and the hidden line gives all their points."""
    chapter, notebook = ran
    own = load(chapter).own_tests
    card, points = shown(notebook, own.check)
    assert card.splitlines()[0].startswith("✔ Your tests notice ")
    assert points == str(float(own.points))


def test_two_to_four_plots(ran):
    """A chapter has two to four pictures, drawn by its own code."""
    _, notebook = ran
    plots = [
        output
        for output in outputs(notebook)
        if output.output_type == "display_data" and "image/png" in output.data
    ]
    assert 2 <= len(plots) <= 4
