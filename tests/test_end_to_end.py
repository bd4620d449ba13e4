"""A learner's afternoon in JupyterLab, as ``ol lab`` opens it: a chapter started, solved by typing,
checked, tested, graded, saved, closed and opened again.

Needs the extra ``browser`` and a Chromium: ``OL_CHROMIUM``, or one on the path.
``python -m pytest tests/test_end_to_end.py``
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.course import find
from tests.lab import (
    OPEN,
    WAIT,
    Notebook,
    chromium,
    needs_chromium,
    new_page,
    playwright,
    running_lab,
    wait_until,
)

pytestmark = needs_chromium

CHAPTER = find("ch04")
PATH = f"{CHAPTER.slug}/{CHAPTER.slug}.ipynb"
LONG = 3 * WAIT  # for tests of one's own, which run on every planted bug
FUNCTION = "manual_seed"
SOLVE, CHECK, TESTS, CHECK_TESTS = (
    f"solve-{FUNCTION}", f"check-{FUNCTION}", "tests-own_tests", "check-own_tests"
)
LOOP = f"""\
def {FUNCTION}(state, seed):
    open('begun', 'w').close()
    while True:
        {{}}
"""
OWN_TESTS = """\
import pytest

from llmdata import rand


@pytest.mark.parametrize(("seed", "word"), [(3, 3), (2**32 + 5, 5), (-1, 2**32 - 1)])
def test_the_first_word_is_the_seeds_low_bits(seed, word):
    state = rand.MT19937State()
    rand.manual_seed(state, seed)

    assert state.state[0] == word
"""


@dataclass(frozen=True)
class Afternoon:
    """What was seen: cards at their times, the verdict's exit code, and the cells' texts as typed,
    on the disk after saving, and in a second browser."""

    cards: dict[str, str]
    exit_code: int
    typed: dict[str, str]
    on_disk: dict[str, str]
    reopened: dict[str, str]


def ol(work: Path, *arguments: str) -> int:
    command = [sys.executable, "-m", "autograder", *arguments]
    environment = os.environ | {"OL_WORK": str(work)}
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode


def sources(path: Path) -> dict[str, str]:
    """Each cell's text, by the cell's id."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A work folder with the chapter started."""
    folder = tmp_path_factory.mktemp("afternoon") / "work"
    assert ol(folder, "start", "ch04") == 0
    return folder


@pytest.fixture(scope="module")
def address(work):
    with running_lab(work.parent, ("autograder", "lab"), OL_WORK=str(work)) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


def card(cell):
    """The one card that the cell shows."""
    return cell.locator(".ol-card")


def write(notebook, typed):
    for name, code in typed.items():
        notebook.type(name, code)
        notebook.run(name)


def opened(page, address):
    """The notebook, its imports and what the chapter gives run."""
    notebook = Notebook(page, address.format(f"lab/tree/{PATH}"), PATH)
    for name in ("what-you-will-build-2", "given-state"):
        notebook.run(name)
    return notebook


def first_visit(notebook, typed, folder):
    """Looks at everything empty, fills it in, looks again, saves and has it graded."""
    seen = {}

    def look(when, **names):
        for what, name in names.items():
            seen[what, when] = card(notebook.run(name, LONG)).inner_text()

    progress = notebook.add(CHECK_TESTS, "progress()")
    notebook.run(SOLVE)
    look("before", check=CHECK, tests=CHECK_TESTS, progress=progress)
    write(notebook, typed)
    look("after", check=CHECK, tests=CHECK_TESTS)
    notebook.save()
    exit_code = ol(folder, "check", "ch04")
    look("after", progress=progress)
    return seen, exit_code


@pytest.fixture(scope="module")
def afternoon(work, address, browser):
    """All of it, once; the tests look at what was seen."""
    typed = {SOLVE: sources(CHAPTER.solution)[SOLVE], TESTS: OWN_TESTS}
    with new_page(browser) as page:
        seen, exit_code = first_visit(opened(page, address), typed, work)
    on_disk = sources(work / PATH)
    with new_page(browser) as page:  # which shares nothing with the first
        notebook = Notebook(page, address.format(f"lab/tree/{PATH}"), PATH)
        reopened = {name: notebook.source(name) for name in typed}
        seen["check", "reopened"] = card(notebook.cell(CHECK)).inner_text()
    return Afternoon(seen, exit_code, typed, on_disk, reopened)


@pytest.fixture
def notebook(browser, address):
    with new_page(browser) as page:
        yield opened(page, address)


def test_the_course_page_comes_first(browser, address):
    """What ``ol lab`` opens shows the course, and a chapter that is started opens with a click."""
    with new_page(browser) as page:
        cell = Notebook(page, address.format(""), "start.ipynb").run("course")
        playwright.expect(cell.get_by_role("img", name="Graph of the chapters")).to_be_visible()
        cell.get_by_role("link", name=CHAPTER.title).click()
        page.wait_for_function(OPEN, arg=PATH)


def test_the_card_turns(afternoon):
    """The stub is not written yet; once a right solution is typed, all its tests pass."""
    before, after = (afternoon.cards["check", when] for when in ("before", "after"))

    assert before.startswith(f"○ {FUNCTION}: not written yet")
    assert after.startswith(f"✔ {FUNCTION}: passed")
    number = re.search(r"(\d+) tests will run", before)[1]
    assert f"{number} tests passed" in after


def test_own_tests_notice_bugs(afternoon):
    """None while there is no test; with one typed, some, and a full mark for each."""
    before, after = (afternoon.cards["tests", when] for when in ("before", "after"))

    assert "notice 0 of 62 bugs: no tests written yet" in before
    noticed = int(re.search(r"notice (\d+) of 62 bugs: not enough", after)[1])
    marks = "".join(re.findall(r"^[■□▲△]{2,}", after, re.M))
    assert len(marks) == 62
    assert noticed == sum(mark in "■▲" for mark in marks) > 0


def test_progress_changes(afternoon):
    """Not checked before ``ol check``, and after it the points of what was typed and saved."""
    before, after = (afternoon.cards["progress", when] for when in ("before", "after"))

    assert afternoon.exit_code == 1  # the chapter has more functions
    assert f"{CHAPTER.title}: not checked" in before
    assert float(re.search(rf"{CHAPTER.title}: ([\d.]+) of 100\n", after)[1]) >= 8
    assert {*before.splitlines()} ^ {*after.splitlines()} == {
        line for line in (before + "\n" + after).splitlines() if CHAPTER.title in line}


def test_nothing_is_lost(afternoon):
    """What was typed is on the disk after saving, and there again, with its card, in a browser that
    knows nothing of the first; all other cells are as they were released."""
    assert {name: afternoon.on_disk[name] for name in afternoon.typed} == afternoon.typed
    assert afternoon.reopened == afternoon.typed
    assert afternoon.cards["check", "reopened"] == afternoon.cards["check", "after"]
    released = sources(CHAPTER.release)
    assert {name for name in released if afternoon.on_disk[name] != released[name]} == {
        *afternoon.typed}


def test_an_endless_loop_is_stopped(notebook):
    """After the five seconds that the documentation speaks of, with advice."""
    write(notebook, {SOLVE: LOOP.format("pass")})
    said = card(notebook.run(CHECK)).inner_text()

    assert said.startswith(f"✘ {FUNCTION}: timed out")
    assert "stopped after 5 seconds" in said
    assert "a loop whose condition never changes" in said


def test_the_stop_button_leaves_the_kernel_usable(notebook, work):
    """A click on it ends a check that runs; the next check is as good as ever."""
    begun = work / CHAPTER.slug / "begun"
    begun.unlink(missing_ok=True)
    write(notebook, {SOLVE: LOOP.format("__import__('time').sleep(0.01)")})  # 20 s by the clock
    cell = notebook.start(CHECK)
    wait_until(begun.exists)
    notebook.page.get_by_role("button", name="Interrupt the kernel").click()
    playwright.expect(card(notebook.finish(cell))).to_contain_text("you interrupted the check")

    write(notebook, {SOLVE: sources(CHAPTER.solution)[SOLVE]})
    assert card(notebook.run(CHECK)).inner_text().startswith(f"✔ {FUNCTION}: passed")
