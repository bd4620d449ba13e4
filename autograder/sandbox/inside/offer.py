"""The code under test, as a tester may use it: called, and looked at no further.

The tester is another process. Functions and classes of the modules can be called, their objects
used through public attributes and operators; nothing leads to source, bytecode, globals, frames or
places in files, so one implementation can be told from another by what it does and by nothing else.
"""

from __future__ import annotations

import operator
import os
import socket
import types
from collections.abc import Callable, Mapping
from typing import Any

from . import lockdown, passing, serve
from .channel import Channel

__all__ = ["OPERATORS", "run"]

_MAX_PATH = 4096

OPERATORS: Mapping[str, Callable[..., Any]] = {
    "__len__": len, "__iter__": iter, "__next__": next, "__bool__": bool, "__hash__": hash,
    "__str__": str, "__repr__": repr, "__int__": int, "__float__": float, "__bytes__": bytes,
    "__getitem__": operator.getitem, "__setitem__": operator.setitem,
    "__delitem__": operator.delitem, "__contains__": operator.contains,
    "__eq__": operator.eq, "__ne__": operator.ne, "__lt__": operator.lt, "__le__": operator.le,
    "__gt__": operator.gt, "__ge__": operator.ge,
    "__add__": operator.add, "__sub__": operator.sub, "__mul__": operator.mul,
    "__enter__": lambda target: target.__enter__(),
    "__exit__": lambda target: target.__exit__(None, None, None),
}


def run(channel: Channel, settings: lockdown.Settings, testers: socket.socket) -> None:
    """Confine this process; then, again and again, run the grader's cells afresh and answer one
    tester until it is gone. Each comes over ``testers``: its scratch folder, and a socket to it.

    What learners wrote is used once: the grader ends the process after it.
    """
    worker = serve.begin(channel, settings, settings.scratch)
    while True:
        worker.run_cells(worker.receive())
        module, given = worker.receive()
        passing.allow([worker.modules[module][name] for name in given])
        folder, (line,), _, _ = socket.recv_fds(testers, _MAX_PATH, 1)
        os.chdir(folder)
        worker.send("")
        with socket.socket(fileno=line) as tester:
            limit = settings.message_bytes
            _Offer(Channel(tester, limit), limit, worker.modules).serve()


class _Offer(serve.Server):
    """What a tester may do with the modules. Numbers stand for the same object for ever, so
    identity crosses too."""

    def __init__(self, channel: Channel, limit: int, modules: dict[str, dict[str, Any]]) -> None:
        super().__init__(channel, limit)
        self.modules = modules
        self.numbers: dict[int, int] = {}

    def keep(self, value: object) -> tuple[int, str]:
        if id(value) not in self.numbers:
            self.numbers[id(value)] = super().keep(value)[0]
        return self.numbers[id(value)], _label(value)

    def get(self, module: str, name: str) -> tuple[object, ...]:
        return ("missing",) if _hidden(name) else super().get(module, name)

    def ours(self, target: object) -> bool:
        """Whether this is a function, class or method of the modules, or an object of such a
        class. Generators, frames, builtins and what other packages define are not."""
        return getattr(target, "__module__", None) in self.modules

    def call(
        self, target: Any, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[object, ...]:
        """The result, or which argument it is; what became of arguments that can change; and which
        of their fields hold another object than before, with that object's number."""
        if not self.ours(target):
            raise TypeError("only functions and classes of the module can be called from a test")
        given: dict[Any, Any] = {**dict(enumerate(args)), **named}
        before = {key: passing.fields(value) for key, value in given.items()}
        result = target(*args, **named)
        changed = {key: value for key, value in given.items() if passing.changeable(value)}
        same = next((key for key, value in changed.items() if value is result), None)
        other = [
            (key, name, self.keep(getattr(given[key], name))[0])
            for key, fields in before.items() for name, value in fields.items()
            if getattr(given[key], name, value) is not value
        ]
        return ("called", None if same is not None else result, same, changed, other)

    def attribute(self, target: Any, name: str) -> tuple[object, ...]:
        self.allowed(target, name)
        return ("value", getattr(target, name))

    def set_attribute(self, target: Any, name: str, value: object) -> tuple[object, ...]:
        self.allowed(target, name)
        setattr(target, name, value)
        return ("value", None)

    def allowed(self, target: object, name: str) -> None:
        if _hidden(name) or not self.ours(target):
            raise AttributeError(f"a test cannot reach '{name}' of a {type(target).__name__}")

    def operate(self, name: str, *operands: Any) -> tuple[object, ...]:
        return ("value", OPERATORS[name](*operands))

    def describe(self, error: BaseException) -> tuple[object, ...]:
        """Without the line, which would tell one implementation from another."""
        return (*super().describe(error)[:4], -1, 0)


def _label(value: object) -> str:
    if isinstance(value, type):
        return f"class {value.__name__}"
    if isinstance(value, types.FunctionType | types.MethodType):
        return f"function {value.__name__}"
    return f"object {type(value).__name__}"


def _hidden(name: str) -> bool:
    return name.startswith("__")


_Offer.operations = {
    "get": _Offer.get,
    "call": _Offer.call,
    "attribute": _Offer.attribute,
    "set attribute": _Offer.set_attribute,
    "operate": _Offer.operate,
}
