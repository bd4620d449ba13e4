"""What learners hand in: nothing, half, all, right in another way, wrong."""

from __future__ import annotations

from tests.submissions.kit import (
    FLOAT32,
    Notebook,
    all_of,
    answered,
    built,
    case,
    edited,
    written,
)


@case(failed=all_of("not written yet"))
def untouched_release() -> Notebook:
    """A stub raises NotImplementedError, which is a verdict of its own and earns nothing."""
    return built("notebooks")


@case()
def all_correct() -> Notebook:
    """The reference's answers in a learner's notebook earn everything."""
    return answered()


@case()
def solution_notebook() -> Notebook:
    """So does the course's own solution notebook, hidden regions and all."""
    return built("solutions")


@case(failed=dict.fromkeys(
    ("randint64", "randfloat32", "randfloat64", "randint32_array"), "not written yet"))
def half_done() -> Notebook:
    """What is written counts; what is not does not spoil it."""
    return answered("manual_seed", "next_state", "randint32")


@case(failed={"randint64": "wrong value", "randfloat64": "wrong value"}, earned=90,
      mentions=("the value is not the one wanted",))
def wrong_value() -> Notebook:
    """Partial credit: the low half first fails one of two tests, here and in randfloat64, which
    calls it."""
    return edited("randint64", "(high << 32) | low", "(low << 32) | high")


@case()
def other_algorithm() -> Notebook:
    """Any right code counts, not only the reference's."""
    return written("randfloat32", "def randfloat32(state):\n"
                                  "    word = randint32(state) % 16777216\n"
                                  "    return np.ldexp(np.float32(word), -24)\n")


@case()
def prints_and_warnings() -> Notebook:
    """Output and warnings of right code cost nothing, on either stream."""
    return edited("randfloat32", FLOAT32, "import sys, warnings\n"
                  "    print('x' * 10_000)\n    print('careful', file=sys.stderr)\n"
                  f"    warnings.warn('old')\n    {FLOAT32}")
