"""Chapter 6's own code beside pyarrow, in little memory, stopped at every step, and in other
processes; and the page and the schema of its format."""

import hashlib
import json
import struct
import tracemalloc
from pathlib import Path

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import outside

FORMATS = Path(__file__).parent.parent / "docs" / "formats"
PAGE = (FORMATS / "shards-manifest.md").read_text(encoding="utf-8")
SCHEMA = json.loads((FORMATS / "shards-manifest.schema.json").read_bytes())
THREE = [("a:0", "Hi"), ("a:1", "é"), ("a:2", "ok")]
MANIFEST = "_MANIFEST.json"


@pytest.fixture(scope="module")
def shards():
    with outside.reference("ch06") as module:
        yield module


def written(shards, docs, out, permille=100, rows=1000):
    shards.write_shards(docs, out, val_permille=permille, rows_per_shard=rows)
    return out


def bucket(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) % 1000


# -- other readers ----------------------------------------------------------------------------


def test_pyarrow_reads_what_was_written(shards, tmp_path):
    """As a data set of many files, with each text in the split of its hash: all translations."""
    docs = list(outside.translations().items())
    out = written(shards, docs, tmp_path / "out", permille=300, rows=100)

    for split in ("train", "val"):
        table = pa.concat_tables(pq.read_table(path) for path in sorted(out.glob(f"{split}-*")))
        own = [doc for doc in docs if (bucket(doc[1]) < 300) == (split == "val")]
        assert table.column_names == ["id", "text"]
        assert list(zip(*table.to_pydict().values(), strict=True)) == own
        assert list(shards.read_shards(out / MANIFEST, split)) == own


def test_files_are_framed_as_parquet_is(shards, tmp_path):
    """PAR1, the size of the footer as four bytes, the smallest first, and PAR1 again."""
    out = written(shards, shards.made_up(600), tmp_path / "out")
    for path in out.glob("*.parquet"):
        data = path.read_bytes()
        footer, end = struct.unpack("<I4s", data[-8:])

        assert (data[:4], end) == (b"PAR1", b"PAR1")
        assert footer == pq.read_metadata(path).serialized_size < len(data) - 12


# -- memory -----------------------------------------------------------------------------------


def most_held(documents):
    """The most bytes that Python and Arrow hold for it while documents go by."""
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    arrow = max(pa.total_allocated_bytes() - before for _ in documents)
    python = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return arrow + python


def test_reading_holds_a_row_group(shards, tmp_path):
    """Of a file of 32 row groups, never more than a few times the texts of one."""
    docs = shards.made_up(32 * 256, 400)
    out = written(shards, docs, tmp_path / "out", permille=0, rows=32 * 256)

    assert most_held(shards.read_shards(out / MANIFEST, "train")) < 6 * 256 * 2000


def test_writing_holds_a_shard(shards, tmp_path):
    """Four times as many documents take no more memory to write."""
    most = {}
    for n in (1000, 4000):
        tracemalloc.start()
        written(shards, shards.made_up(n, 400), tmp_path / "out", permille=0, rows=250)
        most[n] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert most[4000] < 1.2 * most[1000]


# -- stopped at every step --------------------------------------------------------------------

# Each step of a run that touches files is stopped once, in a process forked for it: by an error, or
# by the end of the process. A stopped write leaves half of its file.
STOPPED = """
import hashlib, os, shutil, sys
from pathlib import Path
from tests import outside

STEPS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "half written")
folder, way = Path(sys.argv[1]), sys.argv[2]
out, old = folder / "out", folder / ".out.replaced"


def contents(path):
    return {each.name: each.read_bytes() for each in path.iterdir()} if path.exists() else None


def run(n, stop_at=0):
    steps = 0

    def step(event, arguments):
        nonlocal steps
        if event in STEPS and str(folder) in str(arguments[0]):
            steps += 1
            if steps == stop_at:
                if way == "killed":
                    os._exit(9)
                raise OSError(28, "No space left on device")

    def half_first(table, path, **settings):
        whole(table, path, **settings)
        data = path.read_bytes()
        os.truncate(path, len(data) // 2)
        sys.audit("half written", path)
        path.write_bytes(data)

    whole, shards.pq.write_table = shards.pq.write_table, half_first
    sys.addaudithook(step)
    shards.write_shards(shards.made_up(n), out, val_permille=300, rows_per_shard=4)
    return 0 < stop_at <= steps


def forked(n, stop_at=0):
    child = os.fork()
    if child == 0:
        try:
            reached = run(n, stop_at)
        except OSError:
            os._exit(1)
        os._exit(2 if reached else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


with outside.reference("ch06") as shards:
    assert forked(20) == 0
    new = contents(out)
    lost, at, codes = 0, 0, []
    while not codes or codes[-1] != 0:
        shutil.rmtree(folder)
        folder.mkdir()
        assert forked(9) == 0
        earlier, at = contents(out), at + 1
        codes.append(forked(20, stop_at=at))
        there = contents(out) or (contents(old) if way == "killed" else None)
        lost += there not in (earlier, new)
        assert forked(20) == 0
        lost += contents(out) != new or list(folder.iterdir()) != [out]
print(f"{len(codes) - 1} times {way}, {lost} lost, codes {sorted(set(codes[:-1]))}")
"""


@pytest.mark.parametrize(("way", "codes"), [("failed", [1, 2]), ("killed", [9])])
def test_a_stopped_run_loses_nothing(tmp_path, way, codes):
    """Wherever a run fails or is killed, the corpus there is the old one or the new one, whole, and
    the next run leaves the new one and nothing else. Where the old one cannot be deleted any more,
    the run has not failed (2)."""
    said = outside.elsewhere(STOPPED, str(tmp_path / "files"), way)
    print("faults injected:", said)

    assert int(said.split()[0]) >= 30
    assert said.endswith(f"{way}, 0 lost, codes {codes}\n")


def laid(folder, **files):
    """A folder with these files."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)


def test_a_backup_stays(shards, tmp_path):
    """A corpus that its owner has called out.old is not taken for one of a run: it is neither put
    back nor deleted."""
    written(shards, THREE, tmp_path / "out").rename(tmp_path / "out.old")
    kept = (tmp_path / "out.old" / MANIFEST).read_bytes()
    for _ in range(2):
        written(shards, [], tmp_path / "out")

    assert (tmp_path / "out.old" / MANIFEST).read_bytes() == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.old"]


@pytest.mark.parametrize("place", ["out", ".out.replaced"])
@pytest.mark.parametrize("manifest", [None, '{"format": "llmdata-tokens"}'])
def test_what_a_run_has_not_made_stays(shards, tmp_path, place, manifest):
    """In the place of a corpus or of one put aside, without a manifest or with one of something
    else: a FileExistsError that names it, and nothing is moved."""
    beside = {} if manifest is None else {MANIFEST: manifest}
    laid(tmp_path / place, **beside, **{"thesis.txt": "all of it"})
    with pytest.raises(FileExistsError, match=rf"{place} was not written"):
        written(shards, THREE, tmp_path / "out")

    assert [path.name for path in tmp_path.iterdir()] == [place]
    assert (tmp_path / place / "thesis.txt").read_text() == "all of it"


# -- the same bytes ---------------------------------------------------------------------------

HASHED = """
import hashlib, sys
from pathlib import Path
import pyarrow as pa
from tests import outside

pa.set_cpu_count(int(sys.argv[2]))
with outside.reference("ch06") as shards:
    out = Path(sys.argv[1])
    shards.write_shards(shards.made_up(3000, 50), out, val_permille=300, rows_per_shard=700)
    for path in sorted(out.iterdir()):
        print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_other_processes_write_the_same_bytes(tmp_path):
    """With another hash seed, another time zone, and one thread or two."""
    one = outside.elsewhere(HASHED, str(tmp_path / "one"), "1", PYTHONHASHSEED="1", TZ="UTC")
    two = outside.elsewhere(HASHED, str(tmp_path / "two"), "2", PYTHONHASHSEED="2", TZ="Asia/Tokyo")

    assert one == two
    assert len(one.splitlines()) == 6


# -- the page and the schema ------------------------------------------------------------------


def example():
    """The manifest that stands in the page."""
    return PAGE.partition("```json\n")[2].partition("```")[0]


@pytest.mark.parametrize("docs", [[], THREE, [(f"{n}", f"{n}") for n in range(20)]])
def test_manifests_follow_the_schema(shards, tmp_path, docs):
    """Whatever the corpus; so does the example in the page."""
    out = written(shards, docs, tmp_path / "out", rows=3)

    jsonschema.validate(json.loads((out / MANIFEST).read_bytes()), SCHEMA)
    jsonschema.validate(json.loads(example()), SCHEMA)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version": 1', '"version": 2'), ('"val_permille": 100', '"val_permille": 1001'),
        ('"rows_per_shard": 2', '"rows_per_shard": 0'), ('"rows": 2', '"rows": -1'),
        ('"rows": 2,', ""), ("train-00000", "train-0"), ('"split": "val"', '"split": "test"'),
        ("6bb6c4", "6BB6C4"), ('"rows_per_shard": 2', '"rows_per_shard": 2, "date": "today"'),
    ],
)
def test_the_schema_refuses_others(old, new):
    """The example with one thing changed is no manifest."""
    assert old in example()
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(example().replace(old, new, 1)), SCHEMA)


def test_the_page_s_example_is_what_is_written(shards, tmp_path):
    """To the byte, with the release of pyarrow that the page names."""
    if f"pyarrow {pa.__version__} gives" not in PAGE:
        pytest.skip(f"the page's hashes are of another pyarrow than {pa.__version__}")
    out = written(shards, THREE, tmp_path / "out", rows=2)

    assert (out / MANIFEST).read_text(encoding="utf-8") == example()


def test_the_page_s_buckets(shards):
    """Each row of its table: the first bytes of the hash, and the bucket."""
    rows = {"Hi": 147, "é": 51, "ok": 814, "": 652}
    for text, number in rows.items():
        start = hashlib.sha256(text.encode()).hexdigest()[:16]

        assert f"| `{start}` | {number} |" in PAGE
        assert [shards.assign_split(text, number + n) for n in (0, 1)] == ["train", "val"]
