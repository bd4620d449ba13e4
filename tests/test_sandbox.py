"""Learner code in its worker as a hidden test meets it: values, proxies, errors, stops and limits.

Run at every level that this machine offers. Attacks are in tests/hostile.
"""

import contextlib
import copy
import math
import os
import subprocess
import textwrap
import time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder import sandbox
from autograder.sandbox import (
    Box,
    Cell,
    Level,
    Limits,
    Module,
    Problem,
    Proxy,
    host,
    isolation,
    probe,
)

RAND = "llmdata.rand"

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


def module(*sources, name=RAND):
    cells = [Cell(f"cell {number}", textwrap.dedent(s)) for number, s in enumerate(sources, 1)]
    return Module(name, tuple(cells))


@pytest.fixture(scope="module", params=sandbox.available(), ids=str)
def box(request):
    limits = Limits(test_seconds=30.0, total_seconds=600.0, message_bytes=1 << 20)
    with Box([module(STATE)], level=request.param, limits=limits) as made:
        yield made


@pytest.fixture
def worker(box):
    with box.worker() as made:
        yield made


@pytest.fixture
def run(box):
    """Load cells into a fresh worker and call the last one's f()."""
    def call(*sources, **arguments):
        with box.worker([module(*sources)]) as made:
            return made.get(RAND, "f")(**arguments)

    return call


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


@pytest.mark.parametrize("name", ["__class_getitem__", "__array_interface__", "setup_example"])
def test_names_that_libraries_look_for_are_never_asked(worker, name):
    """A learner's object cannot offer itself to NumPy's or Hypothesis's protocols."""
    assert not hasattr(worker.get(RAND, "make")(), name)


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


def test_what_cannot_be_sent_is_the_authors_error(worker):
    """An argument that is not plain is a fault of the test's, no TypeError of the learner's."""
    with pytest.raises(sandbox.GraderFault, match="a Decimal cannot be sent"):
        worker.get(RAND, "echo")(Decimal(1))


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
    ("os.kill(os.getpid(), 11)", sandbox.Crashed, "SIGSEGV"),
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


# Cells and modules

def test_problem_in_a_cell_is_kept_and_the_next_cell_runs(box):
    """Every exception that leaves a cell is named with its cell and line, a syntax error too."""
    cells = ("x = 1\n1 / 0", "def f(:\n    pass", "import sys\nsys.exit(2)", "y = x + 1")
    with box.worker([module(*cells)]) as worker:
        assert worker.problems == (
            Problem(RAND, "cell 1", "ZeroDivisionError", "division by zero", 2),
            Problem(RAND, "cell 2", "SyntaxError", "invalid syntax (cell 2, line 1)", 1),
            Problem(RAND, "cell 3", "SystemExit", "2", 2),
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


# Fresh state, and what is in view

def test_each_worker_starts_afresh(box):
    """Neither names, nor files, nor the states of random generators go from test to test."""
    source = module("""
        import os, random
        import numpy as np
        def f():
            seen = os.listdir()
            open("memo", "w").close()
            return seen, random.random(), np.random.random()
    """)
    results = []
    for _ in range(3):
        with box.worker([source]) as worker:
            results.append(worker.get(RAND, "f")())
    assert [seen for seen, _, _ in results] == [[]] * 3
    assert len({drawn for _, drawn, _ in results}) == len({drawn for _, _, drawn in results}) == 3


def test_printing_and_warning_do_no_harm(run):
    """Output goes nowhere, input is empty, and a warning is no error."""
    assert run("import sys, warnings\nimport numpy as np", """
        def f():
            print("x" * 100_000)
            warnings.warn("careful")
            np.float32(1) / np.float32(0)
            return sys.stdin.read()
    """) == ""


def test_scratch_folder_can_be_used(run):
    """Files can be written, renamed, read and removed; tempfile finds the folder."""
    assert run("import os, tempfile", """
        def f():
            os.makedirs("one/two")
            with open("one/two/x", "w") as file:
                file.write("text")
            os.rename("one/two/x", "y")
            with tempfile.NamedTemporaryFile("w+") as file:
                inside = os.path.dirname(file.name) == os.getcwd()
            text = open("y").read()
            os.remove("y")
            return text, inside, open(os.devnull, "w").write("x")
    """) == ("text", True, 1)


def test_standard_library_works(run):
    """Threads, event loops, compression, SQLite and late imports of NumPy's are all there."""
    imports = "import asyncio, sqlite3, zlib\nimport numpy as np\nfrom concurrent import futures"
    assert run(imports, """
        async def later(): return 1
        def f():
            with futures.ThreadPoolExecutor(2) as pool:
                total = sum(pool.map(abs, [-1, -2]))
            found = sqlite3.connect(":memory:").execute("select 4").fetchone()[0]
            solved = float(np.linalg.solve(np.eye(2), np.ones(2))[0]) + abs(np.fft.fft([1.0])[0])
            return total, asyncio.run(later()), found, solved, len(zlib.compress(b"x")) > 0
    """) == (3, 1, 4, 2.0, True)


@pytest.mark.parametrize("level", sandbox.available())
def test_only_allowed_packages_can_be_imported(level):
    """Without NumPy among them there is no NumPy, and plain values cross all the same."""
    with Box([module("import numpy", "x = [1, 2.5]")], packages=(), level=level) as box:
        with box.worker() as worker:
            assert [problem.kind for problem in worker.problems] == ["ModuleNotFoundError"]
            assert worker.get(RAND, "x") == [1, 2.5]


def test_view_holds_python_and_the_allowed_packages_only(tmp_path):
    """No site-packages folder is in view as a whole, and the base Python's own is masked."""
    view = isolation.build_view(tmp_path, ["numpy"])
    assert {link.name for link in tmp_path.iterdir()} >= {"inside", "numpy"}
    assert not [path for path in view.reads if path.endswith("-packages")]
    base = os.path.dirname(os.path.realpath(os.__file__)) + "/site-packages"
    assert (base in view.masked) == os.path.isdir(base)


def test_environment_holds_only_what_numpy_needs(box, monkeypatch):
    """BLAS runs in one thread, or the zygote could not fork; its tuning is passed on when set."""
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("SECRET", "x")
    with Box([module("import os\nfound = sorted(os.environ)")], level=box.level) as own:
        with own.worker() as worker:
            found = set(worker.get(RAND, "found"))
    found -= {"HOME", "TMPDIR"}  # the scratch folder
    found -= {"PWD", "LC_CTYPE"}  # set by bubblewrap, and by Python
    assert found - {"OPENBLAS_L2_SIZE"} == {"OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE"}


# Limits

@pytest.fixture
def brief(box):
    """A box whose workers have half a second each and two altogether."""
    loop = module("def f():\n    while True: pass", "def g(): return 1")
    limits = Limits(test_seconds=0.5, total_seconds=1.2)
    with Box([loop], level=box.level, limits=limits) as made:
        yield made


def test_time_of_a_test_and_of_all_tests(brief):
    """A call that takes too long ends its worker; when all time is used up there are no more."""
    for _ in range(2):
        with brief.worker() as worker:
            assert worker.get(RAND, "g")() == 1
            with pytest.raises(sandbox.TimedOut, match=r"longer than 0\.5 s"):
                worker.get(RAND, "f")()
    used_up = r"the submission's 1\.2 s are used up"
    with brief.worker() as worker, pytest.raises(sandbox.TimedOut, match=used_up):
        worker.get(RAND, "f")()
    with pytest.raises(sandbox.TimedOut, match=used_up):
        brief.worker()


def test_the_graders_own_time_does_not_count(brief):
    """A test may take its time between calls."""
    with brief.worker() as worker:
        time.sleep(1.3)
        assert worker.get(RAND, "g")() == 1


def test_cell_that_never_ends_is_named(box):
    """The clock runs while cells do."""
    with Box([], level=box.level, limits=Limits(test_seconds=0.3)) as own:
        with pytest.raises(sandbox.TimedOut) as caught:
            own.worker([module("x = 1", "while True: pass")])
    assert caught.value.learner_where == "cell 2"


def nested(depth):
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    "argument", [bytes(2 << 20), nested(100), 1 << 5000], ids=["large", "deep", "wide"]
)
def test_argument_that_cannot_be_sent_stops_the_learner(worker, argument):
    """Made from the learner's own values, it must not become a fault that costs no marks."""
    with pytest.raises(sandbox.OutOfMemory):
        worker.get(RAND, "echo")(argument)


# The sandbox itself

@pytest.mark.parametrize("level", sandbox.available())
def test_sandbox_that_died_is_started_again(level):
    """Killed between tests or during one, the next worker comes from a new sandbox."""
    with Box([module("import time\ndef f(): time.sleep(60)")], level=level) as box:
        with box.worker() as worker:
            kill(box)
            with pytest.raises(sandbox.Crashed, match="whole sandbox down"):
                worker.get(RAND, "f")()
        box.worker().close()
        kill(box)
        box.worker().close()


def kill(box):
    box._host._process.kill()
    box._host._process.wait()


@pytest.mark.parametrize("level", sandbox.available())
def test_close_leaves_nothing(level, tmp_path, monkeypatch):
    """No process and no file remain, and a closed box can be used again."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    box = Box([module("x = 1")], level=level)
    for _ in range(2):
        worker = box.worker()
        process, folder = box._host._process, box._host._folder
        assert Path(folder).parent == tmp_path
        box.close()
        assert process.returncode is not None
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(sandbox.Crashed, match="whole sandbox"):
            worker.get(RAND, "x")
    ended = subprocess.run(["pgrep", "-f", folder], capture_output=True, text=True, check=False)
    assert ended.stdout == ""


def test_package_that_is_not_installed_is_a_fault():
    """The chapter's list is wrong, or the environment; either way no learner pays for it."""
    with Box([], packages=["no_such_package"], level=Level.C) as box:
        with pytest.raises(sandbox.GraderFault, match=r"'no_such_package' .* is not installed"):
            box.start()


def test_sandbox_that_does_not_start_is_a_fault(monkeypatch):
    """What the process said before it ended is in the message."""
    command = ["sh", "-c", "echo the reason >&2; exit 1"]
    monkeypatch.setattr(host, "python_command", lambda: command)
    with Box([], level=Level.C) as box, pytest.raises(sandbox.GraderFault, match="the reason"):
        box.worker()


@pytest.mark.parametrize("level", sandbox.available())
def test_worker_that_cannot_be_confined_is_a_fault(level):
    """A limit that the kernel refuses is reported; the worker never runs with less."""
    with Box([module("x = 1")], level=level, limits=Limits(memory_bytes=1 << 99)) as box:
        with pytest.raises(sandbox.GraderFault, match=f"cannot be confined at level {level}"):
            box.worker()


def test_levels_are_found_by_trying(monkeypatch):
    """Without bubblewrap there is no level A, the next one is taken, and the reason is told."""
    assert sandbox.available()[-1] is Level.C
    assert Box([]).level is sandbox.available()[0]
    probe._try.cache_clear()
    monkeypatch.setenv("PATH", "/nonexistent")
    try:
        assert Level.A not in sandbox.available()
        assert Box([]).level is sandbox.available()[0]
        assert any("bubblewrap (bwrap) is not installed" in line for line in sandbox.explain())
    finally:
        probe._try.cache_clear()


def test_start_does_not_wait():
    """The sandbox gets ready while the grader does something else."""
    with contextlib.closing(Box([module("x = 1")])) as box:
        box.start()
        assert box._host._ready is False
        with box.worker() as worker:
            assert isinstance(worker.get(RAND, "x"), int)
            assert box._host._ready is True


def test_a_proxy_cannot_be_copied(worker):
    """It lives in the learner's process; a copy of it would be a second name for the same thing."""
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(worker.get(RAND, "make")())
    assert isinstance(worker.get(RAND, "make")(), Proxy)
