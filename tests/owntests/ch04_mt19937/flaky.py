"""Tests whose verdict hangs on chance: a coin, the order of a set, the clock.

Must come of it: the coin and the clock never count, whether they are named as flaky or fail at
once. Of the ten sets, each fails under half of the hash seeds, so with two of them some are named
as flaky (but for once in 1,000 times) and some, which these two do not tell apart, may count. The
last test is sound. Once a test fails that had passed on right code, it is fair that none counts.
"""

import random
import time

import pytest

from llmdata import rand


def first_word(seed):
    state = rand.MT19937State()
    rand.manual_seed(state, seed)
    return rand.randint32(state)


def test_with_a_coin():
    """Half of all runs look at the wrong seed."""
    assert first_word(42 if random.random() < 0.5 else 137) == 4053805790


@pytest.mark.parametrize("number", range(10))
def test_with_the_order_of_a_set(number):
    """The hash seed decides which of two names comes first."""
    seeds = {f"{number} yes": 137, f"{number} no": 42}

    assert first_word(seeds[next(iter(set(seeds)))]) == 4053805790


def test_with_the_clock():
    """Every other microsecond is the wrong one."""
    assert time.time_ns() // 1000 % 2 == 0
    assert first_word(137) == 4053805790


def test_without_chance():
    assert first_word(137) == 4053805790
