"""A beginner's tests of ch04: something goes in and comes out again, and a length is right.

Must come of it: not passed. Nothing is rejected, but far fewer than 0.80 of the bugs are killed.
"""

from llmdata import rand


def test_same_seed_same_numbers():
    """Seeding twice with the same number gives the same word twice."""
    one, other = rand.MT19937State(), rand.MT19937State()
    rand.manual_seed(one, 42)
    rand.manual_seed(other, 42)

    assert rand.randint32(one) == rand.randint32(other)


def test_array_has_its_length():
    """Ten words are asked for, and ten come."""
    state = rand.MT19937State()
    rand.manual_seed(state, 42)

    assert len(rand.randint32_array(state, 10)) == 10
