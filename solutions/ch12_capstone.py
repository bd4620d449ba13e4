# ---
# jupyter:
#   course:
#     title: "Capstone: a language model of your own"
#     module: lm
#     aliases: [C1, data.08]
#     needs: [ch01, ch02, ch03, ch04, ch05, ch06, ch07, ch08, ch09, ch10, ch11]
#     packages: [numpy, pyarrow, regex]
#     minutes: 180
#     difficulty: 4
#     importance: 5
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Capstone: a language model of your own
#
# **180 minutes | difficulty 4 of 5 | importance 5 of 5 | needs chapters 1 to 11**
#
# Eleven chapters lie on the table: a clean book, a tokenizer, token files, a loader, random numbers
# and a sampler. In this one you build what they are for, a language model, small enough to read in
# one sitting. It goes from text to shards to tokens to batches to a model, and to text again.

# %% [markdown]
# Why bother? Because a pipeline is only known to work when something comes out at its end. And a
# loss alone says nothing: 3.7 nats a token, is that good? You will put counting, gzip, xz and zstd
# beside your model, on the same text and in the same unit.

# %% [markdown]
# ## What you will build
#
# | part | function | points |
# |---|---|---|
# | [One unit for all](#One-unit-for-all) | `bits_per_byte` | 4 |
# | [Counting tokens](#Counting-tokens) | `unigram_logprobs` | 4 |
# | [Counting pairs](#Counting-pairs) | `bigram_logprobs` | 8 |
# | [What compressors know](#What-compressors-know) | `compressed_bits` | 4 |
# | [Contexts](#Contexts) | `contexts` | 6 |
# | [Weights to begin with](#Weights-to-begin-with) | `init_params` | 8 |
# | [One hidden layer](#One-hidden-layer) | `forward` | 6 |
# | [Loss and gradients](#Loss-and-gradients) | `loss_and_grads` | 12 |
# | [A step downhill](#A-step-downhill) | `adam_step` | 8 |
# | [Training](#Training) | `train` | 4 |
# | [Validation](#Validation) | `evaluate` | 4 |
# | [Text again](#Text-again) | `generate` | 4 |
# | [The test split, once](#The-test-split,-once) | `SealedSplit` | 4 |
# | [A datasheet](#A-datasheet) | `datasheet` | 4 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |

# %%
import os
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices, and sums in one order

import matplotlib.pyplot as plt

from autograder import books
from autograder.course import root
from autograder.learn import check, check_tests
from llmdata.evalloader import EvalLoader, Example, write_evalfile
from llmdata.vocab import Tokenizer, safe_print, write_vocab

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})
scratch = tempfile.TemporaryDirectory()  # gone when this kernel stops

# %% [markdown]
# Everything below stands on your own chapters where you have exported them, and on the course's
# where you have not; Python says which. NumPy gets one thread, since two only get into each
# other's way with matrices as small as ours, and one adds up in the same order every time:

# %% given="names"
import argparse
import gzip
import hashlib
import json
import lzma
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is there; see above

import numpy as np
import pyarrow as pa

import llmdata
from llmdata import tokenize
from llmdata.corpus import prepare, split_stories
from llmdata.dataloader import DataLoader
from llmdata.normal import normal_
from llmdata.rand import MT19937State, manual_seed
from llmdata.sampler import XorshiftState, apply_temperature, random_f32, sample_softmax, top_k
from llmdata.shards import write_shards
from llmdata.tokenize import read_bin, tokenize_shards
from llmdata.tokenizer import EOT, BPETokenizer, StreamingDecoder, bytes_per_token

Params = dict[str, np.ndarray]

# %% [markdown]
# ## From text to token files
#
# This is all of chapters 1 to 7 in one function. Stories I to X are for training, XI is for
# choosing, and XII stays shut until the end. Each split is a corpus of its own, so that none can
# get into another: `val_permille` 0 puts every document in *train*, and 1000 every one in *val*.

# %% given="pipeline"
VOCAB_SIZE = 512


def split_book(ebook: bytes) -> dict[str, list[str]]:
    """The stories of an e-book by split: I to X, XI, XII."""
    stories = split_stories(prepare(ebook))
    return {"train": stories[:10], "val": stories[10:11], "test": stories[11:]}


def write_tokens(splits: dict[str, list[str]], out: Path) -> BPETokenizer:
    """Train a tokenizer on train, and write it, shards and token files of all splits to `out`."""
    tokenizer = BPETokenizer.train(splits["train"], VOCAB_SIZE)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(out / "tokenizer.json")
    for name, texts in splits.items():
        documents = [(f"{name}:{number}", text) for number, text in enumerate(texts)]
        shards = out / "shards" / name
        write_shards(
            documents, shards, val_permille=0 if name == "train" else 1000, rows_per_shard=100
        )
        tokenize_shards(
            shards / "_MANIFEST.json", out / "tokenizer.json", out / "tokens" / name,
            tokenizer_id="book", doc_sep_id=tokenizer.eot_id,
        )
    return tokenizer


def token_file(out: Path, name: str) -> Path:
    """The token file of a split."""
    return out / "tokens" / name / f"{'train' if name == 'train' else 'val'}-00000.bin"


# %%
folder = Path(scratch.name)
ebook = books.embedded().read_bytes()
splits = split_book(ebook)
tokenizer = write_tokens(splits, folder)
{name: len("".join(texts).encode()) for name, texts in splits.items()}

# %%
train_ids = read_bin(token_file(folder, "train"))[1]
val_ids = read_bin(token_file(folder, "val"))[1]
len(train_ids), len(val_ids), val_ids[:5]

# %% [markdown]
# A split of one story is one separator, 511, and then the ids of the story. The first id is given
# to a model and all others are to be predicted. So what is predicted is exactly the story.

# %% [markdown]
# ## One unit for all
#
# A model's loss is the mean of $-\ln p$ over the tokens that came, in **nats a token**. But a nat a
# token means little: with longer tokens there are fewer, and each is harder to guess. Bytes are the
# same for everybody. So turn nats into bits, and divide by the bytes that a token stands for.

# %% [markdown]
# By hand: a model that gives every token the probability 1/8 loses $\ln 8$ = 2.0794 nats a token,
# which is 3 bits. Where a token stands for 2 bytes, that is **1.5** bits a byte.
#
# Write `bits_per_byte`. The result is a float. Bytes a token that are not above 0, `nan` among
# them, are a `ValueError` that has the number.

# %% solve="bits_per_byte"
def bits_per_byte(nats_per_token: float, bytes_a_token: float) -> float:
    """A loss in nats a token, as bits a byte of text.

    By hand: ln 8 nats a token and 2 bytes a token are 3 / 2 = 1.5 bits a byte.

    Raises:
        ValueError: bytes_a_token is not above 0; the message has it.
    """
    # TODO (ch12_capstone): nats to bits, tokens to bytes.
    # HINT: a bit is ln 2 nats.
    ### BEGIN SOLUTION
    if not bytes_a_token > 0:
        raise ValueError(f"bytes a token must be above 0, got {bytes_a_token}")
    return nats_per_token / math.log(2) / bytes_a_token
    ### END SOLUTION


# %% example="bits_per_byte"
assert math.isclose(bits_per_byte(math.log(8), 2.0), 1.5)

# %% check="bits_per_byte" points=4
check("bits_per_byte")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("bits_per_byte")
### END HIDDEN TESTS

# %% [markdown] hints="bits_per_byte"
# <details><summary>Hint 1: where to begin</summary>
#
# Two divisions, and a question before them.
#
# </details>
#
# <details><summary>Hint 2: nats to bits</summary>
#
# $\ln 8$ nats are 3 bits, and $\ln 8 / \ln 2 = 3$.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `nats_per_token / math.log(2) / bytes_a_token`, after `if not bytes_a_token > 0`, which is true
# for `nan`, too.
#
# </details>

# %% [markdown]
# How many bytes does a token of val stand for? Chapter 7 wrote it down:

# %%
tokens_manifest = json.loads((folder / "tokens" / "val" / "_MANIFEST.json").read_text())
val_bytes_a_token = tokens_manifest["val_bytes_per_token"]
val_bytes_a_token

# %% [markdown]
# ## Counting tokens
#
# The simplest model looks at nothing: it knows how often each token came. A token that never came
# must not get 0, since $\ln 0$ ends everything, so each count is **one more** than it was.
#
# By hand, for the ids 0, 0, 1 and a vocabulary of 3: the counts 2, 1, 0 become 3, 2, 1, their sum
# is 6, and the probabilities are **3/6, 2/6, 1/6**.

# %% [markdown]
# Write `unigram_logprobs`. `ids` is an array or a list, perhaps an empty one, of ids below
# `vocab_size`. The result is the natural logarithm of each id's probability, a float64 array of
# shape `(vocab_size,)`.

# %% solve="unigram_logprobs"
def unigram_logprobs(ids: np.ndarray, vocab_size: int) -> np.ndarray:
    """The log-probability of each id by its count plus one: float64 of shape (vocab_size,).

    By hand: 0, 0, 1 and three ids give log 3/6, log 2/6, log 1/6.
    """
    # TODO (ch12_capstone): count, add one, divide by the sum, take the logarithm.
    # HINT: np.bincount with minlength; an empty list becomes an array of floats unless you say.
    ### BEGIN SOLUTION
    counts = np.bincount(np.asarray(ids, dtype=np.int64), minlength=vocab_size) + 1
    return np.log(counts / counts.sum())
    ### END SOLUTION


# %% example="unigram_logprobs"
assert np.allclose(np.exp(unigram_logprobs([0, 0, 1], 3)), [3 / 6, 2 / 6, 1 / 6])

# %% check="unigram_logprobs" points=4
check("unigram_logprobs")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("unigram_logprobs")
### END HIDDEN TESTS

# %% [markdown] hints="unigram_logprobs"
# <details><summary>Hint 1: where to begin</summary>
#
# `np.bincount(ids, minlength=vocab_size)` counts all ids at once.
#
# </details>
#
# <details><summary>Hint 2: one more</summary>
#
# Add 1 to every count, then divide by the sum of the new counts.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `counts = np.bincount(np.asarray(ids, dtype=np.int64), minlength=vocab_size) + 1`, then
# `np.log(counts / counts.sum())`.
#
# </details>

# %%
bits = {}
unigram = unigram_logprobs(train_ids, VOCAB_SIZE)
bits["unigram"] = bits_per_byte(float(-unigram[val_ids[1:]].mean()), val_bytes_a_token)
bits

# %% [markdown]
# ## Counting pairs
#
# The next model looks at one token: how often did b follow a? Most of the 262,144 pairs never came,
# so it needs something to lean on, and that is the unigram model. Let $c(a, b)$ count the pairs and
# $c(a)$ be the sum of a's row. Then
#
# $$p(b \mid a) = \frac{c(a, b) + s \, p(b)}{c(a) + s}$$
#
# is as if we had seen a before $s$ more tokens, which were spread as all tokens are.

# %% [markdown]
# By hand, for 0, 0, 1, three ids, and $s = 3$: the pairs are (0, 0) and (0, 1). The unigram
# probabilities are 3/6, 2/6, 1/6, and times 3 that is 1.5, 1, 0.5.
#
# | after | 0 | 1 | 2 |
# |---|---|---|---|
# | 0 | (1 + 1.5) / 5 | (1 + 1) / 5 | (0 + 0.5) / 5 |
# | 1 | 1.5 / 3 | 1 / 3 | 0.5 / 3 |
# | 2 | 1.5 / 3 | 1 / 3 | 0.5 / 3 |
#
# So after 0 come **0.5, 0.4, 0.1**. The last 1 is followed by nothing, and isn't counted as an a.

# %% [markdown]
# Write `bigram_logprobs`. `ids` is as before, perhaps empty. Row a holds the log-probabilities
# after a; the result is float64 of shape `(vocab_size, vocab_size)`. A `strength` that is not above
# 0 is a `ValueError` that has it.

# %% solve="bigram_logprobs"
def bigram_logprobs(ids: np.ndarray, vocab_size: int, strength: float) -> np.ndarray:
    """log p(b | a) at [a, b], leaning on unigram_logprobs: float64, (vocab_size, vocab_size).

    By hand: 0, 0, 1, three ids and a strength of 3 give log 0.5, log 0.4, log 0.1 after 0.

    Raises:
        ValueError: strength is not above 0; the message has it.
    """
    # TODO (ch12_capstone): count pairs, add strength times the unigram, divide each row by its sum.
    # HINT: np.add.at(counts, (a, b), 1) counts pairs that come again; counts[a, b] += 1 does not.
    ### BEGIN SOLUTION
    if not strength > 0:
        raise ValueError(f"strength must be above 0, got {strength}")
    counts = np.zeros((vocab_size, vocab_size))
    np.add.at(counts, (ids[:-1], ids[1:]), 1)
    smooth = counts + strength * np.exp(unigram_logprobs(ids, vocab_size))
    return np.log(smooth / smooth.sum(axis=1, keepdims=True))
    ### END SOLUTION


# %% example="bigram_logprobs"
small = np.exp(bigram_logprobs([0, 0, 1], 3, 3.0))
assert np.allclose(small[0], [0.5, 0.4, 0.1])
assert np.allclose(small[1], [1.5 / 3, 1 / 3, 0.5 / 3])

# %% check="bigram_logprobs" points=8
check("bigram_logprobs")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("bigram_logprobs")
### END HIDDEN TESTS

# %% [markdown] hints="bigram_logprobs"
# <details><summary>Hint 1: where to begin</summary>
#
# `ids[:-1]` are all a and `ids[1:]` are all b.
#
# </details>
#
# <details><summary>Hint 2: the sums</summary>
#
# $s\,p(b)$ adds up to $s$ over a row, so the sum of a row of the new counts is $c(a) + s$ by
# itself.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `smooth = counts + strength * np.exp(unigram_logprobs(ids, vocab_size))`, then
# `np.log(smooth / smooth.sum(axis=1, keepdims=True))`.
#
# </details>

# %% [markdown]
# Which strength is right? That is a choice, and choices are made on val:

# %%
for strength in (1, 5, 20, 80):
    bigram = bigram_logprobs(train_ids, VOCAB_SIZE, strength)
    nats = -bigram[val_ids[:-1], val_ids[1:]].mean()
    print(f"{strength:3}  {bits_per_byte(nats, val_bytes_a_token):.3f} bits a byte")

# %%
bigram = bigram_logprobs(train_ids, VOCAB_SIZE, 20)
nats = float(-bigram[val_ids[:-1], val_ids[1:]].mean())
bits["bigram"] = bits_per_byte(nats, val_bytes_a_token)

# %% [markdown]
# ## What compressors know
#
# gzip, xz and zstd are models of text, too: what they expect takes few bits. But six kilobytes are
# little to learn from, and your model has seen all of train before. It is only fair to let a
# compressor see it as well: compress train, compress train with val behind it, and count **what was
# added**.

# %% given="compressors"
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 9, mtime=0),
    "xz": lambda data: lzma.compress(data, preset=6),
    "zstd": lambda data: bytes(pa.Codec("zstd", compression_level=19).compress(data)),
}

# %% [markdown]
# By hand: take a simple compressor, which keeps every fourth byte. 4000 bytes of `before` become
# 1000, and with 200 bytes of `data` behind them 1050. So the 200 bytes cost 50, which is 400 bits,
# or **2.0** bits a byte.
#
# Write `compressed_bits`. `name` is one of `COMPRESSORS`; `before` may be empty. No `data` is a
# `ValueError`.

# %% solve="compressed_bits"
def compressed_bits(name: str, before: bytes, data: bytes) -> float:
    """Bits a byte that COMPRESSORS[name] needs for `data` when it has seen `before`.

    By hand: every fourth byte of 4000 is 1000, and 1050 with 200 bytes of data behind them, which
    makes 50 * 8 / 200 = 2.0.

    Raises:
        ValueError: there is no data.
    """
    # TODO (ch12_capstone): the sizes of two compressions, and their difference.
    # HINT: bytes are added with +; a byte has 8 bits.
    ### BEGIN SOLUTION
    if not data:
        raise ValueError("no data, so nothing to divide by")
    compress = COMPRESSORS[name]
    return 8 * (len(compress(before + data)) - len(compress(before))) / len(data)
    ### END SOLUTION


# %% example="compressed_bits"
COMPRESSORS["every fourth byte"] = lambda data: data[::4]
assert compressed_bits("every fourth byte", bytes(4000), bytes(200)) == 2.0
del COMPRESSORS["every fourth byte"]
again = bytes(range(256)) * 2
assert compressed_bits("xz", again, again) < 1
assert compressed_bits("zstd", b"", bytes(range(256))) > 8

# %% check="compressed_bits" points=4
check("compressed_bits")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("compressed_bits")
### END HIDDEN TESTS

# %% [markdown] hints="compressed_bits"
# <details><summary>Hint 1: where to begin</summary>
#
# `COMPRESSORS[name]` is a function of bytes that returns bytes.
#
# </details>
#
# <details><summary>Hint 2: two sizes</summary>
#
# The size of `before + data` and the size of `before`, both compressed.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `8 * (len(compress(before + data)) - len(compress(before))) / len(data)`
#
# </details>

# %%
train_bytes, val_bytes = ("".join(splits[name]).encode() for name in ("train", "val"))
for name in COMPRESSORS:
    bits[name] = compressed_bits(name, train_bytes, val_bytes)
{name: round(number, 3) for name, number in bits.items()}

# %% [markdown]
# Counting pairs beats all three on so short a text. gzip is behind the others since it forgets what
# is more than 32 KB back.

# %% [markdown]
# ## Contexts
#
# Your model will look at the last three tokens. Which are they, for each place of a batch? The rows
# of a batch are cut from a text, and what stood before a row is unknown, so there a padding stands.
# We take the separator for it: "here begins something".

# %% [markdown]
# By hand, for the row 5, 6, 7, a context of two and padding 9:
#
# | place | token | context |
# |---|---|---|
# | 0 | 5 | 9, 5 |
# | 1 | 6 | 5, 6 |
# | 2 | 7 | 6, 7 |
#
# The token itself is the *last* of its context; what is to be predicted is the one after it.

# %% [markdown]
# Write `contexts`. `inputs` has shape `(B, T)`, an array of any integers or a list of rows. The
# result is int64 of shape `(B * T, context)`: the places of row 0 in order, then those of row 1,
# and so on. `context` is 1 or more, and may be more than T.

# %% solve="contexts"
def contexts(inputs: np.ndarray, context: int, pad: int) -> np.ndarray:
    """The last `context` tokens at each place of (B, T) inputs: int64, (B * T, context).

    By hand: the row 5, 6, 7 with a context of 2 and pad 9 gives 9 5, 5 6, 6 7.
    """
    # TODO (ch12_capstone): padding in front of each row, then windows.
    # HINT: np.lib.stride_tricks.sliding_window_view(rows, context, axis=1).
    ### BEGIN SOLUTION
    inputs = np.asarray(inputs, dtype=np.int64)
    padding = np.full((len(inputs), context - 1), pad, dtype=np.int64)
    rows = np.concatenate([padding, inputs], axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(rows, context, axis=1)
    return windows.reshape(-1, context)
    ### END SOLUTION


# %% example="contexts"
assert contexts([[5, 6, 7]], 2, 9).tolist() == [[9, 5], [5, 6], [6, 7]]
assert contexts([[5], [6]], 1, 9).tolist() == [[5], [6]]

# %% check="contexts" points=6
check("contexts")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("contexts")
### END HIDDEN TESTS

# %% [markdown] hints="contexts"
# <details><summary>Hint 1: where to begin</summary>
#
# With `context - 1` tokens of padding in front, each place has a full context, and place t of the
# row begins its window at t.
#
# </details>
#
# <details><summary>Hint 2: windows</summary>
#
# `sliding_window_view(rows, context, axis=1)` has the shape `(B, T, context)`. Stacking the slices
# `rows[:, i : i + T]` on a new last axis does the same.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `rows = np.concatenate([np.full((B, context - 1), pad), inputs], axis=1)`, then the windows, then
# `.reshape(-1, context)`.
#
# </details>

# %% [markdown]
# ## Weights to begin with
#
# The model is a dict of five arrays. With V tokens, a context of K, a width of D and H hidden
# units:
#
# | name | shape | at the beginning |
# |---|---|---|
# | `embed` | (V, D) | normal, standard deviation 1 |
# | `hidden` | (K * D, H) | normal, standard deviation $1 / \sqrt{K D}$ |
# | `hidden_bias` | (H,) | 0 |
# | `out` | (H, V) | normal, standard deviation 0.01 |
# | `out_bias` | (V,) | 0 |
#
# The sum of K * D products with weights of that size is about as large as one of them, so that the
# hidden layer neither sleeps nor saturates. And with an `out` near 0 all tokens are about equally
# likely at first: a model that knows nothing should say so.

# %% [markdown]
# By hand: with V = 512 and nothing known, each token has the probability 1/512, so the first loss
# has to be near $\ln 512$ = **6.238**. If it is not, look here. And for V = 8, K = 2, D = 2 and
# H = 500 the standard deviation of `hidden` is $1/\sqrt{4}$ = **0.5**, and there are 16 + 2000 +
# 4000 normal numbers.

# %% [markdown]
# Write `init_params`. One new generator, seeded with `seed`, fills `embed`, then `hidden`, then
# `out`, with `normal_` of chapter 5, each with **one call** for all its numbers, row by row. All
# arrays are float32, and the dict has the order of the table.

# %% solve="init_params"
def init_params(vocab_size: int, context: int, width: int, hidden: int, seed: int) -> Params:
    """The five arrays of a new model, float32: embed, hidden, hidden_bias, out, out_bias.

    By hand: V = 8, K = 2, D = 2, H = 500 make a hidden of shape (4, 500) and deviation 1 / 2.
    """
    # TODO (ch12_capstone): one generator, three calls of normal_, two arrays of zeros.
    # HINT: normal_ fills an array of shape (n,); .reshape(shape) afterwards is the same memory.
    ### BEGIN SOLUTION
    rng = MT19937State()
    manual_seed(rng, seed)

    def normal(rows: int, columns: int, std: float) -> np.ndarray:
        flat = np.empty(rows * columns, dtype=np.float32)
        normal_(flat, 0.0, std, rng)
        return flat.reshape(rows, columns)

    inputs = context * width
    return {
        "embed": normal(vocab_size, width, 1.0),
        "hidden": normal(inputs, hidden, 1 / math.sqrt(inputs)),
        "hidden_bias": np.zeros(hidden, dtype=np.float32),
        "out": normal(hidden, vocab_size, 0.01),
        "out_bias": np.zeros(vocab_size, dtype=np.float32),
    }
    ### END SOLUTION


# %% example="init_params"
new = init_params(8, 2, 2, 500, seed=42)
assert [array.shape for array in new.values()] == [(8, 2), (4, 500), (500,), (500, 8), (8,)]
assert abs(new["hidden"].std() - 0.5) < 0.03
assert {array.dtype.name for array in new.values()} == {"float32"}

# %% check="init_params" points=8
check("init_params")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("init_params")
### END HIDDEN TESTS

# %% [markdown] hints="init_params"
# <details><summary>Hint 1: where to begin</summary>
#
# `rng = MT19937State()` and `manual_seed(rng, seed)`, once. A little function inside yours saves
# you from writing the same three lines three times.
#
# </details>
#
# <details><summary>Hint 2: normal numbers</summary>
#
# `flat = np.empty(rows * columns, dtype=np.float32)`, `normal_(flat, 0.0, std, rng)`, and
# `flat.reshape(rows, columns)` is the array.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# A dict is made in the order in which it is written, so the three calls of your little function can
# stand in it: `embed` with 1.0, `hidden` with `1 / math.sqrt(context * width)`, `out` with 0.01;
# between them `np.zeros(hidden, dtype=np.float32)` and at the end `np.zeros(vocab_size, ...)`.
#
# </details>

# %% [markdown]
# ## One hidden layer
#
# Each token of a context is looked up in `embed`, and the K rows are laid **side by side**, oldest
# first, to K * D numbers $e$. Then
#
# $$h = \tanh(e W + b), \qquad z = h U + d$$
#
# with W = `hidden`, b = `hidden_bias`, U = `out`, d = `out_bias`. The $z$ are the logits.
#
# By hand: let V = 2, K = 2, D = 1, H = 1, `embed` 1 and 2, `hidden` 3 and -1, its bias -1, `out` 2
# and 4, its bias 0 and 1. The context 0, 1 has $e$ = 1, 2. Then $1 \cdot 3 - 2 \cdot 1 - 1 = 0$, so
# $h$ = tanh 0 = 0, and the logits are **0, 1**.

# %% [markdown]
# Write `forward`. `context_ids` is what `contexts` gives, of shape `(N, K)`. It returns two arrays,
# $h$ of shape `(N, H)` and the logits of shape `(N, V)`, both of the dtype of the weights.

# %% solve="forward"
def forward(params: Params, context_ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The hidden layer (N, H) and the logits (N, V) after each context.

    By hand: with the weights of the text, the context 0, 1 has h = 0 and logits 0, 1.
    """
    # TODO (ch12_capstone): look up, lay side by side, two layers.
    # HINT: embed[context_ids] has shape (N, K, D).
    ### BEGIN SOLUTION
    embedded = params["embed"][context_ids].reshape(len(context_ids), -1)
    hidden = np.tanh(embedded @ params["hidden"] + params["hidden_bias"])
    return hidden, hidden @ params["out"] + params["out_bias"]
    ### END SOLUTION


# %% example="forward"
by_hand = {
    "embed": np.array([[1.0], [2.0]]),
    "hidden": np.array([[3.0], [-1.0]]),
    "hidden_bias": np.array([-1.0]),
    "out": np.array([[2.0, 4.0]]),
    "out_bias": np.array([0.0, 1.0]),
}
units, logits = forward(by_hand, np.array([[0, 1]]))
assert (units.tolist(), logits.tolist()) == ([[0.0]], [[0.0, 1.0]])

# %% check="forward" points=6
check("forward")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("forward")
### END HIDDEN TESTS

# %% [markdown] hints="forward"
# <details><summary>Hint 1: where to begin</summary>
#
# An array of ids as an index looks up all rows at once.
#
# </details>
#
# <details><summary>Hint 2: side by side</summary>
#
# `.reshape(len(context_ids), -1)` makes (N, K * D) of (N, K, D), oldest token first.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `hidden = np.tanh(embedded @ params["hidden"] + params["hidden_bias"])`, and the logits are
# `hidden @ params["out"] + params["out_bias"]`.
#
# </details>

# %% [markdown]
# ## Loss and gradients
#
# The loss is the mean of $-\ln p$ of the N targets, where $p$ is the softmax of the logits. Going
# back, everything is a product of what came in and what comes back. Read it from the bottom of the
# model to the top, with $y$ the targets as rows of 0 with a single 1:
#
# | gradient of | is |
# |---|---|
# | logits | $g = (p - y) / N$ |
# | `out`, `out_bias` | $h^T g$, the sum of $g$ over its rows |
# | before the tanh | $q = (g U^T) \cdot (1 - h^2)$, number by number |
# | `hidden`, `hidden_bias` | $e^T q$, the sum of $q$ over its rows |
# | $e$ | $q W^T$ |
# | `embed` | each D numbers of it **added** to the row of their token |

# %% [markdown]
# By hand, with the weights above, the context 0, 1 and the target 1: the logits are 0 and 1, so the
# probabilities are 1 / (1 + e) = 0.2689 and 0.7311, and the loss is $-\ln 0.7311$ = **0.3133**. The
# gradient of the logits is 0.2689, -0.2689. As $h$ = 0, that of `out` is 0. Before the tanh it is
# 0.2689 * 2 - 0.2689 * 4 = -0.5379, times 1; so `hidden` gets 1 and 2 times that, and `embed` 3 and
# -1 times that: **-1.6136** and **0.5379**.

# %% [markdown]
# Write `loss_and_grads`. It returns the loss, a plain float, and a dict of gradients with the names
# and shapes of `params`, in their order, and of their dtype. Two things go wrong quietly. Logits
# may be large: subtract the largest of each row before `np.exp`. And a token may stand in many
# contexts, or twice in one: all that comes back to it is added up.

# %% solve="loss_and_grads"
def loss_and_grads(
    params: Params, context_ids: np.ndarray, targets: np.ndarray
) -> tuple[float, Params]:
    """The mean loss in nats of (N,) targets after (N, K) contexts, and its gradients.

    By hand: with the weights of the text, context 0, 1 and target 1 the loss is 0.3133, and the
    gradient of embed is -1.6136, 0.5379.
    """
    # TODO (ch12_capstone): softmax, loss, and then the table from top to bottom.
    # HINT: np.add.at(array, ids, values) adds again where an id comes again.
    ### BEGIN SOLUTION
    embedded = params["embed"][context_ids].reshape(len(context_ids), -1)
    hidden, logits = forward(params, context_ids)
    shifted = logits - logits.max(axis=1, keepdims=True)
    logprobs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    places = np.arange(len(targets))
    loss = -float(logprobs[places, targets].mean())

    back = np.exp(logprobs)
    back[places, targets] -= 1
    back /= len(targets)
    before = (back @ params["out"].T) * (1 - hidden**2)
    embed = np.zeros_like(params["embed"])
    np.add.at(embed, context_ids, (before @ params["hidden"].T).reshape(*context_ids.shape, -1))
    grads = {
        "embed": embed,
        "hidden": embedded.T @ before,
        "hidden_bias": before.sum(axis=0),
        "out": hidden.T @ back,
        "out_bias": back.sum(axis=0),
    }
    return loss, grads
    ### END SOLUTION


# %% example="loss_and_grads"
loss, grads = loss_and_grads(by_hand, np.array([[0, 1]]), np.array([1]))
assert round(loss, 4) == 0.3133
assert grads["embed"].round(4).tolist() == [[-1.6136], [0.5379]]
assert grads["out"].tolist() == [[0.0, 0.0]]

# %% check="loss_and_grads" points=12
check("loss_and_grads")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("loss_and_grads")
### END HIDDEN TESTS

# %% [markdown] hints="loss_and_grads"
# <details><summary>Hint 1: where to begin</summary>
#
# The loss first. $\ln p$ is the logit minus the logarithm of the sum of exp over its row; with the
# largest logit subtracted from the row, nothing overflows.
#
# </details>
#
# <details><summary>Hint 2: the way back</summary>
#
# `back = np.exp(logprobs)`, `back[np.arange(N), targets] -= 1`, `back /= N` is the gradient of the
# logits. Each product in the table is one `@`; check a shape when you are not sure which side is
# turned.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `before = (back @ params["out"].T) * (1 - hidden**2)`; `embedded.T @ before` and `hidden.T @ back`
# are two gradients, `.sum(axis=0)` makes the biases'. For `embed`, start from `np.zeros_like`, and
# `np.add.at(embed, context_ids, (before @ params["hidden"].T).reshape(N, K, -1))`.
#
# </details>

# %% [markdown]
# How do you know that a gradient is right? Change one weight a little, and see whether the loss
# changes as the gradient says:

# %%
moved = {name: array.copy() for name, array in by_hand.items()}
moved["embed"][0, 0] += 1e-6
(loss_and_grads(moved, np.array([[0, 1]]), np.array([1]))[0] - loss) / 1e-6

# %% [markdown]
# ## A step downhill
#
# Plain gradient descent moves each weight by its gradient times a rate. Rare tokens then hardly
# ever move. *Adam* keeps two running means for each weight, of the gradient $g$ and of its square,
# and divides one by the root of the other, so that every weight moves by about the rate:
#
# | | | |
# |---|---|---|
# | mean | $m \leftarrow 0.9\,m + 0.1\,g$ | `BETA_1` is 0.9 |
# | square | $v \leftarrow 0.99\,v + 0.01\,g^2$ | `BETA_2` is 0.99 |
# | corrected | $\hat m = m / (1 - 0.9^t)$, $\hat v = v / (1 - 0.99^t)$ | t is 1 at the first step |
# | weight | $w \leftarrow w - r\,\hat m / (\sqrt{\hat v} + 10^{-8})$ | `EPSILON` outside the root |
#
# Both means begin with 0, which pulls them down; the correction takes that back.

# %% given="adam"
BETA_1 = 0.9
BETA_2 = 0.99
EPSILON = 1e-8

# %% [markdown]
# By hand: a weight 1, a gradient 2, means of 0, rate 0.1, first step. $m$ = 0.2 and $v$ = 0.04;
# both corrected are 2 and 4; the weight becomes 1 - 0.1 * 2 / 2 = **0.9**. The size of the gradient
# does not matter at all in a first step, only its sign.

# %% [markdown]
# Write `adam_step`. All dicts have the same names. It returns three new dicts, weights, means and
# squares, of the same names and dtypes; what was passed **stays as it is**.

# %% solve="adam_step"
def adam_step(
    params: Params, grads: Params, means: Params, squares: Params, step: int, rate: float
) -> tuple[Params, Params, Params]:
    """New weights, means and squares after step number `step`, which counts from 1.

    By hand: weight 1, gradient 2, means 0 and rate 0.1 give weight 0.9, mean 0.2, square 0.04.
    """
    # TODO (ch12_capstone): the four lines of the table, for each name.
    # HINT: dicts of NumPy arrays can be made like lists: {name: ... for name in params}.
    ### BEGIN SOLUTION
    means = {name: BETA_1 * means[name] + (1 - BETA_1) * grads[name] for name in params}
    squares = {name: BETA_2 * squares[name] + (1 - BETA_2) * grads[name] ** 2 for name in params}

    def moved(name: str) -> np.ndarray:
        mean = means[name] / (1 - BETA_1**step)
        square = squares[name] / (1 - BETA_2**step)
        return params[name] - rate * mean / (np.sqrt(square) + EPSILON)

    return {name: moved(name) for name in params}, means, squares
    ### END SOLUTION


# %% example="adam_step"
one, two, none = ({"w": np.array([number])} for number in (1.0, 2.0, 0.0))
weights, mean, square = adam_step(one, two, none, none, 1, 0.1)
assert math.isclose(weights["w"][0], 0.9, rel_tol=1e-6)
assert math.isclose(mean["w"][0], 0.2)
assert math.isclose(square["w"][0], 0.04)

# %% check="adam_step" points=8
check("adam_step")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("adam_step")
### END HIDDEN TESTS

# %% [markdown] hints="adam_step"
# <details><summary>Hint 1: where to begin</summary>
#
# Make the new means and the new squares first; the weights are made of the new ones.
#
# </details>
#
# <details><summary>Hint 2: nothing in place</summary>
#
# `a -= b` changes the array that was passed; `a - b` makes a new one.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# For each name: `mean = means[name] / (1 - BETA_1**step)`, `square = squares[name] / (1 -
# BETA_2**step)`, and `params[name] - rate * mean / (np.sqrt(square) + EPSILON)`.
#
# </details>

# %% [markdown]
# ## Training
#
# A model knows its own context: `hidden` has K * D rows and `embed` D columns. And the separator is
# the last id. So the contexts of a batch need nothing but the model:

# %% given="model_contexts"
def contexts_of(params: Params, inputs: np.ndarray) -> np.ndarray:
    """The contexts of (B, T) inputs that a model wants; padding is the last id."""
    vocab_size, width = params["embed"].shape
    return contexts(inputs, len(params["hidden"]) // width, vocab_size - 1)


def zeros_like(params: Params) -> Params:
    """Zeros in the shapes of a model."""
    return {name: np.zeros_like(array) for name, array in params.items()}


# %% [markdown]
# The rate starts high and goes down in a straight line: step s of S, counted from 0, has
# $r (1 - s / S)$. Early on, long strides; at the end, small ones.
#
# By hand, with 4 steps and rate 0.008: **0.008, 0.006, 0.004, 0.002**. You can see them in the
# losses. A model of zeros with an `out_bias` of 100, 0 is sure of token 0. If token 1 comes each
# time, the loss is 100, both gradients are 1 and -1, and Adam moves both numbers by just the rate.
# So the losses fall by twice the rates: 100, 99.984, 99.972, 99.964, and 99.96 would be the next.

# %% [markdown]
# Write `train`. `batches` is anything that gives pairs of inputs and targets, of shape `(B, T)`
# both, such as your `DataLoader`. It may have no end, and **exactly** `steps` batches are taken
# from it, not one more. Take the contexts with `contexts_of`, gradients with `loss_and_grads`, a
# step with `adam_step`; means begin with zeros, and Adam's t is s + 1. Return the new weights and a
# list of the losses, each measured *before* its step.

# %% solve="train"
def train(
    params: Params, batches: Iterable[tuple[np.ndarray, np.ndarray]], steps: int, rate: float
) -> tuple[Params, list[float]]:
    """Weights after so many steps of Adam with a falling rate, and the loss before each step.

    By hand: 4 steps and rate 0.008 have the rates 0.008, 0.006, 0.004, 0.002.
    """
    # TODO (ch12_capstone): for each batch: contexts, gradients, a step.
    # HINT: islice(batches, steps) takes so many and no more; targets are wanted as one row.
    ### BEGIN SOLUTION
    means, squares = zeros_like(params), zeros_like(params)
    losses = []
    for step, (inputs, targets) in enumerate(islice(batches, steps)):
        loss, grads = loss_and_grads(
            params, contexts_of(params, inputs), np.asarray(targets).reshape(-1)
        )
        losses.append(loss)
        falling = rate * (1 - step / steps)
        params, means, squares = adam_step(params, grads, means, squares, step + 1, falling)
    return params, losses
    ### END SOLUTION


# %% example="train"
sure = zeros_like(init_params(2, 1, 1, 1, seed=1)) | {"out_bias": np.array([100.0, 0.0])}
row = (np.array([[0, 1, 1]]), np.array([[1, 1, 1]]))
moved, losses = train(sure, [row] * 4, 4, 0.008)
assert np.allclose(losses, [100, 99.984, 99.972, 99.964], atol=1e-6)
losses.append(moved["out_bias"][0] - moved["out_bias"][1])
assert np.allclose(-np.diff(losses) / 2, [0.008, 0.006, 0.004, 0.002], atol=1e-6)

# %% check="train" points=4
check("train")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("train")
### END HIDDEN TESTS

# %% [markdown] hints="train"
# <details><summary>Hint 1: where to begin</summary>
#
# `for step, (inputs, targets) in enumerate(islice(batches, steps)):`
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# `contexts_of(params, inputs)` has B * T rows, so the targets have to be one row of B * T ids:
# `np.asarray(targets).reshape(-1)`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# In the loop: `loss, grads = loss_and_grads(...)`, `losses.append(loss)`, then `params, means,
# squares = adam_step(params, grads, means, squares, step + 1, rate * (1 - step / steps))`.
#
# </details>

# %% [markdown]
# Now the real thing: your tokens, your loader, your normal numbers. The model has 32 numbers a
# token and 64 hidden units, and sees the book six times, in batches of 4 times 32 tokens:

# %% given="settings"
SETTINGS = {"context": 3, "width": 32, "hidden": 64}
BATCH = (4, 32)
STEPS = 1170
RATE = 0.006


def train_on(out: Path, seed: int, steps: int = STEPS) -> tuple[Params, list[float]]:
    """Train a new model on the token files of train, shuffled."""
    params = init_params(VOCAB_SIZE, **SETTINGS, seed=seed)
    with DataLoader(str(token_file(out, "train")), *BATCH, should_shuffle=True) as loader:
        return train(params, loader, steps, RATE)


# %%
model, losses = train_on(folder, seed=42)
losses[0], losses[-1]

# %% [markdown]
# Is it learning, and has it stopped? Each grey dot is a batch, the line the mean of fifty:

# %%
figure, axis = plt.subplots()
axis.plot(losses, ".", color="0.75", markersize=3, label="one batch")
axis.plot(range(49, len(losses)), np.convolve(losses, np.ones(50) / 50, "valid"), "k",
          label="mean of 50 batches")
axis.axhline(math.log(VOCAB_SIZE), color="k", linestyle=":", label="ln 512")
axis.set(xlabel="step", ylabel="loss, nats a token")
axis.legend()
plt.show()

# %% [markdown]
# And is it the same model when you train it again? To the last bit:

# %%
twice = [train_on(folder, seed=42, steps=20)[1] for _ in range(2)]
twice[0] == twice[1], twice[0][-1]

# %% [markdown]
# ## Validation
#
# On train, the batches of an epoch came in shuffled order, and each row began with padding, since
# what stood before it was cut off. On val, nothing is cut or shuffled, and every token counts once:
# all but the first are targets, and each has the real tokens before it as its context. Only the
# very first contexts need padding.
#
# By hand: for a model whose `out` and `out_bias` are 0 every token has the probability 1/V. With
# V = 4 and the ids 3, 0, 1, there are two targets, and the mean is $\ln 4$ = **1.3863**.

# %% [markdown]
# Write `evaluate`. It returns a plain float. Logits of a long text at once would be many: 100,000
# targets times 50,000 tokens are 20 GB. So take the contexts of all `ids[:-1]` as one row, and go
# through them in pieces of `piece` rows. The result is the mean **over all targets**, and a last
# piece may be shorter. Fewer than two ids are a `ValueError` that has their number.

# %% solve="evaluate"
def evaluate(params: Params, ids: np.ndarray, piece: int = 1024) -> float:
    """The mean loss in nats of all ids but the first, each after its real context.

    By hand: with out and out_bias of 0 and V = 4, the ids 3, 0, 1 have log 4 = 1.3863.

    Raises:
        ValueError: there are fewer than two ids; the message has their number.
    """
    # TODO (ch12_capstone): contexts once, then piece by piece, and one division at the end.
    # HINT: loss_and_grads gives the mean of a piece; a piece weighs as much as it has targets.
    ### BEGIN SOLUTION
    if len(ids) < 2:
        raise ValueError(f"two ids or more are needed to predict one, got {len(ids)}")
    ids = np.asarray(ids, dtype=np.int64)
    all_contexts, targets = contexts_of(params, ids[None, :-1]), ids[1:]
    total = 0.0
    for start in range(0, len(targets), piece):
        _, logits = forward(params, all_contexts[start : start + piece])
        here = targets[start : start + piece]
        shifted = logits - logits.max(axis=1, keepdims=True)
        chosen = shifted[np.arange(len(here)), here]
        total += float((np.log(np.exp(shifted).sum(axis=1)) - chosen).sum())
    return total / len(targets)
    ### END SOLUTION


# %% example="evaluate"
flat = init_params(4, 2, 8, 8, seed=1) | {"out": np.zeros((8, 4), dtype=np.float32)}
assert math.isclose(evaluate(flat, [3, 0, 1]), math.log(4), rel_tol=1e-6)

# %% check="evaluate" points=4
check("evaluate")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("evaluate")
### END HIDDEN TESTS

# %% [markdown] hints="evaluate"
# <details><summary>Hint 1: where to begin</summary>
#
# `contexts_of(params, ids[None, :-1])` has one row for each of the targets `ids[1:]`.
#
# </details>
#
# <details><summary>Hint 2: pieces</summary>
#
# For `start in range(0, len(targets), piece)`, slice contexts and targets alike. Add up losses, not
# means.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# In the loop, `loss, _ = loss_and_grads(params, some_contexts, some_targets)` and `total += loss *
# len(some_targets)`; at the end `total / len(targets)`. Using `forward` saves the gradients.
#
# </details>

# %%
val_nats = evaluate(model, val_ids)
bits["your model"] = bits_per_byte(val_nats, val_bytes_a_token)
val_nats, bits["your model"]

# %% [markdown]
# Did the hidden layer learn more than counting and compressing do? Shorter is better:

# %%
ranking = sorted(bits.items(), key=lambda item: -item[1])
figure, axis = plt.subplots()
bars = axis.barh([name for name, _ in ranking], [number for _, number in ranking], color="0.8",
                 edgecolor="k", hatch=["//" if name == "your model" else "" for name, _ in ranking])
axis.bar_label(bars, fmt="%.3f", padding=3)
axis.set(xlabel="bits a byte on val, train was seen before", xlim=(0, 4))
plt.show()

# %% [markdown]
# Bits a byte compare models, but say little to anybody else. Can it sit chapter 9's exam? The loss
# at each place of the four rows goes to `stat_losses`, which counts the questions in which the
# right ending surprises least. Guessing gets three of twelve:

# %%
questions = (root() / "fixtures/ch09_evalloader/questions.jsonl").read_text("utf-8").splitlines()
examples = [
    Example(
        tokenizer.encode(each["ctx"]),
        [tokenizer.encode(f" {ending}") for ending in each["endings"]], each["label"],
    )
    for each in map(json.loads, questions)
]
write_evalfile(folder / "exam.bin", examples)
exam = EvalLoader(folder / "exam.bin", B=4 * len(examples), T=128)
rows, targets = exam.next_batch()
_, logits = forward(model, contexts_of(model, rows))
top = logits.max(axis=1)
chosen = logits[np.arange(len(logits)), targets.reshape(-1)]
surprise = (np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top - chosen).reshape(rows.shape)
print(exam.stat_losses(surprise), "of", exam.num_examples)

# %% [markdown]
# No better than somebody who guesses: it looks back three tokens, so it has not even read the
# question. Bits a byte are the finer measure, and show progress long before an exam does.

# %% [markdown]
# ## Text again
#
# The model gives logits, chapter 11 chooses, and what was chosen becomes part of the context:
#
# 1. The context is the last K ids of the prompt and of all that was chosen, with the separator (the
#    last id) in front where there are too few.
# 2. The logits go through `apply_temperature`, then through `top_k`.
# 3. `sample_softmax` over all of them, with a coin of `random_f32`, gives the next id. Every id
#    takes one coin, from one `XorshiftState(seed)`.
# 4. If it is the separator, the text has ended, and the separator is not part of it.

# %% [markdown]
# By hand: let `out` be 0 and `out_bias` 0, 5, 1, with V = 3 and a temperature of 0. Then id 1 is
# chosen, each time, whatever the context: **1, 1, 1** for n = 3. With `out_bias` 0, 1, 5 it would
# be the separator at once, and the result is **empty**.

# %% [markdown]
# Write `generate`. It returns a list of at most n plain ints, without the prompt.

# %% solve="generate"
def generate(
    params: Params, prompt: list[int], n: int, seed: int, temperature: float = 0.8, k: int = 40
) -> list[int]:
    """Up to n ids that follow a prompt, which may be empty; a separator ends it.

    By hand: with out 0, out_bias 0, 5, 1 and temperature 0, three ids are 1, 1, 1; with an
    out_bias of 0, 1, 5 there are none.
    """
    # TODO (ch12_capstone): context, logits, temperature, top_k, coin, id, and so on.
    # HINT: separators in front of the prompt, as many as a context has, fill the first context.
    ### BEGIN SOLUTION
    vocab_size = len(params["embed"])
    context, separator = len(params["hidden"]) // params["embed"].shape[1], vocab_size - 1
    state = XorshiftState(seed)
    ids = [separator] * context + list(prompt)
    start = len(ids)
    while len(ids) < start + n:
        _, logits = forward(params, np.array([ids[-context:]]))
        logits = top_k(apply_temperature(logits[0], temperature), k)
        chosen = sample_softmax(logits, vocab_size, random_f32(state))
        if chosen == separator:
            break
        ids.append(chosen)
    return ids[start:]
    ### END SOLUTION


# %% example="generate"
three = init_params(3, 2, 8, 8, seed=1) | {"out": np.zeros((8, 3), dtype=np.float32)}
ones = three | {"out_bias": np.array([0, 5, 1], dtype=np.float32)}
assert generate(ones, [], 3, seed=1, temperature=0) == [1, 1, 1]
ends = three | {"out_bias": np.array([0, 1, 5], dtype=np.float32)}
assert generate(ends, [0], 3, seed=1, temperature=0) == []

# %% check="generate" points=4
check("generate")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("generate")
### END HIDDEN TESTS

# %% [markdown] hints="generate"
# <details><summary>Hint 1: where to begin</summary>
#
# Keep one list: separators, then the prompt, then what was chosen. `ids[-context:]` is always the
# context.
#
# </details>
#
# <details><summary>Hint 2: one id</summary>
#
# `forward(params, np.array([ids[-context:]]))` returns logits of shape (1, V); take row 0.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `logits = top_k(apply_temperature(logits[0], temperature), k)` and `chosen =
# sample_softmax(logits, vocab_size, random_f32(state))`. Stop at `vocab_size - 1`, else append.
#
# </details>

# %% [markdown]
# Ids become text through the decoder of chapter 3, piece by piece, and no character is cut in two:

# %% given="stream"
def stream(ids: Iterable[int], tokens: list[bytes]) -> Iterator[str]:
    """The text of some ids, as it becomes complete."""
    decoder = StreamingDecoder(tokens)
    yield from (decoder.push(token_id) for token_id in ids)
    yield decoder.finish()


# %%
prompt = "The lamp"
ids = generate(model, tokenizer.encode(prompt), 120, seed=7)
print(prompt, *stream(ids, tokenizer.tokens), sep="")

# %% [markdown]
# A hundred and twenty tokens of nonsense, in the tone of the book: three tokens of memory are not
# much. Who gets these ids without your tokenizer can read them too, from the file of chapter 10,
# which is all that llm.c needs. Here are the first forty:

# %%
write_vocab(folder / "vocab.bin", tokenizer.tokens, tokenizer.eot_id)
reader = Tokenizer()
reader.init(folder / "vocab.bin")
for token_id in ids[:40]:
    safe_print(reader.decode(token_id))

# %% [markdown]
# What does the model think may follow the prompt, and what does temperature make of it?

# %%
last = contexts_of(model, np.array([tokenizer.encode(prompt)]))[-1:]
raw = forward(model, last)[1][0]
best = np.argsort(-raw)[:12]
figure, axis = plt.subplots()
for place, (temperature, style) in enumerate({0.5: "k", 1.0: "0.6", 2.0: "w"}.items()):
    weights = np.exp(apply_temperature(raw, temperature).astype(float))
    axis.bar(np.arange(12) + 0.27 * (place - 1), weights[best] / weights.sum(), 0.27,
             color=style, edgecolor="k", label=f"temperature {temperature}")
axis.set_xticks(range(12), [repr(tokenizer.decode([int(each)])) for each in best])
axis.set(xlabel=f"next token after {prompt!r}", ylabel="probability")
axis.legend()
plt.show()

# %% [markdown]
# ## The test split, once
#
# You have tried four strengths, and may try ten rates, and each time you kept what was best on val.
# So val is no stranger any more, and its number is a little too good. That is what test is for, and
# it can do that **once**: as soon as a choice depends on it, it is a second val. Good intentions
# are forgotten by next month, a file is not.

# %% [markdown]
# By hand: `SealedSplit(path, record)` names a token file and a file that is not there yet. The
# first `open("final")` writes `final` to the record and gives the ids. From then on any `open` is a
# **RuntimeError**, in another process or next year, too, until somebody deletes the record, and
# knows what that means.

# %% [markdown]
# Write `SealedSplit`:
#
# - If there is a record, `open(reason)` raises a `RuntimeError` whose message has the path of the
#   record and the reason in it. Nothing is changed then. That comes first: whoever has opened the
#   split is told so, even if its file has gone since, or is damaged.
# - Else it reads the ids with `read_bin`, as an array; writes the reason to the record, UTF-8; and
#   returns the ids. If the file cannot be read, what `read_bin` raises goes out, and **nothing is
#   spent**: no record is written.
# - Two processes may open at the same moment, and only one of them must get the ids. `open(record,
#   "x")` of Python creates a file or fails. Asking whether it exists is not enough: that leaves a
#   gap between the answer and the writing.
#
# One way to see the gap with a single process: let the record be a symbolic link to a file that is
# not there. `exists()` says no, and mode `"x"` refuses all the same. Then `open` raises a
# `RuntimeError` or an `OSError`, gives no ids, and writes nothing.

# %% solve="SealedSplit"
class SealedSplit:
    """A token file that is opened once; a record beside it remembers.

    By hand: the first open("final") gives the ids, the second is a RuntimeError.
    """

    # TODO (ch12_capstone): read, create the record or fail, return.
    # HINT: FileExistsError is what mode "x" raises; Path.open takes a mode and an encoding.

    def __init__(self, path: Path, record: Path) -> None:
        """`path` is the token file; `record` is written when it is opened."""
        ### BEGIN SOLUTION
        self.path, self.record = path, record
        ### END SOLUTION

    def open(self, reason: str) -> np.ndarray:
        """The ids, once. Raises RuntimeError ever after; the message has record and reason."""
        ### BEGIN SOLUTION
        try:
            if self.record.exists():
                raise FileExistsError
            _, ids = read_bin(self.path)
            with self.record.open("x", encoding="utf-8") as file:
                file.write(reason)
        except FileExistsError:
            before = self.record.read_text(encoding="utf-8")
            raise RuntimeError(
                f"this split was opened before, for {before!r}, says {self.record}; choose on val"
            ) from None
        return ids
        ### END SOLUTION


# %% example="SealedSplit"
from llmdata.tokenize import write_bin

write_bin(folder / "sealed.bin", [3, 1, 2], 512)
sealed = SealedSplit(folder / "sealed.bin", folder / "sealed-opened.txt")
assert sealed.open("final").tolist() == [3, 1, 2]
try:
    sealed.open("again")
    raise AssertionError("opened twice")
except RuntimeError as error:
    print(error)

# %% check="SealedSplit" points=4
check("SealedSplit")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("SealedSplit")
### END HIDDEN TESTS

# %% [markdown] hints="SealedSplit"
# <details><summary>Hint 1: where to begin</summary>
#
# Is there a record? Then `_, ids = read_bin(self.path)`: if that fails, nothing has happened yet.
#
# </details>
#
# <details><summary>Hint 2: one of two</summary>
#
# `with self.record.open("x", encoding="utf-8") as file` raises `FileExistsError` for everybody but
# the first.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Write the reason inside that `with`. Around it, `except FileExistsError:` reads the record and
# raises `RuntimeError(f"opened before, for {before!r}, says {self.record}")`. Where you ask first,
# in the same `try`, you can `raise FileExistsError` yourself. After it, return ids.
#
# </details>

# %% [markdown]
# All choices are made. This is the number to report:

# %%
test_ids = SealedSplit(token_file(folder, "test"), folder / "test-opened.txt").open("final number")
test_bytes_a_token = bytes_per_token(splits["test"], tokenizer.encode_batch(splits["test"]))
bits_per_byte(evaluate(model, test_ids), test_bytes_a_token)

# %% [markdown]
# ## A datasheet
#
# Whoever gets your token files next year will ask: which text, which edition, how was it split, how
# many tokens, of which tokenizer? A **datasheet** answers. One in JSON is for programs, one in
# Markdown for people, and the second is made from the first, so they cannot disagree.

# %% [markdown]
# By hand: the texts "Hi" and "ok" are two documents of 4 bytes; as bytes they are 4 ids, 1.0 bytes
# a token. SHA-256 of a split is that of its texts joined by the separator, as in chapter 1:
# `Hi<|endoftext|>ok` begins with **a19504**.

# %%
hashlib.sha256(EOT.join(["Hi", "ok"]).encode()).hexdigest()[:6]

# %% [markdown]
# Write `datasheet`. `sources` are files by name; `splits` and `encoded` are texts and their ids by
# name of split, without separators; `tokenizer` is a file as `BPETokenizer.save` writes it. The
# result is made of plain dicts, lists, strings and numbers, so that `json.dumps` takes it:
#
# | entry | value |
# |---|---|
# | `format`, `version` | `"llmdata-datasheet"`, 1 |
# | `title` | as given |
# | `sources` | a list of `{"name", "bytes", "sha256"}` |
# | `splits` | a list of `{"name", "documents", "bytes", "tokens", "bytes_per_token", "sha256"}` |
# | `tokenizer` | `{"vocab_size", "sha256"}`: the entry in its JSON, the hash of the whole file |
#
# Entries and lists are in this order and in that of the arguments; hashes are 64 hexadecimal
# digits. A split without ids has `None` for bytes a token. Names of `splits` and `encoded` that
# differ are a `ValueError`.

# %% solve="datasheet"
def datasheet(
    title: str,
    sources: dict[str, bytes],
    splits: dict[str, list[str]],
    encoded: dict[str, list[list[int]]],
    tokenizer: bytes,
) -> dict:
    """What a corpus is, in plain values: sources, hashes, splits, token counts, tokenizer.

    By hand: "Hi" and "ok" as bytes are 2 documents, 4 bytes, 4 tokens and 1.0 bytes a token.

    Raises:
        ValueError: splits and encoded have different names.
    """
    # TODO (ch12_capstone): a dict in the order of the table; one entry for each source and split.
    # HINT: a function inside yours that gives the hash of some bytes; bytes_per_token of chapter 3.
    ### BEGIN SOLUTION
    if list(splits) != list(encoded):
        raise ValueError(f"texts of {list(splits)}, and ids of {list(encoded)}")

    def digest(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()

    def split(name: str) -> dict:
        texts, ids = splits[name], encoded[name]
        tokens = sum(map(len, ids))
        return {
            "name": name, "documents": len(texts), "bytes": len("".join(texts).encode()),
            "tokens": tokens, "bytes_per_token": bytes_per_token(texts, ids) if tokens else None,
            "sha256": digest(EOT.join(texts).encode()),
        }

    return {
        "format": "llmdata-datasheet", "version": 1, "title": title,
        "sources": [
            {"name": name, "bytes": len(data), "sha256": digest(data)}
            for name, data in sources.items()
        ],
        "splits": [split(name) for name in splits],
        "tokenizer": {
            "vocab_size": json.loads(tokenizer)["vocab_size"], "sha256": digest(tokenizer)
        },
    }
    ### END SOLUTION


# %% example="datasheet"
sheet = datasheet(
    "Two words", {"words.txt": b"Hi\nok\n"}, {"train": ["Hi", "ok"]},
    {"train": [[72, 105], [111, 107]]}, b'{"vocab_size": 257}',
)
assert sheet["splits"][0]["bytes_per_token"] == 1.0
assert sheet["splits"][0]["sha256"].startswith("a19504")

# %% check="datasheet" points=4
check("datasheet")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("datasheet")
### END HIDDEN TESTS

# %% [markdown] hints="datasheet"
# <details><summary>Hint 1: where to begin</summary>
#
# `hashlib.sha256(data).hexdigest()` is wanted three times, so give it a name.
#
# </details>
#
# <details><summary>Hint 2: a split</summary>
#
# `len("".join(texts).encode())` are the bytes, `sum(map(len, ids))` the tokens, and
# `bytes_per_token(texts, ids)` needs at least one.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Compare `list(splits)` with `list(encoded)`. Then return one dict, with a list comprehension over
# `sources.items()` and one over the names of `splits`; `json.loads(tokenizer)["vocab_size"]`.
#
# </details>

# %% given="markdown"
def table(rows: list[dict]) -> str:
    """Rows of equal keys as a Markdown table."""
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def datasheet_markdown(sheet: dict) -> str:
    """A datasheet for people."""
    parts = [f"# Datasheet: {sheet['title']}"]
    for heading, rows in (
        ("Sources", sheet["sources"]), ("Splits", sheet["splits"]),
        ("Tokenizer", [sheet["tokenizer"]]),
    ):
        parts += [f"## {heading}", table(rows)]
    return "\n\n".join(parts) + "\n"


# %%
encoded = {name: tokenizer.encode_batch(texts) for name, texts in splits.items()}
sheet = datasheet(
    "Twelve Stories from Saltmere", {"twelve_stories.txt": ebook}, splits, encoded,
    (folder / "tokenizer.json").read_bytes(),
)
print(datasheet_markdown(sheet))

# %% [markdown]
# ## From the command line
#
# All of this is one command, once `ol export` has written your package:
#
# `python -m llmdata train twelve_stories.txt run`
#
# It writes tokens, model, datasheet and a report to `run`, and says whose code it ran on. The
# report has the loss on val in nats a token and in bits a byte, and all baselines beside it. `ol
# capstone` does the same with your chapters where they pass and the course's where they do not.

# %% given="command"
def origin() -> str:
    """Whose functions these are, by the provenance of the exported package."""
    path = Path(llmdata.__path__[0]) / "PROVENANCE.json"
    modules = json.loads(path.read_bytes())["modules"] if path.exists() else {}
    words = {"learner": "your own", "reference": "the course's"}
    by = {
        name: {words[each["origin"]] for each in module["functions"]}
        for name, module in modules.items()
    }
    return ", ".join(f"{name}: {' and '.join(sorted(by[name]))}" for name in sorted(by) if by[name])


STRENGTH = 20  # the best of four on val, above


def baselines(out: Path, splits: dict[str, list[str]]) -> dict[str, float]:
    """Bits a byte on val of all that is no model of yours; train was seen before."""
    train, val = ("".join(splits[name]).encode() for name in ("train", "val"))
    train_ids, val_ids = (read_bin(token_file(out, name))[1] for name in ("train", "val"))
    targets, bytes_a_token = val_ids[1:], len(val) / (len(val_ids) - 1)
    logprobs = {
        "unigram": unigram_logprobs(train_ids, VOCAB_SIZE)[targets],
        "bigram": bigram_logprobs(train_ids, VOCAB_SIZE, STRENGTH)[val_ids[:-1], targets],
    }
    counted = {
        name: bits_per_byte(float(-each.mean()), bytes_a_token) for name, each in logprobs.items()
    }
    return counted | {name: compressed_bits(name, train, val) for name in COMPRESSORS}


def write_datasheet(sheet: dict, out: Path) -> None:
    """A datasheet for programs and for people: datasheet.json, datasheet.md."""
    (out / "datasheet.json").write_text(json.dumps(sheet, indent=1) + "\n", encoding="utf-8")
    (out / "datasheet.md").write_text(datasheet_markdown(sheet), encoding="utf-8")


def measure_test(
    measure: Callable[[np.ndarray], float], sealed: "SealedSplit", record: Path, reason: str
) -> dict:
    """Test, once: its number goes into the record, and whoever comes later is told it."""
    record.parent.mkdir(parents=True, exist_ok=True)
    try:
        ids = sealed.open(reason)
    except RuntimeError as error:
        return {"test_sealed": str(error)}
    number = measure(ids)
    with record.open("a", encoding="utf-8") as file:
        file.write(f": {number} bits a byte")
    return {"test_bits_per_byte": number}


def run(
    ebook: Path, out: Path, seed: int = 42, steps: int = STEPS, seals: Path | None = None
) -> dict:
    """From an e-book to a model, and what came of it.

    `seals` is the folder of records, each named by the hash of a test split; without it they are
    in `out`. A split that has a record is not evaluated.
    """
    data = ebook.read_bytes()
    splits = split_book(data)
    tokenizer = write_tokens(splits, out)
    encoded = {name: tokenizer.encode_batch(texts) for name, texts in splits.items()}
    params, losses = train_on(out, seed, steps)
    np.savez(out / "model.npz", **params)
    sheet = datasheet(
        ebook.stem, {ebook.name: data}, splits, encoded, (out / "tokenizer.json").read_bytes()
    )
    write_datasheet(sheet, out)

    def bits(name: str, nats: float) -> float:
        return bits_per_byte(nats, bytes_per_token(splits[name], encoded[name]))

    val_nats = evaluate(params, read_bin(token_file(out, "val"))[1])
    record = (seals or out / "test-opened") / f"{sheet['splits'][-1]['sha256']}.txt"
    report = {
        "seed": seed, "steps": steps, "first_loss": losses[0], "last_loss": losses[-1],
        "val_nats_per_token": val_nats, "val_bits_per_byte": bits("val", val_nats),
        "baselines_bits_per_byte": baselines(out, splits),
        **measure_test(
            lambda ids: bits("test", evaluate(params, ids)),
            SealedSplit(token_file(out, "test"), record), record, f"seed {seed}, {steps} steps",
        ),
        "text": "".join(stream(generate(params, [], 80, seed), tokenizer.tokens)),
    }
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def main(arguments: Sequence[str] | None = None) -> None:
    """`python -m llmdata train EBOOK OUT`; `pack` is handed to chapter 7."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["pack"]:
        return tokenize.main(words)
    parser = argparse.ArgumentParser(
        prog="python -m llmdata", epilog="There is also pack, for token files: see pack --help."
    )
    command = parser.add_subparsers(required=True).add_parser(
        "train", help="train a small model on an e-book of twelve stories"
    )
    command.add_argument("ebook", type=Path, help="a text in the form of chapter 1")
    command.add_argument("out", type=Path, help="the folder to write")
    command.add_argument("--seed", type=int, default=42)
    command.add_argument("--steps", type=int, default=STEPS)
    command.add_argument(
        "--seals", type=Path, metavar="FOLDER",
        help="where evaluated test splits are remembered; OUT/test-opened unless given",
    )
    options = parser.parse_args(words)
    if found := origin():
        print(f"modules: {found}")
    try:
        report = run(options.ebook, options.out, options.seed, options.steps, options.seals)
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"{parser.prog} train: {error}")
    for name, value in report.items():
        print(f"{name}: {value}")
    print(f"datasheet: {options.out / 'datasheet.md'}, {options.out / 'datasheet.json'}")


# %%
story = folder / "twelve_stories.txt"
story.write_bytes(ebook)
main(["train", str(story), str(folder / "run"), "--steps", "200"])

# %% [markdown]
# The record of test is named by the hash of the split, and the number stands in it, too. So a
# second run into the same folder does not measure again, whatever its model, and nothing is lost:

# %%
run(story, folder / "run", steps=1)["test_sealed"]

# %% [markdown]
# Another folder would have records of its own, and test a second first time. So `--seals FOLDER`
# names one for all runs. `ol capstone` always keeps them in `test-opened` in your work folder, and
# a run of two steps, just to try, spends the one look as well.

# %% [markdown]
# ## What goes wrong
#
# Slips that are easily made, what they look like, and the hidden test that notices each
# (`ol tests ch12` lists them all):
#
# | slip | what you would see | caught by |
# |---|---|---|
# | bits not made of nats | fewer bits than the same model had elsewhere | `test_bits_by_hand` |
# | nothing added to counts | a loss of infinity | `test_unigram_by_hand` |
# | pairs turned round | rows that say what came before | `test_bigram_rows` |
# | a repeated pair counted once | common pairs look as rare as others | `test_bigram_counts` |
# | compressors start cold | gzip looks worse than it is | `test_compressed_bits` |
# | the future in the context | a loss that is much too good | `test_contexts_by_hand` |
# | rows run together | another row's tokens in a context | `test_contexts_by_hand` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | a fresh generator each time | weights that are copies of each other | `test_init_numbers` |
# | logits not shifted | `nan` after some hundred steps | `test_large_logits` |
# | a repeated token counted once | common tokens learn slowly | `test_gradients` |
# | means not corrected | the first steps are tiny | `test_adam_three_steps` |
# | a rate that stays | losses that jump about to the end | `test_train_by_formula` |
# | mean of means | val changes with the size of pieces | `test_evaluate_pieces` |
# | a coin for all | the same token over and over | `test_generate_coins` |
# | the seal left open | a second number for test | `test_sealed_once` |
# | asked and then written | two processes, two numbers for test | `test_sealed_without_a_gap` |
# | separators left out of the hash | another hash than chapter 1's | `test_datasheet_by_hand` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# leave out the 2 in your `math.log(2)`, and see whether it fails.

# %%
def test_a_bit():
    """A coin toss for each byte is one bit a byte."""
    assert math.isclose(bits_per_byte(math.log(2), 1.0), 1.0)


test_a_bit()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the two tables above. Notice every slip of the tables, and
# four bugs in five altogether. A test that fails on right code in another form is refused, so
# compare floats with a tolerance and test what this chapter promises.

# %% [markdown]
# Write plain functions called `test_...`. Reach everything through `lm`: in this notebook that is
# what the cells above define. Tests are tried alone, so import or define in their cell what else
# they use. Models of a few numbers in float64 are enough, and gradients have the best test of all:
# change a weight, and look at the loss. Token files are written with `write_bin` of chapter 7.

# %% tests="own_tests"
import hashlib
import json
import math
import zlib
from itertools import cycle, pairwise

import numpy as np
import pytest

from llmdata import lm
from llmdata.tokenize import write_bin


def test_bits():
    # TODO (ch12_capstone): replace this by a test, and add one for each slip you can think of.
    # HINT: rows of probabilities add up to 1, gradients by differences, pieces, coins, seals...
    ### BEGIN SOLUTION
    assert math.isclose(lm.bits_per_byte(math.log(8), 2.0), 1.5)
    for bad in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match=str(bad)):
            lm.bits_per_byte(1.0, bad)


def model(dtype=np.float64, V=5, K=2, D=3, H=4):
    """Any small model."""
    rng = np.random.default_rng(3)
    shapes = {"embed": (V, D), "hidden": (K * D, H), "hidden_bias": H, "out": (H, V), "out_bias": V}
    return {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}


def logprobs(params, context_ids):
    """What the model says, without its code."""
    e = np.array([np.concatenate(params["embed"][list(row)]) for row in context_ids])
    h = np.tanh(e @ params["hidden"] + params["hidden_bias"])
    z = h @ params["out"] + params["out_bias"]
    z = z - z.max(axis=1, keepdims=True)
    return h, z - np.log(np.exp(z).sum(axis=1, keepdims=True))


def test_unigram():
    """One more of each, in a vocabulary that may be larger than what came."""
    got = lm.unigram_logprobs(np.array([0, 0, 1], dtype=np.uint16), 4)
    np.testing.assert_allclose(np.exp(got), [3 / 7, 2 / 7, 1 / 7, 1 / 7])
    np.testing.assert_allclose(np.exp(lm.unigram_logprobs([], 2)), [0.5, 0.5])


def test_bigram():
    """Counts of pairs plus strength times the unigram."""
    ids = [0, 1, 0, 1, 2, 2]
    counts = np.zeros((4, 4))
    for a, b in pairwise(ids):
        counts[a, b] += 1
    wanted = (counts + 2.0 * np.array([3, 3, 3, 1]) / 10) / (counts.sum(1, keepdims=True) + 2.0)
    np.testing.assert_allclose(np.exp(lm.bigram_logprobs(ids, 4, 2.0)), wanted)
    for bad in (0, -1.0, math.nan):
        with pytest.raises(ValueError, match=str(bad)):
            lm.bigram_logprobs(ids, 4, bad)


def test_compressors():
    """What is added to what was there; gzip is zlib with a longer header."""
    before, data = b"she sells sea shells " * 9, b"on the sea shore she sells"
    added = len(zlib.compress(before + data, 9)) - len(zlib.compress(before, 9))
    assert lm.compressed_bits("gzip", before, data) == 8 * added / len(data)
    with pytest.raises(ValueError, match=r"."):
        lm.compressed_bits("gzip", before, b"")


def test_contexts():
    """Oldest first, the token itself last, rows apart."""
    got = lm.contexts(np.array([[1, 2], [3, 4]], dtype=np.uint16), 3, 9)
    assert (got.dtype, got.tolist()) == (
        np.int64, [[9, 9, 1], [9, 1, 2], [9, 9, 3], [9, 3, 4]]
    )
    assert lm.contexts([[7, 8]], 1, 9).tolist() == [[7], [8]]


def test_init():
    """Three arrays of one stream, each of its size; seeds differ, and repeat."""
    params = lm.init_params(64, 3, 16, 48, seed=5)
    assert list(params) == ["embed", "hidden", "hidden_bias", "out", "out_bias"]
    assert {array.dtype for array in params.values()} == {np.dtype("float32")}
    shapes = [array.shape for array in params.values()]
    assert shapes == [(64, 16), (48, 48), (48,), (48, 64), (64,)]
    for name, std in (("embed", 1), ("hidden", 48**-0.5), ("out", 0.01)):
        assert abs(params[name].std() / std - 1) < 0.1
    assert not params["hidden_bias"].any()
    assert not params["out_bias"].any()
    first = params["embed"].reshape(-1)[:256]
    for name, std in (("hidden", 48**-0.5), ("out", 0.01)):
        assert not np.allclose(params[name].reshape(-1)[:256] / std, first, atol=1e-3)
    again, other = (lm.init_params(64, 3, 16, 48, seed=seed) for seed in (5, 6))
    assert (again["out"] == params["out"]).all()
    assert (other["embed"] != params["embed"]).any()


def test_init_stream():
    """The last of three arrays stands where one generator has come to."""
    whole = lm.init_params(1, 1, 48, 1, seed=9)["embed"].reshape(-1)
    parts = lm.init_params(16, 1, 1, 16, seed=9)
    np.testing.assert_allclose(parts["embed"].reshape(-1), whole[:16], atol=1e-5)
    np.testing.assert_allclose(parts["hidden"].reshape(-1), whole[16:32], atol=1e-5)


CONTEXTS = np.array([[0, 1], [1, 1], [4, 0], [2, 1]])
TARGETS = np.array([1, 0, 4, 1])


def test_forward():
    """Both layers, in float64 and float32."""
    for dtype in (np.float64, np.float32):
        params = model(dtype)
        hidden, logits = lm.forward(params, CONTEXTS)
        wanted = logprobs(params, CONTEXTS)
        assert {hidden.dtype, logits.dtype} == {np.dtype(dtype)}
        np.testing.assert_allclose(hidden, wanted[0], rtol=1e-4)
        shift = logits - wanted[1]
        np.testing.assert_allclose(shift - shift[:, :1], 0, atol=1e-4)
    flat = model() | {"out": np.zeros((4, 5))}
    np.testing.assert_allclose(lm.forward(flat, CONTEXTS)[1][0], flat["out_bias"])


def test_gradients():
    """Each number of each gradient is the slope of the loss."""
    params = model()
    loss, grads = lm.loss_and_grads(params, CONTEXTS, TARGETS)
    assert type(loss) is float
    assert math.isclose(loss, -logprobs(params, CONTEXTS)[1][range(4), TARGETS].mean())
    assert list(grads) == list(params)
    for name, array in params.items():
        for place in np.ndindex(array.shape):
            sides = []
            for step in (1e-5, -1e-5):
                moved = array.copy()
                moved[place] += step
                found = logprobs(params | {name: moved}, CONTEXTS)[1]
                sides.append(-found[range(4), TARGETS].mean())
            slope = (sides[0] - sides[1]) / 2e-5
            assert abs(grads[name][place] - slope) < 1e-6


def test_large_logits():
    """Nothing overflows, and float32 stays."""
    params = model(np.float32) | {"out_bias": np.array([0, 1e3, 0, 0, 2e3], dtype=np.float32)}
    loss, grads = lm.loss_and_grads(params, CONTEXTS, TARGETS)
    assert math.isfinite(loss)
    assert {array.dtype for array in grads.values()} == {np.dtype("float32")}
    assert math.isfinite(lm.evaluate(params, [4, 1, 1]))


def test_adam():
    """Three steps by the formulas, and nothing changed that was passed."""
    params, means, squares = ({"w": np.array([1.0, -2.0])}, {"w": np.zeros(2)}, {"w": np.zeros(2)})
    w, m, v = np.array([1.0, -2.0]), np.zeros(2), np.zeros(2)
    for step, g in enumerate(([2.0, 1e-9], [-1.0, 3.0], [0.5, 0.0]), start=1):
        grads, old = {"w": np.array(g)}, params["w"].copy()
        new = lm.adam_step(params, grads, means, squares, step, 0.1)
        assert (params["w"] == old).all()
        params, means, squares = new
        m, v = 0.9 * m + 0.1 * grads["w"], 0.99 * v + 0.01 * grads["w"] ** 2
        w = w - 0.1 * m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.99**step)) + 1e-8)
        for got, wanted in ((params, w), (means, m), (squares, v)):
            np.testing.assert_allclose(got["w"], wanted, rtol=1e-9)


def test_train():
    """So many batches, a falling rate, losses from before the step."""
    params = model(V=5)
    batches = [(np.array([[0, 1], [2, 3]]), np.array([[1, 2], [3, 4]])),
               (np.array([[4, 0], [0, 0]]), np.array([[0, 0], [0, 1]]))]
    got, losses = lm.train(params, batches * 5, 3, 0.1)
    zeros = {name: np.zeros_like(array) for name, array in params.items()}
    wanted, means, squares = params, zeros, zeros
    pads = [[[4, 0], [0, 1], [4, 2], [2, 3]], [[4, 4], [4, 0], [4, 0], [0, 0]]]
    for step, (rows, (_, targets)) in enumerate(zip(cycle(pads), (batches * 2)[:3], strict=False)):
        loss, grads = lm.loss_and_grads(wanted, np.array(rows), targets.reshape(-1))
        assert math.isclose(losses[step], loss, rel_tol=1e-9)
        wanted, means, squares = lm.adam_step(
            wanted, grads, means, squares, step + 1, 0.1 * (1 - step / 3)
        )
    for name in params:
        np.testing.assert_allclose(got[name], wanted[name], rtol=1e-6, atol=1e-9)
    assert len(losses) == 3


@pytest.mark.parametrize("piece", [1, 2, 3, 1024])
def test_evaluate(piece):
    """Every target once, in whatever pieces."""
    params, ids = model(), np.array([4, 0, 1, 1, 3, 2], dtype=np.uint16)
    rows = [[4, 4], [4, 0], [0, 1], [1, 1], [1, 3]]
    wanted = -logprobs(params, rows)[1][range(5), ids[1:]].mean()
    assert math.isclose(lm.evaluate(params, ids, piece), wanted)
    for few in ([], [1]):
        with pytest.raises(ValueError, match=str(len(few))):
            lm.evaluate(params, few)


def coins(seed, n):
    x, found = seed, []
    for _ in range(n):
        x ^= x >> 12
        x ^= x << 25 & 2**64 - 1
        x ^= x >> 27
        found.append(((x * 0x2545F4914F6CDD1D & 2**64 - 1) >> 40) / 2**24)
    return found


def test_generate():
    """Greedy by hand; then coins, one for each id; a separator ends it."""
    params = model(V=6)
    ids = [2, 3]
    for _ in range(4):
        ids.append(int(np.argmax(logprobs(params, [ids[-2:]])[1][0][:5])))
    never = params | {"out_bias": params["out_bias"] - 50 * (np.arange(6) == 5)}
    assert lm.generate(never, [2, 3], 4, seed=1, temperature=0) == ids[2:]
    short = lm.generate(never, [3], 1, seed=1, temperature=0)
    assert short == [int(np.argmax(logprobs(never, [[5, 3]])[1][0]))]
    zero = model(V=6) | {"out": np.zeros((4, 6)), "out_bias": np.array([0, 0, 0, 0, -99.0, -99.0])}
    got = lm.generate(zero, [], 20, seed=3, temperature=1.0, k=4)
    assert got == [int(4 * coin) for coin in coins(3, 20)]
    two = lm.generate(zero, [], 20, seed=3, temperature=1.0, k=2)
    assert two == [int(2 * coin) for coin in coins(3, 20)]
    warm = zero | {"out_bias": np.array([0, math.log(3), -99, -99, -99.0, -99.0])}
    wanted = [int(coin >= 1 / 10) for coin in coins(3, 20)]
    assert lm.generate(warm, [], 20, seed=3, temperature=0.5) == wanted
    ends = zero | {"out_bias": np.array([0, 0, 0, 0, 0, 99.0])}
    assert lm.generate(ends, [1], 3, seed=1) == []


def test_seal(tmp_path):
    """Once, with a record; a file that cannot be read spends nothing."""
    path, record = tmp_path / "a.bin", tmp_path / "record.txt"
    with pytest.raises((OSError, ValueError)):
        lm.SealedSplit(path, record).open("first")
    assert not record.exists()
    write_bin(path, [1, 2, 3], 512)
    assert lm.SealedSplit(path, record).open("für später").tolist() == [1, 2, 3]
    assert record.read_text(encoding="utf-8") == "für später"
    for split in (lm.SealedSplit(path, record), lm.SealedSplit(path, record)):
        with pytest.raises(RuntimeError, match="für später") as caught:
            split.open("more")
        assert str(record) in str(caught.value)
    path.unlink()
    with pytest.raises(RuntimeError, match="für später"):
        lm.SealedSplit(path, record).open("more")
    assert record.read_text(encoding="utf-8") == "für später"


def test_seal_without_a_gap(tmp_path):
    """A record that exists() does not see."""
    path, record = tmp_path / "a.bin", tmp_path / "record.txt"
    write_bin(path, [1, 2, 3], 512)
    record.symlink_to(tmp_path / "nowhere.txt")
    with pytest.raises((RuntimeError, OSError)):
        lm.SealedSplit(path, record).open("first")
    assert not record.exists()


def test_datasheet():
    """All entries, in order, by hand."""
    texts, ids = {"train": ["é", "ok"], "val": []}, {"train": [[1], [2, 3, 4]], "val": []}
    tokenizer = b'{"vocab_size": 300, "merges": []}'
    sheet = lm.datasheet("T", {"b": b"xyz", "a": b""}, texts, ids, tokenizer)

    def digest(data):
        return hashlib.sha256(data).hexdigest()

    wanted = {
        "format": "llmdata-datasheet", "version": 1, "title": "T",
        "sources": [
            {"name": "b", "bytes": 3, "sha256": digest(b"xyz")},
            {"name": "a", "bytes": 0, "sha256": digest(b"")},
        ],
        "splits": [
            {"name": "train", "documents": 2, "bytes": 4, "tokens": 4, "bytes_per_token": 1.0,
             "sha256": digest("é<|endoftext|>ok".encode())},
            {"name": "val", "documents": 0, "bytes": 0, "tokens": 0, "bytes_per_token": None,
             "sha256": digest(b"")},
        ],
        "tokenizer": {"vocab_size": 300, "sha256": digest(tokenizer)},
    }
    assert json.dumps(sheet) == json.dumps(wanted)
    with pytest.raises(ValueError, match=r"."):
        lm.datasheet("T", {}, texts, {"train": ids["train"], "test": []}, tokenizer)
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch12` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - Everywhere. The same token files, read in the same order, train GPT-2 in llm.c.
# - A transformer takes the place of the hidden layer and sees a thousand tokens in place of three.
#   Loss, bits a byte, batches, sampler and datasheet stay as they are.
# - And the next time somebody shows you a loss, ask: in what unit, on what split, against what, and
#   opened how often?
