"""Learning merges beside Hugging Face tokenizers, rustbpe, bpeasy and gigabpe.

Everybody trains in full, from text, in turn: stories I to X of the real book (``ol data``), and
about a hundred megabytes of what this machine has (see ``corpus``). Hugging Face breaks ties by
the numbers of its own alphabet, so it learns the same merges but for ties; rustbpe and bpeasy break
them as the course does, and have to learn the very same tokens. gigabpe cuts text in its own way
and is only shown. A peer that is not installed has no row.

Hugging Face trains in a single call on the whole list of texts. It, rustbpe and gigabpe take as
many threads as there are cores, ours and bpeasy one; ``RAYON_NUM_THREADS`` says otherwise.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from corpus import documents
from measure import Row, alternate, median, seconds_of
from reference import reference

from autograder import books

ROUNDS = 11
LIMITS = {512: 0.5, 4096: 1.2}
LARGE = 100_000_000  # bytes
LARGE_SIZE = 32_000  # of the vocabulary
LARGE_ROUNDS = 3
LARGE_LIMITS = (
    ("chunk by chunk", "tokenizers", 0.6), ("in blocks", "rustbpe", 1.0),
    ("in blocks", "bpeasy", None), ("in blocks", "gigabpe", None),
)
THREADS = os.environ.get("RAYON_NUM_THREADS") or str(os.cpu_count())


def hugging_face(texts: Sequence[str], pattern: str, vocab_size: int) -> None:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(pattern), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)


def rustbpe(texts: Sequence[str], pattern: str, vocab_size: int) -> list[bytes]:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(texts), vocab_size, pattern=pattern)
    return [bytes(token) for token, _ in tokenizer.get_mergeable_ranks()]


def bpeasy(texts: Sequence[str], pattern: str, vocab_size: int) -> list[bytes]:
    import bpeasy

    longest = max(map(len, texts), default=1) * 4
    ranks = bpeasy.train_bpe(iter(texts), pattern, longest, vocab_size)
    return sorted(ranks, key=ranks.__getitem__)


def gigabpe(texts: Sequence[str], pattern: str, vocab_size: int) -> None:
    """Its own scanner in place of the pattern, and a file in place of texts."""
    import gigabpe

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_text("\n".join(texts), encoding="utf-8")
        gigabpe.train_bpe([str(path)], vocab_size, pretokenizer="bytelevel")


PEERS = {hugging_face: "tokenizers", rustbpe: "rustbpe", bpeasy: "bpeasy", gigabpe: "gigabpe"}


def tokens_of(merges: Sequence[tuple[int, int]]) -> list[bytes]:
    """Merges as the peers tell them: the bytes of each id."""
    tokens = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tokens


def in_blocks(bpe: types.ModuleType, texts: Sequence[str], n_merges: int) -> Any:
    """``train_bpe`` on the counts of the bonus."""
    clear, bpe.count_chunks = bpe.count_chunks, bpe.count_chunks_fast
    try:
        return bpe.train_bpe(texts, n_merges)
    finally:
        bpe.count_chunks = clear


def installed(name: str) -> bool:
    found = importlib.util.find_spec(name) is not None
    if not found:
        print(f"bpe_training: no rows for {name}, it is not installed")
    return found


def small_rows(bpe: types.ModuleType) -> list[Row]:
    book = books.real()
    if book is None or not installed("tokenizers"):
        print("bpe_training: no rows for the real book, it or tokenizers is not here")
        return []
    segments = reference("ch01").split_stories(book.read_text(encoding="utf-8"))[:10]
    found = []
    for size, limit in LIMITS.items():
        ours, peer = alternate(
            lambda size=size: seconds_of(lambda: bpe.train_bpe(segments, size - 256)),
            lambda size=size: seconds_of(lambda: hugging_face(segments, bpe.PATTERN, size)),
            ROUNDS,
        )
        mine, theirs = median(ours), median(peer)
        found.append(Row(
            f"{size - 256:,} merges of the real book / Hugging Face tokenizers, {THREADS} threads",
            mine, theirs, f"at most {limit:g}", mine <= limit * theirs,
        ))
    return found


def large_rows(bpe: types.ModuleType) -> list[Row]:
    """All of them in turn, and that three times: it takes minutes."""
    corpus = documents(LARGE)
    print(f"bpe_training: {corpus.size / 1e6:.1f} MB, {corpus.taken}")
    texts, n_merges = corpus.texts, LARGE_SIZE - 256
    actions: dict[str, Callable[[], Any]] = {
        "chunk by chunk": lambda: bpe.train_bpe(texts, n_merges),
        "in blocks": lambda: in_blocks(bpe, texts, n_merges),
    }
    for peer, package in PEERS.items():
        if installed(package):
            actions[package] = lambda peer=peer: peer(texts, bpe.PATTERN, LARGE_SIZE)
    seconds: dict[str, list[float]] = {name: [] for name in actions}
    kept: dict[str, Any] = {}
    for _ in range(LARGE_ROUNDS):
        for name, action in actions.items():
            taken = seconds_of(lambda name=name, action=action: kept.update({name: action()}))
            seconds[name].append(taken)
    assert kept["in blocks"] == kept["chunk by chunk"]
    for name in {"rustbpe", "bpeasy"} & actions.keys():
        assert kept[name] == tokens_of(kept["in blocks"]), f"{name} has other tokens"
    found = []
    for ours, name, limit in LARGE_LIMITS:
        if name in actions:
            mine, theirs = median(seconds[ours]), median(seconds[name])
            found.append(Row(
                f"{n_merges:,} merges of {corpus.size / 1e6:.0f} MB, counted {ours} / {name}",
                mine, theirs, f"at most {limit:g}" if limit else "shown",
                limit is None or mine <= limit * theirs,
            ))
    return found


def rows() -> list[Row]:
    bpe = reference("ch02")
    return [*small_rows(bpe), *large_rows(bpe)]
