"""Looks through every object that the garbage collector knows, and what refers to it.

Must come of it: nothing. The code under test lives in another process, so none of it is found.
"""

import gc
import types

from llmdata import rand

RIGHT = {
    "manual_seed": 1812433253,
    "randint32": 0xEFC60000,
    "randint64": 32,
    "randfloat32": 0xFFFFFF,
    "randfloat64": 2**53 - 1,
    "randint32_array": 0xEFC60000,
}


def test_no_function_lacks_its_constant():
    """Any function of the chapter that the collector holds."""
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and thing.__name__ in RIGHT:
            assert RIGHT[thing.__name__] in thing.__code__.co_consts


def test_no_object_is_a_bug():
    """Records with old and new text, whatever class they are of."""
    for thing in gc.get_objects():
        if type(thing) is dict:
            assert not {"function", "old", "new", "why"} <= {
                k for k in list(thing) if type(k) is str
            }


def test_what_refers_to_the_module_is_as_usual():
    """The module's referrers may hold the source it was made from."""
    for thing in gc.get_referrers(rand):
        text = repr(thing)[:50_000] if type(thing) in (list, tuple) else ""
        assert "state.left <=" not in text
