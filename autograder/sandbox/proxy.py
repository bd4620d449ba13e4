"""Objects that stay in the worker, as the grader sees them.

A proxy forwards calls, attributes, items, length, iteration and ``with``. It never lets a learner's
object take part in a decision: comparing, testing, hashing, converting or computing with a proxy
raises TypeError, so no ``__eq__`` of a learner's can make a test pass, and no ``__exit__`` can hide
what a test has found. Plain values do not come here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

__all__ = ["Proxy"]

# Hypothesis looks for these on a test's first argument, and would call them.
_HYPOTHESIS = ("execute_example", "setup_example", "teardown_example")

_MAX_LENGTH = 1 << 24  # list() reserves memory for as many items as a length announces

_ARITHMETIC = (
    "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift",
    "rshift", "and", "or", "xor",
)
_REFUSED = {
    "compared": ("eq", "ne", "lt", "le", "gt", "ge"),
    "used as true or false": ("bool",),
    "hashed": ("hash",),
    "searched with 'in'": ("contains",),
    "turned into a number": ("int", "float", "complex", "index", "round", "trunc", "floor", "ceil"),
    "turned into an array": ("array",),
    "turned into bytes": ("bytes",),
    "computed with": (
        *(f"{side}{name}" for name in _ARITHMETIC for side in ("", "r")),
        *("neg", "pos", "abs", "invert"),
    ),
}


class Asker(Protocol):
    """What a proxy needs of its worker."""

    def ask(self, operation: str, *arguments: object) -> Any: ...


class Proxy:
    """A handle on an object in the worker. Its repr is all that it says about the object."""

    __slots__ = ("_label", "_number", "_worker")

    _worker: Asker
    _number: int
    _label: str

    def __init__(self, worker: Asker, number: int, label: str) -> None:
        object.__setattr__(self, "_worker", worker)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_label", label)

    def __repr__(self) -> str:
        return f"<{self._label}>"

    def __call__(self, *arguments: object, **named: object) -> Any:
        return self._worker.ask("call", self, arguments, named)

    def __getattr__(self, name: str) -> Any:
        if name in _HYPOTHESIS or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(f"'{name}' of a learner's object is never looked up")
        return self._worker.ask("attribute", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        self._worker.ask("set attribute", self, name, value)

    def __getitem__(self, key: object) -> Any:
        return self._worker.ask("item", self, key)

    def __setitem__(self, key: object, value: object) -> None:
        self._worker.ask("set item", self, key, value)

    def __len__(self) -> int:
        size = self._worker.ask("length", self)
        if type(size) is not int or not 0 <= size <= _MAX_LENGTH:
            raise TypeError(f"{self!r} gives a length that cannot be true")
        return size

    def __iter__(self) -> Any:
        return self._worker.ask("iterate", self)

    def __next__(self) -> Any:
        return self._worker.ask("next", self)

    def __enter__(self) -> Any:
        return self._worker.ask("attribute", self, "__enter__")()

    def __exit__(self, *error: object) -> None:
        self._worker.ask("attribute", self, "__exit__")(None, None, None)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"{self!r} cannot be copied or pickled: it lives in the learner's process")


def _refuse(how: str) -> Callable[..., NoReturn]:
    def refuse(self: Proxy, *others: object) -> NoReturn:
        raise TypeError(
            f"{self!r} is an object of the learner's, not a plain value: it cannot be {how}"
        )

    return refuse


for _how, _names in _REFUSED.items():
    for _name in _names:
        setattr(Proxy, f"__{_name}__", _refuse(_how))
