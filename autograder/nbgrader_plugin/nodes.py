"""Cells and outputs as nbformat wants them, with types. Nothing here knows what they say."""

from __future__ import annotations

from collections.abc import Sequence

from nbformat import NotebookNode

__all__ = ["code_cell", "markdown_cell", "node"]


def node(**fields: object) -> NotebookNode:
    """A part of a notebook; nbformat's writers take its fields for attributes."""
    return NotebookNode(fields)  # type: ignore[no-untyped-call]  # nbformat's own are untyped


def code_cell(name: str, source: str, outputs: Sequence[NotebookNode] = ()) -> NotebookNode:
    """A code cell with the id ``name``."""
    return node(cell_type="code", id=name, metadata={}, source=source, outputs=list(outputs),
                execution_count=None)


def markdown_cell(name: str, source: str) -> NotebookNode:
    """A Markdown cell with the id ``name``."""
    return node(cell_type="markdown", id=name, metadata={}, source=source)
