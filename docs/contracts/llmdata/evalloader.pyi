# Built by 'ol build' from solutions/ch09_evalloader.py: edit that file instead.

from dataclasses import dataclass
from pathlib import Path
import numpy as np

MAGIC: int

START: int

COMPLETIONS: int

LARGEST: int

@dataclass(frozen=True)
class Example:
    """A question: ids of its context, ids of four completions, and which of them is right."""
    context: list[int]
    completions: list[list[int]]
    label: int

def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears under its name only when it is whole."""

def pack_example(example: Example, index: int) -> np.ndarray:
    """The words of an example, uint16: start, bytes, index, label, 4, context, completions."""

def write_evalfile(path: Path, examples: list[Example]) -> None:
    """Write a file of examples for llm.c's EvalLoader, and for yours."""

def unpack_example(words: list[int]) -> Example:
    """The example that some words are."""

def parse_evalfile(data: bytes) -> list[Example]:
    """The examples of a file."""

def render_example(example: Example, T: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, targets (both int64) and mask (bool) of an example, of shape (4, T)."""

def count_correct(losses: np.ndarray, mask: np.ndarray, label: np.ndarray) -> int:
    """How many examples have their lowest mean masked loss at their label."""

def examples_of_rank(num_examples: int, process_rank: int, num_processes: int) -> tuple[int, int]:
    """Start and end (exclusive) of the examples that a rank takes; the last ranks may get fewer."""

class EvalLoader:
    """Batches of multiple-choice examples, for one of several processes."""

    def __init__(self, path: Path, B: int, T: int, process_rank: int=0, num_processes: int=1) -> None:
        """Read and check the file, and go to this rank's first example. Raises ValueError."""

    def reset(self) -> None:
        """Go to the first example of this rank. Raises ValueError if closed."""

    def next_example_(self, example_batch_index: int) -> None:
        """Put the next example into a place of the batch. Raises ValueError if there is none."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and targets of the next batch, which is empty when no example is left."""

    def stat_losses(self, losses: np.ndarray) -> int:
        """How many examples of the present batch are right, by their losses of shape (B, T)."""

    def close(self) -> None:
        """Let go of the examples; closing twice does no harm."""
