"""Packing a Parquet corpus into token files with GPT-2's vocabulary, beside the usual scripts.

Every run is a process of its own, start and all, and they take turns. The peers read the same
Parquet files. One is a script of the kind that llm.c and nanoGPT ship, ``tiktoken`` and a pool of
processes that fill one array; the other is ``datasets`` with ``map``, where it is installed. All
ids have to be equal. The table has one process each; two are shown beside it. Two floors say what
no packer can beat: reading the texts, and writing the bytes. ``write_bin`` is compared with writing
the same bytes, both to files that are not there yet. The text is whatever the machine has (see
``corpus``), ``OL_PACKING_MB`` of it, 50 unless set.

"fast" is the course's package as it is, in which chapter 7 gives large batches to ``encode_fast``,
the bonus of chapter 3; "ours" is the package of somebody who has left that out.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import math
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from measure import Row, alternate, median, seconds_of

SIZE = int(os.environ.get("OL_PACKING_MB", "50")) * 1_000_000  # bytes of text
ROUNDS = 5
EOT = 50256
PAYLOAD = 200_000_000  # bytes of ids for write_bin
TWICE = "twice"  # for memory: the same texts, all of them twice, so that the cache has no more
PLAIN = "without-bonus"  # the folder of the package without encode_fast

# -- what one process does --------------------------------------------------------------------


def ours(folder: Path, corpus: str, workers: int) -> None:
    from llmdata import tokenize

    tokenize.tokenize_shards(
        folder / corpus / "_MANIFEST.json", folder / "tokenizer.json", folder / "out-ours",
        tokenizer_id="gpt2", doc_sep_id=EOT, workers=workers,
    )


def texts_of(folder: Path, corpus: str, split: str) -> Iterator[str]:
    """The texts of a split, in order, as a script would read them."""
    import pyarrow.parquet as pq

    for path in sorted((folder / corpus).glob(f"{split}-*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(columns=["text"]):
            yield from batch["text"].to_pylist()


@functools.cache
def peer_encoder(path: Path) -> Any:
    import tiktoken

    from llmdata.tokenizer import GPT2_PATTERN, parse_hf

    _, tokens, _ = parse_hf(path.read_bytes())
    ranks = {token: rank for rank, token in enumerate(tokens[:EOT])}
    return tiktoken.Encoding(
        "gpt2", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={}
    )


def peer_document(path: Path, text: str) -> np.ndarray:
    ids = np.array([EOT, *peer_encoder(path).encode_ordinary(text)])
    assert (ids < 2**16).all()
    return ids.astype(np.uint16)


def write_peer(path: Path, documents: Any) -> None:
    """One file of a split, gathered in an array that grows by doubling."""
    buffer, count = np.empty(1 << 20, np.uint16), 0
    for ids in documents:
        while count + len(ids) > len(buffer):
            buffer = np.concatenate([buffer, np.empty_like(buffer)])
        buffer[count : count + len(ids)] = ids
        count += len(ids)
    header = np.zeros(256, np.int32)
    header[:3] = 20240520, 1, count
    with path.open("wb") as file:
        file.write(header.tobytes() + buffer[:count].tobytes())


def script(folder: Path, corpus: str, workers: int) -> None:
    encode = functools.partial(peer_document, folder / "tokenizer.json")
    (folder / "out-script").mkdir(exist_ok=True)
    for split in ("train", "val"):
        path, texts = folder / "out-script" / f"{split}-00000.bin", texts_of(folder, corpus, split)
        if workers == 1:
            write_peer(path, map(encode, texts))
        else:
            with multiprocessing.get_context("spawn").Pool(workers) as pool:
                write_peer(path, pool.imap(encode, texts, chunksize=16))


def mapped(folder: Path, corpus: str, workers: int) -> None:
    import datasets

    encode = functools.partial(peer_document, folder / "tokenizer.json")
    (folder / "out-mapped").mkdir(exist_ok=True)
    for split in ("train", "val"):
        files = [str(path) for path in sorted((folder / corpus).glob(f"{split}-*.parquet"))]
        loaded = datasets.load_dataset(
            "parquet", data_files=files, split="train", cache_dir=str(folder / "cache")
        )
        done = loaded.map(
            lambda row: {"ids": encode(row["text"])}, remove_columns=["id", "text"],
            num_proc=workers if workers > 1 else None, load_from_cache_file=False,
        ).with_format("numpy")
        write_peer(folder / "out-mapped" / f"{split}-00000.bin", (row["ids"] for row in done))


def reading(folder: Path, corpus: str, workers: int) -> None:
    for split in ("train", "val"):
        for _ in texts_of(folder, corpus, split):
            pass


def writing(folder: Path, corpus: str, workers: int) -> None:
    data = b"".join(path.read_bytes() for path in (folder / "out-ours").glob("*.bin"))
    with (folder / "floor").open("wb") as file:
        file.write(data)
        os.fsync(file.fileno())


MODES: dict[str, Callable[[Path, str, int], None]] = {
    "ours": ours, "fast": ours, "script": script, "mapped": mapped, "reading": reading,
    "writing": writing,
}

# -- who runs them ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A process: its seconds, the CPU seconds of it and its children, and the most memory that it
    held itself, in MB."""

    seconds: float
    cpu: float
    peak: float


def run(folder: Path, mode: str, workers: int, corpus: str = "corpus") -> Run:
    command = [sys.executable, __file__, mode, str(folder), corpus, str(workers)]
    package = folder / PLAIN if mode == "ours" else folder
    path = os.pathsep.join([str(package), *sys.path])
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    )
    said = process.communicate()[0]
    seconds = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    cpu, peak = map(float, said.split()[-2:])
    return Run(seconds, cpu, peak)


def spent() -> str:
    """CPU seconds of this process and those it waited for, and the most memory that it held, in MB.

    The kernel's ``ru_maxrss`` will not do: it goes on from what the parent held at the fork.
    """
    cpu = sum(os.times()[:4])
    status = Path("/proc/self/status")
    held = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    return f"{cpu} {int(held[1]) / 1024 if held else math.nan}"


def digest(folder: Path) -> str:
    """The hash of all ids of both splits, whatever files they lie in."""
    found = hashlib.sha256()
    for split in ("train", "val"):
        for path in sorted(folder.glob(f"{split}-*.bin")):
            found.update(path.read_bytes()[1024:])
    return found.hexdigest()


def prepare(folder: Path) -> float:
    """The package, the corpora and GPT-2's tokenizer; the size of the text in MB."""
    from corpus import documents
    from reference import gpt2_json, reference_package

    reference_package("ch07", folder)
    reference_package("ch07", folder / PLAIN, bonus=False)
    sys.path.insert(0, str(folder))
    from llmdata import shards, tokenizer

    corpus = documents(SIZE)
    texts = [(f"file:{n}", text) for n, text in enumerate(corpus.texts)]
    twice = [*texts, *((f"again:{name}", text) for name, text in texts)]
    print(f"packing: {corpus.size / 1e6:.1f} MB, {corpus.taken}")
    for name, docs in (("corpus", texts), (TWICE, twice)):
        shards.write_shards(docs, folder / name, val_permille=50, rows_per_shard=2000)
    (folder / "tokenizer.json").write_bytes(gpt2_json(tokenizer))
    return corpus.size / 1e6


def contest(folder: Path, size: float) -> list[Row]:
    """Everybody in turn, ``ROUNDS`` times, and the rows that have a limit."""
    peers = [("script", "tiktoken"), ("mapped", "datasets")]
    modes = ["ours", "fast"]
    modes += [mode for mode, package in peers if importlib.util.find_spec(package)]
    entries = [*((mode, n) for mode in modes for n in (1, 2)), ("reading", 1), ("writing", 1)]
    runs: dict[tuple[str, int], list[Run]] = {entry: [] for entry in entries}
    payloads: dict[str, str] = {}
    for _ in range(ROUNDS):
        for (mode, workers), got in runs.items():
            got.append(run(folder, mode, workers))
            if mode in modes:
                payloads[mode] = digest(folder / f"out-{'ours' if mode == 'fast' else mode}")
                assert payloads[mode] == payloads["ours"], f"{mode} has other ids"
    middle = {entry: median([each.seconds for each in got]) for entry, got in runs.items()}
    for (mode, workers), seconds in middle.items():
        cpu = median([each.cpu for each in runs[mode, workers]])
        peak = max(each.peak for each in runs[mode, workers])
        print(f"packing: {mode:8} {workers} process{'es' * (workers > 1):2} {seconds:7.2f} s, "
              f"{size / seconds:6.2f} MB/s, {cpu:6.2f} s of CPU, peak {peak:.0f} MB")
    return [
        Row(f"{size:.0f} MB packed, {mode} / tiktoken script", middle[mode, 1],
            middle["script", 1], limit, middle[mode, 1] <= most * middle["script", 1])
        for mode, most, limit in (("ours", 1.25, "at most 1.25"), ("fast", 2 / 3, "at most 0.67"))
        if "script" in modes
    ]


def memory(folder: Path) -> Row:
    twice, once = (run(folder, "ours", 1, corpus).peak for corpus in (TWICE, "corpus"))
    return Row("memory for the texts twice / once", twice, once, "at most 1.2",
               twice <= 1.2 * once, "MB")


def plain_writing(folder: Path) -> Row:
    """``write_bin`` beside writing the same bytes: header, then ids."""
    from llmdata import tokenize

    ids = np.random.default_rng(1).integers(0, EOT, PAYLOAD // 2, dtype=np.uint16)
    header = np.array([20240520, 1, len(ids), 50257, *[0] * 252], "<i4").tobytes()
    path = folder / "payload.bin"

    def raw() -> None:
        with path.open("wb") as file:
            file.write(header)
            file.write(ids.data)

    def fresh(write: Callable[[], None]) -> float:
        path.unlink(missing_ok=True)
        return seconds_of(write)

    mine, plain = alternate(
        lambda: fresh(lambda: tokenize.write_bin(path, ids, 50257)), lambda: fresh(raw), 9
    )
    return Row(f"write_bin of {PAYLOAD / 1e6:.0f} MB / writing the bytes", median(mine),
               median(plain), "at most 1.43", median(mine) <= median(plain) / 0.7)


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = prepare(folder)
        return [*contest(folder, size), memory(folder), plain_writing(folder)]


def main(arguments: Sequence[str]) -> None:
    mode, folder, corpus, workers = arguments
    MODES[mode](Path(folder), corpus, int(workers))
    print(spent())


if __name__ == "__main__":
    main(sys.argv[1:])
