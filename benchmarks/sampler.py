"""One token of 50,257: ``sample_softmax_fast`` against PyTorch's softmax and multinomial.

First, in 2,000 draws, the index has to be the very one of the scalar formula. PyTorch runs on one
thread, which is its best setting for so small a task. Needs ``pip install torch``; without it there
are no rows.
"""

from __future__ import annotations

import importlib.util

import numpy as np
from measure import Row, alternate, median, seconds_of
from reference import reference

VOCABULARY = 50257
CONTEXTS = 20
DRAWS = 100  # for each context
ROUNDS = 15
LIMIT = 0.25


def rows() -> list[Row]:
    if importlib.util.find_spec("torch") is None:
        print("sampler: left out, the package torch is not here")
        return []
    import torch

    sampler = reference("ch11")
    state = sampler.XorshiftState(1337)
    coins = [sampler.random_f32(state) for _ in range(DRAWS)]
    contexts = 3 * np.random.default_rng(11).standard_normal((CONTEXTS, VOCABULARY), np.float32)
    for logits in contexts:
        for coin in coins:
            scalar = sampler.sample_softmax(logits, VOCABULARY, coin)
            assert sampler.sample_softmax_fast(logits, VOCABULARY, coin) == scalar

    logits = contexts[0]
    tensor = torch.from_numpy(logits)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)

    def ours() -> None:
        for coin in coins:
            sampler.sample_softmax_fast(logits, VOCABULARY, coin)

    def peer() -> None:
        with torch.inference_mode():
            for _ in coins:
                torch.multinomial(torch.softmax(tensor, 0), 1).item()

    mine, theirs = alternate(lambda: seconds_of(ours), lambda: seconds_of(peer), ROUNDS)
    torch.set_num_threads(threads)
    return [
        Row(
            f"sample_softmax_fast, {DRAWS} draws of {VOCABULARY:,} / torch softmax and multinomial",
            median(mine),
            median(theirs),
            f"at most {LIMIT:g}",
            median(mine) <= LIMIT * median(theirs),
        )
    ]
