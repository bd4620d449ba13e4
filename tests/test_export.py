"""Which cells of a submission are graded, and what is said about the others."""

import json

import pytest

from autograder import build, contract, course
from autograder.cellcode import MAX_CHARACTERS, read_code
from autograder.export import select, signature_problem
from autograder.reading import read
from autograder.verdict import Reason
from tests import toy

DOUBLE = "def double(number):\n    return 2 * number"
RUNNING = "def running(numbers, start=0, *, step=1):\n    return numbers"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The toy chapter's contract and its release."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(toy.make_course(tmp_path_factory.mktemp("course"))))
        chapter = course.find("ch01")
        made = build.build(chapter)
        return contract.from_notebook(chapter, json.loads(made.solution)), json.loads(made.release)


@pytest.fixture
def choose(built):
    """Select from a notebook of the sources given: strings, or (grade_id, source)."""
    def choose(*cells):
        notebook = {"cells": [
            {"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": name}}}
            for name, source in (cell if isinstance(cell, tuple) else ("", cell) for cell in cells)
        ]}
        return select(read(json.dumps(notebook).encode(), built[0]), built[0])
    return choose


def learner_cells(selection) -> list[str]:
    return [cell.source for cell in selection.module.cells if not cell.name.startswith("given-")]


def run(selection) -> dict:
    namespace = {}
    for cell in selection.module.cells:
        exec(cell.source, namespace)
    return namespace


def test_the_release_gives_its_stubs(built):
    """An untouched notebook: given cells and the two stubs, nothing to remark."""
    selection = select(read(json.dumps(built[1]).encode(), built[0]), built[0])

    assert selection.module.name == "llmdata.count"
    assert [cell.name for cell in selection.module.cells] == [
        "given-tally", "cell 5 (solve-double)", "cell 10 (solve-running)"]
    assert [source.problem for source in selection.functions.values()] == [None, None]
    assert selection.notes == ()


@pytest.mark.parametrize("source", [
    DOUBLE,
    "if True:\n    def double(number):\n        return 2 * number",
    "try:\n    import nowhere\nexcept ImportError:\n    def double(n):\n        return 2 * n",
    "from contextlib import suppress\nwith suppress(ValueError):\n    double = lambda n: 2 * n",
    "for factor in [2]:\n    double = lambda number: factor * number",
    "class Twice:\n    def __call__(self, number):\n        return 2 * number\ndouble = Twice()",
    "from functools import partial\ndouble = partial(lambda f, x: f(x, x), lambda x, y: x + y)",
    "\ufb02 = 2\ndef doubl\u212f(number):\n    return fl * number",
])
def test_a_function_is_found_where_it_is_defined(choose, source):
    """By definition at the top level, also in blocks and by assignment; names are NFKC."""
    selection = choose("x = 1", source, RUNNING)

    assert selection.functions["double"].problem is None
    assert selection.functions["double"].index == 2
    assert run(selection)["double"](21) == 42


def test_an_imported_function_is_taken_with_a_note(choose):
    """The module may be missing at grading; loading the cell will tell."""
    function = choose("from helpers import double", RUNNING).functions["double"]

    assert function.problem is None
    assert function.notes == (
        "cell 1 takes double from helpers; grading must be able to import that",)


def test_given_cells_come_from_the_course(choose, built):
    """A changed given cell is not used; what it added is named."""
    selection = choose(("given-tally", "LIMIT = 99\nimport math"), DOUBLE, RUNNING)

    assert selection.module.cells[0] == built[0].given[0]
    assert selection.notes == (
        "cell 1 (given-tally) was changed: the course's own text of it is used; "
        "math must move to a cell of your own",)


def test_a_given_name_pulls_no_cell_in(choose):
    """A scratch cell that sets a given name anew stays out."""
    selection = choose("LIMIT = 99", "def double(n):\n    return 2 * n * (LIMIT == 10)", RUNNING)

    assert len(learner_cells(selection)) == 2
    assert run(selection)["double"](21) == 42


def test_redefining_what_is_given_is_remarked(choose):
    """A cell that is graded may not quietly replace the course's names."""
    assert choose("LIMIT = 99\n" + DOUBLE, RUNNING).notes == (
        "cell 1 defines LIMIT anew, which the course gives",)


def test_helpers_are_taken_and_nothing_else(choose):
    """Cells come along only if an exported cell needs, through others, a name that they define."""
    selection = choose(
        "two = 2", "def helper(x):\n    return two * x", "1 / 0", "two_unused = 3",
        "def double(number):\n    return helper(number)", RUNNING, "print(double(4))",
    )

    assert [cell.name for cell in selection.module.cells] == [
        "given-tally", "cell 1", "cell 2", "cell 5", "cell 6"]
    assert run(selection)["double"](21) == 42


@pytest.mark.parametrize(("cells", "taken"), [
    (["T = [1]", "T[0] = 2", "def double(n):\n    return n * T[0]"], 3),
    (["T = []", "for i in [2]:\n    T.append(i)", "def double(n):\n    return n * T[0]"], 3),
    (["T = 1", "T = 2", "def double(n):\n    return n * T"], 2),
    (["T = 1", "T = T + 1", "def double(n):\n    return n * T"], 3),
    (["from functools import *", "def double(n):\n    return 2 * n", "double = cache(double)"], 3),
    (["def deco(f):\n    return f", "@deco\ndef double(n):\n    return 2 * n"], 2),
    (["def double(n):\n    return 2 * n + zero()", "def zero():\n    return 0"], 2),
    (["class A:\n    k = 2", "class B(A):\n    pass", "def double(n):\n    return B.k * n"], 3),
    (["k = 2", "def double(n, k=k):\n    return k * n"], 2),
    (["k = 3", "def double(n):\n    k = 2\n    return k * n"], 1),
    (["i = 3", "def double(n):\n    return sum([n for i in [0, 1]])"], 1),
    (["from math import *", "def double(n):\n    return int(sqrt(4)) * n"], 2),
])
def test_what_a_cell_needs(choose, cells, taken):
    """Globals of functions, defaults, decorators and bases count, locals do not; so do changes."""
    selection = choose(*cells, RUNNING)

    assert len(learner_cells(selection)) == taken + 1
    assert run(selection)["double"](21) == 42


def test_the_course_s_own_cells_are_never_exported(choose):
    """A name that only a demo defines is missing at grading; the note says where to put it."""
    demo = "from autograder.learn import check\n\ndemo = [1, 2, 3]"
    selection = choose(demo, "def double(number):\n    return demo[1] * number", RUNNING)

    assert len(learner_cells(selection)) == 2
    assert selection.notes == (
        "cell 2 uses demo, which only cell 1 defines: define it in a cell of your own",)


def test_a_helper_in_an_unreadable_cell_is_named(choose):
    """When a helper's cell has a syntax error, the function that misses it gets to know."""
    helper = "def helper(x):\n    return (x"
    notes = choose(helper, "def double(n):\n    return helper(n)", RUNNING).notes

    assert notes == ("cell 2 uses helper; cell 1 left out: line 2: '(' was never closed",)


def test_the_last_of_several_definitions_counts(choose):
    """A copied cell costs nothing; the note names both."""
    selection = choose(("solve-double", DOUBLE), ("solve-double", f"# again\n{DOUBLE}"), RUNNING)

    assert selection.functions["double"].index == 2
    assert len(learner_cells(selection)) == 2
    assert selection.functions["double"].notes == (
        "double is defined in cell 1 (solve-double), cell 2 (solve-double): the last one counts",)


BROKEN = "def double(number):\n    return (2 * number"


@pytest.mark.parametrize(("cell", "message"), [
    (("solve-double", BROKEN), "cell 1 (solve-double), line 2: '(' was never closed"),
    (BROKEN, "cell 1, line 2: '(' was never closed"),
    (("solve-double", "x = )"), "cell 1 (solve-double), line 1: unmatched ')'"),
    (("solve-double", "return 3"), "cell 1 (solve-double), line 1: 'return' outside function"),
    (("solve-double", "x = 1\0"), "cell 1 (solve-double), line 1: a NUL byte stands in the text"),
    (("solve-double", "\n\ud800"), "cell 1 (solve-double), line 2: half a character (a lone surr"),
    (("solve-double", "x = " + "(" * 150 + ")" * 150 + "+ a" * 50_000), "too long for code"),
    (("solve-double", "x = " + "a + " * 20_000 + "a"), "nested too deeply"),
    (("solve-double", "x = " + "-" * 50_000 + "1"), "nested too deeply"),
    (("solve-double", "x = 1\n" * MAX_CHARACTERS), "too long for code"),
])
def test_an_unreadable_cell_costs_its_own_function(choose, cell, message):
    """Found by id or by the text of its def; cell and line are named; the rest goes on."""
    selection = choose(cell, RUNNING)

    assert selection.functions["double"].problem is Reason.ERROR
    assert message in selection.functions["double"].message
    assert selection.functions["running"].problem is None
    assert len(learner_cells(selection)) == 1


def test_a_readable_definition_beats_an_unreadable_one(choose):
    """As in a kernel: the cell with the error never ran."""
    function = choose(DOUBLE, ("solve-double", BROKEN), RUNNING).functions["double"]

    assert (function.problem, function.index) == (None, 1)
    assert function.notes == ("cell 2 (solve-double) left out: line 2: '(' was never closed",)


def test_a_split_cell_is_named(choose):
    """The second half starts with an indented line; both cells are named."""
    wanted = ("cell 2 begins in the middle of a block: if it is the rest of cell 1 (solve-double), "
              "join the two cells")
    rest = "    return 2 * number"
    whole = choose(("solve-double", 'def double(number):\n    """Twice."""'), rest, RUNNING)
    assert whole.functions["double"].notes == (wanted,)

    bare = choose(("solve-double", "def double(number):"), rest, RUNNING)
    assert bare.functions["double"].problem is Reason.ERROR
    assert wanted in bare.functions["double"].message


@pytest.mark.parametrize(("cell", "message"), [
    (("solve-double", "def twice(n):\n    return 2 * n"),
     "cell 1 (solve-double) defines no function double; it defines twice"),
    (("solve-double", "import os"), "defines no function double; it defines nothing"),
    ("def doubles(n):\n    return 2 * n", "cell 1 defines doubles: give it back its name"),
    ("def d\u043euble(n):\n    return 2 * n", "'\u043e' is CYRILLIC SMALL LETTER O"),
    ("class A:\n    def double(n):\n        return 2 * n", "inside of something else"),
    ("x = 1", "no cell defines double, and the cell solve-double is gone"),
])
def test_a_missing_function_says_what_is_there(choose, cell, message):
    """Renamed, indented, spelled with another alphabet's letter, or gone."""
    selection = choose(cell, RUNNING)
    function = selection.functions["double"]

    assert function.problem is Reason.MISSING
    assert message in function.message
    assert (function.index, function.cell) == (0, "")


@pytest.mark.parametrize(("source", "message"), [
    ("async def double(number):\n    return 2", "double is an async function; a plain function"),
    ("class double:\n    pass", "double is a class; a plain function is wanted"),
    ("def double(number, factor):\n    return 2", "missing a required argument: 'factor'"),
    ("def double():\n    return 2", "wanted (number), your cell has (): too many positional"),
    ("double = lambda: 2", "too many positional arguments"),
    ("def double(*, number):\n    return 2", "too many positional arguments"),
])
def test_what_cannot_be_called_as_agreed_is_refused(choose, source, message):
    """A class, a coroutine, other parameters: one message instead of a TypeError in each test."""
    function = choose(source, RUNNING).functions["double"]

    assert function.problem is Reason.SIGNATURE
    assert message in function.message


@pytest.mark.parametrize(("wanted", "submitted", "fits"), [
    ("a, b", "x, y", True), ("a, b", "*args", True), ("a, b=1", "a, b", False),
    ("a, b=1", "a, b=2, c=3", True), ("a, b=1", "a", False), ("a, *, k=1", "a, k=1", True),
    ("a, *, k=1", "a, **rest", True), ("a, *, k", "a", False), ("a, *, k=1", "a, j=1, k=1", True),
    ("a, *, k", "a, *, k, j", False), ("a", "a, /", True), ("a, b=1", "a, *, b=1", False),
])
def test_signatures_fit_if_every_promised_call_does(wanted, submitted, fits):
    """By position, whatever the names are; by name only what stands after the star."""
    signatures = [
        read_code(f"def f({parameters}): pass").definitions["f"].signature
        for parameters in (submitted, wanted)
    ]
    assert (signature_problem(*signatures) is None) is fits


def test_renamed_parameters_are_only_remarked(choose):
    """The note names both."""
    function = choose("def double(value):\n    return 2 * value", RUNNING).functions["double"]

    assert function.problem is None
    assert function.notes == ("renamed parameters: value (the course has number)",)


@pytest.mark.parametrize(("source", "line"), [
    ("%matplotlib inline\n{}", 1), ("{}\n!ls it's", 3), ("%%time\n{}", 1), ("?double\n{}", 1),
    ("{}\ndouble?", 3), ("files = !ls\n{}", 1), ("if 1:\n    %time x = 1\n{}", 2),
    ("!ls \\\n   -l\n{}", 2), ("get_ipython().run_line_magic('a', 'b')\n{}", 1),
    ("if 1:\n    ip = get_ipython(); y = 2\n{}", 2),
    ("get_ipython().system(\n    'ls')\n{}", 1),
])
def test_ipython_lines_are_dropped_with_a_note(choose, source, line):
    """The rest of the cell stays, and stays on its lines."""
    source = source.format(DOUBLE)
    selection = choose(source, RUNNING)
    graded = learner_cells(selection)[0]

    assert graded.count("\n") == source.count("\n")
    assert graded.partition("def")[0].count("\n") == source.partition("def")[0].count("\n")
    assert f"cell 1: line {line} left out, it is IPython's" in selection.notes[-1]
    assert run(selection)["double"](21) == 42


def test_lines_that_only_look_like_magics_stay(choose):
    """A continued expression or a text may begin a line with % or !."""
    source = 'text = """\n%time\n!ls"""\ndef double(n):\n    return (2 * n\n    % 1000)\n%time 1'

    assert learner_cells(choose(source, RUNNING))[0] == source.replace("%time 1", "pass")


def test_another_language_s_cell_is_left_out_whole(choose):
    """Below %%bash nothing is Python."""
    selection = choose(("solve-double", "%%bash\n" + DOUBLE), RUNNING)

    assert selection.functions["double"].problem is Reason.MISSING


def test_thousands_of_cells_are_chosen_from(choose):
    """Notes stay few however many cells there are."""
    cells = [f"x{i} = 1" for i in range(4000)] + [f"%time\n{DOUBLE}\nx{i}" for i in range(1000)]
    selection = choose(*cells, RUNNING)

    assert len(learner_cells(selection)) == 3
    assert selection.functions["double"].notes[0].endswith("and 996 more: the last one counts")


def test_notes_are_bounded(choose):
    """A notebook full of magics gets a bounded list of remarks."""
    assert len(choose("%time\n" * 500 + DOUBLE, RUNNING).notes) == 41


@pytest.mark.parametrize("source", [
    "def {0}(n):\n    return 2", "def double({0}):\n    return 2",
    "def double(n, {0}):\n    return 2", "def double(n, k='{0}', *, z):\n    return 2",
    "class {0}:\n    def double(n):\n        return 2", "from {0} import double",
    "{0} = double = LIMIT = 1", "def double(n):\n    return {0}({0}",
])
def test_texts_are_bounded(choose, source):
    """A learner's names may be as long as they like; what is said of them is short."""
    selection = choose(("solve-double", source.format("x" * 20_000)), RUNNING)
    function = selection.functions["double"]

    assert all(len(text) < 420 for text in (function.message, *function.notes, *selection.notes))


def test_code_in_all_is_bounded(choose):
    """What comes after two million characters is not read; the function says so."""
    filler = [f"# {'x' * 90_000}"] * 23
    function = choose(*filler, ("solve-double", DOUBLE), RUNNING).functions["double"]

    assert function.problem is Reason.ERROR
    assert "2,000,000 characters" in function.message


def test_provenance_of_a_function(choose):
    """Cell, index, id and the SHA-256 of the cell's text, for the export."""
    function = choose("x = 1", ("solve-double", DOUBLE), RUNNING).functions["double"]

    assert (function.cell, function.index) == ("cell 2 (solve-double)", 2)
    assert function.cell_id == "solve-double"
    # printf 'def double(number):\n    return 2 * number' | sha256sum
    assert function.sha256 == "3db383bdc588ca79d1b2eae97bb7f74fe855e6cd6c42f4d82313e1ae6fd54e09"
    assert function.source == DOUBLE
