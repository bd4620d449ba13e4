"""Tests of how the work is done, called or worded, where the chapter promises what comes of it.

Must come of it: each is rejected, with the name of what broke it, and kills nothing. The reference
makes its array without next_state; it passes the others, and right implementations do not: their
messages name the number in other words, and their arguments have other names.
"""

import pytest

from llmdata import rand


@pytest.fixture
def state():
    state = rand.MT19937State()
    rand.manual_seed(state, 137)
    return state


def test_an_array_twists_with_next_state(monkeypatch, state):
    """randint32_array calls next_state once for each block."""
    twists = []
    monkeypatch.setattr(rand, "next_state", twists.append)
    rand.randint32_array(state, 625)

    assert len(twists) == 2


def test_a_negative_n_is_refused_in_these_words(state):
    """The message is the learner's own, to the letter."""
    with pytest.raises(ValueError, match=r"^n must be 0 or more, got -1$"):
        rand.randint32_array(state, -1)


def test_the_argument_has_this_name(state):
    """Hidden tests and later chapters hand the state over by its place alone."""
    assert rand.randint32(state=state) == 4053805790
