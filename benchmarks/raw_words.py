"""Ten million raw words: the reference's ``randint32_array`` against NumPy's C engine."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

import numpy as np
from measure import Row, alternate, median, seconds_of

from autograder.exporting import export_package

WORDS = 10_000_000
ROUNDS = 9


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        export_package(Path(folder), solutions=True)
        sys.path.insert(0, folder)
        rand = importlib.import_module("llmdata.rand")
    state = rand.MT19937State()
    rand.manual_seed(state, 137)
    engine = np.random.MT19937(0)
    engine._legacy_seeding(137)

    mine, peer = rand.randint32_array(state, 1000), engine.random_raw(1000)
    assert mine.tolist() == peer.tolist()

    ours, numpy = alternate(
        lambda: seconds_of(lambda: rand.randint32_array(state, WORDS)),
        lambda: seconds_of(lambda: engine.random_raw(WORDS)),
        ROUNDS,
    )
    return [
        Row(
            "randint32_array(10_000_000) / numpy MT19937.random_raw",
            median(ours),
            median(numpy),
            "at most 4",
            median(ours) <= 4 * median(numpy),
        )
    ]
