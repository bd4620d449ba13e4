# ---
# jupyter:
#   course:
#     title: "Batches: a loader that can stop and go on"
#     module: dataloader
#     aliases: [A0.3, L0.6]
#     needs: [ch05, ch07]
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
# # Batches: a loader that can stop and go on
#
# **150 minutes | difficulty 3 of 5 | importance 5 of 5 | needs chapters 5 and 7**
#
# Chapter 7 left files with millions of ids. In this chapter you cut them into batches: for each
# batch the inputs, and the targets, which are the inputs moved on by one. Several processes share
# the work, the order can be shuffled, and a run that was interrupted goes on as if nothing had
# happened.

# %% [markdown]
# Why bother? A loader that is wrong still gives batches. Read a token twice, skip the end of each
# shard, give two processes the same data, shuffle differently after a restart: the loss goes down
# all the same, only not as far as it should, and nobody ever finds out why.

# %% [markdown]
# ## What you will build
#
# | part | function | points |
# |---|---|---|
# | [The header](#The-header) | `read_tokens_header` | 10 |
# | [Is it still the same file?](#Is-it-still-the-same-file?) | `check_unchanged` | 6 |
# | [A map in place of a copy](#A-map-in-place-of-a-copy) | `map_tokens` | 6 |
# | [Random windows](#Random-windows) | `TokenStream` | 12 |
# | [Who reads what](#Who-reads-what) | `batch_start` | 8 |
# | [Inputs and targets](#Inputs-and-targets) | `cut_batch` | 8 |
# | [All shards](#All-shards) | `find_shards` | 8 |
# | [The loader](#The-loader) | `ShardLoader` | 14 |
# | [Stop and go on](#Stop-and-go-on) | `DataLoader` | 8 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |

# %%
import json
import tempfile
import time

import matplotlib.pyplot as plt

from autograder.learn import check, check_tests

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# The generator comes from chapter 4 and the shuffle from chapter 5. They are your own once
# `ol export` has written what passes there, and the course's until then:

# %% given="names"
import glob
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from llmdata.normal import init_identity_permutation, random_permutation
from llmdata.rand import MT19937State, manual_seed, randint32_array

# %% [markdown]
# ## The header
#
# A file of tokens, a **shard**, is a header of 256 little-endian int32 and then the ids. Three
# numbers of the header matter here:
#
# | offset | number | meaning |
# |---|---|---|
# | 0 | 20240520 | magic: this is a file of training tokens |
# | 4 | 1 or 2 | version: ids are uint16 or uint32, little-endian |
# | 8 | n | how many ids follow, 0 or more |
#
# The other 253 are not read: some writers leave zeros there, and chapter 7 writes the size of the
# vocabulary.

# %% given="shard"
MAGIC = 20240520
HEADER_BYTES = 1024
DTYPES = {1: "<u2", 2: "<u4"}  # of the ids, by version


@dataclass(frozen=True)
class Shard:
    """A file of tokens: its version, how many there are, and a stamp to know the file again by."""

    path: Path
    version: int
    count: int
    stamp: tuple[int, int, int]


def stamp_of(status: os.stat_result) -> tuple[int, int, int]:
    """What no other file, and no changed one, has in common: inode, size, time of last change."""
    return status.st_ino, status.st_size, status.st_mtime_ns


# %% [markdown]
# Files of this notebook go into a folder that is gone when its kernel stops. There are four shards
# of 140 tokens, and the tokens just count: 0 to 139 in the first, 140 to 279 in the second, and so
# on. Then every token that you see later tells where it comes from.

# %%
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)


def write_shard(path, ids, version=1):
    """Write a file of tokens."""
    header = np.zeros(256, dtype="<i4")
    header[:3] = MAGIC, version, len(ids)
    path.write_bytes(header.tobytes() + np.asarray(ids).astype(DTYPES[version]).tobytes())


for number in range(4):
    write_shard(folder / f"count_{number}.bin", np.arange(140 * number, 140 * number + 140))

# %% [markdown]
# By hand, for the first of them: 1024 bytes of header and 140 ids of 2 bytes are 1304 bytes. The
# header begins with 20240520, which is 0x0134d888, lowest byte first:
#
# | bytes | number |
# |---|---|
# | `88 d8 34 01` | 20240520 |
# | `01 00 00 00` | 1 |
# | `8c 00 00 00` | 140 = 8 * 16 + 12 |

# %%
data = (folder / "count_0.bin").read_bytes()
len(data), data[:12].hex(" ")

# %% [markdown]
# Write `read_tokens_header`. It takes a path and returns a `Shard`: the path as a `Path`, the
# version and the count from the header, and the stamp of the file. Open the file once, and take
# the stamp of the very file that is open with `os.fstat`, before you read: if somebody writes to
# it in between, the stamp is an old one and the change will be noticed later.
#
# Anything that is not as it should be is a `ValueError` whose message names the file:
#
# - fewer than 1024 bytes, another magic, a version that is not 1 or 2;
# - a size other than 1024 + count * 2 (or * 4): too few bytes are a download that was cut short,
#   too many a header that was never brought up to date. (No file has fewer than 1024 bytes any more
#   at this point, so a negative count does not get through either.)

# %% solve="read_tokens_header"
def read_tokens_header(path: Path) -> Shard:
    """What the header of a file of tokens says, if the file is as long as it says.

    By hand: 140 ids of version 1 make 1024 + 140 * 2 = 1304 bytes, and a Shard with version 1 and
    count 140.

    Raises:
        ValueError: the header is short, or its magic, version or count is wrong, or the size of the
            file does not go with them; the message names the file.
        FileNotFoundError: there is no such file.
    """
    # TODO (ch08_dataloader): read 1024 bytes, look at three numbers, compare the size.
    # HINT: np.frombuffer(data, "<i4", 3).tolist() gives Python ints; os.fstat(file.fileno()).
    ### BEGIN SOLUTION
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        raise ValueError(f"{path} has no header: it ends after {len(header)} bytes")
    magic, version, count = np.frombuffer(header, "<i4", 3).tolist()
    if magic != MAGIC:
        raise ValueError(f"{path} begins with {magic}, a file of tokens with {MAGIC}")
    if version not in DTYPES:
        raise ValueError(f"{path} is of version {version}, not 1 or 2")
    size = HEADER_BYTES + count * np.dtype(DTYPES[version]).itemsize
    if status.st_size != size:
        raise ValueError(f"{path} has {status.st_size} bytes, and {count} tokens would be {size}")
    return Shard(Path(path), version, count, stamp_of(status))
    ### END SOLUTION


# %% example="read_tokens_header"
first = read_tokens_header(folder / "count_0.bin")
assert (first.version, first.count) == (1, 140)
assert first.stamp[1] == 1304

# %% check="read_tokens_header" points=10
check("read_tokens_header")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("read_tokens_header")
### END HIDDEN TESTS

# %% [markdown] hints="read_tokens_header"
# <details><summary>Hint 1: where to begin</summary>
#
# Inside `with open(path, "rb") as file`, take `os.fstat(file.fileno())` and read 1024 bytes. All
# checks can come after the file is closed.
#
# </details>
#
# <details><summary>Hint 2: the numbers</summary>
#
# Look at the length of what you have read before you take numbers from it. The dtype `"<i4"` is
# little-endian whatever your machine is. `np.dtype("<u4").itemsize` is 4.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `magic, version, count = np.frombuffer(header, "<i4", 3).tolist()`. Refuse `magic != MAGIC`, then
# `version not in DTYPES`, then `status.st_size != HEADER_BYTES + count * width`. Return
# `Shard(Path(path), version, count, stamp_of(status))`.
#
# </details>

# %% [markdown]
# ## Is it still the same file?
#
# Training takes days, and files do not always stay as they are: somebody downloads a newer version
# over them, or the disk fills up and a script clears it. You will read shards through a memory map,
# and a map of a file that was cut short does not raise an exception. The first look beyond the new
# end **kills the process**, with nothing but "bus error". So ask before every batch.

# %% [markdown]
# By hand: `count_0.bin` has a stamp with 1304 in the middle. One more token makes 1306 of it, so
# the stamp is another. What if the new file has the same size? Then it has another inode or another
# time. Asking costs a microsecond or two:

# %%
begin = time.perf_counter()
for _ in range(10_000):
    stamp_of(os.stat(folder / "count_0.bin"))
f"{(time.perf_counter() - begin) / 10_000 * 1e6:.1f} µs"

# %% [markdown]
# Write `check_unchanged`. It compares the stamp of the file at `shard.path`, as it is now, with
# `shard.stamp`. If they are equal, it returns None. Else it raises a `ValueError` whose message
# names the file. If the file is gone, `os.stat` raises `FileNotFoundError`, which names it too;
# leave that as it is.

# %% solve="check_unchanged"
def check_unchanged(shard: Shard) -> None:
    """Make sure that the file of a shard is the one that its header was read from.

    By hand: one more token makes 1306 bytes of 1304, and the stamp another one.

    Raises:
        ValueError: the file was replaced, cut, made longer or written to; the message names it.
        FileNotFoundError: it is gone.
    """
    # TODO (ch08_dataloader): compare two stamps.
    # HINT: os.stat(path) asks for the file that has this name now.
    ### BEGIN SOLUTION
    if stamp_of(os.stat(shard.path)) != shard.stamp:
        raise ValueError(f"{shard.path} is not the file any more that it was when it was opened")
    ### END SOLUTION


# %% example="check_unchanged"
write_shard(folder / "other.bin", [1, 2, 3])
other = read_tokens_header(folder / "other.bin")
assert check_unchanged(other) is None
write_shard(folder / "other.bin", [1, 2, 3, 4])
try:
    check_unchanged(other)
    raise AssertionError("a token more, and nobody noticed")
except ValueError as error:
    print(error)

# %% check="check_unchanged" points=6
check("check_unchanged")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("check_unchanged")
### END HIDDEN TESTS

# %% [markdown] hints="check_unchanged"
# <details><summary>Hint 1: where to begin</summary>
#
# `stamp_of` takes what `os.stat` returns.
#
# </details>
#
# <details><summary>Hint 2: comparing</summary>
#
# Compare the whole tuples. Each of the three numbers catches something that the other two miss.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# If `stamp_of(os.stat(shard.path)) != shard.stamp`, raise
# `ValueError(f"{shard.path} has changed")`.
#
# </details>

# %% [markdown]
# This is no proof. A file can change in the instant between the question and the reading, and
# whoever sets the clock of a file back can hide a change. It catches accidents, which is what
# happens.

# %% [markdown]
# ## A map in place of a copy
#
# A shard of 100 million ids is 200 MB. Reading it before the first batch takes a while, and eight
# processes would hold eight copies. A **memory map** makes the file look like an array: the
# operating system brings in a page of 4096 bytes when somebody looks at it, all processes share
# it, and when memory is short it is dropped again.

# %% [markdown]
# By hand: in `count_1.bin` the ids begin at byte 1024, and the first two are 140 and 141, or
# `8c 00 8d 00`. Mapped with that offset, element 0 is 140 and element 139 is 279.

# %%
(folder / "count_1.bin").read_bytes()[1024:1028].hex(" ")

# %% [markdown]
# Write `map_tokens`. It makes sure that the shard's file is unchanged and returns its ids as a
# one-dimensional array of its dtype, through a read-only map (`np.memmap` with `mode="r"`; the
# files may be write-protected). A shard without tokens gives an array of length 0.
#
# Return `np.asarray(...)` of the map. It is the same memory, but an ordinary array, and slicing it
# takes half the time: `np.memmap` does extra work for every slice.

# %% solve="map_tokens"
def map_tokens(shard: Shard) -> np.ndarray:
    """The ids of a shard as an array over a read-only memory map of its file.

    By hand: the second of four counting shards gives 140, 141, ... 279 as uint16.

    Raises:
        ValueError: the file has changed since its header was read; the message names it.
        FileNotFoundError: it is gone.
    """
    # TODO (ch08_dataloader): check_unchanged, then map the ids behind the header.
    # HINT: np.memmap takes dtype, mode, offset in bytes and shape.
    ### BEGIN SOLUTION
    check_unchanged(shard)
    dtype = DTYPES[shard.version]
    return np.asarray(np.memmap(shard.path, dtype, "r", HEADER_BYTES, (shard.count,)))
    ### END SOLUTION


# %% example="map_tokens"
second = map_tokens(read_tokens_header(folder / "count_1.bin"))
assert second.dtype == np.uint16
assert second.tolist() == list(range(140, 280))

# %% check="map_tokens" points=6
check("map_tokens")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("map_tokens")
### END HIDDEN TESTS

# %% [markdown] hints="map_tokens"
# <details><summary>Hint 1: where to begin</summary>
#
# `DTYPES[shard.version]` is the dtype, and `shard.count` is the length.
#
# </details>
#
# <details><summary>Hint 2: the map</summary>
#
# `np.memmap(path, dtype=..., mode="r", offset=..., shape=...)`. The offset is in bytes, so it is
# the size of the header. The shape is a tuple of one number.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `check_unchanged(shard)`, then return `np.asarray(np.memmap(shard.path, dtype=DTYPES[
# shard.version], mode="r", offset=HEADER_BYTES, shape=(shard.count,)))`.
#
# </details>

# %% [markdown]
# ## Random windows
#
# The simplest way to train on a file: pick a random place, take T + 1 ids from there, and do that
# B times. The first T ids of such a **window** are inputs, the last T are targets.
#
# How many places are there? By hand, a file of 10 ids and windows of 4 (T = 3):
#
# | start | window |
# |---|---|
# | 0 | 0 1 2 3 |
# | 1 | 1 2 3 4 |
# | ... | |
# | 6 | 6 7 8 9 |
#
# A window that starts at 7 would end behind the file. So there are 10 - 3 = 7 starts, 0 to 6, and a
# random word becomes a start by its remainder: seed 42 gives the word 1608637542 first, and
# 1608637542 % 7 is 1. The first window is **1 2 3 4**.

# %%
1608637542 % 7

# %% [markdown]
# Write `TokenStream`. It reads the header of one file, maps it, and seeds a generator of its own
# with `manual_seed`:
#
# - `windows(B, T)` draws B words, one per window in order, and returns an int64 array of shape
#   `(B, T + 1)`. The start of each window is its word modulo the number of starts. It is an array
#   of your own, not a view of the file.
# - A file with fewer than T + 1 ids is a `ValueError` whose message names the file.
# - A file that has changed since is a `ValueError` too, or `FileNotFoundError` if it is gone.
# - `len(stream)` is the number of ids.
# - `close()` lets go of the map, which holds a file handle as long as it lives; after that,
#   `windows` is a `ValueError` that names the file. A map is closed when nothing refers to it any
#   more, so setting an attribute to None is enough.
#
# PyTorch's embedding layers want int64, and no id can overflow in it. In uint16, 65535 + 1 is 0.

# %% solve="TokenStream"
class TokenStream:
    """Random windows of one file of tokens.

    By hand: of a file with the ids 0 to 9, windows(1, 3) with seed 42 gives 1, 2, 3, 4, since
    1608637542 % (10 - 3) = 1.
    """

    # TODO (ch08_dataloader): keep the shard, its map and a seeded generator; then cut windows.
    # HINT: np.lib.stride_tricks.sliding_window_view(tokens, T + 1) has a row for each start.

    def __init__(self, path: Path, seed: int = 42) -> None:
        """Open a file. Raises ValueError where it is no file of tokens."""
        ### BEGIN SOLUTION
        self.shard = read_tokens_header(path)
        self.tokens = map_tokens(self.shard)
        self.rng = MT19937State()
        manual_seed(self.rng, seed)
        ### END SOLUTION

    def __len__(self) -> int:
        """How many ids there are."""
        ### BEGIN SOLUTION
        return self.shard.count
        ### END SOLUTION

    def windows(self, B: int, T: int) -> np.ndarray:
        """B windows of T + 1 ids, int64.

        Raises ValueError if the file is too short, has changed, or was closed.
        """
        ### BEGIN SOLUTION
        starts = len(self) - T
        if self.tokens is None or starts < 1:
            raise ValueError(f"{self.shard.path} is closed, or has no window of {T + 1} tokens")
        check_unchanged(self.shard)
        rows = randint32_array(self.rng, B) % starts
        views = np.lib.stride_tricks.sliding_window_view(self.tokens, T + 1)
        return views[rows].astype(np.int64)
        ### END SOLUTION

    def close(self) -> None:
        """Let go of the map; closing twice does no harm."""
        ### BEGIN SOLUTION
        self.tokens = None
        ### END SOLUTION


# %% example="TokenStream"
write_shard(folder / "ten.bin", range(10))
stream = TokenStream(folder / "ten.bin", seed=42)
assert len(stream) == 10
assert stream.windows(1, 3).tolist() == [[1, 2, 3, 4]]

# %% check="TokenStream" points=12
check("TokenStream")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("TokenStream")
### END HIDDEN TESTS

# %% [markdown] hints="TokenStream"
# <details><summary>Hint 1: where to begin</summary>
#
# Everything for `__init__` is there: `read_tokens_header`, `map_tokens`, `MT19937State()` and
# `manual_seed`. Write a loop for `windows` first; `randint32_array(self.rng, B)` gives the words.
#
# </details>
#
# <details><summary>Hint 2: without a loop</summary>
#
# `np.lib.stride_tricks.sliding_window_view(tokens, T + 1)` copies nothing: it is a table with a row
# for every start, as if all windows had been written below each other. Index it with an array of B
# row numbers.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# With `starts = len(self) - T`, refuse `starts < 1` and call `check_unchanged(self.shard)`. The
# rows are `randint32_array(self.rng, B) % starts`, and the result is
# `sliding_window_view(self.tokens, T + 1)[rows].astype(np.int64)`.
#
# </details>

# %% [markdown]
# ## Who reads what
#
# Random windows need no bookkeeping, and never tell when everything was read. A **loader** goes
# through the shards in order, batch by batch. The B rows of a batch lie one after the other in the
# file, T ids each. When several processes train together, each has a number, its **rank**, and they
# take turns: a **sample** is one batch for every rank, side by side.

# %% [markdown]
# By hand, B = 4 and T = 8, so a batch takes 32 ids. Where does it start?
#
# | sample | one process | rank 0 of two | rank 1 of two |
# |---|---|---|---|
# | 0 | 0 | 0 | 32 |
# | 1 | 32 | 64 | 96 |
# | 2 | 64 | | |
# | 3 | 96 | | |
#
# A shard of 140 ids has (140 - 1) // 32 = 4 samples for one process, and (140 - 1) // 64 = 2 for
# two. It is one less because the last target is the id *after* the batch.

# %% [markdown]
# Write `batch_start`. It returns the numbers of this table, for any B, T and number of processes,
# as a Python `int`. The sample may be a NumPy integer, since it comes out of a shuffled array. Then
# the product would be a NumPy integer too, and for a file of more than 2 GiB an int32 turns
# negative with no more than a warning:

# %%
with np.errstate(over="ignore"):
    wrong = np.int32(70_000) * 32 * 1024
wrong, 70_000 * 32 * 1024

# %% solve="batch_start"
def batch_start(sample: int, B: int, T: int, process_rank: int, num_processes: int) -> int:
    """The place in a shard, counted in tokens, where the batch of a rank starts.

    By hand: with B = 4 and T = 8, sample 1 of rank 1 of two starts at (1 * 2 + 1) * 32 = 96.
    """
    # TODO (ch08_dataloader): every sample before takes a batch of all ranks.
    # HINT: int(...) of a NumPy integer is a Python int, which never overflows.
    ### BEGIN SOLUTION
    return (int(sample) * num_processes + process_rank) * B * T
    ### END SOLUTION


# %% example="batch_start"
assert [batch_start(sample, 4, 8, 0, 1) for sample in range(4)] == [0, 32, 64, 96]
assert batch_start(1, 4, 8, process_rank=1, num_processes=2) == 96

# %% check="batch_start" points=8
check("batch_start")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("batch_start")
### END HIDDEN TESTS

# %% [markdown] hints="batch_start"
# <details><summary>Hint 1: where to begin</summary>
#
# How many batches lie before sample 1 of rank 0, if there are two ranks? And before that of rank 1?
#
# </details>
#
# <details><summary>Hint 2: the formula</summary>
#
# `sample * num_processes + process_rank` batches lie before it, of B * T tokens each. So it starts
# at `(sample * processes + rank) * B * T`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `(int(sample) * num_processes + process_rank) * B * T`: `int` first, so that nothing overflows.
#
# </details>

# %% [markdown]
# Which token is read by which rank, and at which step? Here is one shard of 140 tokens, for one,
# two and four ranks. The white end is never read: it is too short for another sample.

# %%
SHADES = ("0.85", "0.6", "0.4", "0.2")


def draw_reads(axes, ranks, B=4, T=8, count=140):
    """A bar for each batch, with its step; the shade is the rank."""
    for step, rank in np.ndindex((count - 1) // (ranks * B * T), ranks):
        start = batch_start(step, B, T, rank, ranks)
        axes.barh(0, B * T, left=start, color=SHADES[rank], edgecolor="black")
        axes.text(start + B * T / 2, 0, f"rank {rank}\nstep {step}", ha="center", va="center",
                  color="black" if rank < 2 else "white")
    axes.barh(0, count, color="none", edgecolor="black")
    axes.set(yticks=[], ylabel=f"{ranks} rank{'s' * (ranks > 1)}", xlim=(0, count))


figure, rows = plt.subplots(3, sharex=True, figsize=(8, 4))
for axes, ranks in zip(rows, (1, 2, 4), strict=True):
    draw_reads(axes, ranks)
rows[-1].set(xlabel="token of the shard", xticks=range(0, 141, 16))
plt.show()

# %% [markdown]
# Four ranks and a batch of 32 need 4 * 32 + 1 = 129 tokens for a single sample. A shard of 128
# would have none at all, and a loader that waits for one would wait for ever.

# %% [markdown]
# ## Inputs and targets
#
# A batch needs B * T + 1 ids, and each target is the id that comes after its input. By hand, the
# ids 0, 1, 2, ... from place 32 on, with B = 2 and T = 3:
#
# | row | inputs | targets |
# |---|---|---|
# | 0 | 32 33 34 | 33 34 35 |
# | 1 | 35 36 37 | 36 37 **38** |
#
# The last target, 38, lies behind the batch: it is the first input of the next one.

# %% [markdown]
# Write `cut_batch`. It takes a one-dimensional array of ids and the place where the batch starts,
# and returns two int64 arrays of shape `(B, T)`, inputs and targets.
#
# If fewer than B * T + 1 ids are left from `start` on, that is a `ValueError`. (NumPy's slices do
# not complain when they end behind the array, they are just shorter.)
#
# Nearly all of the time of a batch goes into converting, so convert once: inputs and targets may be
# views of the same B * T + 1 numbers. They may not be views of the file's map, which is gone one
# day. Who wants to change one of them in place (to mask some inputs, say) makes a copy first.

# %% solve="cut_batch"
def cut_batch(tokens: np.ndarray, start: int, B: int, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets, int64 of shape (B, T), of the B * T + 1 ids from `start` on.

    By hand: of 0, 1, 2, ... from 32 on, B = 2 and T = 3 give the inputs 32 33 34 and 35 36 37 and
    the targets 33 34 35 and 36 37 38.

    Raises:
        ValueError: fewer ids are left.
    """
    # TODO (ch08_dataloader): one slice, converted; then its two parts, each in B rows.
    # HINT: astype(np.int64) copies and converts at once; a short slice cannot be reshaped.
    ### BEGIN SOLUTION
    ids = tokens[start : start + B * T + 1].astype(np.int64)
    return ids[:-1].reshape(B, T), ids[1:].reshape(B, T)
    ### END SOLUTION


# %% example="cut_batch"
inputs, targets = cut_batch(np.arange(140, dtype=np.uint16), 32, 2, 3)
assert inputs.tolist() == [[32, 33, 34], [35, 36, 37]]
assert targets.tolist() == [[33, 34, 35], [36, 37, 38]]

# %% check="cut_batch" points=8
check("cut_batch")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("cut_batch")
### END HIDDEN TESTS

# %% [markdown] hints="cut_batch"
# <details><summary>Hint 1: where to begin</summary>
#
# Both are parts of the same B * T + 1 ids: one without the last, one without the first.
#
# </details>
#
# <details><summary>Hint 2: shape and type</summary>
#
# `tokens[a:b].astype(np.int64)` is a new array. `.reshape(B, T)` of one that has not B * T elements
# raises a `ValueError` by itself.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `ids = tokens[start : start + B * T + 1].astype(np.int64)`. The inputs are
# `ids[:-1].reshape(B, T)`, the targets `ids[1:].reshape(B, T)`.
#
# </details>

# %% [markdown]
# ## All shards
#
# A corpus is many shards, found by a pattern such as `train-*.bin`. In which order? `glob` gives
# names in the order in which the file system happens to hold them, and that is another one on
# another machine, or after a copy. Only a sorted order is an order.

# %% [markdown]
# By hand: `count_*.bin` finds four files, `count_0.bin` to `count_3.bin`, with 560 tokens in all.
# With B = 4 and T = 8 and one process a shard needs 1 * 4 * 8 + 1 = **33** tokens at least, so 140
# are enough. With five processes it needs 161, and they are not.

# %% [markdown]
# Write `find_shards`. It takes a pattern for `glob.glob` and the smallest number of tokens that a
# shard may have. It returns a list of `Shard`, sorted by name, and checks all of them now, so that
# nothing breaks in the third night of a run:
#
# - no file at all: `FileNotFoundError`, and the message has the pattern;
# - a file that `read_tokens_header` refuses: its error;
# - a shard with fewer than `least` tokens: `ValueError`; the message names the file, then how many
#   tokens it has, then how many are needed.
#
# A process may hold perhaps a thousand files open, and a corpus can have more shards than that. So
# no file stays open.

# %% solve="find_shards"
def find_shards(pattern: str, least: int) -> list[Shard]:
    """The shards that match a pattern, sorted by name, each with at least so many tokens.

    By hand: count_*.bin finds four shards of 140 tokens; 33 are needed for a batch of 4 times 8.

    Raises:
        FileNotFoundError: no file matches; the message has the pattern.
        ValueError: a file is no shard, or too small; the message names it.
    """
    # TODO (ch08_dataloader): glob, sort, read each header, look at the count.
    # HINT: sorted(glob.glob(pattern)) is a list of str, empty if nothing matches.
    ### BEGIN SOLUTION
    shards = [read_tokens_header(Path(path)) for path in sorted(glob.glob(pattern))]
    if not shards:
        raise FileNotFoundError(f"no file matches {pattern}")
    for shard in shards:
        if shard.count < least:
            raise ValueError(f"{shard.path} has {shard.count} tokens, and {least} are needed")
    return shards
    ### END SOLUTION


# %% example="find_shards"
found = find_shards(str(folder / "count_*.bin"), 33)
assert [shard.path.name for shard in found] == [f"count_{number}.bin" for number in range(4)]
assert sum(shard.count for shard in found) == 560

# %% check="find_shards" points=8
check("find_shards")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("find_shards")
### END HIDDEN TESTS

# %% [markdown] hints="find_shards"
# <details><summary>Hint 1: where to begin</summary>
#
# Make a list of all headers first. Then there are two questions: is it empty, and is one of them
# too small?
#
# </details>
#
# <details><summary>Hint 2: order and errors</summary>
#
# `sorted` of the names that `glob.glob(pattern)` gives. `read_tokens_header` raises its errors by
# itself; do not catch them.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `[read_tokens_header(Path(path)) for path in sorted(glob.glob(pattern))]`. If it is empty, raise
# `FileNotFoundError(f"no file matches {pattern}")`; if a `shard.count < least`, a `ValueError`.
#
# </details>

# %% [markdown]
# ## The loader
#
# Now put it together. The names of the methods are those of llm.c, so that you find your way there:
#
# | method | what it does |
# |---|---|
# | `load_shard_(shard_index)` | opens the shard at this place of the order; returns its count |
# | `prepare_intra_shard_indices_()` | a fresh permutation of this shard's samples |
# | `reset()` | begins a new epoch: shard 0, sample 0 |
# | `advance_()` | moves to the next shard; after the last one, `reset` |
# | `load_batch()` | inputs and targets at the present position, which stays as it is |
# | `next_batch()` | moves on to the next shard if this one is used up, loads, counts the sample |
# | `resume(shard_idx, sample_idx)` | jumps there; nothing is shuffled |
# | `close()` | lets go of the map |

# %% [markdown]
# and these are its public attributes:
#
# | attribute | meaning |
# |---|---|
# | `B`, `T`, `process_rank`, `num_processes`, `should_shuffle` | as given |
# | `shards`, `num_tokens` | what `find_shards` found, and all their tokens together |
# | `current_shard_idx`, `current_sample_idx` | the position: which sample is next |
# | `shard_num_samples` | samples in the present shard: (count - 1) // (processes * B * T) |
# | `tokens` | the map of the present shard; None if there is none |
# | `shuffle_rng` | an `MT19937State`, seeded with 42 + rank |
# | `shard_indices`, `intra_shard_indices` | int64 arrays: the orders of shards and of samples |

# %% [markdown]
# ### Without shuffling
#
# By hand: four counting shards, B = 4, T = 8, one process, four samples in each shard. The first
# input of each batch is
#
# | shard | sample 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | 0 | 0 | 32 | 64 | 96 |
# | 1 | 140 | 172 | 204 | 236 |
# | 2 | 280 | 312 | 344 | 376 |
# | 3 | 420 | 452 | 484 | 516 |
#
# and after 516 comes 0 again: a new **epoch**. Two processes have two samples a shard. Rank 0
# begins with 0, 64, 140, and rank 1 with 32, 96, 172.

# %% [markdown]
# ### Shuffled
#
# With `should_shuffle`, `reset` first permutes `shard_indices` **in place**, from the order of the
# epoch before, with `random_permutation`; then it loads the first shard, and then
# `prepare_intra_shard_indices_` makes the samples' order: the identity, permuted, with one more
# draw from the same generator. So does `advance_` after it has loaded the next shard. The place of
# a shard in the order is `current_shard_idx`; which shard that is, `shard_indices` says. Likewise
# `intra_shard_indices` says which sample is read at `current_sample_idx`.
#
# Each rank is seeded differently and has its own order. All the same every token is read once in
# an epoch: whatever the order, a rank reads its own stripes, and reads all of them.
#
# Without `should_shuffle` nothing is drawn: `shard_indices` stays the identity and
# `intra_shard_indices` stays empty.

# %% [markdown]
# ### Some details
#
# - `B` or `T` below 1, and a rank that is not one of 0 ... `num_processes` - 1, are `ValueError`.
# - A shard needs `num_processes * B * T + 1` tokens at least. The constructor ends with `reset()`.
# - `load_shard_` lets go of the old map before it makes the new one, so there is never more than
#   one, and `tokens` is None if a file turns out to have changed.
# - `load_batch` raises `ValueError` if the loader is closed (`tokens` is None), if the shard's
#   file has changed, or if the position is at the end of the shard. A closed loader's `next_batch`
#   raises `ValueError` wherever it stands.
# - `resume(shard_idx, sample_idx)` takes a place in the order and a sample from 0 up to and with
#   `shard_num_samples` (where the next batch is that of the next shard). Any other position is a
#   `ValueError`, and the loader stays where it was. It draws nothing, so the permutation of samples
#   stays as well: where a shuffled loader's does not fit, because that shard has another number of
#   samples, it is a `ValueError` too.
# - After `close()`, `reset` and `resume` open the loader again (as `load_state_dict` will, below).

# %% solve="ShardLoader"
class ShardLoader:
    """Batches from many shards, in order or shuffled, for one of several processes.

    By hand: from four counting shards of 140 tokens, B = 4 and T = 8 give batches that begin with
    0, 32, 64, 96, 140, ... 516 and then 0 again; rank 1 of two begins with 32, 96, 172.
    """

    # TODO (ch08_dataloader): write the methods of the table; begin without shuffling.
    # HINT: self.shards[self.shard_indices[i]] is the i-th shard in any order.

    def __init__(
        self,
        pattern: str,
        B: int,
        T: int,
        process_rank: int = 0,
        num_processes: int = 1,
        should_shuffle: bool = False,
    ) -> None:
        """Find and check all shards, and begin the first epoch.

        Raises ValueError for numbers that make no sense and for shards that are damaged or too
        small, FileNotFoundError if there are none.
        """
        ### BEGIN SOLUTION
        if min(B, T) < 1 or not 0 <= process_rank < num_processes:
            raise ValueError(f"B={B}, T={T}, rank {process_rank} of {num_processes}: out of range")
        self.B, self.T = B, T
        self.process_rank, self.num_processes = process_rank, num_processes
        self.should_shuffle = should_shuffle
        self.shards = find_shards(pattern, num_processes * B * T + 1)
        self.num_tokens = sum(shard.count for shard in self.shards)
        self.shuffle_rng = MT19937State()
        manual_seed(self.shuffle_rng, 42 + process_rank)
        self.shard_indices = np.empty(len(self.shards), dtype=np.int64)
        init_identity_permutation(self.shard_indices)
        self.intra_shard_indices = np.empty(0, dtype=np.int64)
        self.reset()
        ### END SOLUTION

    def load_shard_(self, shard_index: int) -> int:
        """Open the shard at this place of the order; return how many tokens it has."""
        ### BEGIN SOLUTION
        self.tokens = None  # the old map goes first
        self.shard = self.shards[self.shard_indices[shard_index]]
        self.tokens = map_tokens(self.shard)
        self.shard_num_samples = self._samples(self.shard)
        return self.shard.count

    def _samples(self, shard: Shard) -> int:
        return (shard.count - 1) // (self.num_processes * self.B * self.T)
        ### END SOLUTION

    def prepare_intra_shard_indices_(self) -> None:
        """Draw a fresh permutation of the present shard's samples."""
        ### BEGIN SOLUTION
        self.intra_shard_indices = np.empty(self.shard_num_samples, dtype=np.int64)
        init_identity_permutation(self.intra_shard_indices)
        random_permutation(self.intra_shard_indices, self.shuffle_rng)
        ### END SOLUTION

    def reset(self) -> None:
        """Begin a new epoch, with another order if shuffled."""
        ### BEGIN SOLUTION
        if self.should_shuffle:
            random_permutation(self.shard_indices, self.shuffle_rng)
        self._begin_shard(0)

    def _begin_shard(self, shard_index: int) -> None:
        self.current_shard_idx, self.current_sample_idx = shard_index, 0
        self.load_shard_(shard_index)
        if self.should_shuffle:
            self.prepare_intra_shard_indices_()
        ### END SOLUTION

    def advance_(self) -> None:
        """Move to the next shard, or to a new epoch after the last."""
        ### BEGIN SOLUTION
        if self.current_shard_idx == len(self.shards) - 1:
            self.reset()
        else:
            self._begin_shard(self.current_shard_idx + 1)
        ### END SOLUTION

    def load_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and targets at the present position. Raises ValueError where there are none."""
        ### BEGIN SOLUTION
        if self.tokens is None or self.current_sample_idx >= self.shard_num_samples:
            raise ValueError("no batch here: the loader is closed, or at the end of a shard")
        check_unchanged(self.shard)
        sample = self.current_sample_idx
        if self.should_shuffle:
            sample = self.intra_shard_indices[sample]
        start = batch_start(sample, self.B, self.T, self.process_rank, self.num_processes)
        return cut_batch(self.tokens, start, self.B, self.T)
        ### END SOLUTION

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """The next inputs and targets; they never run out."""
        ### BEGIN SOLUTION
        if self.tokens is not None and self.current_sample_idx == self.shard_num_samples:
            self.advance_()
        batch = self.load_batch()
        self.current_sample_idx += 1
        return batch
        ### END SOLUTION

    def resume(self, shard_idx: int, sample_idx: int) -> None:
        """Jump to a position, shuffling nothing. Raises ValueError for one that there is not."""
        ### BEGIN SOLUTION
        if not 0 <= shard_idx < len(self.shards):
            raise ValueError(f"there is no shard {shard_idx}, there are {len(self.shards)}")
        samples = self._samples(self.shards[self.shard_indices[shard_idx]])
        if not 0 <= sample_idx <= samples:
            raise ValueError(f"there is no sample {sample_idx} in a shard of {samples}")
        if self.should_shuffle and len(self.intra_shard_indices) != samples:
            raise ValueError(f"the order at hand is not one of {samples} samples; load a state")
        self.load_shard_(shard_idx)
        self.current_shard_idx, self.current_sample_idx = shard_idx, sample_idx
        ### END SOLUTION

    def close(self) -> None:
        """Let go of the map; closing twice does no harm."""
        ### BEGIN SOLUTION
        self.tokens = None
        ### END SOLUTION


# %% example="ShardLoader"
counting = str(folder / "count_*.bin")
loader = ShardLoader(counting, B=4, T=8)
inputs, targets = loader.load_batch()
assert inputs[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
assert targets[0].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
starts = [int(loader.next_batch()[0][0, 0]) for _ in range(17)]
assert starts[:8] == [0, 32, 64, 96, 140, 172, 204, 236]
assert starts[8:] == [280, 312, 344, 376, 420, 452, 484, 516, 0]
rank_1 = ShardLoader(counting, B=4, T=8, process_rank=1, num_processes=2)
assert [int(rank_1.next_batch()[0][0, 0]) for _ in range(3)] == [32, 96, 172]

# %% check="ShardLoader" points=14
check("ShardLoader")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("ShardLoader")
### END HIDDEN TESTS

# %% [markdown] hints="ShardLoader"
# <details><summary>Hint 1: where to begin</summary>
#
# Write it as if nothing were ever shuffled, and run the example: `__init__` keeps the arguments and
# calls `find_shards` and `reset`; `reset` and `advance_` set the position and call `load_shard_`;
# `load_batch` is `batch_start` and `cut_batch`.
#
# </details>
#
# <details><summary>Hint 2: then shuffle</summary>
#
# `shard_indices` is `np.empty(n, dtype=np.int64)`, filled by `init_identity_permutation`. It can
# be used always: unshuffled, it changes nothing. `reset` permutes it before it loads a shard, and
# after each shard that `reset` or `advance_` has loaded comes `prepare_intra_shard_indices_`.
# `resume` loads a shard without that.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `load_shard_`: `self.tokens = None`, look up `self.shards[self.shard_indices[shard_index]]`, keep
# it, map it, set `shard_num_samples`, return its count. `next_batch`: if the position is at
# `shard_num_samples` and the loader is open, `advance_()`; then `load_batch()`; then add 1 to
# `current_sample_idx`. In `resume`, compute the number of samples of the shard that is meant, and
# raise before anything is changed.
#
# </details>

# %% [markdown]
# In which order are the samples read, before and after shuffling? Each dot is one step of two
# epochs; the height is the place of its first token in the corpus.

# %%
figure, plots = plt.subplots(1, 2, sharey=True)
for axes, shuffled in zip(plots, (False, True), strict=True):
    loader = ShardLoader(counting, B=4, T=8, should_shuffle=shuffled)
    first_ids = [loader.next_batch()[0][0, 0] for _ in range(32)]
    axes.plot(first_ids, "ko", markersize=4)
    axes.axvline(15.5, color="0.5", linestyle="--")
    axes.set(title="shuffled" if shuffled else "in order", xlabel="step", yticks=range(0, 561, 140))
    axes.grid(axis="y", color="0.8")
plots[0].set_ylabel("first token of the batch")
plt.show()

# %% [markdown]
# Shuffled, an epoch still reads shard after shard, four dots between two grey lines: the samples of
# one shard are never mixed with those of another. That keeps a single file in memory, and it is why
# a corpus should be well mixed before it is cut into shards.

# %% [markdown]
# How often is each token read? In one epoch of the loader, and by as many random windows:

# %%
write_shard(folder / "long.bin", np.arange(20_001))
loader = ShardLoader(str(folder / "long.bin"), B=4, T=50, should_shuffle=True)
stream = TokenStream(folder / "long.bin")
times_read = {"loader": np.zeros(20_001, dtype=int), "random windows": np.zeros(20_001, dtype=int)}
for _ in range(loader.shard_num_samples):
    np.add.at(times_read["loader"], loader.next_batch()[0], 1)
    np.add.at(times_read["random windows"], stream.windows(4, 50)[:, :-1], 1)

figure, axes = plt.subplots()
for offset, (name, times) in zip((-0.2, 0.2), times_read.items(), strict=True):
    share = np.bincount(times[:-1], minlength=7)[:7] / 20_000
    axes.bar(np.arange(7) + offset, share, 0.4, label=name, edgecolor="black",
             color="0.2" if name == "loader" else "0.85")
axes.set(xlabel="times that a token was an input", ylabel="share of all tokens")
axes.legend()
plt.show()

# %% [markdown]
# The loader reads every token exactly once. With random windows more than a third of the tokens are
# not read at all, and others three or four times. Over many epochs that evens out; for a single
# one, which is what most large models get, it is a third of the data thrown away.

# %% [markdown]
# ## Stop and go on
#
# A machine is restarted, and the run should go on with the batch that would have been next. The
# position alone is not enough: the order of this epoch came from a generator that has moved on
# since, and the next epoch depends on where it stands. By hand, what a shuffled loader of four
# shards with four samples each has drawn when it starts: 3 words for the order of four shards, and
# 3 for the order of four samples. So the generator stands at word **6** before the first batch.
# The fifth batch opens the second shard, whose order takes 3 more: word **9**. What is saved there
# has to hold the 9, or the third shard has another order.

# %% [markdown]
# These two are given. They turn the generator's state into plain values that JSON can hold, and
# back into a new state of its own:

# %% given="plain"
LAYOUT = ("B", "T", "process_rank", "num_processes", "should_shuffle", "shards")


def rng_to_plain(rng: MT19937State) -> dict:
    """A copy of a generator's state, in plain values."""
    return {
        "seed": rng.seed, "left": rng.left, "next": rng.next, "state": rng.state.tolist()
    }


def rng_from_plain(plain: dict) -> MT19937State:
    """A new generator in the state that was copied. Raises ValueError if that is damaged."""
    rng = MT19937State()
    try:
        manual_seed(rng, plain["seed"])
        rng.left, rng.next = plain["left"], plain["next"]
        if len(plain["state"]) != len(rng.state) or rng.left + rng.next not in (1, 625):
            raise ValueError("not 624 words and a place among them")
        rng.state[:] = plain["state"]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"shuffle_rng is no generator: {error!r}") from error
    return rng


# %% [markdown]
# Write `DataLoader`: a `ShardLoader` that can be saved, and two conveniences.
#
# - `state_dict()` returns a dict of plain values (bool, int, str, lists and dicts of them: no
#   arrays and no NumPy integers), which `json.dumps` takes. It is a copy: what the loader does
#   afterwards does not change it. Its entries are those of `LAYOUT` (`"shards"` is a list of
#   `[file name, count]`, without folders, so that the corpus may be moved), then
#   `"current_shard_idx"`, `"current_sample_idx"`, `"shuffle_rng"` (as `rng_to_plain` gives it),
#   `"shard_indices"` and `"intra_shard_indices"`.
# - `load_state_dict(state)` continues from there: the batches that follow are, bit for bit, those
#   that the saved loader gave after saving, in this epoch and all later ones. `state` stays as it
#   is.
# - A closed loader has a state like any other, and `load_state_dict` opens it again.
# - A state that does not fit is a `ValueError` whose message has the name of the entry, and the
#   loader goes on as before: so check everything, and only then change anything. What does not fit
#   is an entry that is missing; one of `LAYOUT` that is not this loader's; `shard_indices` that are
#   not a permutation of all shards; a `current_shard_idx` or `current_sample_idx` that `resume`
#   would refuse; `intra_shard_indices` that are not a permutation of the samples of the shard at
#   `current_shard_idx` (unshuffled: not empty); and a damaged `shuffle_rng`, which
#   `rng_from_plain` refuses by name.
# - A loader is an iterator: `iter(loader)` is the loader, `next(loader)` is `next_batch()`. It has
#   no end.
# - It is a context manager: `with DataLoader(...) as loader:` closes it at the end.

# %% solve="DataLoader"
class DataLoader(ShardLoader):
    """A ShardLoader that can be saved and continued, iterated over, and closed by `with`.

    By hand: shuffled, with four shards of four samples, the generator stands at word 6 before the
    first batch and at word 9 after the fifth. A fresh loader, loaded with what is saved there,
    stands at 9 too, and gives batches 6, 7, ... as if nothing had stopped.
    """

    # TODO (ch08_dataloader): save everything that decides what comes next.
    # HINT: ndarray.tolist() is a copy, in plain ints; np.array(list, dtype=np.int64) is one too.

    def state_dict(self) -> dict:
        """Position, orders, generator and layout, in plain values that nothing changes later."""
        ### BEGIN SOLUTION
        return {
            "B": self.B,
            "T": self.T,
            "process_rank": self.process_rank,
            "num_processes": self.num_processes,
            "should_shuffle": self.should_shuffle,
            "shards": [[shard.path.name, shard.count] for shard in self.shards],
            "current_shard_idx": self.current_shard_idx,
            "current_sample_idx": self.current_sample_idx,
            "shuffle_rng": rng_to_plain(self.shuffle_rng),
            "shard_indices": self.shard_indices.tolist(),
            "intra_shard_indices": self.intra_shard_indices.tolist(),
        }
        ### END SOLUTION

    def load_state_dict(self, state: dict) -> None:
        """Go on where `state` was saved. Raises ValueError, with its name, for an entry that does
        not fit, and changes nothing then."""
        ### BEGIN SOLUTION
        for name, own in self.state_dict().items():
            if name not in state:
                raise ValueError(f"the state has no {name}")
            if name in LAYOUT and state[name] != own:
                raise ValueError(f"the state was saved with another {name}")
        self._check_order(state, "shard_indices", len(self.shards))
        self._check_place(state, "current_shard_idx", len(self.shards))
        shard = self.shards[state["shard_indices"][state["current_shard_idx"]]]
        samples = (shard.count - 1) // (self.num_processes * self.B * self.T)
        self._check_place(state, "current_sample_idx", samples + 1)
        self._check_order(state, "intra_shard_indices", samples if self.should_shuffle else 0)
        self.shuffle_rng = rng_from_plain(state["shuffle_rng"])
        self.shard_indices = np.array(state["shard_indices"], dtype=np.int64)
        self.intra_shard_indices = np.array(state["intra_shard_indices"], dtype=np.int64)
        self.resume(state["current_shard_idx"], state["current_sample_idx"])

    def _check_order(self, state: dict, name: str, n: int) -> None:
        if sorted(state[name]) != list(range(n)):
            raise ValueError(f"{name} is not a permutation of {n}")

    def _check_place(self, state: dict, name: str, end: int) -> None:
        if state[name] not in range(end):
            raise ValueError(f"{name} is {state[name]}, not 0 to {end - 1}")
        ### END SOLUTION

    def __iter__(self) -> "DataLoader":
        """The loader itself."""
        ### BEGIN SOLUTION
        return self
        ### END SOLUTION

    def __next__(self) -> tuple[np.ndarray, np.ndarray]:
        """The next batch."""
        ### BEGIN SOLUTION
        return self.next_batch()
        ### END SOLUTION

    def __enter__(self) -> "DataLoader":
        """The loader itself."""
        ### BEGIN SOLUTION
        return self
        ### END SOLUTION

    def __exit__(self, *error: object) -> None:
        """Close it."""
        ### BEGIN SOLUTION
        self.close()
        ### END SOLUTION


# %% example="DataLoader"
with DataLoader(counting, B=4, T=8, should_shuffle=True) as loader:
    assert loader.shuffle_rng.next == 6
    for _ in range(5):
        next(loader)
    assert loader.shuffle_rng.next == 9
    saved = json.dumps(loader.state_dict())
    wanted = [next(loader)[0].tolist() for _ in range(27)]
again = DataLoader(counting, B=4, T=8, should_shuffle=True)
again.load_state_dict(json.loads(saved))
assert again.shuffle_rng.next == 9
assert [next(again)[0].tolist() for _ in range(27)] == wanted

# %% check="DataLoader" points=8
check("DataLoader")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("DataLoader")
### END HIDDEN TESTS

# %% [markdown] hints="DataLoader"
# <details><summary>Hint 1: where to begin</summary>
#
# Write `state_dict` as one dict, entry by entry as the text lists them. The four methods with
# underscores are a line each.
#
# </details>
#
# <details><summary>Hint 2: loading</summary>
#
# First compare the state with `self.state_dict()`: its names, and the entries of `LAYOUT`. A list
# is a permutation of n numbers if it is `list(range(n))` when sorted. After all checks, make the
# generator and both arrays anew from the state. `resume` does the rest: it draws nothing.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `"shards"` is `[[shard.path.name, shard.count] for shard in self.shards]`, and an order is
# `self.shard_indices.tolist()`. Loading sets `self.shuffle_rng = rng_from_plain(...)`, both orders
# as `np.array(..., dtype=np.int64)`, and calls `self.resume(...)` with the saved position.
#
# </details>

# %% [markdown]
# What does `resume` by itself give, if a fresh loader is sent to the same position? In the first
# epoch the same batches to the end of that shard, if it was the first shard, and then others:

# %%
position = json.loads(saved)
print("saved at shard", position["current_shard_idx"], "sample", position["current_sample_idx"])
only_resumed = DataLoader(counting, B=4, T=8, should_shuffle=True)
only_resumed.resume(position["current_shard_idx"], position["current_sample_idx"])
print("should be  ", [batch[0][0] for batch in wanted[:8]])
print("resume only", [int(next(only_resumed)[0][0, 0]) for _ in range(8)])

# %% [markdown]
# Batches are read twice, others never, and no error tells. llm.c saves the generator and both
# orders for the same reason. Unshuffled, the position is all there is.

# %% [markdown]
# How long does a batch take? With B = 32 and T = 1024 a model needs some milliseconds at least for
# a step:

# %%
write_shard(folder / "large.bin", np.arange(5_000_000) % 50257)
for shuffle in (False, True):
    with DataLoader(str(folder / "large.bin"), 32, 1024, should_shuffle=shuffle) as loader:
        begin = time.perf_counter()
        for _ in range(500):
            next(loader)
        print(f"{(time.perf_counter() - begin) / 500 * 1e6:.0f} µs", "shuffled" * shuffle)

# %% [markdown]
# ## What goes wrong
#
# Slips that are easily made, what they look like, and the hidden test that notices each
# (`ol tests ch08` lists them all):
#
# | slip | what you would see | caught by |
# |---|---|---|
# | magic not checked | batches of nonsense from any file | `test_magic_is_checked` |
# | size not checked | a download cut short is taken for whole | `test_size_is_checked` |
# | uint16 for every version | twice as many ids, every other one 0 | `test_version_2` |
# | header read as ids | the first ids of a shard are strange | `test_map_by_hand` |
# | size taken for the whole stamp | a new corpus in mid-run, unseen | `test_changes_are_noticed` |
# | one start too few | the last token is never drawn | `test_every_start_is_drawn` |
# | one start too many | once in a long while, an error | `test_every_start_is_drawn` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | ranks side by side in halves | a rank reads outside of its stripes | `test_starts_by_hand` |
# | int32 arithmetic | beyond 2 GiB, tokens from elsewhere | `test_large_files` |
# | targets equal to inputs | a loss of nearly zero at once | `test_batch_by_hand` |
# | ids left in 16 bits | 65535 + 1 is 0 | `test_batches_are_int64` |
# | order of the file system | another machine, other batches | `test_sorted_by_name` |
# | files left open | "too many open files" on large corpora | `test_more_shards_than_handles` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | last sample skipped | a shard that is just large enough gives none | `test_smallest_shard` |
# | no new epoch | the run ends with an error at the last shard | `test_epochs_by_hand` |
# | one seed for all ranks | all ranks have the same order | `test_shuffled_orders` |
# | one order for all epochs | epoch 2 repeats epoch 1 | `test_shuffled_orders` |
# | resume shuffles | after a jump, other samples | `test_resume_draws_nothing` |
# | files not watched | the process dies of a bus error | `test_changes_while_in_use` |
# | generator not saved | equal to the end of the epoch, then not | `test_continues_at_any_point` |
# | order of samples not saved | other batches right after loading | `test_continues_at_any_point` |
# | state of another layout taken | tokens read twice or never | `test_other_layouts_are_refused` |
# | orders taken unseen | one batch again and again, from a damaged file | `test_damaged_states` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# let your `batch_start` forget the rank, see whether the test fails, and put it right again. Which
# loader would have made it fail?

# %%
def test_first_batch():
    """The first batch begins with the first token."""
    with DataLoader(counting, B=4, T=8) as loader:
        assert next(loader)[0][0, 0] == 0


test_first_batch()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the tables above. Notice every slip of the tables, and four
# bugs in five altogether. A test that fails on right code in another form is refused, so test what
# this chapter promises and nothing else.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome, and
# `tmp_path` is a folder of your own. Reach everything through `dataloader`: in this notebook that
# is what the cells above define. Tests are tried alone, so import or define in their cell what else
# they use, a function that writes a shard too. Close what you open, with `with` or `close()`: the
# code under test may hold 64 files open and no more. The strongest tests say what must hold for
# *any* number of ranks and any sizes: over an epoch, all ranks together read each token once.

# %% tests="own_tests"
import json
import os
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import dataloader


def test_ranks_by_hand(tmp_path):
    # TODO (ch08_dataloader): replace this by a test, and add one for each slip you can think of.
    # HINT: write counting shards into tmp_path; ranks, epochs, a file that changes, a state...
    ### BEGIN SOLUTION
    counting(tmp_path, [140] * 4)
    with load(tmp_path, 4, 8) as one, load(tmp_path, 4, 8, 1, 2) as other:
        assert firsts(one, 17) == [
            *(0, 32, 64, 96, 140, 172, 204, 236, 280, 312, 344, 376, 420, 452, 484, 516), 0
        ]
        assert firsts(other, 9) == [32, 96, 172, 236, 312, 376, 452, 516, 32]


def write(path, ids, version=1, magic=20240520, count=None, cut=None, more=b""):
    """Write a shard, with a header that says what it is told to."""
    numbers = np.zeros(256, dtype="<i4")
    numbers[:4] = magic, version, len(ids) if count is None else count, 50257
    ids = np.asarray(ids, dtype=np.int64).astype({2: "<u4"}.get(version, "<u2"))
    path.write_bytes((numbers.tobytes() + ids.tobytes())[:cut] + more)
    return path


def counting(folder, sizes):
    """Shards of ids that count on; written from the last to the first."""
    starts = np.cumsum([0, *sizes])
    for number in reversed(range(len(sizes))):
        ids = np.arange(starts[number], starts[number + 1])
        write(folder / f"count_{number:03}.bin", ids)


NUMBERS = ("000", "001", "002")


def load(folder, *args, **named):
    return dataloader.DataLoader(f"{folder}/count_*.bin", *args, **named)


def firsts(loader, n):
    return [int(loader.next_batch()[0][0, 0]) for _ in range(n)]


def words(seed, n):
    return np.random.RandomState(seed).randint(0, 2**32, n, dtype=np.uint32).tolist()


def shuffle(items, stream):
    """Fisher-Yates from the top, with an iterator of words."""
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = next(stream) % (i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def visits(samples, rank, epochs):
    """(shard, sample) in the order of a shuffled loader; `samples` are those of each shard."""
    stream, shards, found = iter(words(42 + rank, 10_000)), range(len(samples)), []
    for _ in range(epochs):
        shards = shuffle(shards, stream)
        for shard in shards:
            found += [(shard, sample) for sample in shuffle(range(samples[shard]), stream)]
    return found


def change(path, how):
    """Cut, lengthen, replace, overwrite or remove a file."""
    data, time = path.read_bytes(), path.stat().st_mtime_ns
    if how == "removed":
        path.unlink()
    elif how == "replaced":
        path.with_suffix(".new").write_bytes(data)
        path.with_suffix(".new").replace(path)
    elif how == "rewritten":
        while path.stat().st_mtime_ns == time:
            path.write_bytes(data[:-2] + b"\7\7")
    else:
        path.write_bytes(data[:-2] if how == "cut" else data + b"\0\0")


CHANGES = ["removed", "replaced", "rewritten", "cut", "grown"]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("ids", [[], [5], range(65_000, 65_536)])
def test_headers(tmp_path, version, ids):
    """Version, count and stamp; then the ids, in the dtype of the version."""
    path = write(tmp_path / "a.bin", ids, version)
    shard, status = dataloader.read_tokens_header(str(path)), os.stat(path)

    assert (shard.path, shard.version, shard.count) == (path, version, len(ids))
    assert shard.stamp == (status.st_ino, status.st_size, status.st_mtime_ns)
    tokens = dataloader.map_tokens(shard)
    assert (tokens.dtype, tokens.tolist()) == (np.dtype(f"u{2 * version}"), list(ids))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_stamps(tmp_path, place):
    """Each of the three numbers counts."""
    shard = dataloader.read_tokens_header(write(tmp_path / "a.bin", range(40)))
    stamp = list(shard.stamp)
    stamp[place] += 1
    with pytest.raises(ValueError, match=r"a\.bin"):
        dataloader.check_unchanged(replace(shard, stamp=tuple(stamp)))


def test_large_ids(tmp_path):
    """Up to the last uint32."""
    path = write(tmp_path / "a.bin", [0, 2**32 - 1, 65_536], version=2)
    tokens = dataloader.map_tokens(dataloader.read_tokens_header(path))

    assert tokens.tolist() == [0, 2**32 - 1, 65_536]
    assert dataloader.cut_batch(tokens, 0, 1, 2)[1].tolist() == [[2**32 - 1, 65_536]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"magic": 20240522}, {"magic": 20240519}, {"magic": -20240520}, {"version": 0},
        {"version": 3}, {"count": 4}, {"count": 6}, {"count": -1}, {"count": -512, "cut": 0},
        {"cut": 0}, {"cut": 1023}, {"cut": -1}, {"cut": -2}, {"more": b"\0"}, {"more": b"\0\0"},
        {"count": -2, "cut": 1020}, {"count": -3, "cut": 1024}, {"count": 0, "cut": 5},
    ],
    ids=range(18),
)
def test_damaged_files(tmp_path, wrong):
    """Refused by name, alone and among others."""
    path = write(tmp_path / "count_1.bin", range(5), **wrong)
    write(tmp_path / "count_0.bin", range(5))
    with pytest.raises(ValueError, match=r"count_1\.bin"):
        dataloader.read_tokens_header(path)
    with pytest.raises(ValueError, match=r"count_1\.bin"):
        dataloader.find_shards(f"{tmp_path}/*.bin", 1)


@pytest.mark.parametrize("how", CHANGES)
def test_changed_files(tmp_path, how):
    """Noticed by everything that looks at a shard, by name."""
    path = write(tmp_path / "count_0.bin", range(40))
    write(tmp_path / "count_1.bin", range(40))
    shard, stream = dataloader.read_tokens_header(path), dataloader.TokenStream(path)
    here, there = load(tmp_path, 2, 4), load(tmp_path, 2, 4)
    assert dataloader.check_unchanged(shard) is None
    here.next_batch()
    there.resume(1, 4)
    change(path, how)
    for action in (
        lambda: dataloader.check_unchanged(shard), lambda: dataloader.map_tokens(shard),
        lambda: stream.windows(1, 3), here.next_batch, here.load_batch, there.next_batch,
    ):
        with pytest.raises((ValueError, FileNotFoundError), match=r"count_0\.bin"):
            action()
    assert there.tokens is None
    with pytest.raises((ValueError, FileNotFoundError)):
        there.next_batch()
    for each in (stream, here, there):
        each.close()


@pytest.mark.parametrize(("n", "T", "seed"), [(10, 3, 42), (10, 9, 1), (11, 9, 7), (50, 4, 0)])
def test_windows(tmp_path, n, T, seed):
    """Words modulo the number of starts, one after the other, over several calls."""
    stream = dataloader.TokenStream(write(tmp_path / "a.bin", range(65_000, 65_000 + n)), seed)
    got = np.concatenate([stream.windows(3, T), stream.windows(4, T)])
    starts = [word % (n - T) for word in words(seed, 7)]

    assert len(stream) == n
    assert got.dtype == np.int64
    assert got.tolist() == [[65_000 + s + t for t in range(T + 1)] for s in starts]
    with pytest.raises(ValueError, match=r"a\.bin"):
        stream.windows(1, n)
    if seed == 42:
        with closing(dataloader.TokenStream(tmp_path / "a.bin")) as other:
            assert other.windows(3, T).tolist() == got[:3].tolist()
    stream.close()
    with pytest.raises(ValueError, match=r"a\.bin"):
        stream.windows(1, T)


def test_starts():
    """Side by side, without a gap."""
    starts = [dataloader.batch_start(s, 2, 5, rank, 3) for s in range(2) for rank in range(3)]

    assert starts == list(range(0, 60, 10))


def test_starts_beyond_2_gib():
    """NumPy integers do not overflow, and plain ones come out."""
    got = dataloader.batch_start(np.int32(70_000), 32, 1024, 1, 2)

    assert (got, type(got)) == (140_001 * 32_768, int)


def test_cutting():
    """Each target is the id after its input; int64, two arrays; the last place, and one beyond."""
    tokens = np.arange(65_500, 65_536).astype(np.uint16)
    inputs, targets = dataloader.cut_batch(tokens, 23, 3, 4)

    assert inputs.tolist() == [[65_523 + 4 * b + t for t in range(4)] for b in range(3)]
    assert targets.tolist() == (inputs + 1).tolist()
    assert (inputs.dtype, targets.dtype) == (np.int64, np.int64)
    for start in (24, 25, 30, 99):
        with pytest.raises(ValueError, match=r"."):
            dataloader.cut_batch(tokens, start, 3, 4)


def test_finding(tmp_path):
    """Sorted by name, large enough, and there at all."""
    counting(tmp_path, [10, 9, 12])
    write(tmp_path / "other.bin", [])
    write(tmp_path / "count_B.bin", range(10))
    write(tmp_path / "count_a.bin", range(10))

    found = dataloader.find_shards(f"{tmp_path}/count_*.bin", 9)
    assert [shard.path.name for shard in found] == [f"count_{n}.bin" for n in (*NUMBERS, "B", "a")]
    with pytest.raises(ValueError, match=r"count_001\.bin.*9.*10"):
        dataloader.find_shards(f"{tmp_path}/count_*.bin", 10)
    with pytest.raises(FileNotFoundError, match="none_here"):
        dataloader.find_shards(f"{tmp_path}/none_here*", 1)


def test_many_shards(tmp_path):
    """More than a process may hold open."""
    counting(tmp_path, [3] * 70)
    with load(tmp_path, 1, 2) as loader:
        assert (loader.num_tokens, firsts(loader, 71)) == (210, [*range(0, 210, 3), 0])


@given(
    ranks=st.integers(1, 3), B=st.integers(1, 3), T=st.integers(1, 3), shuffled=st.booleans(),
    more=st.lists(st.integers(0, 6), min_size=1, max_size=2),
)
@settings(max_examples=8, deadline=None)
def test_epochs(tmp_path_factory, ranks, B, T, shuffled, more):
    """All ranks together read each token once an epoch, in the order that the words say."""
    folder = tmp_path_factory.mktemp("shards")
    sizes = [ranks * B * T + 1 + n for n in more]
    counting(folder, sizes)
    starts = np.cumsum([0, *sizes]).tolist()
    samples = [(size - 1) // (ranks * B * T) for size in sizes]
    in_order = [(s, k) for s, n in enumerate(samples) for k in range(n)] * 2
    for rank in range(ranks):
        with load(folder, B, T, rank, ranks, shuffled) as loader:
            for shard, sample in visits(samples, rank, 2) if shuffled else in_order:
                inputs, targets = loader.next_batch()
                start = starts[shard] + (sample * ranks + rank) * B * T

                assert inputs.tolist() == (start + np.arange(B * T)).reshape(B, T).tolist()
                assert targets.tolist() == (inputs + 1).tolist()


def test_positions(tmp_path):
    """Where a loader stands; load_batch stays there; shards are counted in their order."""
    counting(tmp_path, [140, 99])
    loader = load(tmp_path, 4, 8)
    assert [loader.load_batch()[0][0, 0] for _ in range(2)] == [0, 0]
    assert loader.shard_num_samples == 4
    firsts(loader, 4)
    assert (loader.current_shard_idx, loader.current_sample_idx) == (0, 4)
    with pytest.raises(ValueError, match=r"."):
        loader.load_batch()
    firsts(loader, 2)
    assert (loader.current_shard_idx, loader.current_sample_idx) == (1, 2)
    loader.advance_()
    assert (loader.current_shard_idx, loader.current_sample_idx) == (0, 0)
    loader.advance_()
    assert (loader.current_shard_idx, loader.shard_num_samples) == (1, 3)
    assert [loader.load_shard_(0), loader.load_shard_(1)] == [140, 99]
    loader.reset()
    assert firsts(loader, 2) == [0, 32]
    assert loader.intra_shard_indices.tolist() == []
    assert loader.shard_indices.tolist() == [0, 1]
    loader.close()
    with load(tmp_path, 4, 8, 0, 2) as rest:
        firsts(rest, 3)
        with pytest.raises(ValueError, match=r"."):
            rest.load_batch()


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("samples", [(2, 2, 2, 2), (3, 1, 2)])
def test_shuffled(tmp_path, rank, samples):
    """Three epochs, each shuffled anew, in the orders of this rank."""
    counting(tmp_path, [4 * n + 3 for n in samples])
    starts = np.cumsum([0, *(4 * n + 3 for n in samples)]).tolist()
    wanted = [starts[shard] + 4 * k + 2 * rank for shard, k in visits(samples, rank, 3)]
    with load(tmp_path, 1, 2, rank, 2, True) as loader:
        assert firsts(loader, len(wanted)) == wanted


@pytest.mark.parametrize(
    "args", [(0, 8), (4, 0), (-1, -1), (4, 8, -1), (4, 8, 1), (4, 8, 2, 2), (4, 8, 0, 0)]
)
def test_senseless_numbers(tmp_path, args):
    """Refused at once; so are shards that are too small by one."""
    counting(tmp_path, [140, 129])
    with pytest.raises(ValueError, match=r"."):
        load(tmp_path, *args)
    with pytest.raises(ValueError, match=r"count_001"):
        load(tmp_path, 13, 10)
    with pytest.raises(ValueError, match=r"count_001"):
        load(tmp_path, 3, 43)
    with pytest.raises(ValueError, match=r"count_001"):
        load(tmp_path, 5, 13, 1, 2)


def test_jumps(tmp_path):
    """To each position, with the order as it is; others are refused and change nothing."""
    counting(tmp_path, [140, 130])
    for shuffled in (False, True):
        loader = load(tmp_path, 4, 8, should_shuffle=shuffled)
        orders = loader.shard_indices.tolist(), loader.intra_shard_indices.tolist()
        wanted = firsts(loader, 4)
        loader.resume(0, 2)
        assert firsts(loader, 2) == wanted[2:]
        loader.resume(1, 4)
        assert (loader.current_shard_idx, loader.current_sample_idx) == (1, 4)
        loader.resume(0, 1)
        assert (loader.shard_indices.tolist(), loader.intra_shard_indices.tolist()) == orders
        for wrong in ((2, 0), (-1, 0), (0, 5), (0, -1)):
            with pytest.raises(ValueError, match=r"."):
                loader.resume(*wrong)
        assert firsts(loader, 3) == wanted[1:]
        loader.close()


def test_jump_to_a_shard_of_another_size(tmp_path):
    """The order at hand does not fit."""
    counting(tmp_path, [140, 99])
    with load(tmp_path, 4, 8, should_shuffle=True) as loader:
        with pytest.raises(ValueError, match=r"."):
            loader.resume(1, 0)
        assert (loader.current_shard_idx, loader.current_sample_idx) == (0, 0)
        loader.load_batch()


def test_closing(tmp_path):
    """No batches until it is opened again; `with` closes; a loader is its own iterator."""
    counting(tmp_path, [140, 140])
    with load(tmp_path, 4, 8) as loader:
        assert [int(next(iter(loader))[0][0, 0]) for _ in range(4)] == [0, 32, 64, 96]
    for _ in range(2):
        loader.close()
        with pytest.raises(ValueError, match=r"."):
            next(loader)
        with pytest.raises(ValueError, match=r"."):
            loader.load_batch()
    loader.resume(0, 3)
    assert firsts(loader, 2) == [96, 140]
    loader.close()


@pytest.mark.parametrize("shuffled", [False, True])
def test_saved_states(tmp_path, shuffled):
    """From every point of two epochs, the rest is the same; a state is a plain copy."""
    counting(tmp_path, [40, 20, 33])
    loader, other = (load(tmp_path, 2, 4, 1, 2, shuffled) for _ in range(2))
    states, wanted = [], []
    for _ in range(8):
        states.append(loader.state_dict())
        wanted += firsts(loader, 1)
    wanted += firsts(loader, 6)
    for step, state in enumerate(json.loads(json.dumps(states))):
        other.load_state_dict(state)
        assert firsts(other, 6) == wanted[step : step + 6]
        assert state == states[step]
    assert states[0]["shards"] == [["count_000.bin", 40], ["count_001.bin", 20],
                                   ["count_002.bin", 33]]
    loader.close()
    other.close()


def test_other_layouts(tmp_path):
    """A state belongs to one way of cutting the shards; folders do not matter."""
    for name, sizes in (("a", [40, 33]), ("b", [40, 34]), ("c", [40, 33]), ("d", [40, 33, 33])):
        (tmp_path / name).mkdir()
        counting(tmp_path / name, sizes)
    with load(tmp_path / "a", 2, 4, 0, 2) as loader:
        state = loader.state_dict()
    for name, args in {
        "B": (1, 4, 0, 2), "T": (2, 3, 0, 2), "process_rank": (2, 4, 1, 2),
        "num_processes": (2, 4, 0, 1), "should_shuffle": (2, 4, 0, 2, True),
    }.items():
        with load(tmp_path / "a", *args) as other:
            before = firsts(other, 2)
            with pytest.raises(ValueError, match=name):
                other.load_state_dict(state)
            other.resume(0, 0)
            assert firsts(other, 2) == before
    for folder in ("b", "d"):
        with load(tmp_path / folder, 2, 4, 0, 2) as other:
            with pytest.raises(ValueError, match="shards"):
                other.load_state_dict(state)
    with load(tmp_path / "c", 2, 4, 0, 2) as other:
        other.load_state_dict(state)


def test_damaged_states(tmp_path):
    """Missing entries, orders that are none, places that are not there: refused before anything
    has changed."""
    counting(tmp_path, [40, 20, 33])
    with load(tmp_path, 2, 4, should_shuffle=True) as loader:
        firsts(loader, 5)
        state = loader.state_dict()
        damaged = [
            (name, {each: state[each] for each in state if each != name}) for name in state
        ]
        damaged += [(name, state | {name: value}) for name, value in (
            ("shard_indices", [0, 0, 0]), ("shard_indices", [0, 1]),
            ("intra_shard_indices", [0] * len(state["intra_shard_indices"])),
            ("intra_shard_indices", []), ("current_shard_idx", 3), ("current_sample_idx", 9),
            ("shuffle_rng", {}),
        )]
        firsts(loader, 6)
        before = loader.state_dict()
        for name, wrong in damaged:
            with pytest.raises(ValueError, match=name):
                loader.load_state_dict(wrong)
            assert loader.state_dict() == before
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch08` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - Chapter 9 loads questions with several answers, and its shards and ranks work like these.
# - Chapter 12 trains a model with this `DataLoader`: the same seed gives the same loss, to the last
#   bit.
# - The same files and the same names are in llm.c: a model that you train there reads what you
#   wrote in chapter 7, in the order that you have here.
