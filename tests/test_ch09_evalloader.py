"""Chapter 9's own code on a sample of HellaSwag, on damaged files of all kinds, and beside PyTorch.

The sample is looked for in the folder that ``OL_DATA`` names.
"""

import gc
import json
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures.make import recipe
from tests import outside

FIXTURES = outside.ROOT / "fixtures" / "ch09_evalloader"
SAMPLE = "hellaswag_val_sample48.jsonl"
PIECES = ([5, 6], [[7, 8], [9], [10, 11, 12], [13]], 2)


@pytest.fixture(scope="module")
def evalloader():
    with outside.reference("ch09") as module:
        yield module


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory):
    """GPT-2's tokenizer, of chapter 3."""
    with outside.reference("ch03") as tokenizer:
        characters = sorted(tokenizer.byte_characters(), key=lambda c: (ord(c) > 255, ord(c)))
        merges = outside.gpt2_merges()
        tokens = [*characters, *(merge.replace(" ", "") for merge in merges)]
        config = {
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
            "model": {"vocab": {token: n for n, token in enumerate(tokens)}, "merges": merges},
        }
        path = tmp_path_factory.mktemp("gpt2") / "tokenizer.json"
        path.write_text(json.dumps(config))
        return tokenizer.BPETokenizer.from_hf_json(path)


@pytest.fixture(scope="module")
def sample():
    """Questions of HellaSwag's validation split."""
    lines = outside.found(SAMPLE).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def hellaswag(evalloader, gpt2, sample):
    """The sample as examples: the blank before an ending is the ending's."""
    return [
        evalloader.Example(
            gpt2.encode(each["ctx"]),
            [gpt2.encode(f" {ending}") for ending in each["endings"]],
            each["label"],
        )
        for each in sample
    ]


@pytest.fixture
def file(evalloader, hellaswag, tmp_path):
    evalloader.write_evalfile(tmp_path / "hellaswag.bin", hellaswag)
    return tmp_path / "hellaswag.bin"


@pytest.mark.parametrize("name", ["questions.jsonl", "golden.json"])
def test_golden_files_regenerate(name):
    """The questions, and what follows from them, come out of the recipes as they stand there."""
    assert recipe(f"ch09_evalloader/{name}")() == (FIXTURES / name).read_bytes()


def test_hellaswag_there_and_back(evalloader, hellaswag, file):
    """All examples of the sample are read as they were written, all of uint16."""
    data = file.read_bytes()

    assert evalloader.parse_evalfile(data) == hellaswag
    assert struct.unpack("<3i", data[:12]) == (20240522, 1, 48)
    assert len(data) == 1024 + 2 * sum(
        10 + len(each.context) + sum(map(len, each.completions)) for each in hellaswag
    )


@pytest.mark.parametrize(("B", "ranks"), [(4, 1), (60, 1), (8, 5), (12, 7), (4, 48)])
def test_what_is_asked_is_what_stands_there(evalloader, gpt2, sample, file, B, ranks):
    """Whatever B and the ranks: masked targets decode to the endings, and inputs to whole texts."""
    seen = []
    for rank in range(ranks):
        loader = evalloader.EvalLoader(file, B, 256, rank, ranks)
        for _ in range(loader.num_batches):
            inputs, targets = loader.next_batch()
            for row in range(0, B, 4):
                if (label := int(loader.label[row // 4])) < 0:
                    assert not loader.mask[row : row + 4].any()
                    continue
                question = sample[len(seen)]
                seen.append(label)
                for c, ending in enumerate(question["endings"]):
                    mask = loader.mask[row + c]
                    end = int(np.flatnonzero(mask)[-1]) + 2
                    assert gpt2.decode(targets[row + c, mask].tolist()) == f" {ending}"
                    whole = f"{question['ctx']} {ending}"
                    assert gpt2.decode(inputs[row + c, :end].tolist()) == whole

    assert seen == [question["label"] for question in sample]


def test_shifted_losses_of_pytorch(evalloader, hellaswag):
    """As HellaSwag is reckoned with PyTorch: cross entropy of shifted logits, masked mean."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    generator = torch.Generator().manual_seed(9)
    for example in hellaswag[:12]:
        rows = [example.context + completion for completion in example.completions]
        T = max(map(len, rows)) + 1
        logits = torch.randn(4, T, 50257, generator=generator)
        means = []
        for row, logit in zip(rows, logits, strict=True):
            losses = torch.nn.functional.cross_entropy(
                logit[: len(row) - 1], torch.tensor(row[1:]), reduction="none"
            )
            means.append(float(losses[len(example.context) - 1 :].double().mean()))
        inputs, targets, mask = evalloader.render_example(example, T)
        losses = torch.nn.functional.cross_entropy(
            logits.transpose(1, 2), torch.tensor(targets), reduction="none"
        ).numpy()

        for label in range(4):
            wanted = int(means.index(min(means)) == label)
            assert evalloader.count_correct(losses, mask, np.array([label])) == wanted
        assert [row.tolist()[: len(own)] for row, own in zip(inputs, rows, strict=True)] == rows


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_means_what_it_says(evalloader, data):
    """Whatever happens to a file, what is accepted packs to the same bytes again."""
    examples = [evalloader.Example(*PIECES), evalloader.Example([1], [[2], [3], [4], [5, 6]], 0)]
    words = np.concatenate([evalloader.pack_example(e, n) for n, e in enumerate(examples)])
    whole = struct.pack("<4i", 20240522, 1, 2, 38).ljust(1024, b"\0") + words.tobytes()
    places = st.integers(0, 15) | st.integers(1024, len(whole) - 1)
    damaged = bytearray(whole[: data.draw(st.just(len(whole)) | st.integers(0, len(whole)))])
    for place in data.draw(st.lists(places, max_size=3)):
        damaged[place : place + 1] = data.draw(st.binary(max_size=3))
    try:
        found = evalloader.parse_evalfile(bytes(damaged))
    except ValueError:
        return

    packed = [evalloader.pack_example(each, n) for n, each in enumerate(found)]
    header = struct.pack("<4i", 20240522, 1, len(found), max(each.nbytes for each in packed))
    assert damaged[:16] == header
    assert damaged[1024:] == b"".join(each.tobytes() for each in packed)


def test_no_file_stays_open_and_no_memory_either(evalloader, tmp_path):
    """1,000 batches and 100 loaders: warnings are errors here, and memory does not grow."""
    path: Path = tmp_path / "small.bin"
    evalloader.write_evalfile(path, [evalloader.Example(*PIECES)] * 5)

    def rounds(n):
        for _ in range(n):
            loader = evalloader.EvalLoader(path, 8, 16)
            for _ in range(10):
                loader.next_batch()
                loader.stat_losses(np.ones((8, 16)))
            loader.close()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = rounds(5)
        assert rounds(100) - before < 10_000
    finally:
        tracemalloc.stop()


def test_the_most_examples_that_fit(evalloader, tmp_path):
    """65,535 examples, the last with the index 65534, are written, read and shared out."""
    path = tmp_path / "many.bin"
    evalloader.write_evalfile(path, [evalloader.Example([1], [[2]] * 4, 3)] * 65535)
    loader = evalloader.EvalLoader(path, 400, 4, 7, 8)

    assert (loader.start_example_index, loader.end_example_index) == (57344, 65535)
    loader.current_example_index = 65534
    loader.next_batch()
    assert loader.label.tolist() == [3] + [-1] * 99
