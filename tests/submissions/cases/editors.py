"""What Colab, VS Code, nbdev, older formats and careless tools make of a notebook."""

from __future__ import annotations

from typing import Any

from tests.submissions.kit import (
    FLOAT32,
    Notebook,
    answered,
    case,
    edited,
    inserted,
    lines,
    source,
    written,
)


@case(mentions=("line 1 left out, it is IPython's: %matplotlib inline",
                "line 4 left out, it is IPython's: randfloat32?"))
def magic_lines() -> Notebook:
    """IPython's lines are dropped with a note; the cell's other lines keep their numbers."""
    return written("randfloat32", f"%matplotlib inline\ndef randfloat32(state):\n    {FLOAT32}\n"
                                  "randfloat32?\n!ls it's\n")


@case(mentions=("line 1 left out, it is IPython's: %%time",))
def cell_magic() -> Notebook:
    """Below %%time stands Python, which counts."""
    return written("randfloat32", f"%%time\ndef randfloat32(state):\n    {FLOAT32}\n")


@case()
def nbformat_4_4_without_ids() -> Notebook:
    """Notebooks of an older format have no cell ids."""
    notebook = answered()
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        del cell["id"]
    return notebook


@case()
def lost_metadata() -> Notebook:
    """Without ids and nbgrader's metadata, functions are found by what cells define."""
    notebook = answered()
    notebook["metadata"] = {}
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    return notebook


@case()
def doubled_ids() -> Notebook:
    """All cells with one id, as careless tools write them."""
    notebook = answered()
    for cell in notebook["cells"]:
        cell["id"] = "a"
    return notebook


@case()
def changed_points() -> Notebook:
    """Points come from the course, whatever the notebook's metadata says."""
    notebook = answered()
    for cell in notebook["cells"]:
        if cell["id"].startswith("check-"):
            cell["metadata"]["nbgrader"] |= {"points": 1000, "grade": False}
    return notebook


@case(mentions=("cell 1 (given-state) was changed", "math must move to a cell of your own"))
def changed_given_cell() -> Notebook:
    """Given cells come from the course; the note names what a learner added."""
    notebook = answered()
    cell = notebook["cells"][0]
    cell["source"] = lines("import math\n" + source(cell).replace("N = 624", "N = 3"))
    return notebook


@case()
def colab() -> Notebook:
    """Colab's shape: nbformat 4.0, ids in the metadata, outputs kept, nbgrader's metadata gone."""
    notebook = answered()
    notebook |= {"nbformat_minor": 0, "metadata": {
        "colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"}}}
    for cell in notebook["cells"]:
        cell["metadata"] = {"id": cell.pop("id"), "colab": {"base_uri": "https://localhost/"}}
        cell |= {"execution_count": 7, "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["\"outputs\": ["]}]}
    return notebook


@case()
def vs_code() -> Notebook:
    """VS Code's shape: a language on every cell, ids of its own."""
    notebook = answered()
    notebook["metadata"] = {
        "kernelspec": {"display_name": ".venv", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "version": "3.12.1"}}
    for number, cell in enumerate(notebook["cells"]):
        cell |= {"id": f"#VSC-{number:08x}", "metadata": {"vscode": {"languageId": "python"}}}
    return notebook


@case()
def nbdev_cleaned() -> Notebook:
    """What nbdev's hook leaves: no metadata, no counts, sources as one string."""
    notebook = answered()
    notebook["metadata"] = {"kernelspec": notebook["metadata"]["kernelspec"]}
    for cell in notebook["cells"]:
        cell |= {"metadata": {}, "source": source(cell)}
        del cell["id"], cell["execution_count"]
    return notebook


@case()
def nbformat_3() -> Notebook:
    """Worksheets, and code under ``input``."""
    notebook = answered()
    cells = [{"cell_type": "code", "collapsed": False, "input": cell["source"],
              "language": "python", "metadata": {}, "outputs": []} for cell in notebook["cells"]]
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0,
            "worksheets": [{"cells": cells, "metadata": {}}]}


@case(mentions=("passed over, since it is no cell: entry 2, 3",))
def odd_types() -> Notebook:
    """Entries that are no cells, and fields of wrong types, cost only themselves."""
    odd: list[Any] = [None, 7, {}, {"cell_type": 3, "source": {"a": 1}, "metadata": []}]
    return inserted(1, *odd)


@case(failed={"randfloat32": "unexpected error"},
      mentions=("line 1: a NUL byte stands in the text",))
def nul_byte() -> Notebook:
    """A NUL byte makes one cell unreadable."""
    return edited("randfloat32", "def randfloat32", "\0def randfloat32")


@case()
def illegal_ids() -> Notebook:
    """Ids that nbformat refuses: too long, with spaces, empty, and numbers."""
    notebook = answered()
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = ("x" * 100, "with a space", "", 7)[number % 4]
    return notebook


def in_minor(minor: int) -> Notebook:
    """An answered notebook as that version of format 4 has it."""
    notebook = answered()
    notebook["nbformat_minor"] = minor
    for cell in notebook["cells"]:
        if minor < 5:
            del cell["id"]
        if minor < 2:  # nbgrader's own schema of that day
            cell["metadata"].get("nbgrader", {}).pop("task", None)
    return notebook


for each in range(4):

    def made(minor: int = each) -> Notebook:
        """Every version of format 4 can be read."""
        return in_minor(minor)

    made.__name__ = f"nbformat_4_{each}"
    case()(made)


@case()
def format_of_the_future() -> Notebook:
    """A minor version that is not out yet only adds what nobody asks for."""
    return answered() | {"nbformat_minor": 99}


@case()
def another_kernelspec() -> Notebook:
    """Which kernel it was written with is nobody's business here."""
    notebook = answered()
    notebook["metadata"] = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"},
                            "language_info": {"name": "R"}}
    return notebook


@case()
def jupytext_paired() -> Notebook:
    """Jupytext's marks in the notebook's and the cells' metadata."""
    notebook = answered()
    notebook["metadata"]["jupytext"] = {"formats": "ipynb,py:percent", "main_language": "python"}
    for cell in notebook["cells"]:
        cell["metadata"] |= {"jupyter": {"outputs_hidden": True}, "lines_to_next_cell": 2}
    return notebook


@case()
def outputs_that_no_viewer_shows() -> Notebook:
    """Outputs are never looked at, whatever they hold."""
    notebook = answered()
    for cell in notebook["cells"]:
        cell["outputs"] = [{"output_type": "display_data", "metadata": None, "data": [1, None]},
                           "<script>alert(1)</script>", {"output_type": "error", "ename": 3}]
    return notebook
