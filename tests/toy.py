"""A course of two small chapters, for tests that must not depend on the real ones.

``make_course(folder)`` writes the sources, ``make_tested(folder)`` the first chapter's hidden
tests and planted bugs as well, ``make_with_bonus(folder)`` a bonus besides; set ``OL_ROOT`` to the
folder. Nothing is built.
"""

from pathlib import Path

HEADER = """\
# ---
# jupyter:
#   course:
#     title: {title}
#     module: {module}
#     aliases: [{alias}]
#     needs: [{needs}]
#     packages: [numpy]
#     minutes: 10
#     difficulty: 1
#     importance: 1
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---
"""

COUNT = HEADER.format(title="Counting", module="count", alias="T.1", needs="") + '''
# %% [markdown]
# # Counting
#
# Two functions.

# %% given="tally"
from dataclasses import dataclass

import numpy as np

LIMIT = 10


@dataclass
class Tally:
    """A running count."""

    total: int
    seen: np.ndarray


# %%
from autograder.learn import check

demo = [1, 2, 3]

# %% [markdown]
# ## Doubling
#
# By hand: 21 and 21 are 42.

# %% solve="double"
def double(number: int) -> int:
    """Twice a number, at most `LIMIT` times ten.

    >>> double(21)
    42
    """
    # TODO (ch01_count): add.
    # HINT: number + number.
    ### BEGIN SOLUTION
    return min(number + number, LIMIT * 10)
    ### END SOLUTION


# %% example="double"
assert double(21) == 42

# %% check="double" points=40
check("double")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("double")
### END HIDDEN TESTS

# %% [markdown] hints="double"
# <details><summary>Hint 1: add</summary></details>

# %% [markdown]
# ## Running totals

# %% solve="running"
def running(numbers, start=0, *, step=1):
    """The running totals of a list.

    >>> running([1, 2])
    [1, 3]
    """
    ### BEGIN SOLUTION
    totals = []
    for number in numbers[::step]:
        start += number
        totals.append(start)
    return totals
    ### END SOLUTION


# %% example="running"
assert running([1, 2]) == [1, 3]

# %%
running(demo)

# %% check="running" points=60
check("running")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("running")
### END HIDDEN TESTS
'''

WORDS = HEADER.format(title="Words", module="words", alias="T.2", needs="ch01") + '''
# %% [markdown]
# # Words

# %% given="imports"
from llmdata.count import double

# %% solve="Words"
class Words:
    """The words of a text.

    >>> Words("a b").count()
    2
    """

    ### BEGIN SOLUTION
    def __init__(self, text, sep=" "):
        self.words = text.split(sep)

    def count(self):
        """How many there are."""
        return double(len(self.words)) // 2
    ### END SOLUTION


# %% check="Words" points=100
from autograder.learn import check

check("Words")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("Words")
### END HIDDEN TESTS
'''


def make_course(folder: Path) -> Path:
    """Write the sources of ``ch01_count`` and ``ch02_words`` below ``folder``."""
    solutions = folder / "solutions"
    solutions.mkdir(parents=True)
    (solutions / "ch01_count.py").write_text(COUNT, encoding="utf-8")
    (solutions / "ch02_words.py").write_text(WORDS, encoding="utf-8")
    return folder


PITFALLS = """
# %% [markdown]
# ## What goes wrong
#
# | slip | what you would see | caught by |
# |---|---|---|
# | `LIMIT` forgotten | 60 gives 120 | `test_limit` |
# | last total only | a \\| b is no list | `test_totals` |
"""

HIDDEN = '''
from autograder.hidden import checks


@checks("double", kind="unit", why="w")
def test_twice(double):
    """Twice 21 is 42."""
    assert double(21) == 42


@checks("double", kind="boundary", why="w")
def test_limit(double):
    """Nothing is more than 100."""
    assert double(60) == 100


@checks("running", kind="unit", why="w")
def test_totals(running):
    """1, 2 and 3 add up to 1, 3 and 6."""
    assert running([1, 2, 3]) == [1, 3, 6]
'''

BUGS = '''
from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS = (
    Mutant("double", "squared", "min(number + number", "min(number**2", "w"),
    Mutant("double", "unlimited", "LIMIT * 10", "1000", "w", pitfall="`LIMIT` forgotten"),
    Mutant("running", "last_one", "return totals", "return start", "w", pitfall="last total only"),
)

VARIANTS = (
    Variant(
        "shifted",
        "Shifts and builds a new list.",
        (
            ("double", "def double(n):\\n    return min(n << 1, 100)"),
            (
                "running",
                "import itertools\\n\\ndef running(numbers, first=0, *, step=1):\\n"
                "    sums = itertools.accumulate(numbers[::step], initial=first)\\n"
                "    return list(sums)[1:]",
            ),
        ),
    ),
)

EQUIVALENTS = (
    Equivalent(
        "double",
        "`return min(number + number, LIMIT * 10)` -> `return min(LIMIT * 10, number + number)`",
        "The smaller is the same in either order.",
    ),
)
'''


def make_tested(folder: Path) -> Path:
    """``make_course``, with hidden tests, planted bugs and pitfalls of ``ch01_count``."""
    make_course(folder)
    for kind, text in (("hidden", HIDDEN), ("mutants", BUGS)):
        (folder / "autograder" / kind).mkdir(parents=True)
        (folder / "autograder" / kind / "ch01_count.py").write_text(text, encoding="utf-8")
    with (folder / "solutions" / "ch01_count.py").open("a", encoding="utf-8") as source:
        source.write(PITFALLS)
    return folder


BONUS = '''
# %% solve="triple"
def triple(number):
    """Three times a number.

    By hand: 2 gives 6.
    """
    ### BEGIN SOLUTION
    return 3 * number
    ### END SOLUTION


# %% check="triple" bonus=10
check("triple")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("triple")
### END HIDDEN TESTS
'''
BONUS_HIDDEN = '''

@checks("triple", kind="unit", why="w")
def test_two(triple):
    """Three times 2 is 6."""
    assert triple(2) == 6


@checks("triple", kind="unit", why="w")
def test_one(triple):
    """Three times 1 is 3."""
    assert triple(1) == 3
'''
BONUS_BUG = '    Mutant("triple", "times_two", "3 *", "2 *", "w"),\n'


def make_with_bonus(folder: Path) -> Path:
    """``make_tested``, with a third function in ``ch01_count``, which is a bonus."""
    make_tested(folder)
    for path, text in ((("solutions",), BONUS), (("autograder", "hidden"), BONUS_HIDDEN)):
        with folder.joinpath(*path, "ch01_count.py").open("a", encoding="utf-8") as file:
            file.write(text)
    bugs = folder / "autograder" / "mutants" / "ch01_count.py"
    bugs.write_text(bugs.read_text().replace("MUTANTS = (\n", f"MUTANTS = (\n{BONUS_BUG}"))
    return folder
