"""Ten million normal numbers: the reference's ``normal_`` against NumPy's older generator, which
draws from a Mersenne Twister too, and against ``torch.randn`` where PyTorch is installed.

Everything is included, the words too. NumPy makes float64, the two others float32. PyTorch has no
limit here: it draws its words in compiled code, chapter 4 in Python.
"""

from __future__ import annotations

import importlib.util

import numpy as np
from measure import Row, alternate, median, seconds_of
from reference import reference

NUMBERS = 10_000_000
ROUNDS = 9


def rows() -> list[Row]:
    normal = reference("ch05")
    state, engine = normal.MT19937State(), np.random.RandomState(137)
    data = np.empty(NUMBERS, dtype=np.float32)

    def ours() -> float:
        return seconds_of(lambda: normal.normal_(data, 0, 1, state))

    mine, numpy = alternate(
        ours, lambda: seconds_of(lambda: engine.standard_normal(NUMBERS)), ROUNDS
    )
    found = [
        Row(
            "normal_ of 10,000,000 / numpy RandomState.standard_normal",
            median(mine), median(numpy), "at most 1.5", median(mine) <= 1.5 * median(numpy),
        )
    ]
    if importlib.util.find_spec("torch") is None:
        print("normals: torch.randn is left out, PyTorch is not installed")
        return found
    import torch

    torch.set_num_threads(1)
    mine, theirs = alternate(ours, lambda: seconds_of(lambda: torch.randn(NUMBERS)), ROUNDS)
    found.append(Row(
        "normal_ of 10,000,000 / torch.randn, one thread",
        median(mine), median(theirs), "none", True,
    ))
    return found
