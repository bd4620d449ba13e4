"""Code that ends badly, or not at all."""

from __future__ import annotations

from tests.submissions.kit import (
    FLOAT32,
    Notebook,
    all_of,
    answered,
    case,
    cell_of,
    edited,
    in_one_cell,
    label,
    lines,
    source,
    written,
)


def below_the_last_function(text: str) -> Notebook:
    """All answered, with lines that run when the module is loaded."""
    notebook = answered()
    cell = cell_of(notebook, "randint32_array")
    cell["source"] = lines(f"{source(cell)}\n\n{text}\n")
    return notebook


@case(failed={"randfloat32": "timed out"}, limits={"test_seconds": 1})
def infinite_loop() -> Notebook:
    """A call that does not end is stopped; the next test gets a fresh process."""
    return edited("randfloat32", FLOAT32, "while True:\n        pass")


@case(
    failed=all_of("timed out"), status="timed out",
    limits={"test_seconds": 1, "total_seconds": 2},
)
def infinite_loop_while_loading() -> Notebook:
    """A loop beside the last function stops the module itself, so nothing of it can be graded."""
    return below_the_last_function("while True:\n    pass")


@case(failed=all_of("missing"), status="out of memory", mentions=("MemoryError",))
def memory_hog_while_loading() -> Notebook:
    """A cell that runs out of memory above all functions defines none of them."""
    return in_one_cell("hoard = bytearray(1 << 40)")


@case(failed=all_of("crashed"), status="crashed")
def abort_while_loading() -> Notebook:
    """A module that kills its process is never there to be graded."""
    return below_the_last_function("import os\n\nos.abort()")


@case(failed={"randfloat32": "ended the process"})
def sys_exit() -> Notebook:
    """sys.exit() instead of an answer fails the test that called."""
    return edited("randfloat32", FLOAT32, "import sys\n    sys.exit(0)")


@case(failed={"randfloat32": "ended the process"})
def os_exit() -> Notebook:
    """os._exit(0) ends the worker, not the grader, and earns nothing."""
    return edited("randfloat32", FLOAT32, "import os\n    os._exit(0)")


@case(failed={"randfloat32": "crashed"})
def os_abort() -> Notebook:
    """A worker killed by a signal is a crash."""
    return edited("randfloat32", FLOAT32, "import os\n    os.abort()")


@case(failed={"randfloat32": "out of memory"})
def memory_hog() -> Notebook:
    """Memory is bounded."""
    return edited("randfloat32", FLOAT32, "return len(bytearray(1 << 40))")


@case(failed={"randfloat32": "unexpected error"}, mentions=("RecursionError",))
def endless_recursion() -> Notebook:
    """Python's own limit on recursion is an error like others."""
    return edited("randfloat32", FLOAT32, "return randfloat32(state)")


@case(failed={"randfloat32": "unexpected error"},
      mentions=("ZeroDivisionError", f"{label('randfloat32')}, line 2"))
def exception_in_a_function() -> Notebook:
    """An exception is told with its cell and line."""
    return written("randfloat32", "def randfloat32(state):\n    return 1 / 0\n")


@case(mentions=("AssertionError", f"{label('randfloat32')}, line 5:",
                "what the cell defined before this line is graded"))
def exception_after_the_definition() -> Notebook:
    """A failing line below the function stops its cell only; the function is there and counts."""
    return written("randfloat32", f"def randfloat32(state):\n    {FLOAT32}\n\n\n"
                                  "assert randfloat32(None) == 7\n")


@case(failed={"randint64": "unexpected error", "randfloat64": "unexpected error"},
      mentions=("it cannot be compared",))
def equal_to_everything() -> Notebook:
    """An object whose == is always true never takes part in a comparison; and it has no & for
    randfloat64."""
    return written("randint64", "class Anything:\n"
                                "    def __eq__(self, other):\n"
                                "        return True\n\n\n"
                                "def randint64(state):\n    return Anything()\n")
