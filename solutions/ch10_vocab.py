# ---
# jupyter:
#   course:
#     title: "Ids back to text"
#     module: vocab
#     aliases: [A0.2]
#     needs: []
#     packages: [numpy]
#     minutes: 75
#     difficulty: 2
#     importance: 3
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Ids back to text
#
# **75 minutes | difficulty 2 of 5 | importance 3 of 5 | needs no other chapter**
#
# A model writes ids. To read what it has written, you need a table from each id to its bytes. In
# this chapter you write that table into the file that `llm.c` reads, read it back without trusting
# it, and put its tokens on a screen that not every byte is good for.

# %% [markdown]
# Why bother? A tokenizer can do much more than this, but a program that only *generates* needs none
# of it: no merges, no patterns, no Unicode. One flat file of 372 KB holds all of GPT-2's tokens,
# and thirty lines read it in any language. If it is one byte off, every word after that is wrong.

# %% [markdown]
# ## What you will build
#
# | part | function | points |
# |---|---|---|
# | [The file](#The-file) | `write_vocab` | 22 |
# | [Reading without trust](#Reading-without-trust) | `parse_vocab` | 26 |
# | [A tokenizer that may be missing](#A-tokenizer-that-may-be-missing) | `Tokenizer` | 18 |
# | [What a screen can bear](#What-a-screen-can-bear) | `safe_print` | 14 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |
#
# After that you write GPT-2's vocabulary and look at what is in it.

# %%
import bz2
import tempfile
from collections import Counter

import matplotlib.pyplot as plt

from autograder.course import root
from autograder.learn import check, check_tests

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# ## The file
#
# A token is a string of bytes, any bytes: half a character, a newline, a zero. So no sign is left
# over that could separate one token from the next, and each is written after its **length**, which
# is one byte. Before the first token comes a header of 256 words, each an unsigned integer of 32
# bits with the smallest byte first (*little-endian*).

# %% [markdown]
# | word of the header | meaning |
# |---|---|
# | 0 | 20240328, the *magic number* that tells this kind of file from all others |
# | 1 | version, 1 or 2 |
# | 2 | how many tokens there are |
# | 3 | version 2: the id of the token that ends a text (*eot*); version 1: 0 |
# | 4 to 255 | 0 |
#
# Version 1 was made for GPT-2 alone and forgot to write down the eot. So whoever reads it has to
# know: there are 50257 tokens, and the eot is 50256.

# %% given="names"
import codecs
import struct
import sys
from pathlib import Path

import numpy as np

MAGIC = 20240328
HEADER_WORDS = 256  # of 32 bits, so 1024 bytes
LONGEST = 255  # bytes of a token: its length is one byte
V1_TOKENS = 50257  # the only size that version 1 may have
V1_EOT = 50256  # and what ends a text there


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears under its name only when it is whole."""
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_bytes(data)
    unfinished.replace(path)


# %% [markdown]
# NumPy calls such a word `"<u4"`: little-endian, unsigned, four bytes. Four of them in a row:

# %%
np.array([MAGIC, 2, 3, 2], dtype="<u4").tobytes().hex(" ")

# %% [markdown]
# By hand, for the three tokens `a`, `bc` and `<|end|>`, the last of which ends a text: the header
# begins as you have just seen, goes on with zeros, and is 1024 bytes long. Then come
#
# | id | length | bytes | in the file |
# |---|---|---|---|
# | 0 | 1 | `a` | 01 61 |
# | 1 | 2 | `bc` | 02 62 63 |
# | 2 | 7 | <code>&lt;&#124;end&#124;&gt;</code> | 07 3c 7c 65 6e 64 7c 3e |
#
# That is 2 + 3 + 8 = 13 bytes, so the file has **1037**.

# %% [markdown]
# Write `write_vocab`. `tokens` is a list with the bytes of each id, `eot_token` the id that ends a
# text. The file at `path`, a `Path`, is written by `write_whole`; the function returns nothing.
# What does not fit the format raises a `ValueError`, and then no file is touched:
#
# - a version other than 1 and 2: the message names the version;
# - a token of no bytes, or of more than 255: the message names its id;
# - an `eot_token` that is not the id of any token (so there is at least one token): the message
#   names it;
# - version 1 with any other number of tokens than 50257, or another eot than 50256.

# %% solve="write_vocab"
def write_vocab(path: Path, tokens: list[bytes], eot_token: int, version: int = 2) -> None:
    """Write a vocabulary file: header, then each token's length and bytes.

    By hand: the tokens a, bc and <|end|> are 01 61, 02 62 63 and 07 3c 7c 65 6e 64 7c 3e after a
    header of 1024 bytes, 1037 in all.

    Raises:
        ValueError: the format has no such version, length of a token, eot, or version 1 of it.
    """
    # TODO (ch10_vocab): check everything, make the header, put lengths before tokens, write.
    # HINT: np.zeros(HEADER_WORDS, dtype="<u4") is an empty header, bytes([length]) one byte.
    ### BEGIN SOLUTION
    if version not in (1, 2):
        raise ValueError(f"there is no version {version}, only 1 and 2")
    if version == 1 and (len(tokens), eot_token) != (V1_TOKENS, V1_EOT):
        raise ValueError(f"version 1 has {V1_TOKENS} tokens and eot {V1_EOT}, no others")
    if not 0 <= eot_token < len(tokens):
        raise ValueError(f"eot {eot_token} is none of {len(tokens)} ids")
    for token_id, token in enumerate(tokens):
        if not 1 <= len(token) <= LONGEST:
            raise ValueError(f"token {token_id} has {len(token)} bytes, not 1 to {LONGEST}")
    header = np.zeros(HEADER_WORDS, dtype="<u4")
    header[:4] = MAGIC, version, len(tokens), eot_token if version == 2 else 0
    body = b"".join(bytes([len(token)]) + token for token in tokens)
    write_whole(path, header.tobytes() + body)
    ### END SOLUTION


# %% [markdown]
# Files of this notebook go into a folder that is gone when its kernel stops:

# %%
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)

# %% example="write_vocab"
write_vocab(folder / "small.bin", [b"a", b"bc", b"<|end|>"], 2)
small = (folder / "small.bin").read_bytes()
assert len(small) == 1037
assert small[:16] == bytes.fromhex("c8d73401 02000000 03000000 02000000")
assert small[1024:] == b"\x01a\x02bc\x07<|end|>"

# %% check="write_vocab" points=22
check("write_vocab")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_vocab")
### END HIDDEN TESTS

# %% [markdown] hints="write_vocab"
# <details><summary>Hint 1: where to begin</summary>
#
# All checks first: nothing may be written if one of them fails. Then make the header and the rest
# in memory, and write both with one call.
#
# </details>
#
# <details><summary>Hint 2: the two versions</summary>
#
# They differ in three places: word 1, word 3, and what is allowed. For version 1, compare
# `(len(tokens), eot_token)` with `(V1_TOKENS, V1_EOT)`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `header = np.zeros(HEADER_WORDS, dtype="<u4")`, then `header[:4] = MAGIC, version, len(tokens),`
# and the eot for version 2, else 0. The body is `b"".join(bytes([len(token)]) + token for token in
# tokens)`. At the end `write_whole(path, header.tobytes() + body)`.
#
# </details>

# %% [markdown]
# ## Reading without trust
#
# A download may be cut short, a file may be of another kind, a length may be damaged. In this
# format one wrong length shifts all that follows: the reader takes letters for lengths and lengths
# for letters, and would hand you 50,000 tokens of nonsense. Look what `small` turns into if the
# length of `bc` were 3:

# %%
damaged, place = small[:1026] + b"\x03" + small[1027:], 1024
while place < len(damaged):
    length = damaged[place]
    print(length, damaged[place + 1 : place + 1 + length])
    place += 1 + length

# %% [markdown]
# Still three tokens, but two of them are wrong. There are three signs of it, which a reader that
# only counts never sees: the second token has swallowed the third one's length; the third wants 60
# bytes and the file has 6 left; and 60 is no length that anybody would have written. So a careful
# reader checks that each token is whole, and that the file ends exactly where the last one does.

# %% [markdown]
# The module `struct` reads several numbers at once; `"<4I"` are four of the header's words:

# %%
struct.unpack_from("<4I", small)

# %% [markdown]
# Write `parse_vocab`. It takes all bytes of a file and returns two things: the list of its tokens
# and the eot. By hand, `small` gives back `[b"a", b"bc", b"<|end|>"]` and 2.
#
# For version 1 the eot is 50256, whatever word 3 holds. Words 4 to 255 are not looked at: a later
# writer may put something there. A `ValueError` is raised for
#
# - fewer bytes than a header has, or another magic number;
# - a version other than 1 and 2, or version 1 without exactly 50257 tokens: the message names the
#   version, or the number of tokens;
# - an eot that is not the id of a token: the message names it;
# - a token of no bytes, or one that the file ends in or before: the message names its id;
# - bytes after the last token: the message says how many.

# %% [markdown]
# And take nothing from the header that the file does not bear out. A damaged one may announce four
# billion tokens: reserve no space for them, and the file's end will tell soon enough.

# %% solve="parse_vocab"
def parse_vocab(data: bytes) -> tuple[list[bytes], int]:
    """The tokens of a vocabulary file, and the id of the one that ends a text.

    By hand: the 1037 bytes with 01 61, 02 62 63 and 07 3c 7c 65 6e 64 7c 3e after the header are
    the tokens a, bc and <|end|>, and the eot is 2.

    Raises:
        ValueError: it is no such file, it is damaged, or there is more in it than its tokens.
    """
    # TODO (ch10_vocab): read four words, check them, then one token after the other.
    # HINT: keep the place where the next length is; a slice beyond the end is short, no error.
    ### BEGIN SOLUTION
    place = 4 * HEADER_WORDS
    if len(data) < place:
        raise ValueError(f"{len(data)} bytes are too few for a header")
    magic, version, count, eot_token = struct.unpack_from("<4I", data)
    if magic != MAGIC:
        raise ValueError(f"magic number {magic} in place of {MAGIC}: no vocabulary file")
    if version not in (1, 2):
        raise ValueError(f"there is no version {version}, only 1 and 2")
    if version == 1:
        if count != V1_TOKENS:
            raise ValueError(f"version 1 with {count} tokens, not {V1_TOKENS}")
        eot_token = V1_EOT
    if eot_token >= count:
        raise ValueError(f"eot {eot_token} is none of {count} ids")
    tokens = []
    for token_id in range(count):
        length = int.from_bytes(data[place : place + 1], "little")
        token = data[place + 1 : place + 1 + length]
        if not token or len(token) < length:
            raise ValueError(f"token {token_id}, at byte {place}, is empty or cut short")
        tokens.append(token)
        place += 1 + length
    if place < len(data):
        raise ValueError(f"{len(data) - place} bytes too many after the last token")
    return tokens, eot_token
    ### END SOLUTION


# %% example="parse_vocab"
assert parse_vocab(small) == ([b"a", b"bc", b"<|end|>"], 2)

# %% check="parse_vocab" points=26
check("parse_vocab")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("parse_vocab")
### END HIDDEN TESTS

# %% [markdown] hints="parse_vocab"
# <details><summary>Hint 1: where to begin</summary>
#
# Is there a header at all? Then `struct.unpack_from("<4I", data)` gives its first four words as
# plain ints. Check them one by one before you look at a token.
#
# </details>
#
# <details><summary>Hint 2: the tokens</summary>
#
# `place` is where the next length is; at first that is 1024. A token is
# `data[place + 1 : place + 1 + length]`. If the file ends in it, the slice is shorter than
# `length`. And if the file ended before it, there is no `data[place]` at all: that must not become
# an `IndexError`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `int.from_bytes(data[place : place + 1], "little")` is 0 where the file has ended, and so an empty
# token and a missing one are one case: `if not token or len(token) < length`, raise. Else append it
# and set `place += 1 + length`. After the loop, `place` has to be `len(data)`.
#
# </details>

# %% [markdown]
# ## A tokenizer that may be missing
#
# A model can be trained without reading what it writes. So in `llm.c` a missing vocabulary is no
# reason to stop: the tokenizer notes that it has none, and answers every question with nothing. A
# *damaged* vocabulary is something else, and an error as before.

# %% [markdown]
# By hand, what a `Tokenizer` says:
#
# | | `init_ok` | `vocab_size` | `eot_token` | `decode(1)` | `decode(3)` |
# |---|---|---|---|---|---|
# | new | False | 0 | None | None | None |
# | after `init` with the small file | True | 3 | 2 | `b"bc"` | None |
# | after `init` with a file that is not there | False | 0 | None | None | None |
# | after `free` | False | 0 | None | None | None |

# %% [markdown]
# Write the class `Tokenizer`. It is made without arguments, has the three attributes above, and
#
# - `init(path)` reads the file. If it cannot be opened (it is missing, it is a folder, you may not
#   read it; Python says `OSError` to all of these) the tokenizer is as new, and nothing is raised.
#   For a damaged file a `ValueError` is raised that names the file, and the tokenizer is as new
#   too: nothing of an earlier `init` is left.
# - `decode(token_id)` returns the bytes of an id, or None for an id that it does not have. -1 is
#   not the last one.
# - `free()` lets go of the table. It may be called at any time, twice as well.

# %% solve="Tokenizer"
class Tokenizer:
    """A table from ids to bytes, which may be missing.

    By hand: after init with the file of a, bc and <|end|>, init_ok is true, eot_token is 2,
    decode(1) is b"bc" and decode(3) is None; after free, init_ok is false and decode(1) is None.
    """

    # TODO (ch10_vocab): a new one has nothing; init fills it, decode looks up, free empties it.
    # HINT: a new tokenizer is what free leaves behind, so __init__ can call it.

    def __init__(self) -> None:
        """A tokenizer without a table: init_ok is false, vocab_size 0, eot_token None."""
        ### BEGIN SOLUTION
        self.free()
        ### END SOLUTION

    def init(self, path: Path) -> None:
        """Read the table from a vocabulary file; without one that opens, have none.

        Raises:
            ValueError: the file is damaged, or of another kind; the message names it.
        """
        ### BEGIN SOLUTION
        self.free()
        try:
            data = path.read_bytes()
        except OSError:
            return
        try:
            self._tokens, self.eot_token = parse_vocab(data)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        self.init_ok, self.vocab_size = True, len(self._tokens)
        ### END SOLUTION

    def decode(self, token_id: int) -> bytes | None:
        """The bytes of an id; None if there is no such id, or no table."""
        ### BEGIN SOLUTION
        return self._tokens[token_id] if 0 <= token_id < self.vocab_size else None
        ### END SOLUTION

    def free(self) -> None:
        """Let go of the table and be as new."""
        ### BEGIN SOLUTION
        self.init_ok: bool = False
        self.vocab_size: int = 0
        self.eot_token: int | None = None
        self._tokens: list[bytes] = []
        ### END SOLUTION


# %% example="Tokenizer"
(folder / "copy.bin").write_bytes(small)
tokenizer = Tokenizer()
tokenizer.init(folder / "copy.bin")
assert (tokenizer.init_ok, tokenizer.vocab_size, tokenizer.eot_token) == (True, 3, 2)
assert (tokenizer.decode(1), tokenizer.decode(3)) == (b"bc", None)
tokenizer.init(folder / "missing.bin")
assert (tokenizer.init_ok, tokenizer.decode(1)) == (False, None)

# %% check="Tokenizer" points=18
check("Tokenizer")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("Tokenizer")
### END HIDDEN TESTS

# %% [markdown] hints="Tokenizer"
# <details><summary>Hint 1: where to begin</summary>
#
# Write `free` first: it sets all attributes to what a new tokenizer has. `__init__` calls it, and
# so does `init` before it does anything else.
#
# </details>
#
# <details><summary>Hint 2: two kinds of failure</summary>
#
# Only *reading* the file may fail in silence: `try: data = path.read_bytes()`, `except OSError:
# return`. What `parse_vocab` raises goes on to the caller, with the file's name in front. Set
# `init_ok` last.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `try: self._tokens, self.eot_token = parse_vocab(data)`, `except ValueError as error: raise
# ValueError(f"{path}: {error}") from error`. And `decode` is one line: the token if `0 <= token_id
# < self.vocab_size`, else None.
#
# </details>

# %% [markdown]
# ## What a screen can bear
#
# Some bytes are orders and not text: 7 rings a bell, 8 goes a place back, 27 begins commands that
# can turn your whole terminal upside down. A model may write any of them, and an untrained one
# will. `llm.c` has a simple remedy: a token that is a **single byte** is shown only if C would call
# it printable or white space. Tokens of several bytes are words, mostly, and go out as they are.

# %% [markdown]
# | C says | bytes |
# |---|---|
# | `isprint` | 32 (space) to 126 (`~`) |
# | `isspace` | 9 to 13 (tab, newline, and three old ones), and 32 |
#
# That is C's view, in which no byte from 127 on is a letter. Python has a wider one, as its text is
# Unicode. How many of 256 characters does Python call printable or white space?

# %%
sum(chr(byte).isprintable() or chr(byte).isspace() for byte in range(256))

# %% [markdown]
# C allows 100. Here is where bytes go. A `Screen` passes them on to standard output, which in a
# terminal takes bytes; a notebook's takes only text, so there they are decoded first. A `Recorder`
# shows nothing and keeps everything: with it a test can see what was written.

# %% given="screen"
DECODER = codecs.getincrementaldecoder("utf-8")(errors="replace")


class Screen:
    """Standard output for bytes: as they are in a terminal, as text in a notebook."""

    def write(self, data: bytes) -> int:
        """Show some bytes. Returns how many."""
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(DECODER.decode(data))
        else:
            sys.stdout.flush()  # text that was printed before these bytes comes before them
            stream.write(data)
            stream.flush()
        return len(data)


class Recorder:
    """Takes bytes as a screen does, and keeps them all in `data`."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> int:
        """Keep some bytes. Returns how many."""
        self.data += data
        return len(data)


# %%
Screen().write("A café\n".encode())

# %% [markdown]
# By hand, five pieces, and what is written of each:
#
# | piece | written | returned |
# |---|---|---|
# | `a` | it | 1 |
# | newline | it, for it is white space | 1 |
# | byte 7, the bell | nothing | 0 |
# | byte 195, half of an é | nothing | 0 |
# | bytes 195 169, an é | both | 2 |

# %% [markdown]
# Write `safe_print`. It writes `piece` to `out`, with one call of its method `write`, or nothing,
# and returns how many bytes that were. Without an `out`, they go to a `Screen()`.
#
# - A piece of one byte is written only if it is one of C's hundred.
# - A longer piece is written as it is, whatever is in it.
# - Of `b""` and of None nothing is written: None is what `decode` gives for an id that does not
#   exist, so `safe_print(tokenizer.decode(token_id))` is always fine.

# %% solve="safe_print"
def safe_print(piece: bytes | None, out: Recorder | None = None) -> int:
    """Write the bytes of a token, unless it is a single byte that is no text. Returns how many.

    By hand: b"a" and b"\\n" are written and give 1, b"\\x07" and b"\\xc3" are not and give 0, and
    b"\\xc3\\xa9" is written and gives 2.

    `out` takes bytes by its method write; without it they go to standard output.
    """
    # TODO (ch10_vocab): decide, write, count.
    # HINT: indexing bytes gives an int; compare it with the two rows of C's table.
    ### BEGIN SOLUTION
    if not piece:
        return 0
    if len(piece) == 1 and not (32 <= piece[0] <= 126 or 9 <= piece[0] <= 13):
        return 0
    (Screen() if out is None else out).write(piece)
    return len(piece)
    ### END SOLUTION


# %% example="safe_print"
seen = Recorder()
assert [safe_print(each, seen) for each in (b"a", b"\n", b"\x07", b"\xc3")] == [1, 1, 0, 0]
assert safe_print(b"\xc3\xa9", seen) == 2
assert seen.data == b"a\n\xc3\xa9"

# %% check="safe_print" points=14
check("safe_print")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("safe_print")
### END HIDDEN TESTS

# %% [markdown] hints="safe_print"
# <details><summary>Hint 1: where to begin</summary>
#
# There are two cases in which nothing is written. Deal with them first, each with `return 0`.
#
# </details>
#
# <details><summary>Hint 2: C's view</summary>
#
# `chr(byte).isprintable()` says yes to é, and `chr(byte).isspace()` to byte 28. Both know more than
# C does. Compare numbers instead: 32 to 126, and 9 to 13.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `if not piece: return 0` takes care of None and of `b""`. Then `if len(piece) == 1 and not (32 <=
# piece[0] <= 126 or 9 <= piece[0] <= 13): return 0`. Else write to `out`, or to `Screen()` if `out`
# is None, and return `len(piece)`.
#
# </details>

# %% [markdown]
# Which of the 256 single bytes does your `safe_print` let through? Each square is a byte, sixteen
# in a row; dark ones are shown, white ones are not.

# %%
shown = np.array([safe_print(bytes([byte]), Recorder()) for byte in range(256)]).reshape(16, 16)
figure, axes = plt.subplots(figsize=(6, 4.4))
axes.imshow(shown, cmap="Greys", vmin=0, vmax=1.6)
for byte in range(33, 127):
    axes.text(byte % 16, byte // 16, chr(byte), color="white", ha="center", va="center")
axes.set(xlabel="last hexadecimal digit of the byte", ylabel="first digit")
digits = [f"{digit:x}" for digit in range(16)]
axes.set_xticks(range(16), digits)
axes.set_yticks(range(16), digits)
plt.show()
int(shown.sum())

# %% [markdown]
# The five in the first row are white space. The whole lower half is white: those bytes are parts of
# characters, and a part is no text.

# %% [markdown]
# ## GPT-2's vocabulary
#
# The course brings GPT-2's 50,000 merges (chapter 3 is about them). What they make, after the 256
# bytes and before the eot, is GPT-2's vocabulary:

# %%
packed = (root() / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes()
lines = bz2.decompress(packed).decode().splitlines()[1:]
printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
order = [*printable, *(byte for byte in range(256) if byte not in printable)]  # bytes, id by id
byte_of = {chr(byte) if n < 188 else chr(256 + n - 188): byte for n, byte in enumerate(order)}
merged = (line.replace(" ", "") for line in lines)
tokens = [bytes([byte]) for byte in order]
tokens += [bytes(byte_of[character] for character in token) for token in merged]
tokens.append(b"<|endoftext|>")

write_vocab(folder / "gpt2_tokenizer.bin", tokens, 50256)
(folder / "gpt2_tokenizer.bin").stat().st_size

# %% [markdown]
# Read it back, and let it say hello:

# %%
tokenizer.init(folder / "gpt2_tokenizer.bin")
print(tokenizer.init_ok, tokenizer.vocab_size, tokenizer.eot_token)
for token_id in (15496, 995, 0, 198):
    safe_print(tokenizer.decode(token_id))

# %% [markdown]
# How long are its tokens, and does one byte suffice for a length?

# %%
lengths = Counter(map(len, tokens))
plt.bar(lengths.keys(), lengths.values(), color="0.4", width=1)
plt.yscale("log")
plt.xlabel("bytes")
plt.ylabel("tokens (log scale)")
plt.show()
max(lengths), [token[:12] for token in tokens if len(token) > 60]

# %% [markdown]
# Nearly all are words of up to 16 bytes. The few long ones are rows of dashes, blanks, stars and
# the like, and broken bytes that some web page was full of. The longest has 128 bytes, so a length
# of one byte, which goes up to 255, is enough.

# %% [markdown]
# Now see what `safe_print` costs. The grinning face 😀 is four bytes and two GPT-2 tokens. The
# first is three bytes and is written. The second is the single byte 128, no text by itself:

# %%
pieces = [tokenizer.decode(token_id) for token_id in (47249, 222)]
print([safe_print(piece, Recorder()) for piece in pieces], pieces)
b"".join(pieces).decode()

# %% [markdown]
# So a face comes out as �. That is the price of looking at tokens one by one, and `llm.c` pays it,
# since a broken character is better than a broken terminal. Where text matters, join the bytes
# first and decode once, as chapter 3 does.

# %% [markdown]
# ## What goes wrong
#
# Slips that are easily made, what they look like, and the hidden test that notices each
# (`ol tests ch10` lists them all):
#
# | slip | what you would see | caught by |
# |---|---|---|
# | long tokens cut | words that stop short | `test_other_lengths_are_refused` |
# | eot written into version 1 | two files of one vocabulary differ | `test_version_1_has_no_eot` |
# | file written before the checks | half a file after an error | `test_old_file_survives` |
# | words with the largest byte first | no other program knows the file | `test_file_by_hand` |
# | length not counted in bytes read | tokens that begin with others' ends | `test_tokens_by_hand` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | trailing bytes accepted | a damaged file loads | `test_more_than_the_tokens` |
# | last token cut short accepted | a download that stopped early loads | `test_cut_files` |
# | zero length accepted | a token that prints as nothing | `test_empty_token` |
# | version 1 of any size accepted | texts never end | `test_other_sizes_of_version_1` |
# | eot of version 1 read from the file | texts that end at token 0 | `test_eot_of_version_1` |
# | memory reserved as the header says | a damaged file stops all | `test_more_tokens_announced` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | a missing file raises | training stops for want of a vocabulary | `test_missing_file` |
# | a damaged file taken for a missing one | no text, and nobody says why | `test_damaged_file` |
# | old table kept | ids decode with the wrong vocabulary | `test_missing_file_forgets` |
# | negative ids count from the end | -1 is the eot | `test_ids_out_of_range` |
# | Unicode's idea of text | � for half characters | `test_single_bytes` |
# | white space dropped | all text in one line | `test_single_bytes` |
# | filter on every byte | no word with an accent is shown | `test_longer_pieces` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# leave out the last check of your `parse_vocab`, see whether the test fails, and put the check
# back. What would the test have to do, to notice?

# %%
def test_small_file_comes_back():
    """What was written is what is read."""
    write_vocab(folder / "two.bin", [b"x", b"yz"], 1)
    assert parse_vocab((folder / "two.bin").read_bytes()) == ([b"x", b"yz"], 1)


test_small_file_comes_back()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the tables above. Notice every slip of the tables, and four
# bugs in five altogether. A test that fails on right code in another form is refused, so test what
# this chapter promises and nothing else.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome, and
# `tmp_path` is a folder of your own. Reach everything through `vocab`: in this notebook that is
# what the cells above define. Tests are tried alone, so import or define in their cell what else
# they use. A writer and a reader can be wrong together, so make some files with `struct` alone; and
# give `safe_print` a `vocab.Recorder()`, whose `data` tells what was written.

# %% tests="own_tests"
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import vocab


def test_by_hand(tmp_path):
    # TODO (ch10_vocab): replace this by a test, and add one for each slip that you can think of.
    # HINT: bytes on paper, a file cut at every place, both versions, a missing file, 256 bytes...
    ### BEGIN SOLUTION
    vocab.write_vocab(tmp_path / "v.bin", [b"a", b"bc", b"<|end|>"], 2)

    assert (tmp_path / "v.bin").read_bytes() == packed([b"a", b"bc", b"<|end|>"], 2)
    assert [path.name for path in tmp_path.iterdir()] == ["v.bin"]


GPT2 = [b"%d" % n for n in range(50257)]


def packed(tokens, eot, version=2, count=None, magic=20240328):
    """A file as the format says, by struct."""
    words = struct.pack("<4I", magic, version, len(tokens) if count is None else count, eot)
    return words + bytes(1008) + b"".join(bytes([len(token)]) + token for token in tokens)


def written(path, *args):
    vocab.write_vocab(path, *args)
    return path.read_bytes()


@given(st.lists(st.binary(min_size=1, max_size=9), min_size=1, max_size=6), st.data())
@settings(max_examples=30, deadline=None)
def test_read_back(tokens, data):
    """Any tokens, any eot."""
    eot = data.draw(st.integers(0, len(tokens) - 1))

    assert vocab.parse_vocab(packed(tokens, eot)) == (tokens, eot)


@pytest.mark.parametrize("size", [1, 127, 128, 255])
def test_lengths(tmp_path, size):
    """One byte holds every length up to 255."""
    tokens = [b"\xff" * size, b"\0", b"a\0"]

    assert written(tmp_path / "v.bin", tokens, 0) == packed(tokens, 0)
    assert vocab.parse_vocab(packed(tokens, 0)) == (tokens, 0)


@pytest.mark.parametrize(
    ("tokens", "eot", "version", "named"),
    [
        ([b"a", b""], 0, 2, "1"), ([b"a", b"x" * 256], 0, 2, "1"), ([b"a", b"b"], 2, 2, "2"),
        ([b"a"], -1, 2, "-1"), ([], 0, 2, "0"), ([b"a"], 0, 3, "3"), ([b"a"], 0, 0, "0"),
        ([b"a"], 0, 1, ""), (GPT2, 0, 1, ""), ([*GPT2, b"more"], 50256, 1, ""),
    ],
)
def test_refused_leaves_no_file(tmp_path, tokens, eot, version, named):
    """The message names what is wrong, and nothing is written."""
    with pytest.raises(ValueError, match=rf"(?<![\d-]){named}(?!\d)"):
        vocab.write_vocab(tmp_path / "v.bin", tokens, eot, version)
    assert list(tmp_path.iterdir()) == []


def test_version_1(tmp_path):
    """50257 tokens; the eot is not in the file."""
    assert written(tmp_path / "v.bin", GPT2, 50256, 1) == packed(GPT2, 0, 1)


@pytest.mark.parametrize(("word", "version", "eot"), [(99999, 1, 50256), (7, 2, 7)])
def test_eot_of_a_version(tmp_path, word, version, eot):
    """Version 1 has GPT-2's, whatever the file says; version 2 has the file's."""
    (tmp_path / "v.bin").write_bytes(packed(GPT2, word, version))
    tokenizer = vocab.Tokenizer()
    tokenizer.init(tmp_path / "v.bin")

    assert (tokenizer.vocab_size, tokenizer.eot_token) == (50257, eot)
    assert tokenizer.decode(50256) == b"50256"


def test_sizes_of_version_1():
    """No token less, and none more."""
    for tokens in (GPT2[:-1], [*GPT2, b"more"]):
        with pytest.raises(ValueError, match=str(len(tokens))):
            vocab.parse_vocab(packed(tokens, 50256, 1))


FILE = packed([b"a", b"bc", b"<|end|>"], 2)


@pytest.mark.parametrize("size", [0, 15, 16, 1023, *range(1024, len(FILE))])
def test_cut_anywhere(size):
    """A file that ends too early is refused."""
    with pytest.raises(ValueError, match=r"."):
        vocab.parse_vocab(FILE[:size])


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (FILE + b"\n", "1"), (FILE + b"\x01a", "2"), (packed([b"a", b"", b"b"], 2), "1"),
        (packed([b"a", b""], 0), "1"), (packed([b"a"], 1), "1"), (packed([], 0), "0"),
        (packed([b"a"], 0, 3), "3"), (packed([b"a"], 0, 0), "0"), (packed([b"a"], 0, 2, 2), "1"),
        (packed([b"a"], 0, magic=20240520), ""), (packed([b"a", b"b"], 2**31, 2), "2147483648"),
    ],
)
def test_damaged(data, named):
    """Whatever does not fit is refused, and the message says what."""
    with pytest.raises(ValueError, match=rf"(?<!\d){named}(?!\d)"):
        vocab.parse_vocab(data)


def test_huge_count():
    """The header is not believed."""
    with pytest.raises(ValueError, match="1"):
        vocab.parse_vocab(packed([b"a"], 0, 2, 2**32 - 1))


def test_rest_of_the_header():
    """Words 4 to 255 may hold anything."""
    data = FILE[:16] + b"\xff" * 1008 + FILE[1024:]

    assert vocab.parse_vocab(data)[0] == [b"a", b"bc", b"<|end|>"]


def says(tokenizer):
    """All that a tokenizer says."""
    about = tokenizer.init_ok, tokenizer.vocab_size, tokenizer.eot_token
    return about, [tokenizer.decode(token_id) for token_id in range(4)]


NOTHING = (False, 0, None), [None] * 4
SMALL = (True, 3, 2), [b"a", b"bc", b"<|end|>", None]


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.bin"
    path.write_bytes(FILE)
    return path


@pytest.fixture
def tokenizer(small):
    made = vocab.Tokenizer()
    made.init(small)
    return made


def test_tokenizer(tokenizer):
    """New, filled, freed twice, filled again."""
    assert says(vocab.Tokenizer()) == NOTHING
    assert says(tokenizer) == SMALL
    tokenizer.free()
    tokenizer.free()
    assert says(tokenizer) == NOTHING


def test_no_such_id(tokenizer):
    """-1 is not the last one."""
    assert [tokenizer.decode(token_id) for token_id in (-1, -3, 3, 2**40)] == [None] * 4


def test_missing_file(tokenizer, small):
    """A missing file, or a folder, is no error."""
    for path in (small.with_name("missing.bin"), small.parent):
        tokenizer.init(path)
        assert says(tokenizer) == NOTHING
        tokenizer.init(small)
        assert says(tokenizer) == SMALL


def test_damaged_file(tokenizer, small):
    """A damaged one is: it is named, and nothing is left of the table before."""
    small.write_bytes(FILE[:-1])
    with pytest.raises(ValueError, match=r"small\.bin"):
        tokenizer.init(small)
    assert says(tokenizer) == NOTHING


def test_second_init(tokenizer, small):
    """The newest table counts, and two tokenizers are apart."""
    other = vocab.Tokenizer()
    other.init(small)
    small.write_bytes(packed([b"z"], 0))
    other.init(small)

    assert says(other) == ((True, 1, 0), [b"z", None, None, None])
    assert says(tokenizer) == SMALL


TEXT = {*range(32, 127), *range(9, 14)}


def test_single_bytes():
    """C's hundred are written, no others."""
    for byte in range(256):
        out = vocab.Recorder()
        got = vocab.safe_print(bytes([byte]), out)

        assert (got, out.data) == ((1, bytes([byte])) if byte in TEXT else (0, b""))


@pytest.mark.parametrize("piece", [b"\xc3\xa9", b"\0\0", b"\x07a", b"a\x1b", b"\xff" * 9, b"ab"])
def test_longer_pieces(piece):
    """As they are."""
    out = vocab.Recorder()

    assert vocab.safe_print(b"<", out) == 1
    assert vocab.safe_print(piece, out) == len(piece)
    assert out.data == b"<" + piece


def test_nothing_to_print():
    """None and no bytes; and without out, it is still counted."""
    out = vocab.Recorder()

    assert [vocab.safe_print(each, out) for each in (None, b"")] == [0, 0]
    assert out.data == b""
    assert [vocab.safe_print(each) for each in (b"ab", b"\x07", b"c")] == [2, 0, 1]
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch10` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - Chapter 11 chooses the ids that this table turns into text.
# - Any tokenizer of chapter 3 can be written in this form: its `tokens` are the table, and its
#   `eot_id` is the eot. `llm.c` and its many translations read the file.
# - `ol grade A0` counts `safe_print` and the `Tokenizer` among its rows.
