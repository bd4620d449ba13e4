"""A chapter's contract as a type stub: ``docs/contracts/llmdata/MODULE.pyi``.

Signatures, annotated fields and the first line of each docstring, for people and type checkers, of
what the chapter exports. Helpers that a solution makes for itself are none of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from autograder.contract import Contract

__all__ = ["stub_text"]

LITERALS = (bool, int, float, str, bytes)


def _public(name: str) -> bool:
    return not name.startswith("_") or name.endswith("__")


def _doc(node: ast.FunctionDef | ast.ClassDef) -> list[ast.stmt]:
    line = (ast.get_docstring(node) or "").partition("\n")[0]
    return [ast.Expr(ast.Constant(line))] if line else []


def _constant(name: str, value: ast.expr) -> ast.AnnAssign:
    """A constant by its type, where the source shows it at a glance."""
    literal = value.value if isinstance(value, ast.Constant) else None
    kind = type(literal).__name__ if isinstance(literal, LITERALS) else "Any"
    return ast.AnnAssign(ast.Name(name), ast.Name(kind), None, simple=1)


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The public definitions of a module or class, as a stub has them."""
    ellipsis: list[ast.stmt] = [ast.Expr(ast.Constant(...))]
    for node in body:
        match node:
            case ast.FunctionDef(name=name) if _public(name):
                node.body = _doc(node) or ellipsis
                yield node
            case ast.ClassDef(name=name) if _public(name):
                node.body = [*_doc(node), *_statements(node.body)] or ellipsis
                yield node
            case ast.AnnAssign(target=ast.Name(id=name)) if _public(name):
                yield ast.AnnAssign(node.target, node.annotation, None, simple=1)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _public(name):
                yield _constant(name, value)


def _imports(tree: ast.Module, used: set[str]) -> Iterator[ast.stmt]:
    """The import statements of ``tree``, cut down to the names in ``used``."""
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound = ((each.asname or each.name).split(".")[0] for each in node.names)
            pairs = zip(node.names, bound, strict=True)
            node.names = [each for each, name in pairs if name in used]
            if node.names:
                yield node


def _defined(node: ast.stmt) -> str:
    """The name that a statement of a stub defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    assert isinstance(node, ast.AnnAssign)
    return ast.unparse(node.target)


def stub_text(contract: Contract) -> str:
    """The text of the chapter's ``.pyi`` file."""
    tree = ast.parse("\n".join(cell.source for cell in contract.reference))
    body = [node for node in _statements(tree.body) if _defined(node) in contract.names]
    used = {node.id for each in body for node in ast.walk(each) if isinstance(node, ast.Name)}
    imports = [ast.unparse(each) for each in _imports(tree, used)]
    if "Any" in used and not any("Any" in line for line in imports):
        imports.append("from typing import Any")
    blocks = [
        f"# Built by 'ol build' from solutions/{contract.chapter}.py: edit that file instead.",
        *(["\n".join(imports)] if imports else []),
        *(ast.unparse(ast.fix_missing_locations(each)) for each in body),
    ]
    return "\n\n".join(blocks) + "\n"
