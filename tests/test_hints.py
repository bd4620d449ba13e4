"""Hints: taken from the released notebook, gentlest first."""

import json

import pytest

from autograder.contract import load
from autograder.course import CourseError, chapters, find
from autograder.hints import Hint, hints
from tests.toy import make_course

TEXT = """<details><summary>Hint 1: where to begin</summary>

Start with `x < y`.

```
while x:
    x -= 1
```

</details>

<details>
<summary> Hint 2: nearly there </summary>
Add them.
</details>
"""


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_ROOT", str(make_course(tmp_path)))
    found = find("ch01")
    found.release.parent.mkdir(parents=True)
    return found


def released(chapter, *cells):
    chapter.release.write_text(json.dumps({"cells": list(cells)}))


def markdown(name, source):
    return {"cell_type": "markdown", "id": name, "source": source}


def test_title_and_text_of_each(chapter):
    """The summary without its number is the title; the rest is Markdown, code blocks and all."""
    code = {"cell_type": "code", "id": "a", "source": "x"}
    released(chapter, code, markdown("hints-double", TEXT))

    assert hints(chapter, "double") == (
        Hint("where to begin", "Start with `x < y`.\n\n```\nwhile x:\n    x -= 1\n```"),
        Hint("nearly there", "Add them."),
    )


def test_sources_that_are_lists_of_lines(chapter):
    """nbformat allows a list of lines for a cell's source."""
    released(chapter, markdown("hints-double", TEXT.splitlines(keepends=True)))

    assert [hint.title for hint in hints(chapter, "double")] == ["where to begin", "nearly there"]


def test_an_unknown_function_gets_the_nearest(chapter):
    """The message suggests a name and lists the others."""
    released(chapter, markdown("hints-double", TEXT), markdown("hints-running", TEXT))

    with pytest.raises(CourseError, match=r"Did you mean 'double'\?.*double, running"):
        hints(chapter, "duoble")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"cells": 3}', "\x00"])
def test_a_damaged_release(chapter, content):
    """What cannot be read is to be built anew."""
    chapter.release.write_text(content)

    with pytest.raises(CourseError, match="ol build"):
        hints(chapter, "double")


def test_no_release(chapter):
    """What is missing is to be built."""
    with pytest.raises(CourseError, match="is missing; run 'ol build ch01'"):
        hints(chapter, "double")


@pytest.mark.parametrize("real", chapters(), ids=lambda chapter: chapter.slug)
def test_every_function_of_the_course_has_three_hints(real):
    """Three hints a function, each with a title and a text."""
    for part in load(real).parts:
        found = hints(real, part.name)

        assert len(found) == 3, part.name
        assert all(hint.title and hint.text for hint in found)
