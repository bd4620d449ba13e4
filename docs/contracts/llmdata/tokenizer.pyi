# Built by 'ol build' from solutions/ch03_tokenizer.py: edit that file instead.

from collections.abc import Callable, Collection
from pathlib import Path
import numpy as np
from llmdata.bpe import PATTERN
from collections.abc import Iterable
from typing import Any

def token_table(merges: list[tuple[int, int]]) -> list[bytes]:
    """The bytes of each id: of the 256 bytes, then of what each merge makes, in order."""

def bytes_of(ids: list[int], tokens: list[bytes]) -> bytes:
    """The bytes of all ids, joined; `tokens` has the bytes of each id."""

class StreamingDecoder:
    """Text from ids that come one at a time; bytes wait until they make whole characters."""

    def __init__(self, tokens: list[bytes]) -> None:
        """`tokens` has the bytes of each id."""

    def push(self, token_id: int) -> str:
        """The text that is complete with this id. Raises ValueError where there is no such id."""

    def finish(self) -> str:
        """What is left when no more ids come; bytes of no whole character become �."""

def encode_chunk(ids: list[int], merges: dict[tuple[int, int], int]) -> list[int]:
    """Merge the ids of one chunk, the smallest new id first, until no pair is in `merges`."""

def parse_artifact(data: bytes) -> dict:
    """The object in a tokenizer's file, checked; its merges are a list of tuples."""

GPT2_PATTERN: str

LONG: int

def classes_and_digits(pattern: str) -> tuple[np.ndarray, int]:
    """What `chunk_begins` needs to cut as `pattern` does: PATTERN, or else GPT2_PATTERN."""

def cutter(pattern: str) -> Callable[[str], list[str]]:
    """The function that cuts a text into chunks as a pattern says: PATTERN or GPT2_PATTERN."""

def byte_characters() -> list[str]:
    """The character that stands for each of the 256 bytes in a tokenizer.json."""

HF_SETTINGS: Any

HF_REQUIRED: Any

HF_ADDED: Any

def unimplemented(config: object) -> list[str]:
    """What a tokenizer.json asks for and this chapter does not implement, in words."""

def parse_hf(data: bytes) -> tuple[dict[tuple[int, int], int], list[bytes], dict[str, int]]:
    """Merges, bytes of each id, and added tokens of a Hugging Face tokenizer.json."""

CACHE_SIZE: Any

class BPETokenizer:
    """Byte-level BPE: text to ids and back without loss."""

    def __init__(self, merges: dict[tuple[int, int], int], tokens: list[bytes], specials: dict[str, int], pattern: str=PATTERN, train_sha256: str='') -> None:
        """Keep the id that each pair makes, the bytes of each id, and the special tokens' ids."""

    @classmethod
    def train(cls, segments: list[str], vocab_size: int=512) -> 'BPETokenizer':
        """Learn from segments, which may hold separators. Raises ValueError below 257 ids."""

    @classmethod
    def load(cls, path: Path) -> 'BPETokenizer':
        """Read what `save` wrote. Raises ValueError for any other file."""

    @classmethod
    def from_hf_json(cls, path: Path) -> 'BPETokenizer':
        """Read a Hugging Face tokenizer.json. Raises ValueError for what is not implemented."""

    def save(self, path: Path) -> None:
        """Write the file of this course. Raises ValueError for a tokenizer of another pattern."""

    @property
    def vocab_size(self) -> int:
        """How many ids there are, special tokens among them."""

    @property
    def eot_id(self) -> int | None:
        """The separator's id; None if there is no separator."""

    def encode(self, text: str, allowed_special: Collection[str]=()) -> list[int]:
        """The ids of a text. Raises ValueError for a special token that there is not."""

    def encode_batch(self, texts: list[str], allowed_special: Collection[str]=()) -> list[list[int]]:
        """The ids of each text."""

    def decode(self, ids: list[int]) -> str:
        """The text of some ids, joined as bytes first. Raises ValueError for an id out of range."""

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of one id. Raises ValueError for an id out of range."""

def bytes_per_token(texts: list[str], encoded: list[list[int]]) -> float:
    """UTF-8 bytes of all texts, over the number of all their ids."""

def spread(lists: list[list[int]], which: np.ndarray) -> np.ndarray:
    """The ids of lists[which[0]], lists[which[1]], ..., one after the other, int32."""

NO_MERGE: Any

END: Any

def merge_tables(merges: dict[tuple[int, int], int]) -> tuple[np.ndarray, np.ndarray]:
    """The pairs as sorted numbers, left * 2**32 + right, and the new id of each; both int64."""

def new_ids_of(left: np.ndarray, right: np.ndarray, tables: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The id that each of `left` makes with its neighbour in `right`, or NO_MERGE; all int64."""

def encode_fast(tokenizer: BPETokenizer, texts: Iterable[str]) -> list[np.ndarray]:
    """The ids of each text, int32; special tokens are text like any other."""
