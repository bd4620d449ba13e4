"""The capstone from outside: installed by pip, run as a command, and held against its own record.

All twelve chapters of the reference are exported once, as a learner's work is.
"""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import books, capstone
from autograder.cli import ol
from autograder.contract import load, reference_module
from autograder.course import chapters
from autograder.package import ExportedModule, write_package

STEPS = 30


def exported(chapter) -> ExportedModule:
    names = tuple(sorted(load(chapter).names))
    cells = reference_module(chapter).cells
    return ExportedModule(
        chapter.module, chapter.slug, chapter.title, cells, names, (), chapter.packages
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python of a new environment, in which pip has installed the export of all chapters.

    The environment sees the packages that are installed beside the course, since nothing may be
    downloaded, and nothing else of it: pip is told to take no dependency and no build environment.
    """
    folder = tmp_path_factory.mktemp("install")
    write_package(folder / "export", [exported(each) for each in chapters()])
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    found = folder / "venv" / "bin" / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    empty, beside = (
        subprocess.run([each, "-c", where], capture_output=True, text=True, check=True)
        .stdout.strip()
        for each in (found, sys.executable)
    )
    first = f"import sys; sys.path.insert(0, {beside!r})\n"  # before an old setuptools of venv's
    (Path(empty) / "beside.pth").write_text(first, encoding="utf-8")
    subprocess.run(
        [found, "-I", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--no-build-isolation", "--disable-pip-version-check", folder / "export"],
        check=True,
    )
    return found


@pytest.fixture
def train(python, tmp_path):
    """``train(out, ...)``: what the installed command did, in a folder with nothing in it."""
    def run(out, *settings):
        return subprocess.run(
            [python, "-I", "-W", "error", "-m", "llmdata", "train", books.embedded(),
             tmp_path / out, "--steps", str(STEPS), *settings],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )

    return run


def report(folder):
    return json.loads((folder / "report.json").read_bytes())


def test_installed_by_pip_it_trains(train, tmp_path):
    """The export of all chapters goes from an e-book to text, and writes what it says."""
    done = train("run")

    assert (done.returncode, done.stderr) == (0, "")
    found = report(tmp_path / "run")
    assert found["last_loss"] < found["first_loss"]
    assert 2 < found["test_bits_per_byte"] < 5
    assert list(found["baselines_bits_per_byte"]) == ["unigram", "bigram", "gzip", "xz", "zstd"]
    assert all(2 < bits < 5 for bits in found["baselines_bits_per_byte"].values())
    nats, bits = found["val_nats_per_token"], found["val_bits_per_byte"]
    assert found["text"]
    sheet = json.loads((tmp_path / "run" / "datasheet.json").read_bytes())
    assert [split["documents"] for split in sheet["splits"]] == [10, 1, 1]
    assert bits == pytest.approx(nats / math.log(2) / sheet["splits"][1]["bytes_per_token"])
    assert all(str(tmp_path / "run" / name) in done.stdout
               for name in ("datasheet.json", "datasheet.md"))
    page = (tmp_path / "run" / "datasheet.md").read_text(encoding="utf-8")
    assert all(split["sha256"] in page for split in sheet["splits"])


def test_a_full_run_beats_the_baselines(python, tmp_path):
    """With all its steps it is done within two minutes, and the model is better than pairs are."""
    subprocess.run(
        [python, "-I", "-m", "llmdata", "train", books.embedded(), tmp_path / "run"],
        cwd=tmp_path, capture_output=True, check=True, timeout=120,
    )

    found = report(tmp_path / "run")
    assert found["val_bits_per_byte"] < min(found["baselines_bits_per_byte"].values())


def test_same_seed_same_bits(train, tmp_path):
    """Two processes with one seed write the same bytes; another seed does not."""
    for out, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert train(out, "--seed", seed).returncode == 0
    models = [(tmp_path / out / "model.npz").read_bytes() for out in "abc"]

    assert models[0] == models[1]
    assert report(tmp_path / "a") == report(tmp_path / "b")
    assert report(tmp_path / "a")["last_loss"] != report(tmp_path / "c")["last_loss"]


def test_the_seal_outlives_the_process(train, tmp_path):
    """A second run into the same folder reports val, and of test what the first one measured."""
    train("run", "--seed", "1")
    number = report(tmp_path / "run")["test_bits_per_byte"]
    done = train("run", "--seed", "2")

    assert done.returncode == 0
    found = report(tmp_path / "run")
    assert "test_bits_per_byte" not in found
    assert f"seed 1, {STEPS} steps: {number} bits a byte" in found["test_sealed"]


def test_seals_of_all_folders(train, tmp_path):
    """A folder of seals holds for every run that names it; a record has the hash as its name."""
    first, second = (train(out, "--seals", tmp_path / "seals") for out in ("here", "there"))

    assert (first.returncode, second.returncode) == (0, 0)
    sheet = json.loads((tmp_path / "here" / "datasheet.json").read_bytes())
    assert [each.name for each in (tmp_path / "seals").iterdir()] == [
        f"{sheet['splits'][-1]['sha256']}.txt"
    ]
    assert "test_bits_per_byte" in report(tmp_path / "here")
    assert "test_sealed" in report(tmp_path / "there")


def test_a_book_of_another_form(python, tmp_path):
    """A sentence and exit code 1, no traceback."""
    (tmp_path / "book.txt").write_text("no markers\n")
    done = subprocess.run(
        [python, "-I", "-m", "llmdata", "train", "book.txt", "out"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("python -m llmdata train: ")
    assert "Traceback" not in done.stderr


def test_pack_is_still_there(python, tmp_path):
    """The command of chapter 7 is reached through that of chapter 12."""
    done = subprocess.run(
        [python, "-I", "-m", "llmdata", "pack", "--help"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )

    assert done.returncode == 0
    assert "corpus" in done.stdout


def test_own_chapters_where_there_are_any(tmp_path, monkeypatch):
    """`ol capstone` says which chapters are the course's, and runs on what was exported."""
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    mine = [each for each in chapters() if each.module in ("rand", "normal")]
    write_package(tmp_path / "work", [exported(each) for each in mine])
    own, carried = capstone.assemble(tmp_path / "package")

    assert own == ("ch04_mt19937", "ch05_normal")
    assert {"ch08_dataloader", "ch12_capstone"} <= set(carried)
    assert not set(own) & set(carried)


def test_one_command(tmp_path, monkeypatch):
    """`ol capstone` writes a report to the folder that is named; test is evaluated once for all."""
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    for to, key in (("run", "test_bits_per_byte"), ("other", "test_sealed")):
        done = CliRunner().invoke(ol, ["capstone", "--to", str(tmp_path / to), "--steps", "2"])

        assert done.exit_code == 0, done.output
        assert done.output.startswith("yours: nothing\nthe course's: ch01_corpus, ")
        assert report(tmp_path / to)["steps"] == 2
        assert key in report(tmp_path / to)
