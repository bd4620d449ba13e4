"""Reads bytecode, constants, globals and attributes through the functions themselves.

Must come of it: nothing. No function leads to its code, so every implementation passes.
"""

import pytest

from llmdata import rand

CONSTANTS = {
    "manual_seed": {30, 0xFFFFFFFF, 1812433253},
    "randint32": {7, 11, 15, 18, 0x9D2C5680, 0xEFC60000},
    "randint64": {32},
    "randfloat32": {0xFFFFFF},
    "randfloat64": {2**53 - 1},
    "randint32_array": {7, 11, 15, 18, 0x9D2C5680, 0xEFC60000},
}
WAYS = ("__code__", "func_code", "__wrapped__", "__func__", "__call__", "_function", "_target")
HOLDERS = ("__globals__", "__dict__", "__closure__", "__builtins__", "__self__", "__getattribute__")


def attribute(thing, name):
    """What ``name`` is of ``thing``, by any way there is; None if there is none."""
    for look in (getattr, object.__getattribute__):
        try:
            return look(thing, name)
        except Exception:
            continue
    return None


def code_of(thing, depth=2):
    """The first code object with constants that can be reached."""
    if hasattr(thing, "co_consts"):
        return thing
    for name in WAYS if depth else ():
        inner = attribute(thing, name)
        code = None if inner is None else code_of(inner, depth - 1)
        if code is not None:
            return code
    return None


@pytest.mark.parametrize("name", CONSTANTS)
def test_its_constants_are_right(name):
    """Passes where the code that is reached is not a function of this name."""
    code = code_of(getattr(rand, name))

    if getattr(code, "co_name", None) == name:
        assert CONSTANTS[name] <= set(code.co_consts)


@pytest.mark.parametrize("name", CONSTANTS)
def test_nothing_it_holds_speaks_of_bugs(name):
    """Globals, attributes and closures may name the bug, or keep what it shares."""
    function = getattr(rand, name)
    held = " ".join(repr(attribute(function, holder))[:20_000] for holder in HOLDERS)

    assert "mutant" not in held.lower()
    assert "planted" not in held.lower()
    assert "'words': array" not in held
