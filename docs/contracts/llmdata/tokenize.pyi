# Built by 'ol build' from solutions/ch07_tokenize.py: edit that file instead.

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import numpy as np

MAGIC: int

HEADER_INTS: int

MAX_FILE_TOKENS: int

def write_bin(path: Path, ids: Sequence[int], vocab_size: int) -> None:
    """Write ids as one file: a header of 1024 bytes, then 2 bytes an id, or 4 above 65536."""

def read_bin(path: Path) -> tuple[dict[str, int], np.ndarray]:
    """The header (`version`, `tokens`, `vocab_size`) and the ids of a file, as uint16 or uint32."""

def separator_id(tokenizer_json: Path | None, vocab_size: int, doc_sep_id: int | None=None) -> int | None:
    """The id that is written before each document, or None."""

LARGE_BATCH: Any

class ByteTokenizer:
    """The bytes of a text are its ids."""
    vocab_size: int

    def encode_batch(self, texts: list[str]) -> list[np.ndarray]:
        """The ids of each text."""

class InBlocks:
    """A tokenizer of chapter 3 that gives large batches to that chapter's bonus, `encode_fast`."""

    def __init__(self, tokenizer: Any, encode_fast: Callable[[Any, list[str]], list[np.ndarray]]) -> None:
        ...

    def encode_batch(self, texts: list[str]) -> list[Any]:
        """The ids of each text. For a few short ones the tables of `encode_fast` cost too much."""

def sha256_of(path: Path | None) -> str:
    """The SHA-256 of a file in hexadecimal; that of nothing where there is none."""

def load_tokenizer(tokenizer_json: Path | None) -> Any:
    """A tokenizer with `vocab_size` and `encode_batch(texts)`: of bytes, or of a file, which is a"""

def encode_documents(texts: list[str], tokenizer_json: Path | None, doc_sep_id: int | None) -> list[Sequence[int]]:
    """The ids of each text, in order, with the separator (unless it is None) in front."""

def write_split(documents: Iterable[Sequence[int]], folder: Path, split: str, vocab_size: int, max_file_tokens: int=MAX_FILE_TOKENS) -> list[dict]:
    """Write documents as files of whole documents, each of at most max_file_tokens ids."""

@dataclass(frozen=True)
class TokensManifest:
    """What a folder of token files holds, and what it was made from."""
    tokenizer_id: str
    tokenizer_sha256: str
    corpus_manifest_sha256: str
    vocab_size: int
    doc_sep_id: int | None
    max_file_tokens: int
    val_bytes_per_token: float | None
    files: list[dict]

    def to_json(self) -> dict:
        """A plain dict, as `_MANIFEST.json` has it."""

def replace_folder(new: Path, out: Path) -> None:
    """Put the folder `new` in the place of `out` in one step, and delete what was there."""

@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Be the only one who writes `out` and what belongs to it."""

BATCH_CHARACTERS: Any

AHEAD: int

def batches(documents: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """The texts of documents (id, text), in order, as lists of about BATCH_CHARACTERS."""

def in_order(function: Callable[[Any], Any], items: Iterable[Any], executor: Executor | None) -> Iterator[tuple[Any, Any]]:
    """Each item and what the function makes of it, in the order of the items. An executor has up"""

def workers_pool(workers: int, executor: Executor | None) -> contextlib.AbstractContextManager[Executor | None]:
    """The executor itself; without one, as many processes as wanted; None where one does it all."""

def tokenize_shards(manifest: Path, tokenizer_json: Path | None, out: Path, *, tokenizer_id: str, doc_sep_id: int | None=None, max_file_tokens: int=MAX_FILE_TOKENS, workers: int=1, executor: Executor | None=None) -> TokensManifest:
    """Write a corpus of shards as token files with a `_MANIFEST.json`, whole or not at all."""

def main(arguments: Sequence[str] | None=None) -> None:
    """`python -m llmdata pack CORPUS OUT`. Exit code 2, and a sentence, where it cannot be done."""
