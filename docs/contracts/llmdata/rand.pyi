# Built by 'ol build' from solutions/ch04_mt19937.py: edit that file instead.

from dataclasses import dataclass
import numpy as np

N: int

M: int

UMASK: int

LMASK: int

DEFAULT_SEED: int

@dataclass(eq=False)
class MT19937State:
    """The state of one Mersenne Twister, with PyTorch's bookkeeping."""
    seed: int
    left: int
    next: int
    state: np.ndarray
    MATRIX_A: np.ndarray

def manual_seed(state: MT19937State, seed: int) -> None:
    """Seed `state`, in place."""

def next_state(state: MT19937State) -> None:
    """Twist all 624 words of `state`, in place, and set the bookmark to the first."""

def randint32(state: MT19937State | None) -> int:
    """Draw the next word of the stream: an int of 0 ... 2**32 - 1; 0 if there is no state."""

def randint64(state: MT19937State | None) -> int:
    """Draw 64 bits, the high half first: an int of 0 ... 2**64 - 1; 0 if there is no state."""

def randfloat32(state: MT19937State | None) -> np.float32:
    """Draw one word and make of its low 24 bits an np.float32 of [0, 1); 0 if there is no state."""

def randfloat64(state: MT19937State | None) -> float:
    """Draw 64 bits and make of the low 53 a float of [0, 1); 0.0 if there is no state."""

def randint32_array(state: MT19937State | None, n: int) -> np.ndarray:
    """The next n words of the stream as a uint32 array of shape (n,); the same as n calls."""
