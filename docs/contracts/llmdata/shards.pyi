# Built by 'ol build' from solutions/ch06_shards.py: edit that file instead.

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

def assign_split(text: str, val_permille: int) -> str:
    """The split of a text, "train" or "val": a function of its bytes and of nothing else."""

def made_up(n: int, words: int=10) -> Iterator[tuple[str, str]]:
    """n documents, one after the other; each text is a number and then so many words."""

SPLITS: Any

SCHEMA: Any

GROUP_ROWS: int

@dataclass(frozen=True)
class ShardFile:
    """What the manifest says of one shard."""
    name: str
    split: str
    rows: int
    bytes: int
    sha256: str

def digest(path: Path) -> str:
    """The SHA-256 of a file, as 64 hexadecimal digits."""

def write_shard(docs: list[tuple[str, str]], folder: Path, split: str, number: int) -> ShardFile:
    """Write one Parquet file, and describe it."""

MANIFEST: str

@dataclass(frozen=True)
class ShardsManifest:
    """What a corpus consists of. The page docs/formats/shards-manifest.md describes its file."""
    val_permille: int
    rows_per_shard: int
    files: tuple[ShardFile, ...]

    def to_json(self) -> dict:
        """The object in the file: version, val_permille, rows_per_shard, files."""

    @classmethod
    def from_json(cls, found: dict) -> 'ShardsManifest':
        """The inverse of to_json. Raises ValueError where it is no manifest of version 1, or one"""

def aside(out: Path) -> Path:
    """Where an old corpus waits while the new one takes its place: a name that nobody chooses."""

def begin(out: Path) -> Path:
    """A new, empty folder beside `out` to write in: out.tmp. What a failed run left there is gone."""

def publish(unfinished: Path, out: Path) -> None:
    """Put a complete folder in the place of `out`. If that fails, the old one is there again."""

def write_shards(docs: Iterable[tuple[str, str]], out: Path, *, val_permille: int, rows_per_shard: int) -> ShardsManifest:
    """Write a corpus into the folder `out`, in one piece or not at all; return its manifest."""

def read_shards(manifest: Path, split: str) -> Iterator[tuple[str, str]]:
    """The documents of one split, (id, text), if the folder is what its manifest says."""
