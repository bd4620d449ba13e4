"""Asks the module and its functions for names, files, specs, loaders and representations.

Must come of it: nothing. All implementations go by the same names, which name no bug.
"""

import sys

import pytest

from llmdata import rand

FUNCTIONS = (
    "manual_seed", "next_state", "randint32", "randint64", "randfloat32", "randfloat64",
    "randint32_array",
)  # fmt: skip
NAMES = (
    "__name__", "__qualname__", "__module__", "__file__", "__cached__", "__spec__", "__loader__",
    "__path__", "__doc__", "__package__", "__annotations__", "__defaults__", "__kwdefaults__",
    "__class__", "__dict__", "__text_signature__", "__type_params__", "__mutant__", "bug",
)  # fmt: skip
WORDS = ("mutant", "planted", "variant", "left_is_", "numpy_integer", "one_word")


def shown(thing):
    texts = [repr(thing), str(thing)]
    for name in NAMES:
        try:
            texts.append(repr(getattr(thing, name))[:20_000])
        except Exception:
            continue
    return " ".join(texts)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_called_as_usual(name):
    """What a function says of itself."""
    text = shown(getattr(rand, name))

    assert not any(word in text for word in WORDS)
    assert "'words': array" not in text


def test_the_module_is_called_as_usual():
    """What the module and its class say of themselves."""
    assert not any(word in shown(rand) + shown(rand.MT19937State) for word in WORDS)


def test_no_other_module_is_there():
    """What else was imported."""
    names = [name for name in list(sys.modules) if name.startswith(("llmdata", "autograder"))]

    assert not any("mutant" in name or "planted" in name for name in names)
