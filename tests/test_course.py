"""Chapters are found by name: slugs, short names and aliases, and a helpful word otherwise."""

import pytest

from autograder import course


@pytest.mark.parametrize("name", ["ch04_mt19937", "ch04", "CH04", "A0.1", "a0.1", " ch04 "])
def test_every_name_of_a_chapter_finds_it(name):
    """A slug, its number and each alias mean the same chapter, in any case."""
    assert course.find(name).slug == "ch04_mt19937"


@pytest.mark.parametrize(("name", "first"), [("L1.6", "L1.6"), ("l1.2", "L1.2"), ("ch03", "30c")])
def test_a_chapter_is_called_as_it_was_asked_for(name, first):
    """The alias that was typed comes first, so that messages repeat it; else the chapter's own."""
    assert course.find(name).aliases[0] == first


def test_wrong_name_suggests_the_nearest():
    """A slip of the finger is answered with the chapter that was meant."""
    with pytest.raises(course.CourseError, match="Did you mean 'ch04_mt19937'"):
        course.find("ch04_mt19973")


def test_names_are_unique():
    """No two chapters share a number, a module or an alias."""
    every = [
        name
        for chapter in course.chapters()
        for name in (chapter.number, chapter.module, *chapter.aliases)
    ]
    assert len(every) == len(set(every))


@pytest.mark.parametrize(
    ("slug", "fine"),
    [
        ("ch13_quantize", True),
        ("ch13_two_words", True),
        ("ch13", False),
        ("ch13_", False),
        ("ch1_x", False),
        ("ch13_Upper", False),
        ("ch13_é", False),
        ("../ch13_x", False),
        ("", False),
    ],
)
def test_slugs_are_two_digits_and_a_name(slug, fine):
    """What cannot be a file name or a module everywhere is refused."""
    assert (course.slug_problem(slug) is None) is fine


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no YAML header"),
        ("# ---\n# jupyter: {}\n# ---\n", "no readable jupyter.course"),
        ("# ---\n# : [\n# ---\n", "no readable jupyter.course"),
        ("# ---\n# jupyter:\n#   course:\n#     title: x\n# ---\n", "lacks module, aliases"),
    ],
)
def test_broken_header_is_named(tmp_path, monkeypatch, text, said):
    """An author learns which file's header is wrong, and how."""
    source = tmp_path / "solutions" / "ch99_broken.py"
    source.parent.mkdir()
    source.write_text(text)
    monkeypatch.setenv("OL_ROOT", str(tmp_path))

    with pytest.raises(course.CourseError, match=said) as caught:
        course.chapters()

    assert str(source) in str(caught.value)
