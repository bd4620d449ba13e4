"""Pitfalls are read from the tables in a chapter's text."""

import pytest

from autograder.course import CourseError, find
from autograder.pitfalls import Pitfall, listed, pitfalls
from tests.toy import PITFALLS, make_tested

HEAD = "# | slip | what you would see | caught by |\n# |---|---|---|\n"


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_ROOT", str(make_tested(tmp_path)))
    return find("ch01")


def test_rows_of_all_tables(chapter):
    """Each row of each such table, a bar in a cell too; other tables are none of them."""
    with chapter.source.open("a") as source:
        source.write("\n# | part | points |\n# |---|---|\n# | a | 1 |\n")
        source.write(f"\n{HEAD}# | b | c | `d` |\n")

    assert listed(chapter) == (
        Pitfall("`LIMIT` forgotten", "60 gives 120", "test_limit"),
        Pitfall("last total only", "a | b is no list", "test_totals"),
        Pitfall("b", "c", "d"),
    )
    assert pitfalls(chapter)["b"] == "c"


@pytest.mark.parametrize("rows", ["# | a | b |\n", "# | a | b | c |\n# | a | d | e |\n"])
def test_row_that_is_not_right(chapter, rows):
    """A row short of a cell, or a slip that stands twice, is named with its file."""
    text = chapter.source.read_text().replace(PITFALLS, f"\n{HEAD}{rows}")
    chapter.source.write_text(text)

    with pytest.raises(CourseError, match=r"ch01_count.py: the row of pitfalls 'a' stands twice"):
        listed(chapter)
