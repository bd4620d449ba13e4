"""Hidden tests of ch04_mt19937: PyTorch's Mersenne Twister.

What is wanted comes from NumPy's own MT19937 at seeds drawn afresh, or from ``golden.json``.
``seeded`` sets a state's fields from NumPy's engine, so a wrong ``manual_seed`` costs nobody the
points of the other functions. A draw that crosses a block needs the learner's ``next_state``.
"""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.hidden import checks

N = 624
MAGIC = [0, 0x9908B0DF]
SEEDS = st.integers(0, 2**32 - 1)


def numpy_words(seed, n, skip=0):
    """Words skip + 1 ... skip + n of NumPy's stream."""
    words = np.random.RandomState(seed).randint(0, 2**32, size=skip + n, dtype=np.uint32)
    return words[skip:].tolist()


def numpy_block(seed, drawn):
    """NumPy's 624 words and PyTorch's left and next, after some draws."""
    engine = np.random.RandomState(seed)
    engine.randint(0, 2**32, size=drawn, dtype=np.uint32)
    _, key, position, *_ = engine.get_state()
    return (key, 1, 0) if drawn == 0 else (key, N + 1 - position, position)


def engine_at(key, position):
    """NumPy's engine with these words, about to read the one at ``position``."""
    twister = np.random.MT19937()
    twister.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}
    return twister


def low_bits(seed):
    """The 32 bits of a golden seed that count; PyTorch takes larger and negative ones too."""
    return int(seed) & 0xFFFFFFFF


def at(places, words):
    """Words by their index, so that a failure names the word that is wrong."""
    return dict(zip(places, words, strict=True))


def digest(words):
    return hashlib.sha256(words.astype("<u4").tobytes()).hexdigest()


@pytest.fixture
def seeded(MT19937State):
    """``seeded(seed, drawn=0)``: a state as seeding and some draws leave it, made by NumPy."""

    def make(seed, drawn=0):
        key, left, position = numpy_block(seed, drawn)
        return holding(MT19937State, key, seed=seed, left=left, next=position)

    return make


@pytest.fixture
def twisted(MT19937State):
    """``twisted(seed)``: the same, but NumPy has made the first twist: no need of next_state."""

    def make(seed):
        key, _, _ = numpy_block(seed, 1)
        return holding(MT19937State, key, seed=seed, left=N + 1, next=0)

    return make


def holding(MT19937State, key, **fields):
    """A seeded state that holds the given words."""
    matrix_a = np.array(MAGIC, dtype=np.uint32)
    return MT19937State(state=np.array(key, dtype=np.uint32), MATRIX_A=matrix_a, **fields)


def about_to_read(MT19937State, *words):
    """A seeded state whose next words are these."""
    key = np.zeros(N, dtype=np.uint32)
    key[: len(words)] = words
    return holding(MT19937State, key, left=N + 1, next=0)


def bookmark(state):
    return state.left, state.next


# -- manual_seed ------------------------------------------------------------------------------


@checks("manual_seed", kind="unit", why="the recipe, checked with pencil and paper")
def test_seeding_by_hand(manual_seed, MT19937State):
    """Seed 3 puts 3 into word 0 and 1812433253 * 3 + 1, cut to 32 bits, into word 1."""
    state = MT19937State()
    manual_seed(state, 3)

    assert state.state[:2].tolist() == [3, 1142332464]


@checks(
    "manual_seed", kind="golden", why="one wrong word of 624 shows only hundreds of draws later"
)
def test_seeding_golden(manual_seed, MT19937State, golden):
    """All 624 words are those that NumPy holds after the same seed."""
    places = golden["numpy"]["places"]
    for seed, wanted in golden["numpy"]["seeded"]["seeds"].items():
        state = MT19937State()
        manual_seed(state, int(seed))

        assert at(places, state.state[places].tolist()) == at(places, wanted["words"])
        assert digest(state.state) == wanted["sha256"]


@checks("manual_seed", kind="property", why="two or three known seeds can be learned by heart")
def test_seeding_agrees_with_numpy(manual_seed, MT19937State, fresh):
    """For any seed, the words are those of NumPy's engine."""
    for seed in fresh.integers(0, 2**32, 5).tolist():
        state = MT19937State()
        manual_seed(state, seed)

        assert state.state.tolist() == numpy_block(seed, 0)[0].tolist()


@checks("manual_seed", kind="unit", why="PyTorch's first draw twists, because left is 1")
def test_seeding_sets_the_bookmark(manual_seed, MT19937State):
    """After seeding, left is 1, next is 0 and MATRIX_A is 0 and 0x9908b0df."""
    state = MT19937State()
    manual_seed(state, 137)

    assert bookmark(state) == (1, 0)
    assert state.MATRIX_A.tolist() == MAGIC


@checks(
    "manual_seed",
    kind="boundary",
    why="time stamps and ranks make seeds beyond 32 bits, or negative",
)
@pytest.mark.parametrize(
    ("seed", "same"), [(2**32 + 5, 5), (2**32, 0), (2**63, 0), (-1, 2**32 - 1), (-(2**31), 2**31)]
)
def test_low_32_bits_decide(manual_seed, MT19937State, seed, same):
    """Only seed & 0xffffffff counts, the low 32 bits, of a negative seed too."""
    state = MT19937State()
    manual_seed(state, seed)

    assert state.state.tolist() == numpy_block(same, 0)[0].tolist()


@checks("manual_seed", kind="unit", why="a log of a run names the seed that was asked for")
@pytest.mark.parametrize("seed", [0, 137, 2**32 + 5])
def test_seed_is_kept_whole(manual_seed, MT19937State, seed):
    """The field seed holds the seed as it was given, beyond 32 bits too."""
    state = MT19937State()
    manual_seed(state, seed)

    assert state.seed == seed


@checks("manual_seed", kind="boundary", why="0 is the most common seed of all")
def test_seed_zero_is_a_seed(manual_seed, MT19937State):
    """Seed 0 seeds as any other: word 0 is 0, word 1 is 1, and the state counts as seeded."""
    state = MT19937State()
    manual_seed(state, 0)

    assert state.state[:3].tolist() == [0, 1, 1812433255]
    assert state.MATRIX_A.tolist() == MAGIC


@checks("manual_seed", kind="unit", why="an evaluation seeds again to see the same batches again")
def test_reseeding_starts_over(manual_seed, seeded):
    """Seeding a used state leaves nothing of what it was."""
    state = seeded(42, drawn=700)
    manual_seed(state, 137)

    assert state.state.tolist() == numpy_block(137, 0)[0].tolist()
    assert (state.seed, *bookmark(state)) == (137, 1, 0)


@checks("manual_seed", kind="unit", why="each rank of a run has a generator of its own")
def test_seeding_two_states(manual_seed, MT19937State):
    """Seeding one state leaves another one alone."""
    one, other = MT19937State(), MT19937State()
    manual_seed(one, 1)
    manual_seed(other, 2)

    assert one.state[0].tolist() == 1
    assert one.seed == 1


@checks(
    "manual_seed", kind="unit", why="another dtype overflows differently, hundreds of draws later"
)
def test_seeding_keeps_the_arrays(manual_seed, MT19937State):
    """After seeding, state is still an array of 624 uint32, and MATRIX_A one of 2."""
    state = MT19937State()
    manual_seed(state, 137)

    assert (state.state.dtype.name, state.state.shape) == ("uint32", (N,))
    assert (state.MATRIX_A.dtype.name, state.MATRIX_A.shape) == ("uint32", (2,))


@checks("manual_seed", kind="boundary", why="a seed computed with NumPy is a NumPy integer")
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32])
def test_seed_may_be_a_numpy_integer(manual_seed, MT19937State, dtype):
    """A seed that is a NumPy integer seeds like the Python int, without overflow."""
    state = MT19937State()
    manual_seed(state, dtype(137))

    assert state.state.tolist() == numpy_block(137, 0)[0].tolist()


# -- next_state -------------------------------------------------------------------------------


@checks("next_state", kind="unit", why="the recipe, checked with pencil and paper")
def test_twist_by_hand(next_state, MT19937State):
    """Word 1 = 3 and word 397 = 5, all else 0: new word 0 is 5 ^ (3 >> 1) ^ 0x9908b0df."""
    key = np.zeros(N, dtype=np.uint32)
    key[1], key[397] = 3, 5
    state = holding(MT19937State, key)
    next_state(state)

    assert state.state[0].tolist() == 2567483611


@checks("next_state", kind="golden", why="every number of every stream is one of these words")
def test_twist_golden(next_state, seeded, golden):
    """One twist after seeding gives the 624 words that NumPy holds after one draw."""
    places = golden["numpy"]["places"]
    for seed, wanted in golden["numpy"]["twisted"]["seeds"].items():
        state = seeded(low_bits(seed))
        next_state(state)

        assert at(places, state.state[places].tolist()) == at(places, wanted["words"])
        assert digest(state.state) == wanted["sha256"]


@checks("next_state", kind="property", why="a mistake in a late word shows only in a later twist")
def test_twist_agrees_with_numpy(next_state, seeded, fresh):
    """For any seed, twist after twist gives the words of NumPy's engine."""
    for seed in fresh.integers(0, 2**32, 3).tolist():
        state = seeded(seed)
        for twists in range(3):
            next_state(state)

            assert state.state.tolist() == numpy_block(seed, twists * N + 1)[0].tolist()


@checks("next_state", kind="boundary", why="words 227, 454 and 623 are where the three loops meet")
def test_twist_seams(next_state, MT19937State):
    """One word of ones among zeros goes where NumPy sends it: from 227 on, new words are read."""
    for place in (0, 1, 226, 227, 228, 396, 397, 398, 453, 454, 622, 623):
        key = np.zeros(N, dtype=np.uint32)
        key[place] = 0xFFFFFFFF
        state = holding(MT19937State, key)
        next_state(state)
        engine = engine_at(key, N)
        engine.random_raw()
        wanted = engine.state["state"]["key"]

        assert np.flatnonzero(state.state).tolist() == np.flatnonzero(wanted).tolist()
        assert state.state.tolist() == wanted.tolist()


@checks(
    "next_state",
    kind="boundary",
    why="it differs from the old word in almost every twist, once in 624 words",
)
def test_twist_last_word(next_state, seeded, fresh):
    """Word 623 is made with the new word 0, not with the old one."""
    for seed in fresh.integers(0, 2**32, 4).tolist():
        state = seeded(seed)
        next_state(state)

        assert state.state[623].tolist() == int(numpy_block(seed, 1)[0][623])


@checks("next_state", kind="unit", why="draws rely on the bookmark to know when to twist again")
@pytest.mark.parametrize("drawn", [0, 1, 300, 624])
def test_twist_sets_the_bookmark(next_state, seeded, drawn):
    """After a twist, left is 624 and next is 0, wherever they were."""
    state = seeded(137, drawn)
    next_state(state)

    assert bookmark(state) == (N, 0)


@checks(
    "next_state", kind="unit", why="another dtype overflows differently, hundreds of draws later"
)
def test_twist_keeps_the_rest(next_state, seeded):
    """A twist keeps the dtype and shape of the words, the seed, and MATRIX_A."""
    state = seeded(137)
    next_state(state)

    assert (state.state.dtype.name, state.state.shape) == ("uint32", (N,))
    assert (state.seed, state.MATRIX_A.tolist()) == (137, MAGIC)


@checks(
    "next_state", kind="boundary", why="ones everywhere set every mask, shift and look-up to work"
)
def test_twist_of_equal_words(next_state, MT19937State):
    """Equal words everywhere, zeros and ones too, twist as NumPy's engine twists them."""
    for word in (0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        key = np.full(N, word, dtype=np.uint32)
        state = holding(MT19937State, key)
        next_state(state)
        engine = engine_at(key, N)
        engine.random_raw()

        assert state.state.tolist() == engine.state["state"]["key"].tolist()


@checks("next_state", kind="unit", why="two loaders in one process must not share words")
def test_twisting_two_states(next_state, seeded):
    """Twisting one state leaves another one alone."""
    one, other = seeded(1), seeded(2)
    next_state(one)
    next_state(other)

    assert one.state.tolist() == numpy_block(1, 1)[0].tolist()
    assert other.state.tolist() == numpy_block(2, 1)[0].tolist()


# -- randint32 --------------------------------------------------------------------------------


@checks("randint32", kind="unit", why="the tempering, checked with pencil and paper")
@pytest.mark.parametrize(("word", "tempered"), [(4096, 134746624), (0, 0)])
def test_tempering_by_hand(randint32, MT19937State, word, tempered):
    """The word 4096 is tempered to bits 27, 19, 12 and 9, which is 134746624; a word 0 stays 0."""
    state = about_to_read(MT19937State, word)

    assert randint32(state) == tempered


@checks("randint32", kind="golden", why="these are the words PyTorch initialises weights with")
def test_words_of_pytorch(randint32, seeded, golden, repeat):
    """The first words after seeding are PyTorch's."""
    for seed, wanted in golden["torch"]["seeds"].items():
        assert repeat(randint32, 8, seeded(low_bits(seed))) == wanted["raw32"]


@checks(
    "randint32", kind="golden", why="five words that any implementation of MT19937 can be asked for"
)
def test_published_words_of_seed_137(randint32, seeded, golden, repeat):
    """Seed 137 begins with 4053805790 and four more published words."""
    wanted = golden["published"]["first_five_words_of_seed_137"]["value"]

    assert repeat(randint32, 5, seeded(137)) == wanted


@checks(
    "randint32", kind="conformance", why="the C++ standard asks every library for this very word"
)
def test_word_10000(randint32, seeded, golden, repeat):
    """Word 10,000 of seed 5489 is 4123659995, as the C++ standard demands."""
    words = repeat(randint32, 10, seeded(5489, drawn=9_990))

    assert words[-1] == golden["published"]["word_10000_of_seed_5489"]["value"]


@checks("randint32", kind="golden", why="a wrong shift or mask shows in some bits only")
def test_tempering_of_each_bit(randint32, MT19937State, golden, repeat):
    """Each of the 32 bits alone is tempered to where NumPy sends it."""
    state = about_to_read(MT19937State, *(1 << bit for bit in range(32)))

    assert repeat(randint32, 32, state) == golden["numpy"]["tempered"]["single_bits"]


@checks("randint32", kind="property", why="words learned by heart are no tempering")
def test_tempering_of_any_word(randint32, MT19937State, fresh, repeat):
    """Words that come straight from the state are tempered as NumPy's engine does it."""
    key = fresh.integers(0, 2**32, N, dtype=np.uint32)
    state = holding(MT19937State, key, left=N + 1, next=0)

    assert repeat(randint32, 50, state) == engine_at(key, 0).random_raw(50).tolist()


@checks("randint32", kind="property", why="a run draws millions of words from one seed")
def test_stream_agrees_with_numpy(randint32, seeded, fresh, repeat):
    """For any seed and from any position, the stream is NumPy's, across twists."""
    for seed, drawn in zip(
        fresh.integers(0, 2**32, 3).tolist(), fresh.integers(0, 1300, 3).tolist(), strict=True
    ):
        words = repeat(randint32, 700, seeded(seed, drawn))

        assert words == numpy_words(seed, 700, skip=drawn)


@checks(
    "randint32", kind="boundary", why="an off-by-one at the end of a block shifts every later word"
)
def test_block_boundary(randint32, seeded, repeat):
    """Draw number 623, 624, 625, ... is the right word: a block has 624, no more and no less."""
    for before in (0, 621, 622, 1246):
        assert repeat(randint32, 3, seeded(137, before)) == numpy_words(137, 3, skip=before)


@checks("randint32", kind="boundary", why="every block but the first few is one you twisted")
def test_whole_block_after_a_twist(randint32, seeded, repeat):
    """From the last word of one block to the first of the block after the next, all are right."""
    assert repeat(randint32, 626, seeded(137, 623)) == numpy_words(137, 626, skip=623)


@checks("randint32", kind="boundary", why="a saved state must resume at exactly this word")
def test_bookmark_after_draws(randint32, seeded):
    """left counts down before the look at it: 624 after a block's first draw, 1 after its last."""
    for before in (0, 622, 1246):
        state = seeded(137, before)
        for drawn in range(before + 1, before + 4):
            randint32(state)

            assert bookmark(state) == numpy_block(137, drawn)[1:]


@checks("randint32", kind="boundary", why="left alone decides when to twist, as in PyTorch")
def test_twist_called_by_hand(randint32, next_state, seeded, repeat):
    """Twisting by hand leaves left at 624, so the draws after it read 623 words and then twist."""
    state = seeded(137)
    next_state(state)
    words = numpy_words(137, 1300)

    assert repeat(randint32, 700, state) == words[:623] + words[624:701]


@checks(
    "randint32",
    kind="fault",
    why="code without a generator must get a definite answer, not a crash",
)
def test_no_state_gives_zero(randint32):
    """Without a state (None) the answer is 0."""
    got = randint32(None)

    assert (type(got).__name__, got) == ("int", 0)


@checks(
    "randint32", kind="fault", why="PyTorch and C++ seed a generator that nobody seeded with 5489"
)
def test_never_seeded(randint32, MT19937State, repeat):
    """A state that was never seeded behaves as if seeded with 5489."""
    state = MT19937State()

    assert repeat(randint32, 3, state) == numpy_words(5489, 3)
    assert (state.seed, *bookmark(state)) == (5489, 622, 3)


@checks(
    "randint32", kind="unit", why="a NumPy integer would overflow as soon as randint64 shifts it"
)
def test_plain_int(randint32, twisted):
    """A draw is a plain Python int."""
    assert type(randint32(twisted(137))).__name__ == "int"


@checks("randint32", kind="unit", why="the next twist is made from untempered words")
def test_draw_keeps_the_words(randint32, seeded, repeat):
    """Drawing reads words and never changes them: only a twist does."""
    state = seeded(137, drawn=1)
    repeat(randint32, 600, state)

    assert state.state.tolist() == numpy_block(137, 1)[0].tolist()
    assert (state.state.dtype.name, state.seed) == ("uint32", 137)


@checks("randint32", kind="unit", why="each rank of a run has a generator of its own")
def test_two_streams_do_not_mix(randint32, seeded):
    """Drawing from two states in turn gives each its own stream."""
    one, other = seeded(1, drawn=620), seeded(2, drawn=3)
    pairs = [(randint32(one), randint32(other)) for _ in range(10)]

    assert pairs == list(zip(numpy_words(1, 10, skip=620), numpy_words(2, 10, skip=3), strict=True))


@checks(
    "randint32", kind="conformance", why="a state can be handed to NumPy in the middle of a run"
)
def test_numpy_goes_on(randint32, seeded, repeat, fresh):
    """NumPy's engine, given state.state and state.next, goes on with the same stream."""
    seed, drawn = int(fresh.integers(2**32)), int(fresh.integers(1, 1300))
    state = seeded(seed)
    repeat(randint32, drawn, state)

    assert engine_at(state.state, state.next).random_raw(5).tolist() == numpy_words(
        seed, 5, skip=drawn
    )


# -- randint64 --------------------------------------------------------------------------------


@checks("randint64", kind="unit", why="PyTorch's order; the other one gives other shuffles")
def test_high_half_first(randint64, twisted):
    """The first word drawn is the high half: 4053805790 << 32 | 2173880614 for seed 137."""
    assert randint64(twisted(137)) == 17410963294559324454


@checks("randint64", kind="golden", why="PyTorch's 64-bit draws")
def test_sixty_four_bits_of_pytorch(randint64, twisted, golden, repeat):
    """The first 64-bit words after seeding are PyTorch's."""
    for seed, wanted in golden["torch"]["seeds"].items():
        assert repeat(randint64, 4, twisted(low_bits(seed))) == wanted["raw64"]


@checks(
    "randint64", kind="conformance", why="it explains what torch.randint prints for wide ranges"
)
def test_wide_ranges_of_pytorch(randint64, twisted, golden, repeat):
    """Modulo 0xffffffff, it is what torch.randint(0, 0xFFFFFFFF, ...) draws in new releases."""
    for seed, wanted in golden["torch"]["seeds"].items():
        words = repeat(randint64, 3, twisted(low_bits(seed)))

        assert [word % 0xFFFFFFFF for word in words] == wanted["randint"]


@checks("randint64", kind="boundary", why="one word too many shifts all that follows")
def test_two_draws_exactly(randint64, seeded):
    """One call uses two words, no more and no fewer."""
    state = seeded(137, drawn=10)
    randint64(state)

    assert bookmark(state) == (613, 12)


@checks("randint64", kind="boundary", why="the two halves may come from two blocks")
def test_halves_across_a_twist(randint64, seeded):
    """With one word left in the block, the low half comes from the next block."""
    high, low = numpy_words(137, 2, skip=623)

    assert randint64(seeded(137, drawn=623)) == (high << 32) | low


@checks("randint64", kind="property", why="known seeds can be learned by heart")
def test_pairs_of_numpy(randint64, seeded, fresh, repeat):
    """For any seed and position, each result is two consecutive words of NumPy's stream."""
    for seed, drawn in zip(
        fresh.integers(0, 2**32, 3).tolist(), fresh.integers(1, 600, 3).tolist(), strict=True
    ):
        words = numpy_words(seed, 40, skip=drawn)
        wanted = [(high << 32) | low for high, low in zip(words[::2], words[1::2], strict=True)]

        assert repeat(randint64, 20, seeded(seed, drawn)) == wanted


@checks("randint64", kind="unit", why="a NumPy integer of 64 bits turns negative or overflows")
def test_plain_int_of_64_bits(randint64, twisted):
    """The result is a plain Python int."""
    assert type(randint64(twisted(137))).__name__ == "int"


@checks("randint64", kind="fault", why="it follows from randint32, which gives 0 and 0")
def test_no_state_gives_zero_of_64_bits(randint64):
    """Without a state (None) the answer is 0."""
    got = randint64(None)

    assert (type(got).__name__, got) == ("int", 0)


# -- randfloat32 ------------------------------------------------------------------------------


@checks("randfloat32", kind="unit", why="float64 would round differently in every later step")
def test_float32_type(randfloat32, twisted):
    """The result is an np.float32."""
    assert type(randfloat32(twisted(137))).__name__ == "float32"


@checks("randfloat32", kind="golden", why="torch.rand is what every initialisation begins with")
def test_floats_of_pytorch(randfloat32, twisted, golden, repeat):
    """The first floats after seeding are torch.rand's, bit for bit."""
    for seed, wanted in golden["torch"]["seeds"].items():
        floats = repeat(randfloat32, 8, twisted(low_bits(seed)))

        assert [float(x) for x in floats] == wanted["rand32"]


@checks("randfloat32", kind="boundary", why="the upper eight bits of the word must not leak in")
@pytest.mark.parametrize(
    ("word", "value"),
    [
        (0, 0.0),
        (1, 2**-24),
        (0x800000, 0.5),
        (0xFFFFFF, 1 - 2**-24),
        (0x1000000, 0.0),
        (0xFF000000, 0.0),
        (0xFFFFFFFF, 1 - 2**-24),
    ],
)
def test_low_24_bits(randfloat32, MT19937State, golden, word, value):
    """Only the low 24 bits of a word count; all ones give the largest value, which is below 1."""
    state = about_to_read(MT19937State, golden["numpy"]["tempered"]["word_by_output"][str(word)])

    assert float(randfloat32(state)) == value


@checks("randfloat32", kind="property", why="known seeds can be learned by heart")
def test_floats_of_numpy_words(randfloat32, seeded, fresh, repeat):
    """For any seed, each float is a word of NumPy's stream modulo 2**24, over 2**24."""
    for seed in fresh.integers(0, 2**32, 3).tolist():
        floats = repeat(randfloat32, 50, seeded(seed, drawn=1))

        assert [float(x) for x in floats] == [
            word % 2**24 / 2**24 for word in numpy_words(seed, 50, skip=1)
        ]


@checks("randfloat32", kind="boundary", why="one word a float is what keeps streams in step")
def test_one_draw_a_float(randfloat32, seeded):
    """One float uses one word."""
    state = seeded(137, drawn=10)
    randfloat32(state)

    assert bookmark(state) == (614, 11)


@checks("randfloat32", kind="property", why="log(1 - u) in chapter 5 must never meet u = 1")
def test_floats_in_range(randfloat32, seeded, fresh, repeat):
    """Every float is at least 0 and below 1."""
    floats = [
        float(x) for x in repeat(randfloat32, 2000, seeded(int(fresh.integers(2**32)), drawn=1))
    ]

    assert min(floats) >= 0.0
    assert max(floats) < 1.0


@checks("randfloat32", kind="conformance", why="weights start uniform, or training starts skewed")
def test_floats_are_uniform(randfloat32, twisted, repeat):
    """Of 10,000 floats of seed 137, each hundredth of [0, 1) gets its share (chi-squared test)."""
    floats = repeat(randfloat32, 10_000, twisted(137))
    counts = np.bincount([int(100 * float(x)) for x in floats], minlength=100)
    chi_squared = float(((counts - 100) ** 2 / 100).sum())

    assert len(counts) == 100
    # With 99 degrees of freedom, one fair stream in two million is outside.
    assert 43.0 < chi_squared < 186.0


@checks("randfloat32", kind="fault", why="it follows from randint32, which gives 0")
def test_no_state_gives_float_zero(randfloat32):
    """Without a state (None) the answer is np.float32(0)."""
    got = randfloat32(None)

    assert (type(got).__name__, float(got)) == ("float32", 0.0)


# -- randfloat64 ------------------------------------------------------------------------------


@checks("randfloat64", kind="unit", why="np.float64 prints differently and slips into JSON badly")
def test_plain_float(randfloat64, twisted):
    """The result is a plain Python float."""
    assert type(randfloat64(twisted(137))).__name__ == "float"


@checks("randfloat64", kind="golden", why="small tensors of normals are made from these")
def test_doubles_of_pytorch(randfloat64, twisted, golden, repeat):
    """The first floats after seeding are those of torch.rand with dtype float64."""
    for seed, wanted in golden["torch"]["seeds"].items():
        assert repeat(randfloat64, 4, twisted(low_bits(seed))) == wanted["rand64"]


@checks(
    "randfloat64",
    kind="boundary",
    why="the upper eleven bits must not leak in, nor the low ones be lost",
)
@pytest.mark.parametrize(
    ("high", "low", "value"),
    [
        (0, 1, 2.0**-53),
        (1, 0, 2.0**-21),
        (0x1FFFFF, 0xFFFFFFFF, 1 - 2.0**-53),
        (0x200000, 0, 0.0),
        (0xFFE00000, 0, 0.0),
        (0xFFFFFFFF, 0xFFFFFFFF, 1 - 2.0**-53),
    ],
)
def test_low_53_bits(randfloat64, MT19937State, golden, high, low, value):
    """Only the low 53 bits of two words count; all ones give the largest value, still below 1."""
    word_by_output = golden["numpy"]["tempered"]["word_by_output"]
    state = about_to_read(MT19937State, word_by_output[str(high)], word_by_output[str(low)])

    assert randfloat64(state) == value


@checks("randfloat64", kind="boundary", why="two words a float is what keeps streams in step")
def test_two_draws_a_double(randfloat64, seeded):
    """One float uses two words."""
    state = seeded(137, drawn=10)
    randfloat64(state)

    assert bookmark(state) == (613, 12)


@checks("randfloat64", kind="property", why="known seeds can be learned by heart")
def test_doubles_of_numpy_words(randfloat64, seeded, fresh, repeat):
    """For any seed, each float is two words of NumPy's stream modulo 2**53, over 2**53."""
    for seed in fresh.integers(0, 2**32, 3).tolist():
        words = numpy_words(seed, 40, skip=1)
        pairs = zip(words[::2], words[1::2], strict=True)
        wanted = [((high << 32) | low) % 2**53 / 2**53 for high, low in pairs]

        assert repeat(randfloat64, 20, seeded(seed, drawn=1)) == wanted


@checks("randfloat64", kind="conformance", why="a lost or doubled bit moves the mean")
def test_doubles_in_range(randfloat64, twisted, repeat):
    """10,000 floats of seed 42 lie in [0, 1), and their mean within five standard errors of 1/2."""
    doubles = repeat(randfloat64, 10_000, twisted(42))

    assert min(doubles) >= 0.0
    assert max(doubles) < 1.0
    assert abs(sum(doubles) / 10_000 - 0.5) < 5 / (12 * 10_000) ** 0.5


@checks("randfloat64", kind="fault", why="it follows from randint64, which gives 0")
def test_no_state_gives_double_zero(randfloat64):
    """Without a state (None) the answer is 0.0."""
    got = randfloat64(None)

    assert (type(got).__name__, got) == ("float", 0.0)


# -- randint32_array --------------------------------------------------------------------------


@checks(
    "randint32_array",
    kind="golden",
    why="a model is initialised with arrays, not with single words",
)
def test_array_of_pytorch(randint32_array, twisted, golden):
    """The first words after seeding are PyTorch's."""
    for seed, wanted in golden["torch"]["seeds"].items():
        assert randint32_array(twisted(low_bits(seed)), 8).tolist() == wanted["raw32"]


@checks(
    "randint32_array", kind="unit", why="signed or 64-bit words break the arithmetic of chapter 5"
)
@pytest.mark.parametrize("n", [0, 1, 5, 700])
def test_array_type(randint32_array, seeded, n):
    """The result is a uint32 array of shape (n,), for n = 0 too."""
    got = randint32_array(seeded(137), n)

    assert (type(got).__name__, got.dtype.name, got.shape) == ("ndarray", "uint32", (n,))


@checks(
    "randint32_array",
    kind="property",
    why="it stands in for randint32 everywhere in later chapters",
)
@given(seed=SEEDS, drawn=st.integers(0, 1300), n=st.integers(0, 2000))
@settings(max_examples=25)
def test_array_equals_draws(randint32_array, seeded, seed, drawn, n):
    """From any position, n words are the n that single draws would give."""
    assert randint32_array(seeded(seed, drawn), n).tolist() == numpy_words(seed, n, skip=drawn)


@checks("randint32_array", kind="property", why="a run may be saved right after an array was drawn")
@given(seed=SEEDS, drawn=st.integers(0, 1300), n=st.integers(0, 2000))
@settings(max_examples=25)
def test_array_position(randint32_array, seeded, seed, drawn, n):
    """The state is left exactly where n single draws would leave it: words, left and next."""
    state = seeded(seed, drawn)
    randint32_array(state, n)
    key, left, position = numpy_block(seed, drawn + n)

    assert bookmark(state) == (left, position)
    assert state.state.tolist() == key.tolist()
    assert (state.state.dtype.name, state.seed) == ("uint32", seed)


@checks(
    "randint32_array", kind="boundary", why="an off-by-one at a block's end shifts every later word"
)
@pytest.mark.parametrize("drawn", [0, 1, 623, 624])
def test_array_block_boundary(randint32_array, seeded, drawn):
    """Requests that end before, at and after a block's end give the right words and bookmark."""
    for n in (1, 2, 623, 624, 625, 1248, 1249):
        state = seeded(137, drawn)

        assert randint32_array(state, n).tolist() == numpy_words(137, n, skip=drawn)
        assert bookmark(state) == numpy_block(137, drawn + n)[1:]


@checks("randint32_array", kind="property", why="a loader draws single words between arrays")
def test_arrays_and_draws_mix(randint32_array, randint32, seeded, fresh):
    """Arrays and single draws may alternate and make one stream."""
    seed = int(fresh.integers(2**32))
    state, words = seeded(seed), []
    for n in fresh.integers(0, 400, 8).tolist():
        words += [*randint32_array(state, n).tolist(), randint32(state)]

    assert words == numpy_words(seed, len(words))


@checks("randint32_array", kind="boundary", why="drawing nothing must not move a run")
@pytest.mark.parametrize("drawn", [0, 5, 624])
def test_empty_array_changes_nothing(randint32_array, seeded, drawn):
    """n = 0 leaves the state as it was, even where the next draw would twist."""
    state = seeded(137, drawn)
    randint32_array(state, 0)
    key, left, position = numpy_block(137, drawn)

    assert bookmark(state) == (left, position)
    assert state.state.tolist() == key.tolist()


@checks(
    "randint32_array",
    kind="boundary",
    why="no draws at all leave a state that was never seeded unseeded",
)
def test_empty_array_does_not_seed(randint32_array, MT19937State):
    """n = 0 does not seed a state that was never seeded."""
    state = MT19937State()
    randint32_array(state, 0)

    assert (state.seed, state.MATRIX_A.tolist()) == (0, [0, 0])


@checks(
    "randint32_array", kind="fault", why="a size that was computed wrongly must not pass in silence"
)
@pytest.mark.parametrize("n", [-1, -625])
def test_negative_n(randint32_array, seeded, n):
    """A negative n is a ValueError whose message has the number; the state stays as it was."""
    state = seeded(137, drawn=3)
    with pytest.raises(ValueError, match=str(n)):
        randint32_array(state, n)

    assert bookmark(state) == (622, 3)


@checks("randint32_array", kind="fault", why="it follows from randint32, which gives 0 each time")
def test_no_state_gives_zeros(randint32_array):
    """Without a state (None) the result is n zeros."""
    got = randint32_array(None, 4)

    assert (got.dtype.name, got.tolist()) == ("uint32", [0, 0, 0, 0])


@checks(
    "randint32_array",
    kind="fault",
    why="PyTorch and C++ seed a generator that nobody seeded with 5489",
)
def test_array_of_a_state_never_seeded(randint32_array, MT19937State):
    """A state that was never seeded is seeded with 5489 first."""
    state = MT19937State()

    assert randint32_array(state, 3).tolist() == numpy_words(5489, 3)
    assert (state.seed, *bookmark(state)) == (5489, 622, 3)


@checks("randint32_array", kind="boundary", why="left alone decides when to twist, as in randint32")
def test_array_after_a_twist_by_hand(randint32_array, MT19937State):
    """Where left is 624 and next 0, as after next_state, 623 words are read before the twist."""
    key, _, _ = numpy_block(137, 1)
    state = holding(MT19937State, key, left=N, next=0)
    words = numpy_words(137, 1300)

    assert randint32_array(state, 5).tolist() == words[:5]
    assert bookmark(state) == (619, 5)
    assert randint32_array(state, 700).tolist() == words[5:623] + words[624:706]


@checks("randint32_array", kind="boundary", why="a state filled by hand has a left of 0")
def test_array_where_left_is_zero(randint32_array, MT19937State):
    """A left of 0 is a block without unread words, as of 1: the twist comes first."""
    state = holding(MT19937State, numpy_block(137, 0)[0], left=0, next=0)

    assert randint32_array(state, 5).tolist() == numpy_words(137, 5)
    assert bookmark(state) == (620, 5)


@checks("randint32_array", kind="boundary", why="sizes computed with NumPy are NumPy integers")
def test_n_may_be_a_numpy_integer(randint32_array, seeded):
    """An n that is a NumPy integer counts like the Python int, and left and next stay plain."""
    state = seeded(137, drawn=5)

    assert len(randint32_array(state, np.int64(7))) == 7
    assert bookmark(state) == (613, 12)
    assert [type(field).__name__ for field in bookmark(state)] == ["int", "int"]


@checks("randint32_array", kind="unit", why="tempering a view in place would spoil the next twist")
def test_array_is_no_view(randint32_array, seeded):
    """The result has memory of its own: neither the state nor an earlier result changes with it."""
    state = seeded(137, drawn=1)
    first = randint32_array(state, 10)

    assert state.state.tolist() == numpy_block(137, 1)[0].tolist()

    randint32_array(state, 2000)

    assert first.tolist() == numpy_words(137, 10, skip=1)


@checks("randint32_array", kind="conformance", why="GPT-2 draws 124 million words from one state")
def test_long_array(randint32_array, seeded, fresh):
    """200,000 words: the last hundred, and the sum of all, are those of NumPy's engine."""
    seed, n = int(fresh.integers(2**32)), 200_000
    wanted = np.random.RandomState(seed).randint(0, 2**32, size=n, dtype=np.uint32)
    got = randint32_array(seeded(seed), n)

    assert got[-100:].tolist() == wanted[-100:].tolist()
    assert int(got.sum(dtype=np.uint64)) == int(wanted.sum(dtype=np.uint64))
