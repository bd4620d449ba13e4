"""What can come of running learner code, as exceptions in the grader.

Three families, kept apart so that no hidden test can take one for another:

- :class:`LearnerError`: learner code raised an ordinary exception; rebuilt as a built-in class.
- :class:`LearnerStop`: there is no answer (too slow, crashed, not written...). It is no
  ``Exception``, so ``pytest.raises(Exception)`` is never satisfied by it.
- :class:`GraderFault`: our own failure; it never costs marks. No ``Exception`` either.

Nothing here decides about points.
"""

from __future__ import annotations

import builtins
import functools

__all__ = [
    "Crashed", "Exited", "GraderFault", "LearnerError", "LearnerStop", "Missing", "OutOfMemory",
    "TimedOut", "Unwritten", "clean", "rebuilt",
]

_MAX_TEXT = 2_000
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class GraderFault(BaseException):
    """The grader failed, not the learner."""


class LearnerStop(BaseException):
    """Learner code gave no answer. ``learner_where`` is a cell and line, or empty."""

    def __init__(self, message: str, learner_where: str = "") -> None:
        super().__init__(message)
        self.learner_where = learner_where


class TimedOut(LearnerStop):
    """It took longer than the test, or the whole submission, may take."""


class Crashed(LearnerStop):
    """The process died of a signal, broke off, or sent what is no message."""


class OutOfMemory(LearnerStop):
    """It asked for more memory than there is, or returned more than can be sent."""


class Exited(LearnerStop):
    """It ended the process, or tried to: ``sys.exit``, ``os._exit``, KeyboardInterrupt."""


class Unwritten(LearnerStop):
    """It raised NotImplementedError: the stub is still there."""


class Missing(LearnerStop):
    """The module defines no such name, given as ``name``."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


class LearnerError(Exception):
    """An exception of learner code; always a built-in exception class at the same time.

    ``learner_class`` is the name of the class raised, ``learner_where`` a cell and line such as
    "cell 12 (randint32), line 7", or empty where no line of the learner's had a part in it.
    """

    message: str
    learner_class: str
    learner_where: str

    def __str__(self) -> str:  # KeyError would quote it, UnicodeDecodeError would need five values
        return self.message


# Every built-in Exception but the groups: those carry other exceptions, and none crosses.
_ALLOWED = {
    kind.__name__: kind
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
    and not issubclass(kind, BaseExceptionGroup)
}


@functools.cache
def _rebuilt_class(name: str) -> type[LearnerError]:
    return type(name, (LearnerError, _ALLOWED.get(name, Exception)), {"__module__": "builtins"})


def rebuilt(nearest: str, own: str, message: str, where: str) -> BaseException:
    """The grader's exception for one that learner code raised.

    ``nearest`` is the nearest built-in class by the worker's word: looked up in a list of our own,
    never by name in a module. ``own`` and ``message`` are the learner's words.
    """
    own, message = clean(own, 80), clean(message)
    if nearest == "NotImplementedError":
        return Unwritten(message or "not written yet", where)
    if nearest == "MemoryError":
        return OutOfMemory(message or "out of memory", where)
    if nearest not in _ALLOWED and nearest != "ExceptionGroup":
        return Exited(f"raised {own}" + (f": {message}" if message else ""), where)
    kind = _rebuilt_class(nearest)
    error = kind.__new__(kind, message)  # no __init__: some of these want other arguments
    error.message, error.learner_class, error.learner_where = message, own, where
    return error


def clean(text: str, limit: int = _MAX_TEXT) -> str:
    """Learner's text made harmless for terminals and files: bounded, no control characters, no
    lone surrogates, nothing that turns the direction of writing."""
    shown = text if len(text) <= limit else text[:limit] + "…"
    return "".join(c if c.isprintable() or c in "\n\t" else _REPLACEMENT for c in shown)
