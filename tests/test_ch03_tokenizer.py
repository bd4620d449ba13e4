"""Chapter 3's own code on texts in all scripts, on the real book, and beside other programs.

Texts of the Universal Declaration of Human Rights and the real book come from ``OL_DATA``;
Hugging Face tokenizers and tiktoken are used where they are installed.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import outside

EOT = "<|endoftext|>"
TEXTS = st.text() | st.text("low é“😀\x00\n'\u0301\u200d") | st.just(f"a{EOT}b")
SCRIPTS = ("amh", "arb", "chr", "cmn_hans", "eng", "hin", "jpn", "kor", "rus", "tam", "tha")
PIECE = 2000  # characters of each translation, for the sake of time
IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from benchmarks.reference import reference
from tests.outside import embedded_stories
tokenizer = reference("ch03").BPETokenizer.train(embedded_stories())
tokenizer.save(Path(sys.argv[1]))
print(tokenizer.encode_batch(embedded_stories()))
"""


@pytest.fixture(scope="module")
def tokenizer():
    with outside.reference("ch03") as module:
        yield module


@pytest.fixture(scope="module")
def declaration():
    return {name: text[:PIECE] for name, text in outside.translations().items()}


@pytest.fixture(scope="module")
def embedded(tokenizer):
    """The tokenizer of the course's own book."""
    return tokenizer.BPETokenizer.train(outside.embedded_stories()[:10])


@pytest.fixture(scope="module")
def everywhere(tokenizer, declaration):
    """A tokenizer of 800 ids that has learned from the declaration in all languages."""
    return tokenizer.BPETokenizer.train(list(declaration.values()), 800)


@pytest.fixture(scope="module")
def encoded(everywhere, declaration):
    """All translations as ids."""
    return dict(zip(declaration, everywhere.encode_batch(list(declaration.values())), strict=True))


@pytest.fixture(scope="module")
def stories():
    return outside.real_stories()


@pytest.fixture(scope="module")
def course(tokenizer, stories):
    """The tokenizer of the real book: 512 ids from stories I to X."""
    return tokenizer.BPETokenizer.train(stories[:10])


@pytest.fixture(scope="module")
def gpt2_json():
    """GPT-2's tokenizer.json: printable bytes first, then what the merges make."""
    merges = outside.gpt2_merges()
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = [*map(chr, own), *(chr(256 + n) for n in range(256 - len(own)))]
    vocab = {token: n for n, token in enumerate([*letters, *(m.replace(" ", "") for m in merges)])}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    added = {"id": 50256, "content": EOT, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": True, "special": True}
    return json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None,
        "added_tokens": [added], "pre_tokenizer": level, "post_processor": None, "decoder": level,
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    })


@pytest.fixture(scope="module")
def gpt2(tokenizer, gpt2_json, tmp_path_factory):
    path = tmp_path_factory.mktemp("gpt2") / "tokenizer.json"
    path.write_text(gpt2_json)
    return tokenizer.BPETokenizer.from_hf_json(path)


@pytest.fixture(scope="module")
def gpt2_ids(gpt2, declaration):
    """GPT-2's ids of all translations, by the course's own code."""
    return dict(zip(declaration, gpt2.encode_batch(list(declaration.values())), strict=True))


@pytest.fixture(scope="module")
def hugging_face(gpt2_json):
    """``hugging_face(text)``: GPT-2's ids by Hugging Face tokenizers, from the same file."""
    peer = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    made = peer.Tokenizer.from_str(gpt2_json)
    return lambda text: made.encode(text).ids


@pytest.fixture(scope="module")
def tiktoken(gpt2):
    """``tiktoken(text)``: GPT-2's ids by tiktoken, from the bytes of each id."""
    peer = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    ranks = {token: number for number, token in enumerate(gpt2.tokens[:50256])}
    made = peer.Encoding("gpt2", pat_str=pattern, mergeable_ranks=ranks,
                         special_tokens={EOT: 50256})
    return made.encode_ordinary


def encoded_slowly(made, text):
    """One merge after the other in all chunks at once, each by str.replace; chunks are kept apart
    by a character that is no id."""
    apart = chr(0x10FFFF)
    row = apart.join(c.encode().decode("latin-1") for c in re.findall(made.pattern, text))
    for (left, right), new_id in made.merges.items():
        row = row.replace(chr(left) + chr(right), chr(new_id))
    return list(map(ord, row.replace(apart, "")))


def streamed(tokenizer, tokens):
    """What comes out of a stream of these tokens, one after the other, joined."""
    stream = tokenizer.StreamingDecoder(tokens)
    return "".join([*map(stream.push, range(len(tokens))), stream.finish()])


# -- round trips and the rule -----------------------------------------------------------------


def test_every_text_comes_back(everywhere, declaration, encoded):
    """Encoded and decoded, the declaration is the same in every language."""
    assert len(declaration) > 300
    assert {name: everywhere.decode(ids) for name, ids in encoded.items()} == declaration


def test_every_text_comes_back_from_few_ids(embedded, declaration):
    """So it does with merges of one English book, where most characters are single bytes."""
    pieces = [text[-800:] for text in declaration.values()]

    assert [embedded.decode(embedded.encode(piece)) for piece in pieces] == pieces


def test_encoding_is_the_rule_in_all_scripts(everywhere, declaration, encoded):
    """Ids are those of applying one merge after the other, chunk by chunk, in every language."""
    wrong = [name for name in declaration
             if encoded[name] != encoded_slowly(everywhere, declaration[name])]

    assert wrong == []


@given(TEXTS)
@settings(deadline=None, max_examples=300)
def test_encoding_is_the_rule(embedded, text):
    """Any text has the ids of the rule, and comes back."""
    ids = embedded.encode(text)

    assert ids == encoded_slowly(embedded, text)
    assert embedded.decode(ids) == text


def test_separators_stand_between_texts(everywhere, declaration, encoded):
    """Texts in eleven scripts, joined by the separator: the ids of each, 799 between them."""
    ids = everywhere.encode(EOT.join(declaration[name] for name in SCRIPTS), {EOT})
    wanted = [each for name in SCRIPTS for each in (*encoded[name], 799)]

    assert ids == wanted[:-1]


# -- what must not matter ---------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 50, 10**9])
def test_size_of_the_cache_does_not_matter(everywhere, declaration, encoded, size):
    """A cache of one chunk, or of any number, gives the same ids."""
    everywhere.cache, everywhere.cache_size = {}, size
    for name in SCRIPTS:
        assert everywhere.encode(declaration[name]) == encoded[name]
        assert 1 <= len(everywhere.cache) <= size


def test_threads_do_not_matter(embedded):
    """Four threads may use one tokenizer, with a cache that is emptied all the time."""
    stories = outside.embedded_stories()
    wanted = embedded.encode_batch(stories)
    embedded.cache, embedded.cache_size = {}, 3
    with ThreadPoolExecutor(4) as threads:
        got = list(threads.map(embedded.encode, stories))

    assert got == wanted


@pytest.mark.parametrize("seed", ["0", "4294967295"])
def test_hash_seed_does_not_matter(embedded, tokenizer, tmp_path, seed):
    """A process with another hash seed writes the same file, to the byte, and the same ids."""
    stories = outside.embedded_stories()
    here = tokenizer.BPETokenizer.train(stories)
    here.save(tmp_path / "here.json")
    printed = outside.elsewhere(
        IN_ANOTHER_PROCESS, str(tmp_path / "there.json"), PYTHONHASHSEED=seed, OMP_NUM_THREADS="3"
    )

    assert (tmp_path / "there.json").read_bytes() == (tmp_path / "here.json").read_bytes()
    assert printed == f"{here.encode_batch(stories)}\n"


# -- streams ----------------------------------------------------------------------------------


def test_streams_of_all_scripts(tokenizer, everywhere, encoded, declaration):
    """Id by id, each translation comes out as decoding at once gives it."""
    for name, ids in encoded.items():
        stream = tokenizer.StreamingDecoder(everywhere.tokens)
        assert "".join([*map(stream.push, ids), stream.finish()]) == declaration[name]


def test_every_cut_of_a_text(tokenizer, declaration):
    """However a piece of each translation is cut in two, between any two bytes, it comes out
    whole; and if the second half never comes, the first does as far as it goes."""
    for text in declaration.values():
        data = text[100:130].encode()
        for cut in range(len(data) + 1):
            parts = [data[:cut], data[cut:]]
            assert streamed(tokenizer, parts) == data.decode()
            assert streamed(tokenizer, parts[:1]) == parts[0].decode(errors="replace")


BROKEN = st.binary(max_size=8) | st.lists(
    st.sampled_from([b"\xe2\x80", b"\x9c", b"\xf0\x9f", b"\x98", b"\xed\xa0", b"\xc0", b"a"]),
    max_size=5,
).map(b"".join)


@given(BROKEN)
@settings(deadline=None, max_examples=300)
def test_every_cut_of_any_bytes(tokenizer, data):
    """Whatever the bytes, broken UTF-8 too, every cut in three gives what decoding at once does."""
    wanted = data.decode(errors="replace")
    for first in range(len(data) + 1):
        for second in range(first, len(data) + 1):
            parts = [data[:first], data[first:second], data[second:]]
            assert streamed(tokenizer, parts) == wanted


@given(st.binary(max_size=30))
@settings(deadline=None)
def test_any_bytes_decode(embedded, data):
    """Ids of bytes decode as the bytes do, and each alone is its byte."""
    assert embedded.decode(list(data)) == data.decode(errors="replace")
    assert b"".join(map(embedded.token_bytes, data)) == data


# -- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("peer", ["hugging_face", "tiktoken"])
def test_gpt2_in_all_scripts(gpt2_ids, declaration, request, peer):
    """With GPT-2's vocabulary, every translation has the ids that each of the two programs gives
    it."""
    ids_of = request.getfixturevalue(peer)

    assert {name: ids_of(text) for name, text in declaration.items()} == gpt2_ids


@given(st.text() | st.text("a1'sS ½٣é\u0301\n\t\x1c\x85\u2003\u200b\u3000“😀"))
@settings(deadline=None, max_examples=300)
@pytest.mark.parametrize("peer", ["hugging_face", "tiktoken"])
def test_gpt2_on_any_text(gpt2, request, peer, text):
    """So has any text that Hypothesis thinks of, and it comes back."""
    ids = gpt2.encode(text)

    assert ids == request.getfixturevalue(peer)(text)
    assert gpt2.decode(ids) == text


def test_hugging_face_compresses_alike(tokenizer, course, stories):
    """512 ids that Hugging Face tokenizers learn from the same stories, with their own pattern and
    their own ties, compress as ours do, but for 0.03 %."""
    peer = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    other = peer.Tokenizer(peer.models.BPE())
    other.pre_tokenizer = peer.pre_tokenizers.ByteLevel(add_prefix_space=False)
    other.train_from_iterator(stories[:10], peer.trainers.BpeTrainer(
        vocab_size=512, special_tokens=[EOT], show_progress=False,
        initial_alphabet=peer.pre_tokenizers.ByteLevel.alphabet(),
    ))
    for texts, wanted in ((stories[:10], 2.1549), (stories[10:11], 2.1879)):
        text = EOT.join(texts)
        theirs = tokenizer.bytes_per_token([text], [other.encode(text).ids])
        ours = tokenizer.bytes_per_token([text], [course.encode(text, {EOT})])

        assert round(theirs, 4) == wanted
        assert ours == pytest.approx(theirs, rel=3e-4)


# -- facts of the real book -------------------------------------------------------------------


def test_leakage_of_the_real_book(tokenizer, course, stories):
    """Trained on all twelve stories, val has 2.2017 bytes an id, against 2.1874."""
    leaky = tokenizer.BPETokenizer.train(stories)
    val = stories[10:11]
    ratios = [tokenizer.bytes_per_token(val, made.encode_batch(val)) for made in (course, leaky)]

    assert [round(ratio, 4) for ratio in ratios] == [2.1874, 2.2017]


def test_ids_never_used_in_the_real_book(course, stories):
    """Train uses 341 of 511 ids: all 255 merges and 86 bytes; the 170 others are bytes."""
    ids = course.encode(EOT.join(stories[:10]), {EOT})
    never = set(range(511)) - set(ids)

    assert (len(ids), len(never)) == (217_572, 170)
    assert max(never) < 256


def test_train_of_the_real_book(tokenizer, course, stories):
    """Train has 2.1549 bytes an id, separators and all: 1.5 % less than val, which is one story."""
    text = EOT.join(stories[:10])
    ratio = tokenizer.bytes_per_token([text], [course.encode(text, {EOT})])

    assert round(ratio, 4) == 2.1549
    assert round(2.1874 / ratio, 3) == 1.015


def test_quoted_holmes(course):
    """After an opening quote there is no space, so the name is two ids and not 412."""
    spelled = [course.token_bytes(each).decode() for each in course.encode("“Holmes”")]

    assert course.encode(" Holmes") == [412]
    assert spelled == ["“", "H", "olmes", "”"]
