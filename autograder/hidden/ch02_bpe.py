"""Hidden tests of ch02_bpe: chunks, pairs and merges of byte pair encoding.

What is wanted comes from Hugging Face tokenizers (``golden.json``), from pencil and paper, or from
``trained_slowly``, which does what the rule says and recounts everything for each merge. Facts of
the real book are tested where it is found.
"""

import collections
import hashlib
import itertools
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import books
from autograder.hidden import checks, relative_time

WORDS = r"'(?:[sdmt]|ll|ve|re)| ?[A-Za-z]+| ?[0-9]{1,3}| ?[^\sA-Za-z0-9]+"
PATTERN = WORDS + r"|\s+(?!\S)|\s+"
EOT = "<|endoftext|>"
HEADING = re.compile(r"^(?=[IVX]+\. [A-Z\u2019' -]+$)", re.MULTILINE)
TOY = "low low low lower lowest newer newest"
TEXTS = st.text() | st.text("ab1' \n\té“—")
# Few letters, so that ties and runs abound.
SEGMENTS = st.lists(st.text("ab ", max_size=14) | st.text("aé“", max_size=8), max_size=4)


def chunks_of(segments):
    """All chunks, each as often as it occurs."""
    pieces = (piece for segment in segments for piece in segment.split(EOT))
    return [chunk for piece in pieces for chunk in re.findall(PATTERN, piece)]


def replaced(ids, pair, new_id):
    """Merging as str.replace does it: from the left, without overlap."""
    old = "".join(map(chr, pair))
    return [ord(c) for c in "".join(map(chr, ids)).replace(old, chr(new_id))]


def trained_slowly(segments, n_merges):
    """The rule as it is said, on all chunks of the text, equal ones too."""
    chunks = [list(chunk.encode()) for chunk in chunks_of(segments)]
    merges = []
    while len(merges) < n_merges:
        pairs = collections.Counter(p for ids in chunks for p in itertools.pairwise(ids))
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        chunks = [replaced(ids, merges[-1], 255 + len(merges)) for ids in chunks]
    return merges


def digest(merges):
    return hashlib.sha256(repr(merges).encode()).hexdigest()


@pytest.fixture(scope="module")
def train_split():
    """Stories I to X of the real book, where it is found."""
    path = books.real()
    if path is None:
        pytest.skip("the real book is not here; 'ol data' brings it, OL_DATA names its folder")
    return HEADING.split(path.read_text(encoding="utf-8"))[1:11]


# -- pretokenize ------------------------------------------------------------------------------


@checks("pretokenize", kind="unit", why="the example that was cut with pencil and paper")
def test_chunks_by_hand(pretokenize):
    """The text "Holmes's 1892 pipe" is cut into "Holmes", "'s", " 189", "2", " pipe"."""
    chunks = pretokenize("Holmes's 1892 pipe")

    assert chunks == ["Holmes", "'s", " 189", "2", " pipe"]


@checks("pretokenize", kind="golden", why="another cut means other merges and other ids")
def test_chunks_of_hugging_face(pretokenize, golden):
    """Every text is cut as Hugging Face tokenizers cut it with the same pattern."""
    for text, wanted in golden["chunks"]["texts"].items():
        assert pretokenize(text) == wanted


@checks("pretokenize", kind="property", why="what no chunk holds is lost before training begins")
@given(text=TEXTS)
@settings(max_examples=40)
def test_chunks_make_the_text(pretokenize, text):
    """The chunks, joined, are the text, whatever the text; no chunk is empty."""
    chunks = pretokenize(text)

    assert "".join(chunks) == text
    assert [chunk for chunk in chunks if not chunk] == []


@checks("pretokenize", kind="boundary", why="white space decides which chunk a space belongs to")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        (" ", [" "]),
        ("a  b", ["a", " ", " b"]),
        ("a\nb", ["a", "\n", "b"]),
        ("a \n\n b ", ["a", " \n\n", " b", " "]),
        ("\t\t1", ["\t", "\t", "1"]),
    ],
)
def test_white_space(pretokenize, text, wanted):
    """One space joins the word after it; other white space stands alone, but for a last one."""
    assert pretokenize(text) == wanted


@checks("pretokenize", kind="unit", why="each ending is a chunk that many words share")
@pytest.mark.parametrize("ending", ["s", "d", "m", "t", "ll", "ve", "re"])
def test_contractions(pretokenize, ending):
    """After a straight apostrophe the seven endings are chunks; after a curly one they are not."""
    assert pretokenize(f"x'{ending}") == ["x", f"'{ending}"]
    assert pretokenize(f"x\u2019{ending}") == ["x", "\u2019", ending]


@checks("pretokenize", kind="boundary", why="long numbers would each become a chunk of their own")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [("123", ["123"]), ("1234", ["123", "4"]), ("a 1234567", ["a", " 123", "456", "7"])],
)
def test_digits_in_threes(pretokenize, text, wanted):
    """A chunk has at most three digits, counted from the left."""
    assert pretokenize(text) == wanted


@checks("pretokenize", kind="conformance", why="every later number of the course follows from it")
def test_chunks_of_the_real_book(pretokenize, train_split):
    """Stories I to X of the real book have 112,090 chunks."""
    assert sum(len(pretokenize(story)) for story in train_split) == 112_090


@checks("pretokenize", kind="fault", why="bytes have no letters that a pattern of text could find")
def test_bytes_are_refused(pretokenize):
    """Bytes in place of a text are a TypeError."""
    with pytest.raises(TypeError):
        pretokenize(b"low")


# -- count_chunks -----------------------------------------------------------------------------


@checks("count_chunks", kind="unit", why="the table that was made with pencil and paper")
def test_chunks_of_the_toy(count_chunks):
    """The toy text has six different chunks, " low" twice: a space makes another chunk."""
    wanted = {"low": 1, " low": 2, " lower": 1, " lowest": 1, " newer": 1, " newest": 1}

    assert dict(count_chunks([TOY])) == wanted


@checks("count_chunks", kind="unit", why="a Counter has 0 for what it never saw, and hides slips")
def test_plain_dict_of_chunks(count_chunks):
    """The result is a plain dict, and no Counter or other kind of it."""
    assert type(count_chunks([TOY])).__name__ == "dict"


@checks("count_chunks", kind="unit", why="two documents say nothing about each other")
@pytest.mark.parametrize(
    ("segments", "wanted"),
    [
        (["ab", "cd"], {"ab": 1, "cd": 1}),
        (["1", "2"], {"1": 1, "2": 1}),
        (["a ", " b"], {"a": 1, " ": 1, " b": 1}),
        (["low low", "low"], {"low": 2, " low": 1}),
    ],
)
def test_segments_stay_apart(count_chunks, segments, wanted):
    """Segments are not joined before they are cut: no chunk reaches from one into the next."""
    assert dict(count_chunks(segments)) == wanted


@checks("count_chunks", kind="unit", why="a token made of the separator would waste an id")
@pytest.mark.parametrize(
    ("segment", "wanted"),
    [
        (f"low{EOT}low", {"low": 2}),
        (f"{EOT}a{EOT}{EOT}a{EOT}", {"a": 2}),
        (f"a {EOT} a", {"a": 1, " ": 1, " a": 1}),
        (EOT, {}),
    ],
)
def test_separator_is_no_text(count_chunks, segment, wanted):
    """Segments are cut at the separator first, and it counts as nothing."""
    assert dict(count_chunks([segment])) == wanted


@checks("count_chunks", kind="boundary", why="a book may write something that looks like it")
def test_other_signs_are_text(count_chunks):
    """What is not the whole separator is text like any other."""
    got = dict(count_chunks(["<|endoftext|"]))

    assert got == {"<|": 1, "endoftext": 1, "|": 1}


@checks("count_chunks", kind="boundary", why="a split may be empty")
@pytest.mark.parametrize("segments", [[], [""], ["", ""]])
def test_nothing_to_count(count_chunks, segments):
    """No segments, or empty ones, give no chunks."""
    assert dict(count_chunks(segments)) == {}


@checks("count_chunks", kind="property", why="merges are learned from these counts and no other")
@given(segments=st.lists(st.text("ab1 \n") | st.sampled_from([EOT, f"a{EOT}", "ab ab"])))
@settings(max_examples=30)
def test_counts_of_any_segments(count_chunks, segments):
    """Each chunk is counted as often as it occurs in all segments together."""
    assert dict(count_chunks(segments)) == dict(collections.Counter(chunks_of(segments)))


@checks("count_chunks", kind="conformance", why="every later number of the course follows from it")
def test_distinct_chunks_of_the_real_book(count_chunks, train_split):
    """Stories I to X of the real book have 9,756 different chunks, 71,043 bytes in all."""
    got = list(count_chunks(train_split))

    assert len(got) == 9_756
    assert sum(len(chunk.encode()) for chunk in got) == 71_043


@checks("count_chunks", kind="fault", why="a text would be taken apart letter by letter in silence")
def test_one_text_is_refused(count_chunks):
    """A text in place of a list of texts is a TypeError."""
    with pytest.raises(TypeError):
        count_chunks("low low")


# -- count_pairs ------------------------------------------------------------------------------


@checks("count_pairs", kind="unit", why="the example that was counted with pencil and paper")
def test_pairs_count_as_their_chunk(count_pairs):
    """A pair counts as often as its chunk, summed over the chunks that hold it."""
    assert dict(count_pairs([([1, 2, 3], 10), ([2, 3], 5)])) == {(1, 2): 10, (2, 3): 15}


@checks("count_pairs", kind="unit", why="a defaultdict grows when it is asked")
def test_plain_dict_of_pairs(count_pairs):
    """The result is a plain dict, and no Counter or other kind of it."""
    assert type(count_pairs([([1, 2, 3], 10)])).__name__ == "dict"


@checks("count_pairs", kind="boundary", why="counted otherwise, runs would merge in another order")
@pytest.mark.parametrize(("n", "windows"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_three_windows(count_pairs, n, windows):
    """Overlapping places all count: three in "aaaa"."""
    assert dict(count_pairs([([97] * n, 1)])) == {(97, 97): windows}


@checks("count_pairs", kind="boundary", why="most chunks are single ids after enough merges")
@pytest.mark.parametrize("table", [[], [([], 4)], [([5], 4)], [([1], 1), ([2], 1)]])
def test_no_pairs(count_pairs, table):
    """A chunk of one id or none has no pairs, and there is none between two chunks."""
    assert dict(count_pairs(table)) == {}


@checks("count_pairs", kind="unit", why="(a, b) and (b, a) are different tokens")
def test_order_of_a_pair(count_pairs):
    """A pair is left and right: (1, 2) is not (2, 1)."""
    assert dict(count_pairs([([1, 2, 1], 3)])) == {(1, 2): 3, (2, 1): 3}


@checks("count_pairs", kind="property", why="one wrong count is enough for another merge")
@given(
    table=st.lists(
        st.tuples(st.lists(st.sampled_from([1, 2, 300]), max_size=6), st.integers(1, 9)), max_size=5
    )
)
@settings(max_examples=30)
def test_pairs_of_any_table(count_pairs, table):
    """The counts are those of writing each chunk out as often as it occurs."""
    whole = [ids for ids, count in table for _ in range(count)]
    pairs = [(ids[i], ids[i + 1]) for ids in whole for i in range(len(ids) - 1)]

    assert dict(count_pairs(table)) == dict(collections.Counter(pairs))


@checks("count_pairs", kind="unit", why="the table is merged after it was counted")
def test_counting_changes_nothing(count_pairs, repeat):
    """The table is left as it was, so counting it again gives the same."""
    first, second = repeat(count_pairs, 2, [([1, 2, 3], 2), ([1, 2], 1)])

    assert dict(first) == {(1, 2): 3, (2, 3): 2}
    assert dict(second) == {(1, 2): 3, (2, 3): 2}


# -- merge ------------------------------------------------------------------------------------


@checks("merge", kind="unit", why="the example that was merged with pencil and paper")
@pytest.mark.parametrize(
    ("n", "wanted"), [(2, [256]), (3, [256, 97]), (4, [256, 256]), (5, [256, 256, 97])]
)
def test_merge_of_runs(merge, n, wanted):
    """In a run of equal ids, pairs are taken from the left and do not overlap."""
    assert merge([97] * n, (97, 97), 256) == wanted


@checks("merge", kind="boundary", why="the last pair is where loops end too early")
@pytest.mark.parametrize(
    ("ids", "wanted"),
    [
        ([1, 2], [9]),
        ([3, 1, 2], [3, 9]),
        ([1, 2, 3], [9, 3]),
        ([1, 2, 1, 2], [9, 9]),
        ([1, 2, 1], [9, 1]),
    ],
)
def test_merge_at_the_end(merge, ids, wanted):
    """A pair at the beginning or at the end is merged like any other."""
    assert merge(ids, (1, 2), 9) == wanted


@checks("merge", kind="boundary", why="chunks without the pair stay as they are")
@pytest.mark.parametrize("ids", [[], [1], [2], [2, 1], [1, 3, 2], [1, 1], [2, 2]])
def test_nothing_to_merge(merge, ids):
    """Without the pair, in this order and side by side, the ids stay as they are."""
    assert merge(ids, (1, 2), 9) == ids


@checks("merge", kind="property", why="training and encoding merge millions of chunks")
@given(
    ids=st.lists(st.integers(1, 3), max_size=10),
    pair=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    new_id=st.sampled_from([1, 4, 400]),
)
@settings(max_examples=60)
def test_merge_is_replacing(merge, ids, pair, new_id):
    """For any ids, a merge is what str.replace does: nothing new is merged again."""
    assert merge(ids, pair, new_id) == replaced(ids, pair, new_id)


@checks("merge", kind="unit", why="the chunk that was given may still be needed")
def test_merge_makes_a_copy(merge, repeat, note):
    """The list that was given is left as it was, so merging it again gives the same."""
    note("both calls get the same list")

    assert repeat(merge, 2, [1, 1, 1, 1], (1, 1), 1) == [[1, 1], [1, 1]]


# -- train_bpe --------------------------------------------------------------------------------


@checks("train_bpe", kind="unit", why="the three merges that were found with pencil and paper")
def test_train_by_hand(train_bpe):
    """The toy text gives (l, o), then (256, w), then (space, 257)."""
    assert train_bpe([TOY], 3) == [(108, 111), (256, 119), (32, 257)]


@checks("train_bpe", kind="unit", why="a NumPy integer is not written to JSON")
def test_plain_merges(train_bpe):
    """The result is a list of tuples of plain ints."""
    merges = train_bpe([TOY], 2)
    kinds = [type(part).__name__ for merge in merges for part in (merge, *merge)]

    assert type(merges).__name__ == "list"
    assert kinds == ["tuple", "int", "int"] * 2


@checks("train_bpe", kind="property", why="a wrong count of one place shows many merges later")
@given(segments=SEGMENTS, n_merges=st.integers(0, 12))
@settings(max_examples=60)
def test_training_is_the_rule(train_bpe, segments, n_merges):
    """On any short texts, ties and runs among them, the merges are those of recounting."""
    assert train_bpe(segments, n_merges) == trained_slowly(segments, n_merges)


@checks("train_bpe", kind="boundary", why="another choice makes ids that no one else has")
@pytest.mark.parametrize(
    ("segments", "wanted"),
    [
        (["zy ab"], [(32, 97), (122, 121)]),
        (["zy", "ab"], [(97, 98), (122, 121)]),
        (["ac", "ab"], [(97, 98), (97, 99)]),
        (["bc", "ad"], [(97, 100), (98, 99)]),
        (["zyzy", "aba"], [(122, 121), (97, 98)]),
    ],
)
def test_smallest_pair_of_a_tie(train_bpe, segments, wanted):
    """Of equal counts the smallest pair wins, by its left id first; a higher count beats it."""
    assert train_bpe(segments, 2) == wanted


@checks("train_bpe", kind="property", why="two machines read the same files in another order")
def test_order_does_not_matter(train_bpe, fresh):
    """Segments in another order, and thus chunks met in another order, give the same merges."""
    words = [*TOY.split(), "slow", "slower", "flow", "wolf", "aaa", "bbbb", "lollo"]
    wanted = trained_slowly(words, 20)
    for _ in range(5):
        assert train_bpe(fresh.permutation(words).tolist(), 20) == wanted


@checks("train_bpe", kind="boundary", why="runs of one letter, as in a ruled line, are in any text")
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8, 11, 64])
def test_training_on_runs(train_bpe, n):
    """In a run of one letter all places count, and merges do not overlap."""
    segments = ["a" * n, "ba", "b" * (n // 2)]

    assert train_bpe(segments, 9) == trained_slowly(segments, 9)


@checks("train_bpe", kind="boundary", why="short texts run out of pairs")
@pytest.mark.parametrize(
    ("segments", "wanted"),
    [
        ([], []),
        ([""], []),
        (["a", "b"], []),
        ([EOT], []),
        (["aaa"], [(97, 97), (256, 97)]),
        (["abc"], [(97, 98), (256, 99)]),
    ],
)
def test_early_stop(train_bpe, segments, wanted):
    """When no pair is left, training stops; a pair that occurs once is a pair."""
    assert train_bpe(segments, 50) == wanted


@checks("train_bpe", kind="golden", why="two right programs must learn the same merges")
def test_merges_of_hugging_face(train_bpe, golden):
    """200 merges of two paragraphs are those of Hugging Face tokenizers."""
    wanted = [tuple(pair) for pair in golden["merges"]["pairs"]]
    got = train_bpe(golden["merges"]["segments"], len(wanted))

    assert dict(enumerate(got, start=256)) == dict(enumerate(wanted, start=256))


@checks("train_bpe", kind="boundary", why="a token across documents is one that no text has")
def test_nothing_across_documents(train_bpe):
    """Neither the separator nor what stands on its two sides, nor two segments, make a pair."""
    assert train_bpe([f"ab{EOT}ab{EOT}", "c", "d"], 9) == [(97, 98)]


@checks("train_bpe", kind="unit", why="a pair that is gone would be given an id that never occurs")
@pytest.mark.parametrize(
    "text",
    [
        "abcd bcde abc bcd cde abcde xabcd xabcde",
        "abab ababab babab aabb abba bbaa",
        "low lower lowest slow slower slowest below bellow follow fellow",
        "!\0\0!\0",
        "!\0\1!\0",
    ],
)
def test_lost_places_do_not_count(train_bpe, text):
    """A place whose left or right id was merged elsewhere does not count any more."""
    assert train_bpe([text], 40) == trained_slowly([text], 40)


@checks("train_bpe", kind="unit", why="ids 0 to 255 are bytes, in any script")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("é", [(195, 169)]),
        ("“", [(128, 156), (226, 256)]),
        ("\U0010ffff", [(143, 191), (244, 256), (257, 191)]),
        ("\0\0", [(0, 0)]),
    ],
)
def test_training_is_on_bytes(train_bpe, text, wanted):
    """Pairs are of the bytes of UTF-8; a character of several bytes is merged step by step."""
    assert train_bpe([text], 9) == wanted


@checks("train_bpe", kind="boundary", why="a vocabulary of 512 has 255 merges, not 254 or 256")
@pytest.mark.parametrize("n_merges", [0, 1, 2, 7])
def test_number_of_merges(train_bpe, n_merges):
    """Exactly n_merges are learned where there are pairs enough, and 0 gives none."""
    assert train_bpe([TOY], n_merges) == trained_slowly([TOY], n_merges)


@checks("train_bpe", kind="golden", why="a book has millions of places, and few change in a merge")
def test_not_everything_is_recounted(train_bpe, golden):
    """200 merges of 8,192 words are right and ready in time: only chunks with the pair change."""
    letters = [string.ascii_letters[pow(3, n, 65537) % 52] for n in range(65536)]
    text = " ".join("".join(letters[i : i + 8]) for i in range(0, 65536, 8))
    many = golden["many_words"]

    assert digest(train_bpe([text], many["n_merges"])) == many["sha256"]


@checks("train_bpe", kind="conformance", why="the course's tokenizer is this very list")
def test_merges_of_the_real_book(train_bpe, train_split):
    """255 merges of stories I to X: the first five, and the SHA-256 of the whole list."""
    merges = train_bpe(train_split, 255)
    tokens = [bytes([value]) for value in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])

    assert merges[:5] == [(32, 116), (104, 101), (32, 97), (105, 110), (226, 128)]
    assert (tokens[263], tokens[412]) == (b" the", b" Holmes")
    assert digest(merges) == "3e0e32792d97bafe44f236d04b15c7a8ff2b29a0180ef9f16eeae64adc303378"


@checks("train_bpe", kind="fault", why="a size computed wrongly must not pass for no merges")
@pytest.mark.parametrize("n_merges", [-1, -300])
def test_negative_number_is_refused(train_bpe, n_merges):
    """A negative number of merges is a ValueError whose message has the number."""
    with pytest.raises(ValueError, match=str(n_merges)):
        train_bpe([TOY], n_merges)


# -- count_chunks_fast ------------------------------------------------------------------------


def counted(segments):
    """Chunk by chunk, with the pattern."""
    return dict(collections.Counter(chunks_of(segments)))


@checks("count_chunks_fast", kind="unit", why="both ways to count must give the same merges")
@pytest.mark.parametrize(
    ("segments", "wanted"),
    [
        ([TOY], {"low": 1, " low": 2, " lower": 1, " lowest": 1, " newer": 1, " newest": 1}),
        (["low low", "low"], {"low": 2, " low": 1}),
        ([f"low{EOT}low", f"{EOT}{EOT} low{EOT}"], {"low": 2, " low": 1}),
        ([], {}),
        (["", EOT], {}),
    ],
)
def test_fast_counts_by_hand(count_chunks_fast, segments, wanted):
    """Segments and separators are taken as in count_chunks, and nothing stands for no text."""
    assert count_chunks_fast(segments) == wanted


@checks("count_chunks_fast", kind="unit", why="what comes after expects what count_chunks gives")
def test_fast_counts_are_plain(count_chunks_fast):
    """The result is a plain dict from strings to plain ints."""
    counts = count_chunks_fast([TOY])

    assert type(counts).__name__ == "dict"
    assert {type(part).__name__ for item in counts.items() for part in item} == {"str", "int"}


@checks("count_chunks_fast", kind="property", why="one wrong boundary makes other merges")
@given(
    segments=st.lists(
        st.text() | st.text("ab1' \n\t\0\x1c\x85\u2003é“—😀٣sltvermd") | st.just(f"'ll{EOT}'s"),
        max_size=4,
    )
)
@settings(max_examples=60)
def test_fast_counts_of_any_segments(count_chunks_fast, segments):
    """On any texts, with all white space, NUL and any script, the counts are those of the
    pattern."""
    assert count_chunks_fast(segments) == counted(segments)


@checks("count_chunks_fast", kind="boundary", why="a block knows the first bytes of a chunk best")
@pytest.mark.parametrize("size", [7, 8, 9, 15, 16, 17, 40])
def test_fast_counts_of_long_words(count_chunks_fast, size):
    """Words that are equal but for their last letter or their length are different chunks."""
    words = ["a" * size, "a" * (size - 1) + "b", "a" * (size + 1), "\0" * size, "\0" * (size + 1)]
    segments = [" ".join(words * 3), "\n".join(words)]

    assert count_chunks_fast(segments) == counted(segments)


@checks("count_chunks_fast", kind="boundary", why="a text may be larger than what fits in a block")
@pytest.mark.parametrize("text", ["ab cd\n 1234 'll ", "é“ x's \u2003\u2003 "])
def test_fast_counts_of_a_large_text(count_chunks_fast, text):
    """A text of several blocks is counted as a whole."""
    segments = [text * (2_500_000 // len(text)), "ab"]

    assert count_chunks_fast(segments) == counted(segments)


@checks("count_chunks_fast", kind="boundary", why="a line of dashes has no place to cut it")
def test_fast_counts_of_one_chunk(count_chunks_fast):
    """A chunk that is longer than a block stays one."""
    got = count_chunks_fast(["a" * 1_200_000])

    assert [(len(chunk), {*chunk}, count) for chunk, count in got.items()] == [
        (1_200_000, {"a"}, 1)
    ]


@checks("count_chunks_fast", kind="unit", why="that is what the bonus is for")
def test_fast_counts_are_ahead(count_chunks_fast, fresh, processor_time):
    """It is ahead of counting chunk by chunk: of twelve runs the best takes at most nine tenths of
    the other's processor time, on two megabytes of short words."""
    words = [a + b for a in string.ascii_letters for b in string.ascii_letters]
    segments = [" ".join(fresh.choice(words, 700_000).tolist())]

    got = relative_time(
        processor_time, lambda: count_chunks_fast(segments), lambda: counted(segments), enough=0.9
    )

    assert got <= 0.9


@checks("count_chunks_fast", kind="conformance", why="the book's merges come from these counts")
def test_fast_counts_of_the_real_book(count_chunks_fast, train_split):
    """Stories I to X of the real book: the same chunks and counts as by the pattern."""
    got = count_chunks_fast(train_split)

    assert len(got) == 9_756
    assert got == counted(train_split)


@checks("count_chunks_fast", kind="fault", why="a text would be taken apart letter by letter")
def test_fast_counts_refuse_one_text(count_chunks_fast):
    """A text in place of a list of texts is a TypeError."""
    with pytest.raises(TypeError):
        count_chunks_fast("low low")


@checks("count_chunks_fast", kind="fault", why="such a text has no bytes to count")
def test_fast_counts_refuse_half_characters(count_chunks_fast):
    """A text with half of a UTF-16 pair is a UnicodeEncodeError."""
    with pytest.raises(UnicodeEncodeError):
        count_chunks_fast(["low", "a\udc00"])
