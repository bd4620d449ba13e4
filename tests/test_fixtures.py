"""Golden data is what its recipe makes, and its README tells the truth about it.

NumPy's parts are made anew always, those of PyTorch and Hugging Face where that exact version is
installed.
"""

import hashlib
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from fixtures.ch04_mt19937.make import from_numpy, from_torch, published
from fixtures.make import files, recipe

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROW = re.compile(r"^\| `(?P<file>[^`]+)` \| [^|]+ \| `(?P<sha256>\w{64})` \|$", re.M)
ROWS = {match["file"]: match for match in ROW.finditer((FIXTURES / "README.md").read_text())}
MT19937 = {"published": published, "numpy": from_numpy}


@pytest.fixture(scope="module")
def mt19937():
    return json.loads((FIXTURES / "ch04_mt19937" / "golden.json").read_text())


def test_every_file_has_a_row():
    """The README lists every golden file, and no other."""
    assert sorted(ROWS) == files()


@pytest.mark.parametrize("file", sorted(ROWS))
def test_hash_is_the_files(file):
    """The SHA-256 in the README is the file's."""
    assert ROWS[file]["sha256"] == hashlib.sha256((FIXTURES / file).read_bytes()).hexdigest()


@pytest.mark.parametrize("file", sorted(ROWS))
def test_recipe_is_found_by_the_files_name(file):
    """The make.py beside a file has a recipe for it."""
    assert callable(recipe(file))


@pytest.mark.parametrize("part", ["published", "numpy"])
def test_mt19937_parts_regenerate(mt19937, part):
    """The published values and NumPy's come out of the recipe as they stand in the file."""
    assert MT19937[part]() == mt19937[part]


def test_mt19937_torch_regenerates(mt19937):
    """PyTorch's values come out of the recipe as they stand in the file, to the last bit."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    version = mt19937["torch"]["version"]
    if torch.__version__.split("+")[0] != version:
        pytest.skip(f"the values were made with torch {version}, installed is {torch.__version__}")

    assert from_torch() == mt19937["torch"]


def test_mt19937_sources_agree(mt19937):
    """PyTorch's words begin with the published ones: two sources, one stream."""
    words = mt19937["torch"]["seeds"]
    published = mt19937["published"]

    assert words["137"]["raw32"][:5] == published["first_five_words_of_seed_137"]["value"]
    assert words["42"]["raw32"][0] == published["first_word_of_seed_42"]["value"]


@pytest.mark.parametrize(("call", "part"), [
    ("raw32: int64 empty(3)", "raw32"),
    ("raw64 (unsigned): int64 empty(3)", "raw64"),
    ("rand(4)", "rand32"),
    ("rand(4,dtype=float64)", "rand64"),
    ("raw64 % 0xFFFFFFFF", "randint"),
])
def test_mt19937_equals_other_torch_run(mt19937, call, part):
    """Values of PyTorch that were recorded apart from these, in another run, are the same."""
    other = Path(os.environ.get("OL_DATA", "")) / "torch_golden.json"
    if not os.environ.get("OL_DATA") or not other.exists():
        pytest.skip("OL_DATA names no folder with torch_golden.json")
    for seed, calls in json.loads(other.read_text()).items():
        wanted = next(values for name, values in calls.items() if name.startswith(call))

        assert mt19937["torch"]["seeds"][seed][part][: len(wanted)] == wanted


def test_bpe_regenerates():
    """Hugging Face's chunks and merges come out of the recipe as they stand in the file."""
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    content = (FIXTURES / "ch02_bpe" / "golden.json").read_bytes()
    version = json.loads(content)["version"]
    if tokenizers.__version__ != version:
        pytest.skip(f"made with tokenizers {version}, installed is {tokenizers.__version__}")

    assert recipe("ch02_bpe/golden.json")() == content


def test_buckets_regenerate():
    """The buckets by sha256sum and bc come out of the recipe as they stand in the file."""
    for tool in ("sha256sum", "bc"):
        if shutil.which(tool) is None:
            pytest.skip(f"the tool {tool} is not installed")

    content = (FIXTURES / "ch06_shards" / "golden.json").read_bytes()
    assert recipe("ch06_shards/golden.json")() == content
