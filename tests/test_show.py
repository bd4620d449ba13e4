"""Text for people: bounded, harmless, and saying where two values part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import show


@given(st.text())
def test_clean_text_holds_no_control_characters(text):
    """Nothing that a terminal would obey survives, and the length is bounded."""
    cleaned = show.clean(text, 50)

    assert len(cleaned) <= 54
    assert all(
        character == "\n" or character.isprintable() or character.isspace() for character in cleaned
    )
    assert "\x1b" not in cleaned


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (4053805790, "4053805790"),
        ("a\x1b[31m", r"'a\x1b[31m'"),
        (np.uint32(7), "np.uint32(7)"),
        (1 << 5000, "<int of 5001 bits>"),
        (list(range(100)), "[0, 1, 2, 3, 4, 5, 6, 7, ...]"),
        (np.arange(3, dtype=np.uint16), "array([0, 1, 2], uint16)"),
    ],
)
def test_values_are_short(value, shown):
    """A value is shown as one would type it, cut where it is long."""
    assert show.value(value) == shown


def test_an_object_goes_by_its_class():
    """A learner's object may have a long repr, or one that raises; its class is enough."""

    class Unhappy:
        def __repr__(self):
            raise RuntimeError

    assert show.value(Unhappy()) == "<Unhappy>"


@pytest.mark.parametrize(
    ("got", "wanted", "said"),
    [
        ([1, 2, 3], [1, 5, 3], "first difference at index 1: wanted 5, got 2"),
        ([1, 2], [1, 2, 3], "length 2 instead of 3"),
        (b"\x00" * 17 + b"\x01", b"\x00" * 17 + b"\x02", "offset 17"),
        ({0: 1, 623: 2}, {0: 1, 623: 3}, "first difference at 623: wanted 3, got 2"),
        ({}, {"n": 3}, "first difference at 'n': wanted 3, got nothing"),
        ((1,), [1], ""),
        (3, 4, ""),
        ("Counter", "dict", ""),
    ],
)
def test_difference_names_the_first(got, wanted, said):
    """Of two sequences, the first place where they part is named; for bytes, in hex."""
    assert said in show.difference(got, wanted)
    if said == "":
        assert show.difference(got, wanted) == ""
