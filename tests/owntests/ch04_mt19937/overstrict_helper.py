"""Tests of a private helper that the learner's own code has and that the chapter never asks for.

Must come of it: both are rejected, since the reference fails them, and they kill nothing.
"""

import pytest

from llmdata import rand


def test_tempering_by_hand():
    """The helper tempers 4096 to bits 27, 19, 12 and 9."""
    assert rand._temper(4096) == 134746624


def test_a_draw_calls_the_helper(monkeypatch):
    """randint32 tempers through the helper, once a draw."""
    seen = []
    monkeypatch.setattr(rand, "_temper", lambda word: seen.append(word) or 0)
    state = rand.MT19937State()
    rand.manual_seed(state, 137)

    assert rand.randint32(state) == pytest.approx(0)
    assert len(seen) == 1
