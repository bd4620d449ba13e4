"""The pytest plug-in that grades, run on small suites and on subjects made for each test."""

from contextlib import contextmanager

import pytest

from autograder.live import Live
from autograder.plugin import Job
from autograder.sandbox import GraderFault, TimedOut
from autograder.session import run_jobs, run_suite
from autograder.verdict import Outcome, Reason

SUITE = '''
from hypothesis import given
from hypothesis import strategies as st

from autograder.hidden import checks


@checks("double", kind="unit", why="w")
def test_by_hand(double):
    """Twice 21
    is 42."""
    print("testing")
    assert double(21) == 42


@checks("double", kind="property", why="w")
@given(number=st.integers(0, 50))
def test_sum(double, number):
    """double(n) is n + n."""
    assert double(number) == number + number


@checks("half", kind="unit", why="w")
def test_half(half):
    """Half of 2 is 1."""
    assert half(2) == 1
'''


class Failing:
    """A subject that cannot even be opened."""

    def __init__(self, error):
        self.error = error

    @contextmanager
    def open(self):
        raise self.error
        yield


@pytest.fixture
def run(tmp_path):
    def run(subject, suite=SUITE, **settings):
        path = tmp_path / "ch01_suite.py"
        if not path.exists() or path.read_text() != suite:
            path.write_text(suite)
        if callable(subject):
            subject = Live({"double": subject, "half": subject})
        names = frozenset({"double", "half"})
        job = Job(subject, **settings)
        return run_suite(path, job, names=names, refused={}, seed=1, golden=dict)

    return run


def test_a_rule_is_one_line_and_prints_are_kept(run, capsys):
    """Docstring and prints come with each result; nothing reaches the terminal."""
    ran = run(lambda number: 2 * number)

    assert [each.test.outcome for each in ran] == [Outcome.PASSED, Outcome.PASSED, Outcome.FAILED]
    assert ran[0].test.rule == "Twice 21 is 42."
    assert ran[0].printed == "testing"
    assert capsys.readouterr() == ("", "")


def test_given_is_the_smallest_example_alone(run):
    """Hypothesis tries many inputs in one test; the failure shows the calls of the last."""
    _, test, _ = run(lambda number: 0 if number > 9 and number != 21 else 2 * number)

    assert test.test.failure.given == "double(10)"
    assert (test.test.failure.wanted, test.test.failure.got) == ("20", "0")


def test_of_two_ways_to_fail_one_is_told(run):
    """Where some inputs give a wrong value and others an error, the failure is one of them."""
    def double(number):
        return 42 if number == 21 else 0 if number < 30 else number / 0

    _, test, _ = run(double)

    assert (test.test.failure.reason, test.test.failure.given) in [
        (Reason.WRONG, "double(1)"), (Reason.ERROR, "double(30)"),
    ]


@pytest.mark.parametrize(("error", "outcome", "reason"), [
    (TimedOut("all used up"), Outcome.FAILED, Reason.TIMEOUT),
    (GraderFault("no sandbox"), Outcome.FAULT, None),
])
def test_what_stops_one_test_stops_each_alike(run, error, outcome, reason):
    """Where no worker can be had, no test is a wrong value, and a fault of ours stays one."""
    for each in run(Failing(error)):
        assert each.test.outcome is outcome
        assert (each.test.failure.reason if reason else each.test.failure) is reason


FILLING = '''
import numpy as np

from autograder.hidden import checks


@checks("double", kind="unit", why="w")
def test_filled(double, in_place):
    """Each number is doubled, in the array that is given."""
    numbers = np.array([1, 2], dtype=np.float32)
    assert in_place(double, numbers).tolist() == [2, 4]
    assert numbers.tolist() == [1, 2]
'''


def doubling(numbers):
    numbers *= 2


def growing(numbers):
    numbers.resize(3, refcheck=False)


@pytest.mark.parametrize(("function", "outcome", "got"), [
    (doubling, Outcome.PASSED, None),
    (lambda numbers: 2 * numbers, Outcome.FAILED, "[1.0, 2.0]"),
    (growing, Outcome.FAILED, "'array of shape (3,), dtype float32'"),
])
def test_what_became_of_an_array(run, function, outcome, got):
    """in_place gives what a call made of a copy, and fails where that has another form."""
    (each,) = run(function, FILLING)

    assert each.test.outcome is outcome
    assert (each.test.failure and each.test.failure.got) == got


def test_only_one_functions_tests_run(run):
    """With ``only``, the others are not even collected."""
    assert [each.test.name for each in run(lambda number: 1, only="half")] == ["test_half"]


def test_a_function_without_a_constant_answer(run):
    """The same calls with other results are said to be that, not a fault of ours."""
    calls = []

    def double(number):
        calls.append(number)
        return 2 * number if len(calls) % 7 else 1

    _, test, _ = run(double)

    assert test.test.failure.reason is Reason.WRONG
    assert "do not always give the same" in test.test.failure.message


def test_only_the_learners_code_is_stopped(run, monkeypatch):
    """Time that Hypothesis or a test takes is not held against a function."""
    monkeypatch.setattr(Live, "seconds", 0.01)
    slow = "st.integers(0, 50).map(lambda number: time.sleep(0.03) or number)"
    suite = "import time\n" + SUITE.replace("st.integers(0, 50)", slow).replace(
        "@given", "@settings(max_examples=8)\n@given"
    ).replace("import given", "import given, settings")

    assert [each.test.outcome for each in run(lambda number: 2 * number, suite, only="double")] == [
        Outcome.PASSED, Outcome.PASSED,
    ]


@pytest.mark.parametrize("package", [True, False])
def test_a_suite_is_imported_once_until_it_changes(run, tmp_path, package):
    """However many runs, one import; after the file was written anew, one more."""
    log = tmp_path / "imports"
    suite = f"{SUITE}\nwith open({str(log)!r}, 'a') as file:\n    file.write('x')\n"
    if package:
        (tmp_path / "__init__.py").touch()
    for number in (1, 1, 2, 2):
        run(lambda number: 2 * number, f"{suite}# version {number}\n")

    assert log.read_text() == "xx"


def test_an_interrupt_is_an_interrupt(run):
    """Ctrl-C in a test is not taken for a broken suite."""
    def double(number):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(double)


@pytest.mark.parametrize("suite", ["def test_x(:", "import nothing_like_it", "def test_x(): ..."])
def test_a_broken_suite_is_our_fault(run, suite):
    """A suite that is not Python, does not import, or declares no function is an error."""
    with pytest.raises(RuntimeError, match=r"ch01_suite\.py cannot be collected"):
        run(lambda number: 1, suite)


LOOPING = '''
import pytest

from autograder.hidden import checks


@checks("double", kind="unit", why="w")
@pytest.mark.parametrize("number", range(5))
def test_double(double, number):
    """Twice the number."""
    assert double(number) == 2 * number


@checks("half", kind="unit", why="w")
def test_half(half):
    """Half of 2 is 1."""
    assert half(2) == 1
'''


class Slow:
    """A subject whose double takes too long each time; counts how often it was called."""

    calls = 0

    @contextmanager
    def open(self):
        yield self

    def get(self, name):
        return self.double if name == "double" else lambda number: number // 2

    def double(self, number):
        self.calls += 1
        raise TimedOut("took longer than 5 s")


def test_a_function_that_loops_leaves_time_for_the_others(run):
    """After two time-outs of a function its other tests fail unrun; other functions' tests run."""
    slow = Slow()
    ran = run(slow, suite=LOOPING)

    assert [each.test.outcome for each in ran] == [Outcome.FAILED] * 5 + [Outcome.PASSED]
    assert {each.test.failure.reason for each in ran[:5]} == {Reason.TIMEOUT}
    assert slow.calls == 2


def test_one_session_serves_many_subjects(run, tmp_path):
    """Each job has its own tests, in its own order, and ends with the first that fails if it has
    one; nothing of one is left for the next."""
    run(lambda number: 2 * number)  # writes the suite
    right, wrong = ({"double": f, "half": f} for f in (lambda n: 2 * n, lambda n: n))
    told = []

    def jobs():
        for job in (
            Job(Live(right), "double"), Job(Live(wrong), None, lambda name: -len(name)),
            Job(Live(wrong)), Job(Live(right), "double"),
        ):
            told.append([(each.test.name, each.test.outcome) for each in (yield job)])

    names = frozenset({"double", "half"})
    run_jobs(tmp_path / "ch01_suite.py", jobs(), names=names, refused={}, seed=1, golden=dict)
    good = [("test_by_hand", Outcome.PASSED), ("test_sum", Outcome.PASSED)]
    assert told == [
        good,
        [("test_by_hand", Outcome.FAILED)],
        [("test_by_hand", Outcome.FAILED), ("test_sum", Outcome.FAILED),
         ("test_half", Outcome.FAILED)],
        good,
    ]


def test_what_a_job_raises_comes_out(run, tmp_path):
    """A sandbox that does not start is our fault, and never a report of pytest's."""
    run(lambda number: 2 * number)

    def jobs():
        raise GraderFault("no sandbox")
        yield

    with pytest.raises(GraderFault, match="no sandbox"):
        run_jobs(tmp_path / "ch01_suite.py", jobs(), names=frozenset(), refused={}, seed=1,
                 golden=dict)
