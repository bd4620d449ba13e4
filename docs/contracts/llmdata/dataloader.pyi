# Built by 'ol build' from solutions/ch08_dataloader.py: edit that file instead.

import os
from dataclasses import dataclass
from pathlib import Path
import numpy as np
from llmdata.rand import MT19937State
from typing import Any

MAGIC: int

HEADER_BYTES: int

DTYPES: Any

@dataclass(frozen=True)
class Shard:
    """A file of tokens: its version, how many there are, and a stamp to know the file again by."""
    path: Path
    version: int
    count: int
    stamp: tuple[int, int, int]

def stamp_of(status: os.stat_result) -> tuple[int, int, int]:
    """What no other file, and no changed one, has in common: inode, size, time of last change."""

def read_tokens_header(path: Path) -> Shard:
    """What the header of a file of tokens says, if the file is as long as it says."""

def check_unchanged(shard: Shard) -> None:
    """Make sure that the file of a shard is the one that its header was read from."""

def map_tokens(shard: Shard) -> np.ndarray:
    """The ids of a shard as an array over a read-only memory map of its file."""

class TokenStream:
    """Random windows of one file of tokens."""

    def __init__(self, path: Path, seed: int=42) -> None:
        """Open a file. Raises ValueError where it is no file of tokens."""

    def __len__(self) -> int:
        """How many ids there are."""

    def windows(self, B: int, T: int) -> np.ndarray:
        """B windows of T + 1 ids, int64."""

    def close(self) -> None:
        """Let go of the map; closing twice does no harm."""

def batch_start(sample: int, B: int, T: int, process_rank: int, num_processes: int) -> int:
    """The place in a shard, counted in tokens, where the batch of a rank starts."""

def cut_batch(tokens: np.ndarray, start: int, B: int, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets, int64 of shape (B, T), of the B * T + 1 ids from `start` on."""

def find_shards(pattern: str, least: int) -> list[Shard]:
    """The shards that match a pattern, sorted by name, each with at least so many tokens."""

class ShardLoader:
    """Batches from many shards, in order or shuffled, for one of several processes."""

    def __init__(self, pattern: str, B: int, T: int, process_rank: int=0, num_processes: int=1, should_shuffle: bool=False) -> None:
        """Find and check all shards, and begin the first epoch."""

    def load_shard_(self, shard_index: int) -> int:
        """Open the shard at this place of the order; return how many tokens it has."""

    def prepare_intra_shard_indices_(self) -> None:
        """Draw a fresh permutation of the present shard's samples."""

    def reset(self) -> None:
        """Begin a new epoch, with another order if shuffled."""

    def advance_(self) -> None:
        """Move to the next shard, or to a new epoch after the last."""

    def load_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and targets at the present position. Raises ValueError where there are none."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """The next inputs and targets; they never run out."""

    def resume(self, shard_idx: int, sample_idx: int) -> None:
        """Jump to a position, shuffling nothing. Raises ValueError for one that there is not."""

    def close(self) -> None:
        """Let go of the map; closing twice does no harm."""

LAYOUT: Any

def rng_to_plain(rng: MT19937State) -> dict:
    """A copy of a generator's state, in plain values."""

def rng_from_plain(plain: dict) -> MT19937State:
    """A new generator in the state that was copied. Raises ValueError if that is damaged."""

class DataLoader(ShardLoader):
    """A ShardLoader that can be saved and continued, iterated over, and closed by `with`."""

    def state_dict(self) -> dict:
        """Position, orders, generator and layout, in plain values that nothing changes later."""

    def load_state_dict(self, state: dict) -> None:
        """Go on where `state` was saved. Raises ValueError, with its name, for an entry that does"""

    def __iter__(self) -> 'DataLoader':
        """The loader itself."""

    def __next__(self) -> tuple[np.ndarray, np.ndarray]:
        """The next batch."""

    def __enter__(self) -> 'DataLoader':
        """The loader itself."""

    def __exit__(self, *error: object) -> None:
        """Close it."""
