"""The learner's folder: nothing in it is ever overwritten, and names find the right notebook."""

import hashlib

import nbformat
import pytest

from autograder import workspace
from autograder.course import CourseError, chapters, find
from autograder.verdict import FunctionVerdict, Outcome, Status, TestVerdict, Verdict


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    return find("ch04")


def test_start_copies_the_release(chapter):
    """A started chapter is the released notebook, byte for byte."""
    assert workspace.start(chapter).read_bytes() == chapter.release.read_bytes()


def test_start_never_overwrites(chapter):
    """What a learner has written stays, and the message says how to go on."""
    workspace.start(chapter)
    chapter.work.write_text("mine")

    with pytest.raises(CourseError, match="ol reset ch04"):
        workspace.start(chapter)

    assert chapter.work.read_text() == "mine"


def test_start_leaves_a_dangling_link_alone(chapter, tmp_path):
    """A link to a folder that is not mounted today is a learner's file too."""
    chapter.work.parent.mkdir(parents=True)
    chapter.work.symlink_to(tmp_path / "elsewhere.ipynb")

    with pytest.raises(CourseError, match="is there already"):
        workspace.start(chapter)


def test_reset_keeps_every_version(chapter):
    """Resetting moves the old notebook aside under a dated name, each time another."""
    workspace.start(chapter)
    for text in ("first", "second"):
        chapter.work.write_text(text)
        workspace.reset(chapter)

    kept = {path.read_text() for path in chapter.work.parent.glob("ch04_mt19937.2*.ipynb")}
    assert kept == {"first", "second"}
    assert chapter.work.read_bytes() == chapter.release.read_bytes()


def test_reset_of_nothing_says_so(chapter):
    """There is nothing to put aside before a chapter is started."""
    with pytest.raises(CourseError, match="ol start ch04"):
        workspace.reset(chapter)


@pytest.mark.parametrize(
    "place",
    [
        "ch04_mt19937.ipynb",
        "ch04_mt19937/answer.ipynb",
        "ch04_mt19937/ada/x.ipynb",
        "ch04_mt19937.2026-01-31-120000.ipynb",
    ],
)
def test_a_path_says_its_chapter(tmp_path, place):
    """A notebook belongs to the chapter that its name, or the nearest folder, is called after."""
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()

    assert workspace.target(str(path)).chapter.slug == "ch04_mt19937"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nonsense.ipynb", "does not say which chapter"),
        ("nowhere/ch04_mt19937.ipynb", "nowhere/ch04_mt19937.ipynb is not there"),
        ("ch77", "no chapter 'ch77'"),
        ("ch04", "ol start ch04"),
    ],
)
def test_what_means_nothing_is_named(chapter, name, said):
    """A target that cannot be found is answered with what to do."""
    with pytest.raises(CourseError, match=said):
        workspace.target(name)


def test_progress_is_remembered(chapter):
    """``ol status`` sees the last verdict and what it was of; a damaged file is as good as none."""
    notebook = workspace.start(chapter)
    digest = hashlib.sha256(notebook.read_bytes()).hexdigest()
    test = TestVerdict("t", "unit", "r", Outcome.PASSED, False)
    function = FunctionVerdict("f", 7, (test,))
    verdict = Verdict(chapter.slug, Status.GRADED, (function,), "A", digest, "")

    workspace.remember(verdict)
    seen = workspace.progress()[chapter.slug]
    assert (seen.earned, seen.points, seen.passed) == (7.0, 7, True)
    assert seen.is_of(notebook)

    notebook.write_text("changed")
    assert not seen.is_of(notebook)

    (chapter.work.parent.parent / "progress.json").write_text("[1, 2")
    assert workspace.progress() == {}


def test_the_start_page_shows_the_course(chapter, capsys):
    """A notebook that is valid, and whose code shows every chapter."""
    page = nbformat.read(workspace.start_page(), as_version=4)

    nbformat.validate(page)
    exec(page.cells[1].source, {})
    shown = capsys.readouterr().out
    assert [each.slug for each in chapters() if each.title not in shown] == []


@pytest.mark.parametrize("link", [False, True])
def test_the_start_page_is_never_overwritten(chapter, tmp_path, link):
    """What a learner has made of it stays, be it a link to a folder that is not mounted today."""
    page = workspace.start_page()
    page.unlink()
    if link:
        page.symlink_to(tmp_path / "elsewhere.ipynb")
    else:
        page.write_text("mine")

    assert workspace.start_page() == page
    assert page.is_symlink() if link else page.read_text() == "mine"
