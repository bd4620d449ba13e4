"""What learners hand in: nothing, half, all, right in another way, wrong."""

from __future__ import annotations

from tests.submissions.kit import (
    FLOAT32,
    Notebook,
    all_of,
    answered,
    built,
    case,
    cell_of,
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


@case(own_tests=("passed", 20))
def solution_notebook() -> Notebook:
    """So does the course's own solution notebook, hidden regions and all."""
    return built("solutions")


@case(failed=dict.fromkeys(
    ("randint64", "randfloat32", "randfloat64", "randint32_array"), "not written yet"))
def half_done() -> Notebook:
    """What is written counts; what is not does not spoil it."""
    return answered("manual_seed", "next_state", "randint32")


@case(failed={"randint64": "wrong value", "randfloat64": "wrong value"}, earned=72,
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


@case(own_tests=("rejects right code", 0),
      mentions=("test_helper rejects the reference: AttributeError: the module has no '_temper'",
                "cell 24 (own), line 4"))
def own_tests_that_reject_right_code() -> Notebook:
    """A test of something that the chapter does not promise earns nothing, and is named."""
    return with_tests("from llmdata import rand\n\ndef test_helper():\n    assert rand._temper(1)")


@case(mentions=("cell 5 (solve-next_state) defines next_state, so its test_twist is left out",))
def own_tests_in_an_answers_cell() -> Notebook:
    """A test has to be tried on other code than that of its own cell."""
    notebook = answered()
    cell_of(notebook, "next_state")["source"] += "\n\ndef test_twist():\n    pass\n"
    return notebook


def with_tests(source: str) -> Notebook:
    """All answers, and a cell with tests at the end."""
    notebook = answered()
    notebook["cells"].append({
        "cell_type": "code", "id": "own", "metadata": {}, "outputs": [], "execution_count": None,
        "source": source,
    })
    return notebook
