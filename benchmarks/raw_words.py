"""Ten million raw words: the reference's ``randint32_array`` against NumPy's C engine."""

from __future__ import annotations

import numpy as np
from measure import Row, alternate, median, seconds_of

from autograder.contract import reference_module
from autograder.course import find

WORDS = 10_000_000
ROUNDS = 7


def rows() -> list[Row]:
    namespace: dict[str, object] = {"__name__": "llmdata.rand"}
    for cell in reference_module(find("ch04")).cells:
        exec(cell.source, namespace)
    state = namespace["MT19937State"]()
    namespace["manual_seed"](state, 137)
    engine = np.random.MT19937(0)
    engine._legacy_seeding(137)

    mine, peer = namespace["randint32_array"](state, 1000), engine.random_raw(1000)
    assert mine.tolist() == peer.tolist()

    ours, numpy = alternate(
        lambda: seconds_of(lambda: namespace["randint32_array"](state, WORDS)),
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
