"""Functions under other names, of other kinds, with other parameters."""

from __future__ import annotations

from tests.submissions.kit import (
    DRAWING,
    Notebook,
    answered,
    case,
    cell_of,
    edited,
    lines,
    source,
    written,
)


@case(failed={"randint32": "missing", **dict.fromkeys(DRAWING[1:], "unexpected error")},
      mentions=("defines no function randint32; it defines rand32",))
def renamed_function() -> Notebook:
    """A renamed function is missing, and what calls it by its old name fails with NameError."""
    return edited("randint32", "def randint32(", "def rand32(")


@case(mentions=("renamed parameters: s (the course has state)",))
def renamed_parameter() -> Notebook:
    """Arguments are passed by position, so a parameter's name is free; a note tells it."""
    return written("randfloat64", "def randfloat64(s):\n    return randint64(s) % 2**53 / 2**53\n")


@case(failed={"randfloat64": "wrong signature"}, mentions=("missing a required argument: 'bits'",))
def extra_parameter() -> Notebook:
    """A parameter that nobody passes gets one message of its own instead of a TypeError each."""
    return edited("randfloat64", "(state: MT19937State | None)", "(state, bits)")


@case(failed={"randfloat64": "wrong signature"},
      mentions=("randfloat64 is a class; a plain function is wanted",))
def class_instead_of_function() -> Notebook:
    """A class of that name is not the function."""
    return written("randfloat64", "class randfloat64:\n"
                                  "    def __init__(self, state):\n"
                                  "        self.state = state\n")


@case(failed={"randfloat64": "wrong signature"}, mentions=("randfloat64 is an async function",))
def async_function() -> Notebook:
    """A coroutine is not the number."""
    return edited("randfloat64", "def randfloat64", "async def randfloat64")


@case(failed={"randfloat64": "missing"}, mentions=("CYRILLIC SMALL LETTER A",))
def look_alike_letter() -> Notebook:
    """A name with a Cyrillic letter looks the same and is another; the letter is named."""
    return edited("randfloat64", "def randfloat64", "def r\u0430ndfloat64")


@case()
def compatible_letter() -> Notebook:
    """Python reads a ligature in a name as its letters (NFKC), and so does the grader."""
    return edited("randfloat64", "def randfloat64", "def rand\ufb02oat64")


@case(failed={"randfloat64": "missing"},
      mentions=("takes randfloat64 from my_helpers", "ModuleNotFoundError"))
def imported_from_a_missing_file() -> Notebook:
    """Only the notebook is handed in: a function from a file beside it is not there."""
    return written("randfloat64", "from my_helpers import randfloat64\n")


@case(failed={"randfloat64": "missing"}, mentions=("inside of something else",))
def indented_function() -> Notebook:
    """A function inside of another is not at the top level."""
    notebook = answered()
    cell = cell_of(notebook, "randfloat64")
    cell["source"] = lines("def wrap():\n    " + source(cell).replace("\n", "\n    "))
    return notebook


@case()
def defined_under_a_condition() -> Notebook:
    """A definition inside of an if is at the top level for Python, and so for the grader."""
    notebook = answered()
    cell = cell_of(notebook, "randfloat64")
    cell["source"] = lines("if True:\n    " + source(cell).replace("\n", "\n    "))
    return notebook


@case(failed={"randfloat64": "missing"})
def condition_that_does_not_hold() -> Notebook:
    """A definition that is never reached defines nothing."""
    notebook = answered()
    cell = cell_of(notebook, "randfloat64")
    cell["source"] = lines("if False:\n    " + source(cell).replace("\n", "\n    "))
    return notebook


@case()
def wrapped_by_a_decorator() -> Notebook:
    """A decorator that keeps the signature changes nothing."""
    return edited("randfloat64", "def randfloat64", "import functools\n\n\n"
                  "def noted(function):\n    @functools.wraps(function)\n"
                  "    def wrapper(*args):\n        return function(*args)\n    return wrapper\n"
                  "\n\n@noted\ndef randfloat64")


@case()
def lambda_in_place_of_def() -> Notebook:
    """A name that is bound to a lambda is a function."""
    return written("randfloat64", "randfloat64 = lambda state: randint64(state) % 2**53 / 2**53\n")


@case()
def star_import() -> Notebook:
    """A star import in an answer brings what it brings."""
    return written("randfloat64", "from math import *\n\n\ndef randfloat64(state):\n"
                                  "    return ldexp(randint64(state) % 2**53, -53)\n")


@case(failed={"randfloat32": "unexpected error"}, mentions=("ModuleNotFoundError", "torch"))
def package_that_the_chapter_has_not() -> Notebook:
    """Besides the standard library only the chapter's packages can be imported."""
    return written("randfloat32", "def randfloat32(state):\n    import torch\n"
                                  "    return torch.rand(1).item()\n")
