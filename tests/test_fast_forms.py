"""Training and encoding beside other programs, and what stands under the bonus steps of chapters 2
and 3: blocks, starts of chunks, leaders."""

import itertools
import pathlib
import re
import sys
import types

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.contract import reference_module
from autograder.course import find

HERE = pathlib.Path(__file__).parent
TEXTS = st.lists(st.text() | st.text("ab1' \n\t\0\x1c\x85\u2003é“—😀٣½sltvermd"), max_size=4)
# Tests of this course: letters, signs, numbers, dashes, quotes, other scripts. The separator is
# text to the other programs, so it is left out.
REAL = tuple(
    path.read_text(encoding="utf-8").replace("<|endoftext|>", "")
    for path in sorted(HERE.glob("test_*.py"))[:20]
)


@pytest.fixture(scope="module")
def course():
    """The modules of chapters 2 and 3, made of the solutions."""
    with pytest.MonkeyPatch.context() as patch:
        package = types.ModuleType("llmdata")
        package.__path__ = []
        patch.setitem(sys.modules, "llmdata", package)
        found = []
        for name in ("ch01", "ch02", "ch03"):
            source = reference_module(find(name))
            module = types.ModuleType(source.name)
            patch.setitem(sys.modules, source.name, module)
            for cell in source.cells:
                exec(compile(cell.source, cell.name, "exec"), vars(module))
            found.append(module)
        yield types.SimpleNamespace(bpe=found[1], tokenizer=found[2])


@pytest.fixture(scope="module", params=["PATTERN", "GPT2_PATTERN"])
def pattern(request, course):
    return getattr(course.tokenizer, request.param)


@pytest.mark.parametrize("size", [1, 5, 2**20])
@given(texts=TEXTS)
@settings(max_examples=60, deadline=None)
def test_chunks_begin_where_the_pattern_says(course, pattern, size, texts):
    """However small the blocks are, the chunks are those that the pattern finds in each text, with
    the mark before it."""
    bpe = course.bpe
    classes, digits = course.tokenizer.classes_and_digits(pattern)
    find_all = re.findall if pattern == bpe.PATTERN else regex.findall
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bpe, "BLOCK", size)
        for block in bpe.blocks(texts):
            data, starts, begins = bpe.chunk_starts(block, classes, digits)
            chunks = [block[a:b] for a, b in itertools.pairwise(begins.tolist())]
            in_bytes = [data[a:b] for a, b in itertools.pairwise(starts.tolist())]
            assert in_bytes == [chunk.encode(errors="surrogatepass") for chunk in chunks]
            found += chunks

    assert found == [chunk for text in texts for chunk in (bpe.MARK, *find_all(pattern, text))]


@pytest.mark.parametrize("bits", [1, 4, 18])
@given(text=st.text("ab \0é", max_size=60))
@settings(max_examples=60, deadline=None)
def test_leaders_are_equal(course, bits, text):
    """A chunk is led by an equal one, however crowded the table is."""
    bpe = course.bpe
    data = text.encode()
    places = [0, *(m.end() for m in re.finditer(rb"[^ ]*( |$)", data) if m.end() > m.start())]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bpe, "SLOT_BITS", bits)
        leader = bpe.leaders(data, bpe.np.array(places)).tolist()
    chunks = [data[a:b] for a, b in itertools.pairwise(places)]

    assert [chunks[each] for each in leader] == chunks


def test_equal_chunks_share_a_leader(course):
    """With room in the table, up to 16 bytes long, all that are equal have the same leader."""
    words = [b"a", b"aaaaaaa ", b"aaaaaaaa ", b"aaaaaaaaaaaaaaa "] * 50
    starts = course.bpe.np.cumsum([0, *map(len, words)])

    assert len({*course.bpe.leaders(b"".join(words), starts).tolist()}) == 4


def tokens_of(merges):
    tokens = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tokens


def test_rustbpe_learns_the_same_tokens(course):
    """It breaks ties as the course does, so every token is the same, in the same order."""
    rustbpe = pytest.importorskip("rustbpe", reason="rustbpe is not installed")
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator(iter(REAL), 2000, pattern=course.bpe.PATTERN)
    ranks = peer.get_mergeable_ranks()

    assert [bytes(token) for token, _ in ranks] == tokens_of(course.bpe.train_bpe(REAL, 1744))


def test_bpeasy_learns_the_same_tokens(course):
    """It breaks ties as the course does, so every token is the same, in the same order."""
    bpeasy = pytest.importorskip("bpeasy", reason="bpeasy is not installed")
    ranks = bpeasy.train_bpe(iter(REAL), course.bpe.PATTERN, 10_000, 2000)

    assert sorted(ranks, key=ranks.get) == tokens_of(course.bpe.train_bpe(REAL, 1744))


def test_tiktoken_gives_the_same_ids(course, pattern):
    """With a few hundred merges of the course and either pattern, in blocks and chunk by chunk."""
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    merges = course.bpe.train_bpe(REAL, 744)
    tokens = tokens_of(merges)
    mine = course.tokenizer.BPETokenizer(
        {pair: 256 + n for n, pair in enumerate(merges)}, tokens, {}, pattern
    )
    peer = tiktoken.Encoding("test", pat_str=pattern, special_tokens={},
                             mergeable_ranks={token: n for n, token in enumerate(tokens)})
    wanted = [peer.encode_ordinary(text) for text in REAL]

    assert [ids.tolist() for ids in course.tokenizer.encode_fast(mine, REAL)] == wanted
    assert mine.encode_batch(REAL) == wanted
