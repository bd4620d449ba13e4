"""Chapter 11's own code beside a C program, beside PyTorch, and on many logits of all kinds.

The C program is the recipe's of the golden data; its tests want a compiler called ``cc``. Tests of
frequencies use fixed seeds, so that they are passed or failed for good.
"""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fixtures.ch11_sampler.make import choices, compiled, from_c, published
from tests import outside

GOLDEN = Path(__file__).parent.parent / "fixtures" / "ch11_sampler" / "golden.json"
VOCABULARY = 50257
LOGIT = st.floats(-1000, 1000, width=32) | st.floats(-4, 4, width=32) | st.just(-math.inf)
COINS = st.integers(0, 2**24 - 1).map(lambda k: np.float32(k / 2**24))
# With 49 degrees of freedom, one fair experiment in a million is above this.
CHI_SQUARED_49 = 111.1


@pytest.fixture(scope="module")
def sampler():
    with outside.reference("ch11") as module:
        yield module


@pytest.fixture(scope="module")
def golden():
    return json.loads(GOLDEN.read_text())


@pytest.fixture(scope="module")
def program():
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler called cc")
    with compiled() as path:
        yield path


@pytest.fixture
def logits():
    """As many logits as GPT-2 has, as uneven as a trained model's."""
    return 3 * np.random.default_rng(11).standard_normal(VOCABULARY, np.float32)


def coins_of(sampler, seed, n):
    state = sampler.XorshiftState(seed)
    return [sampler.random_f32(state) for _ in range(n)]


def test_golden_words_and_choices_regenerate(program, golden):
    """The published values and the C program's come out of the recipe as they stand in the file."""
    parts = {"published": published(), **from_c()}

    assert parts == {name: golden[name] for name in parts}


def test_two_sources_of_words_agree(golden):
    """The C program's words of seed 1 are the high halves of the published results."""
    results = golden["published"]["seed_1"]["results"]

    assert golden["words"]["1"]["words"][:5] == [result >> 32 for result in results]


def test_every_choice_is_the_c_programs(sampler, program, logits):
    """In each of 2,000 draws of 50,257, the fast form chooses what C chooses, as close as it is."""
    coins = coins_of(sampler, 1337, 2000)
    chosen = [index for index, *_ in choices(program, logits, coins)]

    assert [sampler.sample_softmax_fast(logits, VOCABULARY, coin) for coin in coins] == chosen


@given(logits=st.lists(LOGIT, min_size=1, max_size=40), extra=st.lists(LOGIT), coin=COINS)
@example(logits=[0.0, *[-18.0] * 9000], extra=[], coin=np.float32(1 - 2.0**-24))
@example(logits=[-math.inf] * 9000 + [0.0], extra=[5.0], coin=np.float32(0))
@settings(max_examples=200, deadline=None)
def test_both_samplers_choose_the_same(sampler, logits, extra, coin):
    """Whatever the logits, the padding and the coin: one index, and both refuse the same."""
    n, padded = len(logits), np.array([*logits, *extra], dtype=np.float32)
    if max(logits) == -math.inf:
        for sample in (sampler.sample_softmax, sampler.sample_softmax_fast):
            with pytest.raises(ValueError, match="-inf"):
                sample(padded, n, coin)
        return
    index = sampler.sample_softmax(padded, n, coin)

    assert sampler.sample_softmax_fast(padded, n, coin) == index
    assert logits[index] > -math.inf or index == n - 1


@given(
    logits=st.lists(LOGIT.filter(math.isfinite), min_size=1, max_size=40),
    k=st.integers(1, 50),
    p=st.floats(1e-6, 1),
)
@settings(max_examples=100, deadline=None)
def test_cuts_nest(sampler, logits, k, p):
    """Fewer are kept by a smaller k or p, never others, and what is kept stays as it is."""
    given_logits = np.array(logits, dtype=np.float32)
    for cut, smaller, larger in ((sampler.top_k, k, k + 1), (sampler.top_p, p / 2, p)):
        few, more = (np.isfinite(cut(given_logits, knob)) for knob in (smaller, larger))

        assert few.any()
        assert not (few & ~more).any()
        assert (cut(given_logits, larger)[more] == given_logits[more]).all()


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("name", ["sample_softmax", "sample_softmax_fast"])
def test_frequencies(sampler, name, temperature):
    """10,000 draws of fifty tokens are in proportion to exp(logit / temperature): chi-squared."""
    logits = np.linspace(-1, 1, 50, dtype=np.float32)
    heated = sampler.apply_temperature(logits, temperature)
    found = np.zeros(50)
    for coin in coins_of(sampler, 42, 10_000):
        found[getattr(sampler, name)(heated, 50, coin)] += 1
    shares = np.exp(logits.astype(np.float64) / temperature)
    expected = 10_000 * shares / shares.sum()

    assert ((found - expected) ** 2 / expected).sum() < CHI_SQUARED_49


def test_bits_of_coins_are_fair(sampler):
    """Each of the 24 bits of 20,000 coins is set in half of them, within five deviations."""
    coins = np.array(coins_of(sampler, 7, 20_000), dtype=np.float64)
    bits = (coins * 2**24).astype(int)[:, None] >> np.arange(24) & 1

    assert (abs(bits.sum(axis=0) - 10_000) < 5 * math.sqrt(20_000 / 4)).all()


def test_what_is_cut_is_never_drawn(sampler, logits):
    """After temperature, top-k and top-p, 5,000 draws give nothing but tokens that were kept."""
    left = sampler.top_p(sampler.top_k(sampler.apply_temperature(logits, 0.8), 50), 0.9)
    kept = set(np.flatnonzero(np.isfinite(left)).tolist())
    drawn = {
        sampler.sample_softmax_fast(left, VOCABULARY, coin)
        for coin in coins_of(sampler, 3, 5000)
    }

    assert 1 < len(kept) < 50
    assert drawn == kept


def test_beside_pytorch(sampler, logits):
    """Probabilities are those of torch.softmax, and k = 50 keeps what torch.topk finds."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    tensor = torch.from_numpy(logits)
    weights = sampler.softmax_weights(logits, VOCABULARY)
    kept = np.flatnonzero(np.isfinite(sampler.top_k(logits, 50)))

    np.testing.assert_allclose(
        weights / weights.sum(dtype=np.float64), torch.softmax(tensor.double(), 0), rtol=1e-5
    )
    assert kept.tolist() == sorted(torch.topk(tensor, 50).indices.tolist())
