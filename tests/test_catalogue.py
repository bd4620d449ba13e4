"""The catalogue of hidden tests: read from source, never run."""

import inspect
import sys

import pytest

from autograder.catalogue import TestInfo, catalogue
from autograder.course import CourseError, chapters, find
from autograder.hidden import KINDS
from tests.toy import make_course

SUITE = '''
import pytest
from autograder import hidden
from autograder.hidden import checks

raise SystemExit("a catalogue must not run this")


@pytest.mark.parametrize("n", [1, 2])
@checks("double", kind="unit", why="sums " "depend on it")
def test_small(double, n):
    """Twice n
    is n and n.

    More for authors.
    """


@hidden.checks("double", kind="golden", why="w")
def test_golden(double): ...


def helper(): ...
'''


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_ROOT", str(make_course(tmp_path)))
    found = find("ch01")
    found.hidden.parent.mkdir(parents=True)
    return found


def test_names_kinds_rules_and_reasons(chapter):
    """Every test in the file's order, the docstring as one line; nothing of the file runs."""
    chapter.hidden.write_text(SUITE)
    before = set(sys.modules)

    assert catalogue(chapter) == (
        TestInfo("test_small", "double", "unit", "Twice n is n and n. More for authors.",
                 "sums depend on it"),
        TestInfo("test_golden", "double", "golden", "", "w"),
    )
    assert set(sys.modules) == before


@pytest.mark.parametrize("decorator", [
    "", "@checks", "@other('f', kind='unit', why='w')", "@checks(kind='unit', why='w')",
    "@checks('f', why='w')", "@checks('f', kind='unit')", "@checks(name, kind='unit', why='w')",
    "@checks('f', kind='unit', why=f'{1}')",
])
def test_a_test_without_a_readable_declaration_is_named(chapter, decorator):
    """The message names file, line and test, and the form that is wanted."""
    chapter.hidden.write_text(f"{decorator}\ndef test_x(): ...\n")

    with pytest.raises(CourseError, match=r"ch01_count\.py, line 2: test_x needs @checks\("):
        catalogue(chapter)


def test_hidden_tests_that_are_not_python(chapter):
    """The message names the file and the line."""
    chapter.hidden.write_text("x = 1\ndef (:\n")

    with pytest.raises(CourseError, match=r"ch01_count\.py, line 2: "):
        catalogue(chapter)


def test_hidden_tests_that_are_not_installed(chapter):
    """That is said, and nothing else."""
    with pytest.raises(CourseError, match="not installed"):
        catalogue(chapter)


@pytest.mark.parametrize("real", chapters(), ids=lambda chapter: chapter.slug)
def test_the_real_chapters_declare_every_test(real):
    """Each chapter has tests; each has a known kind, a rule of one paragraph, and a reason."""
    tests = catalogue(real)

    assert tests
    assert len({test.name for test in tests}) == len(tests)
    for test in tests:
        assert test.kind in KINDS, test.name
        assert test.rule.endswith((".", ").")), test.name
        assert test.why, test.name
        assert inspect.cleandoc(test.why) == test.why
