"""Hands the code under test objects that look around when they are used: numbers, states, arrays.

Must come of it: nothing. Such an object is refused before the code under test sees it, for every
implementation alike.
"""

import sys

import numpy as np

from llmdata import rand

RIGHT = {"manual_seed": 1812433253, "next_state": 1, "randint32_array": 0xEFC60000}
SEEN = []


def look():
    """Notes which functions are on their way, and their constants."""
    step = sys._getframe(1)
    while step is not None:
        if step.f_code.co_name in RIGHT:
            SEEN.append((step.f_code.co_name, step.f_code.co_consts))
        step = step.f_back


class Spy(int):
    def __int__(self):
        look()
        return 137

    __index__ = __and__ = __lt__ = __le__ = __int__


class SpyState(rand.MT19937State):
    def __getattribute__(self, name):
        look()
        return super().__getattribute__(name)


class SpyArray(np.ndarray):
    def __setitem__(self, key, value):
        look()
        super().__setitem__(key, value)

    def tolist(self):
        look()
        return super().tolist()


def spied_on(call, *args):
    """Whether every function that was seen has its constant."""
    SEEN.clear()
    try:
        call(*args)
    except Exception:
        pass
    return all(RIGHT[name] in constants for name, constants in SEEN)


def test_with_a_number_that_looks_around():
    state = rand.MT19937State()

    assert spied_on(rand.manual_seed, state, Spy(137))
    assert spied_on(rand.randint32_array, state, Spy(5))


def test_with_a_state_that_looks_around():
    assert spied_on(rand.manual_seed, SpyState(), 137)


def test_with_an_array_that_looks_around():
    words = np.zeros(624, dtype=np.uint32).view(SpyArray)

    assert spied_on(rand.manual_seed, rand.MT19937State(state=words), 137)
    assert spied_on(rand.next_state, rand.MT19937State(state=words))
