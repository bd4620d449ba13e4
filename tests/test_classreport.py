"""A class report from verdicts laid down by hand: its numbers, and that nothing in it is alive."""

import base64
import csv
import html
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classpage import page
from autograder.classreport import gather, table
from autograder.classroom import Batch
from autograder.course import CourseError, find
from autograder.nbgrader_plugin.courses import Course, Submission
from autograder.verdict import (
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    Status,
    TestVerdict,
    Verdict,
)

HOSTILE = "<script>evil(1)</script>"
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx")


def a_test(name, reason=None, fault=False):
    outcome = Outcome.FAULT if fault else Outcome.FAILED if reason else Outcome.PASSED
    failure = Failure(reason, "no") if reason else None
    rule = f"The rule of {name.partition('[')[0]}."
    return TestVerdict(name, "unit", rule, outcome, True, failure)


def verdict(*functions, status=Status.GRADED, message=""):
    return Verdict("ch04_mt19937", status, functions, "A", "0" * 64, "0" * 64, message=message)


def seed(*reasons, fault=False):
    """The function manual_seed, worth 8, whose tests fail for these reasons, or pass."""
    tests = [a_test(f"test_{number}", reason, fault) for number, reason in enumerate(reasons)]
    return FunctionVerdict("manual_seed", 8, tuple(tests))


def own(*reasons):
    """A learner's tests, by what became of each planted bug."""
    names = [f"bug_{number}" if reason else f"name_of_{number}"
             for number, reason in enumerate(reasons, start=1)]
    return FunctionVerdict("own_tests", 20, tuple(map(a_test, names, reasons)))


WRONG, MISSING, ALIVE = Reason.WRONG, Reason.MISSING, Reason.ALIVE
CLASS = {
    "ada": verdict(seed(None, None), own(None, None)),
    "bob": verdict(seed(None, WRONG), own(None, ALIVE)),
    "cid": verdict(seed(WRONG, WRONG), own(Reason.UNWRITTEN, Reason.UNWRITTEN)),
    "dan": verdict(seed(MISSING, MISSING), own(MISSING, MISSING),
                   status=Status.UNREADABLE, message=HOSTILE),
    "eve": verdict(seed(None, None, fault=True)),
    "fay": None,
    HOSTILE: verdict(seed(None, WRONG), own(Reason.REJECTS, Reason.REJECTS)),
}


def kept(folder, verdicts):
    """A class whose verdicts are these."""
    submissions = {name: Submission(name, folder / "x") for name in verdicts}
    chapter = find("ch04")
    batch = Batch(Course(folder, "", "", tuple(submissions.values())), chapter, "",
                  {each: f"{number:064}" for number, each in enumerate(submissions.values())})
    for name, verdict in verdicts.items():
        if verdict is not None:
            batch.shelf.keep(batch.keys[submissions[name]], verdict)
    return batch


@pytest.fixture
def report(tmp_path):
    return gather(kept(tmp_path, CLASS))


def test_statuses_and_scores(report):
    """Everybody has a status; whoever the grader failed, or who is not graded, has no score."""
    assert dict(report.statuses) == {
        "graded": 4, "unreadable": 1, "to be repeated": 1, "not graded yet": 1}
    assert [row.earned for row in report.rows] == [28, 14, 0, 0, None, None, 4]
    assert report.percents == [100, 50, 0, 0, pytest.approx(100 * 4 / 28)]


def test_hardest_tests_are_of_those_who_wrote_the_function(report):
    """A test that fails since there is nothing to judge is not hard."""
    assert [(share.name, share.count, share.of) for share in report.hardest] == [
        ("manual_seed: test_1", 3, 4), ("manual_seed: test_0", 1, 4)]


def test_cases_of_a_test_are_one(tmp_path):
    """It fails where any of its cases does."""
    cases = FunctionVerdict("manual_seed", 8, (a_test("t[1]"), a_test("t[2]", WRONG)))
    report = gather(kept(tmp_path, {"ada": verdict(cases)}))

    assert [(share.name, share.count, share.of) for share in report.hardest] == [
        ("manual_seed: t", 1, 1)]


def test_bugs_are_of_those_who_wrote_tests(report):
    """Whoever wrote none, or whose tests reject right code, says nothing of a bug."""
    assert [(share.name, share.count, share.of) for share in report.bugs] == [
        ("bug 2", 1, 2), ("bug 1", 2, 2)]
    assert "name_of_2" in report.bugs[0].about


class Page(HTMLParser):
    """Collects tags, the attributes of pictures, and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.pictures, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "img":
            self.pictures.append(dict(attrs))

    def handle_data(self, data):
        self.text += f" {data}"


def test_page_has_the_numbers_and_runs_nothing(report):
    """Counts and names as text; what a learner wrote is shown and never markup."""
    page_ = Page(page(report))
    text = " ".join(page_.text.split())

    assert "7 submissions: 4 graded, 1 unreadable, 1 to be repeated, 1 not graded yet." in text
    assert "manual_seed: test_1 3 of 4 The rule of test_1." in text
    assert text.count(HOSTILE) == 2
    assert "script" not in page_.tags


def test_plots_say_their_numbers(report):
    """Each plot is a picture in the page with its numbers in words, in shades of grey."""
    alts = [picture["alt"] for picture in Page(page(report)).pictures]

    assert "graded: 4" in alts[0]
    assert "0 to 9: 2; 10 to 19: 1;" in alts[1]
    assert "50 to 59: 1;" in alts[1]
    assert "; 100: 1." in alts[1]
    assert "manual_seed: test_1: 75; manual_seed: test_0: 25." in alts[2]
    assert "bug 2: 50; bug 1: 100." in alts[3]
    for picture in Page(page(report)).pictures:
        svg = base64.b64decode(picture["src"].removeprefix("data:image/svg+xml;base64,")).decode()
        colours = set(re.findall(r"#[0-9a-f]{6}", svg))
        assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)


def test_table_is_the_class(report):
    """A row for each submission, with the points of each part; nothing where nothing is decided."""
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(table(report)))}

    assert rows["bob"] | {"earned": "14.0", "points": "28", "manual_seed": "4.0",
                          "own_tests": "10.0"} == rows["bob"]
    assert rows["eve"]["earned"] == rows["fay"]["status"].removeprefix("not graded yet") == ""
    assert rows.keys() == CLASS.keys()


@pytest.mark.parametrize("text", FORMULAS)
def test_table_runs_nothing(tmp_path, text):
    """No cell begins as a formula does, neither a name nor a message."""
    report = gather(kept(tmp_path, {text: replace(CLASS["dan"], message=text)}))
    (row,) = list(csv.reader(io.StringIO(table(report))))[1:]

    assert [cell[:1] for cell in (row[0], row[-1])] == ["'", "'"]


def test_nothing_kept_is_told(tmp_path):
    """No verdicts, no report: the message says which command makes them."""
    with pytest.raises(CourseError, match="ol autograde ch04"):
        gather(kept(tmp_path, {"ada": None}))


def test_no_class_is_told(tmp_path, monkeypatch):
    """Outside a course's folder the command says what it looked for."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli.ol, ["report", "ch04"])

    assert result.exit_code == 2
    assert "nothing is handed in for ch04_mt19937" in html.unescape(result.output)
    assert list(tmp_path.iterdir()) == []
