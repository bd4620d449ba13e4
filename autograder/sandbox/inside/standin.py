"""Modules that stand for the code under test, in the process that runs a learner's tests.

``from llmdata import rand`` gives one of these. What the course gives runs here as it stands; all
else is forwarded to another process, which ``offer`` guards. So a test sees what an implementation
does, and neither its source nor where it comes from. Nothing here is trusted by anybody.
"""

from __future__ import annotations

import builtins
import functools
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from . import passing
from .channel import Channel, Closed
from .codec import decode, encode
from .offer import OPERATORS

__all__ = ["Gone", "Peer", "install"]


class Gone(BaseException):
    """The code under test ended, or was ended: no answer will come."""


class Stopped(Exception):
    """The code under test raised something that is no Exception, such as SystemExit."""


class Remote:
    """An object that lives with the code under test."""

    _peer: Peer
    _number: int

    def __call__(self, *args: object, **named: object) -> Any:
        return self._peer.call(self, args, named)

    def __getattr__(self, name: str) -> Any:
        _refuse_hidden(name)
        return self._peer.ask("attribute", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        self._peer.ask("set attribute", self, name, value)

    def __exit__(self, *error: object) -> None:
        """An error in a ``with`` is the test's own: it is not passed on, and not to be hidden."""
        self._peer.ask("operate", "__exit__", self)


def _refuse_hidden(name: str) -> None:
    """pytest and Hypothesis look for such names on everything; the other side would say no."""
    if name.startswith("__"):
        raise AttributeError(f"'{name}' of the code under test is out of reach")


def _operator(name: str) -> Callable[..., Any]:
    def operate(self: Remote, *operands: object) -> Any:
        return self._peer.ask("operate", name, self, *operands)

    return operate


for _name in OPERATORS.keys() - vars(Remote).keys():
    setattr(Remote, _name, _operator(_name))


class RemoteFunction(Remote):
    """A function or method; what it is called is said here, since there it has an address."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __repr__(self) -> str:
        return f"<function {type(self).__name__}>"

    __str__ = __repr__


class RemoteClass(type):
    """A class of the code under test: ``isinstance`` works, making an object happens there."""

    def __call__(cls, *args: object, **named: object) -> Any:
        return cls._peer.call(cls, args, named)

    def __getattr__(cls, name: str) -> Any:
        _refuse_hidden(name)
        return cls._peer.ask("attribute", cls, name)


class Peer:
    """The connection to the code under test."""

    def __init__(self, channel: Channel, limit: int) -> None:
        self._channel, self._limit = channel, limit
        self.called: set[str] = set()  # names of functions and classes, since it was last emptied
        self._known: dict[int, Any] = {}
        self._errors: dict[str, type[Exception]] = {}

    def ask(self, operation: str, *arguments: object) -> Any:
        """One request and its value. Raises what the code under test raised."""
        payload = encode((operation, *arguments), _number, self._limit)
        try:
            self._channel.send(payload)
            reply: Any = decode(self._channel.receive(), self._stand_in)
        except Closed:
            raise Gone("the code under test crashed or ended its process") from None
        match reply:
            case ("value", value):
                return value
            case ("called", *_):
                return reply
            case ("missing",):
                raise AttributeError(f"the module has no '{arguments[-1]}'")
            case ("large", text):
                raise OverflowError(f"the result is too large to pass on: {text}")
        raise self._error(*reply[1:4])

    def call(self, target: object, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """A call; what it did to its arguments is done to ours."""
        self.called.add(target.__name__ if isinstance(target, type) else type(target).__name__)
        _, result, same, changed, other = self.ask("call", target, args, named)
        own: dict[Any, Any] = {**dict(enumerate(args)), **named}
        for key, name, number in other:
            known = self._known.setdefault(number, getattr(changed[key], name))
            setattr(own[key], name, known)
        for key, value in changed.items():
            passing.kept(own[key], value)
        return result if same is None else own[same]

    def allow_errors(self, classes: Sequence[type]) -> None:
        """Raise these, which the course gives, as themselves."""
        self._errors = {kind.__name__: kind for kind in classes if issubclass(kind, Exception)}

    def _error(self, own: str, nearest: str, message: str) -> Exception:
        kind: type[Exception] = self._errors.get(own) or getattr(builtins, nearest)
        if not issubclass(kind, Exception):
            return Stopped(f"{own}: {message}")
        error = kind.__new__(kind, message)
        if str(error) == message:
            return error
        worded = _worded(kind)  # KeyError quotes its message, UnicodeDecodeError needs five values
        other: Exception = worded.__new__(worded)
        vars(other)["words"] = message
        return other

    def _stand_in(self, number: int, label: str) -> Any:
        if number not in self._known:
            what, _, name = label.partition(" ")
            kind = _class(name, self, RemoteFunction if what == "function" else Remote)
            if what == "class":
                type.__setattr__(kind, "_number", number)
                self._known[number] = kind
            else:
                made: Any = object.__new__(kind)  # type: ignore[arg-type]  # a class, made just now
                self._known[number] = made
                object.__setattr__(made, "_number", number)
        return self._known[number]


@functools.cache
def _class(name: str, peer: Peer, base: type[Remote]) -> RemoteClass:
    return RemoteClass(name, (base,), {"_peer": peer, "__module__": "llmdata"})


def _worded(kind: type[Exception]) -> Any:
    """A class of exceptions whose text is an attribute."""
    words = {"__str__": lambda self: self.words, "__module__": kind.__module__}
    return type(kind.__name__, (kind,), words)


def _number(value: object) -> tuple[int, str]:
    if isinstance(value, Remote | RemoteClass):
        return value._number, ""
    raise TypeError(
        f"a {type(value).__name__} that a test makes cannot be handed to the code under test; "
        "plain values, arrays, paths and the chapter's own objects can"
    )


class _Module(types.ModuleType):
    """Forwards what is not here, and keeps it."""

    def __getattr__(self, name: str) -> Any:
        _refuse_hidden(name)
        value = self._peer.ask("get", self.__name__, name)
        setattr(self, name, value)
        return value


def install(
    peer: Peer, modules: Sequence[tuple[str, Sequence[str]]], main: str, given: Sequence[str]
) -> types.ModuleType:
    """Make the modules importable, each with its given cells run; the one called ``main``.

    ``given`` are the classes in it whose objects pass by value.
    """
    for name, cells in modules:
        module = _Module(name)
        vars(module)["_peer"] = peer
        package, _, tail = name.rpartition(".")
        if package not in sys.modules:
            sys.modules[package] = types.ModuleType(package)
            vars(sys.modules[package])["__path__"] = []
        sys.modules[name] = module
        setattr(sys.modules[package], tail, module)
        for cell in cells:
            exec(cell, vars(module))
    found = sys.modules[main]
    classes = [getattr(found, name) for name in given]
    passing.allow(classes)
    peer.allow_errors(classes)
    return found
