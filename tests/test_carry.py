"""What a chapter stands on: the learner's export, the reference, or nothing yet."""

import dataclasses

import pytest

from autograder import carry
from autograder.carry import Deps
from autograder.commands import grading
from autograder.course import CourseError, find


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter that needs ch04, with an empty learner's folder."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    return dataclasses.replace(
        find("ch04"), slug="ch05_next", aliases=("data.08",), needs=("ch04",), module="next"
    )


@pytest.fixture
def exported(tmp_path):
    (tmp_path / "llmdata").mkdir()
    (tmp_path / "llmdata" / "rand.py").write_text("mine = 1\n")


def test_unbuilt_need_says_what_to_do(chapter):
    """Without the needed chapter's export the message names both ways on."""
    with pytest.raises(CourseError) as caught:
        carry.needed(chapter, Deps.OWN)

    assert str(caught.value).startswith("data.08 needs A0.1: build it, or rerun with --ref-deps")


@pytest.mark.usefixtures("exported")
@pytest.mark.parametrize(
    ("deps", "own"), [(Deps.OWN, True), (Deps.EITHER, True), (Deps.REFERENCE, False)]
)
def test_own_export_is_used_where_it_may_be(chapter, deps, own):
    """A learner's own code carries the learner; a class's marks never stand on one machine's."""
    found = carry.needed(chapter, deps)

    assert [module.name for module in found.modules] == ["llmdata.rand"]
    assert (found.modules[0].cells[0].source == "mine = 1\n") is own
    assert found.carried == (() if own else ("ch04_mt19937",))


def test_reference_steps_in_where_allowed(chapter):
    """With --ref-deps the reference stands in, and the verdict will say so."""
    assert carry.needed(chapter, Deps.EITHER).carried == ("ch04_mt19937",)


@pytest.mark.parametrize(
    ("ref_deps", "said"),
    [(False, "^data.07 needs .*: build it, or rerun with --ref-deps"), (True, "'ol start ch07'")],
)
def test_what_is_missing_below_is_said_first(tmp_path, monkeypatch, ref_deps, said):
    """Before 'ol start', too: there is no use in a notebook whose chapters below are not built."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    with pytest.raises(CourseError, match=said):
        grading.verdict_of("data.07", level=None, ref_deps=ref_deps, solutions=False)
