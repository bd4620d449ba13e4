# ---
# jupyter:
#   course:
#     title: "From an e-book to clean splits"
#     module: corpus
#     aliases: [30a]
#     needs: []
#     packages: []
#     minutes: 90
#     difficulty: 2
#     importance: 5
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From an e-book to clean splits
#
# **90 minutes | difficulty 2 of 5 | importance 5 of 5 | needs no other chapter**
#
# A language model is trained on a file. In this chapter you make that file: out of an e-book as it
# was downloaded come a clean text that is known by its hash, and three parts of it, to learn from,
# to choose by, and to judge with.

# %% [markdown]
# Why bother? Every number of this course, from the first token count to the last loss, stands on
# this text. If one byte of it differs on your machine, so does all the rest, and nothing will tell
# you. And a model that has seen its own exam gets marks that mean nothing.

# %% [markdown]
# ## What you will build
#
# | part | function | points |
# |---|---|---|
# | [Characters and bytes](#Characters-and-bytes) | none: pencil and paper | |
# | [Out of the wrapping](#Out-of-the-wrapping) | `prepare` | 28 |
# | [Two hashes](#Two-hashes) | `write_corpus` | 18 |
# | [Trust, but verify](#Trust,-but-verify) | `load_corpus` | 10 |
# | [Twelve stories](#Twelve-stories) | `split_stories` | 14 |
# | [Three splits](#Three-splits) | `make_splits` | 10 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |
#
# After that you see what a careless split would have given away, and meet the real book.

# %%
import tempfile
from collections import Counter

import matplotlib.pyplot as plt

from autograder import books
from autograder.learn import check, check_tests

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# ## The e-book
#
# The course brings an e-book of its own, *Twelve Stories from Saltmere*: very short stories in the
# form in which [Project Gutenberg](https://www.gutenberg.org) sends books. This is how the file
# begins, byte for byte:

# %%
raw = books.embedded().read_bytes()
print(len(raw), "bytes")
raw[:300]

# %% [markdown]
# Lines end in `\r\n`, and what begins here is not the book but a header. The book itself lies
# between two **marker lines**. These are their beginnings, and each stands in the file once:

# %% given="names"
import hashlib
import json
import re
from itertools import pairwise, zip_longest
from pathlib import Path

START = "*** START OF THE PROJECT GUTENBERG EBOOK"  # so begins the line before the book
END = "*** END OF THE PROJECT GUTENBERG EBOOK"  # and so the line after it

# %%
raw.count(START.encode()), raw.count(END.encode())

# %% [markdown]
# ## Characters and bytes
#
# A file holds bytes, a text holds characters, and UTF-8 says which bytes a character is. Up to 127
# the two are the same, which is ASCII. From 2048 to 65535 a character takes three bytes, and its
# sixteen bits are shared out among them like this:
#
# ```
# 1110xxxx 10xxxxxx 10xxxxxx
# ```

# %% [markdown]
# Take pencil and paper for the apostrophe ’, which is character 0x2019:
#
# | step | bits |
# |---|---|
# | 0x2019 | 0010 0000 0001 1001 |
# | cut into 4, 6 and 6 | 0010, 000000, 011001 |
# | filled in | 11100010 10000000 10011001 |
# | in hexadecimal | e2 80 99 |

# %%
"’".encode().hex(" ")

# %% [markdown]
# So lengths differ, depending on what you count. “Holmes” with its curly quotes has eight
# characters. How many bytes?

# %%
quoted = "“Holmes”"
len(quoted), len(quoted.encode())

# %% [markdown]
# And bytes may be cut where no character ends. Decode the first two bytes by themselves, then the
# others, and the quote between them is lost: each damaged place turns into the replacement
# character �. Joined first and decoded once, they are whole.

# %%
data = quoted.encode()
pieces = [data[:2], data[2:]]
print("".join(piece.decode(errors="replace") for piece in pieces))
print(b"".join(pieces).decode(errors="replace"))

# %% [markdown]
# That is why `prepare` decodes strictly. A decoder that replaces what it cannot read never fails,
# and you would train on its � for ever. The strict one says at which byte it stopped:

# %%
try:
    data[:2].decode()
except UnicodeDecodeError as error:
    print(error)

# %% [markdown]
# Count characters or count bytes, then, but say which. All sizes in this chapter are bytes.

# %% [markdown]
# ## Out of the wrapping
#
# An e-book comes wrapped: a header before the book, a licence after it. Project Gutenberg's terms
# are about its trademark: whoever takes the wrapping and the name away from a book in the public
# domain is left with a text in the public domain. So both go, and a name that stays behind is an
# error.

# %% [markdown]
# By hand, on an e-book of six lines and 138 bytes:
#
# | line | bytes | kept |
# |---|---|---|
# | `About this e-book` after a BOM of 3 bytes | 22 | |
# | `*** START OF THE PROJECT GUTENBERG EBOOK TINY ***` | 51 | |
# | `Hi.` | 5 | `Hi.` |
# | (empty) | 2 | an empty line |
# | `*** END OF THE PROJECT GUTENBERG EBOOK TINY ***` | 49 | |
# | `Licence` | 9 | |
#
# Two lines stand strictly between the markers. With one `\n` after each, the text is **`Hi.\n\n`**.

# %%
small = (
    b"\xef\xbb\xbfAbout this e-book\r\n"
    b"*** START OF THE PROJECT GUTENBERG EBOOK TINY ***\r\n"
    b"Hi.\r\n"
    b"\r\n"
    b"*** END OF THE PROJECT GUTENBERG EBOOK TINY ***\r\n"
    b"Licence\r\n"
)
len(small)

# %% [markdown]
# Write `prepare`. It takes the bytes as they were downloaded and returns the text:
#
# - Decode strict UTF-8. A *byte order mark* (BOM, the bytes `ef bb bf`) is dropped at the very
#   beginning, and only there.
# - Lines end in `\r\n` or `\n`; in the text they all end in `\n`. Other characters that some
#   programs take for line ends, such as the form feed `\x0c`, are left as they are.
# - A *bare* `\r`, with no `\n` after it, is an error anywhere in the file: nobody can tell whether
#   it was meant to end a line. Its message gives the offset, in bytes from the start of `raw`.
# - Keep the lines strictly between the START line and the END line, each with one `\n`.

# %% [markdown]
# What is not as it should be raises a `ValueError` that says so:
#
# - no START line or more than one, no END line or more than one: the message names the marker that
#   is at fault, `START` or `END`, and only that;
# - END before START: the message names both;
# - the words PROJECT GUTENBERG between the markers, in capitals or not: the message names them, in
#   either form.

# %% solve="prepare"
def prepare(raw: bytes) -> str:
    """The book in an e-book: the lines strictly between the markers, each with one newline.

    By hand: BOM and header, START line, "Hi.", an empty line, END line, licence; what lies between
    the markers is "Hi.", an empty line, so the text is "Hi.\\n\\n".

    Raises:
        ValueError: not UTF-8, a bare carriage return (the message gives its byte), a marker that is
            missing, doubled or on the wrong side, or PROJECT GUTENBERG in what is left.
    """
    # TODO (ch01_corpus): refuse a bare \r, decode, find the two marker lines, keep what is between.
    # HINT: the codec "utf-8-sig" drops a BOM; split("\n") knows one line end, splitlines() eleven.
    ### BEGIN SOLUTION
    if bare := re.search(rb"\r(?!\n)", raw):
        raise ValueError(f"a carriage return without a newline at byte {bare.start()}")
    lines = raw.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(START)]
    ends = [i for i, line in enumerate(lines) if line.startswith(END)]
    for marker, places in (("START", starts), ("END", ends)):
        if len(places) != 1:
            raise ValueError(f"{len(places)} lines with the {marker} marker in place of one")
    (start,), (end,) = starts, ends
    if start > end:
        raise ValueError("the END marker stands before the START marker")
    text = "".join(line + "\n" for line in lines[start + 1 : end])
    if "PROJECT GUTENBERG" in text.upper():
        raise ValueError("the words PROJECT GUTENBERG are left between the markers")
    return text
    ### END SOLUTION


# %% example="prepare"
assert prepare(small) == "Hi.\n\n"

# %% check="prepare" points=28
check("prepare")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("prepare")
### END HIDDEN TESTS

# %% [markdown] hints="prepare"
# <details><summary>Hint 1: where to begin</summary>
#
# Look for the bare `\r` first, while you still have the bytes: after `\r\n` has become `\n`, the
# offset would be another. Then decode, make all line ends alike, and split into a list of lines.
#
# </details>
#
# <details><summary>Hint 2: finding things</summary>
#
# In a regular expression, `\r(?!\n)` is a `\r` that no `\n` follows. For the markers, collect the
# numbers of *all* lines that begin with START, and of all that begin with END. There must be one
# of each.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `re.search(rb"\r(?!\n)", raw)` finds the bare one, and its `.start()` is the offset. Then
# `raw.decode("utf-8-sig").replace("\r\n", "\n").split("\n")`. With the marker lines numbered a and
# b, the text is every line of `lines[a + 1 : b]` with a `"\n"` after it, joined. Before you return
# it, look for the two words in `text.upper()`.
#
# </details>

# %% [markdown]
# Unwrap the course's e-book, and see how it begins and how much of the file it is:

# %%
text = prepare(raw)
print(text[:700])
len(raw), len(text.encode())

# %% [markdown]
# ## Two hashes
#
# A SHA-256 is a fingerprint of bytes: 64 hexadecimal digits, which are others as soon as one bit
# is. We keep two, and they answer different questions:
#
# | hash of | question | changes |
# |---|---|---|
# | what was **retrieved** | Which file was downloaded? | with every edit of its licence |
# | the **corpus** | Which text does all else stand on? | never, or all later numbers do |

# %% [markdown]
# Both go into a small file beside the corpus, its **provenance**. These helpers are given. The last
# one writes under a temporary name and renames at the end, so that a full disk or a crash never
# leaves half a corpus under the right name.

# %% given="files"
QUESTIONS = {
    "retrieval": "Which file was downloaded?",
    "corpus": "Which text does all else stand on?",
}


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def provenance_path(path: Path) -> Path:
    """Where the provenance of a corpus lies: for books/holmes.txt, books/holmes_provenance.json."""
    return path.with_name(f"{path.stem}_provenance.json")


def recorded_retrieval(path: Path) -> str:
    """The hash of the retrieval that the corpus at `path` was made from; "" if none is known."""
    try:
        return str(json.loads(provenance_path(path).read_bytes())["retrieval"]["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears under its name only when it is whole."""
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_bytes(data)
    unfinished.replace(path)


# %% [markdown]
# Files of this notebook go into a folder that is gone when its kernel stops:

# %%
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)

# %% [markdown]
# By hand, for the small e-book: 138 bytes were retrieved and 5 are left. So the provenance says 138
# and 5, each with its question and its hash. The hashes are no work for pencil and paper; the
# command `printf 'Hi.\n\n' | sha256sum` gives the second one:
#
# `9265136721f6cbc9093e45d51309fc92923d99446d54f96f888064e268a4e6ce`

# %% [markdown]
# Write `write_corpus`. `text` is what `prepare` made of `raw`, and `path` is where it goes:
#
# - the file at `path` holds `text` in UTF-8, not a byte more or less;
# - the file at `provenance_path(path)` holds a JSON object with two entries, `"retrieval"` and
#   `"corpus"`. Each is an object with `"question"` (from `QUESTIONS`), `"bytes"` (how many) and
#   `"sha256"`;
# - the function returns that object, as a dict.

# %% [markdown]
# One day the download will differ. Then `write_corpus` must not quietly put another text in the
# place of the one that you have worked with:
#
# - Where a corpus or a provenance is there already, and what it was made from is not `raw`, or not
#   known, it raises `FileExistsError` and changes nothing. The message gives the recorded hash (if
#   there is one) and the new one.
# - With `force=True` it writes all the same.
# - The same retrieval may be written again, which mends a damaged corpus.
#
# There is nothing half done: a text that cannot be encoded (Python strings may hold *lone
# surrogates*, which UTF-8 cannot) fails before any file is touched.

# %% solve="write_corpus"
def write_corpus(text: str, raw: bytes, path: Path, force: bool = False) -> dict:
    """Write a corpus and, beside it, its provenance; return the provenance.

    By hand: of the small e-book 138 bytes were retrieved and 5 are left, and the corpus "Hi.\\n\\n"
    has the SHA-256 9265136721f6...

    Raises:
        FileExistsError: what is there was made from another retrieval; `force` writes all the same.
        UnicodeEncodeError: the text holds a lone surrogate.
    """
    # TODO (ch01_corpus): encode, describe raw and corpus, refuse or write both files.
    # HINT: all sizes and hashes are those of bytes; recorded_retrieval(path) says what was there.
    ### BEGIN SOLUTION
    corpus = text.encode()
    provenance = {
        name: {"question": QUESTIONS[name], "bytes": len(data), "sha256": digest(data)}
        for name, data in (("retrieval", raw), ("corpus", corpus))
    }
    beside = provenance_path(path)
    old, new = recorded_retrieval(path), digest(raw)
    if (path.exists() or beside.exists()) and old != new and not force:
        raise FileExistsError(
            f"{path} was made from another download: its hash is {old or 'not recorded'}, that of "
            f"this one is {new}. Look at what has changed; force=True writes all the same"
        )
    write_whole(path, corpus)
    write_whole(beside, json.dumps(provenance, indent=1).encode())
    return provenance
    ### END SOLUTION


# %% example="write_corpus"
provenance = write_corpus("Hi.\n\n", small, folder / "small.txt")
assert (provenance["retrieval"]["bytes"], provenance["corpus"]["bytes"]) == (138, 5)
assert provenance["corpus"]["sha256"].startswith("9265136721f6")
assert (folder / "small.txt").read_bytes() == b"Hi.\n\n"

# %% check="write_corpus" points=18
check("write_corpus")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_corpus")
### END HIDDEN TESTS

# %% [markdown] hints="write_corpus"
# <details><summary>Hint 1: where to begin</summary>
#
# First make all that you need in memory: the bytes of the text, both hashes, the dict. Then decide
# whether to refuse. The two lines that write come last.
#
# </details>
#
# <details><summary>Hint 2: when to refuse</summary>
#
# Three things together: there is something (the corpus *or* its provenance), the recorded hash is
# not that of `raw`, and nobody said `force`. With no readable provenance the recorded hash is "",
# which equals none.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# An entry is `{"question": QUESTIONS["corpus"], "bytes": len(data), "sha256": digest(data)}` with
# `data = text.encode()`. `write_whole(path, data)` writes the corpus, and
# `write_whole(provenance_path(path), json.dumps(provenance).encode())` what belongs beside it.
#
# </details>

# %% [markdown]
# Now for the course's e-book. This is the file that you would show to somebody who asks where your
# training text comes from:

# %%
path = folder / "twelve_stories.txt"
provenance = write_corpus(text, raw, path)
json.loads(provenance_path(path).read_bytes())

# %% [markdown]
# The second hash can be had without a line of Python:
#
# `sed -n '38,1593p' twelve_stories.txt | tr -d '\r' | sha256sum`
#
# The line numbers hold for this very file, though, and would be wrong for the next release of it.
# (In the real book's file, as it was downloaded for this course, they are 28 and 11959.) That is
# why `prepare` goes by what the lines say.

# %% [markdown]
# Suppose that next year's download has another sentence in its licence. The text between the
# markers is the same, and yet you are warned:

# %%
try:
    write_corpus(text, raw + b"Have fun.\r\n", path)
except FileExistsError as error:
    print(error)

# %% [markdown]
# ## Trust, but verify
#
# A hash that nobody compares protects nobody. So `load_corpus` compares it at **every** load. The
# hash of the real book, *The Adventures of Sherlock Holmes* without its wrapping, stands in the
# code:

# %% given="identity"
CORPUS_SHA256 = "3552d466d95a92fb58e96bbfabbfc02370d359ac95933b5feafe4ebaf3f243b3"

# %% [markdown]
# What would change a file under your hands? An editor that trims spaces, a synchronised folder, and
# most often **git**, which on some machines turns `\n` into `\r\n` at checkout. Python's
# `path.read_text()` turns it back without a word, so a hash of what *it* returns sees nothing:

# %%
damaged = folder / "damaged.txt"
damaged.write_bytes(b"Hi.\r\n\r\n")
damaged.read_text(encoding="utf-8").encode(), damaged.read_bytes()

# %% [markdown]
# Write `load_corpus`. It reads the file at `path` and compares the SHA-256 of its **bytes** with
# `sha256`, which is the real book's unless you say otherwise. If they are equal, it returns the
# text, decoded and not changed in any way. Else it raises a `ValueError` whose message gives the
# path, the hash it found and the hash it wanted.
#
# By hand: the file with `Hi.`, a newline and another loads with the hash that `sha256sum` gave.

# %% solve="load_corpus"
def load_corpus(path: Path, sha256: str = CORPUS_SHA256) -> str:
    """The corpus at `path`, if its bytes have the right SHA-256.

    By hand: "Hi.\\n\\n" loads with the SHA-256 that sha256sum gives, 9265136721f6...

    Raises:
        ValueError: they have another; the message gives the path and both hashes.
        FileNotFoundError: there is no such file.
    """
    # TODO (ch01_corpus): read bytes, compare their hash, decode.
    # HINT: read once, and decode the very bytes that were hashed.
    ### BEGIN SOLUTION
    data = path.read_bytes()
    found = digest(data)
    if found != sha256:
        raise ValueError(
            f"{path} is not the text that was asked for: its SHA-256 is {found}, wanted is "
            f"{sha256}. Prepare it again"
        )
    return data.decode()
    ### END SOLUTION


# %% example="load_corpus"
five_bytes = "9265136721f6cbc9093e45d51309fc92923d99446d54f96f888064e268a4e6ce"
(folder / "five.txt").write_bytes(b"Hi.\n\n")
assert load_corpus(folder / "five.txt", sha256=five_bytes) == "Hi.\n\n"

# %% check="load_corpus" points=10
check("load_corpus")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("load_corpus")
### END HIDDEN TESTS

# %% [markdown] hints="load_corpus"
# <details><summary>Hint 1: where to begin</summary>
#
# Which method of a path reads a file without decoding it?
#
# </details>
#
# <details><summary>Hint 2: the order</summary>
#
# Bytes first, hash second, text last. A text that is decoded, changed and encoded again is no
# longer the file.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `data = path.read_bytes()`. If `digest(data)` is not `sha256`, raise a `ValueError` with `path`
# and the two hashes in an f-string. Else `return data.decode()`.
#
# </details>

# %% [markdown]
# From here on, `text` is the real book where you have it (`ol data` in a terminal fetches it), and
# the course's own twelve stories where you do not. The rest of the chapter works on either.

# %%
real = books.real()
if real:
    title, text = "The Adventures of Sherlock Holmes", load_corpus(real)
else:
    title, text = "Twelve Stories from Saltmere", load_corpus(path, provenance["corpus"]["sha256"])
print(f"{title}: {len(text)} characters, {len(text.encode())} bytes")

# %% [markdown]
# Which characters of the text are not ASCII, and how often does each occur?

# %%
strange = Counter(character for character in text if not character.isascii()).most_common()

plt.bar([character for character, _ in strange], [times for _, times in strange], color="0.5")
plt.yscale("log")
plt.xticks(fontsize=14)
plt.xlabel("character")
plt.ylabel("times (log scale)")
plt.title(title)
plt.show()

# %% [markdown]
# Quotation marks and apostrophes lead. Both books are set with curly quotes throughout, and
# there is not one straight quote of either kind:

# %%
text.count("'"), text.count('"'), text.count("’")

# %% [markdown]
# Remember that. In the next section a pattern with the straight apostrophe would lose a story, and
# in the next chapter GPT-2's rule for *don't* and *I'm* will never fire.

# %% [markdown]
# ## Twelve stories
#
# A book of stories has its document boundaries built in. A heading is a line of its own, such as
# `IX. THE ADVENTURE OF THE ENGINEER’S THUMB`: a Roman numeral, a period, one space, and capitals.
# The class of letters allows for blanks, hyphens and **both** apostrophes.

# %% given="stories"
NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
STORY_RE = re.compile(rf"^({'|'.join(NUMERALS)})\. [A-Z][A-Z’' -]+$", re.M)

# %% [markdown]
# With `re.M`, `^` and `$` match at the ends of each line. The contents list names the same stories,
# but its lines are indented, and so `^` skips them. Which of these four lines are headings?

# %%
four = """\
   I.     The Map That Lied
I. THE MAP THAT LIED
IX. THE BAKER’S THUMB
I. So it began.
"""
[match[0] for match in STORY_RE.finditer(four)]

# %% [markdown]
# A story runs from its heading to the next one, and the last to the end of the text. What comes
# before the first heading (title and contents) is the *front matter*; it is dropped. Front matter
# and stories together are the text again, with nothing lost and nothing twice.

# %% [markdown]
# By hand: let the front matter be `Twelve`, a newline and another: 8 characters. Let each story be
# its numeral, then `. TINY`, a newline, `Hi.` and a newline: 11 characters besides the numeral. So
# the first story is **12** characters long and begins at 8. The twelve numerals have 26 letters,
# so the stories have 26 + 12 * 11 = **158** characters, and the text has 166.

# %% [markdown]
# Write `split_stories`. It returns the twelve stories as a list of strings, in order. Unless the
# headings are I, II, ... XII, each once and in this order, it raises a `ValueError`. The message
# names the first numeral that is wanted and not there, or, after a right XII, the one too many.

# %% solve="split_stories"
def split_stories(text: str) -> list[str]:
    """The twelve stories of a book, each from its heading to the next; front matter is dropped.

    By hand: 8 characters of front matter, then 26 letters of numerals and 12 * 11 other characters
    make twelve stories of 158 characters together, the first of them 12 long.

    Raises:
        ValueError: the headings are not I to XII in order; the message names the first that is not.
    """
    # TODO (ch01_corpus): find the headings, make sure they are the right ones, cut at their starts.
    # HINT: STORY_RE has a method finditer; match[1] is the numeral, match.start() the place.
    ### BEGIN SOLUTION
    headings = list(STORY_RE.finditer(text))
    for wanted, found in zip_longest(NUMERALS, (heading[1] for heading in headings)):
        if found != wanted:
            raise ValueError(f"story {wanted or found} is missing, out of place, or one too many")
    starts = [heading.start() for heading in headings]
    return [text[a:b] for a, b in pairwise([*starts, len(text)])]
    ### END SOLUTION


# %% example="split_stories"
tiny = "Twelve\n\n" + "".join(f"{numeral}. TINY\nHi.\n" for numeral in NUMERALS)
assert len(tiny) == 166
assert split_stories(tiny)[0] == "I. TINY\nHi.\n"
assert sum(len(story) for story in split_stories(tiny)) == 158

# %% check="split_stories" points=14
check("split_stories")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("split_stories")
### END HIDDEN TESTS

# %% [markdown] hints="split_stories"
# <details><summary>Hint 1: where to begin</summary>
#
# Make a list of all matches of STORY_RE. Their numerals tell whether the book is in order, their
# places tell where to cut.
#
# </details>
#
# <details><summary>Hint 2: the last story</summary>
#
# Twelve starts make eleven gaps. The end of each story is the start of the next, and the end of the
# last is `len(text)`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `zip_longest(NUMERALS, numerals)` pairs what is wanted with what was found, and puts None where
# one side has run out. Raise at the first pair that is not equal. Then take `text[a:b]` for every
# pair of neighbours `a, b` in `[*starts, len(text)]`; `pairwise` gives them.
#
# </details>

# %% [markdown]
# Front matter and stories make the text again, to the byte:

# %%
stories = split_stories(text)
front = text[: text.index(stories[0])]
print(len(front.encode()), "bytes of front matter")
print("the text again:", front + "".join(stories) == text)

# %% [markdown]
# Where do the twelve stories begin, and how long is each?

# %%
sizes = [len(story.encode()) for story in stories]
starts = [len(front.encode()) + sum(sizes[:n]) for n in range(12)]

figure, axes = plt.subplots(figsize=(8, 3.8))
axes.barh(range(12), sizes, left=starts, color=["0.75"] * 10 + ["0.5", "0.2"], edgecolor="black")
axes.set_yticks(range(12), [story.split(".")[0] for story in stories])
axes.invert_yaxis()
axes.xaxis.set_major_formatter("{x:,.0f}")
axes.set(xlabel="byte of the text", ylabel="story", title=title)
plt.show()

# %% [markdown]
# Each bar begins where the one above it ends. No story dwarfs the others, so a split by whole
# stories can come out in sensible proportions. The two dark ones are set apart next.

# %% [markdown]
# ## Three splits
#
# | split | stories | what it is for |
# |---|---|---|
# | train | I to X | whatever is *learned*, tokenizer and weights, is learned from it |
# | val | XI | choosing: when to stop, which of two models to keep |
# | test | XII | judging, **once**, at the very end |

# %% [markdown]
# In train, a separator stands *between* two stories: `<|endoftext|>`, as for GPT-2. It tells the
# model that what follows has nothing to do with what came before. Ten stories need nine of them.

# %% given="separator"
EOT = "<|endoftext|>"

# %% [markdown]
# By hand: let the twelve stories be the letters a to l. Then train is `a<|endoftext|>b...` up to
# `j`: ten letters and nine separators of 13 characters, so 10 + 9 * 13 = **127** characters. Val is
# `k` and test is `l`.

# %% [markdown]
# Write `make_splits`. It takes the list of stories and returns a dict with the keys `"train"`,
# `"val"` and `"test"`, in this order. It raises a `ValueError`
#
# - if there are not twelve stories, and says how many there are;
# - if a story itself contains the separator, and says which, by its numeral: once they are joined,
#   nobody could tell it from a boundary.

# %% solve="make_splits"
def make_splits(stories: list[str]) -> dict[str, str]:
    """Train, val and test: stories I to X joined by the separator, story XI, and story XII.

    By hand: of twelve letters, train is ten letters and nine separators, 10 + 9 * 13 = 127.

    Raises:
        ValueError: there are not twelve stories, or one of them contains the separator.
    """
    # TODO (ch01_corpus): check the stories, join ten of them, and name the three parts.
    # HINT: str.join puts its string between the others, and nowhere else.
    ### BEGIN SOLUTION
    if len(stories) != 12:
        raise ValueError(f"twelve stories are wanted, not {len(stories)}")
    for numeral, story in zip(NUMERALS, stories, strict=True):
        if EOT in story:
            raise ValueError(f"story {numeral} contains the separator {EOT}")
    return {"train": EOT.join(stories[:10]), "val": stories[10], "test": stories[11]}
    ### END SOLUTION


# %% example="make_splits"
letters = make_splits(list("abcdefghijkl"))
assert letters["train"].startswith("a<|endoftext|>b")
assert len(letters["train"]) == 10 + 9 * 13
assert (letters["val"], letters["test"]) == ("k", "l")

# %% check="make_splits" points=10
check("make_splits")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("make_splits")
### END HIDDEN TESTS

# %% [markdown] hints="make_splits"
# <details><summary>Hint 1: where to begin</summary>
#
# The first ten stories of a list, the eleventh and the twelfth: which slice and which indices?
#
# </details>
#
# <details><summary>Hint 2: between, not after</summary>
#
# Adding the separator after every story makes ten of them, and the last would promise a story that
# never comes. `EOT.join(...)` makes nine.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Check `len(stories)`, then look for `EOT` in each story with its numeral from `zip(NUMERALS,
# stories)`. Return `{"train": EOT.join(stories[:10]), ...}` with `stories[10]` and `stories[11]`.
#
# </details>

# %% [markdown]
# How many bytes has each split?

# %%
splits = make_splits(stories)
split_bytes = {name: len(part.encode()) for name, part in splits.items()}

bars = plt.bar(split_bytes.keys(), split_bytes.values(), color=["0.75", "0.5", "0.2"])
plt.bar_label(bars, [f"{size:,}" for size in split_bytes.values()])
plt.margins(y=0.15)
plt.ylabel("bytes")
plt.title(title)
plt.show()

# %% [markdown]
# About four bytes in five are there to learn from. One story is a small exam, so its result will be
# noisy; on a book of twelve stories that is the price of keeping it honest.

# %% [markdown]
# ## What a careless split gives away
#
# Why whole stories? It is less work to cut a piece out of the middle and call it val. Look at the
# place of such a cut, with train on its left and val on its right:

# %%
cut = text.index(stories[4]) + len(stories[4]) // 2
text[cut - 60 : cut], text[cut : cut + 60]

# %% [markdown]
# The sentence begins in train and ends in val, in the same room and with the same people. A model
# that has learned the scene by heart does well on its other half, and is praised for what it
# remembers. Of all names in each val (words with a capital inside a sentence), how many has its
# train named already?

# %%
def named(part):
    """Words that have a capital and do not begin a sentence."""
    return re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}", part)


def known(train, val):
    """The share of the names in `val` that `train` has too."""
    there = set(named(train))
    return sum(name in there for name in named(val)) / len(named(val))


size = len(splits["val"])
outside = text[:cut] + text[cut + size :]
print(f"cut out of the middle: {known(outside, text[cut : cut + size]):.0%}")
print(f"story XI, held out:    {known(splits['train'], splits['val']):.0%}")

# %% [markdown]
# The rule that follows costs nothing: **everything that is learned sees train only.** That goes for
# the tokenizer of the next chapter too, which is learned as much as any weight.

# %% [markdown]
# ## The real book
#
# Why *The Adventures of Sherlock Holmes*? It was published in 1892, and Arthur Conan Doyle died in
# 1930, so it is in the public domain in the USA and wherever copyright ends 70 years after death.
# It is small enough to train on a laptop, it has twelve documents in it, and it is almost ASCII,
# but not quite. It will not make a *useful* model, only one in which every part can be seen moving.

# %% [markdown]
# These are its facts, and beside them what your functions make of it, if it is there:

# %%
facts = {"text": 575_804, "front matter": 555, "train": 468_848, "val": 52_164, "test": 54_354}
if real:
    yours = {"text": len(text.encode()), "front matter": len(front.encode()), **split_bytes}
    for name, size in facts.items():
        print(f"{name:14}{size:10,} bytes{yours[name]:10,}")
else:
    print("not here: run 'ol data' in a terminal, then this notebook again")

# %% [markdown]
# Two hashes more, to recognise it by: the text's is `CORPUS_SHA256`, and train's is
# `e6e9e3dda8fdf4ee3beed15f16d27e1b9b3a1d9661d63ed3b5b3d35876ac437e`.

# %%
digest(splits["train"].encode())

# %% [markdown]
# ## What goes wrong
#
# Slips that are easily made, what they look like, and the hidden test that notices each
# (`ol tests ch01` lists them all):
#
# | slip | what you would see | caught by |
# |---|---|---|
# | bare CR accepted | two lines run into one somewhere | `test_bare_return_is_refused` |
# | CRLF kept | every line is a byte too long | `test_line_ends_become_newlines` |
# | broken UTF-8 replaced | � in the text, for ever | `test_broken_utf8_is_refused` |
# | BOM kept | a START marker on the first line is not found | `test_bom_before_the_marker` |
# | lines split at form feeds | lines end where they should not | `test_only_newlines_end_lines` |
# | marker found by line number | a longer header is taken for a story | `test_longer_header` |
# | doubled marker accepted | half a licence between the stories | `test_each_marker_stands_once` |
# | final newline missing or doubled | one byte off, and another hash | `test_final_newline` |
# | name left in the text | the trademark in a training text | `test_name_left_is_refused` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | characters counted for bytes | sizes too small where quotes are curly | `test_sizes_are_bytes` |
# | other download overwrites | yesterday's text is gone | `test_other_download_is_refused` |
# | `force` ignored | no way to take a new download on purpose | `test_force_writes` |
# | hash not verified | a changed corpus loads as if nothing were | `test_another_text_is_refused` |
# | hash of translated lines | a corpus with CRLF loads all the same | `test_bytes_are_hashed` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | straight apostrophe only | IX vanishes into VIII | `test_curly_apostrophe` |
# | contents lines matched | stories of one line each | `test_contents_are_no_headings` |
# | last story cut short | XII lacks its end | `test_last_story_is_whole` |
# | front matter kept | story I begins with the contents | `test_front_matter_is_dropped` |
# | headings not checked | a book that lacks a story goes through | `test_headings_in_order` |
# | separator after each story | ten in train in place of nine | `test_separator_stands_between` |
# | val from a random offset | val begins within a sentence | `test_val_and_test_are_stories` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# take the `+ 1` out of your `prepare` (or whatever skips the START line there), see it fail, and
# mend it. Which slips of the tables above would it miss?

# %%
def test_nothing_but_the_book():
    """Neither marker line belongs to the text."""
    assert "***" not in prepare(small)


test_nothing_but_the_book()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the tables above. Notice every slip of the tables, and four
# bugs in five altogether. A test that fails on right code in another form is refused, so test what
# this chapter promises and nothing else.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome, and
# `tmp_path` is a folder of your own. Reach the functions through `corpus`: in this notebook that is
# what the cells above define. Tests are tried alone, so import or define in their cell what else
# they use. Small texts that you can check with your eyes are the best.

# %% tests="own_tests"
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import corpus


def test_small_ebook_by_hand():
    # TODO (ch01_corpus): replace this by a test, and add one for each slip that you can think of.
    # HINT: a bare \r, a BOM before the marker, two END lines, a lone heading, an edited file...
    ### BEGIN SOLUTION
    assert corpus.prepare(ebook("Hi.\r\n\r\n")) == "Hi.\n\n"


BEGINS, ENDS = f"{corpus.START} TEST ***", f"{corpus.END} TEST ***"


def ebook(body, header="About\r\n", end="\r\n"):
    """An e-book as bytes."""
    return f"{header}{BEGINS}\r\n{body}{ENDS}{end}".encode()


def book(numerals=corpus.NUMERALS, name="THE FOX’S DEN"):
    """A text and its stories; IX is ``name``, and story bodies hold what looks like a heading."""
    front = "Contents\n\n" + "".join(f"   {n}.  The Tale\n" for n in corpus.NUMERALS)
    stories = [
        f"{n}. {name if n == 'IX' else 'A TALE-TELLER'}\n\nI. “Hi,” said {n}.\nII.\n\n"
        for n in numerals
    ]
    return front, stories


QUOTED = f" {BEGINS}\n\t{ENDS}\n“{BEGINS}”\n\x0c{ENDS}\n"


@pytest.mark.parametrize("header", ["", "\ufeff", "\ufeffAbout\r\n", "About\n" * 40, QUOTED])
def test_the_book_is_what_lies_between(header):
    """Whatever is before and after; inner blanks, form feeds and BOMs stay, CRLF becomes LF."""
    body = "\r\n  “a”\u2028b\x0cc\x85\ufeff \r\n\n*** START OF THE RACE\r\n*** END OF THE DAY\r\n"
    raw = ebook(body, header)

    assert corpus.prepare(raw) == body.replace("\r\n", "\n")
    assert corpus.prepare(raw.replace(b"\r\n", b"\n")) == body.replace("\r\n", "\n")
    assert corpus.prepare(raw.replace(b" TEST ***", b"")) == body.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xef\xbb\xbfab\r\ncd\ref", "9"),
        (ebook("a\r\r\n"), str(len(ebook("", end="")) - len(ENDS) + 1)),
        (ebook("a\r\n", end="\r"), str(len(ebook("a\r\n", end="")))),
    ],
)
def test_a_bare_return_is_refused(raw, said):
    """With its offset in bytes, wherever it is."""
    with pytest.raises(ValueError, match=rf"\b{said}\b"):
        corpus.prepare(raw)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (f"a\n{ENDS}\n", {"START"}),
        (f"{BEGINS}\na\n", {"END"}),
        (f"{BEGINS}\n{BEGINS}\na\n{ENDS}\n", {"START"}),
        (f"{BEGINS}\na\n{ENDS}\n{ENDS}\n", {"END"}),
        (f"{ENDS}\na\n{BEGINS}\n", {"START", "END"}),
    ],
)
def test_the_marker_at_fault_is_named(raw, said):
    """Missing, doubled and reversed."""
    with pytest.raises(ValueError, match=r"START|END") as caught:
        corpus.prepare(raw.encode())

    assert {word for word in ("START", "END") if word in str(caught.value)} == said


@pytest.mark.parametrize("name", ["PROJECT GUTENBERG", "Project Gutenberg"])
def test_the_name_is_refused(name):
    """Between the markers; half of it is fine there, and all of it outside."""
    with pytest.raises(ValueError, match=r"(?i)project gutenberg"):
        corpus.prepare(ebook(f"the {name} eBook\r\n"))

    assert corpus.prepare(ebook("a Gutenberg\r\n", f"{name}\r\n")) == "a Gutenberg\n"


@pytest.mark.parametrize("broken", [b"\xe2\x80", b"\xff", b"\xed\xa0\x80"])
def test_broken_utf8_is_refused(broken):
    """Strictly."""
    with pytest.raises(UnicodeDecodeError):
        corpus.prepare(ebook("a\r\n").replace(b"a", broken))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "fox.txt"


def both(path):
    beside = path.with_name("fox_provenance.json")
    return [each.read_bytes() if each.exists() else None for each in (path, beside)]


def test_two_files_are_written(path):
    """The text as UTF-8, its provenance beside it, and nothing else in the folder."""
    text, raw = "“Hi”\n\x0c\n", b"raw \xff"
    returned = corpus.write_corpus(text, raw, path)

    ask = corpus.QUESTIONS
    wanted = {
        name: {"question": ask[name], "bytes": len(data), "sha256": corpus.digest(data)}
        for name, data in (("retrieval", raw), ("corpus", text.encode()))
    }
    assert returned == wanted
    written, provenance = both(path)
    assert (written, json.loads(provenance)) == (text.encode(), wanted)
    assert len(list(path.parent.iterdir())) == 2


@pytest.mark.parametrize("lost", ["", "fox.txt", "fox_provenance.json"])
def test_another_download_needs_force(path, lost):
    """Nothing changes without it, even if one of the two files is gone, and all does with it."""
    corpus.write_corpus("old\n", b"old raw", path)
    if lost:
        path.with_name(lost).unlink()
    before = both(path)
    with pytest.raises(FileExistsError, match=corpus.digest(b"new raw")) as caught:
        corpus.write_corpus("new\n", b"new raw", path)

    assert (corpus.digest(b"old raw") in str(caught.value)) == (lost != "fox_provenance.json")
    assert both(path) == before
    corpus.write_corpus("new\n", b"new raw", path, force=True)
    assert both(path)[0] == b"new\n"


def test_the_same_download_may_come_again(path):
    """It mends a damaged corpus; a text that cannot be encoded touches nothing."""
    corpus.write_corpus("old\n", b"raw", path)
    whole = both(path)
    path.write_bytes(b"damaged")
    with pytest.raises(UnicodeEncodeError):
        corpus.write_corpus("\ud800", b"raw", path)
    assert both(path) == [b"damaged", whole[1]]

    corpus.write_corpus("old\n", b"raw", path)
    assert both(path) == whole


@pytest.mark.parametrize("data", [b"a\r\nb\xe2\x80\x99\n", b"\xef\xbb\xbfa\n", b""])
def test_a_corpus_loads_with_its_hash_only(path, data):
    """The text is that of the bytes; any other hash is refused, and so is the real book's."""
    path.write_bytes(data)
    assert corpus.load_corpus(path, corpus.digest(data)) == data.decode()

    path.write_bytes(data + b"\r\n")
    for wanted in (corpus.digest(data), corpus.digest(data + b"\n"), corpus.CORPUS_SHA256):
        with pytest.raises(ValueError, match=wanted) as caught:
            corpus.load_corpus(path, *([wanted] if wanted != corpus.CORPUS_SHA256 else []))
        assert corpus.digest(data + b"\r\n") in str(caught.value)
        assert path.name in str(caught.value)


@pytest.mark.parametrize("name", ["THE FOX’S DEN", "THE FOX'S DEN", "DEN"])
def test_stories_and_front_matter_are_the_text(name):
    """Twelve of them, each as it stands."""
    front, stories = book(name=name)

    assert corpus.split_stories(front + "".join(stories)) == stories
    assert corpus.split_stories(("".join(stories)).rstrip("\n"))[11] == stories[11].rstrip("\n")


@pytest.mark.parametrize(
    ("numerals", "said"),
    [
        ([], "I"),
        (corpus.NUMERALS[:11], "XII"),
        ([n for n in corpus.NUMERALS if n != "IX"], "IX"),
        (["II", "I", *corpus.NUMERALS[2:]], "I"),
        ([*corpus.NUMERALS, "V"], "V"),
    ],
)
def test_headings_are_i_to_xii(numerals, said):
    """Missing, swapped and surplus ones are named."""
    front, stories = book(numerals)
    with pytest.raises(ValueError, match=rf"\b{said}\b"):
        corpus.split_stories(front + "".join(stories))


@given(st.lists(st.text(max_size=5), min_size=12, max_size=12))
@settings(max_examples=20, deadline=None)
def test_splits_hold_the_stories(stories):
    """Ten with nine separators between them, then one, then one."""
    splits = corpus.make_splits(stories)

    assert list(splits) == ["train", "val", "test"]
    assert splits["train"].split(corpus.EOT) == stories[:10]
    assert (splits["val"], splits["test"]) == (stories[10], stories[11])


@pytest.mark.parametrize("n", [0, 11, 13])
def test_twelve_stories_are_wanted(n):
    """Any other number is named."""
    with pytest.raises(ValueError, match=str(n)):
        corpus.make_splits(["a"] * n)


@pytest.mark.parametrize("place", [0, 8, 9, 10, 11])
def test_a_separator_in_a_story_is_refused(place):
    """By the story's numeral, in each of the splits."""
    stories = ["a"] * 12
    stories[place] = f"b{corpus.EOT}c"
    with pytest.raises(ValueError, match=rf"\b{corpus.NUMERALS[place]}\b"):
        corpus.make_splits(stories)
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# ## Where it is used next
#
# - Chapter 2 learns merges from `train`, story by story: `EOT` is where it stops and starts again.
# - Chapter 3 writes the SHA-256 of `train` into the tokenizer's file, so that the two are never
#   parted.
# - Chapter 12 trains on `train`, stops by `val`, and opens `test` once.
