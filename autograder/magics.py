"""IPython's own lines taken out of a cell, with every other line left where it was.

``%magic``, ``!shell`` and ``?help`` lines and calls of ``get_ipython()`` mean nothing in a module.
Whether the rest is Python is not looked at here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from autograder.show import clean

__all__ = ["without_ipython", "without_magics", "without_statements"]

# At the start of a statement none of these is Python: %magic, !shell, ?help, name?, names = !shell.
MAGIC = re.compile(r"\s*+(?:[%!?]|[\w.*]++\?{1,2}\s*$|[\w.,\t ]++=\s*+[%!])")
CELL_MAGIC = re.compile(r"\s*%%(\w+)")
# The magics whose cell is still Python; below any other (%%bash, %%html, ...) nothing is.
AROUND_PYTHON = {"capture", "memit", "prun", "time", "timeit"}
TOKEN = re.compile(
    r"""(?P<comment>\#)|(?P<triple>\"{3}|'{3})|"(?:\\.|[^"\\])*+"?|'(?:\\.|[^'\\])*+'?"""
    r"""|(?P<open>[\[({])|(?P<close>[\])}])""",
    re.DOTALL,
)


class _Statements:
    """Follows strings and brackets, to know at which lines a statement can begin."""

    def __init__(self) -> None:
        self._depth, self._triple, self._continued = 0, "", False

    def can_begin(self) -> bool:
        return not (self._depth or self._triple or self._continued)

    def feed(self, line: str) -> None:
        position = 0
        while position < len(line):
            if self._triple:
                end = line.find(self._triple, position)
                if end < 0:
                    break
                position, self._triple = end + 3, ""
                continue
            token = TOKEN.search(line, position)
            if token is None or token["comment"]:
                break
            position = token.end()
            self._triple = token["triple"] or ""
            self._depth = max(0, self._depth + bool(token["open"]) - bool(token["close"]))
        self._continued = line.endswith("\\")


def _note(number: int, line: str) -> str:
    return f"line {number} left out, it is IPython's: {clean(line.strip(), 60)}"


def _blank(line: str) -> str:
    """A line of the same indentation that does nothing."""
    return line[: len(line) - len(line.lstrip())] + "pass"


def without_magics(source: str) -> tuple[str, tuple[str, ...]]:
    """``source`` with IPython's lines replaced by ``pass``, and a note for each."""
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    cell_magic = CELL_MAGIC.match(lines[first])
    if cell_magic and cell_magic[1] not in AROUND_PYTHON:
        note = f"the whole cell left out, it is IPython's: %%{cell_magic[1]}"
        return "\n" * (len(lines) - 1), (note,)
    statements, notes, in_magic = _Statements(), [], False
    for i, line in enumerate(lines):
        if in_magic or (statements.can_begin() and MAGIC.match(line)):
            notes.append(_note(i + 1, line))
            lines[i], in_magic = "" if in_magic else _blank(line), line.endswith("\\")
        else:
            statements.feed(line)
    return "\n".join(lines), tuple(notes)


def without_statements(source: str, statements: Iterable[ast.stmt]) -> str:
    """``source`` with ``pass`` for each of its ``statements``; lines keep their numbers."""
    lines = source.encode("utf-8").split(b"\n")  # the tree counts columns in bytes
    # From the end, so that earlier columns stay right.
    for node in sorted(statements, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        start, end = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        statement = lines[start][: node.col_offset] + b"pass" + lines[end][node.end_col_offset :]
        lines[start : end + 1] = [statement, *[b""] * (end - start)]
    return b"\n".join(lines).decode("utf-8")


def _ipython_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == "get_ipython" for each in ast.walk(node)
        ):
            yield node


def without_ipython(source: str, tree: ast.Module) -> tuple[str, tuple[str, ...]]:
    """``source``, whose syntax tree is ``tree``, with statements on ``get_ipython()`` replaced."""
    if "get_ipython" not in source:
        return source, ()
    found = sorted(_ipython_statements(tree), key=lambda node: node.lineno)
    lines = source.split("\n")
    notes = tuple(_note(node.lineno, lines[node.lineno - 1]) for node in found)
    return without_statements(source, found), notes
