"""Scoring tables over chapters, and milestones: rows, halves, skips, and what is not clean."""

import dataclasses
import io
import json

import pytest
from click.testing import CliRunner
from rich.console import Console

from autograder import tracks
from autograder.carry import Deps
from autograder.catalogue import catalogue
from autograder.cli import ol
from autograder.contract import load
from autograder.course import CourseError, find
from autograder.sandbox import Cell, Module
from autograder.tracks import Part, Row, find_track, scoring
from autograder.tracks.clean import Code, remarks
from autograder.tracks.milestone import MILESTONES, run
from autograder.tracks.report import print_track
from autograder.tracks.scoring import Graded, State, score
from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)
from tests.classroom import filled, reference

A0 = find_track("a0")


def verdict_of(*functions):
    return Graded(Verdict("ch01_count", Status.GRADED, functions, "A", "0" * 64, "0" * 64))


def function(name, **outcomes):
    failure = Failure(Reason.WRONG, "no")
    return FunctionVerdict(name, 10, tuple(
        TestVerdict(test, "unit", f"the rule of {test}", outcome, False,
                    failure if outcome is Outcome.FAILED else None,
                    "not here" if outcome in (Outcome.SKIPPED, Outcome.FAULT) else "")
        for test, outcome in outcomes.items()
    ))


HALVES = Row("double: right (1), scaled (1)", (
    Part(1, "ch01", ("double",)), Part(1, "ch01", ("double",), ("test_scaled",)),
))


def scored(row, *functions):
    (found,) = score([row], {"ch01": verdict_of(*functions)})
    return found


@pytest.mark.parametrize(("plain", "scaled", "earned", "possible", "state"), [
    ("PASSED", "PASSED", 2, 2, State.PASSED),
    ("PASSED", "FAILED", 1, 2, State.PARTLY),
    ("FAILED", "FAILED", 0, 2, State.FAILED),
    ("PASSED", "SKIPPED", 1, 1, State.PASSED),
    ("SKIPPED", "SKIPPED", 0, 0, State.SKIPPED),
    ("PASSED", "FAULT", 1, 1, State.FAULT),
    ("FAILED", "FAULT", 0, 1, State.FAULT),
])
def test_a_row_is_the_sum_of_its_parts(plain, scaled, earned, possible, state):
    """A part is earned whole or not at all; one that could not run leaves the total."""
    found = scored(HALVES, function("double", **{
        "test_plain": Outcome[plain], "test_scaled[2]": Outcome[scaled],
    }))
    assert (found.earned, found.possible, found.state) == (earned, possible, state)


def test_the_reason_is_the_first_failure():
    """With the test's name and its rule."""
    found = scored(HALVES, function("double", test_a=Outcome.PASSED, test_b=Outcome.FAILED))
    assert found.reason == "test_b: wrong value: the rule of test_b"


def printed(*rows):
    console = Console(file=io.StringIO(), width=100)
    print_track("A0", rows, console)
    return console.file.getvalue()


def test_what_could_not_run_is_nothing_to_mend():
    """Of a row whose one half passed, the other half is named under SKIP."""
    said = printed(scored(HALVES, function(
        "double", test_plain=Outcome.PASSED, test_scaled=Outcome.SKIPPED)))
    assert "A0: 1 of 1 points" in said
    assert "SKIP, leaves the total: double: right (1), scaled (1): not here" in said
    assert "Mend first" not in said


def test_a_fault_is_the_graders(monkeypatch):
    """One beside a test that passed earns nothing, costs nothing, and ends with 3."""
    graded = {"ch01": verdict_of(function("double", test_a=Outcome.PASSED, test_b=Outcome.FAULT))}
    rows = (Row("double", (Part(1, "ch01", ("double",)),)),)
    assert "The grader's fault, leaves the total: double: test_b: not here" in printed(
        *score(rows, graded))
    monkeypatch.setattr(tracks, "find_track", lambda name: rows)
    monkeypatch.setattr(scoring, "grade_chapters", lambda rows, *, solutions: graded)
    done = CliRunner().invoke(ol, ["grade", "A0"])
    assert done.exit_code == 3, done.output


def test_what_stands_on_the_reference_is_said():
    """By row, for each chapter below."""
    graded = verdict_of(function("double", test_a=Outcome.PASSED))
    carried = dataclasses.replace(graded.verdict, carried=("ch04_mt19937",))
    rows = score([Row("double: all", (Part(1, "ch01", ("double",)),))],
                 {"ch01": dataclasses.replace(graded, verdict=carried)})
    assert "On the reference's ch04_mt19937: double" in printed(*rows)


def test_a_chapter_that_is_not_begun_earns_nothing():
    """And says how to begin it; nothing of it is skipped."""
    (found,) = score([HALVES], {"ch01": Graded(missing="ch01 is not started: 'ol start ch01'")})
    assert (found.earned, found.possible) == (0, 2)
    assert "ol start" in found.reason


def test_a0_is_100_points_and_names_what_there_is():
    """Every row's functions and tests exist in their chapters."""
    assert sum(row.points for row in A0) == 100
    for part in (part for row in A0 for part in row.parts if part.chapter):
        chapter = find(part.chapter)
        assert set(part.functions) <= {each.name for each in load(chapter).parts}
        known = {test.name for test in catalogue(chapter)}
        assert {name.partition("[")[0] for name in part.tests} <= known


def test_unknown_tracks_are_named():
    with pytest.raises(CourseError, match="Tracks: A0"):
        find_track("A9")


CLEAN = '''
class DataLoader:
    def __init__(self, pattern, B, T, should_shuffle=False): pass
    def next_batch(self): pass
    def resume(self, shard, sample): pass
    def close(self): pass
'''
VOCAB = '''
class Tokenizer:
    kept = []
    def init(self, path): pass
    def decode(self, number): pass
    def free(self): pass
'''


@pytest.mark.parametrize(("loader", "vocab", "said"), [
    (CLEAN, VOCAB, None),
    (CLEAN + "import warnings\nwarnings.warn('old')", VOCAB, "UserWarning: old"),
    (CLEAN, VOCAB.replace("number): pass", "number): self.kept.append(0)"), "1000 decodes"),
    (CLEAN, VOCAB.replace("path): pass", "path): self.kept.append(bytes(30))"), "100 openings"),
    (CLEAN.replace("sample): pass", "sample): vars(self)[sample, object()] = shard"), VOCAB,
     "100 resumes"),
    (CLEAN.replace("batch(self): pass", "batch(self): vars(self)[object()] = 0"), VOCAB,
     "1000 batches"),
    (CLEAN.replace("next_batch(self): pass", "next_batch(self): open('leak-vocab.bin')"), VOCAB,
     "unclosed file"),
    (CLEAN, VOCAB.replace("path): pass", "path): self.kept.append(open(path, 'rb'))"),
     "Too many open files"),
    (CLEAN.replace("pass", "raise SystemExit"), VOCAB, "SystemExit"),
])
def test_what_is_not_clean_is_said(loader, vocab, said):
    """A warning, memory that grows, a file that stays open, an early end."""
    modules = (Module("llmdata.dataloader", (Cell("a", loader),)),
               Module("llmdata.vocab", (Cell("b", vocab),)))
    found = remarks(Code(modules, ()))
    assert found == [] if said is None else said in found[0], found


@pytest.fixture
def handed_in(tmp_path, monkeypatch):
    """A learner's folder; ``handed_in(chapter, old, new)`` is the solution with a slip in it."""
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))

    def write(name, old="", new=""):
        chapter = find(name)
        sources = {cell: text.replace(old, new, 1) for cell, text in reference(chapter).items()}
        assert not old or sources != reference(chapter)
        chapter.work.parent.mkdir(parents=True)
        chapter.work.write_text(json.dumps(filled(chapter, sources)))

    return write


def table(capsys, *arguments):
    code = 0
    try:
        ol(["grade", "A0", "--json", *arguments], prog_name="ol")
    except SystemExit as end:
        code = end.code
    return code, json.loads(capsys.readouterr().out)


def test_the_solutions_earn_100(capsys):
    """Every row, on every machine: nothing of A0 needs what may be missing."""
    code, found = table(capsys, "--solutions")
    assert (code, found["earned"], found["possible"]) == (0, 100, 100)
    assert {row["state"] for row in found["rows"]} == {"passed"}


def test_a_wrong_twist_a_wrong_tail_and_no_sampler(handed_in, capsys):
    """The rows that they cost, and no other: what twists, the ragged tail and what ends with one,
    and the sampler. The topmost is where the mistake is."""
    handed_in("ch04", "words[(j + M) % N]", "words[(j + M + 1) % N]")
    handed_in("ch05", "        uniform_(tail, 0, 1, state)\n", "")
    handed_in("ch08")
    handed_in("ch10")
    code, found = table(capsys)
    lost = {row["title"].partition(":")[0]: row["possible"] - row["earned"]
            for row in found["rows"] if row["earned"] < row["possible"]}
    assert lost == {
        "next_state": 3, "randint32": 4, "randint64": 2, "normal_fill": 1, "normal_": 4,
        "sample_softmax": 10,
    }
    assert (code, found["earned"], found["possible"]) == (1, 76, 100)


def test_the_milestone_is_the_references(monkeypatch, tmp_path):
    """Two runs of the reference agree, file by file, and something was written at each step."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    outputs = run(MILESTONES[0], Deps.EITHER)
    assert [each.difference for each in outputs] == [""] * len(outputs)
    assert {each.name.partition("/")[0] for each in outputs} >= {
        "book.txt", "shards", "tokens", "others_tokens"}


def test_what_differs_is_named_with_its_first_byte(monkeypatch, tmp_path):
    """An export that passed once and was edited since."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    chapter = find("ch06")
    source = "\n\n".join(cell.source for cell in load(chapter).reference)
    path = tmp_path / "llmdata" / f"{chapter.module}.py"
    path.parent.mkdir()
    path.write_text(source.replace("% 1000", "% 999"))
    outputs = {each.name: each for each in run(MILESTONES[0], Deps.EITHER)}
    assert outputs["book.txt"].difference == ""
    assert "differs from the reference at byte" in outputs["shards/_MANIFEST.json"].difference


def test_a_milestone_needs_what_it_calls(monkeypatch, tmp_path):
    """The message is the one of every command that lacks a chapter."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    with pytest.raises(CourseError, match="MS-corpus needs 30a: build it, or rerun with"):
        run(MILESTONES[0], Deps.OWN)
