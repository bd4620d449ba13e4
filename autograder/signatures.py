"""Signatures read from source, and whether a call that fits one fits another.

They are ``inspect.Signature`` objects made from the syntax tree: defaults and annotations stay
text, since nothing of a learner's may be evaluated here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from inspect import Parameter, Signature

from autograder.show import clean

__all__ = ["parameter_note", "signature_of", "signature_problem"]

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class _Source(str):
    """A piece of source that ``str(signature)`` shows as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _text(node: ast.expr | None) -> object:
    return Parameter.empty if node is None else _Source(ast.unparse(node))


def _parameters(arguments: ast.arguments) -> Iterator[Parameter]:
    positional = [
        *((Parameter.POSITIONAL_ONLY, arg) for arg in arguments.posonlyargs),
        *((Parameter.POSITIONAL_OR_KEYWORD, arg) for arg in arguments.args),
    ]
    missing = [None] * (len(positional) - len(arguments.defaults))
    for (kind, arg), default in zip(positional, [*missing, *arguments.defaults], strict=True):
        yield Parameter(arg.arg, kind, default=_text(default), annotation=_text(arg.annotation))
    if arguments.vararg:
        yield Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL,
                        annotation=_text(arguments.vararg.annotation))
    for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Parameter(arg.arg, Parameter.KEYWORD_ONLY, default=_text(default),
                        annotation=_text(arg.annotation))
    if arguments.kwarg:
        yield Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD,
                        annotation=_text(arguments.kwarg.annotation))


def signature_of(node: ast.AST) -> Signature | None:
    """How to call what ``node`` defines: a function, a lambda, or a class with an ``__init__``.

    None for anything else: what an assigned object takes cannot be told from the source.
    """
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return Signature(list(_parameters(node.args)), return_annotation=_text(node.returns))
    if isinstance(node, ast.Lambda):
        return Signature(list(_parameters(node.args)))
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                return Signature(list(_parameters(statement.args))[1:])
    return None


def _bare(signature: Signature) -> str:
    """The signature without annotations, as a message shows it."""
    plain = [each.replace(annotation=Parameter.empty) for each in signature.parameters.values()]
    return clean(str(signature.replace(parameters=plain, return_annotation=Signature.empty)), 120)


def _calls(wanted: Signature) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The shortest and the longest call that ``wanted`` promises: how many arguments by position,
    and which by name."""
    parameters = wanted.parameters.values()
    for required in (True, False):
        kept = [each for each in parameters if not required or each.default is Parameter.empty]
        yield (
            sum(each.kind in POSITIONAL for each in kept),
            tuple(each.name for each in kept if each.kind is Parameter.KEYWORD_ONLY),
        )


def signature_problem(submitted: Signature | None, wanted: Signature | None) -> str | None:
    """Why a call that fits ``wanted`` does not fit ``submitted``, or None where it does.

    Parameters may have other names: calls pass them by position, and by name only those after
    ``*``. A signature that could not be read (None) is given the benefit of the doubt.
    """
    if submitted is None or wanted is None:
        return None
    for count, names in _calls(wanted):
        try:
            submitted.bind(*range(count), **dict.fromkeys(names))
        except TypeError as error:
            return f"wanted {_bare(wanted)}, your cell has {_bare(submitted)}: {error}"
    return None


def parameter_note(submitted: Signature | None, wanted: Signature | None) -> str | None:
    """A remark where parameters were renamed, which costs nothing."""
    if submitted is None or wanted is None:
        return None
    names = [
        [each.name for each in signature.parameters.values() if each.kind in POSITIONAL]
        for signature in (submitted, wanted)
    ]
    pairs = [(new, old) for new, old in zip(*names, strict=False) if new != old]
    renamed = [f"{new} (the course has {old})" for new, old in pairs]
    return f"renamed parameters: {', '.join(renamed)}" if renamed else None
