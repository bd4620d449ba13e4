"""Batches of 32 x 1024 tokens: the chapter's loader beside PyTorch's, nanoGPT's and plain copies.

All read one shard of 100 million tokens that lies in the page cache, and has been read through its
map once. PyTorch's loader is timed in three settings over the same map, and its best one counts: a
row at a time, the rows of a batch at once (``__getitems__``), and two worker processes. Random
windows are cut as nanoGPT does it, with a fresh map for every batch. Two plain copies are those of
inputs and of targets, as int64. Needs ``pip install torch``; without it only the rows beside plain
copies are there.
"""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from measure import Row, alternate, median, seconds_of
from reference import reference

B, T = 32, 1024
TOKENS = 100_000_000
BATCHES = 300
PEER_BATCHES = 60
ROUNDS = 7
FASTER = 5  # than PyTorch's loader, at least
COPIES = 2.5  # times two plain copies, at most
HAS_TORCH = importlib.util.find_spec("torch") is not None


def write_shard(path: Path) -> np.ndarray:
    """A shard of random ids; its tokens as a memory map."""
    header = np.zeros(256, dtype="<i4")
    header[:3] = 20240520, 1, TOKENS
    ids = np.random.default_rng(8).integers(0, 50257, TOKENS, dtype=np.uint16)
    path.write_bytes(header.tobytes() + ids.tobytes())
    tokens = np.asarray(np.memmap(path, "<u2", "r", 1024))
    tokens.sum()  # each page is looked at
    return tokens


def microseconds(take: Callable[[], object], batches: int) -> float:
    """For one batch, over many."""

    def run() -> None:
        for _ in range(batches):
            take()

    return seconds_of(run) / batches * 1e6


def copies(tokens: np.ndarray) -> Callable[[], object]:
    """Two plain copies of one batch, which is int64 already."""
    batch = tokens[: B * T].astype(np.int64)
    inputs, targets = np.empty_like(batch), np.empty_like(batch)

    def take() -> None:
        inputs[:] = batch
        targets[:] = batch

    return take


def endless(loader: Any) -> Iterator[Any]:
    while True:
        yield from loader


def torch_loaders(tokens: np.ndarray, shuffle: bool) -> dict[str, Callable[[], object]]:
    """PyTorch's DataLoader over the same map, in three settings."""
    import torch

    class Rows(torch.utils.data.Dataset):  # type: ignore[misc]  # torch is no dependency
        def __len__(self) -> int:
            return (TOKENS - 1) // T

        def __getitem__(self, n: int) -> Any:
            row = torch.from_numpy(tokens[n * T : n * T + T + 1].astype(np.int64))
            return row[:-1], row[1:]

    class Batches(Rows):
        def __getitems__(self, rows: list[int]) -> Any:
            views = np.lib.stride_tricks.sliding_window_view(tokens, T + 1)[::T]
            block = torch.from_numpy(views[rows].astype(np.int64))
            return block[:, :-1], block[:, 1:]

    def ready(rows: Any, **options: Any) -> Callable[[], object]:
        loader = torch.utils.data.DataLoader(rows, B, shuffle=shuffle, drop_last=True, **options)
        return endless(loader).__next__

    return {
        "rows": ready(Rows()),
        "batches": ready(Batches(), collate_fn=lambda batch: batch),
        "two workers": ready(Rows(), num_workers=2),
    }


def nanogpt(path: Path) -> Callable[[], object]:
    """Random windows with a map made anew for each batch, stacked from tensors."""
    import torch

    def take() -> object:
        data = np.memmap(path, "<u2", "r", 1024)
        starts = torch.randint(len(data) - T, (B,))
        rows = [torch.from_numpy(data[i : i + T].astype(np.int64)) for i in starts]
        nexts = [torch.from_numpy(data[i + 1 : i + 1 + T].astype(np.int64)) for i in starts]
        return torch.stack(rows), torch.stack(nexts)

    return take


@dataclass(frozen=True)
class Peer:
    """What to time ours against, and how many times as long ours may take."""

    what: str
    take: Callable[[], object]
    limit: float
    batches: int = PEER_BATCHES

    def beside(self, name: str, ours: Callable[[], object]) -> Row:
        mine, theirs = alternate(
            lambda: microseconds(ours, BATCHES),
            lambda: microseconds(self.take, self.batches),
            ROUNDS,
        )
        holds = median(mine) <= self.limit * median(theirs)
        limit = f"at most {self.limit:g}"
        return Row(f"{name} / {self.what}", median(mine), median(theirs), limit, holds, "µs")


def batches(loader: Any, name: str, tokens: np.ndarray) -> list[Row]:
    """A loader beside plain copies, and beside the best setting of PyTorch's."""
    for _ in range(loader.shard_num_samples):
        loader.next_batch()
    peer = Peer("two plain copies", copies(tokens), COPIES, BATCHES)
    found = [peer.beside(name, loader.next_batch)]
    if HAS_TORCH:
        settings = torch_loaders(tokens, loader.should_shuffle)
        peers = [
            Peer(f"PyTorch's loader, {setting}", take, 1 / FASTER)
            for setting, take in settings.items()
        ]
        beside = [peer.beside(name, loader.next_batch) for peer in peers]
        found.append(min(beside, key=lambda row: row.peer))
    return found


def rows() -> list[Row]:
    if not HAS_TORCH:
        print("dataloader: PyTorch's loader is left out, the package torch is not here")
    module, found = reference("ch08"), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shard.bin"
        tokens = write_shard(path)
        for shuffled, name in ((False, "a batch in order"), (True, "a shuffled batch")):
            with module.DataLoader(str(path), B, T, should_shuffle=shuffled) as loader:
                found += batches(loader, name, tokens)
        if HAS_TORCH:
            with closing(module.TokenStream(path)) as stream:
                stream.tokens.sum()
                peer = Peer("nanoGPT's", nanogpt(path), 1)
                found.append(peer.beside("random windows", lambda: stream.windows(B, T)))
    return found
