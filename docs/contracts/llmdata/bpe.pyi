# Built by 'ol build' from solutions/ch02_bpe.py: edit that file instead.

import re
import numpy as np
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

PATTERN: str

EOT: str

def pretokenize(text: str) -> list[str]:
    """Cut `text` into chunks, in order; joined, they are `text` again."""

def count_chunks(segments: list[str]) -> dict[str, int]:
    """How often each chunk occurs in the segments, which are cut at each EOT first."""

def count_pairs(table: list[tuple[list[int], int]]) -> dict[tuple[int, int], int]:
    """How often each pair of neighbours occurs in a table of chunks with their counts."""

def merge(ids: list[int], pair: tuple[int, int], new_id: int) -> list[int]:
    """A copy of `ids` in which `new_id` stands for each `pair`, taken from the left."""

def train_bpe(segments: list[str], n_merges: int) -> list[tuple[int, int]]:
    """Learn up to `n_merges` merges from the segments: the pair that becomes 256, then 257, ..."""

MARK: str

BLOCK: Any

BLOCK_EDGE: Any

def blocks(texts: Iterable[str]) -> Iterator[str]:
    """The texts, each after a MARK, in blocks of about BLOCK characters that cut no chunk."""

ENDING: Any

@functools.cache
def character_classes(letters: str, numbers: str, find: Callable=re.finditer) -> np.ndarray:
    """The class of each character by its number, uint8."""

def chunk_begins(block: str, classes: np.ndarray, digits: int) -> tuple[np.ndarray, np.ndarray]:
    """The number of each character, and at which of them a chunk begins; the end as the last one."""

def chunk_starts(block: str, classes: np.ndarray, digits: int) -> tuple[bytes, np.ndarray, np.ndarray]:
    """The bytes of a block, at which of them a chunk begins, and at which character of the block."""

LOW_BYTES: Any

ODD: Any

SLOT_BITS: int

def leaders(data: bytes, starts: np.ndarray) -> np.ndarray:
    """For each chunk, the number of one that is equal, int64."""

def count_chunks_fast(segments: list[str]) -> dict[str, int]:
    """How often each chunk occurs in the segments, which are cut at each EOT first."""
