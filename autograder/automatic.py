"""Automatic mutants of a chapter's reference: small changes made by rule, one at a time.

Rules look at the syntax tree alone. Docstrings, annotations and the wording of error messages are
left as they are. Bugs that a person thought of, and running any of them, are ``planted``'s work.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import TypeVar

from autograder.contract import load, reference_cells
from autograder.course import Chapter

__all__ = ["RULES", "Automatic", "automatic", "changed"]

Node = TypeVar("Node", bound=ast.AST)
Path = tuple[tuple[ast.AST, str, int | None], ...]  # parents: the field, and the place in its list

ONE = ast.Constant(1)
SHORT = 60  # characters: a change quotes as much of its statement as fits
SWAPS: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NAMING = (*SCOPES, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)
NO_CODE = frozenset({"annotation", "returns", "decorator_list", "type_params"})


@dataclass(frozen=True)
class Automatic:
    """One mutant: ``source`` takes the place of the cell of ``function``; ``change`` tells what
    is other in it, in words that no edit elsewhere in the function makes stale."""

    function: str
    change: str
    source: str


def _with(node: Node, **fields: object) -> Node:
    """The node with some fields replaced; the original stays as it is."""
    new = copy.copy(node)
    vars(new).update(fields)
    return new


def _replaced(values: Sequence[object], index: int, *new: object) -> list[object]:
    """A copy of a list with other values from ``index`` on."""
    return [*values[:index], *new, *values[index + len(new) :]]


def _number(value: float) -> ast.expr:
    """A negative number is a minus and a number, as the parser has it."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def numbers_and_texts(node: ast.AST) -> Iterator[ast.AST]:
    """A number is one more or less, a truth value the other one, a text empty."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield _number(value + 1)
            yield _number(value - 1)
        case ast.Constant(value=str(value) | bytes(value)) if value:
            yield ast.Constant(value[:0])


def comparisons(node: ast.AST) -> Iterator[ast.AST]:
    """``<`` becomes ``<=``, ``==`` becomes ``!=``, ``is`` becomes ``is not``, and so on."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield _with(node, ops=_replaced(node.ops, i, SWAPS[type(op)]()))


def operators(node: ast.AST) -> Iterator[ast.AST]:
    """Arithmetic, bitwise and shift operators, ``and`` and ``or``, in ``x += 1`` too."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in SWAPS:
        yield _with(node, op=SWAPS[type(node.op)]())


def negations(node: ast.AST) -> Iterator[ast.AST]:
    """A condition is negated; a minus, ``not`` or ``~`` is left out."""
    match node:
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.comprehension(ifs=tests):
            for i, test in enumerate(tests):
                yield _with(node, ifs=_replaced(tests, i, ast.UnaryOp(ast.Not(), test)))


def _one_off(bound: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(bound, ast.Constant | ast.UnaryOp):  # numbers have a rule of their own
        yield ast.BinOp(bound, ast.Add(), ONE)
        yield ast.BinOp(bound, ast.Sub(), ONE)


def bounds(node: ast.AST) -> Iterator[ast.AST]:
    """A slice or a range begins or ends one earlier or later; an open slice leaves one out."""
    match node:
        case ast.Slice(lower=lower, upper=upper):
            for new in _one_off(lower) if lower else [ONE]:
                yield _with(node, lower=new)
            for new in _one_off(upper) if upper else [_number(-1)]:
                yield _with(node, upper=new)
        case ast.Call(func=ast.Name(id="range"), args=args):
            for i, bound in enumerate(args):
                for new in _one_off(bound):
                    yield _with(node, args=_replaced(args, i, new))


def arguments(node: ast.AST) -> Iterator[ast.AST]:
    """Two neighbouring arguments of a call change places."""
    if isinstance(node, ast.Call):
        for i, (one, other) in enumerate(itertools.pairwise(node.args)):
            yield _with(node, args=_replaced(node.args, i, other, one))


def removals(node: ast.AST) -> Iterator[ast.AST]:
    """A statement is gone; ``return`` comes back with nothing."""
    if isinstance(node, ast.Return) and node.value is not None:
        yield ast.Return(None)
    if isinstance(node, ast.stmt) and not isinstance(node, NAMING):
        yield ast.Pass()


Rule = Callable[[ast.AST], Iterator[ast.AST]]
RULES: tuple[Rule, ...] = (
    numbers_and_texts, comparisons, operators, negations, bounds, arguments, removals
)


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _places(node: ast.AST, path: Path = ()) -> Iterator[tuple[ast.AST, Path]]:
    """Each part of the code that may change, and the way to it."""
    yield node, path
    for name, value in ast.iter_fields(node):
        listed = isinstance(value, list)
        for index, part in enumerate(value if listed else [value]):
            step: Path = (*path, (node, name, index if listed else None))
            docstring = isinstance(part, ast.Expr) and _text(part.value)
            wording = _text(part) and any(isinstance(above, ast.Raise) for above, *_ in step)
            if isinstance(part, ast.AST) and name not in NO_CODE and not docstring | wording:
                yield from _places(part, step)


def _rebuilt(old: ast.AST, new: ast.AST, path: Path) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What changed, and each part that holds it, before and after: from within to the whole."""
    yield old, new
    for parent, name, index in reversed(path):
        value = new if index is None else _replaced(getattr(parent, name), index, new)
        old, new = parent, _with(parent, **{name: value})
        yield old, new


def _words(parts: Sequence[tuple[ast.AST, ast.AST]]) -> str:
    """The largest short part of the statement that changed, before and after; of a block's
    statement the first line."""
    said: list[str] = []
    for pair in parts:
        if isinstance(pair[0], ast.expr | ast.stmt):
            old, new = (ast.unparse(part).partition("\n")[0] for part in pair)
            if old != new and (not said or max(len(old), len(new)) <= SHORT):
                said.append(f"`{old}` -> `{new}`")
            if said and isinstance(pair[0], ast.stmt):
                break
    return said[-1]


def _meaning(code: CodeType) -> tuple[object, ...]:
    """What a piece of bytecode does, whatever its lines and columns."""
    constants = [
        _meaning(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts
    ]
    return code.co_code, code.co_names, code.co_varnames, *constants


def changed(function: str, source: str, rules: Sequence[Rule] = RULES) -> Iterator[Automatic]:
    """Each mutant of a cell, in the order of the code; none compiles to what another, or the
    cell itself, compiles to."""
    tree = ast.parse(source)
    seen, times = {_meaning(compile(source, function, "exec"))}, Counter[str]()
    for node, path in _places(tree):
        for new in (new for rule in rules for new in rule(node)):
            parts = list(_rebuilt(node, new, path))
            change = _words(parts)
            times[change] += 1
            if times[change] > 1:
                change += f" ({times[change]})"
            text = ast.unparse(parts[-1][1])
            meaning = _meaning(compile(text, f"{function}: {change}", "exec"))
            if meaning not in seen:
                seen.add(meaning)
                yield Automatic(function, change, text)


def automatic(chapter: Chapter) -> tuple[Automatic, ...]:
    """The automatic mutants of a chapter's reference, function by function."""
    cells = reference_cells(load(chapter))
    return tuple(mutant for name, source in cells.items() for mutant in changed(name, source))
