# Built by 'ol build' from solutions/ch10_vocab.py: edit that file instead.

from pathlib import Path
from typing import Any

MAGIC: int

HEADER_WORDS: int

LONGEST: int

V1_TOKENS: int

V1_EOT: int

def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears under its name only when it is whole."""

def write_vocab(path: Path, tokens: list[bytes], eot_token: int, version: int=2) -> None:
    """Write a vocabulary file: header, then each token's length and bytes."""

def parse_vocab(data: bytes) -> tuple[list[bytes], int]:
    """The tokens of a vocabulary file, and the id of the one that ends a text."""

class Tokenizer:
    """A table from ids to bytes, which may be missing."""

    def __init__(self) -> None:
        """A tokenizer without a table: init_ok is false, vocab_size 0, eot_token None."""

    def init(self, path: Path) -> None:
        """Read the table from a vocabulary file; without one that opens, have none."""

    def decode(self, token_id: int) -> bytes | None:
        """The bytes of an id; None if there is no such id, or no table."""

    def free(self) -> None:
        """Let go of the table and be as new."""

DECODER: Any

class Screen:
    """Standard output for bytes: as they are in a terminal, as text in a notebook."""

    def write(self, data: bytes) -> int:
        """Show some bytes. Returns how many."""

class Recorder:
    """Takes bytes as a screen does, and keeps them all in `data`."""

    def __init__(self) -> None:
        ...

    def write(self, data: bytes) -> int:
        """Keep some bytes. Returns how many."""

def safe_print(piece: bytes | None, out: Recorder | None=None) -> int:
    """Write the bytes of a token, unless it is a single byte that is no text. Returns how many."""
