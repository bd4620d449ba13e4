"""A test that no implementation can pass, beside one that any right implementation does.

Must come of it: the first is rejected, since the reference fails it, and kills nothing; the
second keeps its kills.
"""

from llmdata import rand


def test_that_always_fails():
    assert False, "not written yet"  # noqa: B011, PT015 - this is what a learner writes


def test_first_word_of_seed_137():
    state = rand.MT19937State()
    rand.manual_seed(state, 137)

    assert rand.randint32(state) == 4053805790
