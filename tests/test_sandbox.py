"""Learner code in its worker as a hidden test meets it: values, proxies, errors, stops, cells.

Run at every level that this machine offers. Attacks are in test_hostile, limits and isolation in
test_confinement.
"""

import copy
import functools
import math
import signal
import textwrap
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder import sandbox
from autograder.sandbox import Box, Limits, Problem
from tests import boxed
from tests.boxed import PATIENT, RAND, module

STATE = '''
import numpy as np

M = 397
NAMES = ("a", b"b", 1.5, None, True)


class State:
    """Keeps words, and a plain attribute."""

    def __init__(self, seed):
        self.seed, self.left, self.words = seed, 1, np.arange(3, dtype=np.uint32)

    def draw(self, times=1):
        self.left -= times
        return self.left

    def __getitem__(self, place):
        return self.words[place]

    def __setitem__(self, place, word):
        self.words[place] = word

    def __len__(self):
        return 3

    def __iter__(self):
        return iter([State(1), 2])

    def __enter__(self):
        return self.seed, self.left

    def __exit__(self, *error):
        self.left = 0
        return True

    def __eq__(self, other):
        return True

    __hash__ = None


def make(seed=5489):
    return State(seed)


def draw(state, times=1):
    return state.draw(times)


def fill(array, value):
    array[:] = value


def echo(value):
    return value


def count():
    number = 0
    while True:
        yield number
        number += 1


def late():
    yield 1
    raise ValueError("late")
'''


@pytest.fixture(scope="module", params=sandbox.available(), ids=str)
def box(request):
    with Box([module(STATE)], level=request.param, limits=PATIENT) as made:
        yield made


@pytest.fixture
def worker(box):
    with box.worker() as made:
        yield made


@pytest.fixture
def run(box):
    return functools.partial(boxed.run, box)


# Values and proxies

def test_plain_values_cross(worker):
    """A constant is the value itself, of its exact type; a function and a class are proxies."""
    names = worker.get(RAND, "NAMES")
    assert names == ("a", b"b", 1.5, None, True)
    assert names[4] is True
    assert worker.get(RAND, "M") == 397
    assert repr(worker.get(RAND, "make")) == "<function make>"
    assert repr(worker.get(RAND, "State")) == "<class State>"


def test_object_stays_and_is_used_through_its_proxy(worker):
    """Attributes, methods, items and length go to the learner's object, which keeps its state."""
    state = worker.get(RAND, "State")(seed=7)
    assert repr(state) == "<State>"
    assert (state.seed, state.left, len(state), state[2]) == (7, 1, 3, np.uint32(2))
    state.left = 10
    state[2] = 99
    assert state.draw(times=4) == 6
    assert worker.get(RAND, "draw")(state, 2) == 4
    assert state.words.dtype == np.uint32
    assert state.words.tolist() == [0, 1, 99]


def test_with_enters_and_leaves(worker):
    """The learner's object says what the block gets, and cannot hide an error of the test's."""
    state = worker.get(RAND, "State")(seed=7)
    with state as entered:
        assert entered == (7, 1)
    assert state.left == 0
    with pytest.raises(KeyError, match="mine"):
        _raise_within(state)


def _raise_within(manager):
    with manager:
        raise KeyError("mine")


def test_iteration_gives_values_and_proxies(worker):
    """An object is iterated where it lives; its items cross one by one."""
    first, second = worker.get(RAND, "make")()
    assert repr(first) == "<State>"
    assert second == 2


def test_generator_is_taken_step_by_step(worker):
    """A generator may be endless, and an error in it comes when its turn comes."""
    numbers = worker.get(RAND, "count")()
    assert [next(numbers) for _ in range(3)] == [0, 1, 2]
    late = worker.get(RAND, "late")()
    assert next(late) == 1
    with pytest.raises(ValueError, match="late"):
        next(late)
    assert list(late) == []


def test_arguments_arrive_as_they_are(worker):
    """What the grader sends comes back the same, proxies inside containers included."""
    echo, state = worker.get(RAND, "echo"), worker.get(RAND, "make")()
    value = {"a": [1, 2.5, np.float32(3)], (1, 2): {b"x"}, "none": None}
    assert echo(value) == value
    assert echo([state])[0].seed == 5489


def test_array_kept_in_the_worker_is_changed_in_place(worker):
    """put() and fetch() are for functions that fill their argument; a sent array is a copy."""
    fill, sent = worker.get(RAND, "fill"), np.zeros(3, np.float32)
    kept = worker.put(sent)
    fill(kept, 2)
    fill(sent, 2)
    assert worker.fetch(kept).tolist() == [2, 2, 2]
    assert sent.tolist() == [0, 0, 0]


def test_repeat_calls_many_times_in_one_message(worker):
    """Results come in order, from the same object."""
    state = worker.get(RAND, "make")()
    assert worker.repeat(worker.get(RAND, "draw"), 4, state) == [0, -1, -2, -3]


DECISIONS = {
    "==": lambda p: p == 1, "reflected ==": lambda p: 1 == p, "!=": lambda p: p != 1,
    "<": lambda p: p < 1, ">=": lambda p: 1 >= p, "bool": bool, "not": lambda p: not p,
    "in": lambda p: 1 in p, "in a list": lambda p: p in [1], "in a set": lambda p: p in {1},
    "hash": hash, "key": lambda p: {p: 1},
    "int": int, "float": float, "complex": complex, "index": lambda p: [1][p], "round": round,
    "floor": math.floor, "+": lambda p: p + 1, "reflected +": lambda p: 1 + p, "-": lambda p: -p,
    "abs": abs, "divmod": lambda p: divmod(p, 2), "sum": lambda p: sum([p]), "bytes": bytes,
    "array": np.asarray, "array of": lambda p: np.array([p]), "array ==": lambda p: np.ones(3) == p,
    "array +": lambda p: np.ones(3) + p, "ufunc": lambda p: np.equal(p, 1),
    "max": lambda p: max([p, p]), "sorted": lambda p: sorted([1, p]),
    "list ==": lambda p: [p] == [1], "scalar ==": lambda p: np.int8(1) == p,
    "approx": lambda p: p == pytest.approx(1.0), "all": lambda p: all([p]),
    "allclose": lambda p: np.testing.assert_allclose(p, [1]),
    "isinstance": lambda p: isinstance(1, p),
}


@pytest.mark.parametrize("how", DECISIONS)
def test_learners_object_never_decides(worker, how):
    """Comparing, testing, hashing, converting and computing are errors, whatever __eq__ says."""
    with pytest.raises(TypeError):
        DECISIONS[how](worker.get(RAND, "make")())


def test_refusal_says_what_is_wrong(worker):
    """A test's author reads which object it was and what cannot be done with it."""
    sentence = "^<State> is an object of the learner's, .*: it cannot be compared$"
    with pytest.raises(TypeError, match=sentence):
        assert worker.get(RAND, "make")() == 1


@pytest.mark.parametrize("name", ["__array_interface__", "__wrapped__", "setup_example"])
def test_names_that_libraries_look_for_are_never_asked(box, name):
    """A learner's object cannot offer itself to NumPy's, pytest's or Hypothesis's protocols."""
    has_all = "class All:\n    def __getattr__(self, name):\n        return 1\nx = All()"
    with box.worker([module(has_all)]) as worker:
        assert worker.get(RAND, "x").anything == 1
        assert not hasattr(worker.get(RAND, "x"), name)


def test_hypothesis_takes_a_proxy_as_first_argument(worker):
    """A property test draws examples and calls the learner's function for each."""
    seen = []

    @settings(max_examples=25, deadline=None, database=None,
              suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(number=st.integers())
    def check(echo, number):
        seen.append(number)
        assert echo(number) == number

    check(worker.get(RAND, "echo"))
    assert len(seen) == 25


def test_proxy_of_another_worker_is_the_authors_error(box, worker):
    """A handle means something in its own worker only."""
    with box.worker() as other, pytest.raises(sandbox.GraderFault, match="a Proxy cannot be sent"):
        other.get(RAND, "echo")(worker.get(RAND, "make")())


def test_what_cannot_be_sent_fails_the_test(worker):
    """It is no error that a test may expect of a learner's code, and no fault that would leave the
    test out: an object in place of an array is met by a slice in many a test."""
    with pytest.raises(AssertionError, match="a Decimal cannot be sent"):
        worker.get(RAND, "echo")(Decimal(1))
    with pytest.raises(AssertionError, match="a slice cannot be sent"):
        worker.get(RAND, "make")()[-100:]


def test_a_proxy_cannot_be_copied(worker):
    """It lives in the learner's process; a copy of it would be a second name for the same thing."""
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(worker.get(RAND, "make")())



# Errors and stops

@pytest.mark.parametrize(("code", "kind", "message"), [
    ("raise ValueError('no')", ValueError, "no"),
    ("{}['x']", KeyError, "'x'"),
    ("b'\\xff'.decode()", UnicodeDecodeError, "can't decode byte 0xff"),
    ("open('nothing-here')", FileNotFoundError, "nothing-here"),
    ("assert 1 == 2, 'differs'", AssertionError, "differs"),
    ("class Own(IndexError): pass\nraise Own('mine')", IndexError, "mine"),
    ("class Own(Exception): pass\nraise Own('mine')", Exception, "mine"),
    ("raise ExceptionGroup('many', [ValueError()])", Exception, "many"),
    ("raise UserWarning('careful')", UserWarning, "careful"),
    ("next(iter(()))", StopIteration, "^$"),
    ("import nowhere", ModuleNotFoundError, "nowhere"),
    ("f(1)", TypeError, "positional argument"),
    ("def g(): g()\ng()", RecursionError, "recursion"),
])
def test_exception_is_rebuilt_as_the_nearest_builtin(run, code, kind, message):
    """Class and message arrive; pytest.raises works as if the function ran here."""
    with pytest.raises(kind, match=message) as caught:
        run("def f():\n" + textwrap.indent(code, "    "))
    assert type(caught.value).__bases__[1] is kind
    assert isinstance(caught.value, sandbox.LearnerError)


def test_exception_tells_cell_line_and_own_class(run):
    """The place is the innermost line of the learner's, not of a library's."""
    with pytest.raises(IndexError) as caught:
        run("x = 1", "class Own(IndexError): pass\ndef g():\n    raise Own", "def f():\n    g()")
    assert caught.value.learner_where == "cell 2, line 3"
    assert caught.value.learner_class == "Own"


def test_wrong_number_of_arguments_has_no_place(run):
    """No line of the learner's took part in it, so none is blamed."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'extra'") as caught:
        run("def f(): pass", extra=1)
    assert caught.value.learner_where == ""


@pytest.mark.parametrize(("code", "stop", "message"), [
    ("raise NotImplementedError", sandbox.Unwritten, "not written yet"),
    ("bytearray(1 << 40)", sandbox.OutOfMemory, "out of memory"),
    ("np.ones(1 << 40)", sandbox.OutOfMemory, "Unable to allocate"),
    ("return bytes(2 << 20)", sandbox.OutOfMemory, "returned too much"),
    ("raise SystemExit(3)", sandbox.Exited, "raised SystemExit: 3"),
    ("raise KeyboardInterrupt", sandbox.Exited, "raised KeyboardInterrupt"),
    ("class Own(BaseException): pass\nraise Own('x')", sandbox.Exited, "raised Own: x"),
    ("os._exit(5)", sandbox.Exited, "exit code 5"),
    ("os.kill(os.getpid(), 24)", sandbox.TimedOut, "CPU time"),  # SIGXCPU
    ("os.kill(os.getpid(), 11)", sandbox.Crashed, "SIGSEGV"),
    ("[open(str(n), 'w').close() for n in range(10**6)]", sandbox.Crashed, "too many files"),
    ("os.close(3); os.closerange(3, 64); time.sleep(60)", sandbox.Crashed, "closed its connection"),
])
def test_stop_is_no_exception(run, code, stop, message):
    """What gives no answer can never satisfy pytest.raises(Exception)."""
    with pytest.raises(stop, match=message) as caught:
        run("import os, time\nimport numpy as np", "def f():\n" + textwrap.indent(code, "    "))
    assert isinstance(caught.value, sandbox.LearnerStop)
    assert not isinstance(caught.value, Exception)


def test_unwritten_stub_tells_its_place(run):
    """A stub that is still there is named by cell and line."""
    with pytest.raises(sandbox.Unwritten) as caught:
        run("def f():\n    raise NotImplementedError")
    assert caught.value.learner_where == "cell 1, line 2"


def test_missing_name_is_a_stop(worker):
    """What a module does not define is missing, by name."""
    with pytest.raises(sandbox.Missing, match="defines no 'randint32'") as caught:
        worker.get(RAND, "randint32")
    assert caught.value.name == "randint32"
    assert not isinstance(caught.value, Exception)


def test_stopped_worker_stays_stopped(box):
    """After its end every question gets the same answer; a closed worker is the author's error."""
    with box.worker([module("import os\ndef f(): os._exit(1)\ndef g(): return 1")]) as worker:
        f, g = worker.get(RAND, "f"), worker.get(RAND, "g")
        for call in (f, g):
            with pytest.raises(sandbox.Exited):
                call()
    with box.worker() as worker:
        make = worker.get(RAND, "make")
    with pytest.raises(sandbox.GraderFault, match="after it was closed"):
        make()


def nested(depth):
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    "argument", [bytes(2 << 20), nested(100), 1 << 5000], ids=["large", "deep", "wide"]
)
def test_argument_that_cannot_be_sent_stops_the_learner(worker, argument):
    """Made from the learner's own values, it must not become a fault that costs no marks."""
    with pytest.raises(sandbox.OutOfMemory):
        worker.get(RAND, "echo")(argument)


def test_interrupted_call_ends_the_worker(box):
    """A late answer could be taken for the answer to the next question."""
    def interrupt(number, frame):
        raise KeyboardInterrupt

    with box.worker([module("import time\ndef f(): time.sleep(60)")]) as worker:
        f = worker.get(RAND, "f")
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            with pytest.raises(KeyboardInterrupt):
                f()
        finally:
            signal.signal(signal.SIGALRM, before)
        with pytest.raises(sandbox.GraderFault, match="after it was closed"):
            f()


# Cells and modules

def test_problem_in_a_cell_is_kept_and_the_next_cell_runs(box):
    """Every exception that leaves a cell is named with its cell and line, a syntax error too."""
    cells = ("x = 1\n1 / 0", "def f(:\n    pass", "import sys\nsys.exit(2)", "y = x + 1")
    with box.worker([module(*cells)]) as worker:
        assert worker.problems == (
            Problem(RAND, "cell 1", "ZeroDivisionError", "division by zero", 2, "cell 1, line 2"),
            Problem(RAND, "cell 2", "SyntaxError", "invalid syntax (cell 2, line 1)", 1,
                    "cell 2, line 1"),
            Problem(RAND, "cell 3", "SystemExit", "2", 2, "cell 3, line 2"),
        )
        assert worker.get(RAND, "y") == 2


def test_later_worker_is_told_what_an_earlier_one_compiled(box):
    """Bytecode passed on changes nothing: values, problems and places are as at first."""
    future, broken = "from __future__ import annotations", "def g(:"
    source = module(future, broken, "def f(x: unknown = 1): return 1 / 0")
    seen = []
    for _ in range(2):
        with box.worker([source]) as worker, pytest.raises(ZeroDivisionError) as caught:
            worker.get(RAND, "f")()
        seen.append((worker.problems, caught.value.learner_where))
    assert seen[0] == seen[1]
    assert [problem.cell for problem in seen[0][0]] == ["cell 2"]


def test_stop_in_a_cell_names_the_cell(box):
    """A process that ends while it loads never gets to a test; the cell is what is known."""
    with pytest.raises(sandbox.Exited, match="exit code 4") as caught:
        box.worker([module("x = 1", "import os\nos._exit(4)")])
    assert caught.value.learner_where == "cell 2"


def test_future_import_lasts_as_in_a_notebook(run):
    """Annotations of a later cell are not evaluated."""
    assert run("from __future__ import annotations", "def f(x: unknown = 1): return x") == 1


def test_later_module_imports_earlier_ones(box):
    """A chapter's cells import what earlier chapters exported, in every form of import."""
    later = module("import llmdata.rand\nfrom llmdata import rand", "from llmdata.rand import M",
                   "same = rand.M == llmdata.rand.M == M\nname = __name__", name="llmdata.normal")
    with box.worker([module(STATE), later]) as worker:
        assert worker.problems == ()
        assert worker.get("llmdata.normal", "same") is True
        assert worker.get("llmdata.normal", "name") == "llmdata.normal"


def test_module_that_is_not_there_is_named(run):
    """The package is a package, so a wrong name in it is an ordinary missing module."""
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'llmdata\.nowhere'$"):
        run("def f():\n    import llmdata.nowhere")


def test_cells_too_large_to_compile_and_send_stop_the_learner(box):
    """What a worker compiles has to fit into a message like everything else."""
    cells = module("\n".join(f"name_{number} = {number}" for number in range(1_000)))
    with Box([cells], level=box.level, limits=Limits(message_bytes=16_000)) as own:
        with pytest.raises(sandbox.Crashed, match="not the bytecode"):
            own.worker()


def test_dataclasses_pickles_and_type_hints_find_their_module(run):
    """A module is registered before its cells run, which standard library modules rely on."""
    assert run("import dataclasses, pickle, typing", """
        @dataclasses.dataclass
        class Record:
            x: "int"

        def f():
            typing.get_type_hints(Record)
            return pickle.loads(pickle.dumps(Record(3))).x
    """) == 3
