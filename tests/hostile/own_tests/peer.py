"""Asks the process that runs the code under test for more than calls, through the stand-ins' own
connection.

Must come of it: nothing. The other side refuses what leads to code, whoever asks, and goes on
answering.
"""

import contextlib
import gc

import pytest

from llmdata import rand

CONSTANTS = {
    "manual_seed": 1812433253,
    "randint32": 0xEFC60000,
    "randint64": 32,
    "randfloat32": 0xFFFFFF,
    "randfloat64": 2**53 - 1,
}
HIDDEN = (
    "__code__", "__globals__", "__dict__", "__closure__", "__class__", "__getattribute__",
    "__module__", "__defaults__", "__builtins__", "__reduce_ex__", "co_consts", "f_back",
)  # fmt: skip


def find_peers():
    """Objects that can ask: the stand-ins' own, and whatever else has such a method."""
    known = [vars(rand).get("_peer"), getattr(type(rand.randint32), "_peer", None)]
    known += [thing for thing in gc.get_objects() if type(thing).__name__ == "Peer"]
    return [peer for peer in known if hasattr(peer, "ask")][:3]


PEERS = find_peers()


def answers(operation, *arguments):
    """All that any peer answers to a request."""
    for peer in PEERS:
        try:
            yield peer.ask(operation, *arguments)
        except Exception:
            continue


@pytest.mark.parametrize("name", CONSTANTS)
def test_no_hidden_attribute_differs(name):
    """Asks for each hidden attribute, and for the constants in what comes back."""
    function = getattr(rand, name)
    for hidden in HIDDEN:
        for value in answers("attribute", function, hidden):
            for constants in answers("attribute", value, "co_consts"):
                assert CONSTANTS[name] in constants
            assert "mutant" not in repr(value)


@pytest.mark.parametrize("name", ["__builtins__", "__spec__", "__file__", "__name__", "vars", "np"])
def test_no_global_leads_further(name):
    """Asks for globals of the module, and for what hangs on them."""
    for value in answers("get", "llmdata.rand", name):
        assert "mutant" not in repr(value)
        for inner in ("__loader__", "sys", "os", "__dict__", "_getframe"):
            for found in answers("attribute", value, inner):
                assert "mutant" not in repr(found)


@pytest.mark.parametrize(
    "operation", ["run_cells", "eval", "source", "repeat", "drop", "", 7, None]
)
def test_no_other_request_is_answered(operation):
    """Requests that the other side was never meant to know; it goes on answering others."""
    list(answers(operation, rand.randint32, "__code__"))

    with contextlib.suppress(Exception):  # a bug may raise; a peer that is gone raises no Exception
        rand.randint32(rand.MT19937State())
