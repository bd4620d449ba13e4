"""Chapter 5's own code against the outside world: PyTorch to the bit, statistics, views, memory.

What hidden tests check is not repeated: these are stricter than the chapter is, or too slow there.
"""

import itertools
import json
import sys
import tracemalloc
from collections import Counter
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from benchmarks.reference import reference
from fixtures.ch05_normal.make import from_standard_library, from_torch

GOLDEN = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "ch05_normal" / "golden.json").read_text()
)
SEEDS = sorted(GOLDEN["torch"]["seeds"])


@pytest.fixture(scope="module")
def normal():
    """The module, with chapter 4's, and none of them left importable."""
    before = {name: module for name, module in sys.modules.items() if name.startswith("llmdata")}
    module = reference("ch05")
    for name in [name for name in sys.modules if name.startswith("llmdata")]:
        del sys.modules[name]
    sys.modules.update(before)
    return module


@pytest.fixture
def seeded(normal):
    """``seeded(seed)``: a state with NumPy's words, so that no seeding of ours has a part in it."""

    def make(seed):
        words = np.random.RandomState(int(seed) & 0xFFFFFFFF).get_state()[1].copy()
        matrix_a = np.array([0, 0x9908B0DF], dtype=np.uint32)
        return normal.MT19937State(int(seed), 1, 0, words, matrix_a)

    return make


@pytest.fixture
def torch():
    """PyTorch; skipped where it is not the version that the golden values are of."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    version = GOLDEN["torch"]["version"]
    if torch.__version__.split("+")[0] != version:
        pytest.skip(f"the values were made with torch {version}, installed is {torch.__version__}")
    return torch


def filled(fill, n, *arguments):
    data = np.zeros(n, dtype=np.float32)
    fill(data, *arguments)
    return data


@pytest.mark.parametrize("seed", SEEDS)
def test_short_arrays_are_pytorchs_to_the_bit(normal, seeded, seed):
    """Below sixteen numbers nothing is off, with a mean and a std too."""
    values = GOLDEN["torch"]["seeds"][seed]
    for n in (1, 2, 5, 15):
        got = filled(normal.normal_, n, 0, 1, seeded(seed)).tolist()
        assert got == values["normal"][str(n)]["values"]

    scaled = filled(normal.normal_, 5, 3, 0.25, seeded(seed)).tolist()
    assert scaled == values["scaled"]["5"]["values"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_word_after_is_pytorchs(normal, seeded, seed):
    """Every length uses as many words as in PyTorch: the next one is the same."""
    for n, wanted in GOLDEN["torch"]["seeds"][seed]["normal"].items():
        state = seeded(seed)
        filled(normal.normal_, int(n), 0, 1, state)

        assert normal.randint32(state) & 0x7FFFFFFF == wanted["next"]


def test_any_length_is_pytorchs(normal, seeded, torch):
    """Where PyTorch is here: random seeds and lengths, small ones to the bit."""
    fresh = np.random.default_rng(5)
    lengths = [*range(40), 1_000_003]
    for n, seed in zip(lengths, fresh.integers(0, 2**32, len(lengths)).tolist(), strict=True):
        torch.manual_seed(seed)
        wanted, state = torch.empty(n).normal_().numpy(), seeded(seed)
        off = np.abs(filled(normal.normal_, n, 0, 1, state) - wanted).max(initial=0)

        assert off <= (0 if n < 16 else 3e-6)
        assert normal.randint32(state) & 0x7FFFFFFF == torch.empty(
            1, dtype=torch.int32
        ).random_().item()


def test_torchs_golden_values_regenerate(torch):
    """Words, uniform numbers and short arrays to the bit; the others as far as processors agree."""
    made = from_torch()

    assert made["calls"] == GOLDEN["torch"]["calls"]
    for seed, wanted in GOLDEN["torch"]["seeds"].items():
        assert made["seeds"][seed]["uniform"] == wanted["uniform"]
        for part, n in [("normal", n) for n in wanted["normal"]] + [("scaled", "5")]:
            got, right = made["seeds"][seed][part][n], wanted[part][n]
            allowed = 0 if int(n) < 16 else 3e-6
            assert got["next"] == right["next"]
            assert got["values"] == pytest.approx(right["values"], rel=0, abs=allowed)


def test_shuffles_regenerate():
    """The standard library's shuffles come out of the recipe as they stand in the file."""
    assert from_standard_library() == GOLDEN["shuffled"]


def test_a_recorded_run_of_torch_agrees():
    """Values that were printed from PyTorch for llm.c begin and end the golden stream."""
    stream = GOLDEN["torch"]["stream"]

    assert stream["words"] == [
        word & 0x7FFFFFFF for word in (4053805790, 2173880614, 380293709, 1237255315, 2986595568)
    ]
    assert (stream["then"], stream["last"]) == (2186503452 & 0x7FFFFFFF, 2756748748 & 0x7FFFFFFF)
    assert stream["eight"][0] == pytest.approx(0.79476643, abs=1e-8)


def test_a_million_follow_the_bell(normal, seeded):
    """Kolmogorov and Smirnov find nothing at a level of one in a thousand, nor does correlation
    between the two halves of the blocks."""
    data = filled(normal.normal_, 1_000_000, 0, 1, seeded(137)).astype(np.float64)
    places = np.linspace(-4, 4, 801)
    shares = np.searchsorted(np.sort(data), places) / len(data)
    bell = np.array([NormalDist().cdf(place) for place in places])
    halves = data.reshape(-1, 2, 8)

    assert np.abs(shares - bell).max() < 1.95 / np.sqrt(len(data))
    assert abs(np.corrcoef(halves[:, 0].ravel(), halves[:, 1].ravel())[0, 1]) < 0.005


def test_every_order_is_as_likely(normal, seeded):
    """24,000 shuffles of four: chi-squared of the 24 orders, at a level of one in a thousand."""
    state, counts = seeded(42), Counter()
    for _ in range(24_000):
        cards = np.arange(4)
        normal.random_permutation(cards, state)
        counts[tuple(cards.tolist())] += 1
    found = [counts[order] for order in itertools.permutations(range(4))]

    assert sum((count - 1_000) ** 2 / 1_000 for count in found) < 49.7  # 23 degrees of freedom


@pytest.mark.parametrize("view", [np.s_[::2], np.s_[::-1], np.s_[5:38]])
@pytest.mark.parametrize("name", ["uniform_", "normal_", "normal_fill"])
def test_views_are_filled(normal, seeded, name, view):
    """A view is filled as an array of its length is, and what is not in it stays."""
    whole, kept = np.full(90, 9, dtype=np.float32), np.full(90, 9, dtype=np.float32)
    kept[view] = filled(getattr(normal, name), len(kept[view]), 0, 1, seeded(137))
    getattr(normal, name)(whole[view], 0, 1, seeded(137))

    assert whole.tolist() == kept.tolist()


def test_memory_is_that_of_float32(normal, seeded):
    """Beside the array there are the words and their low bits, twice its size, and no float64."""
    data = np.zeros(1_000_000, dtype=np.float32)
    tracemalloc.start()
    normal.normal_(data, 0, 1, seeded(137))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 2.5 * data.nbytes


def test_a_numpy_std_keeps_float32(normal, seeded):
    """np.sqrt gives an np.float64: the numbers are those of the same Python float."""
    std = np.sqrt(0.0004)

    for n in (5, 40):
        numpys = filled(normal.normal_, n, np.float64(1), std, seeded(137))
        assert numpys.tolist() == filled(normal.normal_, n, 1.0, float(std), seeded(137)).tolist()
