"""Tells implementations apart by how far apart their functions lie in memory, bit by bit.

Must come of it: nothing is gained. Either no address is given away, and everything passes; or the
bits that are the same in all right implementations are too few to tell the bugs by.
"""

import re

import pytest

from llmdata import rand

NAMES = ("next_state", "randint32", "randint64", "randfloat32", "randfloat64")


def by_representation(function):
    """The address that a representation shows; None where it shows none."""
    shown = re.search(r" at 0x([0-9a-f]+)", repr(function))
    return shown and int(shown.group(1), 16) >> 4


@pytest.mark.parametrize("address", [by_representation, hash])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("wanted", [0, 1])
def test_distance(address, name, bit, wanted):
    """One of each pair of cases passes on the reference."""
    here, there = address(getattr(rand, name)), address(rand.manual_seed)

    assert here is None or (here - there) >> bit & 1 == wanted
