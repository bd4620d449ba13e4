"""Hidden tests of ch06_shards: a split by hash, Parquet files, a corpus and its reader.

What is wanted comes from ``golden.json`` (sha256sum and bc), from hashlib, or from pyarrow, with
which the tests read what was written and write what is to be read.

Files lie where the learner's code runs: ``folder`` is a path of that process, and so are all that
are made of it.
"""

import functools
import hashlib
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from autograder.hidden import checks

LISTED = "_MANIFEST.json"
COLUMNS = pa.schema([("id", pa.string()), ("text", pa.string())])
THREE = [("a:0", "Hi"), ("a:1", "é"), ("a:2", "ok")]  # in buckets 147, 51, 814
ODD = [
    ("", ""), ("a", ""), ("a", "x"), ("a", "x"), ("b", " x \r\n"), ("é", "\x00"), ("c", "\ufeffé"),
    ("c", "e\u0301"), ("\n", "👩\u200d👩\u200d👧"), ("a", "<|endoftext|>"), ("", "x"),
]
TEXTS = st.text(max_size=20)  # has no lone surrogates
DOCS = st.lists(st.tuples(st.text(max_size=4), TEXTS | st.sampled_from(["", "a", "b"])), max_size=9)


def of(data):
    return hashlib.sha256(data).hexdigest()


def bucket(text):
    return int(of(text.encode())[:16], 16) % 1000


def numbered(n):
    """n documents whose texts differ."""
    return [(f"n:{i}", f"text {i}") for i in range(n)]


def parquet(docs, group=256, compression="zstd"):
    """The bytes of a Parquet file."""
    columns = [[name for name, _ in docs], [text for _, text in docs]]
    written = io.BytesIO()
    pq.write_table(
        pa.table(columns, schema=COLUMNS), written, compression=compression, row_group_size=group
    )
    return written.getvalue()


def docs_in(data):
    """The documents in the bytes of a Parquet file."""
    table = pq.read_table(io.BytesIO(data))
    return list(zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True))


def footer(data):
    return pq.read_metadata(io.BytesIO(data))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def contents(folder):
    """Every file of a folder, by its name."""
    return {name: folder.joinpath(name).read_bytes() for name in names(folder)}


def shards_in(folder):
    """The documents of every shard, by its name."""
    return {
        name: docs_in(data) for name, data in contents(folder).items() if name.endswith(".parquet")
    }


def described(name, data):
    """The entry of a manifest for a file, from its bytes."""
    return {
        "name": name,
        "split": name.partition("-")[0],
        "rows": footer(data).num_rows,
        "bytes": len(data),
        "sha256": of(data),
    }


def record_of(made):
    """A learner's ShardFile as a dict."""
    return {
        "name": made.name, "split": made.split, "rows": made.rows, "bytes": made.bytes,
        "sha256": made.sha256,
    }


@pytest.fixture
def laid(folder):
    """``laid({"train-00000": docs}, **lies)``: a corpus written by the test; its manifest's path.

    Files stand in the manifest in the order given; ``lies`` replace what it says of all of them.
    """

    def lay(files, **lies):
        place = folder.joinpath("laid")
        place.mkdir()
        entries = []
        for name, docs in files.items():
            data = docs if isinstance(docs, bytes) else parquet(docs)
            place.joinpath(f"{name}.parquet").write_bytes(data)
            entries.append(described(f"{name}.parquet", data) | lies)
        found = {"version": 1, "val_permille": 100, "rows_per_shard": 1000, "files": entries}
        place.joinpath(LISTED).write_bytes(json.dumps(found).encode())
        return place.joinpath(LISTED)

    return lay


@pytest.fixture
def written(write_shards, folder):
    """``written(docs, val_permille, rows_per_shard)``: the folder that write_shards has written."""

    def write(docs, val_permille=100, rows_per_shard=100):
        out = folder.joinpath("out")
        write_shards(docs, out, val_permille=val_permille, rows_per_shard=rows_per_shard)
        return out

    return write


@pytest.fixture
def chain(given):
    """The library's, where the learner's code runs."""
    return given.get("chain")


# -- assign_split -----------------------------------------------------------------------------


@checks("assign_split", kind="unit", why="a split that others compute otherwise is no split")
@pytest.mark.parametrize(("text", "number"), [("Hi", 147), ("é", 51), ("ok", 814), ("", 652)])
def test_buckets_by_hand(assign_split, text, number):
    """Hi is in bucket 147, é in 51, ok in 814, and the empty text in 652."""
    assert assign_split(text, number) == "train"
    assert assign_split(text, number + 1) == "val"


@checks("assign_split", kind="boundary", why="somebody may want no val at all, or nothing else")
@pytest.mark.parametrize(
    ("text", "permille", "split"),
    [
        ("1055", 0, "train"), ("1055", 1, "val"), ("2102", 999, "train"), ("2102", 1000, "val"),
        ("299", 100, "train"), ("2156", 100, "val"),
    ],
)
def test_bucket_below_is_val(assign_split, text, permille, split):
    """A text is val if its bucket is below val_permille, so 0 takes none and 1000 takes all."""
    assert assign_split(text, permille) == split


@checks("assign_split", kind="golden", why="the text that is hashed is the text that is stored")
def test_text_as_it_is(assign_split, golden):
    """Blanks, line ends, accents, cases and BOMs count: buckets are those of sha256sum and bc."""
    for text, number in golden["buckets"]:
        assert assign_split(text, number) == "train"
        assert assign_split(text, number + 1) == "val"


@checks("assign_split", kind="property", why="a corpus holds more than the texts of this chapter")
@examples(st.text(max_size=60), st.integers(0, 1000))
@settings(max_examples=60)
def test_any_text(assign_split, text, permille):
    """Whatever the text, its SHA-256 decides."""
    assert assign_split(text, permille) == ("val" if bucket(text) < permille else "train")


@checks("assign_split", kind="boundary", why="whole books are documents too")
@pytest.mark.parametrize("text", ["word " * 2_000_000, "é" * 100_000], ids=["10 MB", "200 kB"])
def test_long_text(assign_split, text):
    """All of a long text counts."""
    assert assign_split(text, bucket(text)) == "train"
    assert assign_split(text, bucket(text) + 1) == "val"


@checks("assign_split", kind="fault", why="what cannot be written must not be given a place")
@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\udc80" * 3])
def test_lone_surrogate(assign_split, text):
    """A lone surrogate is a UnicodeEncodeError."""
    with pytest.raises(UnicodeEncodeError):
        assign_split(text, 100)


# -- write_shard ------------------------------------------------------------------------------


@checks("write_shard", kind="unit", why="the smallest file that shows everything")
def test_two_documents_by_hand(write_shard, folder):
    """Hi and ok as number 0 of train are two rows of one row group in train-00000.parquet."""
    made = write_shard([("a:0", "Hi"), ("a:2", "ok")], folder, "train", 0)
    data = folder.joinpath("train-00000.parquet").read_bytes()

    assert (made.name, made.split, made.rows) == ("train-00000.parquet", "train", 2)
    assert docs_in(data) == [("a:0", "Hi"), ("a:2", "ok")]
    assert (footer(data).num_row_groups, data[:4], data[-4:]) == (1, b"PAR1", b"PAR1")


@checks("write_shard", kind="unit", why="a reader compares these with what it finds")
@pytest.mark.parametrize("docs", [numbered(3), [("a", "“é”" * 1000)], []])
def test_record_describes_the_file(write_shard, folder, docs):
    """Name, split and rows, and the bytes and SHA-256 of the file, not of the texts in it."""
    made = write_shard(docs, folder, "val", 3)

    assert names(folder) == ["val-00003.parquet"]
    assert record_of(made) == described(*contents(folder).popitem())


@checks("write_shard", kind="boundary", why="a reader holds one row group, and no more")
@pytest.mark.parametrize(
    ("n", "groups"),
    [(1, [1]), (255, [255]), (256, [256]), (257, [256, 1]), (600, [256, 256, 88])],
)
def test_row_groups(write_shard, folder, n, groups):
    """256 rows in every row group but the last, which has the rest."""
    write_shard(numbered(n), folder, "train", 0)
    found = footer(folder.joinpath("train-00000.parquet").read_bytes())

    assert [found.row_group(i).num_rows for i in range(found.num_row_groups)] == groups


@checks("write_shard", kind="conformance", why="other programs find the columns by name and type")
@pytest.mark.parametrize("n", [0, 300])
def test_columns(write_shard, folder, n):
    """Two columns, id and text, both strings, and zstd in each piece of them."""
    write_shard(numbered(n), folder, "train", 0)
    data = folder.joinpath("train-00000.parquet").read_bytes()
    found, schema = footer(data), pq.read_schema(io.BytesIO(data))
    pieces = [found.row_group(i).column(j) for i in range(found.num_row_groups) for j in (0, 1)]

    assert [(field.name, str(field.type)) for field in schema] == [
        ("id", "string"), ("text", "string")
    ]
    assert {piece.compression for piece in pieces if piece.num_values} <= {"ZSTD"}


@checks("write_shard", kind="unit", why="sorted names are files in order")
@pytest.mark.parametrize(
    ("split", "number", "name"),
    [("train", 0, "train-00000.parquet"), ("val", 7, "val-00007.parquet"),
     ("train", 99999, "train-99999.parquet")],
)
def test_names_of_files(write_shard, folder, split, number, name):
    """The split, a hyphen, five digits and .parquet; nothing else is left in the folder."""
    made = write_shard(THREE, folder, split, number)

    assert (made.name, made.split) == (name, split)
    assert names(folder) == [name]


@checks("write_shard", kind="boundary", why="cleaning was somebody else's work, and is done")
def test_nothing_is_dropped(write_shard, folder):
    """Empty texts, doubled ids, doubled documents and odd characters stay, in order."""
    made = write_shard(ODD, folder, "train", 0)

    assert docs_in(folder.joinpath("train-00000.parquet").read_bytes()) == ODD
    assert made.rows == len(ODD)


@checks("write_shard", kind="boundary", why="whoever opens a split must find it")
def test_no_documents(write_shard, folder):
    """No documents give a file with both columns and no rows."""
    made = write_shard([], folder, "val", 0)

    assert made.rows == 0
    assert docs_in(folder.joinpath("val-00000.parquet").read_bytes()) == []


@checks("write_shard", kind="property", why="a hash identifies a corpus only if it comes out again")
@examples(DOCS)
@settings(max_examples=8)
def test_same_documents_same_bytes(write_shard, folder, docs):
    """Whatever the documents: written again, as another shard, they give the same bytes."""
    one = write_shard(docs, folder, "train", 0)
    two = write_shard(docs, folder, "val", 5)

    assert one.sha256 == two.sha256
    first = folder.joinpath("train-00000.parquet").read_bytes()
    assert folder.joinpath("val-00005.parquet").read_bytes() == first


@checks("write_shard", kind="conformance", why="two people with one pyarrow compare their hashes")
@pytest.mark.parametrize("docs", [[], ODD, numbered(600)], ids=["none", "odd", "three groups"])
def test_bytes_of_pyarrow(write_shard, folder, docs):
    """The bytes are those of write_table with zstd and 256 rows a group, and nothing else set."""
    write_shard(docs, folder, "train", 0)

    assert of(folder.joinpath("train-00000.parquet").read_bytes()) == of(parquet(docs))


@checks("write_shard", kind="boundary", why="whole books are documents too")
def test_long_document(write_shard, folder):
    """A document of 10 MB is one row like any other."""
    text = "word é " * 1_250_000
    write_shard([("a", "x"), ("long", text), ("b", "y")], folder, "train", 0)
    found = docs_in(folder.joinpath("train-00000.parquet").read_bytes())

    assert [name for name, _ in found] == ["a", "long", "b"]
    assert of(found[1][1].encode()) == of(text.encode())


@checks("write_shard", kind="fault", why="UTF-8 has no bytes for half a character")
@pytest.mark.parametrize("doc", [("a", "\ud800"), ("\udfff", "a")], ids=["text", "id"])
def test_surrogate_in_a_shard(write_shard, folder, doc):
    """A lone surrogate in a text or an id is a UnicodeEncodeError."""
    with pytest.raises(UnicodeEncodeError):
        write_shard([("b", "fine"), doc], folder, "train", 0)


# -- write_shards -----------------------------------------------------------------------------


@checks("write_shards", kind="unit", why="the example that chapter 7 goes on with")
@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (2, {"train-00000.parquet": [THREE[0], THREE[2]], "val-00000.parquet": [THREE[1]]}),
        (1, {"train-00000.parquet": [THREE[0]], "train-00001.parquet": [THREE[2]],
             "val-00000.parquet": [THREE[1]]}),
    ],
)
def test_three_documents_by_hand(written, rows, wanted):
    """With val_permille 100, Hi and ok are in train and é is in val; rows_per_shard cuts."""
    assert shards_in(written(THREE, 100, rows)) == wanted


@checks("write_shards", kind="conformance", why="every later step goes by this list")
@pytest.mark.parametrize("rows", [1, 4, 100])
def test_manifest_describes_the_files(written, rows):
    """The manifest lists every shard, sorted by name, with split, rows, bytes and SHA-256."""
    found = contents(written(numbered(12), 400, rows))
    listed = json.loads(found.pop(LISTED))

    assert listed == {
        "version": 1,
        "val_permille": 400,
        "rows_per_shard": rows,
        "files": [described(name, data) for name, data in sorted(found.items())],
    }


@checks("write_shards", kind="unit", why="a notebook shows what was written without reading it")
def test_manifest_is_returned(write_shards, folder):
    """The manifest that is returned is the one in the file: indent 1, and one final newline."""
    out = folder.joinpath("out")
    made = write_shards(numbered(5), out, val_permille=400, rows_per_shard=2).to_json()

    assert out.joinpath(LISTED).read_bytes() == json.dumps(made, indent=1).encode() + b"\n"
    assert [file["name"] for file in made["files"]] == [n for n in names(out) if n != LISTED]


@checks("write_shards", kind="boundary", why="the last documents are the easiest to lose")
@pytest.mark.parametrize("permille", [0, 400, 1000])
@pytest.mark.parametrize("n", [1, 5, 6, 7, 13])
def test_all_documents_are_there(written, n, permille):
    """Each split's files, one after the other, hold its documents in order; all but the last of
    its files have rows_per_shard of them."""
    found = shards_in(written(numbered(n), permille, 3))
    for split in ("train", "val"):
        docs = [d for d in numbered(n) if (bucket(d[1]) < permille) == (split == "val")]
        files = [docs[i : i + 3] for i in range(0, len(docs), 3)] or [[]]

        assert [rows for name, rows in found.items() if name.startswith(split)] == files


@checks("write_shards", kind="boundary", why="an empty file at the end is one too many")
@pytest.mark.parametrize("n", [3, 6])
def test_full_last_file(written, n):
    """Where the documents fill the last file exactly, no other follows."""
    found = shards_in(written(numbered(n), 0, 3))

    assert {name: len(rows) for name, rows in found.items()} == {
        **{f"train-{i:05d}.parquet": 3 for i in range(n // 3)}, "val-00000.parquet": 0
    }


@checks("write_shards", kind="boundary", why="whoever opens a split must find it")
@pytest.mark.parametrize(
    ("docs", "permille"), [([], 100), (THREE, 0), (THREE, 1000)], ids=["none", "train", "val"]
)
def test_empty_split_has_a_file(written, docs, permille):
    """A split without documents has its file number 0, with no rows, in the manifest too."""
    out = written(docs, permille)
    found = {name: len(rows) for name, rows in shards_in(out).items()}
    listed = json.loads(out.joinpath(LISTED).read_bytes())["files"]
    n = len(docs)

    assert found == {
        "train-00000.parquet": n * (permille == 0), "val-00000.parquet": n * (permille == 1000)
    }
    assert {file["name"]: file["rows"] for file in listed} == found


@checks("write_shards", kind="boundary", why="cleaning was somebody else's work, and is done")
def test_corpus_keeps_all(written):
    """Empty texts and doubled ids are kept, and equal texts go to one split."""
    found = shards_in(written(ODD, 500))

    assert found["train-00000.parquet"] == [d for d in ODD if bucket(d[1]) >= 500]
    assert found["val-00000.parquet"] == [d for d in ODD if bucket(d[1]) < 500]


@checks("write_shards", kind="property", why="no text that is learned from may be in the exam")
@examples(DOCS, st.integers(0, 1000), st.integers(1, 4))
@settings(max_examples=8)
def test_splits_never_mix(write_shards, folder, docs, permille, rows):
    """Whatever the documents: every one is in its text's split, once, and in order."""
    out = folder.joinpath("out")
    write_shards(docs, out, val_permille=permille, rows_per_shard=rows)
    found = shards_in(out).items()

    train = [doc for name, docs in found if name.startswith("train") for doc in docs]
    val = [doc for name, docs in found if name.startswith("val") for doc in docs]
    assert train == [doc for doc in docs if bucket(doc[1]) >= permille]
    assert val == [doc for doc in docs if bucket(doc[1]) < permille]


@checks("write_shards", kind="unit", why="a hash identifies a corpus only if it comes out again")
def test_two_runs_same_bytes(written):
    """A second run over the same documents gives the same bytes in every file."""
    first = contents(written(numbered(20), 300, 4))

    assert contents(written(numbered(20), 300, 4)) == first


@checks("write_shards", kind="unit", why="leftovers of a larger corpus would be read as its own")
def test_new_replaces_old(written, folder):
    """The new corpus takes the place of the old one whole, and nothing is left beside it."""
    written(numbered(20), 100, 3)
    out = written(THREE, 100, 2)

    assert names(out) == [LISTED, "train-00000.parquet", "val-00000.parquet"]
    assert names(folder) == ["out"]


@checks("write_shards", kind="fault", why="hours of work would be lost with the old corpus")
@pytest.mark.parametrize("bad", [("b", "\ud800"), ("\udfff", "b")], ids=["text", "id"])
@pytest.mark.parametrize("before", [0, 7])
def test_failing_run_leaves_the_old(written, folder, bad, before):
    """A document that cannot be written is a ValueError, and the old corpus stays as it was."""
    out = written(THREE, 100, 2)
    old = contents(out)
    with pytest.raises(ValueError, match=r"."):
        written([*numbered(before), bad, *numbered(4)], 100, 2)

    assert contents(out) == old


@checks("write_shards", kind="fault", why="half a corpus looks like a whole one")
def test_failing_run_leaves_nothing(written, folder):
    """If a first run fails, there is nothing at out."""
    with pytest.raises(ValueError, match=r"."):
        written([*numbered(7), ("b", "\ud800")], 100, 2)

    assert "out" not in names(folder)


@checks("write_shards", kind="unit", why="one document in a million is hard to find")
@pytest.mark.parametrize(("bad", "named"), [
    (("book:7", "\ud800"), "'book:7'"), (("it's", "a\udfff"), '"it\'s"'),
    (("x\ud800", "a"), r"'x\ud800'"),
], ids=["text", "quoted", "id"])
def test_document_at_fault_is_named(written, bad, named):
    """The message gives the repr of the id of the document that cannot be written."""
    with pytest.raises(ValueError, match=r".") as caught:
        written([("a:0", "fine"), bad], 100, 2)

    assert named in str(caught.value)


@checks("write_shards", kind="fault", why="a run that was killed could not tidy up")
def test_stale_folder_is_cleared(written, folder):
    """Files that a dead run left in out.tmp get into no corpus, and out.tmp is gone at the end."""
    stale = folder.joinpath("out.tmp")
    stale.mkdir()
    stale.joinpath("train-00007.parquet").write_bytes(parquet(THREE))
    out = written(THREE, 100, 2)

    assert names(out) == [LISTED, "train-00000.parquet", "val-00000.parquet"]
    assert names(folder) == ["out"]


@checks("write_shards", kind="fault", why="folders have their names by mistake sometimes")
def test_foreign_folder_is_refused(written, folder):
    """Something at out that is no corpus is a FileExistsError, and stays."""
    out = folder.joinpath("out")
    out.mkdir()
    out.joinpath("thesis.txt").write_bytes(b"years of work")
    with pytest.raises(FileExistsError):
        written(THREE)

    assert contents(out) == {"thesis.txt": b"years of work"}


@checks("write_shards", kind="fault", why="a typing error must not cost the old corpus")
@pytest.mark.parametrize(("permille", "rows"), [(-1, 5), (1001, 5), (100, 0), (100, -1)])
def test_numbers_out_of_range(written, made_up, permille, rows):
    """val_permille not in 0 to 1000, or rows_per_shard below 1, is a ValueError before a document
    is asked for, and the old corpus stays."""
    out = written(THREE)
    old, docs = contents(out), made_up(3)
    with pytest.raises(ValueError, match=r"."):
        written(docs, permille, rows)

    assert contents(out) == old
    assert len(list(docs)) == 3


@checks("write_shards", kind="boundary", why="a corpus comes from a generator, and comes once")
def test_documents_come_once(written, made_up):
    """docs may be a generator, which has no length and cannot be gone through twice."""
    found = shards_in(written(made_up(20), 300, 4))

    assert sorted(doc for docs in found.values() for doc in docs) == sorted(
        (f"made:{i}", f"{i}" + " word" * 10) for i in range(20)
    )


@checks("write_shards", kind="boundary", why="a corpus is larger than any memory")
@pytest.mark.parametrize("before", [0, 3, 20])
def test_documents_as_needed(written, made_up, chain, before):
    """Documents are taken one by one: if one cannot be written, no later one was asked for."""
    docs = chain(made_up(before), [("b", "\ud800")], made_up(4))
    with pytest.raises(ValueError, match=r"."):
        written(docs, 300, 2)

    assert len(list(docs)) == 4


# -- read_shards ------------------------------------------------------------------------------


@checks("read_shards", kind="unit", why="the example that chapter 7 goes on with")
def test_three_documents_read(read_shards, laid):
    """train gives Hi and ok, val gives é, each as a pair of id and text."""
    manifest = laid({"train-00000": [THREE[0], THREE[2]], "val-00000": [THREE[1]]})

    assert list(read_shards(manifest, "train")) == [THREE[0], THREE[2]]
    assert list(read_shards(manifest, "val")) == [THREE[1]]


@checks("read_shards", kind="boundary", why="most documents are not in the first row group")
@pytest.mark.parametrize("n", [0, 1, 256, 257, 600])
def test_every_row_group(read_shards, laid, n):
    """All rows of all row groups come, in order."""
    manifest = laid({"train-00000": numbered(n), "val-00000": []})

    assert list(read_shards(manifest, "train")) == numbered(n)


@checks("read_shards", kind="unit", why="two readers must see one order")
def test_files_one_after_the_other(read_shards, laid):
    """The files of a split come one after the other, and none of the other split's."""
    docs = numbered(12)
    manifest = laid({
        "train-00000": docs[:3], "train-00001": docs[3:5], "train-00002": [],
        "train-00003": docs[5:6], "val-00000": docs[6:9], "val-00001": docs[9:],
    })

    assert list(read_shards(manifest, "train")) == docs[:6]
    assert list(read_shards(manifest, "val")) == docs[6:]


@checks("read_shards", kind="conformance", why="the list decides, not what a folder happens to say")
def test_order_of_the_manifest(read_shards, laid):
    """Files come in the order in which the manifest lists them, whatever their names."""
    docs = numbered(6)
    manifest = laid({"train-00002": docs[:2], "train-00000": docs[2:4], "train-00001": docs[4:]})

    assert list(read_shards(manifest, "train")) == docs


@checks("read_shards", kind="boundary", why="cleaning was somebody else's work, and is done")
def test_odd_documents_read(read_shards, laid):
    """Empty texts, doubled ids and odd characters come as they are."""
    assert list(read_shards(laid({"val-00000": ODD}), "val")) == ODD


@checks("read_shards", kind="property", why="what goes in must come out")
@examples(DOCS)
@settings(max_examples=8)
def test_any_documents(read_shards, folder, docs):
    """Whatever the documents in a file, they come."""
    data = parquet(docs)
    found = {
        "version": 1, "val_permille": 0, "rows_per_shard": 9,
        "files": [described("train-00000.parquet", data)],
    }
    folder.joinpath("train-00000.parquet").write_bytes(data)
    folder.joinpath(LISTED).write_bytes(json.dumps(found).encode())

    assert list(read_shards(folder.joinpath(LISTED), "train")) == docs


@checks("read_shards", kind="conformance", why="other programs cut and compress in other ways")
@pytest.mark.parametrize("compression", ["snappy", "gzip", "none"])
def test_files_of_another_writer(read_shards, laid, compression):
    """Files with other row groups, another compression or columns in another order are read."""
    columns = [[text for _, text in numbered(7)], [name for name, _ in numbered(7)]]
    written = io.BytesIO()
    table = pa.table(columns, schema=pa.schema([COLUMNS.field("text"), COLUMNS.field("id")]))
    pq.write_table(table, written, compression=compression, row_group_size=3)

    assert list(read_shards(laid({"train-00000": written.getvalue()}), "train")) == numbered(7)


@checks("read_shards", kind="boundary", why="whole books are documents too")
def test_long_document_read(read_shards, laid):
    """A document of 10 MB comes whole."""
    text = "word é " * 1_250_000
    (name, found), = read_shards(laid({"train-00000": [("long", text)]}), "train")

    assert (name, len(found), of(found.encode())) == ("long", len(text), of(text.encode()))


@checks("read_shards", kind="boundary", why="an empty val is no error")
def test_empty_split_gives_nothing(read_shards, laid):
    """A split whose only file has no rows gives no documents."""
    manifest = laid({"train-00000": THREE, "val-00000": []})

    assert list(read_shards(manifest, "val")) == []


@checks("read_shards", kind="unit", why="two loops over one corpus are nothing unusual")
def test_two_readers_at_once(read_shards, laid):
    """Each call has a place of its own in the corpus."""
    manifest = laid({"train-00000": THREE[:2], "val-00000": THREE[2:]})
    one, two = iter(read_shards(manifest, "train")), iter(read_shards(manifest, "train"))

    assert [next(one), next(two), next(one), next(two)] == [*THREE[:1] * 2, *THREE[1:2] * 2]


@checks("read_shards", kind="fault", why="a copy that was broken off lacks its last files")
@pytest.mark.parametrize("lost", ["train-00000", "train-00001", "val-00000"])
def test_missing_file_is_refused(read_shards, laid, lost):
    """A listed file that is not there is a ValueError that names it, whichever split it is in."""
    manifest = laid({"train-00000": THREE[:1], "train-00001": THREE[1:2], "val-00000": THREE[2:]})
    manifest.with_name(f"{lost}.parquet").unlink()
    with pytest.raises(ValueError, match=rf"{lost}\.parquet"):
        next(iter(read_shards(manifest, "train")))


@checks("read_shards", kind="fault", why="a leftover of yesterday is no part of today's corpus")
@pytest.mark.parametrize("name", ["train-00001.parquet", "val-00001.parquet", "notes.txt", ".x"])
def test_surplus_file_is_refused(read_shards, laid, name):
    """A file that is not listed is a ValueError that names it."""
    manifest = laid({"train-00000": THREE[:1], "val-00000": THREE[1:]})
    manifest.with_name(name).write_bytes(parquet(THREE))
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        next(iter(read_shards(manifest, "train")))


DAMAGES = {
    "one bit": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1])
    + data[len(data) // 2 + 1 :],
    "cut": lambda data: data[:-1],
    "cut in half": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"\0",
    "another": lambda data: parquet([("a:0", "hi"), ("a:1", "e"), ("a:2", "OK")]),
}


@checks("read_shards", kind="fault", why="a changed text trains another model")
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("place", [0, 1])
def test_changed_file_is_refused(read_shards, laid, damage, place):
    """A file that is changed, cut, longer or another is a ValueError that names it, and comes
    before the first document of its split."""
    manifest = laid({"train-00000": THREE, "train-00001": THREE, "val-00000": THREE})
    path = manifest.with_name(f"train-0000{place}.parquet")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(ValueError, match=rf"train-0000{place}\.parquet"):
        next(iter(read_shards(manifest, "train")))


@checks("read_shards", kind="fault", why="counts in the manifest are believed by later steps")
@pytest.mark.parametrize(
    "lie", [{"rows": 2}, {"rows": 4}, {"bytes": 7}, {"sha256": of(b"")}], ids=str
)
def test_manifest_that_lies(read_shards, laid, lie):
    """Rows, bytes or a SHA-256 that are not the file's are a ValueError that names the file."""
    manifest = laid({"train-00000": THREE}, **lie)
    with pytest.raises(ValueError, match=r"train-00000\.parquet"):
        next(iter(read_shards(manifest, "train")))


@checks("read_shards", kind="fault", why="a misspelt split would be an empty one")
@pytest.mark.parametrize("split", ["test", "Train", "tra"])
def test_unknown_split(read_shards, laid, split):
    """A split of which the manifest lists no file is a ValueError that names it."""
    manifest = laid({"train-00000": THREE})
    with pytest.raises(ValueError, match=split):
        next(iter(read_shards(manifest, split)))


@checks("read_shards", kind="fault", why="a file of another program may have the same name")
@pytest.mark.parametrize("data", [
    b"", b"{", b'{"version": 1}', b'{"version": 2, "val_permille": 0, "rows_per_shard": 1, '
    b'"files": []}',
])
def test_strange_manifest(read_shards, laid, data):
    """What is no manifest of version 1 is a ValueError."""
    manifest = laid({"train-00000": THREE})
    manifest.write_bytes(data)
    with pytest.raises(ValueError, match=r"."):
        next(iter(read_shards(manifest, "train")))


CONTRADICTIONS = {
    "in both splits": lambda files: files.append(files[0] | {"split": "val"}),
    "twice": lambda files: files.append(files[0]),
    "other split": lambda files: files[0].update(split="val"),
    "a number for a name": lambda files: files[0].update(name=5),
    "a text for a number": lambda files: files[0].update(rows="3"),
}


@checks("read_shards", kind="fault", why="a text of train would be in the exam")
@pytest.mark.parametrize("split", ["train", "val"])
@pytest.mark.parametrize("twist", CONTRADICTIONS)
def test_manifest_that_contradicts_itself(read_shards, laid, twist, split):
    """A file that is listed twice, a name that begins with another split, or an entry of another
    type is a ValueError."""
    manifest = laid({"train-00000": THREE, "val-00000": THREE})
    found = json.loads(manifest.read_bytes())
    CONTRADICTIONS[twist](found["files"])
    manifest.write_bytes(json.dumps(found).encode())
    with pytest.raises(ValueError, match=r"."):
        next(iter(read_shards(manifest, split)))


@functools.cache
def enormous():
    """A small file of 1.2 GB of text: 300,000 rows of the same 4,000 letters, in 100 row groups."""
    written, same = io.BytesIO(), pa.array([0] * 300_000, pa.int32())
    ids, texts = (pa.DictionaryArray.from_arrays(same, [v]) for v in ("a", "word" * 1000))
    pq.write_table(
        pa.table({"id": ids, "text": texts}), written, row_group_size=3000, store_schema=False,
        write_statistics=False,
    )
    return written.getvalue()


@checks("read_shards", kind="boundary", why="a shard may be larger than memory")
def test_one_row_group_at_a_time(read_shards, laid):
    """A file of 1.2 GB of text is begun in a process that has not so much memory."""
    documents = iter(read_shards(laid({"train-00000": enormous()}), "train"))

    assert [next(documents) for _ in range(3)] == [("a", "word" * 1000)] * 3
