# Built by 'ol build' from solutions/ch11_sampler.py: edit that file instead.

from dataclasses import dataclass
import numpy as np
from typing import Any

MASK64: Any

MULTIPLIER: int

SAFE: float

LARGE: float

@dataclass(eq=False)
class XorshiftState:
    """The state of one xorshift* generator: an int of 1 ... 2**64 - 1."""
    state: int

def random_u32(state: XorshiftState) -> int:
    """Draw 32 bits: a plain int of 0 ... 2**32 - 1. The new state is a plain int too."""

def random_f32(state: XorshiftState) -> np.float32:
    """Draw a coin: an np.float32 of [0, 1), a multiple of 2**-24. It takes one word."""

def softmax_weights(logits: np.ndarray, n: int) -> np.ndarray:
    """exp of the first n logits: a float32 array of shape (n,), not normalised."""

def sample_softmax(logits: np.ndarray, n: int, coin: float) -> int:
    """The index that the coin chooses among the first n logits, as llm.c chooses it."""

def keep_only(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """A new float32 array: the logits at the indices `kept` as they are, all others -inf."""

def apply_temperature(logits: np.ndarray, temperature: float) -> np.ndarray:
    """The logits divided by the temperature: a new float32 array of the same shape."""

def top_k(logits: np.ndarray, k: int) -> np.ndarray:
    """Keep the k largest logits and set all others to -inf: a new float32 array."""

def top_p(logits: np.ndarray, p: float) -> np.ndarray:
    """Keep the fewest, most likely tokens that reach the probability p, set all others to -inf."""

def sample_softmax_fast(logits: np.ndarray, n: int, coin: float) -> int:
    """The very index that sample_softmax gives, without a Python loop over the weights."""
