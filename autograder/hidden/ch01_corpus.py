"""Hidden tests of ch01_corpus: from an e-book to clean splits.

What is wanted comes from the tests' own small texts, or from ``golden.json``, which was made with
other means than the course's code. Facts of the real book are checked where it is found, and
skipped elsewhere.

Files lie where the learner's code runs: ``folder`` is a path of that process, and so are all that
are made of it.
"""

import hashlib
import json

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from autograder import books
from autograder.hidden import checks

BEGIN = "*** START OF THE PROJECT GUTENBERG EBOOK PROOF ***"
STOP = "*** END OF THE PROJECT GUTENBERG EBOOK PROOF ***"
ROMAN = "I II III IV V VI VII VIII IX X XI XII".split()
SEPARATOR = "<|endoftext|>"
# printf 'Hi.\n\n' | sha256sum
HI = "9265136721f6cbc9093e45d51309fc92923d99446d54f96f888064e268a4e6ce"
# Neither "\r" nor lone surrogates, which are errors of their own.
TEXTS = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=40)
WORDS = st.text("abc “’”é\n", max_size=20)


def wrapped(body, header="About this file\n", footer="Licence\n"):
    """A text between markers, with a newline as its line end."""
    return f"{header}{BEGIN}\n{body}{STOP}\n{footer}"


def sent(text):
    """The bytes of a text with CRLF line ends, as a server sends it."""
    return text.replace("\n", "\r\n").encode()


def of(content):
    return hashlib.sha256(content).hexdigest()


def tale(numeral, title="A TALE", body="Once.\n\n"):
    return f"{numeral}. {title}\n\n{body}"


def cut(text, front, sizes):
    """The stories in a text, by their sizes in bytes."""
    data, stories = text.encode()[front:], []
    for size in sizes:
        stories.append(data[:size].decode())
        data = data[size:]
    return stories


def contents(numerals=ROMAN):
    return "Tales\n\nContents\n\n" + "".join(f"   {n}.  A Tale\n" for n in numerals) + "\n\n"


@pytest.fixture
def target(folder):
    """Where a corpus is to go; no file is there yet."""
    return folder.joinpath("tales.txt")


def beside(path):
    return path.with_name("tales_provenance.json")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def entry(question, data):
    return {"question": question, "bytes": len(data), "sha256": of(data)}


@pytest.fixture
def record(QUESTIONS):
    """``record(raw, corpus)``: the provenance that belongs to them."""

    def make(raw, corpus):
        return {
            "retrieval": entry(QUESTIONS["retrieval"], raw),
            "corpus": entry(QUESTIONS["corpus"], corpus),
        }

    return make


@pytest.fixture
def ebook():
    """The embedded book as a server would send it."""
    return books.embedded().read_bytes()


@pytest.fixture
def text_of(ebook):
    """``text_of(which)``: the prepared text of the embedded book, or of the real one if found."""

    def make(which):
        if which == "embedded":
            lines = ebook.decode().split("\r\n")
            first, last = (i for i, line in enumerate(lines) if line.startswith("*** "))
            return "\n".join([*lines[first + 1 : last], ""])
        if (path := books.real()) is None:
            pytest.skip("the real book is not on this machine; 'ol data' fetches it")
        return path.read_bytes().decode()

    return make


both_books = pytest.mark.parametrize("which", ["embedded", "real"])


# -- prepare ----------------------------------------------------------------------------------


@checks("prepare", kind="unit", why="the recipe, checked with pencil and paper")
def test_small_book_by_hand(prepare):
    """Of the six lines by hand, "Hi." and an empty line are kept, each with one newline."""
    assert prepare(sent(wrapped("Hi.\n\n", "\ufeffAbout this e-book\n"))) == "Hi.\n\n"


@checks("prepare", kind="golden", why="every later number of the course stands on this text")
@both_books
def test_book_golden(prepare, ebook, text_of, golden, which):
    """Either book gives the text that is known by its hash: the embedded one as it is, the real
    one wrapped again."""
    about = "\ufeffThe Project Gutenberg eBook\n"
    raw = ebook if which == "embedded" else sent(wrapped(text_of(which), about))
    text = prepare(raw)

    assert len(text.encode()) == golden[which]["bytes"]
    assert of(text.encode()) == golden[which]["sha256"]


@checks("prepare", kind="property", why="a learned answer for two or three books is no recipe")
@examples(TEXTS, TEXTS, TEXTS)
@settings(max_examples=25)
def test_any_body_comes_out(prepare, header, body, footer):
    """Whatever stands before, between and after the markers, the text is what is between."""
    body = body + "\n"

    assert prepare(sent(wrapped(body, header + "\n", footer))) == body


@checks("prepare", kind="unit", why="a model would learn to predict \\r after each line")
@pytest.mark.parametrize("raw", [
    sent(wrapped("one\n\ntwo\n")),
    wrapped("one\n\ntwo\n").encode(),
    sent(wrapped("one\n")).replace(b"one\r\n", b"one\n\r\ntwo\r\n"),
], ids=["crlf", "lf", "mixed"])
def test_line_ends_become_newlines(prepare, raw):
    """Lines may end in CRLF or LF in one file; in the text each ends in LF."""
    assert prepare(raw) == "one\n\ntwo\n"


@checks("prepare", kind="fault", why="nobody can tell whether it was meant to end a line")
@pytest.mark.parametrize("raw", [
    b"About\rthis\n" + wrapped("a\n").encode(),
    sent(wrapped("a\n")).replace(b"a\r\n", b"a\r\r\n"),
    sent(wrapped("“a”\n")).replace("”".encode(), "”\r-".encode()),
    sent(wrapped("a\n")) + b"the end\r",
], ids=["header", "doubled", "body", "end"])
def test_bare_return_is_refused(prepare, raw):
    """A carriage return without a newline is a ValueError, wherever it stands in the file."""
    with pytest.raises(ValueError, match=r"\d"):
        prepare(raw)


@checks("prepare", kind="boundary", why="half a megabyte is too much to search by eye")
@pytest.mark.parametrize(("raw", "offset"), [
    (b"\rAbout\n" + wrapped("a\n").encode(), 0),
    (b"\xef\xbb\xbfAbout\rthis\n" + wrapped("a\n").encode(), 8),
    ("“About”\r\nthis\rfile\r\n".encode() + sent(wrapped("a\n")), 17),
    (b"\r\n\r\r\n" + sent(wrapped("a\n")), 2),
], ids=["first byte", "after a BOM", "after wide characters", "before CRLF"])
def test_bare_return_offset(prepare, raw, offset):
    """The message gives the offset in bytes of raw, BOM and all, where the bare \\r is."""
    with pytest.raises(ValueError, match=rf"(?<!\d){offset}(?!\d)"):
        prepare(raw)


@checks("prepare", kind="fault", why="a replacement character in the text stays there for ever")
@pytest.mark.parametrize("broken", [b"\xe2\x80", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\x92"])
def test_broken_utf8_is_refused(prepare, broken):
    """Bytes that are not UTF-8 are a ValueError: cut, overlong, a surrogate, or another code."""
    with pytest.raises(ValueError, match=r"."):
        prepare(sent(wrapped("@\n")).replace(b"@", broken))


@checks("prepare", kind="boundary", why="a BOM makes the first line begin with another character")
def test_bom_before_the_marker(prepare):
    """A START line that is the first of the file is found behind a BOM."""
    assert prepare(sent(wrapped("a\n", header="\ufeff"))) == "a\n"


@checks("prepare", kind="boundary", why="what stands inside the book is the author's")
def test_only_a_leading_bom_goes(prepare):
    """A BOM is dropped at the beginning of the file only; inside the text it stays."""
    body = "\ufeffa\ufeff\n"

    assert prepare(sent(wrapped(body, header="\ufeffAbout\n"))) == body


@checks("prepare", kind="boundary", why="splitlines() knows more line ends than the file has")
@pytest.mark.parametrize("other", list("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
def test_only_newlines_end_lines(prepare, other):
    """A form feed and its like end no line: they stay, and no marker begins behind them."""
    body = f"one{other}two{other}\n"

    assert prepare(sent(wrapped(body, header=f"About{other}{BEGIN}\n"))) == body


@checks("prepare", kind="unit", why="headers grow and shrink with every release of a file")
@pytest.mark.parametrize("lines", [0, 1, 26, 27, 100])
def test_longer_header(prepare, lines):
    """The markers are found by what they say, however many lines stand before and after."""
    about = "About\n" * lines

    assert prepare(sent(wrapped("one\ntwo\nthree\n", about, about))) == "one\ntwo\nthree\n"


@checks("prepare", kind="boundary", why="blank lines and blanks are part of the text, and its hash")
@pytest.mark.parametrize("body", ["a\n", "\n\na\n\n\n", "  a \n\t\n", "\n"])
def test_final_newline(prepare, body):
    """The last line has one newline as every line has; blanks and blank lines are kept."""
    assert prepare(sent(wrapped(body))) == body


@checks("prepare", kind="boundary", why="a header may explain the markers, and quote them")
@pytest.mark.parametrize("before", [" ", "\t", "“", "See ", "* "])
def test_markers_begin_their_line(prepare, before):
    """A marker is at the very beginning of its line."""
    about = f"{before}{BEGIN}\n{before}{STOP}\n"

    assert prepare(sent(wrapped("a\n", about, about))) == "a\n"


@checks("prepare", kind="boundary", why="stars and capitals may stand in a story too")
@pytest.mark.parametrize("line", ["*** START OF THE RACE ***", "*** END OF THE LINE ***", "***"])
def test_part_of_a_marker_is_text(prepare, line):
    """A line that begins with a part of a marker only is text."""
    body = f"one\n{line}\ntwo\n"

    assert prepare(sent(wrapped(body))) == body


@checks("prepare", kind="boundary", why="the name of the book follows, and each book has its own")
@pytest.mark.parametrize("name", [b"", b" PROOF", b", OR ANYTHING ELSE"])
def test_markers_may_go_on(prepare, name):
    """Whatever follows a marker on its line goes with it."""
    assert prepare(sent(wrapped("a\n")).replace(b" PROOF ***", name)) == "a\n"


MARKERS = {
    "no START": (f"a\n{STOP}\n", {"START"}),
    "no END": (f"{BEGIN}\na\n", {"END"}),
    "two START": (f"{BEGIN}\n{BEGIN}\na\n{STOP}\n", {"START"}),
    "two END": (f"{BEGIN}\na\n{STOP}\nb\n{STOP}\n", {"END"}),
    "END first": (f"{STOP}\na\n{BEGIN}\n", {"START", "END"}),
}


@checks("prepare", kind="fault", why="which of two is the right one would be a guess")
@pytest.mark.parametrize("case", MARKERS)
def test_each_marker_stands_once(prepare, case):
    """A marker that is missing, doubled or on the wrong side is a ValueError."""
    with pytest.raises(ValueError, match=r"START|END"):
        prepare(sent(MARKERS[case][0]))


@checks("prepare", kind="unit", why="the message is all there is to go by in a strange file")
@pytest.mark.parametrize("case", MARKERS)
def test_marker_at_fault_is_named(prepare, case):
    """The message names START or END, whichever is at fault, and both where they are reversed."""
    with pytest.raises(ValueError, match=r".") as caught:
        prepare(sent(MARKERS[case][0]))

    assert {word for word in ("START", "END") if word in str(caught.value)} == MARKERS[case][1]


@checks("prepare", kind="conformance", why="without the name the licence's terms no longer apply")
@pytest.mark.parametrize("words", ["PROJECT GUTENBERG", "Project Gutenberg", "project Gutenberg"])
def test_name_left_is_refused(prepare, words):
    """PROJECT GUTENBERG between the markers, in capitals or not, is a ValueError naming it."""
    with pytest.raises(ValueError, match=r"(?i)project gutenberg"):
        prepare(sent(wrapped(f"one\nThe {words} eBook\n")))


@checks("prepare", kind="boundary", why="every downloaded file has the name in header and licence")
def test_name_outside_is_fine(prepare):
    """The name may stand before and after the book, and its two words apart inside."""
    name = "The Project Gutenberg eBook\n"
    body = "A project of Gutenberg’s.\n"

    assert prepare(sent(wrapped(body, name, name))) == body


# -- write_corpus -----------------------------------------------------------------------------


@checks("write_corpus", kind="unit", why="the sizes and the hash, checked by hand and by sha256sum")
def test_provenance_by_hand(write_corpus, target):
    """Of the small e-book, 138 bytes were retrieved, and 5 with a known hash are the corpus."""
    raw = sent("\ufeffAbout this e-book\n*** START OF THE PROJECT GUTENBERG EBOOK TINY ***\nHi.\n\n"
               "*** END OF THE PROJECT GUTENBERG EBOOK TINY ***\nLicence\n")
    written = write_corpus("Hi.\n\n", raw, target)

    assert (written["retrieval"]["bytes"], written["corpus"]["bytes"]) == (138, 5)
    assert written["corpus"]["sha256"] == HI


@checks("write_corpus", kind="unit", why="all that is trained later reads this file")
@pytest.mark.parametrize("text", ["Hi.\n", "“a”\n\n", "a\r\nb", "\ufeffa\x0c\n", ""])
def test_corpus_is_the_text(write_corpus, target, text):
    """The file holds the text in UTF-8, to the byte: no BOM, no other line ends, nothing added."""
    write_corpus(text, b"raw", target)

    assert target.read_bytes() == text.encode()


@checks("write_corpus", kind="unit", why="a hash on its own does not say what it answers")
def test_provenance_is_written(write_corpus, target, record):
    """Beside the corpus lies a JSON object with question, bytes and hash of both, and no more."""
    write_corpus("a\n", b"raw \xff", target)

    assert json.loads(beside(target).read_bytes()) == record(b"raw \xff", b"a\n")


@checks("write_corpus", kind="unit", why="a notebook shows what was written without reading it")
def test_provenance_is_returned(write_corpus, target, record):
    """The function returns the object that it has written."""
    assert write_corpus("a\n", b"raw", target) == record(b"raw", b"a\n")


@checks("write_corpus", kind="boundary", why="bytes are what a disk, a hash and a tokenizer count")
def test_sizes_are_bytes(write_corpus, target, record):
    """Sizes count bytes: the eight characters of “Holmes” are twelve."""
    written = write_corpus("“Holmes”", "é".encode(), target)

    assert written["corpus"]["bytes"] == 12
    assert written["retrieval"]["bytes"] == 2
    assert written == record("é".encode(), "“Holmes”".encode())


@checks("write_corpus", kind="golden", why="the book that all chapters of the course fall back on")
def test_book_provenance_golden(write_corpus, target, ebook, text_of, golden):
    """The embedded book's two hashes are those that sha256sum gives."""
    written, wanted = write_corpus(text_of("embedded"), ebook, target), golden["embedded"]

    assert written["retrieval"]["sha256"] == wanted["retrieval_sha256"]
    assert written["corpus"]["sha256"] == wanted["sha256"]
    assert of(target.read_bytes()) == wanted["sha256"]


@checks("write_corpus", kind="property", why="the same download must give the same files for ever")
@examples(text=TEXTS, raw=st.binary(max_size=20))
@settings(max_examples=10)
def test_writing_twice_changes_nothing(write_corpus, target, record, text, raw):
    """Whatever text and retrieval: written again, both files are the same to the byte."""
    write_corpus(text, raw, target, force=True)
    first = target.read_bytes(), beside(target).read_bytes()

    assert write_corpus(text, raw, target) == record(raw, text.encode())
    assert (target.read_bytes(), beside(target).read_bytes()) == first


@checks("write_corpus", kind="unit", why="a folder of corpora is read by people too")
def test_two_files_and_no_more(write_corpus, folder, target):
    """Two files are left in the folder, under the names that they should have."""
    write_corpus("a\n", b"raw", target)

    assert names(folder) == ["tales.txt", "tales_provenance.json"]


@checks("write_corpus", kind="fault", why="numbers that you have published stand on the old text")
def test_other_download_is_refused(write_corpus, folder, target):
    """Where the recorded retrieval is another, FileExistsError, and nothing changes."""
    write_corpus("old\n", b"old raw", target)
    before = target.read_bytes(), beside(target).read_bytes()
    with pytest.raises(FileExistsError):
        write_corpus("new\n", b"new raw", target)

    assert (target.read_bytes(), beside(target).read_bytes()) == before
    assert names(folder) == ["tales.txt", "tales_provenance.json"]


@checks("write_corpus", kind="boundary", why="a changed licence is a change to know of")
def test_same_text_of_another_download(write_corpus, target):
    """The hash of the retrieval decides, even where the text is the same."""
    write_corpus("same\n", b"old raw", target)
    with pytest.raises(FileExistsError):
        write_corpus("same\n", b"new raw", target)


@checks("write_corpus", kind="unit", why="with both hashes one can find out what has changed")
def test_refusal_gives_both_hashes(write_corpus, target):
    """The message of the refusal gives the recorded hash of the retrieval, and the new one."""
    write_corpus("old\n", b"old raw", target)
    with pytest.raises(FileExistsError, match=of(b"old raw")) as caught:
        write_corpus("new\n", b"new raw", target)

    assert of(b"new raw") in str(caught.value)


@checks("write_corpus", kind="unit", why="one day you want the new release")
@pytest.mark.parametrize("recorded", [True, False])
def test_force_writes(write_corpus, target, record, recorded):
    """With force=True both files are written, whatever was there."""
    if recorded:
        write_corpus("old\n", b"old raw", target)
    else:
        target.write_bytes(b"somebody's\n")
    write_corpus("new\n", b"new raw", target, force=True)

    assert target.read_bytes() == b"new\n"
    assert json.loads(beside(target).read_bytes()) == record(b"new raw", b"new\n")


@checks("write_corpus", kind="boundary", why="a file of that name may be somebody's only copy")
@pytest.mark.parametrize("provenance", [None, b"", b"{}", b"[]", b'{"retrieval": {"sha256": 1}}'])
def test_unknown_origin_is_refused(write_corpus, target, provenance):
    """A file with no provenance, or none that can be read, is not written over."""
    target.write_bytes(b"somebody's\n")
    if provenance is not None:
        beside(target).write_bytes(provenance)
    with pytest.raises(FileExistsError):
        write_corpus("new\n", b"new raw", target)

    assert target.read_bytes() == b"somebody's\n"


@checks("write_corpus", kind="boundary", why="the record of the old download is worth keeping too")
def test_lone_provenance_counts(write_corpus, target):
    """Where only the provenance is left, it still decides: another retrieval is refused."""
    write_corpus("old\n", b"old raw", target)
    before = beside(target).read_bytes()
    target.unlink()
    with pytest.raises(FileExistsError):
        write_corpus("new\n", b"new raw", target)

    assert beside(target).read_bytes() == before
    write_corpus("old\n", b"old raw", target)
    assert target.read_bytes() == b"old\n"


@checks("write_corpus", kind="unit", why="the way back from a corpus that an editor has damaged")
def test_same_download_mends(write_corpus, target):
    """The retrieval that is recorded may be written again, over a damaged corpus."""
    write_corpus("a\n", b"raw", target)
    target.write_bytes(b"a\r\n")
    write_corpus("a\n", b"raw", target)

    assert target.read_bytes() == b"a\n"


@checks("write_corpus", kind="fault", why="half a corpus under the right name is worse than none")
def test_unencodable_text_touches_nothing(write_corpus, folder):
    """A lone surrogate is a UnicodeEncodeError before any file is written."""
    with pytest.raises(UnicodeEncodeError):
        write_corpus("a\ud800\n", b"raw", folder.joinpath("tales.txt"))

    assert names(folder) == []


# -- load_corpus ------------------------------------------------------------------------------


@checks("load_corpus", kind="unit", why="the hash comes from a tool that everybody has")
def test_load_by_hand(load_corpus, target):
    """"Hi." and an empty line load with the hash that sha256sum gives."""
    target.write_bytes(b"Hi.\n\n")

    assert load_corpus(target, HI) == "Hi.\n\n"


@checks("load_corpus", kind="fault", why="an edited corpus gives other numbers without a word")
@pytest.mark.parametrize("data", [b"Hi.\n", b"Hi.\n\n\n", b"hi.\n\n", b"", b"\xef\xbb\xbfHi.\n\n"])
def test_another_text_is_refused(load_corpus, target, data):
    """A file with other bytes than the hash says is a ValueError, by one byte too."""
    target.write_bytes(data)
    with pytest.raises(ValueError, match=r"."):
        load_corpus(target, HI)


@checks("load_corpus", kind="boundary", why="git turns newlines into CRLF on some machines")
def test_bytes_are_hashed(load_corpus, target):
    """The bytes of the file are hashed: CRLF in place of LF is another text."""
    target.write_bytes(b"Hi.\r\n\r\n")
    with pytest.raises(ValueError, match=r"."):
        load_corpus(target, HI)


@checks("load_corpus", kind="boundary", why="what was hashed is what must be trained on")
@pytest.mark.parametrize("data", [b"a\r\nb\n", b"\xef\xbb\xbfa\n", b" \x0c\n\n", b"\xc3\xa9", b""])
def test_text_is_not_changed(load_corpus, target, data):
    """The text is what the bytes say: line ends, BOM and blanks are as they are in the file."""
    target.write_bytes(data)

    assert load_corpus(target, of(data)) == data.decode()


@checks("load_corpus", kind="property", why="one file loaded rightly may be luck")
@examples(TEXTS)
@settings(max_examples=15)
def test_any_text_loads(load_corpus, target, text):
    """Whatever the text, it loads with the hash of its bytes, and with no other."""
    target.write_bytes(text.encode())

    assert load_corpus(target, of(text.encode())) == text
    with pytest.raises(ValueError, match=r"."):
        load_corpus(target, of(text.encode() + b"\n"))


@checks("load_corpus", kind="golden", why="whoever asks for no other text means the real book")
@both_books
def test_default_is_the_real_book(load_corpus, target, text_of, which):
    """Unless another hash is given, the real book loads and nothing else; the message says so."""
    text = text_of(which)
    target.write_bytes(text.encode())
    if which == "real":
        assert load_corpus(target) == text
        return
    with pytest.raises(ValueError, match="3552d466d95a92fb58e96bbfabbfc02370d359ac9593"):
        load_corpus(target)


@checks("load_corpus", kind="unit", why="the three things one needs in order to find out why")
def test_refusal_says_what_it_found(load_corpus, target):
    """The message gives the file, the hash it found and the hash it wanted."""
    target.write_bytes(b"Hi!\n")
    with pytest.raises(ValueError, match=HI) as caught:
        load_corpus(target, HI)

    assert of(b"Hi!\n") in str(caught.value)
    assert "tales.txt" in str(caught.value)


@checks("load_corpus", kind="fault", why="the file may have changed since the last load")
def test_every_load_verifies(load_corpus, target):
    """The file is read and verified at every load, not only at the first."""
    target.write_bytes(b"Hi.\n\n")
    load_corpus(target, HI)
    target.write_bytes(b"Ho.\n\n")
    with pytest.raises(ValueError, match=r"."):
        load_corpus(target, HI)


# -- split_stories ----------------------------------------------------------------------------


@checks("split_stories", kind="unit", why="the cuts, checked with pencil and paper")
def test_tiny_stories_by_hand(split_stories):
    """Eight characters of front matter, then twelve stories of 158, the first 12 long."""
    stories = split_stories("Twelve\n\n" + "".join(f"{n}. TINY\nHi.\n" for n in ROMAN))

    assert len(stories) == 12
    assert stories[0] == "I. TINY\nHi.\n"
    assert sum(map(len, stories)) == 158


@checks("split_stories", kind="golden", why="the sizes of the splits follow from these")
@both_books
def test_book_stories_golden(split_stories, text_of, golden, which):
    """Either book has the twelve titles and sizes that grep finds, and nothing in between."""
    text, wanted = text_of(which), golden[which]
    found = split_stories(text)

    assert [story.partition("\n")[0] for story in found] == list(wanted["stories"])
    assert [len(story.encode()) for story in found] == list(wanted["stories"].values())
    assert "".join(found) == text.encode()[wanted["front_bytes"] :].decode()


@checks("split_stories", kind="property", why="what is lost at a cut is lost for good")
@examples(front=WORDS, bodies=st.lists(WORDS, min_size=12, max_size=12))
@settings(max_examples=20)
def test_stories_partition_the_text(split_stories, front, bodies):
    """Whatever stands in them, the stories come out as they are, and in order."""
    tales = [tale(n, body=body + "\n") for n, body in zip(ROMAN, bodies, strict=True)]

    assert split_stories(front + "\n" + "".join(tales)) == tales


@checks("split_stories", kind="boundary", why="a contents list would make stories of one line")
@pytest.mark.parametrize("line", ["   {}.  A TALE\n", " {}. A TALE\n", "\t{}. A TALE\n"])
def test_contents_are_no_headings(split_stories, line):
    """Indented lines are no headings, be they in capitals."""
    front = "Contents\n" + "".join(line.format(n) for n in ROMAN) + "\n"
    tales = [tale(n) for n in ROMAN]

    assert split_stories(front + "".join(tales)) == tales


@checks("split_stories", kind="boundary", why="IX would vanish, and VIII silently take it in")
@pytest.mark.parametrize("title", ["THE ENGINEER’S THUMB", "THE ENGINEER'S THUMB"])
def test_curly_apostrophe(split_stories, title):
    """A title may have a curly apostrophe, or a straight one."""
    tales = [tale(n, title if n == "IX" else "A TALE") for n in ROMAN]

    assert split_stories(contents() + "".join(tales)) == tales


@checks("split_stories", kind="boundary", why="THE RED-HEADED LEAGUE is a title of the real book")
@pytest.mark.parametrize("title", ["THE RED-HEADED LEAGUE", "OX", "A TALE "])
def test_other_titles(split_stories, title):
    """A title may have hyphens, be two letters long, or end in a blank."""
    tales = [tale(n, title) for n in ROMAN]

    assert split_stories(contents() + "".join(tales)) == tales


@checks("split_stories", kind="boundary", why="long stories have numbered parts of their own")
@pytest.mark.parametrize("line", [
    "I.", "II. So it began.", "XIII. A TALE", "see I. A TALE", "i. A TALE", "I A TALE", "I.  TALE",
])
def test_other_lines_are_no_headings(split_stories, line):
    """A lone numeral, small letters, or a numeral beyond XII make no heading."""
    tales = [tale(n, body=f"Once.\n{line}\nMore.\n") for n in ROMAN]

    assert split_stories("".join(tales)) == tales


@checks("split_stories", kind="boundary", why="the last story has no heading after it to end it")
@pytest.mark.parametrize("end", ["The end.\n\n\n\n", "The end", "\n", ""])
def test_last_story_is_whole(split_stories, end):
    """Story XII reaches to the very end of the text, blank lines and all."""
    tales = [*(tale(n) for n in ROMAN[:11]), "XII. THE LAST\n" + end]

    assert split_stories(contents() + "".join(tales))[11] == "XII. THE LAST\n" + end


@checks("split_stories", kind="unit", why="a contents list is no prose to learn from")
def test_front_matter_is_dropped(split_stories):
    """Story I begins with its heading, whether or not there is anything before it."""
    tales = "".join(tale(n) for n in ROMAN)

    assert split_stories(contents() + tales)[0] == tale("I")
    assert split_stories(tales)[0] == tale("I")


ORDERS = {
    "none": ([], "I"),
    "I missing": (ROMAN[1:], "I"),
    "IX missing": ([n for n in ROMAN if n != "IX"], "IX"),
    "XII missing": (ROMAN[:11], "XII"),
    "II and III swapped": (["I", "III", "II", *ROMAN[3:]], "II"),
    "IV twice": ([*ROMAN[:4], *ROMAN[3:]], "V"),
    "a second I": ([*ROMAN, "I"], "I"),
    "the book twice": (ROMAN * 2, "I"),
}


@checks("split_stories", kind="fault", why="a story too few or too many shifts val and test")
@pytest.mark.parametrize("case", ORDERS)
def test_headings_in_order(split_stories, case):
    """Headings other than I to XII, each once and in order, are a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        split_stories(contents() + "".join(tale(n) for n in ORDERS[case][0]))


@checks("split_stories", kind="unit", why="one looks for the heading that is named")
@pytest.mark.parametrize("case", ORDERS)
def test_heading_at_fault_is_named(split_stories, case):
    """The message names the first numeral wanted and not there, or the one after a right XII."""
    numerals, named = ORDERS[case]
    with pytest.raises(ValueError, match=rf"\b{named}\b"):
        split_stories(contents() + "".join(tale(n) for n in numerals))


# -- make_splits ------------------------------------------------------------------------------


@checks("make_splits", kind="unit", why="ten letters and nine separators, counted by hand")
def test_letters_by_hand(make_splits):
    """Of the letters a to l, train has 10 + 9 * 13 characters, val is k and test is l."""
    splits = make_splits(list("abcdefghijkl"))

    assert len(splits["train"]) == 127
    assert splits["train"][:15] == "a<|endoftext|>b"
    assert (splits["val"], splits["test"]) == ("k", "l")


@checks("make_splits", kind="unit", why="a program that loops over the splits meets them in order")
def test_three_splits(make_splits):
    """There are three splits, called train, val and test, in this order."""
    assert list(make_splits(["a"] * 12)) == ["train", "val", "test"]


@checks("make_splits", kind="boundary", why="a separator after the last story promises another one")
def test_separator_stands_between(make_splits):
    """Train has nine separators, each between two stories, with nothing else around them."""
    tales = [tale(n) for n in ROMAN]
    train = make_splits(tales)["train"]

    assert train.count(SEPARATOR) == 9
    assert train == SEPARATOR.join(tales[:10])


@checks("make_splits", kind="unit", why="a split by chance gives away the other half of a scene")
def test_val_and_test_are_stories(make_splits):
    """Val is the whole of story XI and test the whole of XII, and neither is in train."""
    tales = [tale(n, body=f"This is {n}.\n") for n in ROMAN]
    splits = make_splits(tales)

    assert splits["val"] == tales[10]
    assert splits["test"] == tales[11]
    assert "XI" not in splits["train"]


@checks("make_splits", kind="golden", why="the hash of train goes into the tokenizer's file")
@both_books
def test_book_splits_golden(make_splits, text_of, golden, which):
    """Either book's splits have the sizes and hashes that were found with other means."""
    wanted = golden[which]
    stories = cut(text_of(which), wanted["front_bytes"], wanted["stories"].values())
    made = {name: part.encode() for name, part in make_splits(stories).items()}

    assert {name: len(part) for name, part in made.items()} == wanted["splits"]
    assert {name: of(part) for name, part in made.items()} == wanted["splits_sha256"]


@checks("make_splits", kind="property", why="the tokenizer of the next chapter splits train again")
@examples(st.lists(TEXTS, min_size=12, max_size=12))
@settings(max_examples=20)
def test_train_splits_again(make_splits, stories):
    """Whatever the stories, train split at the separator is the first ten of them."""
    parts = make_splits(stories)

    assert parts["train"].split(SEPARATOR) == stories[:10]
    assert [parts["val"], parts["test"]] == stories[10:]


@checks("make_splits", kind="fault", why="of eleven stories, none would be left to judge with")
@pytest.mark.parametrize("n", [0, 10, 11, 13])
def test_twelve_stories_or_none(make_splits, n):
    """Any other number of stories than twelve is a ValueError that says how many there are."""
    with pytest.raises(ValueError, match=rf"\b{n}\b"):
        make_splits(["a"] * n)


@checks("make_splits", kind="fault", why="nobody could tell it from a boundary any more")
@pytest.mark.parametrize("place", [0, 3, 8, 9, 10, 11])
def test_separator_in_a_story(make_splits, place):
    """A story that contains the separator itself is a ValueError that gives its numeral."""
    stories = [f"a{n}" for n in range(12)]
    stories[place] += f" {SEPARATOR}\n"
    with pytest.raises(ValueError, match=rf"\b{ROMAN[place]}\b"):
        make_splits(stories)
