"""The hidden line of a check cell, for people who run nbgrader without this course's steps.

Tests and learner share one process then, so a learner who wants to can cheat. With
nbgrader_config.py in place no submission runs this.
"""

from __future__ import annotations

from IPython.core.getipython import get_ipython

from autograder.contract import chapter_of, load
from autograder.hiddentests import check_live
from autograder.judged import function_of
from autograder.learn import judge_kernel
from autograder.verdict import FunctionVerdict

__all__ = ["score", "score_tests"]

WARNING = (
    "Careful: this mark was made inside the learner's own kernel and is not tamper-proof. "
    "Grade with the course's nbgrader_config.py for one that is."
)


def score(function: str) -> float:
    """The points that ``function``, as it now stands in this kernel, earns.

    nbgrader takes the value of a cell's last line for its score, so this is a plain finite float.
    It refuses more than the cell's points, which of a bonus are 0: the bonus is printed, for a
    person to enter as extra credit.

    Raises:
        CourseError: no chapter grades such a function, or its hidden tests are not installed.
        RuntimeError: this is no notebook.
    """
    shell = get_ipython()
    if shell is None:
        raise RuntimeError("score() grades a notebook's functions; call it in a notebook")
    chapter = chapter_of(function)
    part = load(chapter).part(function)
    ran = check_live(chapter, part, shell.user_ns)
    print(WARNING)
    earned = float(FunctionVerdict(part.name, part.points, tuple(each.test for each in ran)).earned)
    if part.bonus:
        print(f"A bonus of {earned:g} points, which nbgrader calls extra credit.")
    return 0.0 if part.bonus else earned


def score_tests() -> float:
    """The points that the tests in this kernel's cells earn; a plain finite float.

    Raises:
        CourseError: this is no chapter's notebook, or its planted bugs are not installed.
    """
    chapter, judged = judge_kernel(remembering=False)
    own = load(chapter).own_tests
    print(WARNING)
    return float(function_of(judged, own).earned) if own else 0.0
