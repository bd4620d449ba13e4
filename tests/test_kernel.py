"""``check_tests()`` in a real kernel, and ``llmdata`` meaning the notebook that is open."""

import pytest

from autograder import build
from autograder.course import find
from tests.kernel import Kernel
from tests.toy import make_tested

FUNCTIONS = """
LIMIT = 10

def double(number):
    return min(number + number, 100)

def running(numbers, start=0, *, step=1):
    return [sum(numbers[:n + 1], start) for n in range(0, len(numbers), step)]
"""
TESTS = """
from llmdata import count

def test_double():
    assert [count.double(n) for n in (3, 60)] == [6, 100]
"""
ALL_TESTS = f"""{TESTS}
def test_running():
    assert count.running([1, 2]) == [1, 3]
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = make_tested(tmp_path_factory.mktemp("course"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(folder))
        build.write(find("ch01"))
        build.write(find("ch02"))
    return folder


@pytest.fixture
def kernel(root, tmp_path):
    """A fresh kernel, whose notebook's name says which chapter it is."""
    started = Kernel(tmp_path, root, "ch01_count")
    started.run("from autograder.learn import check_tests")
    yield started
    started.stop()


def test_the_cells_that_ran_are_judged(kernel):
    """On right code, bugs, and what the notebook defines; unsaved, and each cell's latest run."""
    assert kernel.card("check_tests()").startswith(
        "○ Your tests notice 0 of 3 bugs: no tests written yet\n")
    kernel.run(FUNCTIONS)
    kernel.run(TESTS)
    card = kernel.card("check_tests()")
    assert card.startswith("✘ Your tests notice 2 of 3 bugs: not enough bugs noticed yet\n")
    assert [line.split() for line in card.splitlines()[2:4]] == [
        ["double", "■▲", "2", "of", "2"], ["running", "△", "0", "of", "1"]]
    assert "not noticed yet: a | b is no list" in card
    kernel.run(ALL_TESTS)
    assert kernel.card("check_tests()").startswith("✔ Your tests notice 3 of 3 bugs: passed\n")


def test_what_cards_tell_to_call_is_there(kernel, root, tmp_path):
    """A notebook imports what checks, and may call hint() and progress() as well; a name that it
    has is left to it."""
    names = "(hint.__name__, progress.__name__)"
    assert kernel.run(names) == [("execute_result", "('hint', 'progress')")]
    own = Kernel(tmp_path, root, "ch01_count")
    try:
        own.run("hint = 5")
        own.run("from autograder.learn import check")
        assert own.run("hint") == [("execute_result", "5")]
    finally:
        own.stop()


def test_validate_sees_tests_that_are_missing(kernel):
    """nbgrader's Validate button looks for errors alone, so there too few tests are one."""
    kernel.run("import os; os.environ['NBGRADER_VALIDATING'] = '1'")

    assert [kind for kind, _ in kernel.run("check_tests()")] == ["display_data", "error"]


def test_a_wrong_function_of_ones_own_is_told(kernel):
    """The tests pass all the same: they have found the learner's own bug."""
    kernel.run(FUNCTIONS.replace("min(number + number, 100)", "number + number"))
    kernel.run(ALL_TESTS)
    card = kernel.card("check_tests()")
    assert card.startswith("✔ Your tests notice 3 of 3 bugs: passed\n")
    assert "test_double passes on right code and fails on yours: AssertionError" in card


def test_the_module_is_the_notebook(kernel):
    """What the cells define now, functions of other cells included; what they lack is named."""
    kernel.run(FUNCTIONS)
    kernel.run("from llmdata import count")
    assert kernel.run("count.double(4)") == [("execute_result", "8")]
    kernel.run("def double(number):\n    return 7")
    assert kernel.run("count.double(4)") == [("execute_result", "7")]
    assert kernel.run("from llmdata.count import LIMIT\nLIMIT") == [("execute_result", "10")]
    assert kernel.run("count.nothing") == [("error", "AttributeError")]
    assert kernel.run("from llmdata import nothing") == [("error", "ImportError")]


def test_an_earlier_chapter_is_the_learners_export_or_the_courses_own(root, tmp_path):
    """Which of the two, it says; what is exported comes first."""
    kernel = Kernel(tmp_path, root, "ch02_words")
    use = "from llmdata.count import double\ndouble(21)"
    told = "llmdata.count: ch01_count is not exported yet, so this is the course's own\n"
    try:
        kernel.run("from autograder.learn import check")
        assert kernel.run(use) == [("stream", told), ("execute_result", "42")]
        (tmp_path / "work" / "llmdata").mkdir(parents=True)
        (tmp_path / "work" / "llmdata" / "count.py").write_text("def double(n): return 'mine'")
        kernel.run("import sys\ndel sys.modules['llmdata.count'], sys.modules['llmdata']")
        assert kernel.run(use) == [("execute_result", "'mine'")]
    finally:
        kernel.stop()


def test_the_chapter_is_known_by_its_functions(root, tmp_path):
    """Where neither file nor folder is called after it, and before any is defined it is none."""
    kernel = Kernel(tmp_path, root, "Untitled")
    try:
        kernel.run("from autograder.learn import check_tests")
        assert "belongs to no chapter" in kernel.card("check_tests()")
        kernel.run(FUNCTIONS)
        kernel.run(ALL_TESTS)
        assert kernel.card("check_tests()").startswith("✔ Your tests notice 3 of 3 bugs: passed\n")
    finally:
        kernel.stop()


def test_where_bugs_are_not_installed_it_says_so(root, kernel):
    """As in a class's release."""
    bugs = root / "autograder" / "mutants" / "ch01_count.py"
    kept = bugs.read_bytes()
    bugs.unlink()
    try:
        kernel.run(ALL_TESTS)
        assert "planted bugs of ch01_count are not installed here" in kernel.card("check_tests()")
    finally:
        bugs.write_bytes(kept)
