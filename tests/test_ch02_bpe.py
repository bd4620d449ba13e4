"""Chapter 2's own code on texts in all scripts, on the real book, and beside other programs.

Texts of the Universal Declaration of Human Rights and the real book come from ``OL_DATA``; rustbpe
and bpeasy are used where they are installed.
"""

import collections
import itertools
import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import outside

N_MERGES = 300
PART = 5000  # characters of each translation, for the sake of time
# Few letters, so that ties and runs abound, among them parts of characters and the separator.
SEGMENTS = st.lists(
    st.text("ab ", max_size=30) | st.text("aé“日😀", max_size=12) | st.text(max_size=20)
    | st.just("ab<|endoftext|>ba"), max_size=5,
)
IN_ANOTHER_PROCESS = """
import sys
from benchmarks.reference import reference
from tests.outside import embedded_stories
print(reference("ch02").train_bpe(embedded_stories(), int(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def bpe():
    with outside.reference("ch02") as module:
        yield module


@pytest.fixture(scope="module")
def declaration():
    """The first part of every translation."""
    return {name: text[:PART] for name, text in outside.translations().items()}


@pytest.fixture(scope="module")
def learned(bpe, declaration):
    """Merges of the declaration in all its languages."""
    return bpe.train_bpe(list(declaration.values()), N_MERGES)


@pytest.fixture(scope="module")
def train():
    """Stories I to X of the real book."""
    return outside.real_stories()[:10]


def tokens_of(merges):
    tokens = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tokens


def trained_slowly(pattern, segments, n_merges):
    """The rule as it is said: count all pairs of all chunks again for each merge."""
    pieces = [piece for segment in segments for piece in segment.split("<|endoftext|>")]
    chunks = [list(c.encode()) for piece in pieces for c in re.findall(pattern, piece)]
    merges = []
    while len(merges) < n_merges:
        pairs = collections.Counter(pair for ids in chunks for pair in itertools.pairwise(ids))
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        chunks = [replaced(ids, best, 255 + len(merges)) for ids in chunks]
    return merges


def replaced(ids, pair, new_id):
    text = "".join(map(chr, ids)).replace("".join(map(chr, pair)), chr(new_id))
    return list(map(ord, text))


def by_rustbpe(pattern, segments, n_merges):
    """The bytes of each id by rustbpe, with which the smallest pair wins a tie too."""
    rustbpe = pytest.importorskip("rustbpe", reason="rustbpe is not installed")
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator(iter(segments), 256 + n_merges, pattern=pattern)
    ranks = sorted(peer.get_mergeable_ranks(), key=lambda entry: entry[1])
    return [bytes(token) for token, _ in ranks]


def by_bpeasy(pattern, segments, n_merges):
    """The same by bpeasy, whose tokens may be as long as they get."""
    bpeasy = pytest.importorskip("bpeasy", reason="bpeasy is not installed")
    ranks = bpeasy.train_bpe(iter(segments), pattern, 10_000, 256 + n_merges)
    return sorted(ranks, key=ranks.get)


# -- chunks -----------------------------------------------------------------------------------


def test_chunks_make_every_text(bpe):
    """In every language the chunks, joined, are the text, and none is empty."""
    declaration = outside.translations()
    lost = [
        name for name, text in declaration.items()
        if "".join(chunks := bpe.pretokenize(text)) != text or not all(chunks)
    ]

    assert len(declaration) > 300
    assert lost == []


@given(st.text() | st.text("a1' \n\t\x1c\u2003é"))
@settings(deadline=None)
def test_chunks_make_any_text(bpe, text):
    """So they do for any text that Hypothesis thinks of."""
    chunks = bpe.pretokenize(text)

    assert "".join(chunks) == text
    assert all(chunks)


# -- merges -----------------------------------------------------------------------------------


def test_training_is_the_rule_in_all_scripts(bpe, declaration):
    """On a piece of every translation, merges are those of recounting."""
    segments = [text[600:800] for text in declaration.values()]

    assert bpe.train_bpe(segments, 40) == trained_slowly(bpe.PATTERN, segments, 40)


@given(SEGMENTS, st.integers(0, 25))
@settings(deadline=None, max_examples=300)
def test_training_is_the_rule(bpe, segments, n_merges):
    """On any segments, ties and runs among them, merges are those of recounting."""
    assert bpe.train_bpe(segments, n_merges) == trained_slowly(bpe.PATTERN, segments, n_merges)


@pytest.mark.parametrize("seed", [1, 2])
def test_order_of_texts_does_not_matter(bpe, declaration, learned, seed):
    """The translations in another order give the same merges."""
    shuffled = list(declaration.values())
    random.Random(seed).shuffle(shuffled)

    assert bpe.train_bpe(shuffled, N_MERGES) == learned


@given(SEGMENTS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_of_segments_does_not_matter(bpe, segments, chance):
    """Any segments in any order give the same merges, and so do they joined by the separator."""
    wanted = bpe.train_bpe(segments, 12)
    shuffled = chance.sample(segments, len(segments))

    assert bpe.train_bpe(shuffled, 12) == wanted
    assert bpe.train_bpe(["<|endoftext|>".join(shuffled)], 12) == wanted


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        {"PYTHONHASHSEED": "4294967295", "OMP_NUM_THREADS": "7", "OPENBLAS_NUM_THREADS": "7"},
    ],
    ids=["hash seed 0", "one thread", "seven threads"],
)
def test_hash_seed_and_threads_do_not_matter(bpe, environment):
    """A process with another hash seed and another number of threads learns the same merges."""
    wanted = bpe.train_bpe(outside.embedded_stories(), 400)

    assert outside.elsewhere(IN_ANOTHER_PROCESS, "400", **environment) == f"{wanted}\n"


def test_training_in_several_threads(bpe):
    """Four trainings at the same time do not disturb each other."""
    stories = outside.embedded_stories()
    wanted = [bpe.train_bpe(stories[:n], 200) for n in (3, 6, 9, 12)]
    with ThreadPoolExecutor(4) as threads:
        got = list(threads.map(lambda n: bpe.train_bpe(stories[:n], 200), (3, 6, 9, 12)))

    assert got == wanted


# -- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("peer", [by_rustbpe, by_bpeasy])
def test_tokens_of_other_programs(bpe, peer):
    """rustbpe and bpeasy learn the same tokens, in the same order, from the course's own book."""
    stories = outside.embedded_stories()

    assert tokens_of(bpe.train_bpe(stories, 1500)) == peer(bpe.PATTERN, stories, 1500)


@pytest.mark.parametrize("peer", [by_rustbpe, by_bpeasy])
def test_tokens_of_other_programs_in_all_scripts(bpe, declaration, learned, peer):
    """And from the declaration in all its languages."""
    assert tokens_of(learned) == peer(bpe.PATTERN, list(declaration.values()), N_MERGES)


@pytest.mark.parametrize("peer", [by_rustbpe, by_bpeasy])
def test_tokens_of_other_programs_in_the_real_book(bpe, train, peer):
    """And from stories I to X of the real book, to 4,096 ids."""
    assert tokens_of(bpe.train_bpe(train, 3840)) == peer(bpe.PATTERN, train, 3840)


# -- facts of the real book -------------------------------------------------------------------


def test_the_is_the_first_merge_of_two_merges(bpe, train):
    """Until 263 comes, each merge takes a byte on one side at least; 263 is made of two merges."""
    merges = bpe.train_bpe(train, 8)

    assert [min(pair) > 255 for pair in merges] == [False] * 7 + [True]


def test_longest_tokens_of_the_real_book(bpe, train):
    """The twenty longest tokens, older ones first; none exceeds seven bytes."""
    tokens = sorted(tokens_of(bpe.train_bpe(train, 255)), key=len, reverse=True)[:20]

    assert {token.decode().strip() for token in tokens} == set(
        "Holmes little which there would that with have olmes said from upon this your been very"
        " were some ittle ather".split()
    )
    assert len(tokens[0]) == 7


def test_bytes_of_the_real_book(bpe, train):
    """Of the 256 bytes, 92 occur in train."""
    assert len(set("".join(bpe.count_chunks(train)).encode())) == 92


def test_contractions_never_fire_in_the_real_book(bpe, train):
    """Every apostrophe of the book is curly, so no chunk begins with a straight one."""
    chunks = bpe.count_chunks(train)

    assert "’" in "".join(chunks)
    assert [chunk for chunk in chunks if "'" in chunk] == []
