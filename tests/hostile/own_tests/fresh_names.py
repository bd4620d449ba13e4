"""Tests that have a new name in every run, and always fail.

Must come of it: nothing is gained. Under none of these names has the reference passed a test, so
none of them kills.
"""

import os

import pytest

RUN = os.urandom(4).hex()


def fail():
    raise AssertionError(RUN)


globals()[f"test_{RUN}"] = fail


@pytest.mark.parametrize("case", ["always", pytest.param("new", id=RUN)])
def test_with_a_new_case(case):
    """One case has the same name each time and passes; the other has not, and fails."""
    assert case == "always"


class TestGroup:
    """A new method of a class that is always there."""


setattr(TestGroup, f"test_{RUN}", lambda self: fail())
