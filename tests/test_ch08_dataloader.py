"""Chapter 8's own code on corpora of all shapes, on files too large for 32 bits, on more shards
than a process may hold open, and on files that change under its hands.
"""

import contextlib
import gc
import json
import os
import random
import resource
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures.make import recipe
from tests import outside

FIXTURES = outside.ROOT / "fixtures" / "ch08_dataloader"
DTYPES = {1: np.dtype("<u2"), 2: np.dtype("<u4")}
IN_ANOTHER_PROCESS = """
import json, sys
from benchmarks.reference import reference
loader = reference("ch08").DataLoader(sys.argv[1], 2, 3, 1, 2, should_shuffle=True)
loader.load_state_dict(json.loads(sys.argv[2]))
print([[each.tolist() for each in next(loader)] for _ in range(20)])
"""


@pytest.fixture(scope="module")
def dataloader():
    with outside.reference("ch08") as module:
        yield module


@pytest.fixture
def few_handles():
    """No more than 20 files can be opened beside those that are open."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files() + 20, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def header(version, count):
    return np.array([20240520, version, count], dtype="<i4").tobytes().ljust(1024, b"\0")


def write(path, ids, version=1):
    path.write_bytes(header(version, len(ids)) + np.asarray(ids).astype(DTYPES[version]).tobytes())
    return path


def counting(folder, sizes, version=1):
    """Shards of ids that count on, and where each begins."""
    starts = np.cumsum([0, *sizes]).tolist()
    for number, (start, size) in enumerate(zip(starts, sizes, strict=False)):
        write(folder / f"{number:05}.bin", np.arange(start, start + size), version)
    return starts


def sparse(path, version, places):
    """Write a file of as many tokens as a header can say, all 0 but for these; it takes hardly any
    room on the disk."""
    count, width = 2**31 - 1, DTYPES[version].itemsize
    with path.open("wb") as file:
        file.write(header(version, count))
        file.truncate(1024 + count * width)
        if path.stat().st_blocks * 512 > 2**28:
            pytest.skip("this file system has no sparse files")
        for place, token in places.items():
            file.seek(1024 + place * width)
            file.write(token.to_bytes(width, "little"))


def plain(batch):
    return [each.tolist() for each in batch]


def open_files():
    return len(os.listdir("/proc/self/fd"))


def maps_of(folder):
    """How many files of a folder this process has mapped."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return len({line.split()[-1] for line in lines if str(folder) in line})


@settings(max_examples=60, deadline=None)
@given(
    ranks=st.integers(1, 5), B=st.integers(1, 5), T=st.integers(1, 9), shuffled=st.booleans(),
    version=st.sampled_from([1, 2]), more=st.lists(st.integers(0, 120), min_size=1, max_size=5),
)
def test_every_token_once(tmp_path_factory, dataloader, ranks, B, T, shuffled, version, more):
    """In each of two epochs all ranks together read each token of all samples once, and none
    behind them; each target is the token after its input."""
    folder = tmp_path_factory.mktemp("shards")
    stride = ranks * B * T
    sizes = [stride + 1 + n for n in more]
    starts = counting(folder, sizes, version)
    samples = [(size - 1) // stride for size in sizes]
    wanted = [start + t for start, n in zip(starts, samples, strict=False)
              for t in range(n * stride)]
    loaders = [
        dataloader.DataLoader(f"{folder}/*.bin", B, T, rank, ranks, shuffled)
        for rank in range(ranks)
    ]
    for _ in range(2):
        got = []
        for loader in loaders:
            for _ in range(sum(samples)):
                inputs, targets = next(loader)
                assert targets.tolist() == (inputs + 1).tolist()
                got += inputs.ravel().tolist()
        assert sorted(got) == wanted


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_smallest_shard(tmp_path, dataloader, ranks):
    """ranks * B * T + 1 tokens are enough for one sample of each rank, and one fewer is refused."""
    counting(tmp_path, [ranks * 12 + 1] * 3)
    loaders = [dataloader.DataLoader(f"{tmp_path}/*.bin", 3, 4, r, ranks) for r in range(ranks)]

    assert [loader.shard_num_samples for loader in loaders] == [1] * ranks
    assert [next(loader)[0][0, 0] for loader in loaders] == [rank * 12 for rank in range(ranks)]
    write(tmp_path / "00001.bin", np.arange(ranks * 12))
    with pytest.raises(ValueError, match=r"00001\.bin"):
        dataloader.DataLoader(f"{tmp_path}/*.bin", 3, 4, 0, ranks)


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("sizes", [(4, 4, 4, 4), (5, 1, 3)], ids=str)
def test_resumed_at_every_point(tmp_path, dataloader, ranks, sizes):
    """From every point of two shuffled epochs, for every rank, a fresh loader with the saved state
    goes on as the uninterrupted one does, bit for bit, to the end of the third epoch."""
    counting(tmp_path, [ranks * 6 * n + 4 for n in sizes])
    epoch = sum(sizes)
    for rank in range(ranks):
        made = [dataloader.DataLoader(f"{tmp_path}/*.bin", 2, 3, rank, ranks, True) for _ in "ab"]
        loader, other = made
        states, wanted = [], []
        for _ in range(3 * epoch):
            states.append(json.dumps(loader.state_dict()))
            wanted.append(plain(next(loader)))
        for step in range(2 * epoch + 1):
            other.load_state_dict(json.loads(states[step]))
            assert [plain(next(other)) for _ in range(3 * epoch - step)] == wanted[step:]


def test_resumed_in_another_process(tmp_path, dataloader):
    """A state written as JSON is all that another process needs."""
    counting(tmp_path, [60, 70, 80])
    loader = dataloader.DataLoader(f"{tmp_path}/*.bin", 2, 3, 1, 2, should_shuffle=True)
    for _ in range(8):
        next(loader)
    state = json.dumps(loader.state_dict())
    printed = outside.elsewhere(IN_ANOTHER_PROCESS, f"{tmp_path}/*.bin", state)

    assert json.loads(printed) == [plain(next(loader)) for _ in range(20)]


def test_a_state_is_a_copy(tmp_path, dataloader):
    """Neither saving nor loading shares anything: both loaders and the state go their own ways."""
    counting(tmp_path, [40] * 5)
    one, other = (dataloader.DataLoader(f"{tmp_path}/*.bin", 2, 3, should_shuffle=True)
                  for _ in range(2))
    state = one.state_dict()
    before = json.dumps(state)
    other.load_state_dict(state)
    for _ in range(40):
        next(other)

    assert json.dumps(state) == before
    assert json.dumps(one.state_dict()) == before


@pytest.mark.parametrize("version", [1, 2])
def test_more_than_4_gib(tmp_path, dataloader, version):
    """Tokens on both sides of 2 and of 4 GiB, and the very last ones, are where they should be; the
    file is sparse."""
    B, T, ranks = 4, 1024, 2
    width, stride = DTYPES[version].itemsize, ranks * B * T
    last = (2**31 - 2) // stride - 1
    middle = {size // width // stride + k for size in (2**31, 2**32 - 2**15) for k in (-1, 0)}
    samples = sorted({0, last, *middle} - {n for n in middle if n > last})
    starts = {(n, rank): (n * ranks + rank) * B * T for n in samples for rank in range(ranks)}
    ends = [start + k for start in starts.values() for k in (0, B * T - 1, B * T)]
    path = tmp_path / "large.bin"
    sparse(path, version, {place: place % 60_000 + 1 for place in ends})

    assert path.stat().st_size > 2**32
    for rank in range(ranks):
        with dataloader.DataLoader(str(path), B, T, rank, ranks) as loader:
            assert loader.shard_num_samples == last + 1
            for sample in samples:
                loader.resume(0, sample)
                inputs, targets = next(loader)
                got = inputs[0, 0], inputs[-1, -1], targets[-1, -1]
                start = starts[sample, rank]
                wanted = start, start + B * T - 1, start + B * T
                assert got == tuple(place % 60_000 + 1 for place in wanted)


def test_windows_of_a_large_file(tmp_path, dataloader):
    """Windows are taken from all of a file of more than 4 GiB."""
    words = np.random.RandomState(5).randint(0, 2**32, 200, dtype=np.uint32)
    starts = [int(word) % (2**31 - 1 - 8) for word in words]
    path = tmp_path / "large.bin"
    sparse(path, 1, {start: number for number, start in enumerate(starts, start=1)})
    with contextlib.closing(dataloader.TokenStream(path, seed=5)) as stream:
        got = stream.windows(200, 8)

    assert max(starts) * 2 > 2**32 - 2**27
    assert got[:, 0].tolist() == list(range(1, 201))


def test_ten_thousand_shards(tmp_path, dataloader, few_handles):
    """10,000 shards are found, opened one after the other and read for more than an epoch with 20
    files to spare, and never more than one is mapped."""
    data = header(1, 3)
    for number in range(10_000):
        (tmp_path / f"{number:05}.bin").write_bytes(data + number.to_bytes(2, "little") * 3)
    with dataloader.DataLoader(f"{tmp_path}/*.bin", 1, 2) as loader:
        assert loader.num_tokens == 30_000
        for number in [*range(10_000), 0]:
            assert next(loader)[0].tolist() == [[number, number]]
            if number % 1000 == 0:
                assert maps_of(tmp_path) == 1
    assert maps_of(tmp_path) == 0


def test_nothing_piles_up(tmp_path, dataloader):
    """Over 1,000 batches and 100 resumes neither maps nor files nor memory of Python's grow."""
    counting(tmp_path, [100] * 4)
    with dataloader.DataLoader(f"{tmp_path}/*.bin", 2, 8, should_shuffle=True) as loader:

        def work():
            for _ in range(1000):
                next(loader)
            for n in range(100):
                loader.resume(n % 4, n % 7)

        work()
        gc.collect()
        files = open_files()
        tracemalloc.start()
        try:
            work()
            gc.collect()
            grown, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert open_files() == files
        assert maps_of(tmp_path) == 1
        assert grown < 50_000


def test_maps_are_read_only(tmp_path, dataloader):
    """Nothing that a reader does can damage a shard."""
    path = write(tmp_path / "a.bin", np.arange(9))
    tokens = dataloader.map_tokens(dataloader.read_tokens_header(path))

    assert not tokens.flags.writeable
    assert type(tokens) is np.ndarray


def test_the_whole_file_is_not_read(tmp_path, dataloader):
    """Opening a large shard takes no memory of its size: the map brings in what is looked at."""
    write(tmp_path / "a.bin", np.zeros(20_000_000, dtype=np.uint16))
    tracemalloc.start()
    try:
        with dataloader.DataLoader(f"{tmp_path}/a.bin", 4, 64) as loader:
            next(loader)
            _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_batches_are_no_views_of_the_file(tmp_path, dataloader):
    """Batches and windows may be written into, and outlive their loader and its file."""
    path = write(tmp_path / "a.bin", np.arange(100))
    with dataloader.DataLoader(str(path), 2, 8) as loader:
        loader.load_batch()[0][:] = -1
        inputs, targets = loader.load_batch()
    with contextlib.closing(dataloader.TokenStream(path)) as stream:
        stream.windows(9, 90)[:] = -1
        windows = stream.windows(1, 99)
    os.truncate(path, 0)

    assert maps_of(tmp_path) == 0
    assert inputs.ravel().tolist() == list(range(16))
    assert targets.ravel().tolist() == list(range(1, 17))
    assert windows.ravel().tolist() == list(range(100))


def removed(path):
    path.unlink()


def truncated(path):
    os.truncate(path, path.stat().st_size - 4096)


def emptied(path):
    os.truncate(path, 0)


def replaced(path):
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    status = path.stat()
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def grown(path):
    with path.open("ab") as file:
        file.write(b"\0" * 4096)


def overwritten(path):
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(1024)
        file.write(b"\7\7")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))


@pytest.mark.parametrize(
    ("read", "place"), [(1, 0), (1, 1), (5, 0)], ids=["in use", "in use later", "used before"]
)
@pytest.mark.parametrize(
    "change", [removed, truncated, emptied, replaced, grown, overwritten], ids=lambda c: c.__name__
)
@pytest.mark.parametrize("shuffled", [False, True])
def test_files_that_change(tmp_path, dataloader, change, read, place, shuffled):
    """Whatever happens to a shard, the loader gives no batch of it any more: when its turn comes it
    says so, names it, and goes on saying so; the process is never taken down."""
    counting(tmp_path, [8000] * 3)
    loader = dataloader.DataLoader(f"{tmp_path}/*.bin", 2, 1000, should_shuffle=shuffled)
    number = loader.shard_indices[place]
    for _ in range(read):
        next(loader)
    change(loader.shards[number].path)
    got = []
    with pytest.raises((ValueError, FileNotFoundError), match=f"{number:05}"):
        got.extend(next(loader)[0][0, 0] // 8000 for _ in range(20))
    assert number not in got
    with pytest.raises((ValueError, FileNotFoundError)):
        next(loader)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_headers(tmp_path, dataloader, seed):
    """A header with random bytes in its first twelve, and a file cut or lengthened at random, are
    refused by name unless they happen to be whole."""
    dice = random.Random(seed)
    data = bytearray(header(1, 50) + bytes(100))
    for _ in range(dice.randrange(3)):
        data[dice.randrange(12)] = dice.randrange(256)
    data = data[: dice.choice([len(data), dice.randrange(len(data))])]
    data += bytes(dice.choice([0, 0, 1, 2, 8]))
    path = tmp_path / "damaged.bin"
    path.write_bytes(data)
    magic, version, count = np.frombuffer(bytes(data[:12]).ljust(12, b"\0"), "<i4").tolist()
    whole = (
        magic == 20240520 and version in DTYPES
        and len(data) == 1024 + count * DTYPES[version].itemsize >= 1024
    )
    if whole:
        assert dataloader.read_tokens_header(path).count == count
    else:
        with pytest.raises(ValueError, match=r"damaged\.bin"):
            dataloader.read_tokens_header(path)


def test_golden_orders_regenerate():
    """The orders of golden.json are those that NumPy's generator gives."""
    content = (FIXTURES / "golden.json").read_bytes()

    assert recipe("ch08_dataloader/golden.json")() == content


def test_like_pytorchs_loader(tmp_path, dataloader):
    """Unshuffled, the batches are those of torch.utils.data.DataLoader over the same map."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    ids = np.random.default_rng(8).integers(0, 50257, 5000).astype(np.uint16)
    path = write(tmp_path / "a.bin", ids)
    B, T = 4, 32

    class Windows(torch.utils.data.Dataset):
        def __len__(self):
            return (len(ids) - 1) // T

        def __getitem__(self, n):
            row = ids[n * T : n * T + T + 1].astype(np.int64)
            return torch.from_numpy(row[:-1]), torch.from_numpy(row[1:])

    theirs = torch.utils.data.DataLoader(Windows(), batch_size=B, drop_last=True)
    with dataloader.DataLoader(str(path), B, T) as ours:
        assert len(theirs) == ours.shard_num_samples
        for batch, (inputs, targets) in zip(theirs, ours, strict=False):
            assert plain(batch) == [inputs.tolist(), targets.tolist()]
