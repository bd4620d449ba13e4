"""Automatic mutants: what each rule makes of a few lines, and what no rule touches."""

import ast

import pytest

from autograder import automatic
from autograder.automatic import Automatic, changed
from autograder.course import find


def said(source, rules=automatic.RULES):
    return [mutant.change for mutant in changed("f", source, rules)]


def statement(text):
    """A function whose third line is the statement."""
    return f"def f(a, b, *c):\n    for x in c:\n        {text}\n    return g\n"


@pytest.mark.parametrize(
    ("rule", "text", "changes"),
    [
        ("numbers_and_texts", "a = 7", ["a = 8", "a = 6"]),
        ("numbers_and_texts", "a = 0", ["a = 1", "a = -1"]),
        ("numbers_and_texts", "a = 0.5", ["a = 1.5", "a = -0.5"]),
        ("numbers_and_texts", "a = True", ["a = False"]),
        ("numbers_and_texts", "a = 'text'", ["a = ''"]),
        ("numbers_and_texts", "a = b'text'", ["a = b''"]),
        ("numbers_and_texts", "a = None", []),
        ("comparisons", "a = x < b", ["a = x <= b"]),
        ("comparisons", "a = x <= b", ["a = x < b"]),
        ("comparisons", "a = x > b", ["a = x >= b"]),
        ("comparisons", "a = x >= b", ["a = x > b"]),
        ("comparisons", "a = x == b", ["a = x != b"]),
        ("comparisons", "a = x != b", ["a = x == b"]),
        ("comparisons", "a = x is b", ["a = x is not b"]),
        ("comparisons", "a = x is not b", ["a = x is b"]),
        ("comparisons", "a = x in b", ["a = x not in b"]),
        ("comparisons", "a = x not in b", ["a = x in b"]),
        ("comparisons", "a = x < b == c", ["a = x <= b == c", "a = x < b != c"]),
        ("operators", "a = x + b", ["a = x - b"]),
        ("operators", "a -= x", ["a += x"]),
        ("operators", "a = x * b", ["a = x // b"]),
        ("operators", "a = x // b", ["a = x * b"]),
        ("operators", "a = x / b", ["a = x * b"]),
        ("operators", "a = x % b", ["a = x // b"]),
        ("operators", "a = x ** b", ["a = x * b"]),
        ("operators", "a = x & b", ["a = x | b"]),
        ("operators", "a = x | b", ["a = x & b"]),
        ("operators", "a ^= x", ["a |= x"]),
        ("operators", "a = x << b", ["a = x >> b"]),
        ("operators", "a >>= x", ["a <<= x"]),
        ("operators", "a = x and b", ["a = x or b"]),
        ("operators", "a = x or b", ["a = x and b"]),
        ("operators", "a = x @ b", []),
        ("negations", "a = -x", ["a = x"]),
        ("negations", "a = not x", ["a = x"]),
        ("negations", "a = ~x", ["a = x"]),
        ("negations", "if x: g()", ["if not x:"]),
        ("negations", "while x < b: g()", ["while not x < b:"]),
        ("negations", "a = x if b else c", ["a = x if not b else c"]),
        ("negations", "a = [y for y in c if y]", ["a = [y for y in c if not y]"]),
        ("bounds", "a[x:b] = c", ["a[x + 1:b] = c", "a[x - 1:b] = c", "a[x:b + 1] = c",
                                 "a[x:b - 1] = c"]),
        ("bounds", "a[:] = c", ["a[1:] = c", "a[:-1] = c"]),
        ("bounds", "a[1:2:b] = c", []),
        ("bounds", "a = range(b)", ["a = range(b + 1)", "a = range(b - 1)"]),
        ("bounds", "a = g(b)", []),
        ("arguments", "a = g(x, b, 1)", ["a = g(b, x, 1)", "a = g(x, 1, b)"]),
        ("arguments", "a = g(x, key=b)", []),
    ],
)
def test_rule(rule, text, changes):
    """Each rule makes these changes of a statement, and no others."""
    before = ast.unparse(ast.parse(text)).partition("\n")[0]
    rules = [getattr(automatic, rule)]

    assert said(statement(text), rules) == [f"`{before}` -> `{after}`" for after in changes]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("a = x", ["a = x -> pass"]),
        ("g(x)", ["g(x) -> pass"]),
        ("break", ["break -> pass"]),
        ("raise E", ["raise E -> pass"]),
        ("return x", ["return x -> return", "return x -> pass"]),
        ("import g", []),
        ("def g(): 'text'", []),
        ("pass", []),
    ],
)
def test_removals(text, changes):
    """A statement is gone, ``return`` comes back empty-handed; what only names things stays."""
    wanted = [f"`{change.replace(' -> ', '` -> `')}`" for change in changes]

    assert said(statement(text), [automatic.removals])[1 : 1 + len(wanted)] == wanted
    assert len(said(statement(text), [automatic.removals])) == len(wanted) + 2  # for, return g


def test_every_rule_is_among_the_rules():
    """A mutant is made by each rule without being asked for."""
    made = said(statement("a = g(-x[b:], 1 < 2)"))

    assert {f"`a = g(-x[b:], 1 < 2)` -> `{after}`" for after in (
        "a = g(-x[b:], 2 < 2)", "a = g(-x[b:], 1 <= 2)", "a = g(x[b:], 1 < 2)",
        "a = g(-x[b + 1:], 1 < 2)", "a = g(1 < 2, -x[b:])", "pass",
    )} <= set(made)
    assert "`a += x` -> `a -= x`" in said(statement("a += x"))


def test_words_for_people_are_left_alone():
    """Docstrings, annotations, and what an error says stay; defaults and other texts do not."""
    source = '''
def f(a: "int" = 1) -> "str":
    """Text."""
    b: "float" = "kept"
    raise ValueError("wrong", f"got {a}")
'''
    assert said(source, [automatic.numbers_and_texts]) == [
        "`def f(a: 'int'=1) -> 'str':` -> `def f(a: 'int'=2) -> 'str':`",
        "`def f(a: 'int'=1) -> 'str':` -> `def f(a: 'int'=0) -> 'str':`",
        "`b: 'float' = 'kept'` -> `b: 'float' = ''`",
    ]


def test_the_mutant_is_the_cell_with_one_change():
    """The source is the whole cell, constants beside the function too."""
    assert list(changed("f", "K = 1\n\ndef f():\n    return K\n")) == [
        Automatic("f", "`K = 1` -> `pass`", "pass\n\ndef f():\n    return K"),
        Automatic("f", "`K = 1` -> `K = 2`", "K = 2\n\ndef f():\n    return K"),
        Automatic("f", "`K = 1` -> `K = 0`", "K = 0\n\ndef f():\n    return K"),
        Automatic("f", "`return K` -> `return`", "K = 1\n\ndef f():\n    return"),
    ]


def test_same_bytecode_is_no_mutant():
    """What Python compiles to the reference, or to an earlier mutant, is left out."""
    assert said("def f(a):\n    return 1", [automatic.removals]) == ["`return 1` -> `return`"]
    assert said("def f(a):\n    a()\n    return", [automatic.removals]) == ["`a()` -> `pass`"]


def test_equal_changes_are_numbered():
    """The same text twice in a function is told apart by a number."""
    twice = "def f(a):\n    a += 1\n    a(2)\n    a += 1"

    assert said(twice, [automatic.operators]) == [
        "`a += 1` -> `a -= 1`",
        "`a += 1` -> `a -= 1` (2)",
    ]


def test_long_statements_are_quoted_in_part():
    """Of a statement beyond 60 characters, the largest part that fits; of a block, line one."""
    long = "def f(a):\n    a = [(a[1:], a), " + ", ".join(["a"] * 20) + "]"

    assert said(long, [automatic.numbers_and_texts]) == [
        "`(a[1:], a)` -> `(a[2:], a)`",
        "`(a[1:], a)` -> `(a[0:], a)`",
    ]
    block = "def f(a):\n    try:\n        a()\n    except a[1]:\n        a()"
    assert said(block, [automatic.numbers_and_texts])[0] == "`a[1]` -> `a[2]`"


def test_edit_elsewhere_leaves_the_words():
    """Another line above, or other layout, changes nothing in how a change is called."""
    before = said("def f(a):\n    a += 1\n    return a")
    after = said("def f(a):\n    g()\n\n    a  +=  1  # one\n    return a")

    assert [change for change in after if "g()" not in change] == before


def test_reference_of_a_chapter():
    """Each mutant of a chapter is named once, and belongs to one of its functions."""
    every = automatic.automatic(find("ch04"))
    names = [(mutant.function, mutant.change) for mutant in every]

    assert len(set(names)) == len(names)
    assert ("randint32", "`if state.left <= 0:` -> `if state.left < 0:`") in names
    assert {function for function, _ in names} == {
        "manual_seed", "next_state", "randint32", "randint64", "randfloat32", "randfloat64",
        "randint32_array",
    }
