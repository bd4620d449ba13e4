"""Runs inside the sandbox, beside the learner's modules: what they keep hold of.

Every number is of bytes that are still traced after many calls and were not after one.
"""

import gc
import struct
import tracemalloc
import warnings
from pathlib import Path

from llmdata.dataloader import DataLoader
from llmdata.vocab import Tokenizer

BATCHES, DECODES, RESUMES = 1000, 1000, 100


def grown(work, times):
    """Traced bytes that so many calls leave behind; the first call may fill caches."""
    work()
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(times):
            work()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return max(after - before, 0)


def shard(path, ids):
    header = struct.pack("<256i", 20240520, 1, len(ids), *[0] * 253)
    path.write_bytes(header + struct.pack(f"<{len(ids)}H", *ids))


def vocabulary(path, tokens):
    header = struct.pack("<256i", 20240328, 2, len(tokens), len(tokens) - 1, *[0] * 252)
    path.write_bytes(header + b"".join(bytes([len(token)]) + token for token in tokens))


def leaks():
    """How many bytes remain, by what was done; an unclosed file is a warning and so an error."""
    for number in range(2):
        shard(Path(f"leak-{number}.bin"), range(5000))
    words = Path("leak-vocab.bin")
    vocabulary(words, [b"token %d" % n for n in range(300)])
    with warnings.catch_warnings(record=True) as unclosed:
        warnings.simplefilter("always", ResourceWarning)
        loader = DataLoader("leak-*[01].bin", 4, 64, should_shuffle=True)
        tokenizer = Tokenizer()
        tokenizer.init(words)

        def opened():
            other = DataLoader("leak-*[01].bin", 4, 64)
            other.next_batch()
            other.close()
            another = Tokenizer()
            another.init(words)
            another.free()

        found = {
            f"{BATCHES} batches": grown(loader.next_batch, BATCHES),
            f"{DECODES} decodes": grown(lambda: tokenizer.decode(7), DECODES),
            f"{RESUMES} resumes": grown(lambda: loader.resume(1, 2), RESUMES),
            f"{RESUMES} openings": grown(opened, RESUMES),
        }
        loader.close()
        gc.collect()
    if unclosed:
        raise unclosed[0].message
    return found
