"""Memory: training beside its table of different chunks, encoding a stream beside one segment.

Sizes are the peak of what Python and NumPy have asked for (``tracemalloc``), in megabytes. The
table is that of the chapter: a list of ids and a count for each different chunk. A stream is
encoded with its segments made one at a time, so that holding two of them would show.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

from corpus import documents
from measure import Row
from reference import reference

SIZE = 10_000_000  # bytes to train on
N_MERGES = 1_000
SEGMENT = 1_000_000  # characters


def peak(action: Callable[[], Any]) -> tuple[float, Any]:
    """The peak above what was held before, in MB, and what the action gives."""
    tracemalloc.start()
    try:
        result = action()
        return tracemalloc.get_traced_memory()[1] / 1e6, result
    finally:
        tracemalloc.stop()


def held(action: Callable[[], Any]) -> float:
    """What the result of an action takes, in MB."""
    tracemalloc.start()
    try:
        result = action()
        size = tracemalloc.get_traced_memory()[0] / 1e6
        del result
        return size
    finally:
        tracemalloc.stop()


def stream(segments: int) -> Any:
    """Segments that are alike in size and in chunks, each made when it is asked for."""
    for number in range(segments):
        yield f"it was the {number % 7}th of March, and low clouds hung over the bay. " * (
            SEGMENT // 64
        )


def rows() -> list[Row]:
    bpe, tokenizer = reference("ch02"), reference("ch03")
    texts = documents(SIZE).texts
    bpe.character_classes("[A-Za-z]+", "[0-9]+")  # made once, and kept
    table = held(lambda: [
        ([*chunk.encode()], count) for chunk, count in bpe.count_chunks(texts).items()
    ])
    training, _ = peak(lambda: bpe.train_bpe(texts, N_MERGES))
    found = [Row(f"training on {SIZE / 1e6:.0f} MB / its table of chunks", training, table,
                 "at most 3", training <= 3 * table, "MB")]
    mine = tokenizer.BPETokenizer.train([next(stream(1))[:20_000]], 400)

    def encode_all(segments: int) -> None:
        for text in stream(segments):
            mine.encode(text)

    def encode_all_fast(segments: int) -> None:
        for text in stream(segments):
            tokenizer.encode_fast(mine, [text])

    for name, encode in (("encode", encode_all), ("encode_fast", encode_all_fast)):
        many, one = (peak(lambda n=n, encode=encode: encode(n))[0] for n in (6, 1))
        found.append(Row(f"{name}, a stream of 6 segments / of one", many, one,
                         "at most 1.2", many <= 1.2 * one, "MB"))
    return found
