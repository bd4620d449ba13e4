"""Encoding with GPT-2's merges, one process: chunk by chunk and in blocks, beside peers.

The text is English: the books of ``ol data`` and the documentation that this machine has (see
``corpus``). Everybody gives the ids of each document, and all have to be equal. Ours begin with an
empty cache, so every merge of a new chunk is in their time. tiktoken and Hugging Face take a
document at a time, in one thread. A long run of one letter is encoded at two lengths: ten times the
length should take ten times the time.
"""

from __future__ import annotations

import bz2
import importlib.util
import json
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from corpus import Corpus, documents
from measure import Row, median, seconds_of
from reference import reference

from autograder.course import root

ROUNDS = 3
SIZE = 20_000_000  # bytes
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True}


def tokenizer_json(tokenizer: types.ModuleType) -> bytes:
    """GPT-2's tokenizer.json, of the merges in fixtures/gpt2."""
    packed = (root() / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes()
    merges = bz2.decompress(packed).decode().splitlines()[1:]
    letters = sorted(tokenizer.byte_characters(), key=lambda c: (ord(c) > 255, ord(c)))
    tokens = [*letters, *(merge.replace(" ", "") for merge in merges)]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    return json.dumps({
        "version": "1.0",
        "added_tokens": [{"id": len(tokens), "content": tokenizer.EOT, "special": True, **FLAGS}],
        "pre_tokenizer": byte_level | {"use_regex": True},
        "model": {"type": "BPE", "vocab": {token: n for n, token in enumerate(tokens)},
                  "merges": merges},
    }).encode()


def peers(gpt2: Any, pattern: str, path: Path) -> dict[str, Callable[[str], Any]]:
    """How each peer that is installed encodes one text."""
    found: dict[str, Callable[[str], Any]] = {}
    if importlib.util.find_spec("tiktoken"):
        import tiktoken

        ranks = {token: rank for rank, token in enumerate(gpt2.tokens[:-1])}
        found["tiktoken"] = tiktoken.Encoding(
            "gpt2", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
        ).encode_ordinary
    if importlib.util.find_spec("tokenizers"):
        from tokenizers import Tokenizer

        peer = Tokenizer.from_file(str(path))
        found["Hugging Face tokenizers"] = lambda text: peer.encode(text).ids
    return found


def speeds(tokenizer: types.ModuleType, gpt2: Any, path: Path, corpus: Corpus) -> list[Row]:
    """MB/s of everybody, printed; rows against the peers."""
    def cold(encode: Callable[[Any], Any]) -> Any:
        gpt2.cache.clear()
        return encode(corpus.texts)

    def warm() -> Any:
        return tokenizer.encode_fast(gpt2, corpus.texts)

    actions: dict[str, Callable[[], Any]] = {
        "chunk by chunk": lambda: cold(gpt2.encode_batch),
        "in blocks": lambda: cold(lambda texts: tokenizer.encode_fast(gpt2, texts)),
        "in blocks, cache kept": warm,
    }
    for name, encode in peers(gpt2, tokenizer.GPT2_PATTERN, path).items():
        actions[name] = lambda encode=encode: [encode(text) for text in corpus.texts]
    seconds: dict[str, list[float]] = {name: [] for name in actions}
    kept: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for name, action in actions.items():
            taken = seconds_of(lambda name=name, action=action: kept.update({name: action()}))
            seconds[name].append(taken)
    for name, got in kept.items():
        pairs = zip(got, kept["chunk by chunk"], strict=True)
        assert all(np.array_equal(ids, wanted) for ids, wanted in pairs), f"{name} has other ids"
    middle = {name: median(runs) for name, runs in seconds.items()}
    for name, taken in middle.items():
        print(f"encoding: {corpus.size / 1e6 / taken:5.1f} MB/s {name}")
    return [
        Row(f"{corpus.size / 1e6:.0f} MB of English {ours} / {peer}", middle[ours], middle[peer],
            "at most 1", middle[ours] <= middle[peer])
        for ours, peer in (("chunk by chunk", "Hugging Face tokenizers"), ("in blocks", "tiktoken"))
        if peer in middle
    ]


def runs_of_one_letter(tokenizer: types.ModuleType, gpt2: Any) -> list[Row]:
    def fresh(encode: Callable[[str], Any], text: str) -> float:
        gpt2.cache.clear()
        return min(seconds_of(lambda: (gpt2.cache.clear(), encode(text))) for _ in range(ROUNDS))

    ways = {
        "chunk by chunk": gpt2.encode,
        "in blocks": lambda text: tokenizer.encode_fast(gpt2, [text]),
    }
    found = []
    for letter in "a^":
        for name, encode in ways.items():
            long, short = (fresh(encode, letter * size) for size in (1_000_000, 100_000))
            found.append(Row(f"1 MB of {letter!r} {name} / 100 kB of it", long, short,
                             "at most 15", long <= 15 * short))
    return found


def rows() -> list[Row]:
    tokenizer = reference("ch03")
    corpus = documents(SIZE)
    print(f"encoding: {corpus.size / 1e6:.1f} MB, {corpus.taken}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        path.write_bytes(tokenizer_json(tokenizer))
        gpt2 = tokenizer.BPETokenizer.from_hf_json(path)
        return [*speeds(tokenizer, gpt2, path, corpus), *runs_of_one_letter(tokenizer, gpt2)]
