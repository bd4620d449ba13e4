"""``check`` and ``hint`` in a real kernel: the cards, the debugger, and what a check leaves behind.

One kernel serves the whole file, started on a small course of two chapters whose hidden tests stand
below.
"""

import re
import sys
from pathlib import Path
from queue import Empty

import pytest

from autograder import build
from autograder.course import chapters, find
from autograder.learn import hint
from tests.kernel import Kernel
from tests.toy import COUNT, make_course

SUITE = '''
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.hidden import checks


@checks("double", kind="unit", why="w")
def test_by_hand(double):
    """Twice 21 is 42."""
    assert double(21) == 42


@checks("double", kind="property", why="w")
@given(number=st.integers(0, 50))
def test_sum(double, number):
    """double(n) is n + n."""
    assert double(number) == number + number


@checks("double", kind="fault", why="w")
def test_text(double):
    """A text is refused with a TypeError."""
    with pytest.raises(TypeError):
        double("2")


@checks("running", kind="unit", why="w")
def test_totals(running):
    """The totals of 1 and 2 are 1 and 3."""
    assert running([1, 2]) == [1, 3]
'''
RIGHT = "def double(number):\n    return min(number + number, 100) if number + 0 >= 0 else 0"
LOOP = "Live.seconds = 0.3\ndef double(number):\n    while True: pass"
REFUSING = "def double(number):\n    number + 0\n    return {}"


class Learner(Kernel):
    """A kernel that checks, and waits five seconds for it unless a cell says otherwise."""

    def __init__(self, folder: Path, root: Path, slug: str) -> None:
        super().__init__(folder, root, slug)
        self.run("from autograder.learn import check\n"
                 "from autograder.live import Live")

    def card(self, code):
        return super().card(f"Live.seconds = 5\n{code}")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = make_course(tmp_path_factory.mktemp("course"))
    again = COUNT.replace("module: count", "module: again").replace("Hint 1: add", "Hint 1: again")
    (root / "solutions" / "ch03_again.py").write_text(again)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_ROOT", str(root))
        for chapter in chapters():
            build.write(chapter)
        hidden = find("ch01").hidden
    hidden.parent.mkdir(parents=True)
    hidden.write_text(SUITE)
    return root


@pytest.fixture(scope="module")
def kernel(course, tmp_path_factory):
    started = Learner(tmp_path_factory.mktemp("learner"), course, "ch01_count")
    yield started
    started.stop()


def text_of(output):
    """What was printed, without terminal colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", "".join(text for _, text in output))


def test_a_right_function_passes(kernel):
    """All tests on the live function: passed, and how many."""
    assert kernel.card(f"{RIGHT}\ncheck('double')") == "✔ double: passed\n  3 tests passed."


def test_a_wrong_value_shows_given_wanted_and_got(kernel):
    """The first failure, for exactly the smallest input that fails, and nothing of other inputs."""
    body = "number + number if number < 7 or number == 21 else 3"
    card = kernel.card(f"{REFUSING.format(body)}\ncheck('double')")

    assert "2 of 3 tests passed; test_sum failed first." in card
    assert re.search(r"Rule +double\(n\) is n \+ n\.\n +Given +double\(7\)\n +Wanted +14\n"
                     r" +Got +3\n", card)
    assert 'hint("double")' in card


@pytest.mark.parametrize(("code", "said"), [
    ("double = 1\ndel double",
     ["○ double: missing", "not defined in this notebook", "3 tests will run"]),
    ("def double(number): raise NotImplementedError", ["○ double: not written yet", "line 2"]),
    ("def double(number): return 1 / 0",
     ["✘ double: unexpected error", "ZeroDivisionError: division by zero", "double, line 2"]),
    ("def double(number, more): return 2",
     ["✘ double: wrong signature", "wanted (number)", "your cell has (number, more)"]),
    (LOOP,
     ["✘ double: timed out", "stopped after 0.3 seconds", "double, line 4",
      "test_sum, test_text: not run"]),
    ("def double(number): raise SystemExit(3)", ["✘ double: ended the process", "SystemExit: 3"]),
    ("def double(number): raise MemoryError", ["✘ double: out of memory"]),
    ("double = 5", ["✘ double: unexpected error", "'int' object is not callable"]),
    ("seen = []\ndef double(number):\n    seen.append(number)\n    number + 0\n"
     "    return 2 * number if len(seen) != 5 else 1",
     ["✘ double: wrong value", "the same calls do not always give the same results"]),
], ids=lambda value: value.splitlines()[-1].strip() if isinstance(value, str) else "")
def test_each_kind_of_failure_has_its_card(kernel, code, said):
    """Missing, unwritten, raising, looping, exiting ... each say so, and the kernel lives on."""
    card = kernel.card(f"{code}\ncheck('double')")

    for text in said:
        assert text in card
    assert "Next step" in card


def test_the_next_check_sees_the_new_function(kernel):
    """Running the cell again is all it takes."""
    assert "wrong value" in kernel.card("def double(number): return 1\ncheck('double')")
    assert "passed" in kernel.card(f"{RIGHT}\ncheck('double')")


@pytest.mark.parametrize(("code", "said"), [
    ("check('duoble')", "Did you mean 'double'?"),
    ("check('<b>')", "no chapter asks for a function '<b>'"),
    ("check(double)", 'put the name in quotes: check("double")'),
    ("check('Words')", "the hidden tests of ch02_words are not installed here"),
    ("hint('duoble')", "Did you mean 'double'?"),
    ("hint('double', 2)", "double has hints 1 to 1"),
    ("hint('running')", "ch01 has no hints for 'running'"),
    ("hint('own_tests')", "tests of your own have no hints"),
])
def test_what_cannot_be_done_is_said_calmly(kernel, code, said):
    """No traceback: a card that says what to do."""
    kernel.run(RIGHT)
    card = kernel.card(code)

    assert card.startswith("○ No")
    assert said in card


def test_a_hint_is_markdown(kernel):
    """The hint's title and number, and its text."""
    assert kernel.card("hint('double')").startswith("**double, hint 1 of 1: add**")


@pytest.mark.parametrize(("session", "editor", "folder", "title"), [
    ("work/ch03_again.ipynb", "", "x", "again"), ("", "/home/x/ch03_again.ipynb", "x", "again"),
    ("", "", "ch03_again", "again"), ("Untitled.ipynb", "", "x", "add"),
], ids=["Jupyter", "VS Code", "folder", "none"])
def test_of_two_chapters_the_notebooks_own_counts(
    course, tmp_path, monkeypatch, capsys, session, editor, folder, title
):
    """A name that two chapters use means this notebook's, told by its path or folder."""
    monkeypatch.setenv("OL_ROOT", str(course))
    monkeypatch.setenv("JPY_SESSION_NAME", session)
    monkeypatch.setattr(sys.modules["__main__"], "__vsc_ipynb_file__", editor, raising=False)
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)

    hint("double")
    assert capsys.readouterr().out.startswith(f"**double, hint 1 of 1: {title}**")


def test_a_whole_chapter(kernel):
    """Without a name, every function of the notebook's chapter has a row."""
    kernel.run(RIGHT)
    card = kernel.card("def running(numbers, start=0, *, step=1): return numbers\ncheck()")

    assert card == ("○ ch01_count: 1 of 2 functions pass\n"
                    "  double   passed, 3 of 3 tests passed\n"
                    "  running  wrong value, 0 of 1 test passed")


def test_a_whole_chapter_stops_at_a_loop(kernel):
    """After a function that never ends, the others are not tried: they may call it."""
    card = kernel.card(f"{LOOP}\ncheck()")

    assert re.search(r"double +timed out.*\n +running +skipped", card)


@pytest.mark.parametrize("code", [
    "check('double')", "check('double')\nx = 1", "shown = check('double')",
    "shown = check('double')\nshown", "hint('double')", "hint('double')\nx = 1",
])
def test_a_card_shows_once(kernel, code):
    """Wherever in its cell the call stands, and whatever is done with its value."""
    kernel.run(RIGHT)
    assert len(kernel.run(code)) == 1


def test_a_kept_card_shows_again(kernel):
    """In a later cell its name shows it, like any other value; print gives the text anywhere."""
    (first,) = kernel.run(f"{RIGHT}\nshown = check('double')")

    assert kernel.run("shown") == [first]
    assert kernel.run("print(shown)") == [("stream", first[1] + "\n")]


def test_what_code_prints_is_kept_with_the_failure(kernel):
    """Only what the failing example printed, in the card and nowhere else."""
    body = "print('twice', number) or (2 * number if number != 9 else 0)"
    card = kernel.card(f"{REFUSING.format(body)}\ncheck('double')")

    assert card.endswith("Printed    twice 9")


def test_debug_opens_the_learners_line(kernel):
    """After an error in the function, %debug is in the function, even after an older error."""
    kernel.run("def older(): 1 / 0\nolder()")
    kernel.run("def double(number):\n    half = number\n    return half / 0\ncheck('double')")
    text = text_of(kernel.run("%debug", ["p 'half', half", "q"]))

    assert "return half / 0" in text
    assert "('half', 21)" in text


def test_debug_opens_a_loop_where_it_was(kernel):
    """After a time-out, %debug is in the loop, not in the timer."""
    kernel.run(f"{LOOP}\ncheck('double')")
    text = text_of(kernel.run("%debug", ["p 'number', number", "q"]))

    assert "while True: pass" in text
    assert "('number', 21)" in text


def test_debug_opens_the_failed_comparison(kernel):
    """After a wrong value the function has returned; %debug is at the test's comparison."""
    kernel.run(f"{REFUSING.format('number if number != 21 else 42')}\ncheck('double')")
    text = text_of(kernel.run("%debug", ["p 'number', number", "up", "q"]))

    assert "assert double(number) == number + number" in text
    assert "('number', 1)" in text


STATE = """
import logging, os, signal, sys, threading, warnings
def state():
    return dict(
        path=list(sys.path), cwd=os.getcwd(), filters=list(warnings.filters), env=dict(os.environ),
        finders=list(sys.meta_path), logging=(list(logging.root.handlers), logging.root.level),
        streams=(sys.stdout, sys.stderr, sys.stdin), hooks=(sys.excepthook, sys.breakpointhook),
        alarm=(signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)),
        interrupt=signal.getsignal(signal.SIGINT), threads=threading.active_count(),
        random=__import__('random').getstate(), recursion=sys.getrecursionlimit(),
        files=sorted(os.listdir()),
    )
"""


@pytest.mark.parametrize("definition", [
    RIGHT, "def double(number): return 1 / 0", LOOP,
])
def test_a_check_leaves_the_kernel_as_it_was(kernel, definition):
    """Paths, folder, warnings, logging, streams, signals, random numbers: nothing differs."""
    kernel.run(f"{STATE}\n{definition}\ncheck('double')")
    kernel.run("before = state()\ncheck('double')\nafter = state()")

    assert kernel.run("print([name for name in before if before[name] != after[name]])") == [
        ("stream", "[]\n")
    ]
    assert kernel.run("print(os.listdir())") == [("stream", "[]\n")]


def test_no_module_of_the_learners_is_replaced(kernel):
    """A check adds modules and takes none away; what was imported stays the same object."""
    kernel.run(f"{RIGHT}\nimport sys\nbefore = dict(sys.modules)\ncheck('double')")

    assert kernel.run("print([n for n in before if sys.modules.get(n) is not before[n]])") == [
        ("stream", "[]\n")
    ]


def test_the_stop_button_stops_a_check(kernel):
    """An interrupt ends the check as KeyboardInterrupt, with a card, and the kernel goes on."""
    kernel.run("Live.seconds = 60\ndef double(number):\n"
               "    open('started', 'w').close()\n    while True: pass")
    folder = Path(text_of(kernel.run("import os\nprint(os.getcwd(), end='')")))
    kernel.client.execute("check('double')")
    shown = []
    while not (shown and shown[-1] == ("status", {"execution_state": "idle"})):
        try:
            message = kernel.client.get_iopub_msg(timeout=0.1)
        except Empty:
            if (folder / "started").exists():
                (folder / "started").unlink()
                kernel.manager.interrupt_kernel()
            continue
        shown.append((message["msg_type"], message["content"]))
    by_kind = dict(shown)

    assert by_kind["error"]["ename"] == "KeyboardInterrupt"
    assert len(by_kind["error"]["traceback"]) < 6
    assert "interrupted the check" in by_kind["display_data"]["data"]["text/plain"]
    assert "passed" in kernel.card(f"{RIGHT}\ncheck('double')")


@pytest.mark.parametrize(("code", "shown"), [
    (RIGHT, ["display_data"]), (REFUSING.format(3), ["display_data", "error"]),
])
def test_validate_sees_what_did_not_pass(kernel, code, shown):
    """nbgrader's Validate button looks for errors alone, so there a check raises one."""
    kernel.run(f"import os; os.environ['NBGRADER_VALIDATING'] = '1'\n{code}")
    try:
        assert [kind for kind, _ in kernel.run("check('double')")] == shown
    finally:
        kernel.run("del os.environ['NBGRADER_VALIDATING']")
