"""``ol release --class``: what a class receives tells no answer, and a learner can work with it.

The folder is made once, of the real course; commands run in it as a learner types them.
"""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from autograder import capstone, cli, course, examples, release, visible
from autograder.carry import Deps
from autograder.contract import OWN_TESTS, load
from autograder.course import CourseError, chapters, find
from autograder.reading import read
from autograder.sandbox import Limits
from autograder.verdict import Reason
from tests.kernel import Kernel

COURSE = Path(__file__).parent.parent
CHAPTER = find("ch04")
SLUGS = [chapter.slug for chapter in chapters()]
REGION = re.compile(r"### BEGIN (?:SOLUTION|HIDDEN TESTS)\n.*?### END", re.DOTALL)
TRIVIAL = re.compile(r".{0,24}|(import|from|except) .*")
GRADED_LATER = "the hidden tests run when you hand in"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return release.release(tmp_path_factory.mktemp("release") / "class")


@pytest.fixture(scope="module")
def later(tmp_path_factory):
    """The same for a class that is through with chapter 4."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(release, "stale", lambda chapter: [])
        return release.release(tmp_path_factory.mktemp("later") / "class", [CHAPTER])


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    return tmp_path / "work"


@pytest.fixture
def inside(bundle, work, monkeypatch):
    """This process works in the bundle, in a folder of its own."""
    monkeypatch.setenv("OL_ROOT", str(bundle))
    return bundle


def ol(bundle, *arguments, code):
    """What a command prints that is run in the bundle's folder with the bundle's own code."""
    environment = {name: value for name, value in os.environ.items() if name != "OL_ROOT"}
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *arguments], cwd=bundle, capture_output=True,
        text=True, check=False, env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def filled(slug, replace=lambda source: source, without=()):
    """The bytes of a released notebook with the course's answers in, each passed on."""
    solved, notebook = (
        json.loads((COURSE / folder / slug / f"{slug}.ipynb").read_text())
        for folder in ("solutions", "notebooks")
    )
    answers = {cell["id"]: "".join(cell["source"]) for cell in solved["cells"]}
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in without]
    for cell in notebook["cells"]:
        if cell["id"].startswith(("solve-", "tests-")):
            cell["source"] = replace(answers[cell["id"]])
    return json.dumps(notebook).encode()


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def lines(path):
    """The lines of a file without the spaces around them; of a notebook, those of its cells."""
    if path.suffix == ".bz2":
        return set()
    text = path.read_text()
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return {line.strip() for line in text.splitlines()}


def telling():
    """Lines of hidden tests, planted bugs and solutions, but for what learners are to read."""
    scripts = [path.read_text() for path in COURSE.glob("solutions/ch*.py")]
    secret = [region for script in scripts for region in REGION.findall(script)]
    for folder in ("hidden", "mutants"):
        secret += [path.read_text() for path in COURSE.glob(f"autograder/{folder}/ch*.py")]
    public = {
        line.strip().removeprefix("#").strip()
        for script in scripts for line in REGION.sub("", script).splitlines()
    }
    found = {line.strip() for text in secret for line in text.splitlines()}
    return {line for line in found - public if not TRIVIAL.fullmatch(line)}


def test_no_released_file_tells_an_answer(bundle):
    """No line of a hidden test, planted bug or solution stands in any of them."""
    secret = telling()
    assert len(secret) > 10_000

    given_away = {str(path.relative_to(bundle)): lines(path) & secret for path in files(bundle)}

    assert {path: found for path, found in given_away.items() if found} == {}


def test_nothing_lies_there_that_was_not_meant_to(bundle):
    """No tests, golden values, bytecode, solved notebooks; of hidden and mutants only the names
    that other modules import."""
    names = {path.relative_to(bundle).as_posix() for path in files(bundle)}

    assert {name.split("/")[0] for name in names} == {
        "LICENSE", "README.md", "autograder", "docs", "environment.yml", "fixtures", "notebooks",
        "ol", "pyproject.toml", "requirements.lock",
    }
    assert {name for name in names if "/hidden/" in name or "/mutants/" in name} == {
        "autograder/hidden/__init__.py", "autograder/mutants/__init__.py",
    }
    assert not [name for name in names if re.search(r"golden|\.pyc$|make\.py$|demo", name)]
    assert {name for name in names if name.endswith(".ipynb")} == {
        f"notebooks/{slug}/{slug}.ipynb" for slug in SLUGS
    }


def test_only_the_finished_solution_is_handed_out(bundle, later):
    """Besides it nothing differs but the README, which says that it is there."""
    solution = f"finished/{CHAPTER.slug}/{CHAPTER.slug}.ipynb"
    before, after = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in files(folder)
         if "__pycache__" not in path.parts}
        for folder in (bundle, later)
    )

    assert after.pop(solution) == CHAPTER.solution.read_bytes()
    assert {name for name in before | after if before.get(name) != after.get(name)} == {"README.md"}
    assert "ch04 is over" in after["README.md"].decode()
    assert "`finished/`" not in before["README.md"].decode()


def test_every_fixture_that_a_notebook_reads_is_there(bundle):
    """Each path below fixtures/ that a released cell spells, and the embedded book."""
    cells = "\n".join(line for slug in SLUGS for line in
                      lines(bundle / "notebooks" / slug / f"{slug}.ipynb"))
    found = re.findall(r'root\(\) / "([^)]*?)"\)', cells)
    spelled = {path.replace('" / "', "/") for path in found}

    assert spelled
    assert all((bundle / path).is_file() for path in spelled)
    assert (bundle / "fixtures" / "book" / "twelve_stories.txt").is_file()


def test_links_lead_somewhere(bundle):
    """Every relative link in a released page points at a released file or folder."""
    pages = [path for path in files(bundle) if path.suffix == ".md"]
    broken = [
        f"{page.relative_to(bundle)}: {link}"
        for page in pages
        for link in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text())
        if not (page.parent / link).exists()
    ]
    assert len(pages) > 5
    assert broken == []


@pytest.fixture
def built(monkeypatch):
    """Whether built files are fresh is taken for granted: to find out takes a while."""
    monkeypatch.setattr(release, "stale", lambda chapter: [])


def test_same_course_same_bytes(bundle, built, tmp_path):
    """Names, bytes and modes are equal; an empty folder is as good as none."""
    (tmp_path / "again").mkdir()
    again = release.release(tmp_path / "again")

    def content(folder):
        return [(path.relative_to(folder), path.read_bytes(), path.stat().st_mode)
                for path in files(folder) if "__pycache__" not in path.parts]

    assert content(again) == content(bundle)
    assert os.access(again / "ol", os.X_OK)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


@pytest.mark.parametrize("name", ["full", "file"])
def test_what_is_there_stays(built, tmp_path, name):
    """A folder with something in it, or a file, is refused with 2 and left alone."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    before = {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")}

    result = CliRunner().invoke(cli.ol, ["release", "--class", str(tmp_path / name)])

    assert result.exit_code == 2
    assert "is there already, and not an empty folder; nothing was changed" in result.output
    assert {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")} == before


def test_a_stale_notebook_is_not_released(monkeypatch, tmp_path):
    """What does not come from its source is named, and nothing is written."""
    monkeypatch.setattr(release, "stale", lambda chapter: [f"{chapter.slug} is stale"])

    with pytest.raises(CourseError, match="ch04_mt19937 is stale"):
        release.release(tmp_path / "class")

    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_nothing_behind(built, monkeypatch, tmp_path):
    """A disk that fills up half way is told, and no half of a folder stays."""
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(release.shutil, "copyfile", full)

    with pytest.raises(CourseError, match="No space left on device"):
        release.release(tmp_path / "class")

    assert list(tmp_path.iterdir()) == []


def test_a_learners_way(bundle, work):
    """Start, check, fill, check, export, in the bundle: each step says that hidden tests are still
    to come, and the package's provenance says what was proven."""
    assert "Next: ol start ch01" in ol(bundle, "status", code=0)
    ol(bundle, "start", "ch04", code=0)
    untouched = ol(bundle, "check", "ch04", code=1)
    assert "the visible checks do not all pass yet" in untouched
    assert untouched.count("not written yet") > len(load(CHAPTER).parts)
    assert GRADED_LATER in untouched
    assert "Four steps" in ol(bundle, "hint", "randint32", code=0)

    (work / CHAPTER.slug / f"{CHAPTER.slug}.ipynb").write_bytes(filled(CHAPTER.slug))
    verdict = json.loads(ol(bundle, "check", "ch04", "--json", code=0))
    schema = json.loads((bundle / "docs" / "formats" / "verdict.schema.json").read_text())
    jsonschema.validate(verdict, schema)
    assert (verdict["passed"], verdict["points"], verdict["earned"]) == (True, 0, 0)
    assert verdict["suite_sha256"] == ""
    assert "visible checks pass" in ol(bundle, "status", code=0)

    exported = ol(bundle, "export", code=0)
    assert "Only visible checks ran" in exported
    provenance = json.loads((work / "llmdata" / "PROVENANCE.json").read_text())
    functions = provenance["modules"]["rand"]["functions"]
    assert {each["verdict"] for each in functions} == {"visible checks only"}
    assert {each["origin"] for each in functions} == {"learner"}


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (("check", "ch05"), 2, "needs A0.1: build it first"),
    (("check", "ch05", "--ref-deps"), 2, "is not in what a class receives"),
    (("check", "ch04", "--solutions"), 2, "solution of ch04_mt19937 is not in what a class"),
    (("diff", "ch04"), 2, "solution of ch04_mt19937 is not in what a class"),
    (("export", "--solutions"), 2, "is not in what a class receives"),
    (("tests", "ch04"), 2, "they run when the notebook is handed in"),
    (("hint", "own_tests"), 2, "a slip that one of them should notice"),
    (("release", "--class", "x"), 2, "No such command"),
    (("--help",), 0, "run its visible checks"),
])
def test_what_is_not_here_is_said(bundle, work, arguments, code, said):
    """Each command that needs what a class does not receive says so, and has no traceback."""
    assert said in " ".join(ol(bundle, *arguments, code=code).split())


def test_a_finished_chapter_carries_later_ones(later, work):
    """Without an export, chapter 5 stands on the solution that was handed out, and says so."""
    slug = find("ch05").slug
    ol(later, "start", "ch05", code=0)
    (work / slug / f"{slug}.ipynb").write_bytes(filled(slug))

    assert "or rerun with --ref-deps" in ol(later, "check", "ch05", code=2)
    verdict = json.loads(ol(later, "check", "ch05", "--ref-deps", "--json", code=0))
    assert (verdict["passed"], verdict["carried"]) == (True, [CHAPTER.slug])
    said = ol(later, "check", "ch05", "--ref-deps", code=0)
    assert f"Carried on the reference: {CHAPTER.slug}" in said
    assert "is not in what a class receives" in ol(later, "check", "ch08", "--ref-deps", code=2)


def test_a_finished_chapter_can_be_compared(later, work):
    """``ol diff`` shows what was handed out beside what the learner wrote."""
    ol(later, "start", "ch04", code=0)
    mine = filled(CHAPTER.slug, lambda source: source.replace("(high << 32)", "high << 32"))
    (work / CHAPTER.slug / f"{CHAPTER.slug}.ipynb").write_bytes(mine)

    said = ol(later, "diff", "ch04", code=0)

    assert "reference: randint64" in said
    assert "-    return high << 32 | low" in said


def test_an_unknown_finished_chapter_is_named(built, tmp_path):
    """And nothing is written."""
    result = CliRunner().invoke(
        cli.ol, ["release", "--class", str(tmp_path / "class"), "--finished", "ch40"])

    assert result.exit_code == 2
    assert "there is no chapter 'ch40'" in result.output
    assert list(tmp_path.iterdir()) == []


def test_planted_bugs_are_not_here(bundle, work):
    """``ol mutate`` says when they come, whether tests are written or not."""
    ol(bundle, "start", "ch04", code=0)
    for content in (None, filled(CHAPTER.slug)):
        if content:
            (work / CHAPTER.slug / f"{CHAPTER.slug}.ipynb").write_bytes(content)
        said = ol(bundle, "mutate", "ch04", code=2)
        assert "planted bugs of ch04_mt19937 are not installed" in said


@pytest.fixture(scope="module")
def all_exported(tmp_path_factory):
    """A learner's folder with every chapter in it, made in the course itself."""
    folder = tmp_path_factory.mktemp("exported")
    capstone.assemble(folder, Deps.REFERENCE)
    return folder


@pytest.mark.parametrize("slug", SLUGS)
def test_every_hand_example_holds(all_exported, inside, monkeypatch, slug):
    """In each chapter the course's answers pass every visible check, and would import."""
    monkeypatch.setenv("OL_WORK", str(all_exported))
    verdict = visible.checked(find(slug), filled(slug, without=("tests-own_tests",)))

    failed = [function for function in verdict.functions if not function.passed]
    assert [function.name for function in failed] == [OWN_TESTS]
    assert failed[0].first_failure.failure.reason is Reason.UNWRITTEN
    assert verdict.problems == ()


def failures(content):
    """The failure of each function's visible check."""
    verdict = visible.checked(find("ch04"), content)
    return {each.name: each.first_failure.failure for each in verdict.functions if each.failures}


def test_a_wrong_value_shows_both_sides(inside):
    """The example's line, what it wants and what it got; functions that do not call it pass."""
    found = failures(filled(
        CHAPTER.slug, lambda source: source.replace("(high << 32) | low", "(low << 32) | high"),
        without=("tests-own_tests",),
    ))

    assert set(found) == {"randint64", "randfloat64", OWN_TESTS}
    wrong = found["randint64"]
    assert (wrong.reason, wrong.wanted) == (Reason.WRONG, "17410963294559324454")
    assert wrong.got == str((2173880614 << 32) | 4053805790)
    assert wrong.given == "assert randint64(state) == 17410963294559324454"
    assert wrong.where == "the hand example of randint64, line 3"


@pytest.mark.parametrize(("body", "reason", "message"), [
    ("return 1 // 0", Reason.ERROR, "ZeroDivisionError"),
    ("raise NotImplementedError", Reason.UNWRITTEN, "not written yet"),
    ("while True: pass", Reason.TIMEOUT, "took longer than"),
    ("import os; os._exit(0)", Reason.EXITED, "ended the process"),
    ("assert False, 'mine'", Reason.ERROR, "AssertionError: mine"),
])
def test_each_kind_of_failure_is_told(inside, monkeypatch, body, reason, message):
    """What a function does when its example calls it; the place is in the learner's cell."""
    monkeypatch.setattr(visible, "limits_for", lambda contract: Limits(test_seconds=2))
    content = filled(CHAPTER.slug, lambda source: source.replace(
        "    ### BEGIN SOLUTION\n    high", f"    {body}\n    ### BEGIN SOLUTION\n    high"))
    chapter = find("ch04")
    part = load(chapter).part("randint64")
    found = visible.check_function(chapter, read(content, load(chapter)), part)

    failure = found.first_failure.failure
    assert (failure.reason, message in failure.message) == (reason, True)
    if reason in (Reason.ERROR, Reason.UNWRITTEN):
        assert "(solve-randint64), line" in failure.where


def test_cells_that_never_end_fail_every_check(inside, monkeypatch):
    """They are run once and not for each function; the status says it."""
    monkeypatch.setattr(visible, "limits_for", lambda contract: Limits(test_seconds=2))
    content = filled(CHAPTER.slug, lambda source: source.replace(
        "def manual_seed", "while True: pass\ndef manual_seed"), without=("tests-own_tests",))

    started, worker = [], visible.Box.worker
    monkeypatch.setattr(
        visible.Box, "worker", lambda *args: started.append(args) or worker(*args))

    verdict = visible.checked(find("ch04"), content)

    assert len(started) == 1
    assert verdict.status == "timed out"
    reasons = {each.first_failure.failure.reason for each in verdict.functions}
    assert reasons == {Reason.TIMEOUT, Reason.UNWRITTEN}


def test_examples_are_the_courses_own(inside):
    """Whoever changes an example in the notebook is checked by the one that was released."""
    content = filled(CHAPTER.slug, lambda source: source.replace("high << 32", "high << 31"),
                     without=("tests-own_tests",)).replace(b"17410963294559324454", b"1")

    assert "randint64" in failures(content)


def test_both_sides_are_kept_and_no_line_moves():
    """Of each ``assert a == b``, whatever its form; what it says stays as it is."""
    source = "x = 1\nassert (x) == 1\nassert [é := x,\n  2] == (\n  [1, 2])\nassert x != 2, 'é'"
    example, names = examples.Example("f", source, ()), {}
    kept = example.cells[0].source
    exec(kept, names)

    assert kept.count("\n") == source.count("\n")
    assert [names[name] for name in examples.sides(2)] == [1, 1]
    assert [names[name] for name in examples.sides(3)] == [[1, 2], [1, 2]]
    said = [ast.unparse(example.assertion(line).test) for line in (2, 4, 6)]
    assert said == ["x == 1", "[(é := x), 2] == [1, 2]", "x != 2"]


def test_a_notebook_without_header_is_named(inside, tmp_path, monkeypatch):
    """A learner learns which released notebook is not as it came."""
    broken = tmp_path / "notebooks" / "ch04_x" / "ch04_x.ipynb"
    broken.parent.mkdir(parents=True)
    broken.write_text('{"metadata": {}}')
    monkeypatch.setenv("OL_ROOT", str(tmp_path))

    with pytest.raises(CourseError, match=rf"{broken} does not say which chapter it is"):
        course.chapters()


def test_a_notebook_in_the_kernel(bundle, tmp_path):
    """Cards say what passed and what is left to grading; tests run on the learner's code."""
    kernel = Kernel(tmp_path, bundle, CHAPTER.slug)
    try:
        kernel.run("from autograder.learn import check, check_tests")
        for cell in json.loads(filled(CHAPTER.slug))["cells"]:
            if cell["id"] in ("given-state", "solve-manual_seed", "solve-next_state"):
                kernel.run("".join(cell["source"]))
        passed = kernel.card("check('manual_seed')")
        missing = kernel.card("check('randint32')")
        kernel.run("def test_three():\n    state = MT19937State()\n    manual_seed(state, 3)\n"
                   "    assert state.state[1] == 1142332464")
        tests = kernel.card("check_tests()")
    finally:
        kernel.stop()

    assert passed.startswith("✔ manual_seed: passed")
    assert missing.startswith("○ randint32: missing")
    assert GRADED_LATER in passed
    assert tests.startswith("✔ own_tests: passed\n  1 test passed.")
    assert "planted bugs grade them when you hand in" in tests


def test_a_finished_chapter_in_the_kernel(later, tmp_path):
    """An import says whose code it is, and checks go on."""
    chapter = find("ch05")
    kernel = Kernel(tmp_path, later, chapter.slug)
    try:
        kernel.run("from autograder.learn import check, check_tests")
        cells = {cell["id"]: "".join(cell["source"])
                 for cell in json.loads(filled(chapter.slug))["cells"]}
        said = [line for name, source in cells.items() if name.startswith("given-")
                for _, text in kernel.run(source) for line in text.splitlines()]
        kernel.run(cells["solve-uniform_"])
        passed = kernel.card("check('uniform_')")
    finally:
        kernel.stop()

    assert f"llmdata.rand: {CHAPTER.slug} is not exported yet, so this is the course's own" in said
    assert passed.startswith("✔ uniform_: passed")
