"""Cells moved, copied, split, merged and added."""

from __future__ import annotations

import copy

from tests.submissions.kit import (
    FLOAT32,
    Notebook,
    answered,
    case,
    cell_of,
    code,
    edited,
    in_one_cell,
    inserted,
    label,
    lines,
    place_of,
    source,
    written,
)


@case(failed={"randfloat32": "unexpected error"},
      mentions=(f"{label('randfloat32')}, line 2: '(' was never closed",))
def syntax_error_in_one_cell() -> Notebook:
    """A syntax error costs its own function; cell and line are named, the rest is graded."""
    broken = FLOAT32.replace("return ", "return (")
    return written("randfloat32", f"def randfloat32(state):\n    {broken}\n")


@case(failed={"randint32_array": "missing"},
      mentions=("no cell defines randint32_array, and the cell solve-randint32_array is gone",))
def missing_cell() -> Notebook:
    """A deleted cell costs its own function."""
    notebook = answered()
    del notebook["cells"][place_of(notebook, "randint32_array")]
    return notebook


@case(mentions=(f"randint64 is defined in {label('randint64')}, cell ", "the last one counts"))
def duplicated_cell() -> Notebook:
    """A copy, its id and nbgrader's metadata included, costs nothing; both cells are named."""
    notebook = answered()
    cell = cell_of(notebook, "randint64")
    return inserted(place_of(notebook, "randint64"), copy.deepcopy(cell), notebook=notebook)


@case(mentions=("the last one counts",))
def second_try_below() -> Notebook:
    """A wrong first try is covered by the definition below it, as in a kernel that ran both."""
    notebook = answered()
    first = code("def randint64(state):\n    return 1\n")
    return inserted(place_of(notebook, "randint64"), first, notebook=notebook)


@case(failed={"randfloat64": "wrong value"}, mentions=(
    f"begins in the middle of a block: if it is the rest of {label('randfloat64')}, "
    "join the two cells",))
def split_cell() -> Notebook:
    """The def with its docstring is a whole function, which returns None; both cells are named."""
    notebook = answered()
    cell, place = cell_of(notebook, "randfloat64"), place_of(notebook, "randfloat64")
    head, body = source(cell).split("    # TODO", 1)
    cell["source"] = lines(head)
    return inserted(place + 1, code("    # TODO" + body), notebook=notebook)


@case()
def merged_cells() -> Notebook:
    """All functions in one cell, the others deleted."""
    return in_one_cell()


@case()
def reordered_cells() -> Notebook:
    """The order of cells does not matter to functions that call each other."""
    notebook = answered()
    notebook["cells"].reverse()
    return notebook


@case()
def extra_cells() -> Notebook:
    """Scratch cells stay out, whatever they hold: errors, plots, files, endless loops."""
    return inserted(1, code("1 / 0"), code("while True:\n    pass"), code("def (:"), code("exit()"),
                    code("import matplotlib.pyplot as plt\nplt.plot([1])\nN = 3\nwords = []"),
                    code("open('scratch.txt', 'w').write('x')"), code(""))


@case()
def helper_in_an_extra_cell() -> Notebook:
    """A cell of the learner's own is taken if a function needs it, through others if need be; also
    if it stands below."""
    notebook = edited("randfloat32", FLOAT32, "return scaled(randint32(state), bits=24)")
    notebook["cells"].append(code("def scaled(word, bits):\n"
                                  "    return np.ldexp(np.float32(word & mask(bits)), -bits)\n"))
    mask = code("def mask(bits):\n    return int(ldexp(1, bits)) - 1\n")
    return inserted(1, code("from math import ldexp"), mask, notebook=notebook)


@case(failed={"randfloat32": "unexpected error"},
      mentions=(f"uses ready, which only {label('randint32', 'example')} defines", "NameError"))
def name_from_a_demo() -> Notebook:
    """The course's examples are not exported, so a global made there is missing; the note says
    where it belongs."""
    return edited("randfloat32", FLOAT32, FLOAT32.replace("24", "ready.next", 1))


@case()
def check_cell_deleted() -> Notebook:
    """What decides are the hidden tests, not the cell that would call them."""
    notebook = answered()
    notebook["cells"].remove(cell_of(notebook, "randint64", "check"))
    return notebook


@case()
def check_cell_duplicated() -> Notebook:
    """A copy of a check cell, its id and points included, is worth nothing more."""
    notebook = answered()
    cell = cell_of(notebook, "randint64", "check")
    return inserted(0, copy.deepcopy(cell), notebook=notebook)


@case()
def check_cell_moved() -> Notebook:
    """A check cell may stand above what it checks, or at the end."""
    notebook = answered()
    first, last = (cell_of(notebook, name, "check") for name in ("randint64", "manual_seed"))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell not in (first, last)]
    notebook["cells"] = [first, *notebook["cells"], last]
    return notebook


@case()
def check_cell_edited() -> Notebook:
    """A check cell that was made to say something else decides nothing."""
    notebook = answered()
    cell_of(notebook, "randint64", "check")["source"] = ["print('8 of 8 points')"]
    return notebook


@case(failed={"randint64": "not written yet", "randfloat64": "not written yet"})
def check_cell_that_awards_itself() -> Notebook:
    """Nor does one that returns its own points."""
    notebook = answered("manual_seed", "next_state", "randint32", "randfloat32", "randint32_array")
    cell_of(notebook, "randint64", "check")["source"] = ["8.0"]
    return notebook


@case()
def check_cell_as_text() -> Notebook:
    """A check cell turned into Markdown."""
    notebook = answered()
    cell = cell_of(notebook, "randint64", "check")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]
    return notebook


@case(failed={"randint64": "missing", "randfloat64": "unexpected error"},
      mentions=(f"{label('randint64')} is a raw cell, which is never run: make it",))
def answer_cell_as_raw() -> Notebook:
    """Raw cells are never run, here as in a kernel; the message names the cell."""
    notebook = answered()
    cell = cell_of(notebook, "randint64")
    cell["cell_type"] = "raw"
    del cell["outputs"], cell["execution_count"]
    return notebook


@case()
def answer_split_in_three() -> Notebook:
    """An import, a helper and the function, each in a cell of its own."""
    notebook = written("randfloat64", "def randfloat64(state):\n    return half(state) * SCALE\n")
    parts = [code("from math import ldexp\n\nSCALE = ldexp(1, -53)\n"),
             code("def half(state):\n    return randint64(state) & (2**53 - 1)\n")]
    return inserted(place_of(notebook, "randfloat64"), *parts, notebook=notebook)


@case()
def merged_with_the_next() -> Notebook:
    """An answer that stands in the cell of the next one, its own cell deleted."""
    notebook = answered()
    first, second = (cell_of(notebook, name) for name in ("randint64", "randfloat32"))
    second["source"] = lines(source(first) + "\n\n" + source(second))
    notebook["cells"].remove(first)
    return notebook
