"""Track A0: data pipeline and random numbers, 100 points in 18 rows.

The rows of ``rand`` stand in the order in which they build on each other: where several fail at
once, the topmost is where the mistake is.
"""

from __future__ import annotations

from autograder.tracks import Part, Row

__all__ = ["ROWS"]

RAND, NORMAL, VOCAB, SAMPLER = "ch04_mt19937", "ch05_normal", "ch10_vocab", "ch11_sampler"
LOADER = "ch08_dataloader"
SCALED = ("test_block_is_scaled", "test_zeros_give_the_mean")
WHOLE_BLOCKS = ("test_fill_golden[16]", "test_fill_golden[32]", "test_fill_returns_nothing",
                "test_too_short_to_fill")
PAIRS = ("test_first_batch", "test_load_batch_stays")


def _one(title: str, points: int, chapter: str, *functions: str) -> Row:
    return Row(title, (Part(points, chapter, functions),))


ROWS: tuple[Row, ...] = (
    _one("manual_seed: the state array, left, next and MATRIX_A", 2, RAND, "manual_seed"),
    _one("next_state: the twist, its wraparound and its last word", 3, RAND, "next_state"),
    _one("randint32: golden words, and the twist at draw 624", 4, RAND, "randint32"),
    _one("randint64: high half first, exactly two draws", 2, RAND, "randint64"),
    _one("randfloat32: golden floats of 24 bits, range, uniformity", 3, RAND, "randfloat32"),
    _one("randfloat64: golden floats of 53 bits, range, mean", 2, RAND, "randfloat64"),
    _one("uniform_: scale and shift, values in [from, to), one draw each", 3, NORMAL, "uniform_"),
    Row("normal_fill_16: Box-Muller; half of it mean and std", (
        Part(1, NORMAL, ("normal_fill_16",)),
        Part(1, NORMAL, ("normal_fill_16",), SCALED),
    )),
    Row("normal_fill: whole blocks (1), the ragged tail (1)", (
        Part(1, NORMAL, ("normal_fill",), WHOLE_BLOCKS),
        Part(1, NORMAL, ("normal_fill",)),
    )),
    _one("normal_: both ways, the state after, mean and std", 4, NORMAL, "normal_"),
    _one("init_identity_permutation", 1, NORMAL, "init_identity_permutation"),
    Row("random_permutation: golden orders (1), a permutation (1)", (
        Part(1, NORMAL, ("random_permutation",)),
        Part(1, NORMAL, ("random_permutation",), ("test_nothing_is_lost",)),
    )),
    _one("safe_print: drops unprintable single bytes, nothing else", 4, VOCAB, "safe_print"),
    _one("Tokenizer: both versions, a missing file, known tokens", 11, VOCAB, "parse_vocab",
         "Tokenizer"),
    Row("DataLoader: inputs and targets of a small shard", (
        Part(20, LOADER, ("ShardLoader",), PAIRS),
    )),
    _one("DataLoader: rollover, striding, shuffled resume", 15, LOADER, "find_shards",
         "ShardLoader", "DataLoader"),
    _one("sample_softmax: a valid index, the right distribution", 10, SAMPLER, "softmax_weights",
         "sample_softmax"),
    Row("clean: no warnings, no leaks", (Part(10),)),
)
