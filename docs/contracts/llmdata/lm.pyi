# Built by 'ol build' from solutions/ch12_capstone.py: edit that file instead.

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
import numpy as np
from llmdata.tokenizer import BPETokenizer
from typing import Any

Params: Any

VOCAB_SIZE: int

def split_book(ebook: bytes) -> dict[str, list[str]]:
    """The stories of an e-book by split: I to X, XI, XII."""

def write_tokens(splits: dict[str, list[str]], out: Path) -> BPETokenizer:
    """Train a tokenizer on train, and write it, shards and token files of all splits to `out`."""

def token_file(out: Path, name: str) -> Path:
    """The token file of a split."""

def bits_per_byte(nats_per_token: float, bytes_a_token: float) -> float:
    """A loss in nats a token, as bits a byte of text."""

def unigram_logprobs(ids: np.ndarray, vocab_size: int) -> np.ndarray:
    """The log-probability of each id by its count plus one: float64 of shape (vocab_size,)."""

def bigram_logprobs(ids: np.ndarray, vocab_size: int, strength: float) -> np.ndarray:
    """log p(b | a) at [a, b], leaning on unigram_logprobs: float64, (vocab_size, vocab_size)."""

COMPRESSORS: dict[str, Callable[[bytes], bytes]]

def compressed_bits(name: str, before: bytes, data: bytes) -> float:
    """Bits a byte that COMPRESSORS[name] needs for `data` when it has seen `before`."""

def contexts(inputs: np.ndarray, context: int, pad: int) -> np.ndarray:
    """The last `context` tokens at each place of (B, T) inputs: int64, (B * T, context)."""

def init_params(vocab_size: int, context: int, width: int, hidden: int, seed: int) -> Params:
    """The five arrays of a new model, float32: embed, hidden, hidden_bias, out, out_bias."""

def forward(params: Params, context_ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The hidden layer (N, H) and the logits (N, V) after each context."""

def loss_and_grads(params: Params, context_ids: np.ndarray, targets: np.ndarray) -> tuple[float, Params]:
    """The mean loss in nats of (N,) targets after (N, K) contexts, and its gradients."""

BETA_1: float

BETA_2: float

EPSILON: float

def adam_step(params: Params, grads: Params, means: Params, squares: Params, step: int, rate: float) -> tuple[Params, Params, Params]:
    """New weights, means and squares after step number `step`, which counts from 1."""

def contexts_of(params: Params, inputs: np.ndarray) -> np.ndarray:
    """The contexts of (B, T) inputs that a model wants; padding is the last id."""

def zeros_like(params: Params) -> Params:
    """Zeros in the shapes of a model."""

def train(params: Params, batches: Iterable[tuple[np.ndarray, np.ndarray]], steps: int, rate: float) -> tuple[Params, list[float]]:
    """Weights after so many steps of Adam with a falling rate, and the loss before each step."""

SETTINGS: Any

BATCH: Any

STEPS: int

RATE: float

def train_on(out: Path, seed: int, steps: int=STEPS) -> tuple[Params, list[float]]:
    """Train a new model on the token files of train, shuffled."""

def evaluate(params: Params, ids: np.ndarray, piece: int=1024) -> float:
    """The mean loss in nats of all ids but the first, each after its real context."""

def generate(params: Params, prompt: list[int], n: int, seed: int, temperature: float=0.8, k: int=40) -> list[int]:
    """Up to n ids that follow a prompt, which may be empty; a separator ends it."""

def stream(ids: Iterable[int], tokens: list[bytes]) -> Iterator[str]:
    """The text of some ids, as it becomes complete."""

class SealedSplit:
    """A token file that is opened once; a record beside it remembers."""

    def __init__(self, path: Path, record: Path) -> None:
        """`path` is the token file; `record` is written when it is opened."""

    def open(self, reason: str) -> np.ndarray:
        """The ids, once. Raises RuntimeError ever after; the message has record and reason."""

def datasheet(title: str, sources: dict[str, bytes], splits: dict[str, list[str]], encoded: dict[str, list[list[int]]], tokenizer: bytes) -> dict:
    """What a corpus is, in plain values: sources, hashes, splits, token counts, tokenizer."""

def table(rows: list[dict]) -> str:
    """Rows of equal keys as a Markdown table."""

def datasheet_markdown(sheet: dict) -> str:
    """A datasheet for people."""

def origin() -> str:
    """Whose functions these are, by the provenance of the exported package."""

STRENGTH: int

def baselines(out: Path, splits: dict[str, list[str]]) -> dict[str, float]:
    """Bits a byte on val of all that is no model of yours; train was seen before."""

def write_datasheet(sheet: dict, out: Path) -> None:
    """A datasheet for programs and for people: datasheet.json, datasheet.md."""

def measure_test(measure: Callable[[np.ndarray], float], sealed: 'SealedSplit', record: Path, reason: str) -> dict:
    """Test, once: its number goes into the record, and whoever comes later is told it."""

def run(ebook: Path, out: Path, seed: int=42, steps: int=STEPS, seals: Path | None=None) -> dict:
    """From an e-book to a model, and what came of it."""

def main(arguments: Sequence[str] | None=None) -> None:
    """`python -m llmdata train EBOOK OUT`; `pack` is handed to chapter 7."""
