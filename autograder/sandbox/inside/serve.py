"""A worker: runs the learner's cells, then answers the grader's requests until it is killed.

From the first cell on, everything in this process is the learner's: whatever it sends can be a lie,
and whatever goes wrong here is the learner's loss only. Care is taken here for the sake of good
messages, never for safety.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import marshal
import mmap
import os
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from . import lockdown
from .channel import Channel, Closed
from .codec import TooLarge, decode, encode

__all__ = ["Server", "begin", "load", "run"]

_MAX_TEXT = 4_000
_SPARE = 4 << 20  # addresses given up when memory runs out: room to say that there is no room
_ANNOTATIONS = annotations.compiler_flag  # the import above binds the feature by this name
# Found by identity: a learner's class may be called ValueError, and its metaclass may lie.
_BUILTIN = {
    id(kind): kind.__name__  # not the name found under: OSError has two more
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}
_Source = tuple[str, str, bytes]  # a cell's name, its source, and its bytecode or nothing
# What chapters import of the standard library and what takes long: once, for all workers.
_STANDARD = ("argparse", "concurrent.futures.process", "multiprocessing.connection", "tempfile")
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def begin(channel: Channel, settings: lockdown.Settings, scratch: str) -> Server:
    """Confine this process and say "", or say what went wrong and end."""
    server = Server(channel, settings.message_bytes)
    try:
        _prepare(settings, scratch)
    except Exception:
        server.send(traceback.format_exc())
        os._exit(1)
    server.send("")
    return server


def run(channel: Channel, settings: lockdown.Settings, scratch: str) -> None:
    """Confine this process, run the cells, and answer the grader until it is gone."""
    server = begin(channel, settings, scratch)
    server.run_cells(server.receive())
    server.serve()
    os._exit(0)


def load(packages: list[str]) -> None:
    """Import what learner code may import, and NumPy's part of the wire format with it."""
    for name in (*_STANDARD, *packages):
        importlib.import_module(name)
    if "numpy" in packages:
        importlib.import_module("numpy.random")  # NumPy itself imports it late
        importlib.import_module(".arrays", __package__)
    if "pyarrow" in packages:
        importlib.import_module("pyarrow.parquet")  # as long to import as NumPy: once, for all
        importlib.import_module("pyarrow.dataset")  # what read_table imports late


def _prepare(settings: lockdown.Settings, scratch: str) -> None:
    load(settings.packages)
    os.setsid()
    os.chdir(scratch)
    os.environ["TMPDIR"] = os.environ["HOME"] = scratch
    lockdown.confine_worker(settings, scratch)
    if "numpy.random" in sys.modules:  # the standard library's generator does this by itself
        sys.modules["numpy.random"].seed()


class Server:
    """Objects of this process, and the operations on them that the other side may ask for."""

    operations: dict[str, Callable[..., tuple[object, ...]]]

    def __init__(self, channel: Channel, limit: int) -> None:
        self.channel = channel
        self.limit = limit
        self.objects: list[object] = []
        self.cells: list[str] = []  # names given to compile(), found again in tracebacks
        self.modules: dict[str, dict[str, Any]] = {}
        self.spare = mmap.mmap(-1, _SPARE)  # never touched, so it costs nothing but addresses

    def send(self, value: object) -> None:
        try:
            payload = encode(value, self.keep, self.limit)
        except (TooLarge, MemoryError, RecursionError) as error:
            payload = encode(("large", str(error)), self.keep, self.limit)
        self.channel.send(payload)

    def receive(self) -> Any:
        return decode(self.channel.receive(), lambda number, label: self.objects[number])

    def keep(self, value: object) -> tuple[int, str]:
        self.objects.append(value)
        return len(self.objects) - 1, _label(value)

    def run_cells(self, modules: list[tuple[str, list[_Source]]]) -> None:
        """Compile all cells and send their bytecode; then run each, and send None or what it
        raised. What was here before is gone."""
        self.objects, self.cells, self.modules = [], [], {}
        compiled = [(name, _compile(cells)) for name, cells in modules]
        self.send([[bytecode for _, _, bytecode in cells] for _, cells in compiled])
        for name, cells in compiled:
            namespace = self.modules[name] = _new_module(name)
            for cell, code, _ in cells:
                self.cells.append(cell)
                try:
                    if isinstance(code, Exception):
                        raise code
                    exec(code, namespace)
                    problem = None
                except BaseException as error:
                    problem = self.describe(error)
                self.send(problem)

    def serve(self) -> None:
        """Answer requests until the other side is gone."""
        with contextlib.suppress(Closed):
            while True:
                self.send(self.answer(self.receive()))

    def answer(self, request: tuple[Any, ...]) -> tuple[object, ...]:
        operation, *arguments = request
        try:
            return self.operations[operation](self, *arguments)
        except BaseException as error:
            return self.describe(error)

    def get(self, module: str, name: str) -> tuple[object, ...]:
        namespace = self.modules.get(module, {})
        return ("value", namespace[name]) if name in namespace else ("missing",)

    def describe(self, error: BaseException) -> tuple[object, ...]:
        """("raised", own class, nearest built-in class, message, place of the cell or -1, line)."""
        if isinstance(error, MemoryError):
            self.spare.close()
        kind = type(error)
        lineage = type.__dict__["__mro__"].__get__(kind)
        nearest = next(_BUILTIN[id(base)] for base in lineage if id(base) in _BUILTIN)
        cell, line = -1, 0
        if isinstance(error, SyntaxError) and error.filename in self.cells:
            cell, line = self.cells.index(error.filename), error.lineno or 0
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename in self.cells:
                cell, line = self.cells.index(step.tb_frame.f_code.co_filename), step.tb_lineno
            step = step.tb_next
        return ("raised", _name(kind), nearest, _message(error), cell, line)


def _compile(cells: list[_Source]) -> list[tuple[str, types.CodeType | Exception, bytes]]:
    """Each cell's name, its code (or what the compiler said), and its bytecode (or nothing).

    Compiling takes longer than forking, so what one worker has compiled is given to the next. It is
    sent before any learner code has run, so it is what the source says.
    """
    compiled: list[tuple[str, types.CodeType | Exception, bytes]] = []
    flags = 0  # "from __future__ import annotations" lasts, as it does in a notebook
    for name, source, bytecode in cells:
        try:
            code = (
                marshal.loads(bytecode) if bytecode
                else compile(source, name, "exec", flags, dont_inherit=True)
            )
        except Exception as error:
            compiled.append((name, error, b""))
        else:
            flags |= code.co_flags & _ANNOTATIONS
            compiled.append((name, code, bytecode or marshal.dumps(code)))
    return compiled


def _new_module(name: str) -> dict[str, Any]:
    """An empty module, importable by its dotted name, as are the packages above it."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    package, _, tail = name.rpartition(".")
    if package:
        if package not in sys.modules:
            _new_module(package)
            sys.modules[package].__path__ = []
        setattr(sys.modules[package], tail, module)
    return vars(module)


def _name(kind: type) -> str:
    """A class's name, whatever its metaclass says."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name


def _label(value: object) -> str:
    kind = type(value)
    if issubclass(kind, type):
        return f"class {_name(value)}"  # type: ignore[arg-type]  # a class, by the line above
    if kind in _FUNCTIONS:
        return f"function {getattr(value, '__name__', 'without a name')}"
    return _name(kind)


def _message(error: BaseException) -> str:
    try:
        text = str(error)
        return text[:_MAX_TEXT] if type(text) is str else ""
    except BaseException:
        return "(its message could not be read)"


def _iterate(server: Server, target: Any) -> tuple[object, ...]:
    return ("handle", *server.keep(iter(target)))


def _next(server: Server, target: Any) -> tuple[object, ...]:
    try:
        return ("value", next(target))
    except StopIteration:
        return ("end",)


def _put(server: Server, value: object) -> tuple[object, ...]:
    return ("handle", *server.keep(value))


def _set_attribute(server: Server, target: Any, name: str, value: object) -> tuple[object, ...]:
    setattr(target, name, value)
    return ("value", None)


def _set_item(server: Server, target: Any, key: object, value: object) -> tuple[object, ...]:
    target[key] = value
    return ("value", None)


Server.operations = {
    "get": Server.get,
    "call": lambda server, f, args, named: ("value", f(*args, **named)),
    "repeat": lambda server, f, times, args: ("value", [f(*args) for _ in range(times)]),
    "attribute": lambda server, target, name: ("value", getattr(target, name)),
    "set attribute": _set_attribute,
    "item": lambda server, target, key: ("value", target[key]),
    "set item": _set_item,
    "length": lambda server, target: ("value", len(target)),
    "iterate": _iterate,
    "next": _next,
    "put": _put,
    "fetch": lambda server, target: ("value", target),
}
