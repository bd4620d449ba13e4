# Built by 'ol build' from solutions/ch05_normal.py: edit that file instead.

import numpy as np
from llmdata.rand import MT19937State

def uniform_(data: np.ndarray, from_: float, to: float, state: MT19937State | None) -> None:
    """Fill `data`, a float32 array of shape (n,), with numbers of [from_, to), one word each."""

def normal_fill_16(data: np.ndarray, mean: float, std: float) -> None:
    """Make normal numbers of uniform ones, in place, pairing t with t + 8."""

def normal_fill(data: np.ndarray, mean: float, std: float, state: MT19937State | None) -> None:
    """Fill `data`, a float32 array of shape (n,) with n >= 16, with normal numbers."""

def normal_(data: np.ndarray, mean: float, std: float, state: MT19937State | None) -> None:
    """Fill `data`, a float32 array of shape (n,), with normal numbers as PyTorch does."""

def init_identity_permutation(data: np.ndarray) -> None:
    """Fill `data`, an integer array of shape (n,), with 0 ... n - 1."""

def random_permutation(data: np.ndarray, state: MT19937State | None) -> None:
    """Shuffle `data`, an integer array of shape (n,), in place, with n - 1 words."""
