"""Chapter 1's own code on texts in all scripts, and facts of the two books.

Texts of the Universal Declaration of Human Rights and the real book come from ``OL_DATA``.
"""

import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import books
from tests import outside

EOT = "<|endoftext|>"
NUMERALS = "I II III IV V VI VII VIII IX X XI XII".split()
LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])))


@pytest.fixture(scope="module")
def corpus():
    with outside.reference("ch01") as module:
        yield module


@pytest.fixture(scope="module")
def declaration():
    """All translations, each ending in one newline."""
    return {name: text.rstrip("\n") + "\n" for name, text in outside.translations().items()}


def wrapped(corpus, text, end, header="\ufeffAbout this file\n"):
    """A text as an e-book with these line ends."""
    whole = f"{header}{corpus.START} X ***\n{text}{corpus.END} X ***\nLicence\n"
    return whole.replace("\n", end).encode()


def with_headings(bodies):
    """Front matter, and twelve stories with a curly apostrophe in IX."""
    stories = [
        f"{numeral}. {'THE FOX’S DEN' if numeral == 'IX' else 'A TALE'}\n\n{body}"
        for numeral, body in zip(NUMERALS, bodies, strict=True)
    ]
    return "Contents\n\n" + "".join(f"  {n}.  A TALE\n" for n in NUMERALS) + "\n", stories


# -- any text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_every_text_comes_out_of_its_wrapping(corpus, declaration, end):
    """In every language, the text between the markers is what was put there."""
    wrong = [name for name, text in declaration.items()
             if corpus.prepare(wrapped(corpus, text, end)) != text]

    assert len(declaration) > 300
    assert wrong == []


@given(LINES, st.sampled_from(["\n", "\r\n"]))
@settings(deadline=None)
def test_any_text_comes_out_of_its_wrapping(corpus, lines, end):
    """So is any text, whatever characters other programs take for line ends."""
    text = "".join(f" {line}\n" for line in lines)

    assert corpus.prepare(wrapped(corpus, text, end)) == text


def test_every_bare_return_is_found(corpus, declaration):
    """A carriage return put into each translation is refused with its offset in bytes."""
    for text in declaration.values():
        raw = wrapped(corpus, text, "\r\n")
        at = raw.index(b"\r\n", len(raw) // 2) + 2
        with pytest.raises(ValueError, match=rf"(?<!\d){at}(?!\d)"):
            corpus.prepare(raw[:at] + b"\r" + raw[at:])


def test_every_text_is_written_and_loaded(corpus, declaration, tmp_path):
    """Each translation loads as it was written, by the hash that hashlib gives."""
    path = tmp_path / "text.txt"
    for text in declaration.values():
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        written = corpus.write_corpus(text, b"raw", path, force=True)

        assert written["corpus"] == {
            "question": corpus.QUESTIONS["corpus"], "bytes": len(text.encode()), "sha256": sha256
        }
        assert corpus.load_corpus(path, sha256) == text


def test_translations_as_stories(corpus, declaration):
    """Any twelve translations under twelve headings are cut and split as they were put together."""
    texts = list(declaration.values())
    for first in range(0, len(texts) - 11, 12):
        front, stories = with_headings(texts[first : first + 12])
        found = corpus.split_stories(front + "".join(stories))

        assert found == stories
        assert corpus.make_splits(found) == {
            "train": EOT.join(stories[:10]), "val": stories[10], "test": stories[11]
        }


@given(st.lists(st.text("ab’é \n"), min_size=12, max_size=12))
@settings(deadline=None)
def test_stories_partition_any_text(corpus, bodies):
    """Front matter and stories make the text again, whatever stands in them."""
    front, stories = with_headings(body + "\n" for body in bodies)

    assert corpus.split_stories(front + "".join(stories)) == stories


# -- the two books ----------------------------------------------------------------------------


def test_line_numbers_of_the_embedded_book(corpus):
    """Lines 38 to 1593 without carriage returns are the text, as the notebook's command says."""
    raw = books.embedded().read_bytes()
    lines = raw.replace(b"\r", b"").split(b"\n")[37:1593]

    assert corpus.prepare(raw).encode() == b"".join(line + b"\n" for line in lines)


@pytest.fixture(params=["embedded", "real"])
def book(corpus, request):
    """The text of either book."""
    if request.param == "embedded":
        return corpus.prepare(books.embedded().read_bytes())
    return outside.real_text()


def test_almost_ascii(book):
    """There are curly quotes, dashes and accents, no straight quote of either kind, and no name."""
    assert "'" not in book
    assert '"' not in book
    assert {"’", "“", "”", "—", "é"} <= set(book)
    assert "PROJECT GUTENBERG" not in book.upper()


def test_straight_apostrophe_loses_a_story(corpus, book):
    """With the straight apostrophe alone, IX would vanish: eleven headings are left."""
    straight = corpus.STORY_RE.pattern.replace("’", "")
    found = [match[1] for match in re.finditer(straight, book, re.MULTILINE)]

    assert found == [numeral for numeral in NUMERALS if numeral != "IX"]


def test_contents_are_indented(book):
    """Each story stands in the contents too, on an indented line of its own."""
    contents = re.findall(r"^ +([IVX]+)\. ", book, re.MULTILINE)

    assert contents == NUMERALS
