"""Hidden tests of ch05_normal: uniform and normal numbers, and shuffles.

What is wanted comes from NumPy's words at seeds drawn afresh, worked out in float64, or from
``golden.json``. ``seeded`` makes a state of NumPy's engine, and words that give chosen uniform
numbers are found with it too, so none of chapter 4's functions but the draws has a part in it.
"""

import random

import numpy as np
import pytest

from autograder.hidden import checks

N = 624
SIZE = 100
UNIFORM, LONG, SHORT = 1e-6, 3e-6, 2e-6  # how far a number may be off, for a std of 1


def engine_after(seed, drawn):
    """NumPy's engine after some draws."""
    engine = np.random.RandomState(seed)
    engine.randint(0, 2**32, size=drawn, dtype=np.uint32)
    return engine


def numpy_words(seed, n, drawn=0):
    """NumPy's n words after some draws, as Python ints."""
    return engine_after(seed, drawn).randint(0, 2**32, size=n, dtype=np.uint32).tolist()


def fractions(words):
    """What randfloat32 makes of each word; float64 holds them all."""
    return np.array([word % 2**24 for word in words], dtype=np.float64) / 2**24


def block_of(u):
    """Box and Muller's sixteen numbers of sixteen uniform ones, in float64."""
    radius, theta = np.sqrt(-2 * np.log(1 - u[:8])), 2 * np.pi * u[8:]
    return np.concatenate([radius * np.cos(theta), radius * np.sin(theta)])


def words_for(n):
    """How many words n normal numbers take."""
    if n < 16:
        return 4 * ((n + 1) // 2)
    return n + (16 if n % 16 else 0)


def long_of(words, n):
    """n >= 16 normal numbers of their words."""
    u, data = fractions(words), np.zeros(n)
    for start in range(0, n - 15, 16):
        data[start : start + 16] = block_of(u[start : start + 16])
    if n % 16:
        data[-16:] = block_of(u[n:])
    return data


def short_of(words, n):
    """n < 16 normal numbers of their words."""
    halves = np.array(words, dtype=np.uint64).reshape(-1, 2)
    u = ((halves[:, 0] << np.uint64(32) | halves[:, 1]) % 2**53).astype(np.float64) / 2**53
    radius, theta = np.sqrt(-2 * np.log1p(-u[1::2])), 2 * np.pi * u[::2]
    return np.stack([radius * np.cos(theta), radius * np.sin(theta)], axis=1).ravel()[:n]


def near(got, wanted, allowed):
    """The numbers of ``got`` as a list, those that are close enough written as wanted: a failure
    then shows the others."""
    pairs = zip(got.tolist(), np.asarray(wanted, dtype=np.float64).tolist(), strict=True)
    return [right if abs(one - right) <= allowed else one for one, right in pairs]


def zeros(n):
    return np.zeros(n, dtype=np.float32)


def bookmark(state):
    return state.left, state.next


def bookmark_after(drawn):
    """left and next after some draws."""
    return (1, 0) if drawn == 0 else (N - (drawn - 1) % N, (drawn - 1) % N + 1)


@pytest.fixture
def seeded(given):
    """``seeded(seed, drawn=0)``: a state after some draws, made by NumPy."""
    kind = given.get("MT19937State")

    def make(seed, drawn=0):
        left, position = bookmark_after(drawn)
        key = engine_after(int(seed) & 0xFFFFFFFF, drawn).get_state()[1]
        matrix_a = np.array([0, 0x9908B0DF], dtype=np.uint32)
        return kind(seed=seed, left=left, next=position, state=key, MATRIX_A=matrix_a)

    return make


class Shuffler(random.Random):
    """The standard library's shuffle is Fisher-Yates from the top; here words modulo n choose."""

    def __init__(self, words):
        super().__init__(0)
        self._words = iter(words)

    def _randbelow(self, n):
        return next(self._words) % n


def shuffled(values, words):
    """``values`` as a list, shuffled by these words."""
    values = list(values)
    Shuffler(words).shuffle(values)
    return values


# -- uniform_ ---------------------------------------------------------------------------------


@checks("uniform_", kind="unit", why="the formula, checked with pencil and paper")
def test_uniform_by_hand(uniform_, in_place, seeded):
    """On [-2, 5) the first number of seed 137 is 0.6256541 * 7 - 2 = 2.3795787."""
    got = in_place(uniform_, zeros(1), -2, 5, seeded(137))

    assert near(got, [2.3795787], UNIFORM) == [2.3795787]


@checks("uniform_", kind="golden", why="PyTorch initialises many layers with uniform_")
@pytest.mark.parametrize(
    ("low", "high", "allowed"),
    [(0.0, 1.0, 0), (0.0, 0.5, 0), (-2.0, 5.0, UNIFORM), (-0.1, 0.3, UNIFORM),
     (10.0, 11.0, UNIFORM)],
)
def test_uniform_golden(uniform_, in_place, seeded, golden, low, high, allowed):
    """The numbers are PyTorch's: exactly on [0, 1) and [0, 0.5), elsewhere but for rounding."""
    for seed, values in golden["torch"]["seeds"].items():
        wanted = values["uniform"][f"{low} {high}"]
        got = in_place(uniform_, zeros(len(wanted)), low, high, seeded(int(seed)))

        assert near(got, wanted, allowed) == wanted


@checks("uniform_", kind="property", why="seeds that are known can be learned by heart")
def test_uniform_of_words(uniform_, in_place, seeded, fresh):
    """For any seed and position, number i is word i's low 24 bits over 2**24, scaled, shifted."""
    for seed, drawn in fresh.integers(1, 1_000, (3, 2)).tolist():
        low, width = fresh.uniform(-4, 4), fresh.uniform(0.5, 4)
        wanted = fractions(numpy_words(seed, SIZE, drawn)) * width + low
        got = in_place(uniform_, zeros(SIZE), low, low + width, seeded(seed, drawn))

        assert near(got, wanted, UNIFORM) == wanted.tolist()


@checks("uniform_", kind="property", why="a weight may not leave the range that it was given")
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2, 5), (-0.5, 0.5)])
def test_uniform_range(uniform_, in_place, seeded, fresh, low, high):
    """Values are in [from, to), and of 5,000 some lie near either end."""
    got = in_place(uniform_, zeros(5000), low, high, seeded(int(fresh.integers(2**32))))
    tenth = (high - low) / 10

    assert got.min() >= low
    assert got.max() < high
    assert got.min() < low + tenth
    assert got.max() > high - tenth


@checks("uniform_", kind="boundary", why="one word too many or too few shifts all that follows")
@pytest.mark.parametrize("n", [0, 1, 7, 623, 624, 700])
def test_uniform_uses_one_word_each(uniform_, in_place, seeded, n):
    """n numbers use n words, across blocks of the generator; none for an empty array."""
    state = seeded(137, drawn=2)
    got = in_place(uniform_, zeros(n), 0, 1, state)

    assert got.tolist() == fractions(numpy_words(137, n, 2)).tolist()
    assert bookmark(state) == bookmark_after(2 + n)


@checks("uniform_", kind="unit", why="what the array held must not matter")
def test_uniform_forgets_what_was_there(uniform_, in_place, seeded):
    """Old numbers in the array, nan among them, leave no trace."""
    old = np.array([np.nan, -9, 1e30, np.inf], dtype=np.float32)
    got = in_place(uniform_, old, 0, 1, seeded(137))

    assert got.tolist() == fractions(numpy_words(137, 4)).tolist()


@checks("uniform_", kind="unit", why="as in PyTorch's C code, the array is the result")
def test_uniform_returns_nothing(uniform_, seeded):
    """The array is filled in place, and None is returned."""
    assert uniform_(zeros(3), 0, 1, seeded(137)) is None


@checks("uniform_", kind="fault", why="chapter 4's functions draw zeros then, and so does this")
def test_uniform_without_state(uniform_, in_place):
    """Without a state (None) every number is from_."""
    assert in_place(uniform_, zeros(3), -2, 5, None).tolist() == [-2.0, -2.0, -2.0]


# -- normal_fill_16 ---------------------------------------------------------------------------


@checks("normal_fill_16", kind="unit", why="the formula, checked with pencil and paper")
def test_pair_by_hand(normal_fill_16, in_place):
    """0.5 and 1/6, eight places apart, become 0.588705 and 1.019667, wherever they stand."""
    for t in range(8):
        block = zeros(16)
        block[t], block[t + 8] = 0.5, 1 / 6
        wanted = np.zeros(16)
        wanted[t], wanted[t + 8] = 0.588705, 1.019667
        got = in_place(normal_fill_16, block, 0, 1)

        assert near(got, wanted, LONG) == wanted.tolist()


@checks("normal_fill_16", kind="property", why="another pairing looks just as normal")
def test_pairs_are_eight_apart(normal_fill_16, in_place, fresh):
    """For any uniform numbers: radius from place t, angle from t + 8, the cosine to t, the sine
    to t + 8."""
    for _ in range(3):
        block = (fresh.integers(0, 2**24, 16) / 2**24).astype(np.float32)
        wanted = block_of(block.astype(np.float64))
        got = in_place(normal_fill_16, block, 0, 1)

        assert near(got, wanted, LONG) == wanted.tolist()


@checks("normal_fill_16", kind="unit", why="weights have a std of 0.02, and some layers a mean")
@pytest.mark.parametrize(("mean", "std"), [(3, 0.25), (-1, 2), (0, 0.02), (5, 0)])
def test_block_is_scaled(normal_fill_16, in_place, fresh, mean, std):
    """Both halves are multiplied by std, and then mean is added."""
    block = (fresh.integers(0, 2**24, 16) / 2**24).astype(np.float32)
    wanted = block_of(block.astype(np.float64)) * std + mean
    got = in_place(normal_fill_16, block, mean, std)

    allowed = LONG * std + 1e-6 * (mean != 0)
    assert near(got, wanted, allowed) == wanted.tolist()


@checks("normal_fill_16", kind="boundary", why="one uniform number in 16 million is 0")
@pytest.mark.parametrize("angle", [0, 0.25, 0.7])
def test_zeros_give_the_mean(normal_fill_16, in_place, angle):
    """Where data[t] is 0 the radius is 0, so both numbers are the mean, and not nan."""
    block = np.array([0] * 8 + [angle] * 8, dtype=np.float32)

    assert in_place(normal_fill_16, block, 2, 1).tolist() == 16 * [2.0]


@checks("normal_fill_16", kind="boundary", why="the tails of the bell come from here")
def test_largest_uniform_number(normal_fill_16, in_place):
    """Where data[t] is 1 - 2**-24, the radius is sqrt(2 * 24 * log 2) = 5.7681, and finite."""
    block = np.array([1 - 2**-24] * 8 + [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875],
                     dtype=np.float32)
    radius, theta = np.sqrt(-2 * np.log(2**-24 + 1e-12)), np.arange(8) * np.pi / 4
    wanted = np.concatenate([radius * np.cos(theta), radius * np.sin(theta)])
    got = in_place(normal_fill_16, block, 0, 1)

    assert near(got, wanted, 4e-6) == wanted.tolist()  # without the 1e-12 it is 2.9e-6 off


@checks("normal_fill_16", kind="unit", why="a large array is done in a few calls")
def test_many_blocks_at_once(normal_fill_16, in_place, fresh):
    """An array of shape (k, 16) is k blocks, each as if it were alone."""
    blocks = (fresh.integers(0, 2**24, (5, 16)) / 2**24).astype(np.float32)
    wanted = np.stack([block_of(block) for block in blocks.astype(np.float64)])
    got = in_place(normal_fill_16, blocks, 0, 1)

    assert near(got.ravel(), wanted.ravel(), LONG) == wanted.ravel().tolist()


@checks("normal_fill_16", kind="unit", why="as in PyTorch's C code, the array is the result")
def test_block_returns_nothing(normal_fill_16):
    """The array is changed in place, and None is returned."""
    assert normal_fill_16(zeros(16), 0, 1) is None


# -- normal_fill ------------------------------------------------------------------------------


@checks("normal_fill", kind="golden", why="these are PyTorch's weights")
@pytest.mark.parametrize("n", [16, 17, 31, 32, 40])
def test_fill_golden(normal_fill, in_place, seeded, golden, n):
    """The numbers are PyTorch's, and so is the word that comes next: the last sixteen are drawn
    once more where n is no multiple of 16."""
    for seed, values in golden["torch"]["seeds"].items():
        state, wanted = seeded(int(seed)), values["normal"][str(n)]
        got = in_place(normal_fill, zeros(n), 0, 1, state)

        assert near(got, wanted["values"], LONG) == wanted["values"]
        assert bookmark(state) == bookmark_after(words_for(n))


@checks("normal_fill", kind="boundary", why="each kind of tail overlaps the blocks differently")
def test_fill_tails(normal_fill, in_place, seeded, fresh):
    """For lengths of every remainder: what is kept of the first pass and what the second makes."""
    for n in range(16, 33):
        seed = int(fresh.integers(2**32))
        wanted = long_of(numpy_words(seed, words_for(n)), n)
        got = in_place(normal_fill, zeros(n), 0, 1, seeded(seed))

        assert near(got, wanted, LONG) == wanted.tolist()


@checks("normal_fill", kind="property", why="real layers have millions of numbers")
def test_fill_of_any_length(normal_fill, in_place, seeded, fresh):
    """For any seed, position and length, mean and std included."""
    for n in (*fresh.integers(100, 2_000, 2).tolist(), 16_400 + int(fresh.integers(1, 16))):
        seed, drawn = int(fresh.integers(2**32)), int(fresh.integers(1_000))
        state = seeded(seed, drawn)
        wanted = long_of(numpy_words(seed, words_for(n), drawn), n) * 0.5 + 3
        got = in_place(normal_fill, zeros(n), 3, 0.5, state)

        assert near(got, wanted, LONG) == wanted.tolist()
        assert bookmark(state) == bookmark_after(drawn + words_for(n))


@checks("normal_fill", kind="boundary", why="one number in 16 million is 0")
def test_fill_of_zeros(normal_fill, in_place):
    """Without a state (None) all uniform numbers are 0, so all normal ones are the mean."""
    assert in_place(normal_fill, zeros(20), 3, 2, None).tolist() == 20 * [3.0]


@checks("normal_fill", kind="fault", why="C code would write before the start of the array")
@pytest.mark.parametrize("n", [0, 1, 15])
def test_too_short_to_fill(normal_fill, seeded, n):
    """Fewer than 16 numbers are a ValueError that has the length, and nothing is drawn."""
    state = seeded(137, drawn=3)
    with pytest.raises(ValueError, match=rf"\b{n}\b"):
        normal_fill(zeros(n), 0, 1, state)

    assert bookmark(state) == bookmark_after(3)


@checks("normal_fill", kind="unit", why="as in PyTorch's C code, the array is the result")
def test_fill_returns_nothing(normal_fill, seeded):
    """The array is filled in place, and None is returned."""
    assert normal_fill(zeros(17), 0, 1, seeded(137)) is None


# -- normal_ ----------------------------------------------------------------------------------


@checks("normal_", kind="unit", why="the formula, checked with pencil and paper")
def test_one_number_by_hand(normal_, in_place, seeded):
    """The first number of seed 137 is 0.908569 * cos(0.032880) = 0.908078."""
    got = in_place(normal_, zeros(1), 0, 1, seeded(137))

    assert near(got, [0.908078], SHORT) == [0.908078]


@checks("normal_", kind="golden", why="biases and small layers have fewer than sixteen numbers")
@pytest.mark.parametrize("n", [1, 2, 5, 15])
def test_short_golden(normal_, in_place, seeded, golden, n):
    """Fewer than sixteen numbers are PyTorch's: the angle is drawn before the radius, and cosine
    and sine take turns."""
    for seed, values in golden["torch"]["seeds"].items():
        wanted = values["normal"][str(n)]["values"]
        got = in_place(normal_, zeros(n), 0, 1, seeded(int(seed)))

        assert near(got, wanted, SHORT) == wanted


@checks("normal_", kind="golden", why="a mean and a std are used in either way")
@pytest.mark.parametrize("n", [5, 40])
def test_scaled_golden(normal_, in_place, seeded, golden, n):
    """With a mean of 3 and a std of 0.25, the numbers are PyTorch's too."""
    for seed, values in golden["torch"]["seeds"].items():
        wanted = values["scaled"][str(n)]["values"]
        got = in_place(normal_, zeros(n), 3, 0.25, seeded(int(seed)))

        assert near(got, wanted, SHORT) == wanted


@checks("normal_", kind="conformance", why="any program that follows PyTorch can be asked for it")
def test_one_stream(normal_, in_place, seeded, golden):
    """Seed 137: five words, eight numbers (the first 0.79476643), the word 2186503452, sixteen
    numbers, and then 2756748748."""
    wanted, state = golden["torch"]["stream"], seeded(137, drawn=5)
    eight = in_place(normal_, zeros(8), 0, 1, state)
    assert near(eight, wanted["eight"], SHORT) == wanted["eight"]
    assert bookmark(state) == bookmark_after(5 + 16)

    state = seeded(137, drawn=22)
    sixteen = in_place(normal_, zeros(16), 0, 1, state)
    assert near(sixteen, wanted["sixteen"], LONG) == wanted["sixteen"]
    assert bookmark(state) == bookmark_after(38)


@checks("normal_", kind="property", why="seeds that are known can be learned by heart")
def test_short_of_words(normal_, in_place, seeded, fresh):
    """For any seed and position, a pair is two uniform numbers of 53 bits, four words; its radius
    is between 0.1 and 2.4 here."""
    for n in range(1, 16):
        seed, drawn, wanted = _moderate(fresh, n)
        state = seeded(seed, drawn)
        got = in_place(normal_, zeros(n), 0, 1, state)

        assert near(got, wanted, SHORT) == wanted.tolist()
        assert bookmark(state) == bookmark_after(drawn + words_for(n))


def _moderate(fresh, n):
    """A seed, a position, and their n numbers, of pairs for which float32 is exact enough."""
    while True:
        seed, drawn = int(fresh.integers(2**32)), int(fresh.integers(600))
        pairs = short_of(numpy_words(seed, words_for(n), drawn), n + n % 2).reshape(-1, 2)
        radius = np.hypot(pairs[:, 0], pairs[:, 1])
        if 0.1 < radius.min() and radius.max() < 2.4:
            return seed, drawn, pairs.ravel()[:n]


@checks("normal_", kind="boundary", why="a pair too many shifts all that follows")
@pytest.mark.parametrize("n", [0, 1, 2, 3, 14, 15, 16, 17, 32, 33])
def test_words_used(normal_, in_place, seeded, n):
    """4 words for each pair begun below sixteen; n from there on, and 16 more if there is a
    tail."""
    state = seeded(137, drawn=3)
    in_place(normal_, zeros(n), 0, 1, state)

    assert bookmark(state) == bookmark_after(3 + words_for(n))


@checks("normal_", kind="boundary", why="the two ways give different numbers")
@pytest.mark.parametrize("n", [16, 17])
def test_sixteen_is_a_block(normal_, in_place, seeded, fresh, n):
    """From sixteen numbers on it is normal_fill."""
    seed = int(fresh.integers(2**32))
    wanted = long_of(numpy_words(seed, words_for(n)), n)
    got = in_place(normal_, zeros(n), 0, 1, seeded(seed))

    assert near(got, wanted, LONG) == wanted.tolist()


@checks("normal_", kind="unit", why="the C code keeps nothing from one call to the next")
def test_no_sine_is_kept(normal_, in_place, seeded):
    """The sine left over from an odd length is dropped: the next call begins with a new pair."""
    state = seeded(137)
    first = in_place(normal_, zeros(1), 0, 1, state)
    second = in_place(normal_, zeros(1), 0, 1, state)
    wanted = [0.908078, short_of(numpy_words(137, 4, 4), 1)[0]]

    assert near(np.concatenate([first, second]), wanted, SHORT) == wanted


@checks("normal_", kind="property", why="what only looks right in a few numbers fails here")
def test_mean_and_spread(normal_, in_place, seeded, fresh):
    """100,000 numbers have the mean and the std that were asked for, and a bell's shares."""
    got = in_place(normal_, zeros(100_000), 5, 2, seeded(int(fresh.integers(2**32))))
    z = (got.astype(np.float64) - 5) / 2
    far = abs(z.mean()) > 0.02, abs(z.std() - 1) > 0.015

    assert far == (False, False)
    assert [abs((z < limit).mean() - share) < 0.01 for limit, share in BELL] == [True] * len(BELL)


BELL = ((-2, 0.02275), (-1, 0.158655), (0, 0.5), (1, 0.841345), (2, 0.97725))


@checks("normal_", kind="fault", why="chapter 4's functions draw zeros then")
@pytest.mark.parametrize("n", [3, 16])
def test_normal_without_state(normal_, in_place, n):
    """Without a state (None) every number is the mean."""
    assert in_place(normal_, zeros(n), 3, 2, None).tolist() == n * [3.0]


@checks("normal_", kind="unit", why="as in PyTorch's C code, the array is the result")
@pytest.mark.parametrize("n", [0, 3, 20])
def test_normal_returns_nothing(normal_, seeded, n):
    """The array is filled in place, and None is returned, whatever its length."""
    assert normal_(zeros(n), 0, 1, seeded(137)) is None


# -- init_identity_permutation ----------------------------------------------------------------


@checks("init_identity_permutation", kind="boundary", why="shuffles start from here")
@pytest.mark.parametrize("n", [0, 1, 2, 4, 1000])
def test_identity(init_identity_permutation, in_place, n):
    """Place i gets i, whatever was there."""
    got = in_place(init_identity_permutation, np.full(n, 9))

    assert got.tolist() == list(range(n))


@checks("init_identity_permutation", kind="unit", why="llm.c's permutations are 32 bits wide")
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_identity_of_any_integers(init_identity_permutation, in_place, dtype):
    """An array of int32 is filled as well as one of int64, and keeps its dtype."""
    got = in_place(init_identity_permutation, np.full(5, -1, dtype=dtype))

    assert got.tolist() == [0, 1, 2, 3, 4]


@checks("init_identity_permutation", kind="unit", why="as in the C code, the array is the result")
def test_identity_returns_nothing(init_identity_permutation):
    """The array is filled in place, and None is returned."""
    assert init_identity_permutation(np.zeros(3, dtype=np.int64)) is None


# -- random_permutation -----------------------------------------------------------------------


@checks("random_permutation", kind="unit", why="the loop, checked with pencil and paper")
def test_shuffle_by_hand(random_permutation, in_place, seeded):
    """0 1 2 3 after seed 137 becomes 0 3 1 2."""
    assert in_place(random_permutation, np.arange(4), seeded(137)).tolist() == [0, 3, 1, 2]


@checks("random_permutation", kind="golden", why="another order is another epoch")
@pytest.mark.parametrize("n", [1, 2, 3, 10, 100])
def test_permutation_golden(random_permutation, in_place, seeded, golden, n):
    """The order is Fisher-Yates's from the top, word % (i + 1), as in the standard library."""
    for seed, values in golden["shuffled"]["seeds"].items():
        got = in_place(random_permutation, np.arange(n), seeded(int(seed)))

        assert got.tolist() == values[str(n)]


@checks("random_permutation", kind="property", why="seeds that are known can be learned by heart")
def test_shuffle_of_words(random_permutation, in_place, seeded, fresh):
    """For any seed, position and length, the words in turn decide the order."""
    for n in fresh.integers(2, 900, 4).tolist():
        seed, drawn = int(fresh.integers(2**32)), int(fresh.integers(1_000))
        got = in_place(random_permutation, np.arange(n), seeded(seed, drawn))

        assert got.tolist() == shuffled(range(n), numpy_words(seed, n, drawn))


@checks("random_permutation", kind="property", why="a number lost is a text never trained on")
def test_nothing_is_lost(random_permutation, in_place, seeded, fresh):
    """Every number of 0 ... n - 1 is still there, once."""
    for n in (2, 17, 700):
        got = in_place(random_permutation, np.arange(n), seeded(int(fresh.integers(2**32))))

        assert sorted(got.tolist()) == list(range(n))


@checks("random_permutation", kind="boundary", why="one word too many shifts all that follows")
@pytest.mark.parametrize("n", [0, 1, 2, 10, 700])
def test_shuffle_uses_words(random_permutation, in_place, seeded, n):
    """n - 1 words are used, and none where there is nothing to shuffle."""
    state = seeded(137, drawn=3)
    in_place(random_permutation, np.arange(n), state)

    assert bookmark(state) == bookmark_after(3 + max(n - 1, 0))


@checks("random_permutation", kind="unit", why="a second epoch shuffles what the first one left")
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_shuffles_what_is_there(random_permutation, in_place, seeded, dtype):
    """It reorders what the array holds, repeated and negative numbers too."""
    values = np.array([7, 7, -3, 2**30, 0, 5], dtype=dtype)
    got = in_place(random_permutation, values, seeded(42))

    assert got.tolist() == shuffled(values.tolist(), numpy_words(42, 6))


@checks("random_permutation", kind="fault", why="it follows from word 0, which chapter 4 gives")
def test_shuffle_without_state(random_permutation, in_place):
    """Without a state (None) every j is 0: 0 1 2 3 becomes 1 2 3 0."""
    assert in_place(random_permutation, np.arange(4), None).tolist() == [1, 2, 3, 0]


@checks("random_permutation", kind="unit", why="as in the C code, the array is the result")
def test_shuffle_returns_nothing(random_permutation, seeded):
    """The array is shuffled in place, and None is returned."""
    assert random_permutation(np.arange(5), seeded(137)) is None
