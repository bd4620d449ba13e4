"""Learners' tests judged by right code and planted bugs: on a small chapter for the rules, on ch04
for suites as people write them, and for attacks."""

import textwrap
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from autograder import build, mutate
from autograder.contract import reference_module
from autograder.course import find
from autograder.grade import grade_reference
from autograder.memory import Memory
from autograder.mutate import judge
from autograder.onstubs import run_on_stubs
from autograder.owntests import from_text, reference_tests
from autograder.sandbox import Box, Cell, GraderFault, Module
from tests.toy import make_tested

SUITES = Path(__file__).parent / "owntests"
SNIFFERS = Path(__file__).parent / "hostile" / "own_tests"
OWN_TESTS = '''
# %% tests="own_tests"
from llmdata import count


def test_double():
    # TODO (ch01_count): write tests.
    ### BEGIN SOLUTION
    assert count.double(60) == 100
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS
'''
GOOD = """
def test_double():
    assert [count.double(n) for n in (3, 60)] == [6, 100]

def test_running():
    assert count.running([1, 2]) == [1, 3]
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """``ch01_count``, built, with a place for tests."""
    source = make_tested(tmp_path) / "solutions" / "ch01_count.py"
    source.write_text(source.read_text() + OWN_TESTS)
    monkeypatch.setenv("OL_ROOT", str(tmp_path))
    chapter = find("ch01")
    build.write(chapter)
    return chapter


def written(text):
    return from_text(f"from llmdata import count\n{textwrap.dedent(text)}", "own.py")


def noticed(judged):
    return {bug.name: bug.killed_by for bug in judged.bugs if bug.killed_by}


def test_good_tests_pass(toy):
    """Each bug with the test that notices it, named and explained once it is noticed."""
    judged = judge(toy, written(GOOD))
    assert judged.passed
    assert noticed(judged) == {
        "squared": "test_double", "unlimited": "test_double", "last_one": "test_running"}
    assert judged.bugs[1].why == "w"


def test_a_bug_that_lives_shows_its_symptom_only(toy):
    """And a pitfall alive is enough not to pass."""
    judged = judge(toy, written("def test_double():\n    assert count.double(3) == 6"))
    assert noticed(judged) == {"squared": "test_double"}
    assert [(bug.name, bug.why, bug.symptom) for bug in judged.alive_pitfalls] == [
        ("", "", "60 gives 120"), ("", "", "a | b is no list")]


@pytest.mark.parametrize(("test", "code", "message"), [
    ("assert False", "the reference", "AssertionError: assert False"),
    ("assert count._cache == {}", "the reference", "AttributeError: the module has no '_cache'"),
    ("assert demo == 1", "the reference",
     "NameError: name 'demo' is not defined; tests are tried alone, so import it or define it"),
    ("assert count.running(numbers=[1], start=1) == [2]",
     "a right implementation (Shifts and builds a new list.)", "TypeError"),
])
def test_a_test_that_rejects_right_code_does_not_count(toy, test, code, message):
    """It is named with the code, and the others count as if it were not there."""
    judged = judge(toy, written(f"{GOOD}\ndef test_strict():\n    {test}"))
    (rejection,) = judged.rejections
    assert (rejection.test, rejection.code) == ("test_strict", code)
    assert rejection.message.startswith(message)
    assert rejection.where == "own.py, line 10"
    assert (judged.killed, judged.passed) == (3, False)


@pytest.mark.parametrize("chance", [
    "random.random() < 0.5", "next(iter(set('abcdefgh'))) in 'abcd'", "time.time_ns() // 1000 % 2",
])
def test_chance_passes_for_nothing(toy, chance):
    """Whether it fails on right code at once or later, nothing is earned by it."""
    judged = judge(toy, written(f"""
        import random, time

        def test_chance():
            assert {chance}
    """))
    assert judged.killed == 0 or judged.rejections or judged.flaky
    assert not judged.passed


def test_many_tests_that_seldom_fail_earn_nothing(toy):
    """Together they would notice any bug; together they fail on right code, too."""
    judged = judge(toy, written("""
        import os, pytest

        @pytest.mark.parametrize("n", range(100))
        def test_chance(n):
            assert os.urandom(1)[0] >= 10
    """))
    assert (judged.killed, judged.tests) == (0, ())
    assert judged.flaky


def test_stubs_and_skipped_tests_neither_help_nor_harm(toy):
    """A test that is not written yet is named."""
    judged = judge(toy, written(f"""
        import pytest
        {textwrap.indent(GOOD, " " * 8)}
        def test_later():
            raise NotImplementedError

        @pytest.mark.skip
        def test_skipped():
            assert False
    """))
    assert judged.passed
    assert judged.unwritten == ("test_later",)
    assert judged.tests == ("test_double", "test_running")


def test_a_loop_is_noticed(toy):
    """A test that never ends on a bug has told it from right code."""
    source = toy.mutants.read_text()
    toy.mutants.write_text(source.replace(
        "MUTANTS = (", "MUTANTS = (\n    Mutant('running', 'loop', 'start += number',"
        " 'while True: pass', 'w'),", 1))
    judged = judge(toy, written(GOOD))
    assert noticed(judged)["loop"] == "test_running"
    assert [bug.timed_out for bug in judged.bugs] == [True, False, False, False]


@pytest.mark.parametrize(("text", "message"), [
    ("def test_a():\n    count.nothing.at.all", "AttributeError"),
    ("from llmdata.count import nothing", "ImportError: cannot import name 'nothing'"),
    ("def test_a(", "SyntaxError"),
    ("import os\nos._exit(0)", "ended their process"),
    ("raise SystemExit", "SystemExit"),
    ("while True:\n    pass", "took too long"),
])
def test_a_file_that_does_not_load_earns_nothing(toy, text, message, monkeypatch):
    """And says why, with the line where there is one."""
    monkeypatch.setattr("autograder.trials.TEST_SECONDS", 0.5)
    judged = judge(toy, written(text))
    assert (judged.killed, judged.passed) == (0, False)
    assert message in judged.rejections[0].message


def test_there_is_an_end_to_it(toy, monkeypatch):
    """Tests that take too long earn nothing for what could not be tried, and hold nobody up."""
    monkeypatch.setattr("autograder.trials.ALL_SECONDS", 0.0)
    judged = judge(toy, written(GOOD))
    assert (judged.killed, judged.passed) == (0, False)
    assert judged.rejections[0].message == "all your tests together take too long"


def test_tests_that_ran_out_of_time_are_not_called_flaky(toy, monkeypatch):
    """Bugs that could not be tried any more live; what right code shows stays true."""
    real = mutate.Judging.bugs

    def late(judging):
        judging.trials._end = 0.0
        return real(judging)

    monkeypatch.setattr(mutate.Judging, "bugs", late)
    judged = judge(toy, written(GOOD))
    assert (judged.killed, judged.flaky) == (0, ())
    assert judged.tests == ("test_double", "test_running")


def test_our_own_fault_costs_nothing(toy, monkeypatch):
    """Where no sandbox can be had, the tests leave the total, and the rest is graded."""
    real, faults = Box.start, []

    def start(box):
        if box._testing:
            faults.append(box)
            raise GraderFault("no room")
        real(box)

    monkeypatch.setattr(Box, "start", start)
    verdict = grade_reference(toy)
    own = verdict.function("own_tests")
    assert faults
    assert verdict.faulty
    assert (own.possible, own.earned, verdict.points) == (0, 0, 100)
    assert own.tests[0].note == "no room"


def test_nothing_written_starts_nothing(toy, monkeypatch):
    """No sandbox is needed to say that there are no tests."""
    monkeypatch.setattr(Box, "start", None)
    judged = judge(toy, from_text("", "own.py"))
    assert (judged.state, len(judged.bugs)) == ("no tests written yet", 3)


def test_the_learners_own_code_is_told_and_decides_nothing(toy):
    """A test that rightly fails on it is good news for the test."""
    mine = Cell("mine", "def running(numbers):\n    return numbers")
    cells = [*reference_module(toy).cells, mine]
    judged = judge(toy, written(GOOD), (Module("llmdata.count", tuple(cells)),))
    assert judged.passed
    (own,) = judged.own
    assert (own.test, own.code) == ("test_running", "your own code")
    assert own.message.startswith("AssertionError: assert [1, 2] == [1, 3]")


def test_red_tests_fail_on_stubs(toy):
    """Those that pass while nothing is written are named."""
    found = run_on_stubs(toy, written(f"{GOOD}\ndef test_limit():\n    assert count.LIMIT == 10"))
    assert (found.passed, found.failed) == (("test_limit",), ("test_double", "test_running"))
    assert not found.all_red
    assert run_on_stubs(toy, written(GOOD)).all_red


def test_what_is_remembered_is_not_run_again(toy, tmp_path, monkeypatch):
    """The same tests and code give the same without a sandbox; other code is run, alone; with
    other packages to import, all is run."""
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    first = judge(toy, written(GOOD), memory=Memory(toy))
    ran = []
    start = Box.tester


    def noted(*args, **named):
        ran.append(args)
        return start(*args, **named)

    monkeypatch.setattr(Box, "tester", noted)
    assert judge(toy, written(GOOD), memory=Memory(toy)) == first
    assert not ran
    judge(toy, written(GOOD), (reference_module(toy),), memory=Memory(toy))
    assert len(ran) == 1
    judge(replace(toy, packages=()), written(GOOD), memory=Memory(toy))
    assert len(ran) > 2


@pytest.mark.parametrize("text", ["", "[]", "{\"a\": 1}", "nonsense"])
def test_a_damaged_memory_is_no_memory(toy, tmp_path, monkeypatch, text):
    """It is written anew, and costs nothing but time."""
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    kept = tmp_path / "work" / ".cache" / "mutate-ch01_count.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(text)
    assert judge(toy, written(GOOD), memory=Memory(toy)).passed
    assert len(kept.read_text()) > 1000


def suite(path):
    return judge(find("ch04"), from_text(path.read_text(encoding="utf-8"), path.name))


def test_the_courses_own_tests_pass():
    """An excellent learner's: every pitfall and nine in ten of the bugs are noticed."""
    judged = judge(find("ch04"), reference_tests(find("ch04")))
    assert judged.passed
    assert judged.share >= Fraction(9, 10)


def test_naive_tests_do_not_pass():
    """One round trip and one length reject no right code, and are told what one would see."""
    judged = suite(SUITES / "ch04_mt19937" / "naive.py")
    assert judged.accepting
    assert not judged.passed
    assert judged.alive_pitfalls
    assert all(bug.symptom for bug in judged.alive_pitfalls)


@pytest.mark.parametrize("name", ["overstrict_helper", "overstrict_order", "always_fails", "flaky"])
def test_suites_that_reject_right_code(name):
    """The flawed tests are named, and the suite does not pass."""
    judged = suite(SUITES / "ch04_mt19937" / f"{name}.py")
    assert judged.rejections or judged.flaky
    assert not judged.passed


@pytest.mark.parametrize("name", sorted(path.stem for path in SNIFFERS.glob("*.py")))
def test_sniffing_earns_nothing(name):
    """Source, bytecode, files, names, frames, memory, clocks and forged messages tell no bug."""
    judged = suite(SNIFFERS / f"{name}.py")
    assert (judged.killed, judged.passed) == (0, False)


def test_right_code_comes_last(monkeypatch):
    """Tests that fail from some run on are found out, wherever chance puts the other decoys."""
    monkeypatch.setattr(mutate, "DECOYS", 0)
    assert suite(SNIFFERS / "counting_runs.py").killed == 0
