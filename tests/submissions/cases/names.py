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
