"""Token files seen from outside: other readers, other processes, other machines, and disasters.

The reference is exported as a package, as a learner's work is. Nothing here reads a token file with
the chapter's own code, unless that is what is tested.
"""

import concurrent.futures
import errno
import hashlib
import importlib
import io
import json
import multiprocessing
import os
import re
import resource
import struct
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from autograder import books
from autograder.course import root
from benchmarks.reference import gpt2_json as gpt2_json_of
from benchmarks.reference import reference_package

ROOT = root()
PAGE = (ROOT / "docs" / "formats" / "tokens-bin.md").read_text()
SCHEMA = json.loads((ROOT / "docs" / "formats" / "tokens-manifest.schema.json").read_text())
LARGE = 300_000_000


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The folder with the package ``llmdata`` of this chapter and those below."""
    folder = tmp_path_factory.mktemp("package")
    reference_package("ch07", folder)
    return folder


@pytest.fixture(scope="module")
def llmdata(package):
    """``llmdata("tokenize")``: a module of the package, which other processes can import, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(package)
        patch.setenv("PYTHONPATH", str(package), prepend=os.pathsep)
        before = {name: sys.modules.pop(name) for name in list(sys.modules)
                  if name.partition(".")[0] == "llmdata"}
        yield lambda name: importlib.import_module(f"llmdata.{name}")
        for name in [name for name in sys.modules if name.partition(".")[0] == "llmdata"]:
            del sys.modules[name]
        sys.modules.update(before)


@pytest.fixture(scope="module")
def tokenize(llmdata):
    return llmdata("tokenize")


@pytest.fixture
def shelve(llmdata, tmp_path):
    """``shelve(texts)``: the manifest of a corpus of these texts, one in five of them in val."""

    def write(texts, name="corpus", **settings):
        docs = ((f"d:{n}", text) for n, text in enumerate(texts))
        options = {"val_permille": 200, "rows_per_shard": 50} | settings
        llmdata("shards").write_shards(docs, tmp_path / name, **options)
        return tmp_path / name / "_MANIFEST.json"

    return write


@pytest.fixture(scope="module")
def paragraphs():
    """Some 60 KB of the real book where it is found, else of the embedded one."""
    text = (books.real() or books.embedded()).read_text(encoding="utf-8-sig")[:60_000]
    return [paragraph for paragraph in text.split("\n\n") if paragraph]


@pytest.fixture(scope="module")
def gpt2_json(llmdata, tmp_path_factory):
    """GPT-2's tokenizer.json, beside it a generation_config.json with its separator."""
    folder = tmp_path_factory.mktemp("gpt2")
    (folder / "tokenizer.json").write_bytes(gpt2_json_of(llmdata("tokenizer")))
    (folder / "generation_config.json").write_text('{"eos_token_id": 50256}')
    return folder / "tokenizer.json"


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- readers ----------------------------------------------------------------------------------


def read_by_the_page(data: bytes) -> list[int]:
    """The ids of a file, by docs/formats/tokens-bin.md and struct."""
    assert len(data) >= 1024
    magic, version, count, vocab_size = struct.unpack_from("<4i", data)
    width, letter = {1: (2, "H"), 2: (4, "I")}[version]
    ids = list(struct.unpack_from(f"<{count}{letter}", data, 1024))

    assert magic == 20240520
    assert data[16:1024] == bytes(1008)
    assert len(data) == 1024 + count * width
    assert 1 <= vocab_size <= (65536 if version == 1 else 2**31 - 1)
    assert all(each < vocab_size for each in ids)
    return ids


def loaded_by_llm_c(path: Path) -> int:
    """The number of tokens, after the checks of llm.c's loader in its order, with its widths."""
    with path.open("rb") as file:
        header = struct.unpack("<256i", file.read(1024))
        assert header[0] == 20240520, "Bad magic in the data file"
        assert header[1] == 1, "Bad version in data file"
        tokens = header[2]
        assert tokens > 0
        assert file.seek(0, io.SEEK_END) == 256 * 4 + tokens * 2, "file size is not as expected"
    return tokens


def page_example() -> bytes:
    """The 1,030 bytes of the page: what stands behind each offset, and its run of zeros."""
    rows = re.findall(r"^offset (\d+) +((?:[0-9a-f]{2} )*[0-9a-f]{2})(?: {2,}.*)?$", PAGE, re.M)
    data = bytearray(1030)
    for offset, digits in rows:
        found = bytes.fromhex(digits)
        data[int(offset) : int(offset) + len(found)] = found
    return bytes(data)


def test_the_example_of_the_page(tokenize, tmp_path):
    """The page's bytes are the page's ids and hash, and what write_bin writes for them."""
    tokenize.write_bin(tmp_path / "hello.bin", [50256, 15496, 995], 50257)
    example = page_example()

    assert read_by_the_page(example) == [50256, 15496, 995]
    assert f"`{hashlib.sha256(example).hexdigest()}`" in PAGE
    assert (tmp_path / "hello.bin").read_bytes() == example


@pytest.mark.parametrize("kind", ["bytes", "gpt2"])
def test_four_readers_agree(llmdata, tokenize, shelve, paragraphs, gpt2_json, tmp_path, kind):
    """By the page, by numpy.memmap, by llm.c's rules and by read_bin, a file has the same ids; all
    files together have those of the corpus."""
    manifest = shelve(paragraphs)
    tokenizer = gpt2_json if kind == "gpt2" else None
    made = tokenize.tokenize_shards(
        manifest, tokenizer, tmp_path / "out", tokenizer_id=kind, max_file_tokens=5_000
    )
    read = llmdata("shards").read_shards
    encode = llmdata("tokenizer").BPETokenizer.from_hf_json(gpt2_json).encode
    found = {"train": [], "val": []}
    for entry in made.files:
        path = tmp_path / "out" / entry["name"]
        ids = read_by_the_page(path.read_bytes())
        found[entry["split"]] += ids
        assert loaded_by_llm_c(path) == entry["tokens"] == len(ids)
        assert np.memmap(path, dtype="<u2", mode="r", offset=1024).tolist() == ids
        assert tokenize.read_bin(path)[1].tolist() == ids
        assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]

    assert len(made.files) > 3
    for split, ids in found.items():
        texts = [text for _, text in read(manifest, split)]
        wanted = [[50256, *encode(text)] if tokenizer else list(text.encode()) for text in texts]
        assert ids == [each for document in wanted for each in document]


def test_bytes_per_token_is_chapter_3s(llmdata, tokenize, shelve, paragraphs, gpt2_json, tmp_path):
    """The number in the manifest is bytes_per_token of the val texts, to the last bit."""
    manifest = shelve(paragraphs)
    made = tokenize.tokenize_shards(manifest, gpt2_json, tmp_path / "out", tokenizer_id="gpt2")
    chapter_3 = llmdata("tokenizer")
    texts = [text for _, text in llmdata("shards").read_shards(manifest, "val")]
    encoded = chapter_3.BPETokenizer.from_hf_json(gpt2_json).encode_batch(texts)

    assert made.val_bytes_per_token == chapter_3.bytes_per_token(texts, encoded)


def test_a_tokenizer_of_this_course(llmdata, tokenize, shelve, paragraphs, tmp_path):
    """The file that chapter 3 saves is a tokenizer, too."""
    mine = llmdata("tokenizer").BPETokenizer.train(paragraphs[:40], 300)
    mine.save(tmp_path / "bpe.json")
    made = tokenize.tokenize_shards(
        shelve(paragraphs[:40]), tmp_path / "bpe.json", tmp_path / "out", tokenizer_id="mine",
        doc_sep_id=mine.eot_id,
    )
    ids = read_by_the_page((tmp_path / "out" / "train-00000.bin").read_bytes())

    assert made.vocab_size == mine.vocab_size
    assert mine.decode(ids).split("<|endoftext|>")[1] in paragraphs


@pytest.mark.parametrize("bonus", [True, False])
def test_large_batches_go_through_the_bonus(
    llmdata, tokenize, paragraphs, gpt2_json, monkeypatch, bonus
):
    """Where chapter 3 has encode_fast, all but small batches go through it; the ids are the same
    with it and without it."""
    chapter_3, asked = llmdata("tokenizer"), []
    real = chapter_3.encode_fast

    def fast(tokenizer, texts):
        asked.append(len(texts))
        return real(tokenizer, texts)

    monkeypatch.setattr(chapter_3, "encode_fast", fast)
    if not bonus:
        monkeypatch.delattr(chapter_3, "encode_fast")
    tokenize._read_tokenizer.cache_clear()
    got = tokenize.encode_documents(paragraphs, gpt2_json, 50256)
    tokenize.encode_documents(paragraphs[:2], gpt2_json, 50256)
    tokenize._read_tokenizer.cache_clear()
    encode = chapter_3.BPETokenizer.from_hf_json(gpt2_json).encode

    assert [ids.tolist() for ids in got] == [[50256, *encode(text)] for text in paragraphs]
    assert asked == [len(paragraphs)] * bonus


def test_manifest_follows_the_schema(tokenize, shelve, tmp_path):
    """What is written is valid; without an entry, with another, or with a bad hash it is not."""
    tokenize.tokenize_shards(shelve(["a", "b"]), None, tmp_path / "out", tokenizer_id="bytes")
    found = json.loads((tmp_path / "out" / "_MANIFEST.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(found, SCHEMA)

    assert list(found) == SCHEMA["required"]
    wrong = [{k: v for k, v in found.items() if k != gone} for gone in found]
    wrong += [found | {"more": 1}, found | {"tokenizer_sha256": "ab"}, found | {"files": []}]
    for each in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(each, SCHEMA)


# -- executors --------------------------------------------------------------------------------


class LastFirst(concurrent.futures.Executor):
    """Runs what it has, the newest first, as soon as somebody waits for a result."""

    class Future(concurrent.futures.Future):
        def __init__(self, run):
            super().__init__()
            self.run = run

        def result(self, timeout=None):
            self.run()
            return super().result(timeout)

    def __init__(self):
        self.waiting, self.order, self.most = [], [], 0

    def submit(self, function, /, *args, **named):
        future = self.Future(self.run)
        self.waiting.append((future, function, args, named))
        self.most = max(self.most, len(self.waiting))
        return future

    def run(self):
        while self.waiting:
            future, function, args, named = self.waiting.pop()
            self.order.append(args[0])
            future.set_result(function(*args, **named))


@pytest.fixture
def alone(tokenize, shelve, paragraphs, gpt2_json, tmp_path, monkeypatch):
    """``alone(...)``: the bytes of a run with these settings, over many small batches."""
    monkeypatch.setattr(tokenize, "BATCH_CHARACTERS", 400)
    manifest = shelve(paragraphs)

    def run(**settings):
        tokenize.tokenize_shards(
            manifest, gpt2_json, tmp_path / "out", tokenizer_id="gpt2", max_file_tokens=3_000,
            **settings,
        )
        return contents(tmp_path / "out")

    return run


def test_an_executor_that_finishes_the_last_first(alone, tokenize, monkeypatch):
    """Documents stay in order, and only a few batches are under way at a time."""
    monkeypatch.setattr(tokenize, "AHEAD", 16)
    executor = LastFirst()
    wanted = alone()

    assert alone(executor=executor) == wanted
    assert len(executor.order) > 2 * tokenize.AHEAD > 20
    assert executor.most == tokenize.AHEAD


def test_processes_give_the_same_bytes(alone):
    """Two and three processes, ours or the caller's, give the files of one."""
    wanted = alone()
    context = multiprocessing.get_context("spawn")

    assert alone(workers=2) == wanted
    assert alone(workers=3) == wanted
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert alone(executor=pool) == wanted
        assert pool.submit(abs, -1).result() == 1


@pytest.mark.filterwarnings("ignore")  # dask's own, of versions and of ports in use
def test_a_dask_cluster_gives_the_same_bytes(alone):
    """A local cluster of two worker processes, through Client.get_executor()."""
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    wanted = alone()
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len({os.getpid(), *client.run(os.getpid).values()}) == 3
        assert alone(executor=client.get_executor()) == wanted


def test_an_error_in_a_worker_goes_out(tokenize, shelve, tmp_path, monkeypatch):
    """It ends the run, whatever else is under way, and there is no output."""
    monkeypatch.setattr(tokenize, "BATCH_CHARACTERS", 1)
    real = tokenize.encode_documents

    def fragile(texts, **named):
        if texts == ["the 15th"]:
            raise KeyError("half way")
        return real(texts, **named)

    monkeypatch.setattr(tokenize, "encode_documents", fragile)
    manifest = shelve([*["some text"] * 14, "the 15th", *["some text"] * 14])
    with (
        concurrent.futures.ThreadPoolExecutor(2) as pool,
        pytest.raises(KeyError, match="half way"),
    ):
        tokenize.tokenize_shards(
            manifest, None, tmp_path / "out", tokenizer_id="x", executor=pool
        )
    assert not (tmp_path / "out").exists()


# -- disasters --------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", ["one", "two"])
def test_faults_lose_no_output(package, shelve, tmp_path, steps, capsys):
    """At every open, write, seek, flush, close, fsync, lock, rename, swap and removal a run fails
    or dies, at a write half way through it, too: the old output is whole, or the new one is."""
    shelve(["old text", "of another", "time", "é"] * 3, "old")
    shelve([f"document {n}" for n in range(12)], "new")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "tests" / "tokenize_faults.py"), str(package),
         str(tmp_path), steps],
        capture_output=True, text=True, check=True, timeout=300,
    )
    found = json.loads(done.stdout)
    with capsys.disabled():
        print(f"\nfaults injected {found['faults']}, outputs lost {len(found['lost'])} "
              f"({steps} step{'s' * (steps == 'two')})")

    kinds = {"open", "write", "seek", "close", "fsync", "flock", "mkdir", "unlink", "rmdir"}
    assert kinds | {"_swapped" if steps == "one" else "rename"} <= set(found["operations"])
    assert found["lost"] == []
    writes = found["operations"].count("write")
    assert found["faults"] == 2 * len(found["operations"]) + writes
    assert found["died"] == len(found["operations"]) + writes
    assert found["failed"] > len(found["operations"]) / 2


def test_a_full_disk(package, shelve, tmp_path):
    """Where no file may grow beyond 8 KB, the run says so and the old output stays."""
    shelve(["small"], "small")
    shelve(["x" * 5000] * 3, "large", val_permille=0)
    command = [sys.executable, "-m", "llmdata", "pack", str(tmp_path / "small"), "out"]
    environment = os.environ | {"PYTHONPATH": str(package)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    before = contents(tmp_path / "out")
    command[4] = str(tmp_path / "large")
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
    )

    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(tmp_path / "out") == before


def test_a_place_that_cannot_be_written(tokenize, shelve, tmp_path):
    """Below a file, or in a read-only file system, the error names the place."""
    manifest = shelve(["a"])
    (tmp_path / "file").write_bytes(b"")
    places = [tmp_path / "file" / "out", Path("/proc/out"), Path("/sys/out")]
    for out in places[: 3 if sys.platform == "linux" else 1]:
        with pytest.raises(OSError, match=str(out.parent)) as caught:
            tokenize.tokenize_shards(manifest, None, out, tokenizer_id="bytes")
        assert caught.value.errno in (
            errno.ENOTDIR, errno.EEXIST, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT
        )


def test_a_folder_without_rights(package, shelve, tmp_path):
    """A folder in which this user may not write is an error that names it, in one line."""
    shelve(["a"])
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    if os.access(closed, os.W_OK):
        pytest.skip("this user may write everywhere")
    done = subprocess.run(
        [sys.executable, "-m", "llmdata", "pack", "corpus", "closed/out"], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(package)}, capture_output=True, text=True, check=False,
    )

    assert done.returncode == 2
    assert "closed/out.lock" in done.stderr


LIES = {
    "rows": lambda m: m["files"][0].update(rows=m["files"][0]["rows"] + 1),
    "bytes": lambda m: m["files"][0].update(bytes=1),
    "hash": lambda m: m["files"][0].update(sha256="0" * 64),
    "no such file": lambda m: m["files"][0].update(name="train-00009.parquet"),
    "a file less": lambda m: m["files"].pop(),
    "a file twice": lambda m: m["files"].append(m["files"][0]),
    "train in val": lambda m: m["files"].append(m["files"][0] | {"split": "val"}),
    "another split": lambda m: m["files"][0].update(split="val"),
    "a number for a name": lambda m: m["files"][0].update(name=5),
    "no files": lambda m: m.pop("files"),
    "version": lambda m: m.update(version=2),
}


@pytest.mark.parametrize("lie", [*LIES, "no json"])
def test_a_manifest_that_lies(tokenize, shelve, tmp_path, lie):
    """Whatever of it is not true, a ValueError says so, and there is no output."""
    manifest = shelve(["a", "b", "c"], val_permille=0)
    listed = json.loads(manifest.read_bytes())
    if lie in LIES:
        LIES[lie](listed)
    manifest.write_text(json.dumps(listed) if lie in LIES else "{")
    with pytest.raises(ValueError, match=r"."):
        tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="bytes")

    assert sorted(path.name for path in tmp_path.iterdir()) in (["corpus"], ["corpus", "out.tmp"])


def test_no_documents(tokenize, shelve, tmp_path):
    """Two files without ids, which all readers take but llm.c's loader."""
    made = tokenize.tokenize_shards(shelve([]), None, tmp_path / "out", tokenizer_id="bytes")

    for split in ("train", "val"):
        path = tmp_path / "out" / f"{split}-00000.bin"
        assert read_by_the_page(path.read_bytes()) == []
        assert tokenize.read_bin(path)[1].tolist() == []
        assert np.memmap(path, dtype="<u2", mode="r", offset=1024).tolist() == []
        with pytest.raises(AssertionError):
            loaded_by_llm_c(path)
    assert made.val_bytes_per_token is None


def test_an_old_lock_bars_nobody(tokenize, shelve, tmp_path):
    """A lock file that a crash has left, and folders that it has left, are no hindrance."""
    (tmp_path / "out.lock").write_text("left behind")
    (tmp_path / "out.tmp").mkdir()
    (tmp_path / "out.tmp" / "left.bin").write_bytes(b"x")
    manifest = shelve(["a"])
    tokenize.tokenize_shards(manifest, None, tmp_path / ".out.replaced", tokenizer_id="bytes")
    (tmp_path / "out").mkdir()  # empty, so it may be replaced
    tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="bytes")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "out"]


def test_writers_at_once(package, shelve, tmp_path):
    """Of several runs into one folder, each is right or is refused in a sentence; the output is
    whole, and nothing else is left."""
    shelve([f"text {n} " * 50 for n in range(400)])
    command = [sys.executable, "-m", "llmdata", "pack", "corpus", "out", "--max-file-tokens", "999"]
    options = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(package)}, "text": True,
               "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    runs = [subprocess.Popen(command, **options) for _ in range(4)]
    said = [(*run.communicate(timeout=120), run.returncode) for run in runs]
    alone = subprocess.run([*command[:4], "corpus", "alone", *command[6:]], check=True, **options)

    assert alone.returncode == 0
    assert {code for *_, code in said} <= {0, 2}
    assert any(code == 0 for *_, code in said)
    for _, error, code in said:
        assert (code == 0) == (error == "")
        assert code == 0 or "another process is writing out: let it end" in error
    assert contents(tmp_path / "out") == contents(tmp_path / "alone")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "corpus", "out"]


def test_a_second_writer_is_told_at_once(tokenize, shelve, tmp_path):
    """While one is at it, the next is refused, and the first is not disturbed."""
    manifest = shelve(["a"])
    with tokenize.writing(tmp_path / "out"):
        with pytest.raises(RuntimeError, match=r"another process is writing .*out: let it end"):
            tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="bytes")
        assert not (tmp_path / "out").exists()
    tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="bytes")


def test_a_backup_stays(tokenize, shelve, tmp_path):
    """A folder that its owner has called out.old, be it of token files or not, is neither put back
    nor deleted, whether a run ends well or is refused."""
    manifest = shelve(["a"])
    tokenize.tokenize_shards(manifest, None, tmp_path / "out.old", tokenizer_id="backup")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "one.txt").write_text("all of it")
    (tmp_path / "thesis.old").mkdir()
    (tmp_path / "thesis.old" / "one.txt").write_text("most of it")
    before = contents(tmp_path / "out.old")
    for _ in range(2):
        tokenize.tokenize_shards(manifest, None, tmp_path / "out", tokenizer_id="bytes")
    with pytest.raises(FileExistsError, match="thesis"):
        tokenize.tokenize_shards(manifest, None, tmp_path / "thesis", tokenizer_id="bytes")

    assert contents(tmp_path / "out.old") == before
    assert contents(tmp_path / "thesis.old") == {"one.txt": b"most of it"}


@pytest.mark.parametrize("kind", ["files", "aside", "file", "link", "corpus"])
def test_what_a_run_has_not_made_stays(tokenize, shelve, tmp_path, kind):
    """Other folders, files and links are left alone, and so is the corpus itself."""
    manifest = shelve(["a"])
    out = tmp_path / "corpus" if kind == "corpus" else tmp_path / "out"
    if kind in ("files", "aside"):
        out = out if kind == "files" else tmp_path / ".out.replaced"
        out.mkdir()
        (out / "thesis.txt").write_text("all of it")
    elif kind == "file":
        out.write_text("a file")
    elif kind == "link":
        tokenize.tokenize_shards(manifest, None, tmp_path / "real", tokenizer_id="bytes")
        out.symlink_to(tmp_path / "real")
    before = contents(out) if out.is_dir() else out.read_bytes()
    with pytest.raises(FileExistsError, match=out.name):
        tokenize.tokenize_shards(
            manifest, None, tmp_path / "out" if kind == "aside" else out, tokenizer_id="bytes"
        )

    assert (contents(out) if out.is_dir() else out.read_bytes()) == before
    assert out.is_symlink() == (kind == "link")


# -- scale ------------------------------------------------------------------------------------


def test_memory_does_not_grow_with_the_corpus(tokenize, shelve, tmp_path, monkeypatch):
    """Eight times the documents need the same memory."""
    monkeypatch.setattr(tokenize, "BATCH_CHARACTERS", 1 << 14)
    peaks = []
    for count in (300, 2400):
        manifest = shelve((f"{n} " * 400 for n in range(count)), f"corpus-{count}")
        tracemalloc.start()
        tokenize.tokenize_shards(manifest, None, tmp_path / f"out-{count}", tokenizer_id="bytes")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < 1.5 * peaks[0]


@pytest.mark.skipif(
    os.environ.get("OL_LARGE") != "1", reason="OL_LARGE=1 asks for it: about 2 GB and half a minute"
)
def test_a_document_of_300_mb(tokenize, shelve, tmp_path):
    """It is written whole, into a file of its own."""
    text = "a large document. " * (LARGE // 18)
    manifest = shelve(["before", text, "after"], val_permille=0)
    start = time.perf_counter()
    made = tokenize.tokenize_shards(
        manifest, None, tmp_path / "out", tokenizer_id="bytes", max_file_tokens=1000
    )
    print(f"{time.perf_counter() - start:.1f} s, peak of this process "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")
    large = np.memmap(tmp_path / "out" / "train-00001.bin", dtype="<u2", mode="r", offset=1024)

    assert [each["tokens"] for each in made.files] == [6, len(text), 5, 0]
    assert hashlib.sha256(large.astype(np.uint8)).digest() == hashlib.sha256(text.encode()).digest()


# -- the command ------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["-m llmdata", "llmdata/__main__.py", "llmdata"])
@pytest.mark.parametrize("workers", [1, 2])
def test_the_package_packs(package, tokenize, shelve, gpt2_json, tmp_path, how, workers):
    """As a module, as a script beside tokenize.py and as a folder, with one process and two."""
    manifest = shelve(["Hello world", "Hi"] * 30)
    tokenize.tokenize_shards(manifest, gpt2_json, tmp_path / "wanted", tokenizer_id="gpt2")
    settings = ["--tokenizer", gpt2_json, "--tokenizer-id", "gpt2", "--workers", str(workers)]
    done = subprocess.run(
        [sys.executable, "-W", "error", *how.split(), "pack", manifest.parent, tmp_path / "out",
         *settings],
        cwd=package, capture_output=True, text=True, check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r".*out: [\d,]+ tokens in 2 files\n", done.stdout)
    assert contents(tmp_path / "out") == contents(tmp_path / "wanted")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["none", "out"], "_MANIFEST.json"),
        (["corpus", "out", "--workers", "0"], "workers is 0; at least 1"),
        (["corpus", "out", "--max-file-tokens", "0"], "max_file_tokens is 0"),
        (["corpus", "corpus"], "corpus is no folder of token files"),
        (["corpus", "out", "--workers", "two"], "--workers: invalid int value: 'two'"),
    ],
    ids=["no corpus", "no workers", "no tokens", "other folder", "no number"],
)
def test_the_command_says_what_is_wrong(package, shelve, tmp_path, wrong, said):
    """A sentence, in words that the user has typed, and exit code 2; no traceback."""
    shelve(["a"])
    done = subprocess.run(
        [sys.executable, "-m", "llmdata", "pack", *wrong], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(package)}, capture_output=True, text=True, check=False,
    )

    assert done.returncode == 2
    assert "python -m llmdata pack: " in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("tokenizer", "options", "name"),
    [(None, [], "bytes"), ("gpt2/tokenizer.json", [], "gpt2"), ("mine.json", [], "mine"),
     ("gpt2/tokenizer.json", ["--tokenizer-id", "other"], "other"),
     (None, ["--tokenizer-id", "utf-8"], "utf-8")],
)
def test_the_command_names_the_tokenizer(
    tokenize, shelve, gpt2_json, tmp_path, tokenizer, options, name
):
    """By what was said, else by its folder or its file; only bytes are called bytes."""
    if tokenizer is not None:
        path = tmp_path / tokenizer
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gpt2_json.read_bytes())
        options = [*options, "--tokenizer", str(path)]
    out = tmp_path / "out"
    tokenize.main(["pack", str(shelve(["a"]).parent), str(out), *options])

    assert json.loads((out / "_MANIFEST.json").read_bytes())["tokenizer_id"] == name
