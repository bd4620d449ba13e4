"""A course of two small chapters, for tests that must not depend on the real ones.

``make_course(folder)`` writes the sources; set ``OL_ROOT`` to the folder. Nothing is built.
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
'''


def make_course(folder: Path) -> Path:
    """Write the sources of ``ch01_count`` and ``ch02_words`` below ``folder``."""
    solutions = folder / "solutions"
    solutions.mkdir(parents=True)
    (solutions / "ch01_count.py").write_text(COUNT, encoding="utf-8")
    (solutions / "ch02_words.py").write_text(WORDS, encoding="utf-8")
    return folder
