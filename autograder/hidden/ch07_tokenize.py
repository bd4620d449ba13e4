"""Hidden tests of ch07_tokenize: token files, what is in them, and what becomes of the old ones.

Files are read here, with ``struct`` and nothing else, and corpora are made here, with pyarrow, so
no test needs another function of the learner's to be right. GPT-2's ids come from Hugging Face
tokenizers (``fixtures/gpt2``); the format's examples from pencil and paper.

Files lie where the learner's code runs: ``folder`` is a path of that process.
"""

import bz2
import functools
import hashlib
import io
import json
import struct

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from autograder.course import root
from autograder.hidden import checks

EOT = "<|endoftext|>"
MAGIC = 20240520
FOUR = bytes.fromhex("88d83401 01000000 04000000 00010000") + bytes(1008)
FOUR += bytes.fromhex("4800 6900 6f00 6b00")
HELLO = bytes.fromhex("88d83401 01000000 03000000 51c40000") + bytes(1008)
HELLO += bytes.fromhex("50c4 883c e303")
TEXTS = ["Hi", "  spaces ", "", "é", "line\r\n", "e\u0301", "\ufeffmark", "longest of them", "ok"]
KEYS = [
    "format", "version", "tokenizer_id", "tokenizer_sha256", "corpus_manifest_sha256",
    "vocab_size", "doc_sep_id", "max_file_tokens", "val_bytes_per_token", "files",
]


def header(version=1, count=0, vocab_size=256, magic=MAGIC):
    return struct.pack("<4i", magic, version, count, vocab_size) + bytes(1008)


def packed(ids, wide=False):
    return struct.pack(f"<{len(ids)}{'I' if wide else 'H'}", *ids)


def parsed(data):
    """Version, vocabulary and ids of a file, of which the size has to be right."""
    magic, version, count, vocab_size = struct.unpack_from("<4i", data)
    letter = {1: "H", 2: "I"}[version]
    ids = struct.unpack_from(f"<{count}{letter}", data, 1024)

    assert (magic, len(data)) == (MAGIC, 1024 + count * 2 * version)
    assert data[16:1024] == bytes(1008)
    return version, vocab_size, list(ids)


def entry(name, data, documents):
    split = name.partition("-")[0]
    return {
        "name": name, "split": split, "tokens": struct.unpack_from("<i", data, 8)[0],
        "documents": documents, "sha256": hashlib.sha256(data).hexdigest(),
    }


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def everything(folder):
    """The bytes of each file in a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def streams(folder):
    """The ids of each split: those of its files, one after the other."""
    found = {"train": [], "val": []}
    for name, data in sorted(everything(folder).items()):
        if name.endswith(".bin"):
            found[name.partition("-")[0]] += parsed(data)[2]
    return found


def parquet(texts):
    """A shard as chapter 6 writes it."""
    table = pa.table({"id": [f"d:{n}" for n in range(len(texts))], "text": pa.array(texts, "str")})
    written = io.BytesIO()
    pq.write_table(table, written, compression="zstd", row_group_size=256)
    return written.getvalue()


def shelve(folder, train=(), val=(), *, shards=1, name="corpus"):
    """Write a corpus of these texts, some shards a split; the path of its manifest."""
    corpus = folder.joinpath(name)
    corpus.mkdir()
    files = []
    for split, texts in (("train", list(train)), ("val", list(val))):
        for number in range(shards):
            share = texts[number * len(texts) // shards : (number + 1) * len(texts) // shards]
            data, file = parquet(share), f"{split}-{number:05d}.parquet"
            corpus.joinpath(file).write_bytes(data)
            files.append({
                "name": file, "split": split, "rows": len(share), "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            })
    manifest = {"version": 1, "val_permille": 100, "rows_per_shard": 1000, "files": files}
    path = corpus.joinpath("_MANIFEST.json")
    path.write_bytes(json.dumps(manifest, indent=1).encode() + b"\n")
    return path


def characters():
    """The byte characters of Hugging Face, in the order of GPT-2's ids: printable ones first."""
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in own]
    return {**{b: chr(b) for b in own}, **{b: chr(256 + n) for n, b in enumerate(others)}}


def tokenizer_json(vocab, merges, *added):
    """A tokenizer.json; the added tokens are pairs of text and id."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": False}
    return json.dumps({
        "added_tokens": [{"content": text, "id": number} for text, number in added],
        "pre_tokenizer": byte_level,
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    }).encode()


def small_tokenizer():
    """Bytes are their own ids, 256 is "he", 257 the separator."""
    vocab = {letter: byte for byte, letter in characters().items()} | {"he": 256}
    return tokenizer_json(vocab, ["h e"], (EOT, 257))


@functools.cache
def gpt2():
    lines = (root() / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes()
    merges = bz2.decompress(lines).decode().splitlines()[1:]
    tokens = [*characters().values(), *(line.replace(" ", "") for line in merges)]
    return tokenizer_json({t: n for n, t in enumerate(tokens)}, merges, (EOT, 50256))


@functools.cache
def pairs_tokenizer():
    """All pairs of bytes are merges, those that begin with z the last: 65,792 ids."""
    letters = dict(sorted(characters().items()))
    pairs = [(letters[(123 + k) % 256], b) for k in range(256) for b in letters.values()]
    vocab = {letter: byte for byte, letter in letters.items()}
    vocab |= {a + b: 256 + n for n, (a, b) in enumerate(pairs)}
    return tokenizer_json(vocab, [f"{a} {b}" for a, b in pairs])


@pytest.fixture
def place(folder):
    """``place(data)``: the path of a tokenizer.json with these bytes; other files lie beside it."""

    def put(data, **beside):
        home = folder.joinpath("tokenizer")
        home.mkdir()
        for name, content in beside.items():
            home.joinpath(f"{name}.json").write_bytes(content)
        path = home.joinpath("tokenizer.json")
        path.write_bytes(data)
        return path

    return put


@pytest.fixture
def packs(tokenize_shards, folder):
    """``packs(manifest, ...)``: tokenize_shards into ``folder/out``; its bytes, and the result."""

    def pack(manifest, tokenizer=None, out="out", **options):
        options = {"tokenizer_id": "mine"} | options
        made = tokenize_shards(manifest, tokenizer, folder.joinpath(out), **options)
        return everything(folder.joinpath(out)), made

    return pack


# -- write_bin --------------------------------------------------------------------------------


@checks("write_bin", kind="unit", why="the file that was made with pencil and paper")
def test_write_bin_by_hand(write_bin, folder):
    """72, 105, 111, 107 with 256 ids are the 1,032 bytes of the example, and no other file."""
    write_bin(folder.joinpath("four.bin"), [72, 105, 111, 107], 256)

    assert folder.joinpath("four.bin").read_bytes() == FOUR
    assert names(folder) == ["four.bin"]


@checks("write_bin", kind="unit", why="any reader of the format opens your files")
@pytest.mark.parametrize(
    ("ids", "vocab_size", "wanted"),
    [
        ([50256, 15496, 995], 50257, HELLO),
        ([0, 65535], 65536, header(1, 2, 65536) + bytes.fromhex("0000 ffff")),
        ([0, 65536], 65537, header(2, 2, 65537) + bytes.fromhex("00000000 00000100")),
        ([5, 99999], 100000, header(2, 2, 100000) + bytes.fromhex("05000000 9f860100")),
        ([0], 1, header(1, 1, 1) + bytes(2)),
        ([2**31 - 2], 2**31 - 1, header(2, 1, 2**31 - 1) + bytes.fromhex("feffff7f")),
    ],
    ids=["1030 bytes", "65536", "65537", "100000", "1", "2147483647"],
)
def test_write_bin_layout(write_bin, folder, ids, vocab_size, wanted):
    """The format's 1,030 bytes; 65536 ids are still version 1, one more is version 2."""
    write_bin(folder.joinpath("a.bin"), ids, vocab_size)

    assert folder.joinpath("a.bin").read_bytes() == wanted


@checks("write_bin", kind="boundary", why="no id may turn into another one in silence")
@pytest.mark.parametrize(
    ("ids", "vocab_size", "named"),
    [
        ([0, 256], 256, 256), ([-1], 256, -1), ([3, -7, 3], 65537, -7), ([65536], 65536, 65536),
        ([70000, 1], 50257, 70000), ([50257], 50257, 50257), ([0], 0, 0), ([], 0, 0),
        ([], -5, -5), ([1], 2**31, 2**31), ([0, 2**64], 256, 2**64), ([-(10**30)], 256, -(10**30)),
        ([2**63, -1], 65537, rf"(?:{2**63}|-1(?!\.))"),
    ],
)
def test_write_bin_rejects_bad_ids(write_bin, folder, ids, vocab_size, named):
    """An id at or above V, a negative one, or a V out of range: a ValueError that has it."""
    with pytest.raises(ValueError, match=rf"(?<!\d){named}(?!\d)"):
        write_bin(folder.joinpath("a.bin"), ids, vocab_size)
    assert names(folder) == []


@checks("write_bin", kind="boundary", why="NumPy narrows an array without a word, but no list")
@pytest.mark.parametrize(
    ("ids", "vocab_size", "named"),
    [
        (np.array([65536 + 72]), 65536, 65608),
        (np.array([1, 2**32 + 5]), 100000, 2**32 + 5),
        (np.array([-1], np.int16), 65536, -1),
        (np.array([-1, 3], np.int32), 100000, -1),
        (np.array([2**63], np.uint64), 256, 2**63),
        (np.array([255, 300], np.uint16), 256, 300),
    ],
)
def test_arrays_do_not_wrap(write_bin, folder, ids, vocab_size, named):
    """An id out of range in an array is refused as it is in a list, of whatever integer type."""
    with pytest.raises(ValueError, match=rf"(?<!\d){named}(?!\d)"):
        write_bin(folder.joinpath("a.bin"), ids, vocab_size)
    assert names(folder) == []


@checks("write_bin", kind="property", why="tokenizers give lists, other programs give arrays")
@pytest.mark.parametrize("kind", ["list", "tuple", "int64", "int32", "uint32", "uint16", "sliced"])
def test_any_integers(write_bin, folder, fresh, kind):
    """Lists, tuples and arrays of any integer type, with gaps in memory too, give the same file."""
    ids = fresh.integers(0, 60000, 50)
    given = {"list": ids.tolist(), "tuple": tuple(ids.tolist()), "sliced": np.repeat(ids, 2)[::2]}
    write_bin(folder.joinpath("a.bin"), given[kind] if kind in given else ids.astype(kind), 60000)

    assert folder.joinpath("a.bin").read_bytes() == header(1, 50, 60000) + packed(ids.tolist())


@checks("write_bin", kind="boundary", why="0.5 would become token 0, a table its first row")
@pytest.mark.parametrize("ids", [[0.5, 1.0], [[1, 2], [3, 4]], ["a"], np.ones((2, 2), np.uint16)])
def test_flat_whole_numbers_only(write_bin, folder, ids):
    """Numbers that are not whole, texts and tables are a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        write_bin(folder.joinpath("a.bin"), ids, 256)


@checks("write_bin", kind="boundary", why="a split without documents is a file, too")
@pytest.mark.parametrize("ids", [[], np.array([], np.int64)])
@pytest.mark.parametrize("vocab_size", [256, 100000])
def test_no_ids(write_bin, folder, ids, vocab_size):
    """No ids are a header alone."""
    write_bin(folder.joinpath("a.bin"), ids, vocab_size)

    version = 1 if vocab_size == 256 else 2
    assert folder.joinpath("a.bin").read_bytes() == header(version, 0, vocab_size)


@checks("write_bin", kind="fault", why="somebody may be training on the old file")
def test_old_file_stays(write_bin, folder):
    """If it raises, for an id or because a.bin.tmp cannot be written, the old file is whole."""
    path = folder.joinpath("a.bin")
    path.write_bytes(FOUR)
    with pytest.raises(ValueError, match="256"):
        write_bin(path, [1, 256], 256)
    folder.joinpath("a.bin.tmp").mkdir()
    with pytest.raises(OSError, match=r"."):
        write_bin(path, [1, 2], 256)

    assert path.read_bytes() == FOUR


# -- read_bin ---------------------------------------------------------------------------------


@checks("read_bin", kind="unit", why="the file that was read with pencil and paper")
def test_read_bin_by_hand(read_bin, folder):
    """The 1,032 bytes of the example are 4 ids of 256, and the three entries are plain numbers."""
    path = folder.joinpath("four.bin")
    path.write_bytes(FOUR)
    found, ids = read_bin(path)

    assert found == {"version": 1, "tokens": 4, "vocab_size": 256}
    assert {type(value) for value in found.values()} == {int}
    assert (ids.tolist(), ids.ndim) == ([72, 105, 111, 107], 1)


@checks("read_bin", kind="conformance", why="ids are numbers of the width that the file has")
@pytest.mark.parametrize(
    ("data", "wanted", "width"),
    [
        (HELLO, [50256, 15496, 995], 2),
        (header(1, 2, 65536) + packed([65535, 0]), [65535, 0], 2),
        (header(2, 2, 100000) + packed([99999, 256], True), [99999, 256], 4),
        (header(2, 1, 256) + packed([7], True), [7], 4),
        (header(2, 1, 2**31 - 1) + packed([2**31 - 2], True), [2**31 - 2], 4),
        (header(1, 0, 256), [], 2),
        (header(2, 0, 70000), [], 4),
    ],
    ids=["1030 bytes", "65536", "wide", "wide, few", "widest", "none", "none, wide"],
)
def test_read_bin_widths(read_bin, folder, data, wanted, width):
    """Version 1 gives unsigned numbers of 2 bytes, version 2 of 4, and none is lost or added."""
    path = folder.joinpath("a.bin")
    path.write_bytes(data)
    found, ids = read_bin(path)

    assert ids.tolist() == wanted
    assert (ids.dtype.kind, ids.dtype.itemsize) == ("u", width)
    assert found["tokens"] == len(wanted)


@checks("read_bin", kind="boundary", why="a file that was cut short is found out")
@pytest.mark.parametrize(
    "data",
    [
        b"", FOUR[:1023], FOUR[:-1], FOUR[:-2], FOUR + b"\0", FOUR + b"\0\0",
        header(1, 0) + FOUR[1024:], header(2, 4) + FOUR[1024:], FOUR[3::-1] + FOUR[4:],
        header(magic=MAGIC + 2), header(magic=0), header(3), header(0), header(-1), header(1, -4),
        header(3, 1) + bytes(6), header(1, 0, -1), header(1, 0, 65537),
    ],
    ids=[
        "nothing", "1023 bytes", "a byte short", "an id short", "a byte long", "an id long",
        "unfinished", "wrong width", "big-endian", "other magic", "magic 0", "version 3",
        "version 0", "version -1", "negative n", "version 3, one id", "negative V", "V too large",
    ],
)
def test_read_bin_rejects_bad_files(read_bin, folder, data):
    """Wrong magic, version, n or V, a file too short or too long: a ValueError with its name."""
    path = folder.joinpath("case.bin")
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"case\.bin"):
        read_bin(path)


@checks("read_bin", kind="boundary", why="an id without a row in the model ends training")
def test_read_bin_ids_fit_the_vocabulary(read_bin, folder):
    """An id that is not below V is a ValueError with the file's name."""
    path = folder.joinpath("case.bin")
    for data in (
        header(1, 3, 256) + packed([1, 256, 2]),
        header(2, 1, 70000) + packed([70000], True),
        header(2, 1, 70000) + packed([2**32 - 1], True),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"case\.bin"):
            read_bin(path)


@checks("read_bin", kind="conformance", why="files that llm.c itself has written are to be read")
def test_read_bin_of_llm_c(read_bin, folder):
    """A vocabulary of 0 is not noted, so any id is fine; what follows it is of no concern."""
    path = folder.joinpath("a.bin")
    path.write_bytes(struct.pack("<6i", MAGIC, 1, 2, 0, 7, -7) + b"\1" * 1000 + b"\xff\xff\0\0")
    found, ids = read_bin(path)

    assert found == {"version": 1, "tokens": 2, "vocab_size": 0}
    assert ids.tolist() == [65535, 0]


# -- separator_id -----------------------------------------------------------------------------


@checks("separator_id", kind="unit", why="the model learns where documents start")
def test_separator_from_generation_config(separator_id, place):
    """It is the file's eos_token_id; one that is passed wins; out of the vocabulary raises; without
    either there is none."""
    path = place(b"{}", generation_config=b'{"bos_token_id": 1, "eos_token_id": 50256}')

    assert separator_id(path, 50257) == 50256
    assert separator_id(path, 50257, doc_sep_id=198) == 198
    assert separator_id(path, 256, 7) == 7
    with pytest.raises(ValueError, match="50256"):
        separator_id(path, 50256)
    with pytest.raises(ValueError, match="50257"):
        separator_id(path, 50257, doc_sep_id=50257)
    path.with_name("generation_config.json").unlink()
    assert separator_id(path, 50257) is None


@checks("separator_id", kind="boundary", why="many tokenizers have their separator at 0")
def test_separator_zero(separator_id, place):
    """0 is an id like any other, from the file and from the caller."""
    path = place(b"{}", generation_config=b'{"eos_token_id": 0}')

    assert separator_id(path, 512) == 0
    assert separator_id(path, 512, doc_sep_id=5) == 5
    path.with_name("generation_config.json").write_bytes(b'{"eos_token_id": 9}')
    assert separator_id(path, 512, doc_sep_id=0) == 0
    assert separator_id(None, 256, doc_sep_id=0) == 0


@checks("separator_id", kind="boundary", why="a made-up separator is worse than none")
def test_separator_absent(separator_id, place):
    """No file, no entry, a null, or no tokenizer at all: None."""
    path = place(b"{}")

    assert separator_id(path, 512) is None
    for content in (b"{}", b'{"eos_token_id": null}', b'{"bos_token_id": 3}'):
        path.with_name("generation_config.json").write_bytes(content)
        assert separator_id(path, 512) is None
    assert separator_id(None, 512) is None


@checks("separator_id", kind="boundary", why="which of several ends it is, is for you to say")
@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b'{"eos_token_id": 512}', "512"), (b'{"eos_token_id": -1}', "-1"),
        (b'{"eos_token_id": [5, 9]}', "5, 9"), (b'{"eos_token_id": "77"}', "77"),
        (b'{"eos_token_id": 7.5}', "7.5"),
        (b"[5]", None), (b"{", None), (b"5", None),
    ],
)
def test_separator_rejected(separator_id, place, content, named):
    """What is no whole number of the vocabulary is a ValueError, and so is a file of no object."""
    path = place(b"{}", generation_config=content)
    with pytest.raises(ValueError, match=named):
        separator_id(path, 512)
    assert separator_id(path, 512, doc_sep_id=511) == 511


# -- encode_documents -------------------------------------------------------------------------


def plain(documents):
    """Lists of numbers, whatever the documents were held in."""
    return [list(map(int, ids)) for ids in documents]


@checks("encode_documents", kind="unit", why="the ids that were found with pencil and paper")
def test_encode_by_hand(encode_documents):
    """With bytes, Hi is 72, 105 and é is 195, 169; a separator stands in front."""
    assert plain(encode_documents(["Hi", "é"], None, None)) == [[72, 105], [195, 169]]
    assert plain(encode_documents(["Hi", "é"], None, 7)) == [[7, 72, 105], [7, 195, 169]]
    assert plain(encode_documents(["", "a"], None, 0)) == [[0], [0, 97]]
    assert plain(encode_documents([], None, 7)) == []


@checks("encode_documents", kind="golden", why="your ids are GPT-2's ids")
def test_gpt2_golden(encode_documents, place):
    """300 texts have the ids of Hugging Face, each after 50256, in the order they came in."""
    golden = json.loads((root() / "fixtures" / "gpt2" / "golden.json").read_bytes())["texts"]
    path = place(gpt2())
    got = plain(encode_documents([each["text"] for each in golden], path, 50256))

    assert len(got) == len(golden)
    for ids, each in zip(got, golden, strict=True):
        assert ids == [50256, *each["ids"]]


@checks("encode_documents", kind="property", why="counts and hashes of the corpus are of its text")
@examples(st.lists(st.text(max_size=8) | st.sampled_from(TEXTS), max_size=6))
@settings(max_examples=25)
def test_texts_are_left_alone(encode_documents, texts):
    """With bytes, the ids of any texts are their UTF-8 bytes, in the texts' order."""
    assert plain(encode_documents(list(texts), None, None)) == [list(t.encode()) for t in texts]


@checks("encode_documents", kind="unit", why="a text must not be able to end its own document")
def test_separator_in_a_text(encode_documents, place):
    """The separator's thirteen characters in a text are characters."""
    path = place(small_tokenizer())
    got = plain(encode_documents([f"he{EOT}", "h e"], path, 257))

    assert got == [[257, 256, *EOT.encode()], [257, *b"h e"]]


@checks("encode_documents", kind="boundary", why="two bytes are too few for this vocabulary")
def test_more_ids_than_two_bytes_hold(encode_documents, place):
    """With 65,792 ids, those from 65536 on stay as they are."""
    got = plain(encode_documents(["zz", "az"], place(pairs_tokenizer()), 65791))

    assert got == [[65791, 65658], [65791, 59258]]


# -- write_split ------------------------------------------------------------------------------


@checks("write_split", kind="unit", why="the files that were filled with pencil and paper")
def test_split_by_hand(write_split, folder):
    """With at most 4, documents of 2, 2, 1 and 6 ids are three files, of 4, 1 and 6."""
    documents = [[1, 2], [3, 4], [5], [6, 7, 8, 9, 10, 11]]
    got = write_split(documents, folder, "train", 256, 4)
    wanted = {
        "train-00000.bin": header(1, 4) + packed([1, 2, 3, 4]),
        "train-00001.bin": header(1, 1) + packed([5]),
        "train-00002.bin": header(1, 6) + packed([6, 7, 8, 9, 10, 11]),
    }

    assert everything(folder) == wanted
    assert got == [entry(name, wanted[name], n) for name, n in zip(wanted, (2, 1, 1), strict=True)]


@checks("write_split", kind="boundary", why="a reader never starts in the middle of a document")
@pytest.mark.parametrize(
    ("sizes", "limit", "wanted"),
    [
        ([3, 3, 3], 6, [[3, 3], [3]]),
        ([3, 3, 3], 5, [[3], [3], [3]]),
        ([9, 1], 5, [[9], [1]]),
        ([1, 9, 1], 5, [[1], [9], [1]]),
        ([5, 5], 5, [[5], [5]]),
        ([6, 6], 5, [[6], [6]]),
        ([2, 2, 2], 1, [[2], [2], [2]]),
        ([1, 1, 1], 1, [[1], [1], [1]]),
        ([4, 1, 5], 5, [[4, 1], [5]]),
        ([1, 2, 3], 100, [[1, 2, 3]]),
    ],
)
def test_files_hold_whole_documents(write_split, folder, sizes, limit, wanted):
    """A file ends before the document that would cross the limit; a long one is alone in its file,
    and no empty file comes first."""
    got = write_split([[7] * size for size in sizes], folder, "train", 256, limit)

    assert [each["tokens"] for each in got] == [sum(file) for file in wanted]
    assert [each["documents"] for each in got] == [len(file) for file in wanted]
    assert names(folder) == [f"train-{n:05d}.bin" for n in range(len(wanted))]


@checks("write_split", kind="boundary", why="whoever opens a split finds something to open")
@pytest.mark.parametrize(("vocab_size", "version"), [(256, 1), (70000, 2)])
def test_split_without_documents(write_split, folder, vocab_size, version):
    """No documents are one file with n = 0."""
    got = write_split([], folder, "val", vocab_size, 10)

    assert everything(folder) == {"val-00000.bin": header(version, 0, vocab_size)}
    assert got == [entry("val-00000.bin", header(version, 0, vocab_size), 0)]


@checks("write_split", kind="property", why="nothing is lost, doubled or moved")
@examples(
    st.lists(st.lists(st.integers(0, 299), max_size=5), max_size=9), st.integers(1, 12)
)
@settings(max_examples=20)
def test_split_keeps_every_document(write_split, folder, documents, limit):
    """Files hold the documents in order, each as many as fit, whatever the lengths."""
    got = write_split([list(ids) for ids in documents], folder, "val", 300, limit)
    data = [folder.joinpath(each["name"]).read_bytes() for each in got]
    counts = [each["documents"] for each in got]
    starts = [sum(counts[:n]) for n in range(len(counts))]

    assert [each["tokens"] for each in got] == [len(parsed(each)[2]) for each in data]
    assert [n for each in data for n in parsed(each)[2]] == [n for ids in documents for n in ids]
    assert sum(counts) == len(documents)
    assert [each["sha256"] for each in got] == [hashlib.sha256(each).hexdigest() for each in data]
    for each, count, start in zip(got, counts, starts, strict=True):
        assert each["tokens"] <= limit or count == 1
        if start + count < len(documents):
            assert each["tokens"] + len(documents[start + count]) > limit


@checks("write_split", kind="conformance", why="names sort as numbers do")
def test_names_of_many_files(write_split, folder):
    """Twelve files are called -00000 to -00011."""
    got = write_split([[n] for n in range(12)], folder, "train", 256, 1)

    assert [each["name"] for each in got] == [f"train-{n:05d}.bin" for n in range(12)]
    assert [parsed(folder.joinpath(each["name"]).read_bytes())[2] for each in got] == [
        [n] for n in range(12)
    ]


@checks("write_split", kind="conformance", why="large vocabularies need four bytes an id")
def test_split_of_a_large_vocabulary(write_split, folder):
    """Above 65536 ids take four bytes, at 65536 two, and the limit counts ids, not bytes."""
    wide = write_split([[69999, 1], [65536]], folder, "train", 70000, 3)
    small = write_split([[65535, 1], [3]], folder, "val", 65536, 3)

    assert [each["tokens"] for each in (*wide, *small)] == [3, 3]
    assert folder.joinpath("train-00000.bin").read_bytes() == header(2, 3, 70000) + packed(
        [69999, 1, 65536], True
    )
    assert folder.joinpath("val-00000.bin").read_bytes() == header(1, 3, 65536) + packed(
        [65535, 1, 3]
    )


@checks("write_split", kind="boundary", why="no id may turn into another one on this way either")
@pytest.mark.parametrize(
    ("ids", "vocab_size", "named"),
    [
        ([256], 256, 256), ([1, -1], 256, -1), (np.array([65536 + 72]), 50257, 65608),
        (np.array([300], np.uint16), 256, 300), (np.array([-2], np.int32), 70000, -2),
    ],
)
def test_split_rejects_bad_ids(write_split, folder, ids, vocab_size, named):
    """An id out of range in any document, list or array, is a ValueError that has it."""
    with pytest.raises(ValueError, match=rf"(?<!\d){named}(?!\d)"):
        write_split([[1, 2], ids], folder, "train", vocab_size, 100)


@checks("write_split", kind="boundary", why="a corpus is larger than any memory")
@pytest.mark.parametrize("before", [1, 5])
def test_documents_as_needed(write_split, folder, given, before):
    """Documents are taken one by one: if one has a wrong id, no later one was asked for."""
    numpy = given.get("np")
    documents = getattr(numpy, "function", numpy).ndindex(before + 4)  # one id each: 0, then 1, ...
    with pytest.raises(ValueError, match=rf"\b{before}\b"):
        write_split(documents, folder, "train", before, 4)

    assert len(list(documents)) == 3


# -- TokensManifest ---------------------------------------------------------------------------


FIELDS = {
    "tokenizer_id": "gpt2", "tokenizer_sha256": "ab" * 32, "corpus_manifest_sha256": "cd" * 32,
    "vocab_size": 50257, "doc_sep_id": 50256, "max_file_tokens": 100, "val_bytes_per_token": 3.75,
}


@checks("TokensManifest", kind="conformance", why="other programs read these entries by name")
def test_manifest_entries(TokensManifest):
    """Ten entries in the order of the table, format and version first, files last."""
    files = [entry("train-00000.bin", FOUR, 2), entry("val-00000.bin", HELLO, 1)]
    got = TokensManifest(**FIELDS, files=files).to_json()

    assert list(got) == KEYS
    assert got == {"format": "llmdata-tokens", "version": 1, **FIELDS, "files": files}


@checks("TokensManifest", kind="unit", why="the same files always give the same manifest")
def test_manifest_files_are_sorted(TokensManifest):
    """Files are sorted by name, and the object's own list stays as it was."""
    order = ["val-00000.bin", "train-00010.bin", "train-00002.bin"]
    manifest = TokensManifest(**FIELDS, files=[entry(name, FOUR, 2) for name in order])
    got = manifest.to_json()

    assert [each["name"] for each in got["files"]] == sorted(order)
    assert [each["name"] for each in manifest.files] == order


# -- tokenize_shards --------------------------------------------------------------------------


@checks("tokenize_shards", kind="unit", why="you and the tests agree on the format")
def test_hand_example(packs, folder):
    """Hi and ok in train, é in val: the bytes, counts and bytes a token of the example."""
    got, made = packs(shelve(folder, ["Hi", "ok"], ["é"]), tokenizer_id="bytes")
    val = header(1, 2) + bytes.fromhex("c300 a900")

    assert sorted(got) == ["_MANIFEST.json", "train-00000.bin", "val-00000.bin"]
    assert got["train-00000.bin"] == FOUR
    assert got["val-00000.bin"] == val
    assert (made.val_bytes_per_token, made.vocab_size) == (1.0, 256)
    assert made.files == [entry("train-00000.bin", FOUR, 2), entry("val-00000.bin", val, 1)]


@checks("tokenize_shards", kind="property", why="no text of val is trained on")
@pytest.mark.parametrize("separator", [None, 0])
def test_tokens_are_conserved_and_splits_never_mix(packs, folder, fresh, separator):
    """Each split's files, one after the other, are its documents in order, and counts add up."""
    texts = ["".join(fresh.choice(list("abé😀\n "), fresh.integers(0, 9))) for _ in range(60)]
    train, val = texts[:45], texts[45:]
    manifest = shelve(folder, train, val, shards=3)
    got, made = packs(manifest, doc_sep_id=separator, max_file_tokens=25)
    front = [] if separator is None else [separator]

    assert len(got) > 4
    for split, documents in (("train", train), ("val", val)):
        wanted = [byte for text in documents for byte in (*front, *text.encode())]
        files = [each for each in made.files if each["split"] == split]
        assert streams(folder.joinpath("out"))[split] == wanted
        assert sum(each["tokens"] for each in files) == len(wanted)
        assert sum(each["documents"] for each in files) == len(documents)


@checks("tokenize_shards", kind="conformance", why="consumers can verify, and open both splits")
def test_manifest_and_empty_split(packs, folder):
    """The manifest follows its schema, names inputs and files by hash, and val is there, empty."""
    manifest = shelve(folder, ["Hi", "ok", "é"], shards=2)
    got, made = packs(manifest, tokenizer_id="bytes", max_file_tokens=4)
    found = json.loads(got["_MANIFEST.json"])
    schema = json.loads((root() / "docs/formats/tokens-manifest.schema.json").read_bytes())
    jsonschema.validate(found, schema)
    sizes = {"train-00000.bin": 2, "train-00001.bin": 1, "val-00000.bin": 0}

    assert list(found) == KEYS
    assert got["_MANIFEST.json"] == (json.dumps(found, indent=1) + "\n").encode()
    assert found["tokenizer_id"] == "bytes"
    assert found["tokenizer_sha256"] == hashlib.sha256(b"").hexdigest()
    assert found["corpus_manifest_sha256"] == hashlib.sha256(manifest.read_bytes()).hexdigest()
    assert (found["vocab_size"], found["doc_sep_id"], found["max_file_tokens"]) == (256, None, 4)
    assert found["val_bytes_per_token"] is None
    assert found["files"] == [entry(name, got[name], n) for name, n in sizes.items()]
    assert got["val-00000.bin"] == header(1, 0)
    assert (made.tokenizer_id, made.val_bytes_per_token) == ("bytes", None)


@checks("tokenize_shards", kind="unit", why="losses of two tokenizers become comparable")
def test_val_bytes_per_token(packs, folder, place):
    """UTF-8 bytes of val over its ids, of all documents together, without separators."""
    tokenizer = place(small_tokenizer())
    manifest = shelve(folder, ["he he he he"], ["he", "aé", "", "hehehehe"])
    for separator in (None, 257):
        got, made = packs(manifest, tokenizer, out=f"out-{separator}", doc_sep_id=separator)
        assert made.val_bytes_per_token == 13 / 8
        assert json.loads(got["_MANIFEST.json"])["val_bytes_per_token"] == 13 / 8
    assert packs(manifest, None, "bytes", doc_sep_id=5)[1].val_bytes_per_token == 1.0


@checks("tokenize_shards", kind="property", why="a milestone compares the hashes of outputs")
def test_output_is_deterministic(packs, folder, place):
    """Two runs, into two places or one, give the same bytes, the manifest among them."""
    manifest = shelve(folder, TEXTS, TEXTS[::-1], shards=2)
    tokenizer = place(small_tokenizer(), generation_config=b'{"eos_token_id": 257}')
    once = packs(manifest, tokenizer, max_file_tokens=9)[0]

    assert packs(manifest, tokenizer, "elsewhere", max_file_tokens=9)[0] == once
    assert packs(manifest, tokenizer, max_file_tokens=9)[0] == once
    assert names(folder) == ["corpus", "elsewhere", "out", "tokenizer"]


@checks("tokenize_shards", kind="fault", why="a run that failed can be tried again")
def test_atomic_replace(packs, folder):
    """A run that fails half way leaves the old output as it was, and the next one replaces it,
    without what is left in a stale .tmp."""
    packs(shelve(folder, ["old"] * 9, ["old"], name="old"), max_file_tokens=3)
    before = everything(folder.joinpath("out"))
    manifest = shelve(folder, ["new"], ["newer"])
    damaged = manifest.with_name("val-00000.parquet")
    right = damaged.read_bytes()
    damaged.write_bytes(right[:-1] + b"?")
    with pytest.raises(ValueError, match="val-00000"):
        packs(manifest)
    kept = everything(folder.joinpath("out"))
    damaged.write_bytes(right)
    stale = folder.joinpath("out.tmp")
    stale.mkdir(exist_ok=True)
    stale.joinpath("train-00007.bin").write_bytes(FOUR)
    after, _ = packs(manifest)

    assert kept == before
    assert not stale.exists()
    assert sorted(after) == ["_MANIFEST.json", "train-00000.bin", "val-00000.bin"]
    assert after["train-00000.bin"] == header(1, 3) + packed(b"new")


@checks("tokenize_shards", kind="fault", why="a model's data is proved by the hash of all of it")
@pytest.mark.parametrize("changed", ["corpus", "tokenizer"])
def test_inputs_that_change(packs, folder, place, given, changed):
    """A corpus's manifest or a tokenizer that becomes another one during the run is a ValueError,
    and the old output stays."""
    manifest, tokenizer = shelve(folder, ["he"], ["a"]), place(small_tokenizer())
    before, _ = packs(manifest, tokenizer)
    path = manifest if changed == "corpus" else tokenizer
    other = folder.joinpath("other.json")
    other.write_bytes(path.read_bytes() + b"\n")
    shutil = given.get("shutil")
    copyfile = getattr(shutil, "function", shutil).copyfile
    threads = given.get("ThreadPoolExecutor").function(
        1, initializer=copyfile, initargs=(other, path)
    )
    with pytest.raises(ValueError, match=r"."):
        packs(manifest, tokenizer, executor=threads)
    threads.shutdown()

    assert path.read_bytes() == other.read_bytes()
    assert everything(folder.joinpath("out")) == before


@checks("tokenize_shards", kind="fault", why="what a dead run wrote belongs to nobody")
def test_leftovers_are_cleared(packs, folder):
    """Files in an old .tmp folder are in no output, and a failed first run leaves no output."""
    stale = folder.joinpath("out.tmp")
    stale.mkdir()
    stale.joinpath("train-00007.bin").write_bytes(FOUR)
    stale.joinpath("inner").mkdir()
    got, _ = packs(shelve(folder, ["a"], ["b"]))
    broken = shelve(folder, ["a"], ["b"], name="broken")
    broken.with_name("val-00000.parquet").unlink()
    with pytest.raises(ValueError, match="val-00000"):
        packs(broken, out="never")

    assert sorted(got) == ["_MANIFEST.json", "train-00000.bin", "val-00000.bin"]
    assert not stale.exists()
    assert not folder.joinpath("never").exists()


@checks("tokenize_shards", kind="golden", why="the parts fit together for a real tokenizer")
def test_gpt2_corpus(packs, folder, place):
    """With GPT-2, Hello world and Hi become 50256, 15496, 995, 50256, 17250."""
    tokenizer = place(gpt2(), generation_config=b'{"eos_token_id": 50256}')
    got, made = packs(shelve(folder, ["Hello world", "Hi"], ["Hi"]), tokenizer)

    assert parsed(got["train-00000.bin"]) == (1, 50257, [50256, 15496, 995, 50256, 17250])
    assert parsed(got["val-00000.bin"]) == (1, 50257, [50256, 17250])
    assert (made.vocab_size, made.doc_sep_id) == (50257, 50256)
    assert made.tokenizer_sha256 == hashlib.sha256(gpt2()).hexdigest()
    assert made.val_bytes_per_token == 2.0


@checks("tokenize_shards", kind="golden", why="ids are right in the files, too, all of them")
def test_gpt2_golden_files(packs, folder, place):
    """The 300 texts, half of them val, have the ids of Hugging Face in files of at most 500."""
    golden = json.loads((root() / "fixtures" / "gpt2" / "golden.json").read_bytes())["texts"]
    split = {"train": golden[::2], "val": golden[1::2]}
    texts = {name: [each["text"] for each in half] for name, half in split.items()}
    manifest = shelve(folder, **texts, shards=2)
    got, made = packs(manifest, place(gpt2()), doc_sep_id=50256, max_file_tokens=500)

    assert len(got) > 6
    assert streams(folder.joinpath("out")) == {
        name: [n for each in half for n in (50256, *each["ids"])] for name, half in split.items()
    }
    size = sum(len(text.encode()) for text in texts["val"])
    assert made.val_bytes_per_token == size / sum(len(each["ids"]) for each in split["val"])


@checks("tokenize_shards", kind="unit", why="you can say where documents start, and be believed")
def test_separator_passed(packs, folder, place):
    """A separator that is passed wins, and the manifest has it; with bytes it works, too."""
    tokenizer = place(small_tokenizer(), generation_config=b'{"eos_token_id": 257}')
    manifest = shelve(folder, ["he", ""], ["a"])
    got, made = packs(manifest, tokenizer, doc_sep_id=0)

    assert parsed(got["train-00000.bin"])[2] == [0, 256, 0]
    assert (made.doc_sep_id, json.loads(got["_MANIFEST.json"])["doc_sep_id"]) == (0, 0)
    assert parsed(packs(manifest, None, "b", doc_sep_id=9)[0]["val-00000.bin"])[2] == [9, 97]


@checks("tokenize_shards", kind="boundary", why="what cannot be right is found before the work")
@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"max_file_tokens": 0}, "0"), ({"max_file_tokens": -3}, "-3"),
        ({"max_file_tokens": 2**31}, "2147483648"), ({"doc_sep_id": 256}, "256"),
        ({"doc_sep_id": -1}, "-1"),
    ],
)
def test_settings_are_checked(packs, folder, options, named):
    """A limit or a separator out of range is a ValueError that has it, and nothing is written."""
    manifest = shelve(folder, ["Hi"], ["é"])
    with pytest.raises(ValueError, match=named):
        packs(manifest, **options)
    assert names(folder) == ["corpus"]


@checks("tokenize_shards", kind="boundary", why="limits as large as they go are limits")
def test_smallest_and_largest_limit(packs, folder):
    """1 puts each document into a file of its own, 2**31 - 1 all of them into one."""
    manifest = shelve(folder, ["a", "bc", "d"], ["e"])

    assert len(packs(manifest, max_file_tokens=1)[0]) == 5
    assert len(packs(manifest, max_file_tokens=2**31 - 1)[0]) == 3
    assert packs(manifest, max_file_tokens=1)[1].max_file_tokens == 1


@checks("tokenize_shards", kind="unit", why="where work is done must not be seen in the result")
def test_executor_gives_the_same_bytes(packs, folder, given):
    """With an executor, here of two threads, the files are the same, and it can be used again."""
    threads = given.get("ThreadPoolExecutor").function(2)
    manifest = shelve(folder, TEXTS * 5, TEXTS, shards=2)
    alone, _ = packs(manifest, max_file_tokens=40)

    assert packs(manifest, out="threads", max_file_tokens=40, executor=threads)[0] == alone
    assert packs(manifest, out="again", max_file_tokens=40, executor=threads)[0] == alone
    threads.shutdown()


@checks("tokenize_shards", kind="boundary", why="an empty corpus is a corpus")
def test_no_documents(packs, folder):
    """No documents at all are two files of no ids."""
    got, made = packs(shelve(folder))

    assert got["train-00000.bin"] == header(1, 0)
    assert got["val-00000.bin"] == header(1, 0)
    assert made.val_bytes_per_token is None


@checks("tokenize_shards", kind="fault", why="two runs in one folder would mix their files")
def test_second_writer_is_refused(packs, folder, given):
    """While another has the lock of the folder it is a RuntimeError that names the folder."""
    manifest = shelve(folder, ["Hi"], ["é"])
    before, _ = packs(manifest)
    fcntl = given.get("fcntl")
    flock = getattr(fcntl, "function", fcntl).flock
    other = folder.joinpath("out.lock").open("w")
    flock(other, 2)
    with pytest.raises(RuntimeError, match="out"):
        packs(shelve(folder, ["new"], ["new"], name="new"))
    kept = everything(folder.joinpath("out"))
    other.close()

    assert kept == before
    assert packs(manifest)[0] == before


@checks("tokenize_shards", kind="fault", why="a slip of the pen must not delete a corpus")
def test_other_folders_stay(packs, folder):
    """A folder of something else, the corpus itself too, is a FileExistsError and stays."""
    manifest = shelve(folder, ["Hi"], ["é"])
    folder.joinpath("other").mkdir()
    folder.joinpath("other").joinpath("thesis.txt").write_bytes(b"all of it")
    for name in ("other", "corpus"):
        before = everything(folder.joinpath(name))
        with pytest.raises(FileExistsError, match=name):
            packs(manifest, out=name)
        assert everything(folder.joinpath(name)) == before
