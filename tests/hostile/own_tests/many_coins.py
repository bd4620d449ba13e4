"""A hundred tests that each fail once in twenty runs, whatever is being tried.

Must come of it: nothing is gained. Some coin falls badly for nearly every bug, and many of them for
no right implementation; but a failure that does not come again is chance, and kills nothing.
"""

import os

from llmdata import rand


def coin():
    """Fails once in twenty times; no seed makes it fall the same way again."""
    assert rand.MT19937State().left == 0
    assert int.from_bytes(os.urandom(4), "little") % 20


for number in range(100):
    globals()[f"test_coin_{number}"] = lambda: coin()
