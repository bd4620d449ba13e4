"""A learner's tests beside code under test, at every level: what passes between the two processes,
what stays out of reach, and how a run may end. Judging is test_mutate's."""

import functools
import textwrap

import pytest

from autograder import sandbox
from autograder.characters import characters
from autograder.sandbox import Box, Cell, Limits, Module, Outcome, Suite

RAND = "llmdata.rand"
GIVEN = '''
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

N = 3


class Odd(ValueError):
    """An exception of the course's own."""


@dataclass
class State:
    left: int = 0
    words: np.ndarray = field(default_factory=lambda: np.zeros(N, np.uint32))
'''
CODE = '''
_secret = 7


def draw(state):
    """Changes its argument."""
    state.left -= 1
    state.words[0] += 5
    return int(state.words[0])


def renew(state):
    state.words = np.ones(N, np.uint32)


def same(state):
    return state


_shared = np.zeros(N, np.uint32)


def share(state):
    state.words = _shared


def extend(items, *, by=1):
    items.append(by)
    items[0].append(by)


def raise_(what):
    raise {"odd": Odd("too odd"), "key": KeyError("k"), "exit": SystemExit(3)}[what]


def count(n):
    yield from range(n)


def save(path):
    Path(path).write_text("saved")
    return Path(path).with_suffix(".bin")


def total(array, scale=2):
    return array.sum() * scale


def spin():
    while True:
        pass


def leave():
    import os
    os._exit(3)


class Words:
    kind = "words"

    def __init__(self, text):
        self.words = text.split()

    @classmethod
    def of(cls, *words):
        return cls(" ".join(words))

    def longer(self, other):
        return len(self.words) > len(other.words)

    def __len__(self):
        return len(self.words)

    def __eq__(self, other):
        return self.words == other.words

    def __iter__(self):
        return iter(self.words)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.words = []
'''
LIMITS = Limits(test_seconds=20.0, total_seconds=600.0)


def suite(tests, names=()):
    text = "import numpy as np\nimport pytest\nfrom llmdata import rand\n" + textwrap.dedent(tests)
    return Suite(text, ((RAND, (GIVEN,)),), RAND, ("Odd", "State"), tuple(names))


@functools.cache
def _box(level):
    box = Box([], limits=LIMITS, level=level, testing=characters())
    box.start()
    return box


@pytest.fixture(params=sandbox.available(), ids=str, scope="module")
def run(request):
    """Runs tests on code in a box of one level, all or up to the first failure."""

    def run(tests, code=CODE, order=None, seconds=10.0, names=()):
        modules = [Module(RAND, (Cell("given", GIVEN), Cell("code", code)))]
        with _box(request.param).tester(modules, ours=False) as tester:
            tester.prepare(suite(tests, names), order, seconds)
            return tester.run(lambda name: seconds)

    yield run
    _box(request.param).close()
    _box.cache_clear()


def only(ran):
    (test,) = ran.tests
    return test


PASSING = {
    "an argument is changed in place": """
        state = rand.State(left=4)
        words = state.words
        assert rand.draw(state) == 5
        assert (state.left, words.tolist()) == (3, [5, 0, 0])
        assert state.words is words
    """,
    "a field that holds another object": """
        state = rand.State()
        words = state.words
        rand.renew(state)
        assert words.tolist() == [0, 0, 0]
        assert state.words.tolist() == [1, 1, 1]
    """,
    "one object in the fields of two": """
        one, other = rand.State(), rand.State()
        rand.share(one)
        rand.share(other)
        assert one.words is other.words
        rand.draw(one)
        assert other.words.tolist() == [5, 0, 0]
    """,
    "functions say their names, not where they are": """
        assert repr(rand.draw) == str(rand.draw) == "<function draw>"
        assert rand.draw == rand.draw != rand.same
        assert len({rand.draw, rand.draw, rand.same}) == 2
    """,
    "the same object comes back": """
        state = rand.State()
        assert rand.same(state) is state
        assert isinstance(rand.same(state), rand.State)
    """,
    "lists in lists": """
        inner = [1]
        outer = [inner]
        rand.extend(outer, by=2)
        assert outer == [[1, 2], 2]
        assert inner == [1, 2]
    """,
    "an exception of the course's": """
        with pytest.raises(rand.Odd, match="too odd"):
            rand.raise_("odd")
    """,
    "the words of a KeyError": """
        with pytest.raises(KeyError, match="^'k'$"):
            rand.raise_("key")
    """,
    "what is no Exception": """
        with pytest.raises(Exception, match="SystemExit"):
            rand.raise_("exit")
    """,
    "a generator": """
        numbers = rand.count(3)
        assert next(numbers) == 0
        assert list(numbers) == [1, 2]
    """,
    "arrays and names of arguments": """
        got = rand.total(np.array([1, 2], np.int64), scale=3)
        assert type(got) is np.int64
        assert got == 9
    """,
    "a class": """
        two = rand.Words("a b")
        assert isinstance(two, rand.Words)
        assert len(two) == 2 and list(two) == ["a", "b"]
        assert rand.Words.of("a", "b") == two
        assert rand.Words.kind == "words"
        assert two.words == ["a", "b"]
        assert not two.longer(rand.Words("a b"))
    """,
    "an attribute that is set": """
        two = rand.Words("a b")
        two.words = ["c"]
        assert len(two) == 1
    """,
    "a context manager": """
        with rand.Words("a b") as two:
            assert len(two) == 2
        assert len(two) == 0
    """,
    "a constant": "assert rand.N == 3",
    "a private helper of this code": "assert rand._secret == 7",
}


@pytest.mark.parametrize("body", PASSING.values(), ids=PASSING)
def test_code_behaves_as_if_it_were_here(run, body):
    """What a test would see of a module in its own process, it sees of one in another."""
    ran = run(f"def test_it():\n{textwrap.indent(textwrap.dedent(body), '    ')}")
    assert (ran.problem, only(ran).message, only(ran).outcome) == ("", "", Outcome.PASSED)


def test_files_are_shared(run):
    """Paths pass, and both processes see the same files."""
    ran = run("""
        def test_it(tmp_path):
            target = rand.save(tmp_path / "a.txt")
            assert (tmp_path / "a.txt").read_text() == "saved"
            assert target == tmp_path / "a.bin"
    """)
    assert (only(ran).message, only(ran).outcome) == ("", Outcome.PASSED)


OUT_OF_REACH = [
    "rand.draw.__code__",
    "rand.draw.__globals__",
    "rand.draw.__wrapped__",
    "rand.Words.__mro__[0].__dict__['longer']",
    "rand.Words('a').longer.__func__",
    "rand.count(3).gi_frame",
    "rand.count(3).gi_code.co_code",
    "rand.__file__",
    "rand._peer.ask('get', 'llmdata.rand', '__builtins__')",
    "rand._peer.ask('get', 'sys', 'modules')",
    "rand._peer.ask('attribute', rand.draw, '__code__')",
    "rand._peer.ask('attribute', rand.count(3), 'gi_frame')",
    "rand._peer.ask('operate', '__reduce__', rand.draw)",
    "rand._peer.ask('call', rand._peer.ask('get', 'llmdata.rand', 'dataclass'), (), {})",
    "rand._peer.ask('set attribute', rand.draw, '__defaults__', (1,))",
]


@pytest.mark.parametrize("expression", OUT_OF_REACH)
def test_nothing_leads_to_source_or_bytecode(run, expression):
    """Neither through a stand-in nor by asking the other process in its own words."""
    ran = run(f"def test_it():\n    with pytest.raises(Exception):\n        {expression}")
    assert (only(ran).message, only(ran).outcome) == ("", Outcome.PASSED)


def test_a_failure_tells_no_line_of_the_code(run):
    """Else a bug that adds a line could be told by that."""
    ran = run("""
        def test_it():
            try:
                rand.raise_("odd")
            except Exception as error:
                assert not any("code" in str(value) for value in vars(error).values())
                raise
    """)
    assert (only(ran).kind, only(ran).message) == ("Odd", "too odd")


def test_error_within_a_with_is_the_tests(run):
    """It is reported as what it is, and the code under test closes and cannot hide it."""
    ran = run("""
        two = rand.Words("a b")

        def test_it():
            with two:
                raise KeyError("mine")

        def test_later():
            assert len(two) == 0
    """, code=CODE.replace("self.words = []", "self.words = []\n        return True"))
    assert [test.kind for test in ran.tests] == ["KeyError", ""]


def test_what_a_test_makes_cannot_be_handed_over(run):
    """And the message says what can."""
    ran = run("""
        class Mine:
            pass

        def test_it():
            rand.same(Mine())
    """)
    assert only(ran).kind == "TypeError"
    assert "a Mine that a test makes cannot be handed to the code under test" in only(ran).message


def test_each_test_is_told(run):
    """Outcome, exception, message and line of each; a stub's exception has a kind of its own."""
    ran = run("""
        @pytest.mark.parametrize("n", [1, 2])
        def test_right(n):
            assert rand.total(np.ones(n)) == 2 * n

        def test_wrong():
            assert rand.draw(rand.State()) == 6

        def test_later():
            raise NotImplementedError

        @pytest.mark.skip(reason="not today")
        def test_skipped():
            pass

        @pytest.fixture
        def broken():
            raise OSError("no luck")

        def test_with(broken):
            pass
    """)
    told = [(test.name, test.outcome, test.kind) for test in ran.tests]
    assert told == [
        ("test_right[1]", Outcome.PASSED, ""),
        ("test_right[2]", Outcome.PASSED, ""),
        ("test_wrong", Outcome.FAILED, "AssertionError"),
        ("test_later", Outcome.FAILED, "unwritten"),
        ("test_skipped", Outcome.SKIPPED, "Skipped"),
        ("test_with", Outcome.FAILED, "OSError"),
    ]
    assert ran.names == tuple(name for name, _, _ in told)
    assert ran.tests[2].message.startswith("assert 5 == 6")
    assert ran.tests[2].line == 10


def test_an_order_stops_at_the_first_failure(run):
    """Tests run as they are asked for, and none after one that fails."""
    tests = "".join(
        f"def test_{name}():\n    assert {name!r} != 'b'\n" for name in ("a", "b", "c", "d")
    )
    ran = run(tests, order=("test_c", "test_b", "test_a"))
    assert [test.name for test in ran.tests] == ["test_c", "test_b"]


def test_names_need_no_import(run):
    """In a notebook they are there, too."""
    ran = run("def test_it():\n    assert draw(State()) == N + 2", names=("State", "draw", "N"))
    assert only(ran).outcome is Outcome.PASSED


def test_hypothesis_and_fixtures_of_pytest_work(run):
    """With examples drawn, shrunk, and told."""
    ran = run("""
        from hypothesis import given, strategies as st

        @given(st.lists(st.integers(0, 9)), st.text())
        def test_it(numbers, text):
            assert rand.total(np.array(numbers, int), 1) < 7

        def test_patched(monkeypatch, tmp_path, capsys):
            monkeypatch.chdir(tmp_path)
            print("seen")
            assert capsys.readouterr().out == "seen\\n"
    """)
    assert [test.outcome for test in ran.tests] == [Outcome.FAILED, Outcome.PASSED]
    assert "assert np.int64(7) < 7" in ran.tests[0].message


def test_a_file_that_cannot_be_loaded_is_told_with_its_line(run):
    """What stops it is a problem of the whole file."""
    ran = run("assert rand.draw(rand.State()) == 5\nfrom llmdata.rand import nothing")
    assert (ran.tests, ran.during, ran.line) == ((), "", 5)
    assert ran.problem.startswith("ImportError: cannot import name 'nothing' from 'llmdata.rand'")


def test_code_that_never_ends_costs_its_test(run):
    """The run ends, and names the test."""
    ran = run("def test_a():\n    pass\ndef test_b():\n    rand.spin()", seconds=0.5)
    assert (ran.timed_out, ran.during, [test.name for test in ran.tests]) == (
        True, "test_b", ["test_a"])


def test_code_that_ends_its_process_fails_its_test_only(run):
    """The tester lives on; no exception of Python's can be mistaken for it."""
    ran = run("""
        def test_a():
            try:
                rand.leave()
            except Exception:
                pass

        def test_b():
            pass
    """)
    assert [(test.outcome, test.kind) for test in ran.tests] == [
        (Outcome.FAILED, "Gone"), (Outcome.PASSED, "")]


@pytest.mark.parametrize("way", ["os._exit(0)", "os.kill(os.getpid(), 9)", "while True: pass"])
def test_a_tester_that_ends_or_never_does_is_told(run, way):
    """During which test it happened."""
    ran = run(f"import os\ndef test_a():\n    {way}", seconds=0.5)
    assert (ran.during, ran.tests) == ("test_a", ())
    assert ran.problem


def test_testers_share_nothing(run):
    """What one leaves behind, in any place it can write to, the next does not find."""
    leave = """
        import os, sys, tempfile
        from pathlib import Path

        def test_it():
            places = [Path.home(), Path.cwd(), Path(tempfile.gettempdir())]
            assert not any((place / "left").exists() for place in places)
            assert not hasattr(sys, "left") and "LEFT" not in os.environ
            sys.left = os.environ["LEFT"] = "here"
            for place in places:
                (place / "left").write_text("here")
    """
    for _ in range(2):
        assert (only(run(leave)).message, only(run(leave)).outcome) == ("", Outcome.PASSED)
