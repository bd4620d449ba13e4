"""Hidden tests of ch11_sampler: from logits to the next token.

What is wanted was worked out on paper, computed here with NumPy, or chosen by a C program
(``golden.json``). exp may round its last bit in more than one way, so coins near a border are only
used where weights are exact (a logit of 0 weighs 1) or tiny; one test of the order of a sum needs
NumPy's exp to the last bit, as the chapter says.
"""

import itertools
import math

import numpy as np
import pytest

from autograder.hidden import checks

LOW = -math.inf
LARGEST_COIN = 1 - 2.0**-24
LOGS = [0.0, math.log(2), math.log(5)]


def stream(seed, n):
    """Words and states of n draws, in NumPy's 64-bit arithmetic."""
    x, words, states = np.array([seed], dtype=np.uint64), [], []
    for _ in range(n):
        x ^= x >> np.uint64(12)
        x ^= x << np.uint64(25)
        x ^= x >> np.uint64(27)
        words.append(int((x * np.uint64(0x2545F4914F6CDD1D) >> np.uint64(32))[0]))
        states.append(int(x[0]))
    return words, states


def coins_of(seed, n):
    return [np.float32((word >> 8) / 2**24) for word in stream(seed, n)[0]]


def floats(values):
    """Logits of ``golden.json``, where JSON has no infinity, as float32."""
    return np.array([float(x) for x in values], dtype=np.float32)


def digits(array):
    """Five digits of each number."""
    return [float(f"{float(x):.5g}") for x in array]


def kind(array):
    return array.dtype.name, array.shape


def named(value):
    return type(value).__name__, value


def in_the_middle(logits, share=1e-3):
    """Pairs of an index and a coin that falls into the middle of its stretch, if that is large."""
    weights = np.exp(logits.astype(np.float64) - float(logits.max()))
    borders = np.concatenate(([0], np.cumsum(weights))) / weights.sum()
    return [
        (i, np.float32((a + b) / 2))
        for i, (a, b) in enumerate(itertools.pairwise(borders))
        if b - a > share
    ]


def chi_squared(found, expected):
    return float(((np.array(found) - expected) ** 2 / expected).sum())


# -- random_u32 -------------------------------------------------------------------------------


@checks("random_u32", kind="unit", why="the recipe, checked with pencil and paper")
def test_first_word_by_hand(random_u32, XorshiftState):
    """State 1 gives the high half of 0x47E4CE4B896CDD1D, which is 1206177355."""
    assert random_u32(XorshiftState(1)) == 1206177355


@checks("random_u32", kind="golden", why="the same seed has to tell the same story in C")
def test_words_of_c(random_u32, XorshiftState, golden, repeat):
    """The first 16 words of eight seeds are those of a C program."""
    for seed, wanted in golden["words"].items():
        assert repeat(random_u32, 16, XorshiftState(int(seed))) == wanted["words"]


@checks("random_u32", kind="golden", why="what is stored decides every later draw")
def test_state_after_a_draw(random_u32, XorshiftState, golden):
    """After a draw, the state is what the three shifts made, without the product."""
    for seed, wanted in golden["words"].items():
        state = XorshiftState(int(seed))
        for after in wanted["states"]:
            random_u32(state)

            assert state.state == after


@checks("random_u32", kind="golden", why="a story of 10,000 tokens ends with this draw")
@pytest.mark.parametrize("seed", [1, 1337])
def test_far_down_the_stream(random_u32, XorshiftState, golden, repeat, seed):
    """Word 10,000 is that of a C program."""
    far = golden["words"][str(seed)]["far"]

    assert repeat(random_u32, far["draw"], XorshiftState(seed))[-1] == far["word"]


@checks("random_u32", kind="conformance", why="other libraries call the same generator by its name")
def test_published_vector(random_u32, XorshiftState, golden, repeat):
    """The words of seed 1 are the high halves of the published 64-bit results."""
    results = golden["published"]["seed_1"]["results"]

    assert repeat(random_u32, 5, XorshiftState(1)) == [result >> 32 for result in results]


@checks("random_u32", kind="boundary", why="a seed of 0 is the one that must never be chosen")
def test_zero_is_a_fixed_point(random_u32, XorshiftState, repeat):
    """State 0 draws 0 and stays 0, forever, and is no error."""
    state = XorshiftState(0)

    assert repeat(random_u32, 5, state) == [0, 0, 0, 0, 0]
    assert state.state == 0


@checks("random_u32", kind="unit", why="a NumPy integer would overflow in the next step")
def test_words_are_plain_ints(random_u32, XorshiftState):
    """A word is a plain int, and so is the state after it."""
    state = XorshiftState(1)

    assert named(random_u32(state)) == ("int", 1206177355)
    assert named(state.state) == ("int", 33554433)


@checks("random_u32", kind="boundary", why="a seed computed with NumPy is a NumPy integer")
@pytest.mark.parametrize(
    "seed", [np.uint64(2**64 - 1), np.int64(2**62 + 5), np.uint32(1337), np.int32(7)]
)
def test_state_may_be_a_numpy_integer(random_u32, XorshiftState, repeat, seed):
    """A NumPy integer seeds like the Python int, and a plain int is stored."""
    state = XorshiftState(seed)
    words, states = stream(int(seed), 3)

    assert repeat(random_u32, 3, state) == words
    assert named(state.state) == ("int", states[-1])


@checks("random_u32", kind="property", why="known seeds can be learned by heart")
def test_words_of_64_bit_arithmetic(random_u32, XorshiftState, fresh, repeat):
    """For any seed, the words are those of arithmetic that has 64 bits and no more."""
    for seed in fresh.integers(1, 2**64, 8, dtype=np.uint64).tolist():
        assert repeat(random_u32, 20, XorshiftState(seed)) == stream(seed, 20)[0]


@checks("random_u32", kind="unit", why="two conversations at once must not share a coin")
def test_two_states_do_not_mix(random_u32, XorshiftState):
    """Drawing from two states in turn gives each its own stream."""
    one, other = XorshiftState(1), XorshiftState(2)
    pairs = [(random_u32(one), random_u32(other)) for _ in range(4)]

    assert pairs == list(zip(stream(1, 4)[0], stream(2, 4)[0], strict=True))


# -- random_f32 -------------------------------------------------------------------------------


@checks("random_f32", kind="unit", why="the recipe, checked with pencil and paper")
def test_coin_by_hand(random_f32, XorshiftState):
    """State 1 gives 4711630 / 16777216."""
    assert float(random_f32(XorshiftState(1))) == 4711630 / 16777216


@checks("random_f32", kind="unit", why="a float64 would be rounded when it meets the weights")
def test_coin_type(random_f32, XorshiftState):
    """A coin is an np.float32, and so is 0."""
    assert type(random_f32(XorshiftState(1))).__name__ == "float32"
    assert named(random_f32(XorshiftState(0))) == ("float32", 0.0)


@checks("random_f32", kind="golden", why="the same seed has to tell the same story in C")
def test_coins_of_c(random_f32, XorshiftState, golden, repeat):
    """Each coin is the high 24 bits of a word of the C program, over 2**24."""
    for seed, drawn in golden["words"].items():
        coins = repeat(random_f32, 16, XorshiftState(int(seed)))

        assert [float(coin) for coin in coins] == [(word >> 8) / 2**24 for word in drawn["words"]]


@checks("random_f32", kind="boundary", why="a coin of 1 walks past every token")
@pytest.mark.parametrize(
    ("word", "coin"),
    [
        (0xFFFFFFFF, LARGEST_COIN),
        (0xFFFFFF00, LARGEST_COIN),
        (0xFFFFFEFF, 1 - 2.0**-23),
        (0x80000000, 0.5),
        (0x100, 2.0**-24),
        (0xFF, 0.0),
        (0, 0.0),
    ],
)
def test_largest_coin(random_f32, XorshiftState, golden, word, coin):
    """The low 8 bits of a word are dropped, so all ones give 1 - 2**-24 and not 1."""
    state = XorshiftState(golden["state_by_word"][str(word)])

    assert float(random_f32(state)) == coin


@checks("random_f32", kind="boundary", why="one word a coin keeps two programs in step")
def test_one_word_a_coin(random_f32, XorshiftState, golden, repeat):
    """Sixteen coins move the state by sixteen words."""
    state = XorshiftState(1337)
    repeat(random_f32, 16, state)

    assert state.state == golden["words"]["1337"]["states"][-1]


@checks("random_f32", kind="conformance", why="a skewed coin favours the tokens at one end")
def test_coins_are_uniform(random_f32, XorshiftState, repeat):
    """Of 10,000 coins of seed 1337, each hundredth of [0, 1) gets its share (chi-squared test)."""
    coins = [float(coin) for coin in repeat(random_f32, 10_000, XorshiftState(1337))]
    found = np.bincount([int(100 * coin) for coin in coins], minlength=100)

    assert len(found) == 100
    # With 99 degrees of freedom, one fair stream in two million is outside.
    assert 43.0 < chi_squared(found, 100) < 186.0


@checks("random_f32", kind="property", why="known seeds can be learned by heart")
def test_coins_of_any_seed(random_f32, XorshiftState, fresh, repeat):
    """For any seed, coins are words over 2**32, rounded down to a multiple of 2**-24."""
    for seed in fresh.integers(1, 2**64, 4, dtype=np.uint64).tolist():
        coins = repeat(random_f32, 50, XorshiftState(seed))

        assert [float(coin) for coin in coins] == [float(coin) for coin in coins_of(seed, 50)]


# -- softmax_weights --------------------------------------------------------------------------


@checks("softmax_weights", kind="unit", why="the recipe, checked with pencil and paper")
def test_weights_by_hand(softmax_weights):
    """The logarithms of 1, 2 and 5 have the weights 1, 2 and 5."""
    assert digits(softmax_weights(LOGS, 3)) == [1, 2, 5]


@checks("softmax_weights", kind="unit", why="float64 weights lead to other tokens than llm.c's")
@pytest.mark.parametrize("shift", [0.0, 100.0])
@pytest.mark.parametrize("form", [list, np.float32, np.float64])
def test_weights_type(softmax_weights, form, shift):
    """A list, float32 or float64 gives a float32 array of shape (n,), shifted or not."""
    logits = form([shift, shift + 1.0, shift])

    assert kind(softmax_weights(logits, 2)) == ("float32", (2,))


@checks("softmax_weights", kind="boundary", why="llm.c computes 47 logits more than GPT-2 has")
@pytest.mark.parametrize("padding", [0.0, 1000.0, math.nan, math.inf])
def test_only_the_first_n_count(softmax_weights, padding):
    """What stands behind the first n changes nothing, whatever it is."""
    logits = np.array([*LOGS, padding, padding], dtype=np.float32)

    assert digits(softmax_weights(logits, 3)) == [1, 2, 5]


@checks("softmax_weights", kind="boundary", why="one overflow makes every weight nan or 0")
@pytest.mark.parametrize("top", [65.0, 89.0, 1000.0, 1e30])
def test_huge_logits(softmax_weights, top):
    """Where the largest logit is above 64, its weight is 1 and none is infinite."""
    lower = 0.36788 if top < 1e30 else 1  # 1e30 - 1 is 1e30

    assert digits(softmax_weights(np.float32([top, top - 1, LOW]), 3)) == [1, lower, 0]


@checks("softmax_weights", kind="boundary", why="with weights of 0 alone, nothing can be chosen")
@pytest.mark.parametrize("top", [-65.0, -104.0, -1000.0])
def test_tiny_logits(softmax_weights, top):
    """Where the largest logit is below -64, its weight is 1."""
    assert digits(softmax_weights([top - 1, top, LOW], 3)) == [0.36788, 1, 0]


@checks("softmax_weights", kind="boundary", why="a shift for nothing changes one token in a dozen")
@pytest.mark.parametrize(
    ("logits", "wanted"),
    [
        ([64.0, 63.0], [6.2351e27, 2.2938e27]),
        ([-64.0, -65.0], [1.6038e-28, 5.9001e-29]),
        ([5.0, -50.0], [148.41, 1.9287e-22]),
        ([-3.0], [0.049787]),
    ],
)
def test_no_shift_within_64(softmax_weights, logits, wanted):
    """Where the largest logit is from -64 to 64, the weights are exp of the logits as they are."""
    assert digits(softmax_weights(logits, len(logits))) == wanted


@checks("softmax_weights", kind="boundary", why="the padding may hold the largest number of all")
def test_largest_of_the_first_n(softmax_weights):
    """Only the first n decide whether there is a shift, and by how much."""
    assert digits(softmax_weights([0.0, 1.0, 70.0, -70.0], 2)) == [1, 2.7183]
    assert digits(softmax_weights([70.0, 71.0, 90.0], 2)) == [0.36788, 1]


@checks("softmax_weights", kind="boundary", why="a masked token must never be chosen")
def test_minus_infinity_weighs_nothing(softmax_weights):
    """A logit of -inf has the weight 0."""
    assert digits(softmax_weights([LOW, 0.0, LOW], 3)) == [0, 1, 0]


@checks("softmax_weights", kind="fault", why="a size that is wrong must not pass in silence")
@pytest.mark.parametrize("n", [0, -1, 4, 1000])
def test_n_out_of_range(softmax_weights, n):
    """An n that isn't 1 to len(logits) is a ValueError whose message has n."""
    with pytest.raises(ValueError, match=rf"(?<![\d-]){n}\b"):
        softmax_weights(np.zeros(3, dtype=np.float32), n)


@checks("softmax_weights", kind="fault", why="a nan is a bug in the model and must not go unseen")
@pytest.mark.parametrize(
    ("logits", "largest"),
    [
        ([0.0, math.nan, 1.0], "nan"),
        ([math.nan], "nan"),
        ([math.inf, 0.0], r"(?<!-)inf"),
        ([LOW, LOW], "-inf"),
        ([math.nan, math.inf], "nan"),
    ],
)
def test_largest_must_be_finite(softmax_weights, logits, largest):
    """A nan, an inf, or nothing but -inf is a ValueError whose message says which."""
    with pytest.raises(ValueError, match=largest):
        softmax_weights(logits, len(logits))


@checks("softmax_weights", kind="unit", why="the model's logits are wanted once more for the loss")
@pytest.mark.parametrize("top", [1.0, 100.0])
def test_logits_are_left_alone(softmax_weights, in_place, top):
    """The logits that are given stay as they are."""
    logits = np.array([top, top - 1.0], dtype=np.float32)

    assert in_place(softmax_weights, logits, 2).tolist() == logits.tolist()


@checks("softmax_weights", kind="property", why="softmax is made of exp and nothing else")
def test_weights_are_exp(softmax_weights, fresh):
    """For any logits, the weights are exp of them to five digits, or in the same proportion."""
    for top in (0.0, 60.0, -60.0, 300.0, -300.0):
        logits = (top + fresh.uniform(-3, 3, 40)).astype(np.float32)
        largest = float(logits.max())
        exact = np.exp(logits.astype(np.float64) - (largest if abs(largest) > 64 else 0))
        error = np.abs(softmax_weights(logits, 40) / exact - 1)

        assert float(error.max()) < 1e-5


# -- sample_softmax ---------------------------------------------------------------------------


@checks("sample_softmax", kind="unit", why="the recipe, checked with pencil and paper")
@pytest.mark.parametrize(("coin", "index"), [(0.0, 0), (0.1, 0), (0.25, 1), (0.5, 2), (0.99, 2)])
def test_walk_by_hand(sample_softmax, coin, index):
    """Weights 1, 2, 5: coins up to 1/8 choose 0, up to 3/8 choose 1, and the others 2."""
    assert sample_softmax(LOGS, 3, coin) == index


@checks("sample_softmax", kind="golden", why="C and Python have to choose the same token")
def test_small_choices_of_c(sample_softmax, golden):
    """Among a few logits, the index is the one that a C program chooses."""
    for case in golden["small"].values():
        logits = floats(case["logits"])
        for coin, index in zip(case["coins"], case["indices"], strict=True):
            assert sample_softmax(logits, len(logits), np.float32(coin)) == index


@checks("sample_softmax", kind="golden", why="C and Python have to choose the same token")
def test_choices_of_c_among_50257(sample_softmax, golden):
    """Among as many logits as GPT-2 has, the index is the one that a C program chooses."""
    logits = np.random.RandomState(11).standard_normal(50257).astype(np.float32)
    large = golden["large"]
    for coin, index in list(zip(large["coins"], large["indices"], strict=True))[:5]:
        assert sample_softmax(logits, 50257, np.float32(coin)) == index


@checks("sample_softmax", kind="boundary", why="a coin is 0 once in 16 million draws")
def test_coin_zero(sample_softmax):
    """A coin of 0 chooses the first token that isn't impossible."""
    assert sample_softmax([0.0, 0.0], 2, np.float32(0)) == 0
    assert sample_softmax([LOW, LOW, -3.0, 9.0], 4, np.float32(0)) == 2


@checks("sample_softmax", kind="boundary", why="a border belongs to one token, not to two")
@pytest.mark.parametrize("n", [2, 4, 64, 256])
def test_borders(sample_softmax, n):
    """Of n equal logits, coin k/n chooses k, and the coin just below it k - 1."""
    logits = np.zeros(n, dtype=np.float32)
    for k in (1, n // 2, n - 1):
        assert sample_softmax(logits, n, np.float32(k / n)) == k
        assert sample_softmax(logits, n, np.float32(k / n - 2.0**-24)) == k - 1


@checks("sample_softmax", kind="boundary", why="a function that returns nothing stops the story")
@pytest.mark.parametrize("end", [[], [LOW]])
def test_last_index(sample_softmax, end):
    """Where the running sum never exceeds the scaled coin, the last index it is, even of -inf."""
    logits = np.array([0.0] + [-18.0] * 1000 + end, dtype=np.float32)

    assert named(sample_softmax(logits, len(logits), np.float32(LARGEST_COIN))) == (
        "int", len(logits) - 1,
    )


@checks("sample_softmax", kind="boundary", why="llm.c's running sum is a float, and skips the tiny")
def test_running_sum_is_float32(sample_softmax):
    """Beside a 1, float32 loses a thousand tiny weights one after the other."""
    logits = np.array([0.0] + [-18.0] * 1000 + [0.0], dtype=np.float32)

    assert sample_softmax(logits, 1002, np.float32(0.5)) == 1001


@checks("sample_softmax", kind="boundary", why="llm.c's normaliser is a double, and loses nothing")
def test_total_is_float64(sample_softmax):
    """The total counts a thousand tiny weights that float32 would lose."""
    logits = np.array([0.0] + [-18.0] * 1000, dtype=np.float32)

    assert sample_softmax(logits, 1001, np.float32(LARGEST_COIN)) == 1000


@checks("sample_softmax", kind="boundary", why="one token in a thousand lies so close to a border")
@pytest.mark.parametrize(
    ("logits", "coin", "index"),
    [([0.0] * 31, 1082401, 2), ([0.0, 0.0, -15.9], 8388607, 0), ([0.0] * 4 + [-15.5], 12582911, 3)],
)
def test_scaled_coin_is_rounded_once(sample_softmax, logits, coin, index):
    """Coin times total is computed in float64 and rounded to float32 once."""
    assert sample_softmax(floats(logits), len(logits), np.float32(coin * 2.0**-24)) == index


@checks("sample_softmax", kind="boundary", why="an index beyond the vocabulary has no text")
@pytest.mark.parametrize("padding", [0.0, 50.0, math.nan])
def test_padding_is_never_chosen(sample_softmax, padding):
    """Only the first n logits count, for the total, for the walk and for the last index."""
    logits = np.array([0.0, 0.0, padding, padding], dtype=np.float32)

    assert sample_softmax(logits, 2, np.float32(LARGEST_COIN)) == 1
    assert sample_softmax(logits, 2, np.float32(0.25)) == 0
    assert sample_softmax(logits, 1, np.float32(LARGEST_COIN)) == 0


@checks("sample_softmax", kind="boundary", why="an untrained or broken model has such logits")
@pytest.mark.parametrize("top", [100.0, 1e4, -100.0, -1e4])
def test_choice_among_extreme_logits(sample_softmax, top):
    """Huge and tiny logits are chosen among as their differences say."""
    logits = floats([top, top + math.log(2), top + math.log(5)])

    assert [sample_softmax(logits, 3, np.float32(coin)) for coin in (0.1, 0.25, 0.5)] == [0, 1, 2]


@checks("sample_softmax", kind="unit", why="JSON and tokenizers want no NumPy integer")
@pytest.mark.parametrize("coin", [0.0, 0.6, LARGEST_COIN])
def test_index_is_a_plain_int(sample_softmax, coin):
    """The index is a plain int."""
    assert type(sample_softmax(LOGS, 3, np.float32(coin))).__name__ == "int"


@checks("sample_softmax", kind="conformance", why="this is what a probability means")
def test_frequencies_are_probabilities(sample_softmax):
    """400 choices with coins of seed 1337 are in proportion to the weights (chi-squared test)."""
    shares = np.array([1, 2, 3, 4, 5, 6, 7, 12])
    logits = np.log(shares).astype(np.float32)
    chosen = [sample_softmax(logits, 8, coin) for coin in coins_of(1337, 400)]

    # With 7 degrees of freedom, one fair sampler in a million is above 40.5.
    assert chi_squared(np.bincount(chosen, minlength=8), 10 * shares) < 40.5


@checks("sample_softmax", kind="property", why="known logits can be learned by heart")
def test_middle_of_each_stretch(sample_softmax, fresh):
    """For any logits, a coin in the middle of a token's stretch chooses this token."""
    for n in (3, 30):
        logits = fresh.uniform(-4, 4, n).astype(np.float32)
        for index, coin in in_the_middle(logits):
            assert sample_softmax(logits, n, coin) == index


@checks("sample_softmax", kind="fault", why="a nan is a bug in the model and must not go unseen")
@pytest.mark.parametrize(
    ("logits", "n"), [([0.0, 1.0], 0), ([0.0, 1.0], 3), ([0.0, math.nan], 2), ([LOW, LOW], 2)]
)
def test_no_choice_is_refused(sample_softmax, logits, n):
    """n out of range, a nan, or nothing but -inf is a ValueError."""
    with pytest.raises(ValueError, match=rf"\b{n}\b|nan|inf"):
        sample_softmax(logits, n, np.float32(0.5))


# -- apply_temperature ------------------------------------------------------------------------


@checks("apply_temperature", kind="unit", why="the recipe, checked with pencil and paper")
def test_temperature_by_hand(apply_temperature):
    """3, 1, -2 at temperature 0.5 are 6, 2, -4."""
    assert apply_temperature([3.0, 1.0, -2.0], 0.5).tolist() == [6.0, 2.0, -4.0]


@checks("apply_temperature", kind="unit", why="a temperature of 1 is what everybody begins with")
@pytest.mark.parametrize("temperature", [1, 1.0])
def test_temperature_one(apply_temperature, temperature):
    """Temperature 1 changes nothing, not even the last bit."""
    logits = np.array([0.1, -7.3, 1e-20, LOW, 88.8], dtype=np.float32)

    assert apply_temperature(logits, temperature).tolist() == logits.tolist()


@checks("apply_temperature", kind="boundary", why="0 is how one asks for the same answer each time")
@pytest.mark.parametrize(
    ("logits", "wanted"),
    [
        ([3.0, 1.0, -2.0], [3, LOW, LOW]),
        ([1.0, 3.0, 2.0, 3.0], [LOW, 3, LOW, LOW]),
        ([-9.0, -8.5, LOW], [LOW, -8.5, LOW]),
        ([LOW, 0.0, 0.0], [LOW, 0, LOW]),
        ([0.5], [0.5]),
    ],
)
def test_temperature_zero(apply_temperature, logits, wanted):
    """At 0 the first of the largest logits stays as it is, and all others become -inf."""
    for zero in (0, 0.0):
        assert apply_temperature(logits, zero).tolist() == wanted


@checks("apply_temperature", kind="boundary", why="a masked token stays masked, hot or cold")
@pytest.mark.parametrize("temperature", [0.25, 4.0])
def test_temperature_of_minus_infinity(apply_temperature, temperature):
    """A logit of -inf stays -inf, and one of 0 stays 0."""
    assert apply_temperature([LOW, 0.0, 1.0], temperature).tolist() == [LOW, 0, 1 / temperature]


@checks("apply_temperature", kind="boundary", why="float32 ends before the temperatures do")
@pytest.mark.parametrize("temperature", [1e-38, np.float64(1e-40), 1e-46, 5e-324])
@pytest.mark.parametrize(
    ("logits", "wanted"),
    [
        ([3.0, 1.0, -2.0], [3, LOW, LOW]),
        ([-9.0, -8.5, LOW], [LOW, -8.5, LOW]),
        ([0.0, 3.0, 3.0], [LOW, 3, LOW]),
        ([0.0, LOW, -5.0], [0, LOW, LOW]),
    ],
)
def test_temperature_next_to_zero(apply_temperature, temperature, logits, wanted):
    """A temperature at which a quotient would be beyond LARGE counts as 0."""
    assert apply_temperature(logits, temperature).tolist() == wanted


@checks("apply_temperature", kind="boundary", why="1e-46 is 0 in float32, and 1e39 is infinite")
@pytest.mark.parametrize("temperature", [1e-46, 1e-30, 1e39, np.float64(1e300)])
def test_temperature_of_nothing(apply_temperature, temperature):
    """At any temperature above 0, logits of 0 stay 0, and those of -inf stay -inf."""
    assert apply_temperature([0.0, LOW, 0.0], temperature).tolist() == [0, LOW, 0]


@checks("apply_temperature", kind="boundary", why="what float32 can hold is divided")
def test_small_temperature_divides(apply_temperature):
    """Quotients of up to 9e37 are quotients, at a temperature that float32 cannot hold, too."""
    for logit, temperature in ((9.0, 1e-37), (-4.5, 5e-38), (9e-9, 1e-46)):
        got = apply_temperature([logit, 0.0], temperature).astype(np.float64) / 1e37

        assert [round(each, 3) for each in got.tolist()] == [math.copysign(9, logit), 0]


@checks("apply_temperature", kind="fault", why="a negative one would prefer the worst token")
@pytest.mark.parametrize(
    ("temperature", "text"),
    [(-1.5, r"-1\.5"), (-1e-9, "-1e-09"), (math.nan, "nan"), (math.inf, "inf")],
)
def test_temperature_out_of_range(apply_temperature, temperature, text):
    """A negative temperature, nan and inf are a ValueError whose message has the temperature."""
    with pytest.raises(ValueError, match=text):
        apply_temperature([0.0, 1.0], temperature)


@checks("apply_temperature", kind="property", why="any number above 0 is a temperature")
def test_temperature_divides(apply_temperature, fresh):
    """For any temperature, the result times the temperature is what was given, to five digits."""
    for temperature in fresh.uniform(0.05, 5, 5).tolist():
        logits = fresh.uniform(1, 9, 20).astype(np.float32)
        error = np.abs(apply_temperature(logits, temperature) * temperature / logits - 1)

        assert float(error.max()) < 1e-5


@checks("apply_temperature", kind="unit", why="float32 is what the sampler works in")
@pytest.mark.parametrize("temperature", [0, 1, 0.7, np.float64(0.7)])
@pytest.mark.parametrize("form", [list, np.float32, np.float64])
def test_temperature_type(apply_temperature, form, temperature):
    """A list, float32 or float64 gives a float32 array of the same shape."""
    assert kind(apply_temperature(form([1.0, 2.0, 0.5]), temperature)) == ("float32", (3,))


@checks("apply_temperature", kind="unit", why="the same logits may be tried at other temperatures")
@pytest.mark.parametrize("temperature", [0.5, 0])
def test_temperature_leaves_logits_alone(apply_temperature, in_place, temperature):
    """The logits that are given stay as they are."""
    assert in_place(apply_temperature, np.float32([3, 1, -2]), temperature).tolist() == [3, 1, -2]


# -- top_k ------------------------------------------------------------------------------------


@checks("top_k", kind="unit", why="the recipe, checked with pencil and paper")
@pytest.mark.parametrize(("k", "wanted"), [(2, [LOW, 3, LOW, 3]), (1, [LOW, 3, LOW, LOW])])
def test_top_k_by_hand(top_k, k, wanted):
    """k = 2 of 1, 3, 2, 3 keeps the two 3s, k = 1 the first of them."""
    assert top_k([1.0, 3.0, 2.0, 3.0], k).tolist() == wanted


@checks("top_k", kind="boundary", why="a model often gives equal logits to tokens it never saw")
@pytest.mark.parametrize("k", [1, 2, 30, 299, 300])
def test_top_k_ties(top_k, k):
    """Exactly k are kept; of equal ones, those of smaller index."""
    logits = np.zeros(300, dtype=np.float32)

    assert np.flatnonzero(top_k(logits, k) == 0).tolist() == list(range(k))


@checks("top_k", kind="boundary", why="k is set once, and vocabularies differ")
@pytest.mark.parametrize("k", [3, 4, 1000])
def test_top_k_of_all(top_k, k):
    """A k as large as the number of logits, or larger, keeps all as they are."""
    assert top_k([-1.5, LOW, 2.0], k).tolist() == [-1.5, LOW, 2]


@checks("top_k", kind="boundary", why="logits below 0 are as good as any")
def test_top_k_of_negative_logits(top_k):
    """The largest are kept, not those farthest from 0."""
    assert top_k([-5.0, -1.0, -3.0, LOW, -2.0], 2).tolist() == [LOW, -1, LOW, LOW, -2]


@checks("top_k", kind="fault", why="nothing to choose from is no choice")
@pytest.mark.parametrize("k", [0, -1, -50])
def test_k_out_of_range(top_k, k):
    """A k below 1 is a ValueError whose message has k."""
    with pytest.raises(ValueError, match=rf"(?<![\d-]){k}\b"):
        top_k([0.0, 1.0], k)


@checks("top_k", kind="fault", why="a nan is a bug in the model and must not go unseen")
@pytest.mark.parametrize("k", [1, 3, 9])
@pytest.mark.parametrize("logits", [[1.0, math.nan, 3.0], [math.nan, LOW], [0.5, 1.0, math.nan]])
def test_top_k_of_nan(top_k, logits, k):
    """A nan among the logits is a ValueError that says so, whatever k is."""
    with pytest.raises(ValueError, match="nan"):
        top_k(logits, k)


@checks("top_k", kind="property", why="known logits can be learned by heart")
def test_top_k_of_any_logits(top_k, fresh):
    """For any logits, the k largest stay where and as they are, and the others are -inf."""
    logits = fresh.integers(-20, 20, 60).astype(np.float32)
    for k in fresh.integers(1, 60, 5).tolist():
        kept = sorted(range(60), key=lambda i: (-logits[i], i))[:k]

        assert top_k(logits, k).tolist() == [
            float(logit) if i in kept else LOW for i, logit in enumerate(logits)
        ]


@checks("top_k", kind="unit", why="float32 is what the sampler works in")
@pytest.mark.parametrize("k", [1, 9, np.int64(2)])
@pytest.mark.parametrize("form", [list, np.float32, np.float64])
def test_top_k_type(top_k, form, k):
    """A list, float32 or float64 gives a float32 array of the same shape."""
    assert kind(top_k(form([1.0, 2.0, 0.5]), k)) == ("float32", (3,))


@checks("top_k", kind="unit", why="the same logits may be cut otherwise")
def test_top_k_leaves_logits_alone(top_k, in_place):
    """The logits that are given stay as they are."""
    assert in_place(top_k, np.float32([3, 1, -2, 4]), 2).tolist() == [3, 1, -2, 4]


# -- top_p ------------------------------------------------------------------------------------


@checks("top_p", kind="unit", why="the recipe, checked with pencil and paper")
@pytest.mark.parametrize(
    ("p", "kept"), [(0.7, [1, 2]), (0.6, [2]), (0.63, [1, 2]), (0.87, [1, 2]), (0.88, [0, 1, 2])]
)
def test_top_p_by_hand(top_p, p, kept):
    """Weights 1, 2, 5: 5 reaches 0.625, 5 and 2 reach 0.875, and the token that reaches p stays."""
    assert np.flatnonzero(np.isfinite(top_p(LOGS, p))).tolist() == kept


@checks("top_p", kind="boundary", why="with nothing kept there is nothing to choose")
@pytest.mark.parametrize("p", [1e-12, 0.01, 0.5])
def test_top_p_at_least_one(top_p, p):
    """However small p is, the most likely token is kept; of equal ones, the first."""
    assert top_p([1.0, 9.0, 9.5, LOW], p).tolist() == [LOW, LOW, 9.5, LOW]
    assert top_p([1.0, 9.5, 1.0, 9.5], p / 2).tolist() == [LOW, 9.5, LOW, LOW]


@checks("top_p", kind="boundary", why="p or more is not more than p")
@pytest.mark.parametrize(("p", "count"), [(0.25, 1), (0.5, 2), (0.5001, 3), (0.75, 3), (0.7501, 4)])
def test_top_p_reached_exactly(top_p, p, count):
    """Of four equal logits, 0.5 keeps the first two: what reaches p exactly is enough."""
    assert top_p([0.0] * 4, p).tolist() == [0.0] * count + [LOW] * (4 - count)


@checks("top_p", kind="boundary", why="1 is how one turns it off")
@pytest.mark.parametrize("p", [1, 1.0])
def test_top_p_one(top_p, p):
    """p = 1 keeps all as they are, those too whose weight is next to nothing."""
    assert top_p([-90.0, 1.5, LOW, -200.0], p).tolist() == [-90, 1.5, LOW, -200]


@checks("top_p", kind="boundary", why="float32 loses the tail that p is about")
def test_top_p_adds_in_float64(top_p):
    """20,000 weights of 1.5e-8 beside a 1: they are added up, not lost."""
    logits = np.array([0.0] + [-18.0] * 20_000, dtype=np.float32)
    tiny = float(np.exp(np.float32(-18)))
    needed = math.ceil((0.9999 * (1 + 20_000 * tiny) - 1) / tiny) + 1

    assert int(np.isfinite(top_p(logits, 0.9999)).sum()) == needed


@checks("top_p", kind="boundary", why="an untrained or broken model has such logits")
@pytest.mark.parametrize("top", [1000.0, -1000.0])
def test_top_p_of_extreme_logits(top_p, top):
    """Huge and tiny logits are cut as their differences say."""
    assert top_p([top, top - 1.0, top - 9.0], 0.9).tolist() == [top, top - 1, LOW]


@checks("top_p", kind="fault", why="a p in percent is a slip that should be told")
@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0, r"\b0"), (-0.1, r"-0\.1"), (1.01, r"1\.01"), (90, r"\b90"), (math.nan, "nan")],
)
def test_p_out_of_range(top_p, p, text):
    """A p that isn't above 0 and at most 1 is a ValueError whose message has p."""
    with pytest.raises(ValueError, match=text):
        top_p([0.0, 1.0], p)


@checks("top_p", kind="fault", why="a nan is a bug in the model and must not go unseen")
@pytest.mark.parametrize("p", [0.5, 1])
@pytest.mark.parametrize("logits", [[0.0, math.nan], [LOW, LOW], [math.inf, 0.0]])
def test_top_p_of_no_weights(top_p, logits, p):
    """What softmax_weights refuses is refused at any p."""
    with pytest.raises(ValueError, match=r"nan|inf"):
        top_p(logits, p)


@checks("top_p", kind="property", why="known logits can be learned by heart")
def test_top_p_of_any_logits(top_p, fresh):
    """For any logits, the fewest that reach p stay where and as they are; one fewer would not."""
    logits = fresh.uniform(-4, 4, 40).astype(np.float32)
    shares = np.exp(logits.astype(np.float64))
    shares /= shares.sum()
    order = sorted(range(40), key=lambda i: -logits[i])
    for count in fresh.integers(1, 40, 5).tolist():
        p = float(shares[order[:count]].sum() - shares[order[count - 1]] / 2)
        kept = order[:count]

        assert top_p(logits, p).tolist() == [
            float(logit) if i in kept else LOW for i, logit in enumerate(logits)
        ]


@checks("top_p", kind="unit", why="float32 is what the sampler works in")
@pytest.mark.parametrize("p", [0.5, 1])
@pytest.mark.parametrize("form", [list, np.float32, np.float64])
def test_top_p_type(top_p, form, p):
    """A list, float32 or float64 gives a float32 array of the same shape."""
    assert kind(top_p(form([1.0, 2.0, 0.5]), p)) == ("float32", (3,))


@checks("top_p", kind="unit", why="the same logits may be cut otherwise")
def test_top_p_leaves_logits_alone(top_p, in_place):
    """The logits that are given stay as they are."""
    assert in_place(top_p, np.float32([3, 1, -2, 4]), 0.5).tolist() == [3, 1, -2, 4]


# -- sample_softmax_fast ----------------------------------------------------------------------


@checks("sample_softmax_fast", kind="unit", why="the recipe, checked with pencil and paper")
@pytest.mark.parametrize(("coin", "index"), [(0.0, 0), (0.1, 0), (0.25, 1), (0.5, 2), (0.99, 2)])
def test_fast_by_hand(sample_softmax_fast, coin, index):
    """Weights 1, 2, 5: coins up to 1/8 choose 0, up to 3/8 choose 1, and the others 2."""
    assert sample_softmax_fast(LOGS, 3, coin) == index


@checks("sample_softmax_fast", kind="golden", why="C and Python have to choose the same token")
def test_fast_small_choices_of_c(sample_softmax_fast, golden):
    """Among a few logits, the index is the one that a C program chooses."""
    for case in golden["small"].values():
        logits = floats(case["logits"])
        for coin, index in zip(case["coins"], case["indices"], strict=True):
            assert named(sample_softmax_fast(logits, len(logits), np.float32(coin))) == (
                "int", index,
            )


@checks("sample_softmax_fast", kind="golden", why="C and Python have to choose the same token")
def test_fast_choices_of_c_among_50257(sample_softmax_fast, golden):
    """Among as many logits as GPT-2 has, the index is the one that a C program chooses."""
    logits = np.random.RandomState(11).standard_normal(50257).astype(np.float32)
    large = golden["large"]
    for coin, index in list(zip(large["coins"], large["indices"], strict=True))[:40]:
        assert sample_softmax_fast(logits, 50257, np.float32(coin)) == index


@checks("sample_softmax_fast", kind="boundary", why="the very same index means the very same sum")
def test_order_of_the_total(sample_softmax_fast, golden):
    """The total is that of adding one weight after the other, to the last bit where it matters."""
    order = golden["order"]
    logits = np.random.RandomState(order["seed"]).standard_normal(order["n"]).astype(np.float32)
    logits[1::2] = order["every_other"]
    weights = np.exp(logits)
    scaled = np.float32(order["coin"] * float(np.cumsum(weights, dtype=np.float64)[-1]))
    wanted = int(np.searchsorted(np.cumsum(weights), scaled, side="right"))

    assert sample_softmax_fast(logits, order["n"], np.float32(order["coin"])) == wanted


@checks("sample_softmax_fast", kind="boundary", why="code that works in pieces has seams")
@pytest.mark.parametrize("n", [1 << 13, 1 << 14, 1 << 15])
def test_fast_borders(sample_softmax_fast, n):
    """Of n equal logits, coin k/n chooses k, and the coin just below it k - 1."""
    logits = np.zeros(n, dtype=np.float32)
    for k in (1, n // 4 - 1, n // 4, n // 4 + 1, n // 2, n // 2 + 1, n - 1):
        assert sample_softmax_fast(logits, n, np.float32(k / n)) == k
        assert sample_softmax_fast(logits, n, np.float32(k / n - 2.0**-24)) == k - 1


@checks("sample_softmax_fast", kind="boundary", why="top-k leaves gaps of thousands of tokens")
@pytest.mark.parametrize("gap", [1, 8000, 8192, 9000])
def test_fast_gap(sample_softmax_fast, gap):
    """A coin on the border before a gap of impossible tokens chooses the first one behind it."""
    logits = np.zeros(2 * 8192 + gap, dtype=np.float32)
    logits[8192 : 8192 + gap] = LOW

    assert sample_softmax_fast(logits, len(logits), np.float32(0.5)) == 8192 + gap


@checks("sample_softmax_fast", kind="boundary", why="none or n in its place is no token")
@pytest.mark.parametrize("n", [1001, 8192, 8193, 16385])
def test_fast_last_index(sample_softmax_fast, n):
    """Where no running sum exceeds the scaled coin, the last index it is, even of -inf."""
    logits = np.full(n, LOW, dtype=np.float32)
    logits[:1001] = [0.0] + [-18.0] * 1000

    assert named(sample_softmax_fast(logits, n, np.float32(LARGEST_COIN))) == ("int", n - 1)


@checks("sample_softmax_fast", kind="boundary", why="an index beyond the vocabulary has no text")
@pytest.mark.parametrize("padding", [0.0, 50.0, math.nan])
def test_fast_padding(sample_softmax_fast, padding):
    """Only the first n logits count, for the total, for the walk and for the last index."""
    logits = np.array([0.0, 0.0, padding, padding], dtype=np.float32)

    assert sample_softmax_fast(logits, 2, np.float32(LARGEST_COIN)) == 1
    assert sample_softmax_fast(logits, 1, np.float32(LARGEST_COIN)) == 0


@checks("sample_softmax_fast", kind="boundary", why="a coin is 0 once in 16 million draws")
def test_fast_coin_zero(sample_softmax_fast):
    """A coin of 0 chooses the first token that isn't impossible."""
    assert sample_softmax_fast([LOW, LOW, -3.0, 9.0], 4, np.float32(0)) == 2
    assert sample_softmax_fast([LOW] * 9000 + [0.0], 9001, np.float32(0)) == 9000


@checks("sample_softmax_fast", kind="property", why="known logits can be learned by heart")
def test_fast_middle_of_each_stretch(sample_softmax_fast, fresh):
    """For any logits, huge ones too, a coin in the middle of a token's stretch chooses it."""
    for n, top in ((3, 0.0), (30, 500.0), (300, -500.0)):
        logits = (top + fresh.uniform(-4, 4, n)).astype(np.float32)
        for index, coin in in_the_middle(logits):
            assert sample_softmax_fast(logits, n, coin) == index


@checks("sample_softmax_fast", kind="fault", why="a nan is a bug in the model")
@pytest.mark.parametrize(
    ("logits", "n"), [([0.0, 1.0], 0), ([0.0, 1.0], 3), ([0.0, math.nan], 2), ([LOW, LOW], 2)]
)
def test_fast_refuses(sample_softmax_fast, logits, n):
    """n out of range, a nan, or nothing but -inf is a ValueError."""
    with pytest.raises(ValueError, match=rf"\b{n}\b|nan|inf"):
        sample_softmax_fast(logits, n, np.float32(0.5))
