"""``ol audit``: nothing to say of the course as it is, and a sentence for whatever is broken."""

import json
import shutil
from pathlib import Path

import pytest

from autograder import audit, build
from autograder.course import chapters, find
from autograder.mutants import Mutant
from autograder.verdict import FunctionVerdict, Outcome, Status, TestVerdict, Verdict
from tests.toy import make_tested

ROOT = Path(__file__).parent.parent
SLUG = "ch04_mt19937"


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.slug)
def test_course_has_no_finding(chapter):
    """Every chapter as it is committed is whole. Bugs, variants and automatic mutants are chapter
    4's only: those of all take 'ol audit' longer than all other tests together."""
    assert audit.findings((chapter,), thorough=chapter.slug == SLUG) == ()


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A copy of the course that may be broken."""
    for name in ("solutions", "notebooks", "fixtures", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("hidden", "mutants"):
        shutil.copytree(
            ROOT / "autograder" / name,
            tmp_path / "autograder" / name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    monkeypatch.setenv("OL_ROOT", str(tmp_path))
    return tmp_path


def rewrite(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def release_with(course, change):
    path = course / "notebooks" / SLUG / f"{SLUG}.ipynb"
    notebook = json.loads(path.read_text())
    change(notebook["cells"])
    path.write_text(json.dumps(notebook))


def said(check):
    return " ".join(check(find(SLUG)))


@pytest.mark.parametrize(
    "name",
    [
        f"notebooks/{SLUG}/{SLUG}.ipynb",
        f"autograder/hidden/{SLUG}.py",
        f"autograder/mutants/{SLUG}.py",
        "docs/contracts/llmdata/rand.pyi",
    ],
)
def test_missing_file_of_the_row(course, name):
    """Each file that a chapter needs is named when it is gone."""
    (course / name).unlink()

    assert name in said(audit.row_whole)


def test_stale_notebook(course):
    """A source that was edited after the last build is named."""
    rewrite(course / "solutions" / f"{SLUG}.py", "pencil and paper", "pen and paper")

    assert "run 'ol build" in said(audit.built_fresh)


def test_outputs_and_doubled_ids(course):
    """A notebook that was run, or holds an id twice, is named."""

    def change(cells):
        cells[0]["id"] = cells[1]["id"]
        next(cell for cell in cells if cell["cell_type"] == "code")["execution_count"] = 3

    release_with(course, change)

    assert "2 times" in said(audit.notebooks_clean)
    assert "holds outputs" in said(audit.notebooks_clean)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('@checks("randint64"', '@checks("randint46"', "which is no function of the chapter"),
        ('    """Seed 3 puts 3', '    """', "has no rule"),
    ],
)
def test_hidden_tests_that_are_not_whole(course, old, new, sentence):
    """A test that belongs to no function, or has no rule, is named."""
    path = course / "autograder" / "hidden" / f"{SLUG}.py"
    if sentence.endswith("rule"):
        text = path.read_text()
        start = text.index(old)
        path.write_text(text[:start] + text[text.index("\n", start) + 1 :])
    else:
        rewrite(path, old, new)

    assert sentence in said(audit.functions_whole) + said(audit.tests_declared)


def test_hints_and_hand_examples(course):
    """A function short of a hint, or without its visible example, is named."""

    def change(cells):
        cells[:] = [cell for cell in cells if cell["id"] != "example-randint32"]
        hints = next(cell for cell in cells if cell["id"] == "hints-randint64")
        hints["source"] = "".join(hints["source"]).partition("<details><summary>Hint 3")[0]

    release_with(course, change)

    assert 'randint32 has no cell with example="randint32"' in said(audit.functions_whole)
    assert "randint64 has 2 hints instead of 3" in said(audit.functions_whole)


def test_test_that_a_stub_passes(course):
    """A hidden test that an empty stub passes is named: it tests nothing."""
    rewrite(
        course / "autograder" / "hidden" / f"{SLUG}.py",
        "    assert randint32(state) == tempered",
        "    assert state is not None",
    )

    assert "the empty stub passes test_tempering_by_hand" in said(audit.stubs_fail)


def test_reference_that_fails(course):
    """A hidden test that the reference fails is named."""
    rewrite(
        course / "autograder" / "hidden" / f"{SLUG}.py",
        "assert randint32(state) == tempered",
        "assert randint32(state) == tempered + 1",
    )

    assert "the reference fails test_tempering_by_hand" in said(audit.reference_passes)


def test_bug_that_nobody_notices_and_test_that_notices_none(monkeypatch):
    """A planted bug without a test is named, and so is a test without a bug."""
    same = Mutant("randint64", "harmless", old="high", new="high", why="it is no bug")
    monkeypatch.setattr(audit, "killers", lambda chapter: {same: frozenset()})
    sentences = said(audit.bugs_and_tests_match)

    assert "no hidden test notices harmless in randint64" in sentences
    assert "hidden test test_high_half_first notices no planted bug" in sentences


def test_leak(course):
    """A line of the solution in a released cell is named."""
    release_with(course, lambda cells: cells[0].update(source="    y ^= (y << 15) & 0xEFC60000"))

    assert "gives away the line 'y ^= (y << 15) & 0xEFC60000'" in said(audit.nothing_leaks)


def test_changed_golden_data(course):
    """A golden file whose hash is not the recorded one is named."""
    rewrite(course / "fixtures" / SLUG / "golden.json", "4053805790", "4053805791")

    assert "its SHA-256 does not stand in fixtures/README.md" in said(audit.fixtures_recorded)


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The toy course's first chapter, built, with hidden tests and planted bugs."""
    monkeypatch.setenv("OL_ROOT", str(make_tested(tmp_path)))
    chapter = find("ch01")
    build.write(chapter)
    return chapter


LISTED = "return min(number + number, LIMIT * 10)"
SWAPPED = "return min(LIMIT * 10, number + number)"


@pytest.mark.parametrize(
    ("file", "old", "new", "sentences"),
    [
        ("hidden", "", "", []),
        (
            "hidden",
            "double(60) == 100",
            "double(60) <= 100",
            [f"ch01_count: no hidden test notices `{LISTED}` -> `return min(number + number, "
             "LIMIT * 9)` in double; add one, or list it as equivalent in "],
        ),
        (
            "hidden",
            'def test_limit(double):\n    """Nothing is more than 100."""\n'
            "    assert double(60) == 100\n",
            "def helper(): ...\n",
            [f"no hidden test notices `{LISTED}` -> `return min(number + number, LIMIT * {n})`"
             for n in (11, 9)],
        ),
        (
            "mutants",
            SWAPPED,
            "return min(number - number, LIMIT * 10)",
            [
                f"no hidden test notices `{LISTED}` -> `{SWAPPED}` in double",
                f"`{LISTED}` -> `return min(number - number, LIMIT * 10)` in double is listed as "
                "equivalent, but a hidden test notices it",
            ],
        ),
        (
            "mutants",
            f"`{LISTED}`",
            "`return 2 * number`",
            [
                f"no hidden test notices `{LISTED}` -> `{SWAPPED}` in double",
                f"`return 2 * number` -> `{SWAPPED}` in double is listed as equivalent, but it is "
                "no mutant",
            ],
        ),
    ],
    ids=["whole", "weakened", "removed", "noticed", "gone"],
)
def test_automatic_mutants(toy, file, old, new, sentences):
    """A change of the reference that no test notices is named; so is an entry out of date."""
    rewrite(getattr(toy, file), old, new)
    found = list(audit.automatic_mutants_noticed(toy))

    assert len(found) == len(sentences)
    for sentence, wanted in zip(found, sentences, strict=True):
        assert wanted in sentence


def test_variant_that_is_rejected(toy):
    """A hidden test that asks for more than the chapter does is named, with the variant."""
    assert list(audit.variants_pass(toy)) == []

    rewrite(toy.hidden, "running([1, 2, 3])", "running(numbers=[1, 2, 3], start=0)")

    assert list(audit.variants_pass(toy)) == [
        "ch01_count: hidden test test_totals rejects the correct variant shifted; mend the one or "
        "the other"
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("mutants", '"`LIMIT` forgotten"', '""', "no planted bug has the pitfall '`LIMIT` forgo"),
        ("source", "# | last total only", "# | the last", "of last_one, 'last total only', stands"),
        ("source", "`test_totals`", "`test_total`", "test_total does not catch 'last total only'"),
        ("source", "`test_limit`", "`test_twice`", "test_twice does not catch '`LIMIT` forgotten'"),
    ],
)
def test_pitfalls(toy, file, old, new, sentence):
    """Slips in the text and planted bugs belong together, and the test named catches the bug."""

    def found():
        return [*audit.pitfalls_planted(toy), *audit.bugs_and_tests_match(toy)]

    assert found() == []

    rewrite(getattr(toy, file), old, new)

    assert sentence in " ".join(found())


@pytest.mark.parametrize(
    "name",
    [
        "autograder/hidden/ch77_gone.py",
        "notebooks/ch77_gone",
        "docs/contracts/llmdata/gone.pyi",
    ],
)
def test_orphan(course, name):
    """A file that belongs to no chapter is named."""
    (course / name).mkdir() if name.startswith("notebooks") else (course / name).write_text("")

    assert "belongs to no chapter" in " ".join(audit.orphans())


def test_a_fault_is_no_failure(monkeypatch):
    """What the grader could not decide is told as its own, and what failed as the chapter's."""
    tests = tuple(
        TestVerdict(outcome.name.lower(), "unit", "", outcome, False)
        for outcome in (Outcome.FAILED, Outcome.FAULT, Outcome.PASSED)
    )
    verdict = Verdict(SLUG, Status.GRADED, (FunctionVerdict("randint32", 1, tests),), "A", "", "")
    monkeypatch.setattr(audit, "_reference", lambda chapter: verdict)

    assert list(audit.reference_passes(find(SLUG))) == [
        f"{SLUG}: the reference fails failed of randint32; mend the one or the other",
        f"{SLUG}: the grader itself fails in fault of randint32; mend the grader",
    ]
