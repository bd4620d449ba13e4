"""One cell's code, read and never run: IPython's lines out, names it defines, names it needs.

Which cells are taken is ``export``'s decision. Whatever the source is, reading it ends soon and
raises nothing: what cannot be read is a ``problem``.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from inspect import Signature

from autograder.magics import without_ipython, without_magics
from autograder.show import clean
from autograder.signatures import signature_of

__all__ = ["MAX_CHARACTERS", "CellCode", "Definition", "SyntaxProblem", "read_code"]

# A longer cell is not code. The parser needs seconds for some such texts, minutes for longer ones.
MAX_CHARACTERS = 100_000
DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
BUILTINS = frozenset(dir(builtins)) | {"__file__"}
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.TryStar, ast.Match)


@dataclass(frozen=True)
class SyntaxProblem:
    """Why a cell cannot be read, and the line of the cell (from 1)."""

    message: str
    line: int
    indented: bool = False  # the cell starts in the middle of something

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class Definition:
    """What a name is bound to at the top level.

    ``kind`` is ``function``, ``async function``, ``class``, ``value`` or ``import``; ``module`` is
    where an import takes it from, ``doc`` the docstring.
    """

    name: str
    kind: str
    signature: Signature | None = None
    module: str = ""
    doc: str = ""


@dataclass(frozen=True)
class CellCode:
    """What a cell's code does with global names.

    ``source`` has its line numbers kept; ``definitions`` holds the last of each name; ``needs`` are
    names that come from elsewhere, ``changes`` those whose object is changed in place;
    ``mentions`` are functions and classes that the text defines at any depth, also where it
    cannot be read.
    """

    source: str
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    problem: SyntaxProblem | None = None


def _inner(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of ``node`` that run with it at once: no bodies of functions or classes."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *node.keywords]
        case ast.Lambda():
            return [node.args]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return [node.generators[0].iter]
    return ast.iter_child_nodes(node)


def _immediate(statement: ast.stmt) -> Iterator[ast.AST]:
    """``statement`` and all that runs with it at once, in the order of the text."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(_inner(node))))


def _doc(node: ast.FunctionDef | ast.ClassDef) -> str:
    return ast.get_docstring(node) or ""


def _definitions(node: ast.AST) -> Iterator[Definition]:
    """What ``node`` itself (not its children) binds."""
    match node:
        case ast.FunctionDef():
            yield Definition(node.name, "function", signature_of(node), doc=_doc(node))
        case ast.AsyncFunctionDef():
            yield Definition(node.name, "async function")
        case ast.ClassDef():
            yield Definition(node.name, "class", signature_of(node), doc=_doc(node))
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as value):
            yield Definition(name, "function", signature_of(value))
        case ast.Import():
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                yield Definition(name, "import", module=alias.name)
        case ast.ImportFrom():
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                yield Definition(alias.asname or alias.name, "import", module=module)
        case ast.Name(id=name, ctx=ast.Store()):
            yield Definition(name, "value")
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield Definition(name, "value")


def _changed(node: ast.AST) -> str | None:
    """The name whose object ``node`` changes: ``T[i] = x``, ``T.x = y``, ``T.append(x)``."""
    match node:
        case ast.Subscript() | ast.Attribute() if not isinstance(node.ctx, ast.Load):
            root: ast.expr = node
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
            root = method
        case _:
            return None
    while isinstance(root, ast.Subscript | ast.Attribute):
        root = root.value
    return root.id if isinstance(root, ast.Name) else None


def _deferred(table: symtable.SymbolTable) -> Iterator[str]:
    """Globals that inner scopes refer to, whenever they run."""
    for child in table.get_children():
        for symbol in child.get_symbols():
            if symbol.is_global() and symbol.is_referenced():
                yield symbol.get_name()
        yield from _deferred(child)


def _read(source: str) -> CellCode:
    """Read a cell that is Python.

    Raises:
        SyntaxError, RecursionError, MemoryError, ValueError: as Python's own parser does.
    """
    source, notes = without_ipython(source, ast.parse(source))
    tree = ast.parse(source)
    compile(tree, "cell", "exec", dont_inherit=True)  # finds a return outside of a function
    defined: dict[str, Definition] = {}
    needs: set[str] = set()
    changes: set[str] = set()
    for statement in tree.body:
        nodes = list(_immediate(statement))
        bound: dict[str, Definition] = {}
        for each in (definition for node in nodes for definition in _definitions(node)):
            bound.setdefault(each.name, each)
        # Lines of a block may use what the block binds; a simple statement uses names first.
        known = defined.keys() | (bound.keys() if isinstance(statement, BLOCKS) else set())
        needs |= {each.id for each in nodes if isinstance(each, ast.Name) and each.id not in known
                  and isinstance(each.ctx, ast.Load)}
        changes |= {name for node in nodes if (name := _changed(node)) is not None}
        defined |= bound
    needs |= set(_deferred(symtable.symtable(source, "cell", "exec"))) - defined.keys()
    return CellCode(source, defined, frozenset(needs - BUILTINS), frozenset(changes), notes=notes)


def _problem(error: BaseException) -> SyntaxProblem:
    """Whatever the parser raises, as a cell's problem."""
    match error:
        case SyntaxError():
            indented = isinstance(error, IndentationError) and "unexpected indent" in error.msg
            return SyntaxProblem(clean(error.msg), error.lineno or 1, indented)
        case UnicodeEncodeError():
            line = str(error.object).count("\n", 0, error.start) + 1
            return SyntaxProblem("half a character (a lone surrogate) stands in the text", line)
        case RecursionError() | MemoryError():
            return SyntaxProblem("the code is nested too deeply to be read", 1)
    return SyntaxProblem(clean(str(error)), 1)


def _attempt(source: str) -> CellCode:
    try:
        if "\0" in source:  # Python 3.11 has a ValueError without a line for this
            line = source.count("\n", 0, source.index("\0")) + 1
            raise SyntaxError("a NUL byte stands in the text", ("cell", line, 0, ""))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful escape in a string is no concern here
            return _read(source)
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        return CellCode(source, problem=_problem(error))


def read_code(source: str) -> CellCode:
    """Read one cell's source."""
    if len(source) > MAX_CHARACTERS:
        message = f"more than {MAX_CHARACTERS:,} characters: too long for code"
        return CellCode("", problem=SyntaxProblem(message, 1))
    code = _attempt(source)
    if code.problem:
        bare, notes = without_magics(source)
        if notes:
            code = _attempt(bare)
            code = replace(code, notes=(*notes, *code.notes))
    mentions = frozenset(DEFINED.findall(unicodedata.normalize("NFKC", source)))
    return replace(code, mentions=mentions)
