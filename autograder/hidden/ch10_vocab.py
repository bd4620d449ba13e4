"""Hidden tests of ch10_vocab: a table from ids to bytes, its file, and a careful screen.

Files are packed here with ``struct``, as the format says. GPT-2's file was written with tiktoken,
and C's idea of text was asked of a C library, for ``golden.json``.

Files lie where the learner's code runs: ``folder`` is a path of that process.
"""

import bz2
import hashlib
import struct

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from autograder.course import root
from autograder.hidden import checks

SMALL = [b"a", b"bc", b"<|end|>"]
ORDINALS = [b"%d" % n for n in range(50257)]  # as many as version 1 has to have
TOKENS = st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=8)
NOTHING = (False, 0, None, [None] * 4)


def packed(tokens, eot, version=2, *, count=None, magic=20240328):
    """A vocabulary file; `count` replaces the true number of tokens in its header."""
    header = struct.pack("<4I", magic, version, len(tokens) if count is None else count, eot)
    return header.ljust(1024, b"\0") + b"".join(bytes([len(t)]) + t for t in tokens)


def gpt2():
    """GPT-2's tokens: 256 bytes with the printable ones first, what merges make, the eot."""
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    order = [*own, *(byte for byte in range(256) if byte not in own)]
    table = {chr(b) if n < len(own) else chr(256 + n - len(own)): b for n, b in enumerate(order)}
    lines = bz2.decompress((root() / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes())
    merged = (line.replace(" ", "") for line in lines.decode().splitlines()[1:])
    return [
        *(bytes([byte]) for byte in order),
        *(bytes(table[c] for c in token) for token in merged),
        b"<|endoftext|>",
    ]


@pytest.fixture
def written(write_vocab, folder):
    """The bytes of the file that write_vocab writes."""

    def write(*args):
        write_vocab(folder.joinpath("v.bin"), *args)
        return folder.joinpath("v.bin").read_bytes()

    return write


@pytest.fixture
def small(folder):
    """A file with the three tokens worked out by hand."""
    path = folder.joinpath("small.bin")
    path.write_bytes(packed(SMALL, 2))
    return path


@pytest.fixture
def tokenizer(Tokenizer, small):
    """A Tokenizer that has read the small file."""
    made = Tokenizer()
    made.init(small)
    return made


@pytest.fixture
def standard_output(given, folder):
    """``standard_output()``: the bytes that went there, where the learner's code runs."""
    system, path = given.get("sys"), folder.joinpath("output")
    system = getattr(system, "function", system)
    before, system.stdout = system.stdout, path.open("w")

    def shown():
        system.stdout.flush()
        return path.read_bytes()

    yield shown
    system.stdout.close()
    system.stdout = before


def says(tokenizer):
    """All that a tokenizer says."""
    pieces = [tokenizer.decode(token_id) for token_id in range(4)]
    return tokenizer.init_ok, tokenizer.vocab_size, tokenizer.eot_token, pieces


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# -- write_vocab ------------------------------------------------------------------------------


@checks("write_vocab", kind="unit", why="the bytes that were worked out with pencil and paper")
def test_file_by_hand(written):
    """The tokens a, bc, <|end|> are 13 bytes after the header, which begins as it does by hand."""
    got = written(SMALL, 2)

    assert len(got) == 1037
    assert got[:16].hex() == "c8d73401020000000300000002000000"
    assert got[1024:].hex() == "0161026263073c7c656e647c3e"


@checks("write_vocab", kind="conformance", why="other programs jump to byte 1024 for the tokens")
def test_rest_of_the_header_is_zero(written):
    """Words 4 to 255 of the header are zero."""
    assert written(SMALL, 0)[16:1024] == bytes(1008)


@checks("write_vocab", kind="property", why="a token may be any bytes, a zero or a newline too")
@examples(TOKENS, st.data())
@settings(max_examples=25)
def test_any_tokens(written, tokens, data):
    """Whatever the tokens are, each is written as its length and its bytes."""
    eot = data.draw(st.integers(0, len(tokens) - 1))

    assert written(tokens, eot) == packed(tokens, eot)


@checks("write_vocab", kind="boundary", why="a length is one byte")
@pytest.mark.parametrize("size", [1, 127, 128, 254, 255])
def test_longest_and_shortest(written, size):
    """Tokens of 1 to 255 bytes can be written."""
    tokens = [b"\x80" * size, b"\0"]

    assert written(tokens, 1) == packed(tokens, 1)


@checks("write_vocab", kind="fault", why="a wrong length shifts every token after it")
@pytest.mark.parametrize(("token", "place"), [(b"", 0), (b"", 7), (b"x" * 256, 7), (b"x" * 300, 3)])
def test_other_lengths_are_refused(write_vocab, folder, token, place):
    """A token of no bytes or more than 255 is a ValueError that names its id; nothing is
    written."""
    tokens = [b"a"] * place + [token] + [b"b"] * 2
    with pytest.raises(ValueError, match=rf"(?<!\d){place}(?!\d)"):
        write_vocab(folder.joinpath("v.bin"), tokens, place)
    assert names(folder) == []


@checks("write_vocab", kind="fault", why="generation would never see its end")
@pytest.mark.parametrize(("tokens", "eot"), [(SMALL, 3), (SMALL, -1), (SMALL, 50256), ([], 0)])
def test_no_such_eot(write_vocab, folder, tokens, eot):
    """An eot that is no token's id is a ValueError that names it, and so is an empty list."""
    with pytest.raises(ValueError, match=rf"(?<!\d){eot}(?!\d)"):
        write_vocab(folder.joinpath("v.bin"), tokens, eot)
    assert names(folder) == []


@checks("write_vocab", kind="conformance", why="readers of version 1 know the eot by heart")
def test_version_1_has_no_eot(written):
    """Version 1 has 1 in word 1 and 0 in word 3; its 50257 tokens are written as in version 2."""
    got = written(ORDINALS, 50256, 1)

    assert got[:16].hex() == struct.pack("<4I", 20240328, 1, 50257, 0).hex()
    assert hashlib.sha256(got).hexdigest() == hashlib.sha256(packed(ORDINALS, 0, 1)).hexdigest()


@checks("write_vocab", kind="fault", why="a reader would take 50256 for the eot all the same")
@pytest.mark.parametrize(
    ("tokens", "eot"),
    [
        (SMALL, 2), (ORDINALS, 0), (ORDINALS[:-1], 50255), ([*ORDINALS, b"x"], 50256),
    ],
    ids=["small", "eot 0", "one less", "one more"],
)
def test_version_1_is_for_gpt2(write_vocab, folder, tokens, eot):
    """Version 1 with other than 50257 tokens, or another eot than 50256, is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        write_vocab(folder.joinpath("v.bin"), tokens, eot, 1)
    assert names(folder) == []


@checks("write_vocab", kind="boundary", why="nobody could read it")
@pytest.mark.parametrize("version", [0, 3, -1])
def test_other_versions_are_not_written(write_vocab, folder, version):
    """A version other than 1 and 2 is a ValueError that names it; nothing is written."""
    with pytest.raises(ValueError, match=rf"(?<!\d){version}(?!\d)"):
        write_vocab(folder.joinpath("v.bin"), SMALL, 2, version)
    assert names(folder) == []


@checks("write_vocab", kind="fault", why="an error must not cost the vocabulary that was there")
def test_old_file_survives(write_vocab, small, folder):
    """Refused tokens leave the old file as it was; good ones replace it, and no other file stays
    behind."""
    with pytest.raises(ValueError, match=r"."):
        write_vocab(small, [b"new", b""], 0)
    assert small.read_bytes() == packed(SMALL, 2)

    write_vocab(small, [b"new"], 0)
    assert small.read_bytes() == packed([b"new"], 0)
    assert names(folder) == ["small.bin"]


@checks("write_vocab", kind="golden", why="llm.c reads this very file")
@pytest.mark.parametrize("version", [1, 2])
def test_gpt2_file(written, golden, version):
    """GPT-2's vocabulary is the file that tiktoken's tokens give, byte for byte."""
    got, wanted = written(gpt2(), 50256, version), golden["gpt2"]

    assert len(got) == wanted["bytes"]
    assert hashlib.sha256(got).hexdigest() == wanted["sha256"][f"version {version}"]


# -- parse_vocab ------------------------------------------------------------------------------


@checks("parse_vocab", kind="unit", why="the bytes that were worked out with pencil and paper")
def test_tokens_by_hand(parse_vocab):
    """The 1037 bytes by hand are the tokens a, bc and <|end|> in a list, and the eot 2."""
    got = parse_vocab(packed(SMALL, 2))

    assert got == (SMALL, 2)


@checks("parse_vocab", kind="property", why="a token may be any bytes, a zero or a newline too")
@examples(TOKENS, st.data())
@settings(max_examples=25)
def test_any_tokens_come_back(parse_vocab, tokens, data):
    """Whatever the tokens are, they are read as they were packed, and so is the eot."""
    eot = data.draw(st.integers(0, len(tokens) - 1))

    assert parse_vocab(packed(tokens, eot)) == (tokens, eot)


@checks("parse_vocab", kind="boundary", why="a length is a byte without a sign")
@pytest.mark.parametrize("size", [1, 127, 128, 255])
def test_any_length_is_read(parse_vocab, size):
    """Lengths from 1 to 255 are read, and zeros at the end of a token stay."""
    tokens = [b"\x80" * size, b"\0", b"a\0\0"]

    assert parse_vocab(packed(tokens, 1)) == (tokens, 1)


@checks("parse_vocab", kind="conformance", why="version 1 does not say how texts end")
@pytest.mark.parametrize("word", [0, 2**32 - 1])
def test_eot_of_version_1(parse_vocab, word):
    """In version 1 the eot is 50256, whatever stands in word 3."""
    tokens, eot = parse_vocab(packed(ORDINALS, word, 1))

    assert eot == 50256
    assert tokens == ORDINALS


@checks("parse_vocab", kind="unit", why="version 2 was made to say it")
def test_eot_of_version_2(parse_vocab):
    """In version 2 the eot is word 3, with 50257 tokens as well."""
    assert parse_vocab(packed(ORDINALS, 7))[1] == 7


@checks("parse_vocab", kind="boundary", why="only GPT-2's vocabulary was ever version 1")
@pytest.mark.parametrize("tokens", [SMALL, ORDINALS[:-1], [*ORDINALS, b"x"]], ids=len)
def test_other_sizes_of_version_1(parse_vocab, tokens):
    """Version 1 with other than 50257 tokens is a ValueError that names their number."""
    with pytest.raises(ValueError, match=rf"(?<!\d){len(tokens)}(?!\d)"):
        parse_vocab(packed(tokens, 0, 1))


@checks("parse_vocab", kind="boundary", why="a later version may have another form")
@pytest.mark.parametrize("version", [0, 3, 2**32 - 1])
def test_other_versions_are_not_read(parse_vocab, version):
    """A version other than 1 and 2 is a ValueError that names it."""
    with pytest.raises(ValueError, match=rf"(?<!\d){version}(?!\d)"):
        parse_vocab(packed(SMALL, 2, version))


@checks("parse_vocab", kind="fault", why="any file may come here by mistake")
@pytest.mark.parametrize("magic", [20240327, 20240520, 0, 0x28032420, 0xC8D73401])
def test_other_files(parse_vocab, magic):
    """Another magic number is a ValueError: that of a tokens file, or with its bytes reversed."""
    with pytest.raises(ValueError, match=r"."):
        parse_vocab(packed(SMALL, 2, magic=magic))


@checks("parse_vocab", kind="fault", why="a download may stop anywhere")
@pytest.mark.parametrize("size", [0, 3, 16, 1023, 1024, 1025, 1026, 1028, 1029, 1030, 1036])
def test_cut_files(parse_vocab, size):
    """A file that ends within its header or its tokens is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        parse_vocab(packed(SMALL, 2)[:size])


@checks("parse_vocab", kind="fault", why="so that one knows how much of the file is good")
@pytest.mark.parametrize(("size", "named"), [(1024, 0), (1026, 1), (1027, 1), (1029, 2), (1036, 2)])
def test_first_token_that_is_not_whole(parse_vocab, size, named):
    """The message names the first token that is not there whole."""
    with pytest.raises(ValueError, match=rf"(?<!\d){named}(?!\d)"):
        parse_vocab(packed(SMALL, 2)[:size])


@checks("parse_vocab", kind="fault", why="no token is empty; printed, it would look like nothing")
@pytest.mark.parametrize("place", [0, 5, 7])
def test_empty_token(parse_vocab, place):
    """A length of zero is a ValueError that names the token's id."""
    tokens = [b"abc"] * 8
    tokens[place] = b""
    with pytest.raises(ValueError, match=rf"(?<!\d){place}(?!\d)"):
        parse_vocab(packed(tokens, 3))


@checks("parse_vocab", kind="fault", why="a length that is too small goes unnoticed otherwise")
@pytest.mark.parametrize("more", [b"\0", b"\x01a", b"\n" * 17])
def test_more_than_the_tokens(parse_vocab, more):
    """Bytes after the last token are a ValueError that says how many."""
    with pytest.raises(ValueError, match=rf"(?<!\d){len(more)}(?!\d)"):
        parse_vocab(packed(SMALL, 2) + more)


@checks("parse_vocab", kind="fault", why="generation would never see its end")
@pytest.mark.parametrize(
    ("tokens", "eot"), [(SMALL, 3), (SMALL, 50256), (SMALL, 2**31), ([], 0)]
)
def test_eot_that_is_no_token(parse_vocab, tokens, eot):
    """In version 2 an eot that is no token's id is a ValueError that names it."""
    with pytest.raises(ValueError, match=rf"(?<!\d){eot}(?!\d)"):
        parse_vocab(packed(tokens, eot))


@checks("parse_vocab", kind="fault", why="a damaged word must not take all memory")
@pytest.mark.parametrize("count", [4, 2**31, 2**32 - 1])
def test_more_tokens_announced(parse_vocab, count):
    """A header that announces more tokens than there are is a ValueError, even for billions."""
    with pytest.raises(ValueError, match=r"(?<!\d)3(?!\d)"):
        parse_vocab(packed(SMALL, 2, count=count))


@checks("parse_vocab", kind="conformance", why="a later writer may put something there")
def test_rest_of_the_header_is_ignored(parse_vocab):
    """Words 4 to 255 of the header may hold anything."""
    data = packed(SMALL, 1)

    assert parse_vocab(data[:16] + b"\xff" * 1008 + data[1024:]) == (SMALL, 1)


@checks("parse_vocab", kind="golden", why="llm.c writes this very file")
def test_gpt2_tokens(parse_vocab, golden):
    """GPT-2's file gives the tokens that tiktoken knows, and the eot 50256."""
    data = packed(gpt2(), 50256)
    tokens, eot = parse_vocab(data)

    assert hashlib.sha256(data).hexdigest() == golden["gpt2"]["sha256"]["version 2"]
    assert (len(tokens), eot) == (50257, 50256)
    for token_id, token in golden["gpt2"]["tokens"].items():
        assert tokens[int(token_id)].hex() == token


# -- Tokenizer --------------------------------------------------------------------------------


@checks("Tokenizer", kind="unit", why="the table that was worked out by hand")
def test_small_tokenizer(tokenizer):
    """After init with the small file: init_ok, 3 tokens, eot 2, the bytes of each id."""
    assert says(tokenizer) == (True, 3, 2, [*SMALL, None])


@checks("Tokenizer", kind="unit", why="a program may ask before there is anything to answer")
def test_new_tokenizer(Tokenizer):
    """A new one has no table: init_ok is False, vocab_size 0, eot_token None, decode gives None."""
    assert says(Tokenizer()) == NOTHING


@checks("Tokenizer", kind="boundary", why="a model may have more rows than there are tokens")
@pytest.mark.parametrize("token_id", [3, 4, 50256, 2**40, -1, -3, -4])
def test_ids_out_of_range(tokenizer, token_id):
    """decode gives None for ids that are none, and -1 is not the last one."""
    assert tokenizer.decode(token_id) is None


@checks("Tokenizer", kind="fault", why="training goes on without a vocabulary")
def test_missing_file(Tokenizer, folder):
    """A file that is not there, or a folder in its place, raises nothing: init_ok is False."""
    made = Tokenizer()
    for path in (folder.joinpath("missing.bin"), folder):
        made.init(path)

        assert says(made) == NOTHING


@checks("Tokenizer", kind="fault", why="a wrong table would be worse than none")
def test_missing_file_forgets(tokenizer, folder):
    """A missing file leaves nothing of an earlier table."""
    tokenizer.init(folder.joinpath("missing.bin"))

    assert says(tokenizer) == NOTHING


@checks("Tokenizer", kind="fault", why="a damaged file is no missing one, and somebody has to know")
@pytest.mark.parametrize(
    "data", [b"", packed(SMALL, 2)[:-1], packed(SMALL, 2, 3), packed(SMALL, 2) + b"\0"],
    ids=["empty", "cut", "version", "more"],
)
def test_damaged_file(tokenizer, small, data):
    """A damaged file is a ValueError that names it, and leaves nothing of an earlier table."""
    small.write_bytes(data)
    with pytest.raises(ValueError, match=r"small\.bin"):
        tokenizer.init(small)

    assert says(tokenizer) == NOTHING


@checks("Tokenizer", kind="unit", why="a table of 50,000 tokens need not stay for ever")
def test_free(tokenizer, small):
    """free makes it as new, may be called twice, and init works again after it."""
    tokenizer.free()
    assert says(tokenizer) == NOTHING
    tokenizer.free()
    assert says(tokenizer) == NOTHING
    tokenizer.init(small)
    assert says(tokenizer) == (True, 3, 2, [*SMALL, None])


@checks("Tokenizer", kind="unit", why="free must be safe where nothing was ever opened")
def test_free_first(Tokenizer):
    """free may be called before init."""
    made = Tokenizer()
    made.free()

    assert says(made) == NOTHING


@checks("Tokenizer", kind="unit", why="two models may have two vocabularies")
def test_two_tokenizers(Tokenizer, tokenizer, small):
    """A second init replaces the table, and of two tokenizers each has its own."""
    small.write_bytes(packed([b"x", b"y", b"z", b"!"], 1))
    other = Tokenizer()
    other.init(small)

    assert says(tokenizer) == (True, 3, 2, [*SMALL, None])
    assert says(other) == (True, 4, 1, [b"x", b"y", b"z", b"!"])
    tokenizer.init(small)
    assert says(tokenizer) == (True, 4, 1, [b"x", b"y", b"z", b"!"])


@checks("Tokenizer", kind="golden", why="both versions of this file are in use")
@pytest.mark.parametrize(("version", "word"), [(1, 0), (2, 50256)])
def test_gpt2_tokenizer(Tokenizer, folder, golden, version, word):
    """Either version of GPT-2's file: 50257 tokens, eot 50256, and tiktoken's bytes for ids."""
    folder.joinpath("gpt2.bin").write_bytes(packed(gpt2(), word, version))
    made, wanted = Tokenizer(), golden["gpt2"]["tokens"]
    made.init(folder.joinpath("gpt2.bin"))

    assert (made.init_ok, made.vocab_size, made.eot_token) == (True, 50257, 50256)
    assert {each: made.decode(int(each)).hex() for each in wanted} == wanted
    assert made.decode(50257) is None


# -- safe_print -------------------------------------------------------------------------------


@checks("safe_print", kind="unit", why="the pieces that were worked out by hand")
def test_pieces_by_hand(safe_print, Recorder):
    """a and a newline are written, the bell and half an é are not, a whole é is."""
    out = Recorder()
    got = [safe_print(piece, out) for piece in (b"a", b"\n", b"\x07", b"\xc3", b"\xc3\xa9")]

    assert got == [1, 1, 0, 0, 2]
    assert out.data == b"a\n\xc3\xa9"


@checks("safe_print", kind="golden", why="each of the others can upset a terminal")
def test_single_bytes(safe_print, Recorder, golden):
    """Of the 256 single bytes those are written that C calls printable or white space."""
    got, out = [], Recorder()
    for byte in range(256):
        if safe_print(bytes([byte]), out):
            got.append(byte)

    assert got == golden["text"]
    assert out.data == bytes(golden["text"])


@checks("safe_print", kind="property", why="most words with an accent hold such bytes")
@examples(st.binary(min_size=2, max_size=12))
@settings(max_examples=30)
def test_longer_pieces(safe_print, Recorder, piece):
    """A piece of two bytes or more is written as it is, whatever bytes it has."""
    out = Recorder()

    assert safe_print(piece, out) == len(piece)
    assert out.data == piece


@checks("safe_print", kind="boundary", why="a zero ends a text in C, and nowhere else")
@pytest.mark.parametrize("piece", [b"\0\0", b"\0a", b"a\0", b"\x1b[2J", b"\x07\x07", b"x" * 255])
def test_strange_pieces(safe_print, Recorder, piece):
    """Pieces of several bytes that are no text are written too, in one go."""
    out = Recorder()

    assert safe_print(piece, out) == len(piece)
    assert out.data == piece


@checks("safe_print", kind="boundary", why="decode gives None for an id that does not exist")
@pytest.mark.parametrize("piece", [None, b""], ids=["None", "empty"])
def test_nothing_to_print(safe_print, Recorder, piece):
    """Of None and of no bytes, nothing is written, and 0 is returned."""
    out = Recorder()

    assert safe_print(piece, out) == 0
    assert out.data == b""


@checks("safe_print", kind="conformance", why="a program prints what its model writes")
def test_standard_output(safe_print, standard_output):
    """Without an out, the bytes go to standard output as they are."""
    got = [safe_print(piece) for piece in (b"caf", b"\xc3\xa9", b"\x07", b"\xff\xfe", b"\n", None)]

    assert got == [3, 2, 0, 2, 1, 0]
    assert standard_output() == b"caf\xc3\xa9\xff\xfe\n"


@checks("safe_print", kind="unit", why="what goes elsewhere does not belong on the screen")
def test_not_on_standard_output(safe_print, Recorder, standard_output):
    """With an out, nothing goes to standard output."""
    out = Recorder()
    safe_print(b"ab", out)

    assert out.data == b"ab"
    assert standard_output() == b""
