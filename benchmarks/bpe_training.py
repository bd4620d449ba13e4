"""Learning merges from stories I to X of the real book: ours against Hugging Face tokenizers.

Both train in full, from text, in turn. Hugging Face breaks ties by the numbers of its own alphabet,
so the two learn the same merges but for ties; chapter 2's golden values compare them to the letter.
Needs the real book (``ol data``) and ``pip install tokenizers``; without them there are no rows.
"""

from __future__ import annotations

import importlib.util

from measure import Row, alternate, median, seconds_of
from reference import reference

from autograder import books

ROUNDS = 11
LIMITS = {512: 0.5, 4096: 1.2}


def hugging_face(segments: list[str], pattern: str, vocab_size: int) -> None:
    """Train a tokenizer with this pattern."""
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
    tokenizer.train_from_iterator(segments, trainer)


def rows() -> list[Row]:
    book = books.real()
    if book is None or importlib.util.find_spec("tokenizers") is None:
        print("bpe_training: left out, the real book or the package tokenizers is not here")
        return []
    corpus, bpe = reference("ch01"), reference("ch02")
    segments = corpus.split_stories(book.read_text(encoding="utf-8"))[:10]
    found = []
    for size, limit in LIMITS.items():
        ours, peer = alternate(
            lambda size=size: seconds_of(lambda: bpe.train_bpe(segments, size - 256)),
            lambda size=size: seconds_of(lambda: hugging_face(segments, bpe.PATTERN, size)),
            ROUNDS,
        )
        mine, theirs = median(ours), median(peer)
        found.append(Row(
            f"{size - 256:,} merges of the real book / Hugging Face tokenizers",
            mine, theirs, f"at most {limit:g}", mine <= limit * theirs,
        ))
    return found
