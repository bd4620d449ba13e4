"""Hidden tests of ch12_capstone: baselines, a model, its gradients, and what it is measured by.

What is wanted is worked out on paper or computed here in float64 by formulas of this file's own;
gradients are compared with differences of its loss. Models have a few numbers, so that tests are
quick. Files lie where the learner's code runs: ``folder`` is a path of that process.
"""

import functools
import gzip
import hashlib
import json
import lzma
import math
import struct

import numpy as np
import pyarrow as pa
import pytest

from autograder.hidden import checks

NAMES = ["embed", "hidden", "hidden_bias", "out", "out_bias"]
CONTEXTS = np.array([[0, 1], [1, 1], [4, 0], [2, 1]])
TARGETS = np.array([1, 0, 4, 1])
NUMBERS = [[1], [2]], [[3], [-1]], [-1], [[2, 4]], [0, 1]
BY_HAND = {name: np.array(each, dtype=float) for name, each in zip(NAMES, NUMBERS, strict=True)}
COMPRESS = {
    "gzip": functools.partial(gzip.compress, compresslevel=9, mtime=0),
    "xz": functools.partial(lzma.compress, preset=6),
    "zstd": pa.Codec("zstd", 19).compress,
}


def model(rng, dtype=np.float64, V=5, K=2, D=3, H=4):
    """Any small model."""
    shapes = (V, D), (K * D, H), (H,), (H, V), (V,)
    return {name: rng.normal(size=shape).astype(dtype)
            for name, shape in zip(NAMES, shapes, strict=True)}


def layers(params, context_ids):
    """Hidden layer and logits, in float64."""
    wide = {name: array.astype(np.float64) for name, array in params.items()}
    e = np.array([np.concatenate([wide["embed"][token] for token in row]) for row in context_ids])
    h = np.tanh(e @ wide["hidden"] + wide["hidden_bias"])
    return h, h @ wide["out"] + wide["out_bias"]


def losses_of(params, context_ids, targets):
    """The loss of each target."""
    z = layers(params, context_ids)[1]
    z = z - z.max(axis=1, keepdims=True)
    return np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(targets)), targets]


def slopes(params, context_ids, targets, name):
    """The gradient of one array, by differences."""
    found = np.zeros_like(params[name])
    for place in np.ndindex(found.shape):
        sides = []
        for step in (1e-5, -1e-5):
            moved = params[name].copy()
            moved[place] += step
            sides.append(losses_of(params | {name: moved}, context_ids, targets).mean())
        found[place] = (sides[0] - sides[1]) / 2e-5
    return found


def gradients(params, context_ids, targets):
    return {name: slopes(params, context_ids, targets, name) for name in params}


def adam(params, grads, means, squares, step, rate):
    """One step, by the formulas."""
    means = {name: 0.9 * means[name] + 0.1 * grads[name] for name in params}
    squares = {name: 0.99 * squares[name] + 0.01 * grads[name] ** 2 for name in params}
    params = {
        name: params[name] - rate * means[name] / (1 - 0.9**step)
        / (np.sqrt(squares[name] / (1 - 0.99**step)) + 1e-8)
        for name in params
    }
    return params, means, squares


def zeros(params):
    return {name: 0 * array for name, array in params.items()}


def rounded(array, digits=5):
    """Numbers to compare, without the sign of a zero."""
    return (np.round(np.asarray(array, dtype=np.float64), digits) + 0.0).tolist()


def close(got, wanted, tolerance=1e-9):
    """The largest difference, if the shapes agree; to be compared with a bound."""
    assert np.shape(got) == np.shape(wanted)
    return bool(np.allclose(got, wanted, rtol=tolerance, atol=tolerance))


def coins(seed, n):
    """Coins of xorshift*."""
    x, found = seed, []
    for _ in range(n):
        x ^= x >> 12
        x ^= x << 25 & 2**64 - 1
        x ^= x >> 27
        found.append(((x * 0x2545F4914F6CDD1D & 2**64 - 1) >> 40) / 2**24)
    return found


def words_of(seed):
    """``words_of(seed)(n)``: the next n words of the Mersenne Twister."""
    bits = np.random.RandomState(seed)._bit_generator  # a legacy seed, as PyTorch seeds
    return bits.random_raw


def normals(draw, n, std):
    """n >= 16 normal numbers as PyTorch makes them, in float64."""
    def uniform(count):
        return (draw(count) & 0xFFFFFF) / 2**24

    def pairs(block):
        radius, angle = np.sqrt(-2 * np.log(1 - block[:8] + 1e-12)), 2 * np.pi * block[8:]
        block[:8], block[8:] = std * radius * np.cos(angle), std * radius * np.sin(angle)

    data = uniform(n)
    for start in range(0, n - 15, 16):
        pairs(data[start : start + 16])
    if n % 16:
        data[-16:] = uniform(16)
        pairs(data[-16:])
    return data


def token_bytes(ids):
    """A file of tokens, version 1."""
    head = struct.pack("<4i1008x", 20240520, 1, len(ids), 512)
    return head + np.array(ids, dtype="<u2").tobytes()


# -- bits_per_byte ----------------------------------------------------------------------------


@checks("bits_per_byte", kind="unit", why="every number of the report is made by it")
def test_bits_by_hand(bits_per_byte):
    """ln 8 nats a token are 3 bits, and with 2 bytes a token 1.5 bits a byte."""
    assert round(bits_per_byte(math.log(8), 2.0), 12) == 1.5


@checks("bits_per_byte", kind="property", why="tokenizers differ in both numbers")
def test_bits_by_formula(bits_per_byte, fresh):
    """Nats over ln 2, over bytes a token; below one byte a token, too."""
    for nats, size in [[1.0, 0.5], *fresh.uniform(0.1, 9, (5, 2)).tolist()]:
        assert round(bits_per_byte(nats, size), 9) == round(nats / math.log(2) / size, 9)


@checks("bits_per_byte", kind="fault", why="an empty split has no bytes a token")
@pytest.mark.parametrize("size", [0.0, -2.5, math.nan])
def test_bits_of_nothing(bits_per_byte, size):
    """Bytes a token that are not above 0 are a ValueError that has the number."""
    with pytest.raises(ValueError, match=str(size)):
        bits_per_byte(1.0, size)


# -- unigram_logprobs -------------------------------------------------------------------------


@checks("unigram_logprobs", kind="unit", why="without the one more, a new token costs infinity")
def test_unigram_by_hand(unigram_logprobs):
    """0, 0, 1 and three ids have 3/6, 2/6, 1/6; the result is float64."""
    got = unigram_logprobs(np.array([0, 0, 1], dtype=np.uint16), 3)

    assert (got.dtype.name, got.shape) == ("float64", (3,))
    assert rounded(np.exp(got)) == rounded([3 / 6, 2 / 6, 1 / 6])


@checks("unigram_logprobs", kind="boundary", why="a list is as good as an array")
def test_unigram_of_a_list(unigram_logprobs):
    """Lists will do, and without any ids all are equally likely."""
    assert rounded(unigram_logprobs([], 4)) == rounded([-math.log(4)] * 4)
    assert rounded(np.exp(unigram_logprobs([3, 3], 4))) == rounded([1 / 6, 1 / 6, 1 / 6, 3 / 6])


# -- bigram_logprobs --------------------------------------------------------------------------


@checks("bigram_logprobs", kind="unit", why="rows are what came before, columns what came after")
def test_bigram_rows(bigram_logprobs):
    """For 0, 0, 1 and a strength of 3, the rows are those of the text."""
    got = bigram_logprobs([0, 0, 1], 3, 3.0)

    assert (got.dtype.name, got.shape) == ("float64", (3, 3))
    assert rounded(np.exp(got)) == rounded([[0.5, 0.4, 0.1], *[[1.5 / 3, 1 / 3, 0.5 / 3]] * 2])


@checks("bigram_logprobs", kind="property", why="the pairs that come often are what is learned")
@pytest.mark.parametrize("strength", [1, 0.25, 20.0])
def test_bigram_counts(bigram_logprobs, fresh, strength):
    """Each pair counts as often as it comes, at any strength."""
    ids = fresh.integers(0, 4, 40).astype(np.uint16)
    single, pairs = np.ones(5), np.zeros((5, 5))
    for token in ids.tolist():
        single[token] += 1
    for a, b in zip(ids.tolist(), ids[1:].tolist(), strict=False):
        pairs[a, b] += 1
    wanted = pairs + strength * single / single.sum()
    wanted /= pairs.sum(axis=1, keepdims=True) + strength

    assert rounded(np.exp(bigram_logprobs(ids, 5, strength))) == rounded(wanted)


@checks("bigram_logprobs", kind="boundary", why="a corpus may be nearly empty")
@pytest.mark.parametrize(("ids", "wanted"), [([], [0.5, 0.5]), ([1], [1 / 3, 2 / 3])])
def test_bigram_without_pairs(bigram_logprobs, ids, wanted):
    """Without any pair all rows are the unigram's."""
    assert rounded(np.exp(bigram_logprobs(ids, 2, 1.0))) == rounded([wanted] * 2)


@checks("bigram_logprobs", kind="fault", why="a row without counts would be divided by zero")
@pytest.mark.parametrize("strength", [0, -1.5, math.nan])
def test_bigram_strength(bigram_logprobs, strength):
    """A strength that is not above 0 is a ValueError that has it."""
    with pytest.raises(ValueError, match=str(strength)):
        bigram_logprobs([0, 1], 2, strength)


# -- compressed_bits --------------------------------------------------------------------------


@checks("compressed_bits", kind="unit", why="the baselines have to have seen train, too")
@pytest.mark.parametrize("name", ["gzip", "xz", "zstd"])
def test_compressed_bits(compressed_bits, name):
    """What is added to the compressed size, in bits, over the bytes of data."""
    compress = COMPRESS[name]
    before, data = b"she sells sea shells on the sea shore " * 5, b"the shells she sells are sea s"
    added = len(compress(before + data)) - len(compress(before))

    assert round(compressed_bits(name, before, data), 9) == round(8 * added / len(data), 9)


@checks("compressed_bits", kind="fault", why="an empty split cannot be compared")
def test_compressed_nothing(compressed_bits):
    """No data are a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        compressed_bits("gzip", b"abc", b"")


# -- contexts ---------------------------------------------------------------------------------


@checks("contexts", kind="unit", why="a context that sees its target makes every loss a lie")
def test_contexts_by_hand(contexts):
    """Oldest first, the token itself last, padding in front, and rows apart."""
    got = contexts(np.array([[5, 6, 7], [1, 2, 3]], dtype=np.uint16), 2, 9)

    assert (got.dtype.name, got.shape) == ("int64", (6, 2))
    assert got.tolist() == [[9, 5], [5, 6], [6, 7], [9, 1], [1, 2], [2, 3]]


@checks("contexts", kind="boundary", why="prompts are often shorter than a context")
@pytest.mark.parametrize(
    ("context", "wanted"),
    [(1, [[5], [6]]), (2, [[0, 5], [5, 6]]), (4, [[0, 0, 0, 5], [0, 0, 5, 6]])],
)
def test_contexts_of_any_length(contexts, context, wanted):
    """A context of one is the token alone; one longer than the row has more padding."""
    assert contexts([[5, 6]], context, 0).tolist() == wanted


@checks("contexts", kind="boundary", why="ids come in all widths, and index rows afterwards")
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int32", "uint64"])
def test_contexts_of_any_width(contexts, dtype):
    """Whatever integers come in, int64 goes out."""
    assert contexts(np.array([[5]], dtype=dtype), 2, 0).dtype.name == "int64"


@checks("contexts", kind="boundary", why="the separator may be 65535 or more")
def test_contexts_do_not_wrap(contexts):
    """Padding that uint16 cannot hold stays what it is."""
    assert contexts(np.array([[65535]], dtype=np.uint16), 2, 70000).tolist() == [[70000, 65535]]


# -- init_params ------------------------------------------------------------------------------


@checks("init_params", kind="unit", why="later code reaches the arrays by name and shape")
def test_init_shapes(init_params):
    """Five float32 arrays in the order of the table; biases are 0."""
    got = init_params(10, 3, 4, 6, 1)

    assert list(got) == NAMES
    assert [array.shape for array in got.values()] == [(10, 4), (12, 6), (6,), (6, 10), (10,)]
    assert {array.dtype.name for array in got.values()} == {"float32"}
    assert not got["hidden_bias"].any()
    assert not got["out_bias"].any()


@checks("init_params", kind="conformance", why="the same seed has to give PyTorch's weights")
@pytest.mark.parametrize(("sizes", "seed"), [((8, 2, 4, 6), 42), ((7, 3, 5, 3), 137)])
def test_init_numbers(init_params, sizes, seed):
    """One generator gives embed, hidden and out, in this order, with their deviations."""
    V, K, D, H = sizes
    got, draw = init_params(*sizes, seed), words_of(seed)

    for name, shape, std in (
        ("embed", (V, D), 1.0), ("hidden", (K * D, H), (K * D) ** -0.5), ("out", (H, V), 0.01),
    ):
        wanted = normals(draw, shape[0] * shape[1], std).reshape(shape)
        assert close(got[name] / std, wanted / std, 1e-4) is True


# -- forward ----------------------------------------------------------------------------------


@checks("forward", kind="unit", why="two layers, checked with pencil and paper")
def test_forward_by_hand(forward):
    """The context 0, 1 has h = 0 and the logits 0, 1; the context 1, 0 has others."""
    hidden, logits = forward(BY_HAND, np.array([[0, 1], [1, 0]]))

    assert rounded(hidden) == rounded([[0], [math.tanh(4)]])
    assert rounded(logits) == rounded([[0, 1], [2 * math.tanh(4), 4 * math.tanh(4) + 1]])


@checks("forward", kind="property", why="float32 is twice as fast as float64")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_forward_by_formula(forward, fresh, dtype):
    """Shapes (N, H) and (N, V), the dtype of the weights, and the numbers of the formula."""
    params = model(fresh, dtype)
    got = forward(params, CONTEXTS)

    assert [array.dtype.name for array in got] == [dtype] * 2
    for array, wanted in zip(got, layers(params, CONTEXTS), strict=True):
        assert close(array, wanted, 1e-4) is True


# -- loss_and_grads ---------------------------------------------------------------------------


@checks("loss_and_grads", kind="unit", why="one weight after the other, on paper")
def test_gradients_by_hand(loss_and_grads):
    """Context 0, 1 and target 1: loss 0.3133, embed -1.6136 and 0.5379."""
    loss, grads = loss_and_grads(BY_HAND, np.array([[0, 1]]), np.array([1]))

    assert (type(loss).__name__, round(loss, 4)) == ("float", 0.3133)
    assert list(grads) == NAMES
    assert rounded(grads["embed"], 4) == [[-1.6136], [0.5379]]
    assert rounded(grads["out"], 4) == [[0.0, 0.0]]


@checks("loss_and_grads", kind="property", why="a wrong gradient still makes the loss go down")
def test_gradients(loss_and_grads, fresh):
    """Each number of each gradient is the slope of the loss, tokens that come twice included."""
    params = model(fresh)
    loss, grads = loss_and_grads(params, CONTEXTS, TARGETS)

    assert round(loss, 9) == round(losses_of(params, CONTEXTS, TARGETS).mean(), 9)
    for name, wanted in gradients(params, CONTEXTS, TARGETS).items():
        assert close(grads[name], wanted, 1e-6) is True


@checks("loss_and_grads", kind="boundary", why="a model that is sure has logits in the hundreds")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_logits(loss_and_grads, fresh, dtype):
    """Logits of a thousand give finite numbers, of the dtype of the weights."""
    params = model(fresh, dtype)
    params["out_bias"] = np.array([1e3, 0, 0, 0, 2e3], dtype=dtype)
    loss, grads = loss_and_grads(params, CONTEXTS, TARGETS)

    assert round(loss / losses_of(params, CONTEXTS, TARGETS).mean(), 4) == 1
    assert {array.dtype.name for array in grads.values()} == {dtype}
    assert all(np.isfinite(array).all() for array in grads.values())


@checks("loss_and_grads", kind="conformance", why="train goes on with the weights that it passed")
def test_gradients_change_nothing(loss_and_grads, repeat, fresh):
    """A second call with the same weights gives the same."""
    first, second = repeat(loss_and_grads, 2, model(fresh), CONTEXTS, TARGETS)

    assert first[0] == second[0]
    assert [rounded(array) for array in first[1].values()] == [
        rounded(array) for array in second[1].values()
    ]


# -- adam_step --------------------------------------------------------------------------------


@checks("adam_step", kind="unit", why="a first step is as long as the rate")
def test_adam_by_hand(adam_step):
    """Weight 1, gradient 2, means of 0, rate 0.1: weight 0.9, mean 0.2, square 0.04."""
    one, two, none = ({"w": np.array([x])} for x in (1.0, 2.0, 0.0))
    got = adam_step(one, two, none, none, 1, 0.1)

    assert [rounded(part["w"], 7) for part in got] == [[0.9], [0.2], [0.04]]


@checks("adam_step", kind="property", why="the means carry what earlier steps saw")
def test_adam_three_steps(adam_step, fresh):
    """Three steps by the formulas, with large gradients and tiny ones."""
    params = {"a": fresh.normal(size=(2, 3)), "b": fresh.normal(size=2)}
    state = wanted = params, zeros(params), zeros(params)
    for step in (1, 2, 3):
        grads = {"a": fresh.normal(size=(2, 3)) * 10, "b": fresh.normal(size=2) * 1e-8}
        state = adam_step(state[0], grads, *state[1:], step, 0.05)
        wanted = adam(wanted[0], grads, *wanted[1:], step, 0.05)
        for got, right in zip(state, wanted, strict=True):
            assert list(got) == ["a", "b"]
            assert close(got["a"], right["a"]) is True
            assert close(got["b"] * 1e9, right["b"] * 1e9, 1e-7) is True


@checks("adam_step", kind="conformance", why="float64 means would double the memory")
def test_adam_keeps_the_dtype(adam_step, repeat):
    """float32 stays float32; two calls with the same dicts give the same, so nothing changed."""
    dicts = [{"w": np.array([x], dtype=np.float32)} for x in (1.0, 2.0, 0.5, 0.25)]
    first, second = repeat(adam_step, 2, *dicts, 2, 0.1)

    assert [part["w"].dtype.name for part in first] == ["float32"] * 3
    assert [part["w"].tolist() for part in second] == [part["w"].tolist() for part in first]


# -- train ------------------------------------------------------------------------------------

BATCHES = [
    (np.array([[0, 1], [2, 3]]), np.array([[1, 2], [3, 4]])),
    (np.array([[4, 0], [0, 0]]), np.array([[0, 0], [0, 1]])),
    (np.array([[1, 1], [3, 0]]), np.array([[1, 2], [0, 1]])),
]
ROWS = [
    [[4, 0], [0, 1], [4, 2], [2, 3]], [[4, 4], [4, 0], [4, 0], [0, 0]],
    [[4, 1], [1, 1], [4, 3], [3, 0]],
]


@checks("train", kind="property", why="the rate decides how good the end is")
def test_train_by_formula(train, fresh):
    """Adam with a rate that falls in a straight line; each loss is from before its step."""
    params = wanted = model(fresh)
    means = squares = zeros(params)
    right = []
    for step, (rows, (_, targets)) in enumerate(zip(ROWS, BATCHES, strict=True)):
        flat = targets.reshape(-1)
        right.append(losses_of(wanted, rows, flat).mean())
        grads = gradients(wanted, rows, flat)
        wanted, means, squares = adam(
            wanted, grads, means, squares, step + 1, 0.01 * (1 - step / 3)
        )
    got, losses = train(params, BATCHES, 3, 0.01)

    assert rounded(losses, 4) == rounded(right, 4)
    assert list(got) == NAMES
    assert max(float(np.abs(got[name] - wanted[name]).mean()) for name in NAMES) < 1e-4


@checks("train", kind="boundary", why="a loader is resumed where training has stopped")
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_train_takes_no_more(train, given, fresh, steps):
    """Exactly so many batches are taken, and so many losses given."""
    islice = given.get("islice")
    taken = getattr(islice, "function", islice)(BATCHES, None)
    _, losses = train(model(fresh), taken, steps, 0.01)

    assert len(losses) == steps
    assert len(list(taken)) == 3 - steps


# -- evaluate ---------------------------------------------------------------------------------


@checks("evaluate", kind="unit", why="a model that knows nothing should say so")
def test_evaluate_by_hand(evaluate, fresh):
    """With nothing in out and out_bias, three ids of four have the mean ln 4."""
    params = model(fresh, V=4)
    params |= {"out": np.zeros((4, 4)), "out_bias": np.zeros(4)}
    got = evaluate(params, [3, 0, 1])

    assert (type(got).__name__, round(got, 9)) == ("float", round(math.log(4), 9))


@checks("evaluate", kind="property", why="the number must not depend on how it was cut")
@pytest.mark.parametrize("piece", [1, 2, 3, 5, 1024])
def test_evaluate_pieces(evaluate, fresh, piece):
    """In whatever pieces, each id but the first counts once, after its real context."""
    params, ids = model(fresh), np.array([4, 0, 1, 1, 3, 2], dtype=np.uint16)
    rows = [[4, 4], [4, 0], [0, 1], [1, 1], [1, 3]]
    wanted = losses_of(params, rows, ids[1:].astype(int)).mean()

    assert round(evaluate(params, ids, piece), 9) == round(wanted, 9)


@checks("evaluate", kind="boundary", why="large logits are no reason for nan")
def test_evaluate_large_logits(evaluate, fresh):
    """Logits of a thousand have a finite loss; two ids are enough."""
    params = model(fresh) | {"out_bias": np.array([0, 1e3, 0, 0, 0.0])}

    assert round(evaluate(params, [1, 0]) / 1e3, 1) == 1.0


@checks("evaluate", kind="fault", why="the mean of nothing is nan, and nan is not noticed")
@pytest.mark.parametrize("ids", [[], [3]])
def test_evaluate_too_few(evaluate, fresh, ids):
    """Fewer than two ids are a ValueError that has their number."""
    with pytest.raises(ValueError, match=rf"\b{len(ids)}\b"):
        evaluate(model(fresh), ids)


# -- generate ---------------------------------------------------------------------------------


def biased(rng, bias):
    """A model that always gives the same logits, of any context of two."""
    params = model(rng, V=len(bias))
    return params | {"out": np.zeros((4, len(bias))), "out_bias": np.array(bias, dtype=float)}


def plain(ids):
    return [type(each).__name__ for each in ids], list(ids)


@checks("generate", kind="unit", why="the separator ends a text and is no part of it")
def test_generate_by_hand(generate, fresh):
    """Temperature 0 takes the likeliest: 1, 1, 1; where that is the separator, nothing."""
    got = generate(biased(fresh, [0, 5, 1]), [], 3, 1, 0)

    assert plain(got) == (["int"] * 3, [1, 1, 1])
    assert list(generate(biased(fresh, [0, 1, 5]), [0], 3, 1, 0)) == []
    assert list(generate(biased(fresh, [0, 5, 1]), [0, 0], 0, 1, 0)) == []


@checks("generate", kind="property", why="what was chosen is part of the next context")
@pytest.mark.parametrize("prompt", [[], [2], [2, 3], [0, 1, 2, 3]])
def test_generate_contexts(generate, prompt):
    """Prompt and chosen ids make the contexts, with separators in front."""
    params = dict(zip(NAMES, (np.eye(6), 3 * np.eye(12), np.zeros(12), np.zeros((12, 6)),
                              np.array([0, 0, 0, 0, 0, -99.0])), strict=True))
    for token in range(6):  # the newest token and, a little more, the one before it decide
        params["out"][6 + token, (token + 1) % 5] += 2.0
        params["out"][token, (3 * token + 1) % 5] += 2.5
    ids = [5, 5, *prompt]
    for _ in range(5):
        ids.append(int(np.argmax(layers(params, [ids[-2:]])[1][0])))

    assert list(generate(params, prompt, 5, 1, 0)) == ids[-5:]


@checks("generate", kind="property", why="the same seed tells the same story")
@pytest.mark.parametrize(("k", "seed"), [(4, 3), (2, 3), (3, 1337)])
def test_generate_coins(generate, fresh, k, seed):
    """Among k equal logits, coin c of the seed chooses the id floor(k c), one coin an id."""
    params = biased(fresh, [0, 0, 0, 0, -99, -99])

    assert list(generate(params, [1], 12, seed, 1.0, k)) == [int(k * c) for c in coins(seed, 12)]


@checks("generate", kind="unit", why="half the temperature squares the odds")
def test_generate_temperature(generate, fresh):
    """Odds of 3 to 1 are 9 to 1 at temperature 0.5; the default is 0.8."""
    params = biased(fresh, [0, math.log(3), -99, -99])
    half, usual = 1 / 10, 1 / (1 + 3 ** (1 / 0.8))

    assert list(generate(params, [], 40, 3, 0.5)) == [int(c >= half) for c in coins(3, 40)]
    assert list(generate(params, [], 40, 3)) == [int(c >= usual) for c in coins(3, 40)]


@checks("generate", kind="boundary", why="a text may end at any token")
def test_generate_ends(generate, fresh):
    """At the first separator the text ends, and forty ids at most are chosen from by default."""
    params = biased(fresh, [0.0, 0.0, 0.0])
    drawn = [int(3 * c) for c in coins(11, 30)]
    many = biased(fresh, [0.0] * 50)

    assert list(generate(params, [], 30, 11, 1.0)) == drawn[: drawn.index(2)]
    assert list(generate(many, [], 20, 5, 1.0)) == [int(40 * c) for c in coins(5, 20)]


# -- SealedSplit ------------------------------------------------------------------------------


@checks("SealedSplit", kind="unit", why="a second look at test makes it a second val")
def test_sealed_once(SealedSplit, folder):
    """The first open gives the ids and writes its reason; any later one raises, with both names."""
    path, record = folder.joinpath("a.bin"), folder.joinpath("opened.txt")
    path.write_bytes(token_bytes([5, 0, 511]))
    split = SealedSplit(path, record)

    assert split.open("für später").tolist() == [5, 0, 511]
    assert record.read_bytes() == "für später".encode()
    for again in (split, SealedSplit(path, record)):
        with pytest.raises(RuntimeError, match=r"opened\.txt"):
            again.open("more")
        with pytest.raises(RuntimeError, match="für später"):
            again.open("more")
    assert record.read_bytes() == "für später".encode()


@checks("SealedSplit", kind="fault", why="a wrong path must not cost the one look there is")
@pytest.mark.parametrize("data", [None, b"no tokens"])
def test_sealed_after_a_fault(SealedSplit, folder, data):
    """Where the file cannot be read nothing is spent, and the next open gives the ids."""
    path, record = folder.joinpath("a.bin"), folder.joinpath("opened.txt")
    if data is not None:
        path.write_bytes(data)
    split = SealedSplit(path, record)
    with pytest.raises((OSError, ValueError)):
        split.open("first")

    assert record.exists() is False
    path.write_bytes(token_bytes([7]))
    assert split.open("second").tolist() == [7]
    assert record.read_bytes() == b"second"


@checks("SealedSplit", kind="fault", why="test was seen, and deleting its file does not undo it")
@pytest.mark.parametrize("data", [None, b"no tokens"])
def test_sealed_and_damaged(SealedSplit, folder, data):
    """Where there is a record, open raises its RuntimeError even if the file cannot be read."""
    path, record = folder.joinpath("a.bin"), folder.joinpath("opened.txt")
    if data is not None:
        path.write_bytes(data)
    record.write_bytes(b"earlier")
    with pytest.raises(RuntimeError, match=r"earlier"):
        SealedSplit(path, record).open("more")

    assert record.read_bytes() == b"earlier"


@checks("SealedSplit", kind="fault", why="between asking and writing, another process may open")
def test_sealed_without_a_gap(SealedSplit, folder):
    """A record that exists() does not see, a link to a file that is not there, holds all the same:
    RuntimeError or OSError, and nothing is written."""
    path, record = folder.joinpath("a.bin"), folder.joinpath("opened.txt")
    path.write_bytes(token_bytes([5, 0, 511]))
    record.symlink_to("nowhere.txt")
    with pytest.raises((RuntimeError, OSError)):
        SealedSplit(path, record).open("first")

    assert folder.joinpath("nowhere.txt").exists() is False


# -- datasheet --------------------------------------------------------------------------------

TOKENIZER = b'{"version": 1, "vocab_size": 300}'


def digest(data):
    return hashlib.sha256(data).hexdigest()


@checks("datasheet", kind="unit", why="whoever finds the files has nothing else to go by")
def test_datasheet_by_hand(datasheet):
    """All entries in the order of the table, and hashes of what the text says."""
    got = datasheet(
        "Two words", {"b.txt": b"Hi\nok\n", "a.txt": b""},
        {"train": ["é", "ok"], "val": ["Hi!"]}, {"train": [[1], [2, 3]], "val": [[4, 5]]},
        TOKENIZER,
    )
    wanted = {
        "format": "llmdata-datasheet", "version": 1, "title": "Two words",
        "sources": [
            {"name": "b.txt", "bytes": 6, "sha256": digest(b"Hi\nok\n")},
            {"name": "a.txt", "bytes": 0, "sha256": digest(b"")},
        ],
        "splits": [
            {"name": "train", "documents": 2, "bytes": 4, "tokens": 3, "bytes_per_token": 4 / 3,
             "sha256": digest("é<|endoftext|>ok".encode())},
            {"name": "val", "documents": 1, "bytes": 3, "tokens": 2, "bytes_per_token": 1.5,
             "sha256": digest(b"Hi!")},
        ],
        "tokenizer": {"vocab_size": 300, "sha256": digest(TOKENIZER)},
    }

    assert json.dumps(got) == json.dumps(wanted)


@checks("datasheet", kind="boundary", why="a small corpus may have no val at all")
def test_datasheet_of_an_empty_split(datasheet):
    """A split without ids has None for bytes a token."""
    got = datasheet("Nothing", {}, {"val": []}, {"val": []}, TOKENIZER)

    assert got["sources"] == []
    assert got["splits"] == [
        {"name": "val", "documents": 0, "bytes": 0, "tokens": 0, "bytes_per_token": None,
         "sha256": digest(b"")}
    ]


@checks("datasheet", kind="fault", why="counts of one split beside the texts of another")
@pytest.mark.parametrize("names", [["train"], ["train", "test"], ["train", "val", "test"]])
def test_datasheet_names(datasheet, names):
    """Names of splits and of their ids that differ are a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        datasheet(
            "T", {}, {"train": [], "val": []}, {name: [] for name in names}, TOKENIZER
        )
