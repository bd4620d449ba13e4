"""The last step of a release: nothing in the notebook but what the course put there.

nbgrader lets through what an editor adds to a source notebook (a kernel's version, timings,
widget state). This preprocessor ends both ``GenerateAssignment.preprocessors`` and ``build``'s own
list of steps, so that the two write the same bytes.
"""

from __future__ import annotations

from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor

__all__ = ["METADATA", "NormalizeRelease"]

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("deletable", "editable", "nbgrader", "tags")


class NormalizeRelease(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader publishes no types
    """Fixed notebook metadata and the chapter's header, four cell metadata keys, cell ids equal to
    nbgrader's."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Clean ``nb`` in place."""
        header = {"course": nb.metadata["course"]} if "course" in nb.metadata else {}
        nb.metadata.clear()
        nb.metadata.update(METADATA | header)
        nb.nbformat_minor = 5
        for cell in nb.cells:
            for key in cell.metadata.keys() - set(KEPT):
                del cell.metadata[key]
            cell.id = cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)
        return nb, resources
