"""The catalogue of a chapter's hidden tests, read from their source text.

Nothing of a hidden file is imported or run: names, docstrings and ``@checks(...)`` are taken from
the syntax tree. Whether a test passes is ``autograder.grade``'s to say.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from autograder.course import Chapter, CourseError

__all__ = ["TestInfo", "catalogue"]


@dataclass(frozen=True)
class TestInfo:
    """One hidden test: ``rule`` is what it checks, ``why`` what depends on it downstream."""

    name: str
    function: str
    kind: str
    rule: str
    why: str

    __test__ = False  # the name starts with Test, but pytest has nothing to collect here


def _declaration(test: ast.FunctionDef) -> ast.Call | None:
    """The ``checks(...)`` among a test's decorators."""
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name | ast.Attribute):
            called = decorator.func
            if (called.id if isinstance(called, ast.Name) else called.attr) == "checks":
                return decorator
    return None


def _info(test: ast.FunctionDef, file: str) -> TestInfo:
    declared = _declaration(test)
    try:
        if declared is None:
            raise ValueError("no such decorator")
        (function,) = (ast.literal_eval(argument) for argument in declared.args)
        named = {word.arg: ast.literal_eval(word.value) for word in declared.keywords}
        rule = " ".join((ast.get_docstring(test) or "").split())
        return TestInfo(test.name, function, named["kind"], rule, named["why"])
    except (ValueError, KeyError) as error:
        form = '@checks("FUNCTION", kind="...", why="...")'
        raise CourseError(f"{file}, line {test.lineno}: {test.name} needs {form}, "
                          "with plain strings") from error


def catalogue(chapter: Chapter) -> tuple[TestInfo, ...]:
    """The chapter's hidden tests, in the order of the file.

    Raises:
        CourseError: the hidden tests are not installed, are not Python, or one lacks its
            declaration.
    """
    if not chapter.hidden.exists():
        raise CourseError(f"the hidden tests of {chapter.slug} are not installed here; "
                          "they run when the notebook is handed in")
    try:
        tree = ast.parse(chapter.hidden.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise CourseError(f"{chapter.hidden}, line {error.lineno}: {error.msg}") from error
    return tuple(
        _info(node, chapter.hidden.name)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    )
