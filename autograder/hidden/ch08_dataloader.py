"""Hidden tests of ch08_dataloader: headers, maps, windows, batches, orders, and going on.

Shards are written here as bytes, by NumPy; most of them count on, so that a token tells where it
stands. Orders of shuffled loaders and starts of windows come from ``golden.json``, which was made
with NumPy's generator.

Files lie where the learner's code runs: ``folder`` is a path of that process.
"""

import itertools
import json
import struct

import numpy as np
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from autograder.hidden import checks

MAGIC = 20240520
DTYPES = {1: "<u2", 2: "<u4"}
BY_HAND = [*range(0, 128, 32), *range(140, 268, 32), *range(280, 408, 32), *range(420, 548, 32)]


def shard_bytes(ids, version=1, magic=MAGIC, count=None):
    """A file of tokens; its header can be made to say other things."""
    header = struct.pack("<4i", magic, version, len(ids) if count is None else count, 50257)
    return header.ljust(1024, b"\0") + np.asarray(ids).astype(DTYPES.get(version, "<u2")).tobytes()


def grid(start, B, T):
    """What a batch of counting tokens has to be."""
    return (start + np.arange(B * T)).reshape(B, T).tolist()


@pytest.fixture
def write(folder, note):
    """``write(name, ids, ...)``: the path of a new shard."""

    def make(name, ids, version=1, data=None):
        path = folder.joinpath(name)
        path.write_bytes(shard_bytes(ids, version) if data is None else data)
        note(f"{name}: {len(ids)} tokens of version {version}")
        return path

    return make


@pytest.fixture
def shard(Shard):
    """``shard(path, ...)``: the Shard that belongs to a file, made without the learner's code."""

    def make(path, version=1, count=140, other=(0, 0, 0)):
        kept = tuple(number + more for number, more in zip(stamp(path), other, strict=True))
        return Shard.function(path, version, count, kept)

    return make


def stamp(path):
    status = path.stat()
    return tuple(getattr(status, name) for name in ("st_ino", "st_size", "st_mtime_ns"))


def change(path, how):
    """What can happen to a file. A sandbox only pretends to set times, so overwriting waits until
    the clock of the file system has moved on."""
    data, time = path.read_bytes(), stamp(path)[2]
    if how == "removed":
        path.unlink()
    elif how == "replaced":
        other = path.with_name("other")
        other.write_bytes(data)
        other.replace(path)
    elif how == "rewritten":
        while stamp(path)[2] == time:
            path.write_bytes(data[:-2] + b"\7\7")
    else:
        path.write_bytes(data[:-2] if how == "truncated" else data + b"\7\7")


CHANGES = ["removed", "replaced", "rewritten", "truncated", "grown"]
changes = pytest.mark.parametrize("how", CHANGES)


def refused(how):
    """What a file in use that has changed must raise; the message names the file."""
    kind = FileNotFoundError if how == "removed" else ValueError
    return pytest.raises(kind, match=r"count_\d+\.bin")


@pytest.fixture
def corpus(folder, note):
    """``corpus(sizes)``: the pattern of new shards whose tokens count on, written last first."""
    numbers = itertools.count()

    def make(sizes, versions=(1,)):
        place = folder.joinpath(f"corpus_{next(numbers)}")
        place.mkdir()
        starts = [0, *itertools.accumulate(sizes)]
        for number in reversed(range(len(sizes))):
            ids = np.arange(starts[number], starts[number + 1])
            data = shard_bytes(ids, versions[number % len(versions)])
            place.joinpath(f"count_{number:03}.bin").write_bytes(data)
        note(f"shards of {sizes} counting tokens")
        return place.joinpath("count_*.bin").as_posix()

    return make


def file_of(folder, number, corpus=0):
    return folder.joinpath(f"corpus_{corpus}", f"count_{number:03}.bin")


def firsts(loader, n):
    """The first inputs of n batches."""
    return [loader.next_batch()[0][0, 0].tolist() for _ in range(n)]


def orders(loader):
    """The orders at hand and where the generator stands."""
    rng = loader.shuffle_rng
    return loader.shard_indices.tolist(), loader.intra_shard_indices.tolist(), rng.left, rng.next


# -- read_tokens_header -----------------------------------------------------------------------


@checks("read_tokens_header", kind="unit", why="the 1304 bytes that were counted by hand")
def test_header_by_hand(read_tokens_header, write):
    """1304 bytes are 140 ids of version 1; path and stamp are those of the file."""
    path = write("count_0.bin", range(140))
    got = read_tokens_header(path)

    assert (got.version, got.count) == (1, 140)
    assert got.path.as_posix() == path.as_posix()
    assert got.stamp == stamp(path)
    assert got.stamp[1] == 1304


@checks("read_tokens_header", kind="conformance", why="a path is often a text")
def test_path_as_text(read_tokens_header, write):
    """The path may come as a str, and is a Path in the result."""
    path = write("a.bin", [1]).as_posix()

    assert read_tokens_header(path).path.name == "a.bin"


@checks("read_tokens_header", kind="conformance", why="vocabularies of more than 65,536 need it")
@pytest.mark.parametrize("ids", [[], [0], [70_000, 2**32 - 1, 5]])
def test_header_of_version_2(read_tokens_header, write, ids):
    """With version 2 each id has four bytes."""
    got = read_tokens_header(write("a.bin", ids, version=2))

    assert (got.version, got.count) == (2, len(ids))


@checks("read_tokens_header", kind="boundary", why="a split may have no documents")
def test_no_tokens(read_tokens_header, write):
    """A file of 1024 bytes with a count of 0 is whole."""
    assert read_tokens_header(write("empty.bin", [])).count == 0


@checks("read_tokens_header", kind="conformance", why="llm.c leaves zeros where we write V")
@pytest.mark.parametrize("rest", [b"\0", b"\xff", b"\1"])
def test_rest_of_the_header_is_free(read_tokens_header, write, rest):
    """What stands in the header behind the count does not matter."""
    data = struct.pack("<3i", MAGIC, 1, 2).ljust(1024, rest) + b"\1\0\2\0"

    assert read_tokens_header(write("a.bin", [1, 2], data=data)).count == 2


@checks("read_tokens_header", kind="fault", why="any file at all would be trained on")
@pytest.mark.parametrize("magic", [20240522, 20240519, 20240521, 0, -MAGIC, 0x34D88801])
def test_magic_is_checked(read_tokens_header, write, magic):
    """Another magic, that of evaluation files too, is a ValueError that names the file."""
    path = write("wrong.bin", [1, 2], data=shard_bytes([1, 2], magic=magic))
    with pytest.raises(ValueError, match=r"wrong\.bin"):
        read_tokens_header(path)


@checks("read_tokens_header", kind="fault", why="a later version may mean something else")
@pytest.mark.parametrize("version", [0, 3, -1, 256])
def test_version_is_checked(read_tokens_header, write, version):
    """A version other than 1 and 2 is a ValueError that names the file."""
    path = write("wrong.bin", [1, 2], data=shard_bytes([1, 2], version))
    with pytest.raises(ValueError, match=r"wrong\.bin"):
        read_tokens_header(path)


@checks("read_tokens_header", kind="fault", why="a download that broke off at once")
@pytest.mark.parametrize("size", [0, 3, 12, 1022, 1023])
def test_short_header(read_tokens_header, write, size):
    """A file of fewer than 1024 bytes is a ValueError that names it."""
    path = write("short.bin", [], data=shard_bytes([])[:size])
    with pytest.raises(ValueError, match=r"short\.bin"):
        read_tokens_header(path)


@checks("read_tokens_header", kind="fault", why="a download that broke off later")
@pytest.mark.parametrize(
    ("version", "count", "size"),
    [(1, 5, 1033), (1, 5, 1032), (1, 5, 1035), (1, 5, 1036), (1, 5, 1044), (1, 0, 1025),
     (2, 5, 1034), (2, 5, 1043), (2, 5, 1048), (1, 5, 1024), (1, 2**31 - 1, 1034)],
)
def test_size_is_checked(read_tokens_header, write, version, count, size):
    """A size other than that of the header and the tokens is a ValueError that names the file."""
    data = shard_bytes([], version, count=count).ljust(size, b"\0")
    path = write("size.bin", [], version, data=data)
    with pytest.raises(ValueError, match=r"size\.bin"):
        read_tokens_header(path)


@checks("read_tokens_header", kind="fault", why="a number that overflowed in another program")
@pytest.mark.parametrize(("count", "size"), [(-1, 1024), (-1, 1022), (-2, 1028), (-512, 0)])
def test_negative_count(read_tokens_header, write, count, size):
    """A negative count is a ValueError that names the file, also where the size goes with it."""
    data = shard_bytes([], count=count).ljust(size, b"\0")[:size]
    path = write("negative.bin", [], data=data)
    with pytest.raises(ValueError, match=r"negative\.bin"):
        read_tokens_header(path)


@checks("read_tokens_header", kind="fault", why="a wrong path should say so")
def test_no_such_file(read_tokens_header, folder):
    """A file that is not there is a FileNotFoundError that names it."""
    with pytest.raises(FileNotFoundError, match=r"nowhere\.bin"):
        read_tokens_header(folder.joinpath("nowhere.bin"))


# -- check_unchanged --------------------------------------------------------------------------


@checks("check_unchanged", kind="unit", why="it is asked before every batch")
def test_unchanged(check_unchanged, write, shard):
    """A file that is as it was gives None, and may be asked for again."""
    kept = shard(write("count_0.bin", range(140)))

    assert [check_unchanged(kept) for _ in range(2)] == [None, None]


@checks("check_unchanged", kind="unit", why="each number catches what the others miss")
@pytest.mark.parametrize("other", [(1, 0, 0), (0, 2, 0), (0, -2, 0), (0, 0, 1), (0, 0, -1)])
def test_each_number_counts(check_unchanged, write, shard, other):
    """Another inode, another size or another time: each alone is a ValueError naming the file."""
    kept = shard(write("count_0.bin", range(140)), other=other)
    with pytest.raises(ValueError, match=r"count_0\.bin"):
        check_unchanged(kept)


@checks("check_unchanged", kind="fault", why="a map of a file cut short ends the process")
@changes
def test_changes_are_noticed(check_unchanged, write, shard, how):
    """A file that was replaced, overwritten, cut or made longer is a ValueError that names it; one
    that is gone is a FileNotFoundError."""
    path = write("count_0.bin", range(140))
    kept = shard(path)
    change(path, how)
    with refused(how):
        check_unchanged(kept)


# -- map_tokens -------------------------------------------------------------------------------


@checks("map_tokens", kind="unit", why="the second counting shard, by hand")
def test_map_by_hand(map_tokens, write, shard):
    """The second of the counting shards is 140 ... 279 as uint16."""
    got = map_tokens(shard(write("count_1.bin", range(140, 280))))

    assert (got.dtype.str, got.shape) == ("<u2", (140,))
    assert got.tolist() == list(range(140, 280))


@checks("map_tokens", kind="conformance", why="vocabularies of more than 65,536 need it")
def test_version_2(map_tokens, write, shard):
    """Version 2 has uint32, up to the largest of them."""
    ids = [0, 1, 65_535, 65_536, 2**31, 2**32 - 1]
    got = map_tokens(shard(write("large.bin", ids, version=2), version=2, count=6))

    assert (got.dtype.str, got.tolist()) == ("<u4", ids)


@checks("map_tokens", kind="boundary", why="the extremes of 16 bits")
@pytest.mark.parametrize("ids", [[], [0], [65_535], [255, 256, 32_767, 32_768]])
def test_few_tokens(map_tokens, write, shard, ids):
    """No tokens give an array of length 0, and 65535 stays 65535."""
    got = map_tokens(shard(write("few.bin", ids), count=len(ids)))

    assert (got.shape, got.tolist()) == ((len(ids),), ids)


@checks("map_tokens", kind="fault", why="the header was that of another file")
@changes
def test_changed_file_is_not_mapped(map_tokens, write, shard, how):
    """A file that has changed since its header was read is refused by name."""
    path = write("count_0.bin", range(140))
    kept = shard(path)
    change(path, how)
    with refused(how):
        map_tokens(kept)


# -- TokenStream ------------------------------------------------------------------------------


@checks("TokenStream", kind="unit", why="the window that was found by hand")
def test_window_by_hand(TokenStream, write):
    """Of ten ids, the first window of 3 + 1 with seed 42 is 1, 2, 3, 4."""
    ten = TokenStream(write("ten.bin", range(10)), 42)
    got = ten.windows(1, 3)

    assert (got.dtype.str, got.tolist()) == ("<i8", [[1, 2, 3, 4]])
    assert len(ten) == 10


@checks("TokenStream", kind="golden", why="a run can be repeated, window by window")
@pytest.mark.parametrize("case", range(5))
def test_windows_are_words(TokenStream, write, golden, case):
    """Each window takes one word of the seed's stream, in order, modulo the number of starts."""
    seed, n, T, starts = golden["windows"]["cases"][case].values()
    stream = TokenStream(write("a.bin", range(1000, 1000 + n)), seed)
    got = np.concatenate([stream.windows(3, T), stream.windows(1, T), stream.windows(4, T)])

    assert got.tolist() == [list(range(1000 + s, 1001 + s + T)) for s in starts]


@checks("TokenStream", kind="boundary", why="the last tokens are data too")
def test_every_start_is_drawn(TokenStream, write):
    """Of n tokens there are n - T starts, and each is drawn now and then, the last one too."""
    stream = TokenStream(write("a.bin", range(12)), 42)
    got = stream.windows(60, 8)

    assert sorted({row[0] for row in got.tolist()}) == [0, 1, 2, 3]
    assert [row[-1] - row[0] for row in got.tolist()] == [8] * 60


@checks("TokenStream", kind="conformance", why="llm.c's loader is seeded with it, and so are we")
def test_seed_is_42(TokenStream, write):
    """Without a seed it is 42."""
    ten = TokenStream(write("ten.bin", range(10)))

    assert ten.windows(1, 3).tolist() == [[1, 2, 3, 4]]


@checks("TokenStream", kind="unit", why="training and validation draw side by side")
def test_streams_are_apart(TokenStream, write):
    """Each stream has a generator of its own."""
    path = write("ten.bin", range(10))
    one, other = TokenStream(path, 42), TokenStream(path, 42)
    one.windows(5, 3)

    assert other.windows(1, 3).tolist() == [[1, 2, 3, 4]]


@checks("TokenStream", kind="boundary", why="65535 + 1 is 0 in 16 bits")
@pytest.mark.parametrize(("version", "last"), [(1, 2**16 - 1), (2, 2**32 - 1)])
def test_windows_are_int64(TokenStream, write, version, last):
    """Windows are int64 whatever the file's version, and the largest id stays what it is."""
    stream = TokenStream(write("a.bin", [last - 1, last], version), 1)
    got = stream.windows(2, 1)

    assert (got.dtype.str, got.tolist()) == ("<i8", [[last - 1, last]] * 2)


@checks("TokenStream", kind="fault", why="a short validation file should say so")
@pytest.mark.parametrize(("n", "T"), [(3, 3), (3, 4), (0, 1), (3, 9)])
def test_too_short_for_a_window(TokenStream, write, n, T):
    """Fewer than T + 1 tokens are a ValueError that names the file; shorter windows still work."""
    stream = TokenStream(write("short.bin", range(n)))
    with pytest.raises(ValueError, match=r"short\.bin"):
        stream.windows(1, T)
    if n:
        assert stream.windows(1, n - 1).tolist() == [list(range(n))]


@checks("TokenStream", kind="fault", why="a map of a file cut short ends the process")
@changes
def test_stream_of_a_changed_file(TokenStream, write, how):
    """A file that has changed since it was opened is refused by name."""
    path = write("count_0.bin", range(140))
    stream = TokenStream(path)
    stream.windows(1, 8)
    change(path, how)
    with refused(how):
        stream.windows(1, 8)


@checks("TokenStream", kind="unit", why="a map holds a file handle as long as it lives")
def test_stream_is_closed(TokenStream, write):
    """A closed stream, closed twice even, knows its length; windows is a ValueError that names the
    file."""
    ten = TokenStream(write("ten.bin", range(10)))
    for _ in range(2):
        ten.close()
        assert len(ten) == 10
        with pytest.raises(ValueError, match=r"ten\.bin"):
            ten.windows(1, 3)


# -- batch_start ------------------------------------------------------------------------------


@checks("batch_start", kind="unit", why="the table that was made by hand")
def test_starts_by_hand(batch_start):
    """B = 4, T = 8: 0, 32, 64, 96 for one process; 0, 64 and 32, 96 for two."""
    assert [batch_start(n, 4, 8, 0, 1) for n in range(4)] == [0, 32, 64, 96]
    assert [batch_start(n, 4, 8, 0, 2) for n in range(2)] == [0, 64]
    assert [batch_start(n, 4, 8, 1, 2) for n in range(2)] == [32, 96]


@checks("batch_start", kind="property", why="a token read twice is another one missed")
@examples(st.integers(1, 5), st.integers(1, 9), st.integers(1, 9), st.integers(1, 6))
@settings(max_examples=40)
def test_batches_tile_the_shard(batch_start, ranks, B, T, samples):
    """The batches of all ranks and samples lie side by side, without a gap, in order."""
    got = [batch_start(s, B, T, rank, ranks) for s in range(samples) for rank in range(ranks)]

    assert got == list(range(0, samples * ranks * B * T, B * T))


@checks("batch_start", kind="boundary", why="a shard may have more than 2 GiB")
@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint16])
def test_large_files(batch_start, kind):
    """Beyond 2**31 and 2**32 it is right too, from NumPy's integers, and a Python int."""
    got = [batch_start(kind(60_000), 64, 1024, rank, 4) for rank in range(4)]

    assert got == [240_000 * 65_536 + rank * 65_536 for rank in range(4)]
    assert [type(start).__name__ for start in got] == ["int"] * 4


# -- cut_batch --------------------------------------------------------------------------------


@checks("cut_batch", kind="unit", why="the rows that were written by hand")
def test_batch_by_hand(cut_batch):
    """From place 32: inputs 32 33 34, 35 36 37, and targets 33 34 35, 36 37 38."""
    got = cut_batch(np.arange(140).astype(np.uint16), 32, 2, 3)

    assert [each.tolist() for each in got] == [grid(32, 2, 3), grid(33, 2, 3)]


@checks("cut_batch", kind="property", why="every token but the first is a target once")
@examples(st.integers(1, 5), st.integers(1, 6), st.integers(0, 20), st.integers(0, 5))
@settings(max_examples=40)
def test_targets_are_one_further(cut_batch, B, T, start, more):
    """Inputs are the B * T ids from start, targets those from start + 1, up to the last id."""
    ids = np.random.default_rng(start).integers(0, 65_536, start + B * T + 1 + more)
    inputs, targets = cut_batch(ids.astype(np.uint16), start, B, T)

    assert inputs.tolist() == ids[start : start + B * T].reshape(B, T).tolist()
    assert targets.tolist() == ids[start + 1 : start + 1 + B * T].reshape(B, T).tolist()


@checks("cut_batch", kind="boundary", why="65535 + 1 is 0 in 16 bits")
@pytest.mark.parametrize("dtype", ["<u2", "<u4"])
def test_batches_are_int64(cut_batch, dtype):
    """Inputs and targets are int64 of shape (B, T), and the largest ids stay what they are."""
    last = np.iinfo(dtype).max
    got = cut_batch(np.array([0, last, 7, last, 1], dtype=dtype), 0, 1, 4)

    assert [(each.dtype.str, each.shape) for each in got] == [("<i8", (1, 4))] * 2
    assert [each.tolist() for each in got] == [[[0, last, 7, last]], [[last, 7, last, 1]]]


@checks("cut_batch", kind="fault", why="slices that end too early do so in silence")
@pytest.mark.parametrize("start", [3, 4, 8, 9, 10, 99])
def test_too_few_ids(cut_batch, start):
    """Fewer than B * T + 1 ids from start on are a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        cut_batch(np.arange(9, dtype=np.uint16), start, 2, 3)


# -- find_shards ------------------------------------------------------------------------------


@checks("find_shards", kind="unit", why="the four shards of the hand example")
def test_four_shards(find_shards, corpus):
    """Four counting shards of 140 tokens are found, in order, with their counts."""
    got = find_shards(corpus([140] * 4), 33)

    assert [shard.path.name for shard in got] == [f"count_{n:03}.bin" for n in range(4)]
    assert [(shard.count, shard.version) for shard in got] == [(140, 1)] * 4


@checks("find_shards", kind="unit", why="another machine must see the same order")
def test_sorted_by_name(find_shards, write, folder):
    """Sorted by name, in whichever order the files were made; other files do not count."""
    names = [f"train_{letter}.bin" for letter in "CaBdAeb"]
    for name in [*names, "val_0.bin", "train_x.txt"]:
        write(name, range(3))
    got = find_shards(folder.joinpath("train_*.bin").as_posix(), 1)

    assert [shard.path.name for shard in got] == sorted(names)


@checks("find_shards", kind="boundary", why="the smallest shard that is allowed")
def test_least_is_enough(find_shards, corpus):
    """A shard with exactly as many tokens as are needed is allowed."""
    assert [shard.count for shard in find_shards(corpus([33, 34]), 33)] == [33, 34]


@checks("find_shards", kind="fault", why="a loader that never finds a sample waits for ever")
def test_small_shards_are_refused(find_shards, corpus):
    """One token too few, in any shard, is a ValueError: its name, what it has, what is needed."""
    pattern = corpus([40, 32, 40])
    with pytest.raises(ValueError, match=r"count_001\.bin.*\b32\b.*\b33\b"):
        find_shards(pattern, 33)


@checks("find_shards", kind="fault", why="a typing error in a pattern should say so")
def test_nothing_found(find_shards, folder):
    """No file at all is a FileNotFoundError whose message has the pattern."""
    with pytest.raises(FileNotFoundError, match="no_such_"):
        find_shards(folder.joinpath("no_such_*.bin").as_posix(), 1)


@checks("find_shards", kind="fault", why="better now than in the third night")
def test_every_header_is_read(find_shards, corpus, folder):
    """A damaged file among good ones is a ValueError that names it, wherever it stands."""
    for number in range(3):
        pattern = corpus([9, 9, 9])
        file_of(folder, number, corpus=number).write_bytes(shard_bytes([1, 2], count=3))
        with pytest.raises(ValueError, match=rf"count_00{number}\.bin"):
            find_shards(pattern, 1)


@checks("find_shards", kind="boundary", why="a process may hold so many files and no more")
def test_more_shards_than_handles(find_shards, corpus):
    """A hundred shards are found where 64 open files are allowed."""
    assert len(find_shards(corpus([2] * 100), 1)) == 100


# -- ShardLoader ------------------------------------------------------------------------------


@checks("ShardLoader", kind="unit", why="the table that was made by hand")
def test_epochs_by_hand(ShardLoader, corpus):
    """Four shards of 140, B = 4, T = 8: batches begin with 0, 32, ... 516, then with 0 again."""
    loader = ShardLoader(corpus([140] * 4), 4, 8)

    assert firsts(loader, 33) == [*BY_HAND, *BY_HAND, 0]
    assert loader.num_tokens == 560


@checks("ShardLoader", kind="unit", why="inputs and targets of the hand example")
def test_first_batch(ShardLoader, corpus):
    """The first batch is 0 ... 31 in four rows, its targets 1 ... 32, both int64."""
    got = ShardLoader(corpus([140] * 4), 4, 8).next_batch()

    assert [batch.dtype.str for batch in got] == ["<i8", "<i8"]
    assert [batch.tolist() for batch in got] == [grid(0, 4, 8), grid(1, 4, 8)]


@checks("ShardLoader", kind="unit", why="two processes must not train on the same tokens")
def test_two_ranks_by_hand(ShardLoader, corpus):
    """Rank 0 of two begins with 0, 64, 140, 204, and rank 1 with 32, 96, 172, 236."""
    pattern = corpus([140] * 4)
    loaders = [ShardLoader(pattern, 4, 8, rank, 2) for rank in range(2)]

    assert [firsts(loader, 4) for loader in loaders] == [[0, 64, 140, 204], [32, 96, 172, 236]]


@checks("ShardLoader", kind="property", why="a token read twice is another one missed")
@examples(
    ranks=st.integers(1, 3), B=st.integers(1, 3), T=st.integers(1, 4), shuffled=st.booleans(),
    more=st.lists(st.integers(0, 30), min_size=1, max_size=3),
)
@settings(max_examples=15)
def test_each_token_once(ShardLoader, corpus, ranks, B, T, shuffled, more):
    """In one epoch all ranks together read each token once, but for an end too short for a sample;
    each target follows its input."""
    sizes = [ranks * B * T + 1 + n for n in more]
    pattern = corpus(sizes)
    samples = [(size - 1) // (ranks * B * T) for size in sizes]
    got = []
    for each in range(ranks):
        loader = ShardLoader(pattern, B, T, each, ranks, should_shuffle=shuffled)
        for _ in range(sum(samples)):
            inputs, targets = batch = loader.next_batch()
            assert [each.shape for each in batch] == [(B, T)] * 2
            assert targets.tolist() == (inputs + 1).tolist()
            got += inputs.ravel().tolist()
        loader.close()

    starts = [0, *itertools.accumulate(sizes)]
    wanted = [starts[i] + t for i, n in enumerate(samples) for t in range(n * ranks * B * T)]
    assert sorted(got) == wanted


@checks("ShardLoader", kind="boundary", why="the smallest shard that is allowed has one sample")
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_smallest_shard(ShardLoader, corpus, ranks):
    """ranks * B * T + 1 tokens make one sample, one more token none more; one fewer is refused."""
    n = ranks * 6
    loader = ShardLoader(corpus([n + 1, n + 2, 2 * n, 2 * n + 1]), 2, 3, 0, ranks)
    starts = [0, n + 1, 2 * n + 3, 4 * n + 3, 5 * n + 3]

    assert firsts(loader, 6) == [*starts, 0]
    pattern = corpus([3 * n, n])
    with pytest.raises(ValueError, match=r"count_001\.bin"):
        ShardLoader(pattern, 2, 3, 0, ranks)


@checks("ShardLoader", kind="golden", why="a shuffled run is the same on every machine")
@pytest.mark.parametrize("layout", ["even", "uneven", "single"])
@pytest.mark.parametrize("rank", range(4))
def test_shuffled_orders(ShardLoader, corpus, golden, layout, rank):
    """Three epochs are read in the orders that the words of seed 42 + rank give."""
    samples, epochs = golden["orders"]["layouts"][layout].values()
    sizes = [n * 4 * 2 + 5 for n in samples]
    starts = [0, *itertools.accumulate(sizes)]
    loader = ShardLoader(corpus(sizes), 1, 2, rank, 4, should_shuffle=True)
    for epoch in epochs[str(rank)]:
        got = firsts(loader, len(epoch))

        assert got == [starts[shard] + (k * 4 + rank) * 2 for shard, k in epoch]


@checks("ShardLoader", kind="unit", why="a run that is not shuffled needs no generator")
def test_unshuffled_draws_nothing(ShardLoader, corpus):
    """Without should_shuffle the orders are 0, 1, 2 and empty, and no word is drawn."""
    loader = ShardLoader(corpus([9, 9, 9]), 1, 4)
    before = orders(loader)
    firsts(loader, 14)

    assert before == ([0, 1, 2], [], 1, 0)
    assert orders(loader) == before


@checks("ShardLoader", kind="unit", why="a checkpoint stores this position")
def test_positions(ShardLoader, corpus):
    """The position is the sample that is next, at the end of a shard one beyond the last."""
    loader = ShardLoader(corpus([140, 99]), 4, 8)
    got = []
    for _ in range(9):
        got.append((loader.current_shard_idx, loader.current_sample_idx, loader.shard_num_samples))
        loader.next_batch()

    assert got[:5] == [(0, 0, 4), (0, 1, 4), (0, 2, 4), (0, 3, 4), (0, 4, 4)]
    assert got[5:] == [(1, 1, 3), (1, 2, 3), (1, 3, 3), (0, 1, 4)]


@checks("ShardLoader", kind="unit", why="load_batch may be called by itself")
def test_load_batch_stays(ShardLoader, corpus):
    """load_batch gives what next_batch is about to give, as often as one likes."""
    loader = ShardLoader(corpus([140] * 4), 4, 8)
    loader.next_batch()

    assert [loader.load_batch()[0].tolist() for _ in range(2)] == [grid(32, 4, 8)] * 2
    assert loader.next_batch()[1].tolist() == grid(33, 4, 8)


@checks("ShardLoader", kind="fault", why="the ids behind the last sample are too few")
def test_no_batch_at_the_end(ShardLoader, corpus):
    """At the end of a shard load_batch is a ValueError, though tokens may be left."""
    loader = ShardLoader(corpus([126, 140]), 4, 8, 0, 2)
    loader.next_batch()
    with pytest.raises(ValueError, match=r"."):
        loader.load_batch()
    assert firsts(loader, 1) == [126]


@checks("ShardLoader", kind="unit", why="the methods of the table, one by one")
def test_methods_one_by_one(ShardLoader, corpus):
    """load_shard_ returns a count, advance_ moves on by a shard and wraps, reset begins anew."""
    loader = ShardLoader(corpus([140, 99, 70]), 4, 8)

    assert [loader.load_shard_(place) for place in (2, 1, 0)] == [70, 99, 140]
    assert loader.shard_num_samples == 4
    loader.next_batch()
    got = []
    for _ in range(4):
        loader.advance_()
        got.append((loader.current_shard_idx, loader.current_sample_idx, loader.shard_num_samples))
    assert got == [(1, 0, 3), (2, 0, 2), (0, 0, 4), (1, 0, 3)]
    loader.next_batch()
    loader.reset()
    assert firsts(loader, 2) == [0, 32]


@checks("ShardLoader", kind="unit", why="shards are opened in the order of the epoch")
def test_places_are_those_of_the_order(ShardLoader, corpus):
    """Shuffled, load_shard_ takes a place in the order; shard_indices says which shard that is."""
    loader = ShardLoader(corpus([20, 21, 22, 23, 24]), 1, 4, should_shuffle=True)
    order = loader.shard_indices.tolist()

    assert [loader.load_shard_(place) for place in range(5)] == [20 + index for index in order]


@checks("ShardLoader", kind="golden", why="an order is a permutation of int64, drawn afresh")
def test_preparing_draws(ShardLoader, corpus, golden):
    """prepare_intra_shard_indices_ permutes the identity anew with the words that come next."""
    loader = ShardLoader(corpus([38]), 2, 2, should_shuffle=True)
    first, second, third = golden["orders"]["layouts"]["single"]["epochs_by_rank"]["0"]
    got = [loader.intra_shard_indices]
    for _ in range(2):
        loader.prepare_intra_shard_indices_()
        got.append(loader.intra_shard_indices)

    assert [each.tolist() for each in got] == [[k for _, k in e] for e in (first, second, third)]
    assert [each.dtype.str for each in (*got, loader.shard_indices)] == ["<i8"] * 4


@checks("ShardLoader", kind="unit", why="llm.c resumes like this")
def test_resume(ShardLoader, corpus):
    """Unshuffled, the batches from any position on are those of an uninterrupted run."""
    loader = ShardLoader(corpus([140, 99, 70]), 4, 8)
    wanted = firsts(loader, 18)
    places = [(0, 0), (0, 3), (1, 0), (1, 2), (2, 1)]
    got = []
    for shard, sample in places:
        loader.resume(shard, sample)
        got.append(firsts(loader, 9))

    assert got == [wanted[n : n + 9] for n in (0, 3, 4, 6, 8)]


@checks("ShardLoader", kind="boundary", why="a run may stop after the last sample of a shard")
def test_resume_at_the_end(ShardLoader, corpus):
    """The end of a shard is a position too: the next batch is the first of the next shard."""
    loader = ShardLoader(corpus([140, 99]), 4, 8)
    loader.resume(0, 4)
    assert firsts(loader, 1) == [140]
    loader.resume(1, 3)
    assert firsts(loader, 1) == [0]


@checks("ShardLoader", kind="unit", why="a resumed run must not change the order of its epoch")
def test_resume_draws_nothing(ShardLoader, corpus):
    """Shuffled, resume leaves both orders and the generator as they are."""
    loader = ShardLoader(corpus([140] * 4), 4, 8, should_shuffle=True)
    before, wanted = orders(loader), firsts(loader, 4)
    loader.resume(0, 1)

    assert firsts(loader, 3) == wanted[1:]
    loader.resume(2, 0)
    assert orders(loader) == before
    shard, samples = before[0][2], before[1]
    assert firsts(loader, 4) == [shard * 140 + k * 32 for k in samples]


@checks("ShardLoader", kind="fault", why="a position from another run should say so")
@pytest.mark.parametrize(
    ("shard", "sample"), [(-1, 0), (3, 0), (0, 5), (0, -1), (1, 4), (2, 3), (-3, -1)]
)
def test_no_such_position(ShardLoader, corpus, shard, sample):
    """A position that there is not is a ValueError, and the loader stays where it was."""
    loader = ShardLoader(corpus([140, 99, 70]), 4, 8)
    firsts(loader, 5)
    with pytest.raises(ValueError, match=r"."):
        loader.resume(shard, sample)
    assert (loader.current_shard_idx, loader.current_sample_idx) == (1, 1)
    assert firsts(loader, 2) == [172, 204]


@checks("ShardLoader", kind="fault", why="an order of four samples says nothing about three")
def test_order_of_another_size(ShardLoader, corpus):
    """Shuffled, resume refuses a shard with another number of samples than the order at hand."""
    loader = ShardLoader(corpus([140, 99, 70]), 4, 8, should_shuffle=True)
    before = orders(loader)
    wanted = loader.load_batch()[0].tolist()
    with pytest.raises(ValueError, match=r"."):
        loader.resume(1, 0)
    assert orders(loader) == before
    assert loader.next_batch()[0].tolist() == wanted


@checks("ShardLoader", kind="fault", why="such numbers make batches of nothing, or foreign ones")
@pytest.mark.parametrize(
    ("B", "T", "rank", "ranks"),
    [(0, 8, 0, 1), (4, 0, 0, 1), (-1, 8, 0, 1), (-2, -4, 0, 1), (4, 8, 1, 1), (4, 8, 2, 2),
     (4, 8, -1, 2), (4, 8, 0, 0)],
)
def test_senseless_numbers(ShardLoader, corpus, B, T, rank, ranks):
    """B or T below 1, and a rank that is not one of the processes, are a ValueError."""
    pattern = corpus([140] * 2)
    with pytest.raises(ValueError, match=r"."):
        ShardLoader(pattern, B, T, rank, ranks)


@checks("ShardLoader", kind="conformance", why="a corpus may hold files of both versions")
def test_both_versions(ShardLoader, corpus):
    """Shards of version 1 and 2 may stand side by side."""
    loader = ShardLoader(corpus([20, 20, 20], versions=(2, 1)), 1, 4)

    assert firsts(loader, 13) == [20 * s + 4 * k for s in range(3) for k in range(4)] + [0]


@checks("ShardLoader", kind="boundary", why="a map holds a file handle as long as it lives")
@pytest.mark.parametrize("shuffled", [False, True])
def test_an_epoch_of_many_shards(ShardLoader, corpus, shuffled):
    """An epoch goes through a hundred shards where 64 open files are allowed."""
    loader = ShardLoader(corpus([3] * 100), 1, 2, should_shuffle=shuffled)

    assert sorted(firsts(loader, 100)) == list(range(0, 300, 3))


@checks("ShardLoader", kind="fault", why="files do not always stay as they are")
@changes
@pytest.mark.parametrize("number", [0, 1])
def test_changes_while_in_use(ShardLoader, corpus, folder, how, number):
    """A shard that changes, now read or read later, is refused by name; nor is there a batch after
    that."""
    loader = ShardLoader(corpus([140, 140]), 4, 8)
    firsts(loader, 3 if number else 2)
    change(file_of(folder, number), how)
    if number:
        assert firsts(loader, 1) == [96]
    with refused(how):
        loader.next_batch()
    if number:
        assert loader.tokens is None
    with pytest.raises((ValueError, FileNotFoundError)):
        loader.next_batch()


@checks("ShardLoader", kind="fault", why="load_batch and resume look at the file too")
def test_all_ways_to_a_changed_file(ShardLoader, corpus, folder):
    """load_batch and resume refuse a changed shard too, and after a failed resume there is no
    batch; another shard can still be read."""
    loader = ShardLoader(corpus([140, 140]), 4, 8)
    change(file_of(folder, 0), "rewritten")
    with refused("rewritten"):
        loader.load_batch()
    loader.resume(1, 3)
    assert firsts(loader, 1) == [236]
    with refused("rewritten"):
        loader.resume(0, 0)
    with pytest.raises(ValueError, match=r"."):
        loader.load_batch()
    loader.resume(1, 1)
    assert firsts(loader, 1) == [172]


@checks("ShardLoader", kind="unit", why="a map keeps its file, and its disk space, alive")
@pytest.mark.parametrize("read", [1, 4])
def test_close(ShardLoader, corpus, read):
    """A closed loader has no tokens and gives no batch, wherever it stands; it may be closed twice,
    and resume or reset open it again."""
    loader = ShardLoader(corpus([140, 140]), 4, 8)
    firsts(loader, read)
    for _ in range(2):
        loader.close()
        assert loader.tokens is None
        for ask in (loader.next_batch, loader.load_batch):
            with pytest.raises(ValueError, match=r"."):
                ask()
    loader.resume(0, 3)
    assert firsts(loader, 2) == [96, 140]
    loader.close()
    loader.reset()
    assert firsts(loader, 2) == [0, 32]


# -- DataLoader -------------------------------------------------------------------------------


@checks("DataLoader", kind="unit", why="a training loop is a for loop")
def test_iterates_without_end(DataLoader, corpus):
    """iter() gives the loader itself, next() its next batch, beyond the end of an epoch."""
    loader = DataLoader(corpus([140] * 4), 4, 8)
    got = [next(iter(loader))[0][0, 0].tolist() for _ in range(16)]
    inputs, targets = next(loader)

    assert got == BY_HAND
    assert (inputs.tolist(), targets.tolist()) == (grid(0, 4, 8), grid(1, 4, 8))


@checks("DataLoader", kind="unit", why="an error in training must not leave a map behind")
def test_with_closes(DataLoader, corpus):
    """`with` gives the loader, and closes it at the end."""
    made = DataLoader(corpus([140] * 4), 4, 8)
    with made as loader:
        assert firsts(loader, 2) == [0, 32]
    assert made.tokens is None
    with pytest.raises(ValueError, match=r"."):
        made.next_batch()


@checks("DataLoader", kind="unit", why="what a checkpoint has to hold")
def test_state_by_hand(DataLoader, corpus):
    """After five of the batches by hand the state has these entries, all of them plain values."""
    loader = DataLoader(corpus([140] * 4), 4, 8, 1, 2)
    firsts(loader, 5)
    got = json.loads(json.dumps(loader.state_dict()))

    rng = got.pop("shuffle_rng")
    assert got == {
        "B": 4, "T": 8, "process_rank": 1, "num_processes": 2, "should_shuffle": False,
        "shards": [[f"count_{n:03}.bin", 140] for n in range(4)],
        "current_shard_idx": 2, "current_sample_idx": 1,
        "shard_indices": [0, 1, 2, 3], "intra_shard_indices": [],
    }
    assert (rng["seed"], rng["left"], rng["next"], rng["state"][0]) == (43, 1, 0, 43)


@checks("DataLoader", kind="unit", why="saving must not disturb a run")
def test_saving_moves_nothing(DataLoader, corpus):
    """state_dict changes nothing: two in a row are equal, and so are the batches."""
    pattern = corpus([30, 40, 50])
    quiet, saving = (DataLoader(pattern, 2, 4, should_shuffle=True) for _ in range(2))
    got = []
    for _ in range(24):
        first = saving.state_dict()
        assert saving.state_dict() == first
        got += firsts(saving, 1)

    assert got == firsts(quiet, 24)


@checks("DataLoader", kind="property", why="an interrupted run is an uninterrupted one")
@pytest.mark.parametrize(("rank", "ranks"), [(0, 1), (1, 2), (3, 4)])
@pytest.mark.parametrize("shuffled", [False, True])
def test_continues_at_any_point(DataLoader, corpus, rank, ranks, shuffled):
    """From every point of two epochs, a loader with the saved state gives the same batches, bit for
    bit, well into the next epoch."""
    stride = ranks * 6
    pattern = corpus([2 * stride + 1, 2 * stride, 3 * stride + 1])  # 2, 1 and 3 samples, just so
    loader, other = (DataLoader(pattern, 2, 3, rank, ranks, shuffled) for _ in range(2))
    states, wanted = [], []
    for _ in range(20):
        states.append(json.loads(json.dumps(loader.state_dict())))
        wanted.append([each.tolist() for each in loader.next_batch()])
    for step, state in enumerate(states[:13]):
        other.load_state_dict(state)
        got = [[each.tolist() for each in other.next_batch()] for _ in range(8)]

        assert got == wanted[step : step + 8]


@checks("DataLoader", kind="unit", why="a run goes on in another folder, or on another disk")
def test_moved_corpus(DataLoader, corpus):
    """A state goes with the same shards in another folder."""
    one, other = (DataLoader(corpus([30, 40, 50]), 2, 4, should_shuffle=True) for _ in range(2))
    firsts(one, 7)
    other.load_state_dict(one.state_dict())

    assert firsts(other, 9) == firsts(one, 9)


@checks("DataLoader", kind="unit", why="a loader may be closed before it goes on")
def test_closed_loader_goes_on(DataLoader, corpus):
    """The state of a closed loader can be saved, and loading opens a closed one."""
    loader = DataLoader(corpus([140] * 4), 4, 8, should_shuffle=True)
    firsts(loader, 5)
    state = loader.state_dict()
    wanted = firsts(loader, 3)
    loader.load_state_dict(state)
    loader.close()
    assert loader.state_dict() == state
    loader.load_state_dict(state)

    assert firsts(loader, 3) == wanted


@checks("DataLoader", kind="fault", why="positions mean nothing in another layout")
@pytest.mark.parametrize(
    ("name", "args"),
    [("B", (2, 8, 0, 2)), ("T", (4, 4, 0, 2)), ("process_rank", (4, 8, 1, 2)),
     ("num_processes", (4, 8, 0, 1)), ("should_shuffle", (4, 8, 0, 2, True))],
)
def test_other_layouts_are_refused(DataLoader, corpus, name, args):
    """A state saved with another B, T, rank, number of processes or should_shuffle is a ValueError
    that names it, and the loader goes on as before."""
    pattern = corpus([140] * 4)
    saved = DataLoader(pattern, 4, 8, 0, 2)
    saved.next_batch()
    other, same = DataLoader(pattern, *args), DataLoader(pattern, *args)
    with pytest.raises(ValueError, match=name):
        other.load_state_dict(saved.state_dict())

    assert firsts(other, 9) == firsts(same, 9)


@checks("DataLoader", kind="fault", why="a grown corpus has other samples at the same places")
@pytest.mark.parametrize("sizes", [[140, 141], [141, 140], [140], [140] * 3])
def test_other_shards_are_refused(DataLoader, corpus, sizes):
    """A state saved with other shards, by number or by counts, is a ValueError that says shards."""
    state = DataLoader(corpus([140, 140]), 4, 8).state_dict()
    other = DataLoader(corpus(sizes), 4, 8)
    with pytest.raises(ValueError, match="shards"):
        other.load_state_dict(state)


@checks("DataLoader", kind="fault", why="the names are all that tells two corpora apart")
def test_other_names_are_refused(DataLoader, corpus, folder):
    """A state saved with shards of other names is a ValueError that says shards."""
    state = DataLoader(corpus([140, 140]), 4, 8).state_dict()
    other = DataLoader(corpus([140, 140]), 4, 8)
    state["shards"][1][0] = "count_002.bin"
    with pytest.raises(ValueError, match="shards"):
        other.load_state_dict(state)


@pytest.fixture
def interrupted(DataLoader, corpus):
    """A state from the middle of a shard in the second epoch, and two new loaders of the same four
    shards of four samples."""
    pattern = corpus([140, 130, 150, 160])
    saved, *new = (DataLoader(pattern, 4, 8, should_shuffle=True) for _ in range(3))
    firsts(saved, 22)
    return saved.state_dict(), *new


ENTRIES = ("B", "T", "process_rank", "num_processes", "should_shuffle", "shards",
           "current_shard_idx", "current_sample_idx", "shuffle_rng", "shard_indices",
           "intra_shard_indices")


@checks("DataLoader", kind="fault", why="a checkpoint may be of an older program")
@pytest.mark.parametrize("name", ENTRIES)
def test_missing_entries(interrupted, name):
    """A state without one of its entries is a ValueError that has the entry's name, and the loader
    goes on as before."""
    state, other, same = interrupted
    del state[name]
    with pytest.raises(ValueError, match=name):
        other.load_state_dict(state)

    assert firsts(other, 18) == firsts(same, 18)


@checks("DataLoader", kind="fault", why="a damaged order reads tokens twice, and no error tells")
@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("shard_indices", lambda order: [order[0]] * 4),
        ("shard_indices", lambda order: order[:-1]),
        ("shard_indices", lambda order: [index + 1 for index in order]),
        ("intra_shard_indices", lambda order: [order[0]] * len(order)),
        ("intra_shard_indices", lambda order: order[1:]),
        ("intra_shard_indices", lambda order: [*order, len(order)]),
        ("intra_shard_indices", lambda order: [index - 1 for index in order]),
        ("current_shard_idx", lambda place: 4),
        ("current_shard_idx", lambda place: -1),
        ("current_sample_idx", lambda place: 5),
        ("current_sample_idx", lambda place: 99),
        ("current_sample_idx", lambda place: -1),
        ("shuffle_rng", lambda rng: {}),
        ("shuffle_rng", lambda rng: rng | {"state": rng["state"][1:]}),
    ],
)
def test_damaged_states(interrupted, name, damage):
    """An order that is no permutation, a position that is not there or a damaged generator is a
    ValueError that has the entry's name, and the loader goes on as before."""
    state, other, same = interrupted
    with pytest.raises(ValueError, match=name):
        other.load_state_dict(state | {name: damage(state[name])})

    assert firsts(other, 18) == firsts(same, 18)


@checks("DataLoader", kind="fault", why="an order that nobody reads is a state of something else")
def test_order_of_an_unshuffled_loader(DataLoader, corpus):
    """A state with an order of samples does not fit an unshuffled loader; a position at the end of
    a shard fits."""
    loader = DataLoader(corpus([140, 140]), 4, 8)
    firsts(loader, 4)
    state = loader.state_dict()
    with pytest.raises(ValueError, match="intra_shard_indices"):
        loader.load_state_dict(state | {"intra_shard_indices": [0, 1, 2, 3]})
    loader.reset()
    loader.load_state_dict(state)

    assert firsts(loader, 2) == [140, 172]
