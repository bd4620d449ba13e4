"""Two hidden tests for each function of ch04, which the golden submissions are graded with.

Few, so that a case runs in a moment, and their own, so that a verdict does not change with the
chapter's tests. The words of seed 137 are PyTorch's; states come from NumPy's engine, so that no
function's points depend on another's.
"""

import numpy as np
import pytest

from autograder.hidden import checks

WORDS = [4053805790, 2173880614, 380293709, 1237255315, 2986595568]
WHY = "the golden submissions need it"


def holding(MT19937State, key, **fields):
    """A seeded state that holds the given 624 words."""
    matrix_a = np.array([0, 0x9908B0DF], dtype=np.uint32)
    return MT19937State(state=np.array(key, dtype=np.uint32), MATRIX_A=matrix_a, **fields)


@pytest.fixture
def seeded(MT19937State):
    """Seed 137 with the first word drawn."""
    engine = np.random.RandomState(137)
    engine.randint(0, 2**32, dtype=np.uint32)
    _, key, position, *_ = engine.get_state()
    return holding(MT19937State, key, seed=137, left=625 - position, next=position)


@checks("manual_seed", kind="unit", why=WHY)
def test_seeding_fills_words(manual_seed, MT19937State):
    """Seed 3 makes word 1 from word 0."""
    state = MT19937State()
    manual_seed(state, 3)

    assert state.state[:2].tolist() == [3, 1142332464]


@checks("manual_seed", kind="unit", why=WHY)
def test_seeding_keeps_the_seed(manual_seed, MT19937State):
    """The field seed holds the seed."""
    state = MT19937State()
    manual_seed(state, 137)

    assert state.seed == 137


@checks("next_state", kind="unit", why=WHY)
def test_twist_by_hand(next_state, MT19937State):
    """An odd word is twisted with MATRIX_A."""
    state = holding(MT19937State, [0, 3, *[0] * 395, 5, *[0] * 226], left=1, next=0)
    next_state(state)

    assert state.state[0] == 2567483611


@checks("next_state", kind="unit", why=WHY)
def test_twist_sets_the_bookmark(next_state, seeded):
    """All 624 words are fresh."""
    next_state(seeded)

    assert (seeded.left, seeded.next) == (624, 0)


@checks("randint32", kind="golden", why=WHY)
def test_words(randint32, seeded):
    """The second to fifth word of seed 137."""
    assert [randint32(seeded) for _ in range(4)] == WORDS[1:]


@checks("randint32", kind="boundary", why=WHY)
def test_no_state(randint32):
    """No state gives 0."""
    assert randint32(None) == 0


@checks("randint64", kind="golden", why=WHY)
def test_high_half_first(randint64, seeded):
    """Two words, the high half first."""
    assert randint64(seeded) == (WORDS[1] << 32) | WORDS[2]


@checks("randint64", kind="boundary", why=WHY)
def test_no_state_64(randint64):
    """No state gives 0."""
    assert randint64(None) == 0


@checks("randfloat32", kind="golden", why=WHY)
def test_low_24_bits(randfloat32, seeded):
    """The low 24 bits of a word, over 2**24."""
    assert randfloat32(seeded) == (WORDS[1] % 2**24) / 2**24


@checks("randfloat32", kind="boundary", why=WHY)
def test_no_state_float32(randfloat32):
    """No state gives 0."""
    assert randfloat32(None) == 0


@checks("randfloat64", kind="golden", why=WHY)
def test_low_53_bits(randfloat64, seeded):
    """The low 53 bits of two words, over 2**53."""
    assert randfloat64(seeded) == ((WORDS[1] << 32 | WORDS[2]) % 2**53) / 2**53


@checks("randfloat64", kind="boundary", why=WHY)
def test_no_state_float64(randfloat64):
    """No state gives 0."""
    assert randfloat64(None) == 0


@checks("randint32_array", kind="golden", why=WHY)
def test_array_of_words(randint32_array, seeded):
    """The same words as single draws."""
    assert randint32_array(seeded, 4).tolist() == WORDS[1:]


@checks("randint32_array", kind="fault", why=WHY)
def test_negative_count(randint32_array, seeded):
    """A negative n is an error."""
    with pytest.raises(ValueError, match="n"):
        randint32_array(seeded, -1)
