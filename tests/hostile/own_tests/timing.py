"""Times calls, and takes what is far slower or faster than the reference for a bug.

Must come of it: nothing for bugs that answer right. The bands are wide enough for every right
implementation; what leaves them shows in what it answers, too.
"""

import contextlib
import time

from llmdata import rand


def seconds(function, *args):
    """The quickest of three calls."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        with contextlib.suppress(Exception):  # what a bug raises is no matter here
            function(*args)
        times.append(time.perf_counter() - start)
    return min(times)


def test_a_twist_takes_as_long_as_seeding():
    """Both handle 624 words in a loop."""
    state = rand.MT19937State()
    seeding = seconds(rand.manual_seed, state, 137)
    twisting = seconds(rand.next_state, state)

    assert 0.01 < twisting / seeding < 100


def test_many_words_take_longer_than_few():
    """A hundred blocks against none; an array may well be made of single draws."""
    state = rand.MT19937State()
    seconds(rand.manual_seed, state, 137)
    none, many = seconds(rand.randint32_array, state, 0), seconds(rand.randint32_array, state, 6240)

    assert many > none / 10
