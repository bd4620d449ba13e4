# ---
# jupyter:
#   course:
#     title: "Token files: a corpus for the training loop"
#     module: tokenize
#     aliases: [data.07]
#     needs: [ch03_tokenizer, ch06_shards]
#     packages: [numpy, pyarrow, regex]
#     minutes: 150
#     difficulty: 3
#     importance: 5
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Token files: a corpus for the training loop
#
# **150 minutes | difficulty 3 of 5 | importance 5 of 5 | needs chapters 3 and 6**
#
# Clean text lies in Parquet files, and a tokenizer turns text into ids. In this chapter you put the
# two together and write what a training loop wants: long flat files of ids, in the format of llm.c.

# %% [markdown]
# Why bother? A training loop asks for a random window of ids, thousands of times a second. It has
# no time to open Parquet, decompress text and look for merges. So all of that is done once, ahead
# of time. The trainer then maps a file into memory and never sees a letter of text.
#
# That makes this file all there is between your data and your model. An id that wrapped around, a
# document twice, a text of val among those of train: nothing will ever complain. The loss only gets
# a little worse, or a little too good.

# %% [markdown]
# ## What you will build
#
# | part | function | points |
# |---|---|---|
# | [A header and ids](#A-header-and-ids) | `write_bin` | 14 |
# | [Reading it back](#Reading-it-back) | `read_bin` | 10 |
# | [Where a document starts](#Where-a-document-starts) | `separator_id` | 8 |
# | [Texts become ids](#Texts-become-ids) | `encode_documents` | 10 |
# | [Files of whole documents](#Files-of-whole-documents) | `write_split` | 16 |
# | [What the folder says of itself](#What-the-folder-says-of-itself) | `TokensManifest` | 6 |
# | [The whole corpus](#The-whole-corpus) | `tokenize_shards` | 16 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |

# %%
import bz2
import tempfile

import matplotlib.pyplot as plt

from autograder import books
from autograder.course import root
from autograder.learn import check, check_tests, hexview
from llmdata.corpus import prepare, split_stories
from llmdata.shards import write_shards
from llmdata.tokenizer import byte_characters

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})
scratch = tempfile.TemporaryDirectory()  # gone when this kernel stops

# %% [markdown]
# The shards are read by your chapter 6, the merges by your chapter 3, where you have exported them:

# %% given="names"
import argparse
import contextlib
import ctypes
import fcntl
import functools
import hashlib
import json
import multiprocessing
import os
import shutil
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from llmdata.shards import read_shards

MAGIC = 20240520
HEADER_INTS = 256
MAX_FILE_TOKENS = 100_000_000

# %% [markdown]
# ## A header and ids
#
# The format is llm.c's. A file is a header of 256 whole numbers of four bytes, and then the ids,
# one after the other; all of them are little-endian, the smallest byte first:
#
# | bytes | what | |
# |---|---|---|
# | 0 to 3 | magic | 20240520, so that nobody takes another file for this |
# | 4 to 7 | version | 1: an id takes 2 bytes; 2: it takes 4 |
# | 8 to 11 | $n$ | how many ids follow |
# | 12 to 15 | $V$ | the size of the vocabulary |
# | 16 to 1023 | zeros | room for later |
# | 1024 to the end | ids | $n$ unsigned numbers of $w$ bytes |

# %% [markdown]
# Two bytes hold the numbers 0 to 65535. So version 1, with $w = 2$, is for a $V$ up to and with
# **65536**, and version 2, with $w = 4$, for any larger one. The size is exactly $1024 + n w$
# bytes, and that is how a reader finds out that a file was cut short.
#
# By hand, for the ids 72, 105, 111, 107 and $V = 256$:
#
# | offset | bytes | |
# |---|---|---|
# | 0 | `88 d8 34 01` | 20240520 is 0134d888 in hexadecimal |
# | 4 | `01 00 00 00` | version 1 |
# | 8 | `04 00 00 00` | four ids |
# | 12 | `00 01 00 00` | 256 |
# | 16 | 1,008 times `00` | |
# | 1024 | `48 00 69 00 6f 00 6b 00` | 72, 105, 111, 107 |
#
# That makes $1024 + 4 \cdot 2 = 1032$ bytes.

# %% [markdown]
# What happens to an id that needs more than two bytes? It depends on what holds it. NumPy refuses a
# list, and takes an array without a word:

# %%
try:
    np.array([65536 + 72], dtype=np.uint16)
except OverflowError as error:
    print("a list:", error)
print("an array:", np.array([65536 + 72]).astype(np.uint16))

# %% [markdown]
# Id 65608 has become 72, another token, and any reader would believe it. So look at the ids before
# you make them narrow. Write `write_bin`:
#
# - `ids` may be a list, a tuple, a range or a NumPy array of any integer type; none at all is fine.
# - An id outside of 0 ... $V - 1$ is a `ValueError` whose message has it. So is anything that is no
#   flat sequence of whole numbers. A $V$ below 1 or from $2^{31}$ on is a `ValueError` that has
#   $V$.
#   That goes for numbers beyond NumPy's own, too: `np.asarray` makes of `[2**64]` an array of
#   objects, and of `[2**63, -1]` one of floats.
# - If it raises, what was under that name before is still there, whole. So write to a file beside
#   it, called as it with `.tmp` at the end, and rename that.
#
# You will need the header and the ids as bytes once more below, so give each a function of its own.

# %% solve="write_bin"
def write_bin(path: Path, ids: Sequence[int], vocab_size: int) -> None:
    """Write ids as one file: a header of 1024 bytes, then 2 bytes an id, or 4 above 65536.

    By hand: 72, 105, 111, 107 with a vocabulary of 256 make 1024 + 4 * 2 = 1032 bytes, the last
    eight of which are 48 00 69 00 6f 00 6b 00.

    Raises:
        ValueError: an id is not one of 0 ... vocab_size - 1, or vocab_size not of 1 ... 2**31 - 1;
            the message has it. Nothing is written.
    """
    # TODO (ch07_tokenize): check the ids, write header and ids beside `path`, then rename.
    # HINT: np.asarray, its min() and max(); the dtypes "<i4", "<u2" and "<u4" are little-endian.
    ### BEGIN SOLUTION
    packed = packed_ids(ids, vocab_size)
    unfinished = path.with_name(path.name + ".tmp")
    with unfinished.open("wb") as file:
        file.write(header_bytes(len(packed), vocab_size))
        file.write(packed.data)
    unfinished.replace(path)


def header_bytes(count: int, vocab_size: int) -> bytes:
    """The 1024 bytes in front of `count` ids."""
    header = np.zeros(HEADER_INTS, "<i4")
    header[:4] = MAGIC, 1 if vocab_size <= 65536 else 2, count, vocab_size
    return header.tobytes()


def packed_ids(ids: Sequence[int], vocab_size: int) -> np.ndarray:
    """The ids as they stand in a file. Raises ValueError as `write_bin` does."""
    if not 1 <= vocab_size < 2**31:
        raise ValueError(f"a vocabulary of {vocab_size} ids is not one of 1 ... 2**31 - 1")
    array = np.asarray(ids)
    if array.ndim != 1:
        raise ValueError(f"ids are a flat sequence, not of shape {array.shape}")
    if array.dtype.kind in "fO" and {*map(type, ids)} == {int}:
        array = np.array(ids, object)  # some are beyond NumPy's own integers
    elif array.size and array.dtype.kind not in "iu":
        raise ValueError(f"ids are whole numbers, not {array.dtype}")
    if array.size and not 0 <= least(array) <= array.max() < vocab_size:
        raise ValueError(f"the ids go from {array.min()} to {array.max()}, and have to be in "
                         f"0 ... {vocab_size - 1}")
    return np.ascontiguousarray(array, "<u2" if vocab_size <= 65536 else "<u4")


def least(array: np.ndarray) -> int:
    """The least of some ids; where none can be negative, 0 without a look at all of them."""
    return 0 if array.dtype.kind == "u" else array.min()
    ### END SOLUTION


# %% example="write_bin"
folder = Path(scratch.name)
write_bin(folder / "four.bin", [72, 105, 111, 107], 256)
written = (folder / "four.bin").read_bytes()
assert len(written) == 1032
assert written[:16] == bytes.fromhex("88d83401 01000000 04000000 00010000")
assert written[1024:] == bytes.fromhex("4800 6900 6f00 6b00")

# %% check="write_bin" points=14
check("write_bin")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_bin")
### END HIDDEN TESTS

# %% [markdown] hints="write_bin"
# <details><summary>Hint 1: where to begin</summary>
#
# Three steps: check, write, rename. Everything that can be wrong with the arguments should be found
# before a file is opened.
#
# </details>
#
# <details><summary>Hint 2: header and ids</summary>
#
# `np.zeros(256, "<i4")` is a header of zeros, and its first four numbers can be set at once.
# `np.asarray(ids)` takes what it is given; ask `dtype.kind` (`"i"` and `"u"` are whole numbers) and
# `ndim`. An empty array has no `min()`, and `np.asarray([])` is of floats.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `if array.size and not 0 <= array.min() <= array.max() < vocab_size: raise ValueError(...)` with
# both in the message. Where all of a list are of type `int` and `dtype.kind` is `"O"` or `"f"`,
# `np.array(ids, object)` has a `min()` and a `max()`, too. Then
# `array.astype("<u2" if vocab_size <= 65536 else "<u4")`. Write `header.tobytes()` and
# `array.tobytes()` to `path.with_name(path.name + ".tmp")`, and call `.replace(path)` on that path.
#
# </details>

# %% [markdown]
# Where does each number stand in the file? Here are the bytes of a small one: *Hello world* in
# GPT-2's ids, behind the separator. Each field has a frame and a pattern of its own:

# %%
write_bin(folder / "hello.bin", [50256, 15496, 995], 50257)
hello = (folder / "hello.bin").read_bytes()
fields = [  # offset, bytes, name, hatch, colour
    (0, 4, "magic\n20240520", "///", "#cfe3f5"),
    (4, 4, "version\n1", "...", "#fbe3c0"),
    (8, 4, "n\n3 ids", "\\\\\\", "#d9ead3"),
    (12, 4, "V\n50257", "xxx", "#f3d3dc"),
    (1024, 2, "50256", "---", "#ffffff"),
    (1026, 2, "15496", "|||", "#ffffff"),
    (1028, 2, "995", "---", "#ffffff"),
]
figure, axes = plt.subplots(figsize=(8, 3.6))
for offset, size, name, hatch, colour in fields:
    row, column = (0, offset) if offset < 1024 else (-2.6, offset - 1024)
    axes.add_patch(plt.Rectangle((column, row), size, 1, hatch=hatch, facecolor=colour,
                                 edgecolor="0.6"))
    axes.add_patch(plt.Rectangle((column, row), size, 1, fill=False, linewidth=1.6))
    for k in range(size):
        axes.text(column + k + 0.5, row + 0.5, f"{hello[offset + k]:02x}", ha="center",
                  va="center", family="monospace", fontsize=12,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    axes.text(column + size / 2, row - 0.15, name, ha="center", va="top")
axes.text(7, -1.25, "bytes 16 to 1023 are zero", ha="left", va="center", style="italic")
axes.set(xlim=(-2.2, 16.2), ylim=(-3.3, 1.2), aspect="equal")
axes.text(-0.3, 0.5, "offset 0", ha="right", va="center")
axes.text(-0.3, -2.1, "1024", ha="right", va="center")
axes.axis("off")
plt.show()

# %% [markdown]
# `hexview` shows any file so, and of two files the place where they part. If your bytes are other
# than they should be one day, begin there:

# %%
hexview(folder / "hello.bin")

# %% [markdown]
# ## Reading it back
#
# A reader trusts nothing. By hand, for the file of 1,032 bytes above: the magic is right, version 1
# means 2 bytes an id, and $1024 + 4 \cdot 2$ is the size that the file has. So what follows are
# four ids. If the last byte were missing, that sum would not come out.

# %% [markdown]
# Write `read_bin`. It returns a dict with exactly `version`, `tokens` (that is $n$) and
# `vocab_size`, as plain whole numbers, and the ids as a NumPy array of unsigned numbers of 2 or 4
# bytes. A `ValueError` whose message has the path is raised for
#
# - a file that is too short for a header, or has another magic;
# - a version that is neither 1 nor 2, a negative $n$, a negative $V$, or version 1 with a $V$ above
#   65536;
# - a size that is not $1024 + n w$: one byte less, one byte more;
# - an id that is not below $V$. Files by llm.c itself have $V = 0$, which means *not noted*: then
#   there is nothing to compare with, and the ids are taken as they are.
#
# What stands in the 1,008 bytes after $V$ is of no concern.

# %% solve="read_bin"
def read_bin(path: Path) -> tuple[dict[str, int], np.ndarray]:
    """The header (`version`, `tokens`, `vocab_size`) and the ids of a file, as uint16 or uint32.

    By hand: the file of 72, 105, 111, 107 gives {"version": 1, "tokens": 4, "vocab_size": 256}
    and those four ids.

    Raises:
        ValueError: it is no such file, is cut short or too long, or its ids do not fit its header;
            the message has the path.
    """
    # TODO (ch07_tokenize): check the header, then the size, then the ids.
    # HINT: np.fromfile(file, dtype, count) goes on where the file is; path.stat().st_size.
    ### BEGIN SOLUTION
    with path.open("rb") as file:
        header = np.fromfile(file, "<i4", HEADER_INTS)
        if len(header) < HEADER_INTS or header[0] != MAGIC:
            raise ValueError(f"{path}: not a token file")
        version, tokens, vocab_size = header[1:4].tolist()
        if version not in (1, 2):
            raise ValueError(f"{path}: version {version}, and only 1 and 2 are known")
        if vocab_size < 0 or (version == 1 and vocab_size > 65536):
            raise ValueError(f"{path}: a vocabulary of {vocab_size} in version {version}")
        size, wanted = path.stat().st_size, 4 * HEADER_INTS + tokens * 2 * version
        if size != wanted:
            raise ValueError(f"{path}: {size} bytes, and {tokens} ids make {wanted}")
        ids = np.fromfile(file, "<u2" if version == 1 else "<u4")
    if vocab_size and tokens and ids.max() >= vocab_size:
        raise ValueError(f"{path}: id {ids.max()} is not below {vocab_size}")
    return {"version": version, "tokens": tokens, "vocab_size": vocab_size}, ids
    ### END SOLUTION


# %% example="read_bin"
by_hand = bytes.fromhex("88d83401 01000000 04000000 00010000") + bytes(1008)
(folder / "by_hand.bin").write_bytes(by_hand + bytes.fromhex("4800 6900 6f00 6b00"))
header, ids = read_bin(folder / "by_hand.bin")
assert header == {"version": 1, "tokens": 4, "vocab_size": 256}
assert ids.tolist() == [72, 105, 111, 107]

# %% check="read_bin" points=10
check("read_bin")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("read_bin")
### END HIDDEN TESTS

# %% [markdown] hints="read_bin"
# <details><summary>Hint 1: where to begin</summary>
#
# Read 256 numbers and see how many came. The order of the checks matters: before you know the
# version you do not know how many bytes an id takes.
#
# </details>
#
# <details><summary>Hint 2: numbers and sizes</summary>
#
# `header[1:4].tolist()` makes plain numbers of NumPy's. `w` is 2 for version 1 and 4 for version 2,
# which is twice the version. An empty array has no `max()`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `with path.open("rb") as file`: `header = np.fromfile(file, "<i4", 256)`, the checks, and then
# `np.fromfile(file, "<u2" if version == 1 else "<u4")`, which takes all that is left. Compare
# `path.stat().st_size` with `1024 + tokens * 2 * version` before that.
#
# </details>

# %% [markdown]
# `read_bin` takes a file into memory. A training loop does not want all of it; it maps the file,
# and the system brings in what is looked at. That is one line, for anybody who knows the format:

# %%
np.memmap(folder / "hello.bin", dtype="<u2", mode="r", offset=1024)

# %% [markdown]
# ## Where a document starts
#
# In the file, documents follow each other without a gap. How is a model to know that a text about
# bees is over and one about bridges begins? Each document is written as
# $[e, \textrm{ids} \dots]$, with a **separator** $e$ in front.
#
# In front, and not behind, as llm.c does it. Then every window that begins with a document begins
# with $e$, and $e$ is what you give the model first when it is to write a text of its own.

# %% [markdown]
# Which id is it? A tokenizer from Hugging Face comes as a folder. Beside `tokenizer.json` there
# often is a `generation_config.json`, an object with an entry `eos_token_id`. By hand: GPT-2's has
# `"eos_token_id": 50256`, and with $V = 50257$ that is the last id there is.
#
# Write `separator_id`, by these rules:
#
# - A `doc_sep_id` that is passed wins, whatever any file says; 0 is an id like any other.
# - Else it is the `eos_token_id` of the `generation_config.json` in the folder of `tokenizer_json`.
# - Without such a file, or where it has no such entry or a `null`, there is none: the result is
#   `None`. Without a `tokenizer_json` no file is looked at. (The bytes of a text, which are the ids
#   then, have no separator.)
# - The winner has to be one whole number in 0 ... $V - 1$, else it is a `ValueError` whose message
#   has it. Some models have a list of several ends there, and which of them separates documents is
#   for the caller to say.
# - A `generation_config.json` that is no JSON object is a `ValueError`, too.

# %% solve="separator_id"
def separator_id(
    tokenizer_json: Path | None, vocab_size: int, doc_sep_id: int | None = None
) -> int | None:
    """The id that is written before each document, or None.

    By hand: with {"eos_token_id": 50256} in generation_config.json, and 50257 ids, it is 50256.

    Raises:
        ValueError: it is not one of 0 ... vocab_size - 1; the message has it.
    """
    # TODO (ch07_tokenize): what was passed, else what the file says; then check it.
    # HINT: Path.with_name; json.loads takes bytes; `if doc_sep_id` would be wrong for 0.
    ### BEGIN SOLUTION
    found = doc_sep_id
    if found is None and tokenizer_json is not None:
        beside = tokenizer_json.with_name("generation_config.json")
        config = json.loads(beside.read_bytes()) if beside.exists() else {}
        if not isinstance(config, dict):
            raise ValueError(f"{beside}: no JSON object")
        found = config.get("eos_token_id")
    if found is not None and (type(found) is not int or not 0 <= found < vocab_size):
        raise ValueError(f"the separator {found} is not one of 0 ... {vocab_size - 1}")
    return found
    ### END SOLUTION


# %% example="separator_id"
(folder / "generation_config.json").write_text('{"eos_token_id": 50256}')
assert separator_id(folder / "tokenizer.json", 50257) == 50256
assert separator_id(folder / "tokenizer.json", 50257, doc_sep_id=0) == 0
assert separator_id(None, 256) is None

# %% check="separator_id" points=8
check("separator_id")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("separator_id")
### END HIDDEN TESTS

# %% [markdown] hints="separator_id"
# <details><summary>Hint 1: where to begin</summary>
#
# First find out who is asked: the argument, the file, or nobody. Then check the answer, wherever it
# came from.
#
# </details>
#
# <details><summary>Hint 2: the file</summary>
#
# `tokenizer_json.with_name("generation_config.json")` is the file beside it, and `.exists()` tells
# whether there is one. `config.get("eos_token_id")` gives None where there is no such entry.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Ask `doc_sep_id is None`, since 0 is false. At the end: None goes out as it is; anything with
# `type(found) is not int or not 0 <= found < vocab_size` raises.
#
# </details>

# %% [markdown]
# ## Texts become ids
#
# Two kinds of tokenizer are wanted here. Without a `tokenizer.json`, ids are simply the bytes of
# the UTF-8 text: 256 ids, no merges, nothing to train. With one, it is your `BPETokenizer`. The
# course gives both behind one function. Your chapter 3 is imported only if it is needed, and a file
# that was read once is kept, as long as it stays the same. Where your chapter 3 has its bonus,
# `encode_fast`, large batches go through that and have the same ids, sooner:

# %% given="tokenizers"
LARGE_BATCH = 1 << 14  # characters


class ByteTokenizer:
    """The bytes of a text are its ids."""

    vocab_size = 256

    def encode_batch(self, texts: list[str]) -> list[np.ndarray]:
        """The ids of each text."""
        return [np.frombuffer(text.encode(), np.uint8) for text in texts]


class InBlocks:
    """A tokenizer of chapter 3 that gives large batches to that chapter's bonus, `encode_fast`."""

    def __init__(
        self, tokenizer: Any, encode_fast: Callable[[Any, list[str]], list[np.ndarray]]
    ) -> None:
        self.tokenizer, self.encode_fast = tokenizer, encode_fast
        self.vocab_size = tokenizer.vocab_size

    def encode_batch(self, texts: list[str]) -> list[Any]:
        """The ids of each text. For a few short ones the tables of `encode_fast` cost too much."""
        if sum(map(len, texts)) < LARGE_BATCH:
            return self.tokenizer.encode_batch(texts)
        return self.encode_fast(self.tokenizer, texts)


def sha256_of(path: Path | None) -> str:
    """The SHA-256 of a file in hexadecimal; that of nothing where there is none."""
    return hashlib.sha256(path.read_bytes() if path else b"").hexdigest()


def load_tokenizer(tokenizer_json: Path | None) -> Any:
    """A tokenizer with `vocab_size` and `encode_batch(texts)`: of bytes, or of a file, which is a
    Hugging Face tokenizer.json or what chapter 3 saves."""
    if tokenizer_json is None:
        return ByteTokenizer()
    return _read_tokenizer(tokenizer_json, sha256_of(tokenizer_json))


@functools.lru_cache(maxsize=1)
def _read_tokenizer(path: Path, sha256: str) -> Any:
    from llmdata.tokenizer import BPETokenizer  # bytes do without it

    ours = "train_sha256" in json.loads(path.read_bytes())
    tokenizer = BPETokenizer.load(path) if ours else BPETokenizer.from_hf_json(path)
    encode_fast = getattr(sys.modules["llmdata.tokenizer"], "encode_fast", None)
    return InBlocks(tokenizer, encode_fast) if encode_fast else tokenizer


# %% [markdown]
# By hand, with bytes: `Hi` is 72, 105, and `é` is **one** character of **two** bytes, c3 a9, so it
# is 195, 169. With 7 as the separator they become 7, 72, 105 and 7, 195, 169.

# %% [markdown]
# Write `encode_documents`. It takes a list of texts, the path that `load_tokenizer` wants, and a
# separator or `None`. It returns a list: for each text, in the same order, its ids with the
# separator in front; lists or NumPy arrays, as you like.
#
# - Each text is encoded as it is. Its spaces, its line ends and its accents were settled when the
#   corpus was made, and the counts and hashes of the corpus are about *that* text.
# - `<|endoftext|>` in a text stays thirteen characters. That is what `encode_batch` does by itself.
# - An empty text is a document, too.

# %% solve="encode_documents"
def encode_documents(
    texts: list[str], tokenizer_json: Path | None, doc_sep_id: int | None
) -> list[Sequence[int]]:
    """The ids of each text, in order, with the separator (unless it is None) in front.

    By hand: with bytes and 7, the texts Hi and é become [7, 72, 105] and [7, 195, 169].
    """
    # TODO (ch07_tokenize): load the tokenizer, encode all texts, put the separator in front.
    # HINT: np.concatenate joins arrays; an array of np.uint32 takes an eighth of a list's room.
    ### BEGIN SOLUTION
    front = np.array([] if doc_sep_id is None else [doc_sep_id], np.uint32)
    batch = load_tokenizer(tokenizer_json).encode_batch(texts)
    return [np.concatenate([front, np.asarray(ids, np.uint32)]) for ids in batch]
    ### END SOLUTION


# %% example="encode_documents"
assert [list(ids) for ids in encode_documents(["Hi", "é"], None, None)] == [[72, 105], [195, 169]]
assert [list(ids) for ids in encode_documents(["Hi", ""], None, 7)] == [[7, 72, 105], [7]]

# %% check="encode_documents" points=10
check("encode_documents")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("encode_documents")
### END HIDDEN TESTS

# %% [markdown] hints="encode_documents"
# <details><summary>Hint 1: where to begin</summary>
#
# `load_tokenizer(tokenizer_json).encode_batch(texts)` is most of it.
#
# </details>
#
# <details><summary>Hint 2: lists and arrays</summary>
#
# `encode_batch` gives lists with one tokenizer and arrays with the other, and `[7] + array` adds 7
# to each number. `[7, *ids]` works with both.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `front = [] if doc_sep_id is None else [doc_sep_id]`, and then `[[*front, *ids] for ids in
# tokenizer.encode_batch(texts)]`. For long texts arrays take less room: `np.concatenate([front,
# np.asarray(ids, np.uint32)])`, where `front` is such an array, too.
#
# </details>

# %% [markdown]
# ## Files of whole documents
#
# A corpus of ten billion ids in one file is a nuisance to copy, and a reader cannot shuffle it. So
# a split becomes several files, `train-00000.bin`, `train-00001.bin` and so on, of at most $M$ ids
# each. No document is cut in two: a reader of one file never starts in the middle of one.
#
# By hand, with $M = 4$ and documents of 2, 2, 1 and 6 ids:
#
# | document | the file has | with it | so |
# |---|---|---|---|
# | 2 ids | 0 | 2 | into `-00000` |
# | 2 ids | 2 | 4 | into `-00000`, which is full now, and not over |
# | 1 id | 4 | 5 | too many: `-00001` begins |
# | 6 ids | 1 | 7 | too many: `-00002` begins, and holds this document alone |
#
# The last one is over the limit whatever you do. The alternative would be to cut it.

# %% [markdown]
# How many ids will there be in a file? You know when the next one begins, and then the header has
# long been written. Files are written as a stream: first a header with $n = 0$, then each
# document's ids as they come, and at the end you **seek** back to the start and write the header
# anew, with the real $n$. If the program dies before that, the header says 0 and the size says
# otherwise, so no reader takes the file for whole. (Unless no id has reached the disk yet: such a
# file is that of a split without documents, and only the hash in the manifest tells the two apart.)

# %% [markdown]
# Write `write_split`. `documents` is any iterable of documents, each a sequence of ids with its
# separator already in front. Take them one at a time: they may come from a generator, and all of
# them together may be more than the memory holds. When one has a wrong id, none after it has been
# asked for. The files go into `folder`, which exists. The result is a list with a dict for each
# file, in the order of their names:
#
# | entry | what |
# |---|---|
# | `name` | `train-00000.bin`: the split, a hyphen, five digits |
# | `split` | `train` |
# | `tokens` | how many ids it has |
# | `documents` | how many documents |
# | `sha256` | the SHA-256 of all of its bytes, in hexadecimal |
#
# - The next file begins *before* a document that would push this one past `max_file_tokens`, if it
#   has a document already.
# - There always is a file `-00000`, with $n = 0$ if there are no documents. So whoever opens a
#   split finds something to open.
# - Ids are checked as in `write_bin`, and a wrong one is the same `ValueError`.

# %% solve="write_split"
def write_split(
    documents: Iterable[Sequence[int]],
    folder: Path,
    split: str,
    vocab_size: int,
    max_file_tokens: int = MAX_FILE_TOKENS,
) -> list[dict]:
    """Write documents as files of whole documents, each of at most max_file_tokens ids.

    By hand: with at most 4, documents of 2, 2, 1 and 6 ids fill three files, of 4, 1 and 6.

    Returns:
        Of each file, in order: name, split, tokens, documents, sha256.

    Raises:
        ValueError: an id is not one of 0 ... vocab_size - 1; the message has it.
    """
    # TODO (ch07_tokenize): a loop over files, in it one over documents; seek back at the end.
    # HINT: always hold the next document in hand; next(iterator, None) gives None at the end.
    ### BEGIN SOLUTION
    coming = iter(documents)
    ids = next(coming, None)
    files: list[dict] = []
    while ids is not None or not files:
        path = folder / f"{split}-{len(files):05d}.bin"
        tokens = count = 0
        with path.open("wb") as file:
            file.write(header_bytes(0, vocab_size))
            while ids is not None and (count == 0 or tokens + len(ids) <= max_file_tokens):
                file.write(packed_ids(ids, vocab_size).data)
                tokens += len(ids)
                count += 1
                ids = next(coming, None)
            file.seek(0)
            file.write(header_bytes(tokens, vocab_size))
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        files.append({"name": path.name, "split": split, "tokens": tokens, "documents": count,
                      "sha256": sha256})
    return files
    ### END SOLUTION


# %% example="write_split"
(folder / "by_hand").mkdir()
toy = write_split([[1, 2], [3, 4], [5], [6, 7, 8, 9, 10, 11]], folder / "by_hand", "train", 256, 4)
assert [each["name"] for each in toy] == ["train-00000.bin", "train-00001.bin", "train-00002.bin"]
assert [each["tokens"] for each in toy] == [4, 1, 6]
assert [each["documents"] for each in toy] == [2, 1, 1]

# %% check="write_split" points=16
check("write_split")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_split")
### END HIDDEN TESTS

# %% [markdown] hints="write_split"
# <details><summary>Hint 1: where to begin</summary>
#
# Write the loop over documents first, with a single file. To start the next file *before* a
# document, you have to know its length while you still have not written it.
#
# </details>
#
# <details><summary>Hint 2: two loops</summary>
#
# The outer loop makes one file each time: `while ids is not None or not files` runs at least once,
# and then as long as a document is in hand. The inner one writes documents as long as they fit. A
# file without a document takes any document.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# The inner loop is `while ids is not None and (count == 0 or tokens + len(ids) <=
# max_file_tokens)`: write the ids, add up `tokens` and `count`, and take the next with `ids =
# next(coming, None)`. After it `file.seek(0)` and the header once more. Close the file before you
# read it for `hashlib.file_digest(file, "sha256").hexdigest()`.
#
# </details>

# %% [markdown]
# Does any file go over the limit? Here is the book, a document for each of its twelve stories, with
# limits from small to large. A dot is a file, and the line is the limit:

# %%
real = books.real()
book = real.read_text("utf-8") if real else prepare(books.embedded().read_bytes())
stories = encode_documents(split_stories(book), None, None)
longest = max(map(len, stories))

limits = [int(longest * share) for share in (0.5, 0.8, 1.0, 1.4, 2.0, 3.0, 4.0, 5.0)]
for limit in limits:
    into = folder / f"limit-{limit}"
    into.mkdir()
    sizes = [each["tokens"] for each in write_split(stories, into, "train", 256, limit)]
    plt.scatter([limit] * len(sizes), sizes, s=22, facecolors="none", edgecolors="black")
plt.plot(limits, limits, "--", color="0.5", label="the limit")
plt.ylim(bottom=0)
plt.xlabel("max_file_tokens")
plt.ylabel("ids in a file")
plt.legend()
plt.show()

# %% [markdown]
# Only on the left, where the limit is below the longest story, are dots above the line: stories
# that are alone in their file. To the right files are nearly full, all but the last one.

# %% [markdown]
# ## What the folder says of itself
#
# Beside the files lies a `_MANIFEST.json`. It names what the files were made from by hash, so that
# a training run can prove which data it has seen:
#
# | entry | what |
# |---|---|
# | `format`, `version` | `"llmdata-tokens"` and 1 |
# | `tokenizer_id` | what the caller calls the tokenizer, such as `gpt2` |
# | `tokenizer_sha256` | the hash of `tokenizer.json`; for bytes, that of nothing |
# | `corpus_manifest_sha256` | the hash of the corpus's own `_MANIFEST.json` |
# | `vocab_size`, `doc_sep_id` | $V$, and the separator or `null` |
# | `max_file_tokens` | the limit $M$ |
# | `val_bytes_per_token` | see below |
# | `files` | what `write_split` says of each file, sorted by name |

# %% [markdown]
# Write `TokensManifest`. Its fields are there; `to_json` is missing. It returns a plain dict with
# exactly these ten entries, in the order of the table, and the files sorted by name. The object
# itself stays as it was.
#
# By hand: a `TokensManifest` with the files `val-00000.bin`, `train-00000.bin` becomes a dict whose
# first entry is `"format": "llmdata-tokens"` and whose last one has `train-00000.bin` first.

# %% solve="TokensManifest"
@dataclass(frozen=True)
class TokensManifest:
    """What a folder of token files holds, and what it was made from.

    By hand: with the files val-00000.bin, train-00000.bin, to_json begins with
    {"format": "llmdata-tokens", "version": 1, ...} and has train-00000.bin before val-00000.bin.
    """

    tokenizer_id: str
    tokenizer_sha256: str
    corpus_manifest_sha256: str
    vocab_size: int
    doc_sep_id: int | None
    max_file_tokens: int
    val_bytes_per_token: float | None
    files: list[dict]

    # TODO (ch07_tokenize): a dict in the order of the table, with the files sorted by name.
    # HINT: the fields stand in that order already; vars(self) is a dict of them.

    def to_json(self) -> dict:
        """A plain dict, as `_MANIFEST.json` has it."""
        ### BEGIN SOLUTION
        files = sorted(self.files, key=lambda file: file["name"])
        return {"format": "llmdata-tokens", "version": 1, **vars(self), "files": files}
        ### END SOLUTION


# %% example="TokensManifest"
names = [{"name": "val-00000.bin"}, {"name": "train-00000.bin"}]
small = TokensManifest("bytes", "ab", "cd", 256, None, 4, 1.0, names).to_json()
assert list(small)[:3] == ["format", "version", "tokenizer_id"]
assert [each["name"] for each in small["files"]] == ["train-00000.bin", "val-00000.bin"]

# %% check="TokensManifest" points=6
check("TokensManifest")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("TokensManifest")
### END HIDDEN TESTS

# %% [markdown] hints="TokensManifest"
# <details><summary>Hint 1: where to begin</summary>
#
# A dict keeps the order in which its entries were made.
#
# </details>
#
# <details><summary>Hint 2: sorting</summary>
#
# `sorted(self.files, key=...)` makes a new list and leaves the old one alone; `.sort()` does not.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `{"format": "llmdata-tokens", "version": 1, **vars(self), "files": ...}`: an entry that is written
# twice keeps its first place and its last value.
#
# </details>

# %% [markdown]
# ## The whole corpus
#
# All the parts are there. Three things are left to think of: how much text an id stands for, what
# happens when something goes wrong half way, and how two processes can share the work.

# %% [markdown]
# ### Bytes per token of val
#
# A model's loss is *per id*. A tokenizer with larger tokens has fewer ids and a higher loss for
# each of them, on the same text. Divided by $\ln 2$ and by the bytes that an id stands for, a loss
# becomes **bits per byte**, and that can be compared. So $\beta$, the UTF-8 bytes of all val texts
# over all of their ids, is counted here once, while they pass by. It is what `bytes_per_token` in
# chapter 3 gives. Separators are no text, and are not counted. Where val has no ids, $\beta$ is
# `None`.
#
# By hand: if `Hi` and `é` are val, with bytes as ids, then 4 bytes over 4 ids make 1.0, whether or
# not there is a separator.

# %% [markdown]
# ### Whole or not at all
#
# A run takes hours and can die at any moment, and perhaps there is an older output that somebody is
# training on. So nothing is written into `out` itself. Everything goes into a folder beside it,
# called as it with `.tmp` at the end, and the last step puts that in its place. The course gives
# that step, because to swap two folders *at once* one has to ask the system for it. It also gives a
# lock, so that two runs do not write into the same `.tmp`. The lock belongs to the process: when
# that dies, the system takes it away, and no old lock can bar the way.

# %% given="folders"
def replace_folder(new: Path, out: Path) -> None:
    """Put the folder `new` in the place of `out` in one step, and delete what was there.

    Where the system cannot swap, it takes two steps; if the program dies between them, `writing`
    puts the old folder back the next time.
    """
    for path in (*new.iterdir(), new):
        _to_disk(path)
    if not out.exists():
        new.rename(out)
        return
    if not _swapped(new, out):
        out.rename(_aside(out))
        new.rename(out)
        with contextlib.suppress(OSError):  # all is in place; the next run tries it again
            _aside(out).rename(new)
    shutil.rmtree(new, ignore_errors=True)


def _aside(out: Path) -> Path:
    """Where an old output waits between the two steps: a name that nobody chooses."""
    return out.with_name(f".{out.name}.replaced")


def _to_disk(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk itself before it goes on."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _swapped(one: Path, other: Path) -> bool:
    """Swap two folders in one step. False where this system or this disk does not know how."""
    library = ctypes.CDLL(None)
    names, here, exchange = (os.fsencode(one), os.fsencode(other)), -100, 2
    if hasattr(library, "renameat2"):  # Linux
        return library.renameat2(here, names[0], here, names[1], exchange) == 0
    return hasattr(library, "renamex_np") and library.renamex_np(*names, exchange) == 0  # macOS


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Be the only one who writes `out` and what belongs to it.

    The lock is on the file `out.lock`. It is the process's, so it is gone when that is.

    Raises:
        RuntimeError: somebody else is writing it.
        FileExistsError: `out` is there, and is no folder of token files. Then nothing is changed.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    lock = out.with_name(f"{out.name}.lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            current = os.path.samestat(os.fstat(file.fileno()), lock.stat())
        except (BlockingIOError, FileNotFoundError):
            current = False  # locked, or deleted by the one who had it
        if not current:
            raise RuntimeError(f"another process is writing {out}: let it end, or write elsewhere")
        try:
            for folder in (out, _aside(out)):
                _refuse_foreign(folder)
            _tidy(out, out.with_name(f"{out.name}.tmp"))
            yield
        finally:
            lock.unlink(missing_ok=True)


def _tidy(out: Path, unfinished: Path) -> None:
    """What a run that died in `replace_folder` has left goes back to `out`, or to `unfinished`."""
    if _aside(out).exists() and out.exists():
        shutil.rmtree(unfinished, ignore_errors=True)
        _aside(out).rename(unfinished)
    elif _aside(out).exists():
        _aside(out).rename(out)


def _refuse_foreign(out: Path) -> None:
    """Raise FileExistsError where something lies that a run would delete and has not made."""
    manifest = out / "_MANIFEST.json"
    if out.is_symlink():
        ours = False
    elif out.is_dir() and any(out.iterdir()):
        ours = manifest.is_file() and b'"llmdata-tokens"' in manifest.read_bytes()
    else:
        ours = not out.is_file()
    if not ours:
        raise FileExistsError(f"{out} is no folder of token files and stays: write elsewhere")


# %% [markdown]
# ### Many hands, the same bytes
#
# Encoding takes nearly all the time, and one text needs nothing of another. So batches of texts can
# go to other processes, or to other machines: Python calls anything that takes work an *executor*.
# It may finish a later batch first, and the files still have to hold the documents in order. The
# course gives the function that sees to it. It keeps a few batches under way and no more, because
# an executor's own `map` would first read the whole corpus into memory:

# %% given="executors"
BATCH_CHARACTERS = 1 << 21
AHEAD = 32  # batches under way at a time, at most


def batches(documents: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """The texts of documents (id, text), in order, as lists of about BATCH_CHARACTERS."""
    batch: list[str] = []
    size = 0
    for _, text in documents:
        batch.append(text)
        size += len(text)
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def in_order(
    function: Callable[[Any], Any], items: Iterable[Any], executor: Executor | None
) -> Iterator[tuple[Any, Any]]:
    """Each item and what the function makes of it, in the order of the items. An executor has up
    to AHEAD items under way; without one, all happens here.
    """
    under_way: deque[tuple[Any, Any]] = deque()
    try:
        for item in items:
            if executor is None:
                yield item, function(item)
                continue
            under_way.append((item, executor.submit(function, item)))
            if len(under_way) == AHEAD:
                first, future = under_way.popleft()
                yield first, future.result()
        while under_way:
            first, future = under_way.popleft()
            yield first, future.result()
    finally:
        for _, future in under_way:
            future.cancel()


def workers_pool(
    workers: int, executor: Executor | None
) -> contextlib.AbstractContextManager[Executor | None]:
    """The executor itself; without one, as many processes as wanted; None where one does it all.

    Raises:
        ValueError: there is no executor, and workers is below 1.
    """
    if executor is None and workers < 1:
        raise ValueError(f"workers is {workers}; at least 1 is wanted")
    if executor is not None or workers == 1:
        return contextlib.nullcontext(executor)
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


# %% [markdown]
# By hand, three documents and `val_permille=100`. Chapter 6 puts each into a split by its hash:
#
# | id | text | hash mod 1000 | split | ids |
# |---|---|---|---|---|
# | `a:0` | `Hi` | 147 | train | 72, 105 |
# | `a:1` | `é` | 51, below 100 | val | 195, 169 |
# | `a:2` | `ok` | 814 | train | 111, 107 |
#
# So `train-00000.bin` is the file of 1,032 bytes that you know from the start of this chapter.
# `val-00000.bin` has two ids, `c3 00 a9 00`, and $\beta$ is 2 bytes over 2 ids, 1.0.

# %% [markdown]
# Write `tokenize_shards`. `manifest` is the path of a corpus's `_MANIFEST.json`;
# `read_shards(manifest, split)` gives that split's documents, each an id and a text, in order.
#
# 1. Inside `with writing(out)`: clear an old `.tmp` folder, if a run that died has left one, and
#    make a fresh one.
# 2. Write `train`, then `val`, each from *its own* documents, with `write_split`.
# 3. Write `_MANIFEST.json` into the same folder: `json.dumps` of what `to_json` gives, with
#    `indent=1`, and one newline after it.
# 4. `replace_folder`, and return the `TokensManifest`.
#
# With `workers` above 1 or an `executor`, `encode_documents` runs there, and the files are the same
# to the byte. (Processes import what they run by name, so `workers=2` works in the exported package
# and not in this notebook.)

# %% [markdown]
# Some details:
#
# - Two runs with the same inputs give the same bytes, the manifest among them: no dates, no paths.
# - A `max_file_tokens` below 1 or from $2^{31}$ on is a `ValueError` that has it; so is a separator
#   that does not fit. Then nothing is written.
# - The hashes in the manifest are those of what was read. So take them before anything is read,
#   and once more at the end: where the tokenizer's file or the corpus's manifest is another one by
#   then, it is a `ValueError`.
# - Whatever raises on the way, such as a shard that is damaged, goes out as it is. The old output
#   is still there, whole, and no new one if there was none.

# %% solve="tokenize_shards"
def tokenize_shards(
    manifest: Path,
    tokenizer_json: Path | None,
    out: Path,
    *,
    tokenizer_id: str,
    doc_sep_id: int | None = None,
    max_file_tokens: int = MAX_FILE_TOKENS,
    workers: int = 1,
    executor: Executor | None = None,
) -> TokensManifest:
    """Write a corpus of shards as token files with a `_MANIFEST.json`, whole or not at all.

    By hand: with bytes and val_permille 100, the documents Hi, é, ok give train 72, 105, 111, 107
    in a file of 1032 bytes, val 195, 169, and 1.0 bytes a token of val.

    Args:
        manifest: the `_MANIFEST.json` of a corpus as chapter 6 writes it.
        tokenizer_json: a tokenizer's file; None for bytes.
        out: the folder to write; what it held before is replaced at the very end.
        executor: any of concurrent.futures, which stays open; with None, `workers` processes.

    Raises:
        ValueError: the separator or max_file_tokens is out of range, or the corpus is damaged or
            was changed during the run.
        RuntimeError: another process is writing `out`.
        FileExistsError: `out` holds something else than token files.
    """
    # TODO (ch07_tokenize): a fresh folder beside `out`, both splits, the manifest, the swap.
    # HINT: a generator of one split's ids can add up bytes and ids of its texts as they pass by.
    ### BEGIN SOLUTION
    if not 1 <= max_file_tokens < 2**31:
        raise ValueError(f"max_file_tokens is {max_file_tokens}, not one of 1 ... 2**31 - 1")
    hashes = sha256_of(tokenizer_json), sha256_of(manifest)
    vocab_size = load_tokenizer(tokenizer_json).vocab_size
    sep = separator_id(tokenizer_json, vocab_size, doc_sep_id)
    encode = functools.partial(
        encode_documents, tokenizer_json=tokenizer_json, doc_sep_id=sep
    )
    text_bytes, text_ids = Counter[str](), Counter[str]()

    def documents(split: str, pool: Executor | None) -> Iterator[Sequence[int]]:
        """The ids of one split's documents; bytes and ids of their texts are added up."""
        coming = batches(read_shards(manifest, split))
        for texts, encoded in in_order(encode, coming, pool):
            for text, ids in zip(texts, encoded, strict=True):
                text_bytes[split] += len(text.encode())
                text_ids[split] += len(ids) - (sep is not None)
                yield ids

    fresh = out.with_name(f"{out.name}.tmp")
    with writing(out), workers_pool(workers, executor) as pool:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        files = []
        for split in ("train", "val"):
            files += write_split(
                documents(split, pool), fresh, split, vocab_size, max_file_tokens
            )
        if (sha256_of(tokenizer_json), sha256_of(manifest)) != hashes:
            raise ValueError(f"{manifest} or the tokenizer was changed during the run: start anew")
        made = TokensManifest(
            tokenizer_id=tokenizer_id,
            tokenizer_sha256=hashes[0],
            corpus_manifest_sha256=hashes[1],
            vocab_size=vocab_size,
            doc_sep_id=sep,
            max_file_tokens=max_file_tokens,
            val_bytes_per_token=text_bytes["val"] / text_ids["val"] if text_ids["val"] else None,
            files=files,
        )
        text = json.dumps(made.to_json(), indent=1) + "\n"
        (fresh / "_MANIFEST.json").write_text(text)
        replace_folder(fresh, out)
    return made
    ### END SOLUTION


# %% example="tokenize_shards"
three = [("a:0", "Hi"), ("a:1", "é"), ("a:2", "ok")]
write_shards(three, folder / "three", val_permille=100, rows_per_shard=10)
made = tokenize_shards(
    folder / "three" / "_MANIFEST.json", None, folder / "three-bytes", tokenizer_id="bytes"
)
assert (folder / "three-bytes" / "train-00000.bin").read_bytes() == written
assert (folder / "three-bytes" / "val-00000.bin").read_bytes()[1024:] == bytes.fromhex("c300 a900")
assert made.val_bytes_per_token == 1.0

# %% check="tokenize_shards" points=16
check("tokenize_shards")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("tokenize_shards")
### END HIDDEN TESTS

# %% [markdown] hints="tokenize_shards"
# <details><summary>Hint 1: where to begin</summary>
#
# Leave executors and bytes per token out at first. For each split the documents are
# `encode_documents([text for _, text in read_shards(manifest, split)], ...)`, and `write_split`
# takes them. Put that, the manifest and `replace_folder` inside `with writing(out):`.
#
# </details>
#
# <details><summary>Hint 2: streams and sums</summary>
#
# Make a generator, a function with `yield`, of one split's documents: `for texts, encoded in
# in_order(encode, batches(read_shards(manifest, split)), pool)`, and in it `for text, ids in
# zip(texts, encoded)`. Add up `len(text.encode())` and the ids of the text, then yield the ids.
# `functools.partial` makes `encode` of `encode_documents`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `fresh = out.with_name(f"{out.name}.tmp")`, and `with writing(out), workers_pool(workers,
# executor) as pool`. In it `shutil.rmtree(fresh, ignore_errors=True)`, `fresh.mkdir()`, `files +=
# write_split(documents(split, pool), fresh, split, vocab_size, max_file_tokens)` for both splits,
# `json.dumps(made.to_json(), indent=1) + "\n"` into `fresh / "_MANIFEST.json"`, and
# `replace_folder(fresh, out)`. A text has `len(ids) - (sep is not None)` ids. `sha256_of` gives the
# two hashes; compare them as a pair.
#
# </details>

# %% [markdown]
# ## A real corpus
#
# Each paragraph of the book is a document now, and one in ten goes to val:

# %%
paragraphs = [(f"book:{n}", text) for n, text in enumerate(book.split("\n\n")) if text]
corpus = folder / "corpus"
write_shards(paragraphs, corpus, val_permille=100, rows_per_shard=500)
as_bytes = tokenize_shards(
    corpus / "_MANIFEST.json", None, folder / "bytes", tokenizer_id="bytes"
)
as_bytes.files

# %% [markdown]
# And with GPT-2's merges, which the course brings along. The separator comes from the
# `generation_config.json`, which has been in this folder for a while:

# %%
packed = (root() / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes()
lines = bz2.decompress(packed).decode().splitlines()[1:]
characters = sorted(byte_characters(), key=lambda c: (ord(c) > 255, ord(c)))
vocab = {token: n for n, token in enumerate([*characters, *(m.replace(" ", "") for m in lines)])}
config = {
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
    "model": {"type": "BPE", "vocab": vocab, "merges": lines},
    "added_tokens": [{"id": 50256, "content": "<|endoftext|>"}],
}
tokenizer_json = folder / "tokenizer.json"
tokenizer_json.write_text(json.dumps(config))
with ThreadPoolExecutor(2) as threads:
    as_gpt2 = tokenize_shards(
        corpus / "_MANIFEST.json", tokenizer_json, folder / "gpt2",
        tokenizer_id="gpt2", executor=threads,
    )
json.loads((folder / "gpt2" / "_MANIFEST.json").read_text()) | {"files": "..."}

# %% [markdown]
# What does the trainer see? The first ids of val, in one line with `numpy.memmap`, and the end of
# the first document where 50256 comes again:

# %%
val = np.memmap(folder / "gpt2" / "val-00000.bin", dtype="<u2", mode="r", offset=1024)
val[:8], np.flatnonzero(val == 50256)[:4]

# %% [markdown]
# How much smaller is val with the larger vocabulary, and how much text does an id stand for?

# %%
{
    made.tokenizer_id: (
        sum(each["tokens"] for each in made.files if each["split"] == "val"),
        made.val_bytes_per_token,
    )
    for made in (as_bytes, as_gpt2)
}

# %% [markdown]
# ## From the command line
#
# A corpus is packed by a command more often than in a notebook. `ol export` writes these functions
# as a package, and with it `llmdata/__main__.py`, which calls `main`:
#
# `python -m llmdata pack corpus tokens --tokenizer gpt2/tokenizer.json --workers 2`
#
# In the manifest this tokenizer is called `gpt2`, after its folder, unless `--tokenizer-id` says
# otherwise.

# %% given="command"
def main(arguments: Sequence[str] | None = None) -> None:
    """`python -m llmdata pack CORPUS OUT`. Exit code 2, and a sentence, where it cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m llmdata")
    pack = parser.add_subparsers(required=True).add_parser(
        "pack", help="write a corpus of shards as token files"
    )
    pack.add_argument("corpus", type=Path, help="a folder with shards and their _MANIFEST.json")
    pack.add_argument("out", type=Path, help="the folder to write, or to replace")
    pack.add_argument("--tokenizer", type=Path, help="a tokenizer.json; bytes unless given")
    pack.add_argument("--tokenizer-id", help="its name in the manifest; unless given, its folder's")
    pack.add_argument("--doc-sep-id", type=int, help="the id before each document")
    pack.add_argument("--max-file-tokens", type=int, default=MAX_FILE_TOKENS)
    pack.add_argument("--workers", type=int, default=1, help="processes that encode")
    options = parser.parse_args(arguments)
    try:
        made = tokenize_shards(
            options.corpus / "_MANIFEST.json", options.tokenizer, options.out,
            tokenizer_id=options.tokenizer_id or _named(options.tokenizer),
            doc_sep_id=options.doc_sep_id,
            max_file_tokens=options.max_file_tokens, workers=options.workers,
        )
    except (OSError, ValueError, RuntimeError) as error:
        parser.exit(2, f"{parser.prog} pack: {error}\n")
    tokens = sum(file["tokens"] for file in made.files)
    print(f"{options.out}: {tokens:,} tokens in {len(made.files)} files")


def _named(tokenizer: Path | None) -> str:
    """What a tokenizer's file is called: a `tokenizer.json` by its folder, others by themselves."""
    if tokenizer is None:
        return "bytes"
    whole = tokenizer.resolve()
    return whole.parent.name if whole.name == "tokenizer.json" else whole.stem


# %%
main(["pack", str(corpus), str(folder / "by-command")])

# %% [markdown]
# This module is called `tokenize`, and Python has a module of that name, too. As long as yours is
# `llmdata.tokenize`, they do not meet. But started by its path, `python llmdata/__main__.py`, a
# script has *its own folder* first on `sys.path`, and then `import tokenize` finds yours:
# `asyncio`, `inspect`, `traceback` and all that they are used by break at import, with an error
# that says nothing of it. So the first lines of that script put the folder above in its place
# before they import anything else.

# %% [markdown]
# ## What goes wrong
#
# | slip | what you would see | caught by |
# |---|---|---|
# | always two bytes an id | with many ids, another text comes back | `test_write_bin_layout` |
# | rolling over too late | files above the limit | `test_files_hold_whole_documents` |
# | rolling over too early | an empty file comes first | `test_files_hold_whole_documents` |
# | writing in place | after a crash, the old output is gone | `test_atomic_replace` |
# | separator after the document | texts that begin without a signal | `test_gpt2_golden` |
# | order of lengths kept | short documents come first | `test_gpt2_golden` |
# | text cleaned once more | fewer ids than the corpus has | `test_gpt2_golden` |
# | separators counted as text | bits per byte that are too large | `test_val_bytes_per_token` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | splits mixed | a val loss that is too good | `test_tokens_are_conserved_and_splits_never_mix` |
# | arrays narrowed unchecked | id 65608 comes back as 72 | `test_arrays_do_not_wrap` |
# | sizes not compared | half a download opens | `test_read_bin_rejects_bad_files` |
# | 0 taken for no separator | with some tokenizers, texts run together | `test_separator_zero` |
# | old leftovers kept | a file too many in the output | `test_leftovers_are_cleared` |
#
# One more has no test here, because it is an entry point and no function: running
# `llmdata/__main__.py` by its path, without the first lines that it has.

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# let your `write_bin` write two bytes an id whatever the vocabulary is, and see whether it fails.
# Which ids would have made it fail?

# %%
def test_round_trip():
    """What was written is read."""
    path = folder / "ids.bin"
    write_bin(path, [1, 2, 3], 100_000)
    assert read_bin(path)[1].tolist() == [1, 2, 3]


test_round_trip()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the tables above. Notice every slip of the tables, and four
# bugs in five altogether. A test that fails on right code in another form is refused, so test what
# this chapter promises and nothing else.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome, and
# `tmp_path` is a folder of your own. Reach everything through `tokenize`, which in this notebook is
# what the cells above define, and make corpora with `write_shards` of chapter 6. Tests are tried
# alone, so import or define in their cell what else they use. A generator of the test's own cannot
# be handed to the functions, which live in another process, and neither can an executor; lists can,
# and so can what `read_shards` gives. The strongest tests say what must hold for *any* texts: the
# ids of a split's files, one after the other, are the bytes of its documents.

# %% tests="own_tests"
import json
import struct
from fcntl import LOCK_EX, flock
from hashlib import sha256
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import tokenize
from llmdata.shards import assign_split, read_shards, write_shards
from llmdata.tokenizer import byte_characters


def test_write_by_hand(tmp_path):
    # TODO (ch07_tokenize): replace this by a test, and add one for each slip you can think of.
    # HINT: the bytes of a file, wrong ids as list and array, rollover, a failing run, splits...
    ### BEGIN SOLUTION
    tokenize.write_bin(tmp_path / "a.bin", [72, 105, 111, 107], 256)

    assert (tmp_path / "a.bin").read_bytes() == of([72, 105, 111, 107], 256)
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]


def of(ids, vocab_size, version=1):
    """The bytes of a file of these ids."""
    letter = "H" if version == 1 else "I"
    head = struct.pack("<4i1008x", 20240520, version, len(ids), vocab_size)
    return head + struct.pack(f"<{len(ids)}{letter}", *ids)


def ids_of(folder, split):
    """The ids of all files of one split."""
    found = []
    for path in sorted(folder.glob(f"{split}-*.bin")):
        data = path.read_bytes()
        count = struct.unpack_from("<4i", data)[2]
        found += struct.unpack(f"<{count}H", data[1024:])
    return found


def all_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shelve(folder, texts, val_permille=0):
    """A corpus of these texts, four documents a shard."""
    docs = [(f"d:{n}", text) for n, text in enumerate(texts)]
    write_shards(docs, folder, val_permille=val_permille, rows_per_shard=4)
    return folder / "_MANIFEST.json"


def save_tokenizer(folder, separator=None):
    """A tokenizer.json in which bytes are their own ids and 256 is "he"."""
    vocab = {letter: byte for byte, letter in enumerate(byte_characters())} | {"he": 256}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False}
    config = {
        "pre_tokenizer": byte_level,
        "model": {"vocab": vocab, "merges": ["h e"]},
        "added_tokens": [{"id": 257, "content": "<|endoftext|>"}],
    }
    (folder / "tokenizer.json").write_text(json.dumps(config))
    if separator is not None:
        (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": separator}))
    return folder / "tokenizer.json"


@pytest.mark.parametrize(
    ("ids", "vocab_size", "version"),
    [([65535, 0], 65536, 1), ([65536, 1], 65537, 2), ([99999], 100000, 2), ([], 256, 1),
     (np.array([1, 50256]), 50257, 1), (np.array([], np.int64), 256, 1)],
)
def test_layout(tmp_path, ids, vocab_size, version):
    """Two bytes an id up to 65536, four above."""
    tokenize.write_bin(tmp_path / "a.bin", ids, vocab_size)

    assert (tmp_path / "a.bin").read_bytes() == of(list(ids), vocab_size, version)


@pytest.mark.parametrize(
    ("ids", "vocab_size", "named"),
    [([256], 256, "256"), ([1, -1], 256, "-1"), ([], 0, "0"), ([0], -1, "-1"),
     (np.array([65608]), 65536, "65608"), (np.array([-1]), 256, "-1"), ([65536], 65536, "65536"),
     (np.array([300], np.uint16), 256, "300"), ([0.5], 256, ""), ([[1, 2]], 256, ""),
     ([1], 2**31, "2147483648"), ([0, 2**64], 256, f"{2**64}")],
)
def test_bad_ids(tmp_path, ids, vocab_size, named):
    """Refused by name, as list and as array, and the old file stays."""
    (tmp_path / "a.bin").write_bytes(b"old")
    with pytest.raises(ValueError, match=named):
        tokenize.write_bin(tmp_path / "a.bin", ids, vocab_size)
    if 256 <= vocab_size < 2**31 and named:
        with pytest.raises(ValueError, match=named):
            tokenize.write_split([[1], ids], tmp_path, "val", vocab_size, 9)
    assert (tmp_path / "a.bin").read_bytes() == b"old"


def test_written_beside(tmp_path):
    """What cannot be written does not touch the old file."""
    (tmp_path / "a.bin").write_bytes(b"old")
    (tmp_path / "a.bin.tmp").mkdir()
    with pytest.raises(OSError, match=r"."):
        tokenize.write_bin(tmp_path / "a.bin", [1], 256)
    assert (tmp_path / "a.bin").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("data", "version", "ids"),
    [(of([50256, 995], 50257), 1, [50256, 995]), (of([99999], 100000, 2), 2, [99999]),
     (of([], 256), 1, []), (of([65535, 3], 0), 1, [65535, 3])],
)
def test_read(tmp_path, data, version, ids):
    """Header and ids, of both widths; 0 ids are not noted."""
    (tmp_path / "a.bin").write_bytes(data)
    found, got = tokenize.read_bin(tmp_path / "a.bin")

    assert found == {"version": version, "tokens": len(ids), "vocab_size": found["vocab_size"]}
    assert got.tolist() == ids
    assert got.dtype.itemsize == 2 * version
    assert [type(value) for value in found.values()] == [int] * 3


@pytest.mark.parametrize(
    "data",
    [b"", of([1, 2], 256)[:-1], of([1, 2], 256) + b"\0\0", of([1], 256)[:900], of([], 256, 3),
     b"\1" + of([1], 256)[1:], of([256], 256), of([], -1), of([], 65537), of([], 256, 0),
     of([], 256)[:8] + b"\xff" * 4 + of([], 256)[12:]],
    ids=range(11),
)
def test_bad_files(tmp_path, data):
    """Cut short, too long, other magic, other version, ids that do not fit."""
    (tmp_path / "bad.bin").write_bytes(data)
    with pytest.raises(ValueError, match=r"bad\.bin"):
        tokenize.read_bin(tmp_path / "bad.bin")


def test_separators(tmp_path):
    """The file's, or the caller's, or none; 0 is one."""
    path = save_tokenizer(tmp_path)
    assert tokenize.separator_id(path, 258) is None
    save_tokenizer(tmp_path, 257)
    assert tokenize.separator_id(path, 258) == 257
    assert tokenize.separator_id(path, 258, doc_sep_id=0) == 0
    save_tokenizer(tmp_path, 0)
    assert tokenize.separator_id(path, 258) == 0
    assert tokenize.separator_id(path, 258, doc_sep_id=3) == 3
    assert tokenize.separator_id(None, 256) is None
    for wrong in (258, -1):
        with pytest.raises(ValueError, match=str(wrong)):
            tokenize.separator_id(path, 258, doc_sep_id=wrong)
    for wrong in ([1, 2], "7", 7.5):
        save_tokenizer(tmp_path, wrong)
        with pytest.raises(ValueError, match=r"."):
            tokenize.separator_id(path, 258)
    (tmp_path / "generation_config.json").write_text("[]")
    with pytest.raises(ValueError, match=r"."):
        tokenize.separator_id(path, 258)


@given(st.lists(st.text(max_size=6) | st.sampled_from([" a\n", "e\u0301", "longer", ""])))
@settings(max_examples=25, deadline=None)
def test_texts_are_bytes(texts):
    """In order, as they are."""
    got = tokenize.encode_documents(texts, None, 0)

    assert [list(ids) for ids in got] == [[0, *text.encode()] for text in texts]


def test_more_ids_than_two_bytes_hold(tmp_path):
    """With all pairs of bytes as merges, there are 65792 of them."""
    letters = byte_characters()
    pairs = [(a, b) for a in (*letters[123:], *letters[:123]) for b in letters]
    vocab = {letter: byte for byte, letter in enumerate(letters)}
    vocab |= {a + b: 256 + n for n, (a, b) in enumerate(pairs)}
    model = {"vocab": vocab, "merges": [f"{a} {b}" for a, b in pairs]}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False}
    config = {"pre_tokenizer": byte_level, "model": model, "added_tokens": []}
    (tmp_path / "tokenizer.json").write_text(json.dumps(config))
    got = tokenize.encode_documents(["zz"], tmp_path / "tokenizer.json", 65791)

    assert [list(ids) for ids in got] == [[65791, 256 + 255 * 256 + ord("z")]]


def test_texts_are_merged(tmp_path):
    """The separator in front; in a text it is text."""
    path = save_tokenizer(tmp_path)
    got = tokenize.encode_documents(["he", "a <|endoftext|>", ""], path, 257)

    assert [list(ids) for ids in got] == [[257, 256], [257, *b"a <|endoftext|>"], [257]]


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=8), st.integers(1, 9))
@settings(max_examples=25, deadline=None)
def test_whole_documents(tmp_path_factory, documents, limit):
    """Each file has as many documents as fit."""
    wanted = [[]]
    for ids in documents:
        if wanted[-1] and sum(map(len, wanted[-1])) + len(ids) > limit:
            wanted.append([])
        wanted[-1].append(ids)
    folder = tmp_path_factory.mktemp("split")
    got = tokenize.write_split(documents, folder, "val", 256, limit)

    assert [each["documents"] for each in got] == [len(file) for file in wanted]
    for number, (each, file) in enumerate(zip(got, wanted, strict=True)):
        data = of([n for ids in file for n in ids], 256)
        assert (folder / f"val-{number:05d}.bin").read_bytes() == data
        assert each["sha256"] == sha256(data).hexdigest()
        assert (each["name"], each["split"]) == (f"val-{number:05d}.bin", "val")
        assert each["tokens"] == sum(map(len, file))


def test_wide_splits(tmp_path):
    """Four bytes an id above 65536."""
    tokenize.write_split([[69999]], tmp_path, "train", 70000, 9)
    assert (tmp_path / "train-00000.bin").read_bytes() == of([69999], 70000, 2)


def test_documents_come_one_by_one(tmp_path):
    """None is asked for after one that is refused, as a pair of texts is."""
    documents = read_shards(shelve(tmp_path / "corpus", ["a"] * 5), "train")
    with pytest.raises(ValueError, match=r"."):
        tokenize.write_split(documents, tmp_path, "val", 256, 9)
    assert len(list(documents)) == 4


def test_manifest_object():
    """Ten entries, in order, with sorted files."""
    files = [{"name": "val-00000.bin", "split": "val"}, {"name": "train-00001.bin", "split": "t"},
             {"name": "train-00000.bin", "split": "t"}]
    manifest = tokenize.TokensManifest("x", "ab", "cd", 256, None, 9, 1.5, files)
    got = manifest.to_json()

    assert list(got) == [
        "format", "version", "tokenizer_id", "tokenizer_sha256", "corpus_manifest_sha256",
        "vocab_size", "doc_sep_id", "max_file_tokens", "val_bytes_per_token", "files",
    ]
    assert (got["format"], got["version"], got["val_bytes_per_token"]) == ("llmdata-tokens", 1, 1.5)
    assert got["files"] == files[::-1]
    assert manifest.files == files


def test_corpus_by_hand(tmp_path):
    """Hi and ok are train, é is val."""
    manifest = shelve(tmp_path / "corpus", ["Hi", "é", "ok"], 100)
    made = tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="bytes")
    found = json.loads((tmp_path / "out" / "_MANIFEST.json").read_bytes())

    assert (tmp_path / "out" / "train-00000.bin").read_bytes() == of([72, 105, 111, 107], 256)
    assert (tmp_path / "out" / "val-00000.bin").read_bytes() == of([195, 169], 256)
    assert (made.val_bytes_per_token, made.max_file_tokens) == (1.0, 100_000_000)
    assert found["files"] == made.files
    assert [each["documents"] for each in made.files] == [2, 1]
    assert found["corpus_manifest_sha256"] == sha256(manifest.read_bytes()).hexdigest()
    assert found["tokenizer_sha256"] == sha256(b"").hexdigest()
    assert (found["tokenizer_id"], found["doc_sep_id"], found["vocab_size"]) == ("bytes", None, 256)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "out"]


@pytest.mark.parametrize("separator", [None, 257])
def test_splits_never_mix(tmp_path, separator):
    """Any texts: each split's files are its documents; merged ids, and bytes per token of val."""
    texts = [f"he {n}é" * (n % 4) for n in range(40)]
    tokenizer = save_tokenizer(tmp_path, separator)
    manifest = shelve(tmp_path / "corpus", texts, 500)
    made = tokenize.tokenize_shards(
        manifest, tokenizer, tmp_path / "out", tokenizer_id="he", max_file_tokens=20
    )
    wanted = {"train": [], "val": []}
    for text in texts:
        body = [256 if byte == ord("#") else byte for byte in text.replace("he", "#").encode()]
        front = [] if separator is None else [separator]
        wanted[assign_split(text, 500)].append([*front, *body])
    sizes = {split: len(documents) for split, documents in wanted.items()}
    flat = {split: list(chain(*documents)) for split, documents in wanted.items()}
    val = [text for text in texts if assign_split(text, 500) == "val"]
    val_ids = len(flat["val"]) - (sizes["val"] if separator else 0)

    for split in ("train", "val"):
        assert ids_of(tmp_path / "out", split) == flat[split]
        files = [each for each in made.files if each["split"] == split]
        assert sum(each["documents"] for each in files) == sizes[split]
        assert len(files) > 1
    assert made.val_bytes_per_token == sum(len(text.encode()) for text in val) / val_ids
    assert made.tokenizer_sha256 == sha256(tokenizer.read_bytes()).hexdigest()
    assert (made.doc_sep_id, made.max_file_tokens) == (separator, 20)


def test_the_same_bytes_again(tmp_path):
    """Into the same place and another; the caller's separator wins."""
    manifest = shelve(tmp_path / "corpus", ["a", "b", "c"])
    options = {"tokenizer_id": "bytes", "doc_sep_id": 7, "max_file_tokens": 4}
    found = []
    for name in ("out", "out", "other"):
        made = tokenize.tokenize_shards(manifest, None, tmp_path / name, **options)
        found.append(all_of(tmp_path / name))

    assert found[1:] == [found[0]] * 2
    assert ids_of(tmp_path / "out", "train") == [7, 97, 7, 98, 7, 99]
    assert ids_of(tmp_path / "out", "val") == []
    assert made.val_bytes_per_token is None
    assert [each["name"] for each in made.files] == [
        "train-00000.bin", "train-00001.bin", "val-00000.bin"
    ]


def test_old_output_stays(tmp_path):
    """A run that fails changes nothing, and its leftovers are in no later output."""
    old = shelve(tmp_path / "old", ["old"] * 9)
    tokenize.tokenize_shards(old, None, tmp_path / "out", tokenizer_id="b", max_file_tokens=3)
    before = all_of(tmp_path / "out")
    new = shelve(tmp_path / "new", ["new"])
    val = tmp_path / "new" / "val-00000.parquet"
    right = val.read_bytes()
    val.write_bytes(right + b"x")
    with pytest.raises(ValueError, match="val-00000"):
        tokenize.tokenize_shards(new, None, tmp_path / "out", tokenizer_id="b")
    kept = all_of(tmp_path / "out")
    val.write_bytes(right)
    (tmp_path / "out.tmp").mkdir(exist_ok=True)
    (tmp_path / "out.tmp" / "left.bin").write_bytes(b"")
    tokenize.tokenize_shards(new, None, tmp_path / "out", tokenizer_id="b")

    assert kept == before
    assert sorted(all_of(tmp_path / "out")) == [
        "_MANIFEST.json", "train-00000.bin", "val-00000.bin"
    ]


def test_refusals(tmp_path):
    """Limits and separators out of range, a second writer, another folder."""
    manifest = shelve(tmp_path / "corpus", ["a"])
    for wrong in ({"max_file_tokens": 0}, {"max_file_tokens": 2**31}, {"doc_sep_id": 256}):
        with pytest.raises(ValueError, match=str(*wrong.values())):
            tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="b", **wrong)
        assert [path.name for path in tmp_path.iterdir()] == ["corpus"]
    with pytest.raises(FileExistsError, match="corpus"):
        tokenize.tokenize_shards(manifest, None, tmp_path / "corpus", tokenizer_id="b")
    with (tmp_path / "out.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        with pytest.raises(RuntimeError, match="out"):
            tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="b")
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch07` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - Chapter 8 maps these files into memory and draws batches from them, in order and shuffled.
# - Chapter 12 trains on `train-*.bin`, evaluates on `val-*.bin`, and turns its loss into bits per
#   byte with `val_bytes_per_token`.
# - llm.c and other programs that know the format read them as they are.

# %% [markdown]
# ## Going further
#
# | look at | what is there | and try |
# |---|---|---|
# | llm.c, `fineweb.py` | this pipeline in one script | read one of its files |
# | Megatron-LM, `indexed_dataset.py` | an `.idx` file of document starts | write one |
# | Llama 3's document masks | no token looks beyond its document | make a window's mask |
# | Hugging Face's `encode_batch` | the same in Rust, with threads | time `pack` with it |
#
# In each the separators that you have written tell where documents start.
#
# None of it is graded, and no later chapter needs it.
