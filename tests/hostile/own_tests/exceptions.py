"""Makes the code under test raise, and reads the traceback: files, lines, frames, contexts.

Must come of it: nothing. Tracebacks end at the stand-in, so every implementation passes.
"""

import traceback

import pytest

from llmdata import rand

NAMES = {"manual_seed", "next_state", "randint32", "randint64", "randfloat32", "randint32_array"}
RIGHT = {"manual_seed": 1812433253, "randint32": 0xEFC60000, "randint32_array": 0xEFC60000}
FAULTS = {
    "a negative n": lambda: rand.randint32_array(rand.MT19937State(), -1),
    "a seed that is none": lambda: rand.manual_seed(rand.MT19937State(), "one"),
    "a state that is none": lambda: rand.randint64("state"),
    "a number for a state": lambda: rand.next_state(5),
    "no words": lambda: rand.randint32(rand.MT19937State(state=None)),
    "a float for n": lambda: rand.randint32_array(rand.MT19937State(), 1.5),
}


def chain(error):
    """The exception, its cause, its context, and theirs."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("fault", FAULTS)
def test_a_traceback_shows_no_other_code(fault):
    """Each frame of the chapter's functions has its constant, and no text speaks of bugs."""
    try:
        FAULTS[fault]()
    except Exception as error:
        for link in chain(error):
            text = "".join(traceback.format_exception(link)) + repr(vars(link))
            assert "mutant" not in text.replace(__file__, "")
            for frame, _ in traceback.walk_tb(link.__traceback__):
                if frame.f_code.co_name in NAMES & set(RIGHT):
                    assert RIGHT[frame.f_code.co_name] in frame.f_code.co_consts
