"""How a submission comes into nbgrader: any bytes are read, and no link is followed.

nbgrader copies a submission's files and parses its notebook before any preprocessor can look at
them; these two stand in front of that. What the cells are worth is not decided here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from traitlets.log import get_logger

from autograder.contract import load
from autograder.course import find
from autograder.judging import handed_in
from autograder.nbgrader_plugin.nodes import node
from autograder.reading import Refused, Unreadable, read

__all__ = ["SubmissionExporter", "drop_links", "submission_path"]


def submission_path(exporter: Any, resources: Any) -> Path:
    """The file that was handed in, whichever of its copies nbgrader is working on."""
    course, names = exporter.parent.coursedir, resources["nbgrader"]
    folder = course.format_path(course.submitted_directory, names["student"], names["assignment"])
    return Path(folder) / f"{names['notebook']}.ipynb"


class SubmissionExporter(NotebookExporter):
    """Reads what was handed in into ``resources["nbgrader"]["reading"]`` (None where there is
    nothing to read) and leaves the notebook empty; ``RepairSubmission`` fills it."""

    def from_filename(self, filename: str, resources: Any = None, **kwargs: Any) -> Any:
        if Path(filename) != submission_path(self, resources):  # our own, in the autograded folder
            return super().from_filename(filename, resources, **kwargs)
        names = resources["nbgrader"]
        try:
            source = handed_in(Path(filename))
            if isinstance(source, str):
                raise Refused(source)
            names["reading"] = read(source, load(find(names["assignment"])))
        except Unreadable as error:
            self.log.warning("Nothing to grade: %s", error)
            names["reading"] = None
        empty = node(cells=[], metadata=node(), nbformat=4, nbformat_minor=5)
        # nbconvert's own method is untyped
        return self.from_notebook_node(empty, resources, **kwargs)  # type: ignore[no-untyped-call]


def drop_links(*, assignment: str, student: str, notebooks: Sequence[str]) -> None:
    """Remove from submissions whatever is neither a file nor a folder, but for the notebooks.

    nbgrader would copy what a link points at, such as another learner's work, and wait for ever at
    a pipe. The notebooks it does not copy, and ``read`` refuses those that are links.
    """
    for folder in {Path(notebook).parent for notebook in notebooks}:
        for parent, folders, files in os.walk(folder):
            for path in (Path(parent, name) for name in (*folders, *files)):
                plain = not path.is_symlink() and (path.is_file() or path.is_dir())
                if not plain and str(path) not in notebooks:
                    get_logger().warning("Removed %s: neither a file nor a folder", path)
                    path.unlink()
