"""The hex view: what is shown of bytes, files and two of them, in HTML and in text."""

import os
import struct
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import hexview, show, streams
from autograder.binary import first_difference
from autograder.cards import Tone
from autograder.course import CourseError
from autograder.learn import hexview as shown_in_a_notebook

IDS = (50256, 15496, 995)  # of docs/formats/tokens-bin.md


def token_file(ids=IDS, version=1, n=None, vocabulary=50257):
    """As that page describes it."""
    header = struct.pack("<4i1008x", 20240520, version, len(ids) if n is None else n, vocabulary)
    return header + struct.pack(f"<{len(ids)}{'_HI'[version]}", *ids)


def view(data, other=None, start=None, rows=16):
    return hexview.view(data, other, start, rows)


class Cells(HTMLParser):
    """The rows of all tables, a list of texts each; headings; what is marked."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.scopes, self.captions, self.marked, self._in = [], [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self._in.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.scopes += [dict(attrs)["scope"]] if tag == "th" else []

    def handle_endtag(self, tag):
        assert self._in.pop() == tag

    def handle_data(self, data):
        if "caption" in self._in:
            self.captions.append(data)
        elif "td" in self._in or "th" in self._in:
            self.rows[-1][-1] += data
            self.marked += [data] if "mark" in self._in else []


def test_a_token_file_by_hand():
    """The header's numbers by name, equal rows once with their count, then the ids and the text."""
    assert view(token_file()).text.splitlines() == [
        "bytes: 1,030 bytes",
        "header of a token file:",
        "   0  magic                   20240520",
        "   4  version                 1",
        "   8  number of ids           3",
        "  12  size of the vocabulary  50257",
        "00000000  88 d8 34 01 01 00 00 00 03 00 00 00 51 c4 00 00  ..4.........Q...",
        "00000010  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................",
        "          62 more of the same",
        "00000400  50 c4 88 3c e3 03                                P..<..",
    ]


@pytest.mark.parametrize(("head", "kind", "names"), [
    ((20240522, 1, 1, 38), "multiple-choice",
     ["number of examples", "bytes of the longest example"]),
    ((20240328, 2, 3, 2), "vocabulary", ["number of tokens", "id that ends a text"]),
])
def test_other_files_of_llmc_are_known(head, kind, names):
    """Examples and vocabularies, by their magic; any other bytes have no header."""
    header = view(struct.pack("<4i1008x", *head)).header

    assert kind in header.kind
    assert [name for _, name, _ in header.rows][2:] == names
    assert [int(values[0]) for _, _, values in header.rows] == [*head]
    assert view(struct.pack("<4i1008x", head[0] + 1, *head[1:])).header is None


@pytest.mark.parametrize(("other", "said"), [
    (token_file((50256, 15496, 996)), "at offset 1,028, id 2: first 995, second 996"),
    (token_file((50256, 15752, 995)), "at offset 1,027, id 1: first 15496, second 15752"),
    (token_file(n=4), "at offset 8, number of ids: first 3, second 4"),
    (token_file(version=2), "at offset 4, version: first 1, second 2"),
    (token_file()[:1028], "the same as far as the shorter goes, 1,028 bytes"),
    (token_file()[:500] + b"x" + token_file()[501:], "at offset 500."),
    (token_file(), "They are the same."),
])
def test_where_two_part(other, said):
    """The first byte that differs, the number it belongs to, and its value in both."""
    assert said in view(token_file(), other).lead[-1]


def test_an_id_of_version_2_has_four_bytes():
    """Counted and read so: the sixth byte after the header belongs to id 1."""
    one, other = (token_file((1, second, 3), 2, vocabulary=70000) for second in (2, 65538))

    assert view(one, other).lead[-1].endswith("offset 1,030, id 1: first 2, second 65538")


def test_two_are_shown_where_they_part():
    """Rows that are alike once, others of both, with the bytes that differ marked."""
    seen = view(token_file(), token_file((50256, 15496, 996)))

    assert seen.text.splitlines()[-4:] == [
        "          the same again",
        "00000400  first   50 c4 88 3c e3 03                                P..<..",
        "00000400  second  50 c4 88 3c e4 03                                P..<..",
        "                              ^^",
    ]
    assert Cells(seen.html).marked == ["e3", "e4"]


def test_html_says_what_the_text_says():
    """Every cell of the tables is in the text; columns and rows have headings, tables captions."""
    seen = view(token_file(), token_file(n=4))
    found, words = Cells(seen.html), set(seen.text.replace(",", "").split())

    assert len(found.captions) == 2
    assert found.scopes.count("col") == 4 + 2 + 16 + 1
    assert found.scopes.count("row") == 4 + 2 * sum(not line.note for line in seen.lines)
    bodies = [row for row in found.rows if row[0] != "offset"]
    assert {word for row in bodies for cell in row for word in cell.split()} <= words
    assert len(bodies) == 4 + len(seen.lines)


def test_bytes_are_no_markup():
    """Neither tags in the bytes nor in a file's name are tags in the HTML."""
    html = view(b"<b>&</b>").html

    assert "<b>" not in html
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in html


@given(one=st.binary(max_size=80), other=st.binary(max_size=80))
def test_the_first_difference(one, other):
    """Everything before it is equal, and nothing at it; none where all is equal."""
    found = first_difference(one, other)

    assert (found is None) == (one == other)
    if found is not None:
        assert one[:found] == other[:found]
        assert one[found : found + 1] != other[found : found + 1]


@given(data=st.binary(max_size=100) | st.integers(0, 100).map(bytes), start=st.integers(0, 100))
def test_no_byte_is_lost(data, start):
    """Every row of the data from the start's on is shown, or counted as one more of the same."""
    start = min(start, len(data))
    begin, rows, last = start - start % 16, [], b""
    for line in view(data, start=start).lines:
        if line.note:
            rows += [last] * (1 if line.note == "the same again" else int(line.note.split()[0]))
        else:
            rows.append(last := line.data)

    assert b"".join(rows) == data[begin:]


@pytest.mark.parametrize("change", [0, streams.CHUNK - 1, streams.CHUNK, 5 * streams.CHUNK // 2])
def test_files_are_compared_piece_by_piece(tmp_path, change):
    """The offset is right in every piece, and of a sparse gibibyte no more is read than needed."""
    paths = [tmp_path / name for name in ("one.bin", "two.bin")]
    for path in paths:
        path.touch()
        os.truncate(path, 1 << 30)
    with paths[1].open("r+b") as file:
        file.seek(change)
        file.write(b"\x01")

    assert f"offset {change:,}." in view(*paths).lead[-1]
    assert view(paths[0]).lead == ("one.bin: 1,073,741,824 bytes",)


def test_no_more_of_a_file_is_read_than_is_shown(tmp_path, monkeypatch):
    """Sixteen bytes for the header and one window, however large the file is."""
    path, read = tmp_path / "large.bin", []
    path.touch()
    os.truncate(path, 1 << 40)
    real = streams.stream(path)

    def counting(offset, count):
        read.append(count)
        return real.read(offset, count)

    monkeypatch.setattr(hexview, "stream", lambda _: streams.Stream("large", real.size, counting))
    seen = view(path, start=(1 << 39) + 5)

    assert sum(read) <= hexview.WINDOW + 16
    assert seen.lines[0].offset == 1 << 39
    assert f"start={(1 << 39) + hexview.WINDOW} shows them" in seen.lines[-1].note


@pytest.mark.parametrize("data", [
    b"\x01\x02", bytearray(b"\x01\x02"), memoryview(b"\x01\x02"), memoryview(b"\x01.\x02.")[::2],
    np.array([0x0201], "<u2"), np.array([0x0102], ">u2"), np.arange(4, dtype=np.uint8)[1:3],
    np.array([[1, 9], [2, 9]], np.uint8)[:, 0],
])
def test_what_has_bytes_is_shown(data):
    """Bytes-like objects and arrays, in whatever order they lie in memory."""
    assert view(data).lines == (hexview.Line(0, b"\x01\x02"),)


def test_words_apart_in_memory_are_shown():
    """Every second word of an array, and only those."""
    seen = view(np.array([1, 9, 2, 9], "<u2")[::2])

    assert seen.lead == ("array of uint16: 4 bytes",)
    assert seen.lines == (hexview.Line(0, b"\x01\x00\x02\x00"),)


def test_nothing_is_shown_as_nothing():
    """Empty data is no error; neither is an empty one beside another."""
    assert view(b"").text == "bytes: 0 bytes"
    assert view(b"", b"a").text.splitlines()[2:] == [
        "They are the same as far as the shorter goes, 0 bytes.",
        "          first has ended",
        f"00000000  second  {'61':48} a",
        "                  ^^",
    ]


@pytest.mark.parametrize(("arguments", "said"), [
    (([1, 2],), "wanted are bytes, a NumPy array, or the path of a file; this is of type list"),
    ((None,), "of type NoneType"),
    ((np.array([None]),), "of type ndarray"),
    (("no such file",), "there is no file no such file"),
    (("nul\0byte",), "there is no file nul?byte"),
    (("x" * 5000,), "there is no file xxx"),
    ((".",), ". is no file"),
    ((b"abc", None, 4), "start is a whole number from 0 to 3, not 4"),
    ((b"abc", None, -1), "not -1"),
    ((b"abc", None, "0"), "not '0'"),
    ((b"abc", None, None, 257), "rows is a whole number from 0 to 256"),
])
def test_what_cannot_be_shown_is_said(arguments, said):
    """What is wrong, and what would do."""
    with pytest.raises(CourseError) as raised:
        view(*arguments)

    assert said in str(raised.value)


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    """One that is there when the view begins, and is gone when its bytes are wanted."""
    path = tmp_path / "gone.bin"
    path.write_bytes(b"abc")
    held = streams.stream(path)
    path.unlink()

    with pytest.raises(CourseError, match="cannot be read"):
        held.read(0, 3)


def test_in_a_notebook_there_is_no_traceback():
    """``hexview`` shows the view, or a calm card with the message."""
    assert "1 bytes" in shown_in_a_notebook(b"a").card.text
    card = shown_in_a_notebook(7).card

    assert (card.tone, card.heading) == (Tone.CALM, "Nothing to show:")


@pytest.mark.parametrize(("got", "wanted", "lines"), [
    (token_file(n=4), token_file(), [
        "first differing byte at offset 8, number of ids: wanted 3, got 4",
        "wanted 00000000  88 d8 34 01 01 00 00 00 03 00 00 00 51 c4 00 00",
        "got    00000000  88 d8 34 01 01 00 00 00 04 00 00 00 51 c4 00 00",
        "header of a token file:", "  magic: 20240520", "  version: 1",
        "  number of ids: wanted 3, got 4", "  size of the vocabulary: 50257",
    ]),
    (token_file()[:6], token_file(), [
        "length 6 instead of 1030", "header of a token file:", "  magic: 20240520",
        "  version: wanted 1, got nothing", "  number of ids: wanted 3, got nothing",
        "  size of the vocabulary: wanted 50257, got nothing",
    ]),
    (b"abd", b"abcd", [
        "length 3 instead of 4", "first differing byte at offset 2",
        "wanted 00000000  61 62 63 64", "got    00000000  61 62 64",
    ]),
    (b"ab", b"abcd", ["length 2 instead of 4"]),
])
def test_a_failure_shows_bytes_and_header(got, wanted, lines):
    """In the card of a check: where the bytes part, and the wanted header's numbers beside those
    that came."""
    assert show.difference(got, wanted).splitlines() == lines
