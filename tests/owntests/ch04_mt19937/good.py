"""An excellent learner's tests of ch04: ten functions, written along the tables of what goes wrong.

Must come of it: passed. Every right implementation passes; every pitfall and at least nine in ten
of the planted bugs are killed.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import rand

N = 624
MATRIX_A = [0, 0x9908B0DF]
ENGINE = np.random.RandomState()


def words_of_numpy(seed, n, skip=0):
    """Words skip + 1 ... skip + n of the seed's stream, from NumPy's own Mersenne Twister."""
    ENGINE.seed(seed)
    return ENGINE.randint(0, 2**32, skip + n, dtype=np.uint32)[skip:].tolist()


def state_of_numpy(seed, drawn=0):
    """NumPy's state after some draws, with PyTorch's bookkeeping: manual_seed has no part in it."""
    words_of_numpy(seed, drawn)
    words, position = ENGINE.get_state()[1:3]
    return rand.MT19937State(
        seed=seed,
        left=N + 1 - position,
        next=position if drawn else 0,
        state=words.copy(),
        MATRIX_A=np.array(MATRIX_A, dtype=np.uint32),
    )


def fields(state):
    """All that a state holds, in a form that compares."""
    words = state.state
    return (
        (state.left, state.next, state.seed),
        (str(words.dtype), words.tolist(), state.MATRIX_A.tolist()),
    )


def first_of_array(state):
    return rand.randint32_array(state, 1).tolist()[0]


@pytest.fixture
def state():
    """A state after manual_seed(137)."""
    state = rand.MT19937State()
    rand.manual_seed(state, 137)
    return state


@pytest.mark.parametrize("seed", [0, 137, 2**32 + 5, -1, np.int32(7)])
def test_seeding_gives_numpys_words_in_a_used_state(seed):
    """Only the low 32 bits decide, the seed is kept whole, and nothing old is left."""
    used = state_of_numpy(42, drawn=9)
    used.MATRIX_A[:] = 0
    rand.manual_seed(used, seed)

    wanted = state_of_numpy(int(seed) & 0xFFFFFFFF)
    wanted.seed = seed
    assert fields(used) == fields(wanted)


def test_a_twist_gives_numpys_words():
    """All three loops and the last word; left is 624 and next 0 afterwards."""
    used = state_of_numpy(137, drawn=N)
    rand.next_state(used)

    wanted = state_of_numpy(137, drawn=N + 1)
    wanted.left, wanted.next = N, 0
    assert fields(used) == fields(wanted)


def test_the_first_words_are_pytorchs(state):
    """Plain ints; drawing leaves the words in the state alone, and so does another state."""
    other = rand.MT19937State()
    rand.manual_seed(other, 42)
    words = [rand.randint32(state) for _ in range(5)]

    assert rand.randint32(other) == 1608637542
    assert words == [4053805790, 2173880614, 380293709, 1237255315, 2986595568]
    assert {type(word) for word in words} == {int}
    assert fields(state) == fields(state_of_numpy(137, drawn=5))


def test_a_block_has_624_words():
    """Draw 624 reads the last word of a block, and draw 625 twists before it reads."""
    state = state_of_numpy(137, drawn=N - 1)
    words, bookmarks = [], []
    for _ in range(2):
        words.append(rand.randint32(state))
        bookmarks.append((state.left, state.next))

    assert words == words_of_numpy(137, 2, skip=N - 1)
    assert bookmarks == [(1, N), (N, 1)]


@pytest.mark.parametrize("draw", [rand.randint32, first_of_array])
def test_left_alone_decides_when_to_twist(draw):
    """A fresh block is read from its first word on, be it all zeros; 4096 is tempered by hand."""
    state = rand.MT19937State(left=3, next=0)
    state.MATRIX_A[:] = MATRIX_A

    assert draw(state) == 0
    state.state[1] = 4096
    assert draw(state) == 134746624
    assert (state.left, state.next, state.seed) == (1, 2, 0)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("randint32", int), ("randint64", int), ("randfloat32", np.float32), ("randfloat64", float)],
)
def test_no_state_gives_zero(name, kind):
    """None gives 0 of the right type from every function, and zeros from the array one."""
    zero, zeros = getattr(rand, name)(None), rand.randint32_array(None, 3)

    assert (type(zero), zero) == (kind, 0)
    assert (zeros.dtype, zeros.tolist()) == (np.uint32, [0, 0, 0])


@pytest.mark.parametrize("draw", [rand.randint32, first_of_array])
def test_a_state_never_seeded_takes_5489(draw):
    """The first draw seeds it; drawing nothing does not."""
    state = rand.MT19937State()
    rand.randint32_array(state, 0)
    assert fields(state) == fields(rand.MT19937State())

    assert draw(state) == 3499211612
    assert fields(state) == fields(state_of_numpy(5489, drawn=1))


@pytest.mark.parametrize("drawn", [10, N - 1])
def test_wider_numbers_are_made_of_words(drawn):
    """High half first, low 24 and low 53 bits kept, the types as promised, no word wasted."""
    high, low = words_of_numpy(137, 2, skip=drawn)
    both = high << 32 | low
    for name, wanted, used in [
        ("randint64", both, 2),
        ("randfloat32", np.float32(high % 2**24 / 2**24), 1),
        ("randfloat64", both % 2**53 / 2**53, 2),
    ]:
        state = state_of_numpy(137, drawn)
        got = getattr(rand, name)(state)

        assert (type(got), got) == (type(wanted), wanted)
        assert fields(state) == fields(state_of_numpy(137, drawn + used))


@given(
    seed=st.integers(0, 2**32 - 1),
    drawn=st.integers(0, 2 * N),
    pieces=st.lists(st.integers(0, 3 * N), min_size=1, max_size=3),
)
@settings(max_examples=6, deadline=None)
def test_arrays_of_any_length_make_one_stream(seed, drawn, pieces):
    """Wherever it starts and however it is cut, an array is n draws, and so is the state after."""
    state, words = state_of_numpy(seed, drawn), []
    for n in pieces:
        words += rand.randint32_array(state, n).tolist()

    assert words == words_of_numpy(seed, sum(pieces), skip=drawn)
    assert fields(state) == fields(state_of_numpy(seed, drawn + sum(pieces)))


@pytest.mark.parametrize(
    ("drawn", "n"),
    [(0, N), (1, 2), (5, N), (N, 0), (N, 1), (0, 17_000)],
)
def test_arrays_at_the_ends_of_blocks(drawn, n):
    """uint32 words, n of them, for a NumPy integer too; a negative n is refused by name."""
    state = state_of_numpy(137, drawn)
    words = rand.randint32_array(state, np.int64(n))

    assert (words.dtype, words.tolist()) == (np.uint32, words_of_numpy(137, n, skip=drawn))
    assert fields(state) == fields(state_of_numpy(137, drawn + n))
    assert (type(state.left), type(state.next)) == (int, int)
    with pytest.raises(ValueError, match="-3"):
        rand.randint32_array(state, -3)
