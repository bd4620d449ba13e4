# ---
# jupyter:
#   course:
#     title: "Clean text as Parquet"
#     module: shards
#     aliases: [data.06]
#     needs: []
#     packages: [numpy, pyarrow]
#     minutes: 90
#     difficulty: 3
#     importance: 4
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Clean text as Parquet
#
# **90 minutes | difficulty 3 of 5 | importance 4 of 5 | needs no other chapter**
#
# A corpus is too large for one file and too dear to be made twice. In this chapter you write it as
# *shards*: files of a fixed form, each in one split, with a list beside them that says what they
# must be. And you write their reader, which never holds more than a few hundred documents.

# %% [markdown]
# Why bother? Between the text that you have cleaned and the tokens that you train on lie weeks,
# other machines and other people. A document that slips from val to train, a file that was copied
# by halves, a run that died in the middle: none of them announces itself, and each spoils the
# numbers that you will publish. What you build here makes them impossible, or loud.

# %% [markdown]
# ## What you will build
#
# | part | function | points |
# |---|---|---|
# | [A split by hash](#A-split-by-hash) | `assign_split` | 16 |
# | [One shard](#One-shard) | `write_shard` | 18 |
# | [All shards](#All-shards) | `write_shards` | 24 |
# | [Reading them again](#Reading-them-again) | `read_shards` | 22 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |

# %%
import random
import tempfile

import matplotlib.pyplot as plt

from autograder.learn import check, check_tests

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# The code of this chapter stands on [Apache Arrow](https://arrow.apache.org): `pyarrow` keeps a
# table in memory column by column, and `pyarrow.parquet` in files.

# %% given="names"
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

# %% [markdown]
# ## A split by hash
#
# A **document** is a pair of strings: an id, which says where it came from, and its text. Each goes
# into one of two splits, train or val. The usual ways of choosing depend on the company that a
# document keeps: every tenth goes to val, or the list is shuffled and cut. Add one document, and
# others change sides. A text that a model has learned from may then be in its exam.

# %% [markdown]
# Here a text decides by itself. Its SHA-256 is a number that anybody can compute and nobody can
# predict. Read the first 8 of its 32 bytes as one integer, the most significant byte first
# (*big-endian*), and keep the last three decimal digits: a **bucket** from 0 to 999. With
# `val_permille` 100, the documents in buckets 0 to 99 are val.

# %% [markdown]
# The SHA-256 of `Hi` is what `printf Hi | sha256sum` prints in a terminal, and its first 8 bytes
# are:

# %%
hashlib.sha256(b"Hi").digest()[:8].hex(" ")

# %% [markdown]
# The rest is a matter of pencil and paper. Go through the bytes from the left; each time multiply
# what you have by 256, add the byte, and keep the last three digits:
#
# | byte | computed | kept |
# |---|---|---|
# | 36 = 54 | 54 | 54 |
# | 39 = 57 | 54 * 256 + 57 = 13881 | 881 |
# | ef = 239 | 881 * 256 + 239 = 225775 | 775 |
# | cd = 205 | 775 * 256 + 205 = 198605 | 605 |
# | 08 = 8 | 605 * 256 + 8 = 154888 | 888 |
# | ab = 171 | 888 * 256 + 171 = 227499 | 499 |
# | b2 = 178 | 499 * 256 + 178 = 127922 | 922 |
# | 73 = 115 | 922 * 256 + 115 = 236147 | **147** |
#
# So `Hi` is in bucket 147. In the same way `é`, whose UTF-8 bytes are `c3 a9`, is in 51 and `ok` in
# 814. With `val_permille` 100 only `é` is val.

# %% [markdown]
# Write `assign_split`. It returns `"val"` if the bucket of `text` is **below** `val_permille`, else
# `"train"`.
#
# - The text is hashed as it is, in UTF-8: nothing is stripped, folded or normalised. The empty text
#   has a bucket like any other (652).
# - With `val_permille` 0 no text is val, with 1000 every text is.
# - A *lone surrogate*, which a Python string may hold and UTF-8 cannot write, raises Python's own
#   `UnicodeEncodeError`.

# %% solve="assign_split"
def assign_split(text: str, val_permille: int) -> str:
    """The split of a text, "train" or "val": a function of its bytes and of nothing else.

    By hand: the first 8 bytes of Hi's SHA-256 are 3639efcd08abb273, which is 147 modulo 1000, so
    that "Hi" is train when val_permille is 100. "é" (51) is val.

    Raises:
        UnicodeEncodeError: the text holds a lone surrogate.
    """
    # TODO (ch06_shards): hash the UTF-8 bytes, make a bucket of the first eight, compare.
    # HINT: hashlib.sha256(...).digest() gives bytes, and int.from_bytes(..., "big") an integer.
    ### BEGIN SOLUTION
    start = hashlib.sha256(text.encode()).digest()[:8]
    bucket = int.from_bytes(start, "big") % 1000
    return "val" if bucket < val_permille else "train"
    ### END SOLUTION


# %% example="assign_split"
assert assign_split("Hi", 100) == "train"
assert assign_split("é", 100) == "val"
assert assign_split("ok", 100) == "train"
assert (assign_split("Hi", 147), assign_split("Hi", 148)) == ("train", "val")

# %% check="assign_split" points=16
check("assign_split")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("assign_split")
### END HIDDEN TESTS

# %% [markdown] hints="assign_split"
# <details><summary>Hint 1: where to begin</summary>
#
# Four steps, each a line or less: text to bytes, bytes to a hash, the start of the hash to an
# integer, and its remainder. Which of them did you do by hand, and which did the shell do?
#
# </details>
#
# <details><summary>Hint 2: bytes and integers</summary>
#
# `digest()` gives the 32 bytes themselves; `hexdigest()` gives 64 letters for them. A slice takes
# the first eight. `int.from_bytes` wants to be told which end comes first.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 1000` is the bucket. It is
# val if it is less than `val_permille`, and not if it is equal.
#
# </details>

# %% [markdown]
# For trying things out, these documents are given. They are dull, and no two of them are alike:

# %% given="documents"
def made_up(n: int, words: int = 10) -> Iterator[tuple[str, str]]:
    """n documents, one after the other; each text is a number and then so many words."""
    for number in range(n):
        yield f"made:{number}", f"{number}" + " word" * words


# %%
list(made_up(2, words=3))

# %% [markdown]
# Does a thousandth of the buckets hold a thousandth of the documents? Here are 2,000 of them, each
# asked again and again, with `val_permille` from 0 to 1000:

# %%
texts = [text for _, text in made_up(2000)]
permilles = range(0, 1001, 20)
shares = [sum(assign_split(text, p) == "val" for text in texts) / 2000 for p in permilles]

figure, axes = plt.subplots(1, 2, figsize=(8, 3.2))
axes[0].plot(permilles, shares, "k.", label="measured")
axes[0].plot([0, 1000], [0, 1], "k:", label="promised")
axes[0].set(xlabel="val_permille", ylabel="share of documents in val")
axes[0].legend()
difference = [100 * (share - p / 1000) for share, p in zip(shares, permilles, strict=True)]
axes[1].plot(permilles, difference, "k.-")
axes[1].axhline(0, color="black", linestyle=":")
axes[1].set(xlabel="val_permille", ylabel="measured - promised (%)")
plt.show()

# %% [markdown]
# On the left, a straight line. On the right what is left of it, magnified: the promise is kept to
# about two percent, as chance itself would keep it with 2,000 texts. So the size of val is not
# exact, but *who* is in val is.

# %% [markdown]
# And that is worth more. Suppose that one document is put in front of the others. How many of the
# 2,000 change sides?

# %%
def every_tenth(texts):
    return {text: number % 10 == 0 for number, text in enumerate(texts)}


def shuffled(texts):
    order = list(texts)
    random.Random(42).shuffle(order)
    return {text: number < len(order) // 10 for number, text in enumerate(order)}


def by_hash(texts):
    return {text: assign_split(text, 100) == "val" for text in texts}


rules = {"by hash": by_hash, "every tenth": every_tenth, "shuffled, seed 42": shuffled}
moved = {}
for name, rule in rules.items():
    before, after = rule(texts), rule(["a new document", *texts])
    moved[name] = sum(before[text] != after[text] for text in texts)

bars = plt.barh(list(moved), list(moved.values()), color="0.6", edgecolor="black")
plt.bar_label(bars, padding=4)
plt.margins(x=0.12)
plt.gca().invert_yaxis()
plt.xlabel("documents of 2,000 that change sides")
plt.show()

# %% [markdown]
# A fixed seed did not help: it fixes the shuffle, not the splits. Another gift of the hash is that
# a text that occurs twice, under two ids, is both times in the same split. (A copy with one letter
# changed is another text. Finding those is work that has to be done before.)

# %% [markdown]
# ## One shard
#
# Parquet is the file format that data sets for language models travel in. It stores a table by
# columns, and cuts it into **row groups**, which can be read one at a time:
#
# ```
# PAR1 | ids, texts | ids, texts | ... | footer | size of the footer | PAR1
#        row group 0  row group 1
# ```
#
# The footer says where each piece lies, so a reader begins at the end. A file whose end was cut off
# says nothing.

# %% [markdown]
# All our files have the same two columns, and row groups of the same size. 256 documents are enough
# to compress well, and few enough to hold in memory:

# %% given="form"
SPLITS = ("train", "val")
SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string())])
GROUP_ROWS = 256  # documents in a row group; the last of a file may have fewer

# %% [markdown]
# Whoever receives a shard wants to know whether it is the right one. This record of it is given,
# and so is a way to hash a file that does not fit into memory:

# %% given="record"
@dataclass(frozen=True)
class ShardFile:
    """What the manifest says of one shard."""

    name: str  # such as train-00000.parquet
    split: str
    rows: int  # documents
    bytes: int  # of the file
    sha256: str  # of the file, 64 hexadecimal digits


def digest(path: Path) -> str:
    """The SHA-256 of a file, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# %% [markdown]
# Files of this notebook go into a folder that is gone when its kernel stops:

# %%
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)

# %% [markdown]
# By hand: 600 documents make row groups of 256, 256 and **88**. And two documents, `Hi` under
# the id `a:0` and `ok` under `a:2`, are a file of 2 rows in one group, which begins and ends with
# the four letters `PAR1`. As number 0 of train it is called `train-00000.parquet`.

# %% [markdown]
# Write `write_shard`. It writes `docs`, a list of pairs of id and text, into `folder` and returns
# the `ShardFile` that describes the file:
#
# - The name is the split, a hyphen, the number in five digits, and `.parquet`.
# - The columns are those of `SCHEMA`, and the rows are in the order of `docs`. Nothing is dropped:
#   not an empty text, and not an id that was there before.
# - Compression is `"zstd"`, row groups have `GROUP_ROWS` rows, and all else is left as pyarrow's
#   `write_table` has it. So with one release of pyarrow the same documents give **the same bytes**,
#   today and tomorrow: no time, no name of a machine, nothing drawn at random.
# - No documents give a file with no rows.

# %% solve="write_shard"
def write_shard(docs: list[tuple[str, str]], folder: Path, split: str, number: int) -> ShardFile:
    """Write one Parquet file, and describe it.

    By hand: two documents as number 0 of train are train-00000.parquet, with 2 rows in one row
    group; 600 documents are in three, the last of 600 - 2 * 256 = 88 rows.

    Raises:
        UnicodeEncodeError: an id or a text holds a lone surrogate.
    """
    # TODO (ch06_shards): a table of two columns, a file of it, and what is to be said of the file.
    # HINT: pa.table takes a list of columns and a schema; pq.write_table has a row_group_size.
    ### BEGIN SOLUTION
    path = folder / f"{split}-{number:05d}.parquet"
    ids = [doc_id for doc_id, _ in docs]
    texts = [text for _, text in docs]
    table = pa.table([ids, texts], schema=SCHEMA)
    pq.write_table(table, path, compression="zstd", row_group_size=GROUP_ROWS)
    return ShardFile(path.name, split, len(docs), path.stat().st_size, digest(path))
    ### END SOLUTION


# %% example="write_shard"
shard = write_shard([("a:0", "Hi"), ("a:2", "ok")], folder, "train", 0)
assert (shard.name, shard.split, shard.rows) == ("train-00000.parquet", "train", 2)
written = (folder / "train-00000.parquet").read_bytes()
assert (written[:4], written[-4:], len(written)) == (b"PAR1", b"PAR1", shard.bytes)

# %% check="write_shard" points=18
check("write_shard")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_shard")
### END HIDDEN TESTS

# %% [markdown] hints="write_shard"
# <details><summary>Hint 1: where to begin</summary>
#
# `docs` is a list of rows; Parquet wants columns. Make two lists of it, one of ids and one of
# texts. They may be empty.
#
# </details>
#
# <details><summary>Hint 2: the number in the name</summary>
#
# In an f-string, `{number:05d}` writes five digits with zeros in front. The size and the hash are
# those of the file, not of the texts, so they come last.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `pa.table([ids, texts], schema=SCHEMA)`, then `pq.write_table(table, path, compression="zstd",
# row_group_size=GROUP_ROWS)`. Return a `ShardFile` of the name, the split, `len(docs)`,
# `path.stat().st_size` and `digest(path)`.
#
# </details>

# %% [markdown]
# Look into a larger one. pyarrow reads the footer alone, and it tells how the file is built:

# %%
path = folder / write_shard(list(made_up(600)), folder, "train", 1).name
footer = pq.read_metadata(path)
[footer.row_group(group).num_rows for group in range(footer.num_row_groups)]

# %% [markdown]
# How much room do the texts take in it, and how much would they take without zstd?

# %%
column = footer.row_group(0).column(1)
column.total_compressed_size, column.total_uncompressed_size

# %% [markdown]
# ## All shards
#
# A corpus is a folder: `train-00000.parquet`, `train-00001.parquet`, ..., `val-00000.parquet`, ...
# and **`_MANIFEST.json`**, which lists them. The manifest, too, is given. Its `to_json` makes the
# object that goes into the file, and `from_json` reads it again.

# %% given="manifest"
MANIFEST = "_MANIFEST.json"


@dataclass(frozen=True)
class ShardsManifest:
    """What a corpus consists of. The page docs/formats/shards-manifest.md describes its file."""

    val_permille: int
    rows_per_shard: int
    files: tuple[ShardFile, ...]  # sorted by name

    def to_json(self) -> dict:
        """The object in the file: version, val_permille, rows_per_shard, files."""
        return {"version": 1, **asdict(self), "files": [asdict(file) for file in self.files]}

    @classmethod
    def from_json(cls, found: dict) -> "ShardsManifest":
        """The inverse of to_json. Raises ValueError where it is no manifest of version 1, or one
        that contradicts itself."""
        try:
            if found["version"] != 1:
                raise ValueError(f"version 1 of a manifest is wanted, not {found['version']}")
            files = tuple(ShardFile(**entry) for entry in found["files"])
            made = cls(found["val_permille"], found["rows_per_shard"], files)
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is no manifest of shards: {error}") from error
        for file in files:
            types = [type(value) for value in asdict(file).values()]
            if types != [str, str, int, int, str] or not file.name.startswith(f"{file.split}-"):
                raise ValueError(f"no shard can be as the manifest says: {file}")
        twice = [name for name, n in Counter(file.name for file in files).items() if n > 1]
        if twice:
            raise ValueError(f"the manifest lists files more than once: {twice}")
        return made


# %% [markdown]
# What if your run is killed while it writes a corpus, and yesterday's lies under the same name?
# Nobody must find half of the new one, or new files among old ones. So all is written into a folder
# *beside* it, with `.tmp` after its name, and renamed when it is complete. To rename is one step
# for the operating system: it has happened or it has not.

# %% [markdown]
# A folder with files in it cannot be renamed over another, so the old one steps aside first. These
# two helpers are given. Read them, and ask yourself at each line what would be left if the process
# were killed there:

# %% given="folders"
def aside(out: Path) -> Path:
    """Where an old corpus waits while the new one takes its place: a name that nobody chooses."""
    return out.with_name(f".{out.name}.replaced")


def begin(out: Path) -> Path:
    """A new, empty folder beside `out` to write in: out.tmp. What a failed run left there is gone.

    Raises:
        FileExistsError: there is something at `out` that no earlier run has written. It stays.
    """
    unfinished, old = out.with_name(out.name + ".tmp"), aside(out)
    for folder in (out, old):
        manifest = folder / MANIFEST
        ours = manifest.exists() and b'"rows_per_shard"' in manifest.read_bytes()
        if folder.exists() and not ours:
            raise FileExistsError(f"{folder} was not written by this chapter; choose another name")
    if old.exists() and not out.exists():  # a run was killed between the first renames of publish
        old.rename(out)
    if unfinished.exists():
        shutil.rmtree(unfinished)
    if old.exists():  # or before the last one
        old.rename(unfinished)
        shutil.rmtree(unfinished)
    unfinished.mkdir(parents=True)
    return unfinished


def publish(unfinished: Path, out: Path) -> None:
    """Put a complete folder in the place of `out`. If that fails, the old one is there again."""
    old = aside(out)
    if out.exists():
        out.rename(old)
    try:
        unfinished.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    if old.exists():
        with suppress(OSError):  # the new corpus is in place; the next run tries it again
            old.rename(unfinished)
            shutil.rmtree(unfinished)


# %% [markdown]
# By hand: let the three documents be
#
# | id | text | bucket | split with `val_permille` 100 |
# |---|---|---|---|
# | a:0 | Hi | 147 | train |
# | a:1 | é | 51 | val |
# | a:2 | ok | 814 | train |
#
# With two rows a shard there are **two** files: `train-00000.parquet` with `a:0` and `a:2`, and
# `val-00000.parquet` with `a:1`. With one row a shard, `a:2` is in `train-00001.parquet`. And with
# `val_permille` 0, `val-00000.parquet` is there all the same, with no rows: whoever opens a split
# finds it.

# %% [markdown]
# Write `write_shards`. `docs` is anything that can be looped over **once**, such as a generator,
# and may be longer than memory. So take its documents one by one, and keep only those that wait for
# the next file of their split, which are `rows_per_shard` at most. When a document cannot be
# written, none after it has been asked for.
#
# - Each document goes to the split that `assign_split` says, in the order of `docs`. All of them
#   are kept, empty texts and doubled ids too.
# - Every file of a split but the last has exactly `rows_per_shard` rows. No file is empty, except
#   that a split with no documents has its `-00000` file with no rows.
# - Write in the folder that `begin(out)` gives. The manifest comes last: `json.dumps` of its
#   `to_json()` with `indent=1`, and one newline after it. Then `publish`.
# - Return the `ShardsManifest`, its files sorted by name.

# %% [markdown]
# Bad input raises a `ValueError`, and what lies at `out` stays as it is:
#
# - `rows_per_shard` below 1, or `val_permille` not in 0 to 1000: before any document is asked for;
# - an id or a text with a lone surrogate: the message names the document, by the `repr` of its id.
#
# Whatever else goes wrong on the way (a full disk, an error in `docs`), the exception goes through,
# and the old corpus is whole.

# %% solve="write_shards"
def write_shards(
    docs: Iterable[tuple[str, str]], out: Path, *, val_permille: int, rows_per_shard: int
) -> ShardsManifest:
    """Write a corpus into the folder `out`, in one piece or not at all; return its manifest.

    By hand: of Hi, é and ok with val_permille 100 and two rows a shard, the first and the last are
    in train-00000.parquet and é is in val-00000.parquet.

    Raises:
        ValueError: rows_per_shard is below 1, val_permille is not in 0 to 1000, or a document
            cannot be written in UTF-8; the message names it.
        FileExistsError: there is something at `out` that is no corpus.
    """
    # TODO (ch06_shards): check, begin, fill one list for each split, write what is full, publish.
    # HINT: the number of a split's next file is the number of files that it has.
    ### BEGIN SOLUTION
    if rows_per_shard < 1:
        raise ValueError(f"rows_per_shard is {rows_per_shard}; at least 1 is wanted")
    if not 0 <= val_permille <= 1000:
        raise ValueError(f"val_permille is {val_permille}; 0 to 1000 is wanted")
    folder = begin(out)
    waiting = {split: [] for split in SPLITS}
    files = {split: [] for split in SPLITS}

    def flush(split):
        files[split].append(write_shard(waiting[split], folder, split, len(files[split])))
        waiting[split] = []

    for doc_id, text in docs:
        try:
            doc_id.encode()
            split = assign_split(text, val_permille)
        except UnicodeEncodeError as error:
            raise ValueError(f"document {doc_id!r} cannot be written: {error}") from error
        waiting[split].append((doc_id, text))
        if len(waiting[split]) == rows_per_shard:
            flush(split)
    for split in SPLITS:
        if waiting[split] or not files[split]:
            flush(split)
    listed = tuple(chain(files["train"], files["val"]))
    manifest = ShardsManifest(val_permille, rows_per_shard, listed)
    (folder / MANIFEST).write_bytes(json.dumps(manifest.to_json(), indent=1).encode() + b"\n")
    publish(folder, out)
    return manifest
    ### END SOLUTION


# %% example="write_shards"
three = [("a:0", "Hi"), ("a:1", "é"), ("a:2", "ok")]
corpus = write_shards(three, folder / "three", val_permille=100, rows_per_shard=2)
assert [(file.name, file.rows) for file in corpus.files] == [
    ("train-00000.parquet", 2), ("val-00000.parquet", 1)
]
assert pq.read_table(folder / "three" / "val-00000.parquet").to_pylist() == [
    {"id": "a:1", "text": "é"}
]

# %% check="write_shards" points=24
check("write_shards")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_shards")
### END HIDDEN TESTS

# %% [markdown] hints="write_shards"
# <details><summary>Hint 1: where to begin</summary>
#
# You need two things for each split: the documents that wait for a file, and the files that are
# written. Two dicts with the keys of `SPLITS` will do. A small inner function writes the waiting
# documents of one split and empties its list.
#
# </details>
#
# <details><summary>Hint 2: when to write</summary>
#
# In the loop: when a split has `rows_per_shard` documents waiting. After the loop, for each split:
# when documents wait, *or* when it has no file yet. So a full last file is not followed by an empty
# one, and an empty split gets one.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `folder = begin(out)`; in the loop, `doc_id.encode()` and `assign_split(text, val_permille)` in a
# `try`, whose `except UnicodeEncodeError` raises a `ValueError` with `{doc_id!r}` in its message.
# At the end make a `ShardsManifest` whose files are a tuple, those of train and then of val; write
# `json.dumps(manifest.to_json(), indent=1).encode() + b"\n"` to `folder / MANIFEST`, call
# `publish(folder, out)`, and return the manifest.
#
# </details>

# %% [markdown]
# This is what the manifest says of the three documents:

# %%
json.loads((folder / "three" / MANIFEST).read_bytes())

# %% [markdown]
# And this is the promise kept when something fails. The second document cannot be written; the
# corpus that was there is still there:

# %%
try:
    write_shards(
        [("b:0", "new"), ("b:1", "\ud800")], folder / "three", val_permille=100, rows_per_shard=1
    )
except ValueError as error:
    print(error)
pq.read_table(folder / "three" / "train-00000.parquet").to_pylist()

# %% [markdown]
# ## Reading them again
#
# The reader's half of the bargain is distrust. The folder may have been copied, synchronised or
# unpacked by something that lost a file or added one. So before it gives away the first document,
# `read_shards` compares the folder with the manifest.

# %% [markdown]
# Then it streams: one row group after the other, in the order of the manifest. With 256 documents
# at a time, a corpus of a terabyte needs no more memory than one of a megabyte.

# %% [markdown]
# By hand: from the folder of the three documents, `"train"` gives `("a:0", "Hi")` and then
# `("a:2", "ok")`, and `"val"` gives **`("a:1", "é")`**.

# %% [markdown]
# Write `read_shards`. `manifest` is the path of a `_MANIFEST.json`; the shards lie beside it. It
# gives the documents of one split as pairs `(id, text)`, in the order of the manifest's list, file
# by file and row by row. Columns go by their names, and row groups may be of any size: a corpus may
# come from another program. Before the first document, it raises a `ValueError`
#
# - if a listed file is missing, or the folder holds anything that is not listed (besides the
#   manifest): the message names the file. This concerns the files of **both** splits;
# - if the size, the SHA-256 or the number of rows of a file of this split is not what the manifest
#   says: the message names the file;
# - if the manifest lists no file of this split (as for `"test"`): the message names the split.
#
# A manifest that cannot be understood is a `ValueError` of `from_json`'s or of the json module's.
# So is one that contradicts itself: an entry of another type, a file that is listed twice, or a
# name that begins with another split than its entry says. Such a list could put train into val.

# %% [markdown]
# Whether these checks happen at the call or when the first document is asked for is up to you. With
# a `yield` in it, a function does nothing until then.

# %% solve="read_shards"
def read_shards(manifest: Path, split: str) -> Iterator[tuple[str, str]]:
    """The documents of one split, (id, text), if the folder is what its manifest says.

    By hand: of Hi, é and ok with val_permille 100, "val" gives ("a:1", "é") alone.

    Holds one row group in memory, never a file.

    Raises:
        ValueError: a file is missing, too many, truncated or changed (the message names it), or the
            manifest lists no file of this split.
    """
    # TODO (ch06_shards): compare names, then the files of the split; then give row group by group.
    # HINT: sets of names can be subtracted; pq.ParquetFile(path) has num_row_groups and
    # HINT: read_row_group(number), which gives a table.
    ### BEGIN SOLUTION
    folder = manifest.parent
    listed = ShardsManifest.from_json(json.loads(manifest.read_bytes())).files
    wanted = {file.name for file in listed}
    found = {path.name for path in folder.iterdir()} - {manifest.name}
    if wanted != found:
        missing, strange = sorted(wanted - found), sorted(found - wanted)
        raise ValueError(f"{folder}: missing {missing}, and not in its manifest {strange}")
    chosen = [file for file in listed if file.split == split]
    if not chosen:
        raise ValueError(f"{manifest} lists no file of the split {split!r}")
    for file in chosen:
        path = folder / file.name
        if (path.stat().st_size, digest(path)) != (file.bytes, file.sha256):
            raise ValueError(f"{path} is not the file that was written: copy it again")
        if pq.read_metadata(path).num_rows != file.rows:
            raise ValueError(f"{path} has not the {file.rows} rows that its manifest says")
    for file in chosen:
        with pq.ParquetFile(folder / file.name) as shard:
            for group in range(shard.num_row_groups):
                rows = shard.read_row_group(group)
                yield from zip(rows["id"].to_pylist(), rows["text"].to_pylist(), strict=True)
    ### END SOLUTION


# %% example="read_shards"
assert list(read_shards(folder / "three" / MANIFEST, "val")) == [three[1]]
assert list(read_shards(folder / "three" / MANIFEST, "train")) == [three[0], three[2]]

# %% check="read_shards" points=22
check("read_shards")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("read_shards")
### END HIDDEN TESTS

# %% [markdown] hints="read_shards"
# <details><summary>Hint 1: where to begin</summary>
#
# `json.loads(manifest.read_bytes())` and `ShardsManifest.from_json` give you the list of files. The
# names in it and the names in `manifest.parent.iterdir()`, without the manifest's own, must be the
# same set.
#
# </details>
#
# <details><summary>Hint 2: size, hash, rows</summary>
#
# Compare size and hash first: a file that was cut off cannot be asked for its rows. After that,
# `pq.read_metadata(path).num_rows` reads the footer alone. Check all files of the split before the
# first `yield`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# For each file of the split: `with pq.ParquetFile(folder / file.name) as shard:`, then for every
# `group` in `range(shard.num_row_groups)`: `rows = shard.read_row_group(group)`, and `yield from
# zip(rows["id"].to_pylist(), rows["text"].to_pylist())`.
#
# </details>

# %% [markdown]
# A larger corpus: ten thousand documents, in shards of 4,000.

# %%
corpus = write_shards(
    made_up(10_000, words=400), folder / "many", val_permille=50, rows_per_shard=4000
)
for file in corpus.files:
    print(f"{file.name}  {file.rows:5} rows  {file.bytes:7,} bytes  {file.sha256[:12]}...")

# %% [markdown]
# How much memory does Arrow hold at most while 8,000 documents go by, if they lie in small files,
# or in large ones? Compare your reader with one that reads each file as one table:

# %%
def by_whole_files(manifest, split):
    for file in ShardsManifest.from_json(json.loads(manifest.read_bytes())).files:
        if file.split == split:
            table = pq.read_table(manifest.parent / file.name)
            yield from zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True)


def most_held(documents):
    """The most bytes that Arrow holds at any of the documents, in megabytes."""
    return max(pa.total_allocated_bytes() for _ in documents) / 1e6


sizes = [500, 1000, 2000, 4000, 8000]
most = {"file by file": [], "row group by row group": []}
for size in sizes:
    write_shards(made_up(8000, 400), folder / "sizes", val_permille=0, rows_per_shard=size)
    for name, reader in zip(most, (by_whole_files, read_shards), strict=True):
        most[name].append(most_held(reader(folder / "sizes" / MANIFEST, "train")))

for (name, megabytes), style in zip(most.items(), ("ks:", "ko-"), strict=True):
    plt.plot(sizes, megabytes, style, label=name)
plt.xlabel("documents in a file")
plt.ylabel("held by Arrow at most (MB)")
plt.ylim(bottom=0)
plt.legend()
plt.show()

# %% [markdown]
# The lower line stays low, however large the shards are: a row group, and at times a buffer that
# one of Arrow's threads has not given back yet. And the distrust? Change one bit in the middle of a
# shard, and see what the reader says:

# %%
path = folder / "many" / "val-00000.parquet"
good = path.read_bytes()
middle = len(good) // 2
path.write_bytes(good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :])
try:
    next(read_shards(folder / "many" / MANIFEST, "val"))
except ValueError as error:
    print(str(error).replace(str(folder), "..."))
restored = path.write_bytes(good)

# %% [markdown]
# ## What goes wrong
#
# | slip | what you would see | caught by |
# |---|---|---|
# | Python's `hash` used | other splits at every start of Python | `test_buckets_by_hand` |
# | bytes in the wrong order | buckets that nobody else gets | `test_buckets_by_hand` |
# | text changed before hashing | texts that differ go together always | `test_text_as_it_is` |
# | `<=` for `<` | with `val_permille` 0, a few in val | `test_bucket_below_is_val` |
# | one row group for all | a reader needs room for a whole file | `test_row_groups` |
# | the time written into the file | two runs, two hashes | `test_same_documents_same_bytes` |
# | size of the texts recorded | not what `ls -l` says | `test_record_describes_the_file` |
# | empty texts dropped | fewer rows than documents | `test_nothing_is_dropped` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | written in place | half a corpus after an error | `test_failing_run_leaves_the_old` |
# | stale `.tmp` kept | files of a dead run in the corpus | `test_stale_folder_is_cleared` |
# | last documents not written | the end of the corpus is missing | `test_all_documents_are_there` |
# | no file for an empty split | whoever opens val fails | `test_empty_split_has_a_file` |
# | empty file after a full one | a shard with no rows at the end | `test_full_last_file` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | hash not compared | another text is read, and nobody knows | `test_changed_file_is_refused` |
# | surplus files not noticed | a shard that belongs to nothing | `test_surplus_file_is_refused` |
# | files sorted by name | documents in another order than listed | `test_order_of_the_manifest` |
# | whole files read | no room for a large shard | `test_one_row_group_at_a_time` |
# | first row group only | 256 documents of each file | `test_every_row_group` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# write `<=` for `<` in your `assign_split`, see it fail, and mend it. Which slips of the tables
# above would it miss?

# %%
def test_nothing_in_val():
    """With val_permille 0 a text is train, even one in bucket 0."""
    assert assign_split("1055", 0) == "train"


test_nothing_in_val()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the tables above. Notice every slip of the tables, and four
# bugs in five altogether. A test that fails on right code in another form is refused, so test what
# this chapter promises and nothing else.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome, and
# `tmp_path` is a folder of your own. Reach the functions through `shards`: in this notebook that is
# what the cells above define. Tests are tried alone, so import or define in their cell what else
# they use. `pyarrow.parquet` is a reader that is not yours, and a good judge of your writer.
# A generator of the test's own cannot be handed to the functions, which live in another process;
# lists can, and so can what `read_shards` gives: a stream that comes once, and that you can look at
# afterwards.

# %% tests="own_tests"
import hashlib
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from llmdata import shards


def test_splits_by_hand():
    # TODO (ch06_shards): replace this by a test, and add one for each slip that you can think of.
    # HINT: no documents, 257 of them, a surrogate, a stale .tmp, a flipped bit, a lost file...
    ### BEGIN SOLUTION
    splits = [shards.assign_split(text, 100) for text in ("Hi", "é", "ok")]
    assert splits == ["train", "val", "train"]


def bucket(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) % 1000


TEXTS = ["", " a", "a ", "A", "e\u0301", "é", "\ufeff", "\r\n", "🙂", "a" * 5000, "1055", "2102"]


@pytest.mark.parametrize("text", TEXTS)
def test_the_bucket_decides(text):
    """As it is, below and not at: of odd texts, and of those in buckets 0 and 999."""
    number = bucket(text)

    assert shards.assign_split(text, number) == "train"
    assert shards.assign_split(text, number + 1) == "val"


def test_surrogates_are_refused():
    """By all that write, and by what decides."""
    with pytest.raises(UnicodeEncodeError):
        shards.assign_split("a\ud800", 100)


ODD = [("b", ""), ("a", ""), ("a", "x"), ("a", "x"), ("", " \x00\r\n"), ("c", "é"), ("c", "y ")]


def numbered(n):
    return [(f"n:{i}", f"text {i}") for i in range(n)]


def docs_in(path):
    table = pq.read_table(path)
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("id", "string"), ("text", "string")
    ]
    return list(zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True))


def described(path):
    """What a ShardFile must say of a file."""
    data = path.read_bytes()
    rows = pq.read_metadata(path).num_rows
    split = path.name.partition("-")[0]
    return shards.ShardFile(path.name, split, rows, len(data), hashlib.sha256(data).hexdigest())


def parquet(docs):
    """The bytes that pyarrow writes."""
    columns = [[name for name, _ in docs], [text for _, text in docs]]
    written = io.BytesIO()
    table = pa.table(columns, schema=pa.schema([("id", pa.string()), ("text", pa.string())]))
    pq.write_table(table, written, compression="zstd", row_group_size=256)
    return written.getvalue()


@pytest.mark.parametrize("docs", [ODD, [], numbered(1), numbered(600)])
def test_one_file(tmp_path, docs):
    """Its name, its record, its documents and its row groups; and the same bytes again."""
    made = shards.write_shard(docs, tmp_path, "val", 12)
    path = tmp_path / "val-00012.parquet"

    assert list(tmp_path.iterdir()) == [path]
    assert made == described(path)
    assert docs_in(path) == docs
    found = pq.read_metadata(path)
    groups = [found.row_group(i) for i in range(found.num_row_groups)]
    assert [group.num_rows for group in groups if docs] == [
        min(256, len(docs) - start) for start in range(0, len(docs), 256)
    ]
    assert {group.column(1).compression for group in groups if docs} <= {"ZSTD"}
    assert shards.write_shard(docs, tmp_path, "train", 0).sha256 == made.sha256
    assert path.read_bytes() == parquet(docs)


@pytest.mark.parametrize("doc", [("a", "\ud800"), ("\ud800", "a")])
def test_surrogates_are_not_written(tmp_path, doc):
    """Neither in texts nor in ids."""
    with pytest.raises(UnicodeEncodeError):
        shards.write_shard([doc], tmp_path, "val", 0)


def written(out, docs, permille, rows):
    return shards.write_shards(docs, out, val_permille=permille, rows_per_shard=rows)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("permille", [0, 400, 1000])
@pytest.mark.parametrize("docs", [[], ODD, numbered(1), numbered(6), numbered(7)])
def test_a_corpus(tmp_path, docs, permille):
    """Each document in its split's files, in order, three a file; the manifest lists them all."""
    out = tmp_path / "out"
    made = written(out, docs, permille, 3)

    names = []
    for split in ("train", "val"):
        own = [doc for doc in docs if (bucket(doc[1]) < permille) == (split == "val")]
        files = [own[i : i + 3] for i in range(0, len(own), 3)] or [[]]
        names += [f"{split}-{i:05d}.parquet" for i in range(len(files))]
        assert [docs_in(path) for path in sorted(out.glob(f"{split}*"))] == files
    assert made == shards.ShardsManifest(permille, 3, tuple(described(out / n) for n in names))
    listed = json.dumps(made.to_json(), indent=1).encode() + b"\n"
    assert (out / "_MANIFEST.json").read_bytes() == listed
    assert sorted(path.name for path in out.iterdir()) == ["_MANIFEST.json", *names]

    first = contents(out)
    written(out, docs, permille, 3)
    assert contents(out) == first


def test_the_new_corpus_takes_the_place_of_the_old(tmp_path):
    """And nothing of it, nor of a dead run, is left."""
    out = tmp_path / "out"
    written(out, numbered(9), 100, 2)
    (tmp_path / "out.tmp").mkdir()
    (tmp_path / "out.tmp" / "train-00009.parquet").write_bytes(b"stale")
    written(out, numbered(2), 0, 2)

    names = ["_MANIFEST.json", "train-00000.parquet", "val-00000.parquet"]
    assert sorted(contents(out)) == names
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("doc", [("a'b", "\ud800"), ("b\udfff", "a")])
def test_a_failing_run_changes_nothing(tmp_path, doc):
    """The message names the document; the old corpus is whole, and without one there is none."""
    out = tmp_path / "out"
    with pytest.raises(ValueError, match=r".") as caught:
        written(out, [*numbered(5), doc], 100, 2)
    assert repr(doc[0]) in str(caught.value)
    assert not out.exists()

    written(out, numbered(3), 100, 2)
    old = contents(out)
    with pytest.raises(ValueError, match=r"."):
        written(out, [*numbered(5), doc], 100, 2)
    assert contents(out) == old


@pytest.mark.parametrize(("permille", "rows"), [(-1, 1), (1001, 1), (10, 0)])
def test_numbers_out_of_range(tmp_path, permille, rows):
    """Are refused, and the old corpus stays."""
    out = tmp_path / "out"
    written(out, ODD, 100, 2)
    old = contents(out)
    with pytest.raises(ValueError, match=r"."):
        written(out, numbered(3), permille, rows)
    assert contents(out) == old


def test_strangers_are_not_overwritten(tmp_path):
    """A folder without a manifest is somebody else's."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        written(tmp_path, numbered(1), 100, 2)
    assert contents(tmp_path) == {"notes.txt": b"mine"}


@pytest.fixture
def lay(tmp_path):
    """A corpus that pyarrow has written, and its manifest."""

    def lay(files, **lies):
        for name, docs in files.items():
            (tmp_path / f"{name}.parquet").write_bytes(parquet(docs))
        record = [described(tmp_path / f"{name}.parquet") for name in files]
        found = shards.ShardsManifest(0, 99, tuple(record)).to_json()
        found["files"] = [file | lies for file in found["files"]]
        (tmp_path / "_MANIFEST.json").write_text(json.dumps(found))
        return tmp_path / "_MANIFEST.json"

    return lay


def test_documents_come_as_listed(lay):
    """File by file in the manifest's order, all row groups, one split."""
    manifest = lay({
        "train-00001": numbered(258), "train-00000": ODD, "val-00000": numbered(3),
        "train-00002": [], "val-00001": [],
    })

    assert list(shards.read_shards(manifest, "train")) == numbered(258) + ODD
    assert list(shards.read_shards(manifest, "val")) == numbered(3)


def refused(manifest, said, split="train"):
    """Before the first document, with a message that says what it must."""
    with pytest.raises(ValueError, match=said):
        next(iter(shards.read_shards(manifest, split)))


@pytest.mark.parametrize("name", ["train-00000", "train-00001", "val-00000"])
def test_lost_and_strange_files(lay, name):
    """Of either split, and of none."""
    manifest = lay({"train-00000": ODD, "train-00001": ODD, "val-00000": ODD})
    strange = manifest.with_name(f"{name}.txt")
    strange.write_text("hello")
    refused(manifest, strange.name)

    strange.rename(manifest.with_name(".hidden"))
    refused(manifest, ".hidden")
    manifest.with_name(".hidden").unlink()
    manifest.with_name(f"{name}.parquet").unlink()
    refused(manifest, f"{name}.parquet")


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("docs", [[("b", "y")], ODD])
def test_changed_files(lay, place, docs):
    """Another text of the same length, or of another; in the first file or a later one."""
    manifest = lay({"train-00000": [("a", "x")], "train-00001": [("a", "x")]})
    manifest.with_name(f"train-0000{place}.parquet").write_bytes(parquet(docs))
    refused(manifest, f"train-0000{place}.parquet")


@pytest.mark.parametrize("lie", [{"rows": 1}, {"bytes": 9}, {"sha256": "0" * 64}])
def test_lies_of_the_manifest(lay, lie):
    """Rows, bytes and hash are all compared."""
    refused(lay({"train-00000": ODD}, **lie), "train-00000.parquet")


def test_strange_manifests_and_splits(lay):
    """A split that is not listed, and a version of the future."""
    manifest = lay({"train-00000": ODD})
    refused(manifest, "evening", "evening")
    refused(manifest, "tra", "tra")

    manifest.write_text(manifest.read_text().replace('"version": 1', '"version": 2'))
    refused(manifest, "2")


TWISTS = [
    lambda files: files[0].update(split="val"), lambda files: files.append(files[0]),
    lambda files: files.append(files[0] | {"split": "val"}), lambda files: files[1].update(name=5),
]


@pytest.mark.parametrize("twist", TWISTS, ids=range(4))
def test_manifests_that_contradict_themselves(lay, twist):
    """Another split than the name's, a file twice, a number for a name."""
    manifest = lay({"train-00000": ODD, "val-00000": ODD})
    found = json.loads(manifest.read_bytes())
    twist(found["files"])
    manifest.write_text(json.dumps(found))
    refused(manifest, ".", "val")


def test_columns_go_by_name(lay, tmp_path):
    """The text may come first."""
    manifest = lay({"train-00000": []})
    path = tmp_path / "train-00000.parquet"
    pq.write_table(pa.table({"text": ["x"], "id": ["a"]}), path)
    found = json.loads(manifest.read_bytes())
    found["files"] = [vars(described(path))]
    manifest.write_text(json.dumps(found))

    assert list(shards.read_shards(manifest, "train")) == [("a", "x")]


def test_a_file_larger_than_memory(tmp_path):
    """100 row groups of 12 MB; only the first is needed for the first document."""
    same = pa.array([0] * 300_000, pa.int32())
    ids, texts = (pa.DictionaryArray.from_arrays(same, [v]) for v in ("a", "word" * 1000))
    path = tmp_path / "train-00000.parquet"
    pq.write_table(
        pa.table({"id": ids, "text": texts}), path, row_group_size=3000, store_schema=False,
        write_statistics=False,
    )
    manifest = shards.ShardsManifest(0, 300_000, (described(path),)).to_json()
    (tmp_path / "_MANIFEST.json").write_text(json.dumps(manifest))

    documents = shards.read_shards(tmp_path / "_MANIFEST.json", "train")
    assert next(iter(documents)) == ("a", "word" * 1000)


def test_documents_come_once(tmp_path):
    """From a generator, which has no length: here it is the reader of another corpus."""
    written(tmp_path / "one", numbered(9), 0, 2)
    documents = shards.read_shards(tmp_path / "one" / "_MANIFEST.json", "train")
    written(tmp_path / "two", documents, 0, 2)
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


def test_documents_are_asked_for_one_by_one(lay, tmp_path_factory):
    """None at all with numbers out of range, and none after one that cannot be written, as is one
    without a text."""
    manifest = lay({"train-00000": [*numbered(3), ("b", None), *numbered(4)]})
    for permille, rows, left in ((-1, 2, 8), (100, 0, 8), (100, 2, 4)):
        docs = shards.read_shards(manifest, "train")
        with pytest.raises(Exception, match=r"."):
            written(tmp_path_factory.mktemp("new") / "out", docs, permille, rows)
        assert len(list(docs)) == left
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail while there was nothing to test? `ol tdd red ch06` runs them on this chapter's
# empty stubs. A test that passes there says nothing about your code.

# %% [markdown]
# ## Where it is used next
#
# - Chapter 7 reads the documents of each split with `read_shards` and writes their tokens. Its own
#   manifest names this one by its SHA-256, so that a training run can prove which text it saw.
# - Chapter 12 lists the shards in the datasheet of the model.
