# ---
# jupyter:
#   course:
#     title: "Multiple choice"
#     module: evalloader
#     aliases: [A0.3b]
#     needs: [ch08_dataloader]
#     packages: [numpy, pyarrow, regex]
#     minutes: 110
#     difficulty: 3
#     importance: 3
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Multiple choice
#
# **110 minutes | difficulty 3 of 5 | importance 3 of 5 | needs chapter 8**
#
# Can a model that only predicts the next token sit an exam? It can, if the exam is multiple choice:
# let it read the question with each of the answers, and see which answer surprises it least. In
# this chapter you build what serves such questions and counts the right answers, file and all, as
# `llm.c` does it for HellaSwag.

# %% [markdown]
# Why bother? A loss of 3.2 says little to anybody. "31 of 100 questions right, where guessing gives
# 25" does. But the count is easily wrong, and a wrong one looks just like a right one: a mask that
# sits one place too far, an average that should not be a sum, a question that was asked twice.

# %% [markdown]
# ## What you will build
#
# | part | functions | points |
# |---|---|---|
# | [An example in words](#An-example-in-words) | `pack_example` | 10 |
# | [The file](#The-file) | `write_evalfile` | 8 |
# | [Reading it back](#Reading-it-back) | `unpack_example`, `parse_evalfile` | 10 + 10 |
# | [Four rows](#Four-rows) | `render_example` | 14 |
# | [Who is right?](#Who-is-right?) | `count_correct` | 12 |
# | [Shares](#Shares) | `examples_of_rank` | 6 |
# | [The loader](#The-loader) | `EvalLoader` | 10 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |
#
# At the end a very small model takes an exam of twelve questions.

# %%
import json
import tempfile
from itertools import pairwise
from math import comb

import matplotlib.pyplot as plt

from autograder import books
from autograder.course import root
from autograder.learn import check, check_tests

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# ## An example in words
#
# An **example** is a context, four completions of it, and a label that says which one is right: 0,
# 1, 2 or 3. All of it is written as *words* of 16 bits, unsigned, so that ids and lengths can stand
# in one stream:
#
# | word | meaning |
# |---|---|
# | 0 | 65535: here begins an example; no id may be that |
# | 1 | how many **bytes** the example has in all, so that a reader can skip it |
# | 2 | its index: 0 for the first of the file |
# | 3 | its label |
# | 4 | how many completions it has, always 4 |
# | then | the length of the context, and its ids |
# | then | four times: the length of a completion, and its ids |

# %% given="names"
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from llmdata.dataloader import HEADER_BYTES  # 1024, as in a file of tokens

MAGIC = 20240522
START = 65535  # begins every example
COMPLETIONS = 4  # of every example
LARGEST = 65535  # what a word of 16 bits can hold


@dataclass(frozen=True)
class Example:
    """A question: ids of its context, ids of four completions, and which of them is right."""

    context: list[int]
    completions: list[list[int]]
    label: int


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears under its name only when it is whole."""
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_bytes(data)
    unfinished.replace(path)


# %% [markdown]
# This is the example for pencil and paper. Its context has two ids; of its four completions the
# third, number 2, is right:

# %%
small = Example([5, 6], [[7, 8], [9], [10, 11, 12], [13]], 2)
small

# %% [markdown]
# By hand, if it is the first of a file:
#
# | words | meaning |
# |---|---|
# | 65535, 38, 0, 2, 4 | start, bytes, index, label, completions |
# | 2, 5, 6 | the context |
# | 2, 7, 8 | completion 0 |
# | 1, 9 | completion 1 |
# | 3, 10, 11, 12 | completion 2 |
# | 1, 13 | completion 3 |
#
# These are 5 + 3 + 3 + 2 + 4 + 2 = 19 words of two bytes, and so the second word is **38**.

# %% [markdown]
# A word holds 0 to 65535, and what happens to a larger number depends on who you ask. Here 65537,
# as an array, has silently become 1. So look at every number before you make words of them.

# %%
np.array([65535, 65536, 65537]).astype(np.uint16)

# %% [markdown]
# Write `pack_example`. It returns the words of an example as an array of `np.uint16`. What cannot
# be written is a `ValueError` whose message names the `index`:
#
# - a label other than 0 to 3, or other than four completions;
# - a context or a completion without any id;
# - an id below 0 or above 65534;
# - more than 65535 bytes in all;
# - an index above 65534, which would be no word, or the word that begins an example.

# %% solve="pack_example"
def pack_example(example: Example, index: int) -> np.ndarray:
    """The words of an example, uint16: start, bytes, index, label, 4, context, completions.

    By hand: context 5 6 and completions 7 8, 9, 10 11 12, 13 are 19 words, 65535 38 0 2 4, 2 5 6,
    2 7 8, 1 9, 3 10 11 12, 1 13, if the label is 2 and the index 0.

    Raises:
        ValueError: it does not fit the format; the message names the index.
    """
    # TODO (ch09_evalloader): check label, number of completions, ids; then put words together.
    # HINT: context and completions are five lists of ids, and each is written after its length.
    ### BEGIN SOLUTION
    parts = [example.context, *example.completions]
    if len(parts) != 1 + COMPLETIONS or example.label not in range(COMPLETIONS):
        raise ValueError(f"example {index}: not {COMPLETIONS} completions and a label of them")
    if not all(parts):
        raise ValueError(f"example {index}: a context or completion without ids")
    if not all(0 <= token < START for part in parts for token in part):
        raise ValueError(f"example {index}: an id that is not 0 to {START - 1}")
    if index >= START:
        raise ValueError(f"example {index}: that is one too many")
    body = [word for part in parts for word in (len(part), *part)]
    size = 2 * (5 + len(body))
    if size > LARGEST:
        raise ValueError(f"example {index}: {size} bytes are more than {LARGEST}")
    return np.array([START, size, index, example.label, COMPLETIONS, *body], dtype=np.uint16)
    ### END SOLUTION


# %% example="pack_example"
by_hand = [65535, 38, 0, 2, 4, 2, 5, 6, 2, 7, 8, 1, 9, 3, 10, 11, 12, 1, 13]
assert pack_example(small, 0).tolist() == by_hand
assert pack_example(small, 0).dtype == np.uint16

# %% check="pack_example" points=10
check("pack_example")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("pack_example")
### END HIDDEN TESTS

# %% [markdown] hints="pack_example"
# <details><summary>Hint 1: where to begin</summary>
#
# Make one list of five lists, `[example.context, *example.completions]`. Most checks and the
# writing itself are then loops over it.
#
# </details>
#
# <details><summary>Hint 2: the number of bytes</summary>
#
# Make the words after the first five before you make those: then you know how many there are, and
# the number of bytes is twice as many, with the five. If it is above 65535, raise.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# After the checks, begin with `body = []` and do `body += [len(part), *part]` for each of the five
# parts. Then `size = 2 * (5 + len(body))`, and what you return is `np.array([START, size, index,
# example.label, COMPLETIONS, *body], dtype=np.uint16)`.
#
# </details>

# %% [markdown]
# ## The file
#
# Before the examples comes a header of 256 words of **32** bits, signed, lowest byte first:
#
# | word of the header | meaning |
# |---|---|
# | 0 | 20240522, the magic number |
# | 1 | 1, the version |
# | 2 | how many examples follow |
# | 3 | bytes of the longest example |
# | 4 to 255 | 0 |
#
# A reader in C uses the fourth to reserve a buffer once and for all. By hand, the file of the small
# example alone has the header 20240522, 1, 1, 38, and 1024 + 38 = **1062** bytes.

# %% [markdown]
# Write `write_evalfile`. `examples` is a list of `Example`; the first has the index 0. The file
# appears at `path` by `write_whole`, and nothing is returned. A `ValueError` is raised for an empty
# list, which says `no examples`, and for each example that `pack_example` refuses; then no file is
# touched.

# %% solve="write_evalfile"
def write_evalfile(path: Path, examples: list[Example]) -> None:
    """Write a file of examples for llm.c's EvalLoader, and for yours.

    By hand: with the small example alone the header is 20240522, 1, 1, 38, and the file has 1024 +
    38 = 1062 bytes.

    Raises:
        ValueError: there are no examples, or one does not fit the format.
    """
    # TODO (ch09_evalloader): pack all examples, make the header, write both.
    # HINT: array.nbytes is the number of its bytes; np.zeros(256, dtype="<i4") is an empty header.
    ### BEGIN SOLUTION
    if not examples:
        raise ValueError("no examples to write")
    packed = [pack_example(example, index) for index, example in enumerate(examples)]
    header = np.zeros(HEADER_BYTES // 4, dtype="<i4")
    header[:4] = MAGIC, 1, len(examples), max(words.nbytes for words in packed)
    write_whole(path, header.tobytes() + np.concatenate(packed).astype("<u2").tobytes())
    ### END SOLUTION


# %% [markdown]
# Files of this notebook go into a folder that is gone when its kernel stops:

# %%
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)

# %% example="write_evalfile"
write_evalfile(folder / "small.bin", [small])
data = (folder / "small.bin").read_bytes()
assert len(data) == 1062
assert np.frombuffer(data, "<i4", 4).tolist() == [20240522, 1, 1, 38]
assert np.frombuffer(data, "<u2", offset=1024).tolist() == by_hand

# %% check="write_evalfile" points=8
check("write_evalfile")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("write_evalfile")
### END HIDDEN TESTS

# %% [markdown] hints="write_evalfile"
# <details><summary>Hint 1: where to begin</summary>
#
# Pack all examples into a list of arrays first, with `enumerate` for the index. If one is refused,
# nothing has been written yet.
#
# </details>
#
# <details><summary>Hint 2: two kinds of words</summary>
#
# The header's words have 32 bits (`"<i4"`), those of the examples 16 (`"<u2"`). Both become bytes
# by `.tobytes()`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `header[:4] = MAGIC, 1, len(examples), max(words.nbytes for words in packed)`. Then
# `write_whole(path, header.tobytes() + np.concatenate(packed).tobytes())`. Whether the list is
# empty is checked at the very beginning.
#
# </details>

# %% [markdown]
# ## Reading it back
#
# An exam that was read wrongly still gives a mark. So a reader checks all that the format promises,
# and there is a lot of it, since so much is said twice: the bytes of an example are announced *and*
# follow from its lengths; its index is written down *and* follows from its place.

# %% [markdown]
# Write `unpack_example`. It takes the words of one example as a list of ints and gives the
# `Example`; by hand, the 19 words above give back the small one. The index is not its business. A
# `ValueError` that says what is wrong is raised where
#
# - the first word is not 65535, or 65535 stands anywhere else;
# - the number of bytes is not twice the number of words;
# - there are not four completions, or the label is not 0 to 3;
# - a context or completion has no ids;
# - the lengths lead beyond the end, or words are left over.

# %% solve="unpack_example"
def unpack_example(words: list[int]) -> Example:
    """The example that some words are.

    By hand: 65535 38 0 2 4, 2 5 6, 2 7 8, 1 9, 3 10 11 12, 1 13 is an example with the context 5 6,
    the completions 7 8, 9, 10 11 12 and 13, and the label 2.

    Raises:
        ValueError: they are no example of this format.
    """
    # TODO (ch09_evalloader): check the five words in front, then take five lists of ids.
    # HINT: a place that moves on by 1 + length; a slice beyond the end is short, and no error.
    ### BEGIN SOLUTION
    if words[:1] != [START] or START in words[1:]:
        raise ValueError(f"{START} is not the first word and no other")
    if len(words) < 5 or words[1] != 2 * len(words):
        raise ValueError(f"{2 * len(words)} bytes, and other than that is announced")
    label, completions = words[3:5]
    if completions != COMPLETIONS or label >= COMPLETIONS:
        raise ValueError(f"label {label} of {completions} completions")
    parts, place = [], 5
    for _ in range(1 + COMPLETIONS):
        length = words[place] if place < len(words) else 0
        parts.append(words[place + 1 : place + 1 + length])
        if length == 0 or len(parts[-1]) < length:
            raise ValueError(f"ids are missing from word {place} on")
        place += 1 + length
    if place < len(words):
        raise ValueError(f"{len(words) - place} words are left over")
    return Example(parts[0], parts[1:], label)
    ### END SOLUTION


# %% example="unpack_example"
assert unpack_example(by_hand) == small

# %% check="unpack_example" points=10
check("unpack_example")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("unpack_example")
### END HIDDEN TESTS

# %% [markdown] hints="unpack_example"
# <details><summary>Hint 1: where to begin</summary>
#
# First the five words in front. Make sure that there are five before you take them: `words[1]` of
# an empty list is an `IndexError`, and that is no answer.
#
# </details>
#
# <details><summary>Hint 2: five parts</summary>
#
# One loop of five rounds reads the context and the completions, for they are written alike. `place`
# begins at 5. The length is `words[place]`, if there is such a word, and the ids are `words[place +
# 1 : place + 1 + length]`. Fewer ids than announced, or none, are an error.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# In the loop: `length = words[place] if place < len(words) else 0`, append the slice, raise if
# `length == 0 or len(parts[-1]) < length`, then `place += 1 + length`. After it, raise if `place <
# len(words)`, else return `Example(parts[0], parts[1:], words[3])`.
#
# </details>

# %% [markdown]
# Write `parse_evalfile`. It takes all bytes of a file and returns the list of its examples. By
# hand, `data` gives a list with the small example alone. A `ValueError` is raised for
#
# - fewer bytes than a header has, or an odd number of them: the message says how many;
# - another magic number, another version, a number of examples below 1: the message names it;
# - an example that `unpack_example` refuses, or whose index is not its place in the file, or that
#   is not there at all: the message names the example by its place;
# - anything after the last example;
# - a fourth word that is not the bytes of the longest example. (In C that would be a buffer too
#   small, and somebody else's memory overwritten.)

# %% solve="parse_evalfile"
def parse_evalfile(data: bytes) -> list[Example]:
    """The examples of a file.

    By hand: 1062 bytes with the header 20240522, 1, 1, 38 and the words of the small example are
    a list of it alone.

    Raises:
        ValueError: it is no such file, or it is damaged; the message names the example at fault.
    """
    # TODO (ch09_evalloader): check the header, then take one example after the other.
    # HINT: the second word of an example says where the next one begins.
    ### BEGIN SOLUTION
    if len(data) < HEADER_BYTES or len(data) % 2:
        raise ValueError(f"{len(data)} bytes are not a header and whole words")
    magic, version, count, longest = np.frombuffer(data, "<i4", 4).tolist()
    if (magic, version) != (MAGIC, 1) or count < 1:
        raise ValueError(f"magic {magic}, version {version}, {count} examples: no eval file")
    words = np.frombuffer(data, "<u2", offset=HEADER_BYTES).tolist()
    examples, sizes, place = [], [], 0
    for index in range(count):
        sizes.append(words[place + 1] if place + 1 < len(words) else 0)
        own = words[place : place + sizes[-1] // 2]
        try:
            examples.append(unpack_example(own))
        except ValueError as error:
            raise ValueError(f"example {index}: {error}") from error
        if own[2] != index:
            raise ValueError(f"example {index} has the index {own[2]}")
        place += len(own)
    if place < len(words):
        raise ValueError(f"{len(words) - place} words after the last example")
    if longest != max(sizes):
        raise ValueError(f"the longest example has {max(sizes)} bytes, announced are {longest}")
    return examples
    ### END SOLUTION


# %% example="parse_evalfile"
assert parse_evalfile(data) == [small]

# %% check="parse_evalfile" points=10
check("parse_evalfile")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("parse_evalfile")
### END HIDDEN TESTS

# %% [markdown] hints="parse_evalfile"
# <details><summary>Hint 1: where to begin</summary>
#
# `np.frombuffer(data, "<i4", 4).tolist()` are the four words that matter in the header, and
# `np.frombuffer(data, "<u2", offset=1024).tolist()` all words after it. Both need their bytes to be
# there: check the length first, and that it is even.
#
# </details>
#
# <details><summary>Hint 2: from example to example</summary>
#
# If one begins at `place`, its bytes are `words[place + 1]`, and its words `words[place : place +
# bytes // 2]`. Where the file has ended that slice is short or empty, and `unpack_example` refuses
# it. Catch its `ValueError` and raise one that has the example's place in front.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# Collect the bytes of each in a list `sizes`. After the loop two checks are left: `place` has to be
# `len(words)`, and `max(sizes)` the fourth word of the header.
#
# </details>

# %% [markdown]
# ## Four rows
#
# A model reads an example as four rows of T ids, one for each completion: the context, the
# completion, zeros. At every place of a row it predicts the *next* id, and the loss there says how
# badly. So the id that is predicted at place t, the **target**, stands at place t + 1 of the input.
#
# Which of the losses count? Those at which an id of the completion was predicted. The first of them
# sits where the context ends: it is the **last id of the context** that predicts the first of the
# completion. Mask and targets begin one place before the completion does, and end one before it
# ends.

# %% [markdown]
# By hand, the small example with T = 8:
#
# | row | inputs | targets | mask |
# |---|---|---|---|
# | 0 | 5 6 7 8 0 0 0 0 | 0 7 8 0 0 0 0 0 | 0 1 1 0 0 0 0 0 |
# | 1 | 5 6 9 0 0 0 0 0 | 0 9 0 0 0 0 0 0 | 0 1 0 0 0 0 0 0 |
# | 2 | 5 6 10 11 12 0 0 0 | 0 10 11 12 0 0 0 0 | 0 1 1 1 0 0 0 0 |
# | 3 | 5 6 13 0 0 0 0 0 | 0 13 0 0 0 0 0 0 | 0 1 0 0 0 0 0 0 |

# %% [markdown]
# Write `render_example`. It returns three arrays of shape `(4, T)`: inputs and targets of dtype
# `np.int64`, and the mask of dtype `bool`. Where the mask is False, targets are 0, and inputs are 0
# after the completion. As in `llm.c`, context and completion together have to be **fewer** than T
# ids; if they are not, the message of the `ValueError` names T and how many they are.

# %% solve="render_example"
def render_example(example: Example, T: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, targets (both int64) and mask (bool) of an example, of shape (4, T).

    By hand: with the context 5 6, the completion 7 8 and T = 8, a row has the inputs 5 6 7 8 0 0 0
    0, the targets 0 7 8 0 0 0 0 0 and the mask 0 1 1 0 0 0 0 0.

    Raises:
        ValueError: context and completion have T ids or more.
    """
    # TODO (ch09_evalloader): fill three arrays of zeros, row by row.
    # HINT: the completion's place in targets and mask is one before its place in inputs.
    ### BEGIN SOLUTION
    inputs = np.zeros((COMPLETIONS, T), dtype=np.int64)
    targets = np.zeros_like(inputs)
    mask = np.zeros(inputs.shape, dtype=bool)
    for row, completion in enumerate(example.completions):
        tokens = example.context + completion
        if len(tokens) >= T:
            raise ValueError(f"{len(tokens)} ids are not fewer than T = {T}")
        asked = slice(len(example.context) - 1, len(tokens) - 1)
        inputs[row, : len(tokens)] = tokens
        targets[row, asked] = completion
        mask[row, asked] = True
    return inputs, targets, mask
    ### END SOLUTION


# %% example="render_example"
inputs, targets, mask = render_example(small, 8)
assert inputs[0].tolist() == [5, 6, 7, 8, 0, 0, 0, 0]
assert targets[0].tolist() == [0, 7, 8, 0, 0, 0, 0, 0]
assert mask[0].tolist() == [False, True, True, False, False, False, False, False]

# %% check="render_example" points=14
check("render_example")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("render_example")
### END HIDDEN TESTS

# %% [markdown] hints="render_example"
# <details><summary>Hint 1: where to begin</summary>
#
# Three arrays of zeros: `np.zeros((4, T), dtype=np.int64)` twice and `np.zeros((4, T),
# dtype=bool)`. Then a loop over the four completions with `enumerate`.
#
# </details>
#
# <details><summary>Hint 2: where the completion is asked for</summary>
#
# If the context has c ids and the completion n, the completion stands at c ... c + n - 1 of the
# inputs. Each of its ids is asked for one place before: at c - 1 ... c + n - 2.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `tokens = example.context + completion`, and
# `asked = slice(len(example.context) - 1, len(tokens) - 1)`. Then
# `inputs[row, :len(tokens)] = tokens`, `targets[row, asked] = completion` and
# `mask[row, asked] = True`.
#
# </details>

# %% [markdown]
# Where do mask and targets sit? Here are the four rows as a picture. Grey is context, black is
# completion, and a circle marks each place whose loss counts, with its target in it.

# %%
kinds = (inputs > 0) * 1.0
kinds[:, :2] = 0.4
figure, axes = plt.subplots(figsize=(7, 3.4))
axes.imshow(kinds, cmap="Greys", vmin=0, vmax=1.3)
for row, place in zip(*np.nonzero(inputs), strict=True):
    axes.text(place, row - 0.25, inputs[row, place], ha="center", va="center",
              color="black" if place < 2 else "white")
for row, place in zip(*np.nonzero(mask), strict=True):
    axes.text(place, row + 0.2, targets[row, place], ha="center", va="center", fontsize=9,
              bbox={"boxstyle": "circle", "facecolor": "white", "edgecolor": "black"})
axes.set(xlabel="place t", ylabel="completion", yticks=range(4))
plt.show()

# %% [markdown]
# The circles say what comes next: under the 6 stands the first id of each completion, and under a
# completion's last id there is none, since nothing is asked for after it.

# %% [markdown]
# ## Who is right?
#
# The model has chosen the completion with the lowest **mean** loss over its masked places. By hand,
# losses of the four rows, those that count only:
#
# | completion | losses | sum | mean |
# |---|---|---|---|
# | 0 | 2, 3 | 5 | 2.5 |
# | 1 | 2.4 | 2.4 | 2.4 |
# | 2 | 2, 2, 2 | 6 | **2.0** |
# | 3 | 2.25 | 2.25 | 2.25 |
#
# The mean chooses completion 2, and the label is 2: right. The sum would choose completion 3. A sum
# grows with every id, so it prefers whatever is short.

# %% [markdown]
# Write `count_correct`. `losses` and `mask` have the shape (B, T), rows 4i to 4i + 3 belong to
# example i, and `label[i]` is its label. It returns, as an int, how many examples are right:
#
# - Of equal means the first one counts.
# - Losses outside the mask are not looked at. There may be anything, `nan` and `inf` too.
# - An example without any masked place is **padding**: it fills up a batch. It is never right,
#   whatever its label.
# - If one of the means is not a number (`nan`), the model is broken, and the example is not right.

# %% solve="count_correct"
def count_correct(losses: np.ndarray, mask: np.ndarray, label: np.ndarray) -> int:
    """How many examples have their lowest mean masked loss at their label.

    By hand: losses 2 3, 2.4, 2 2 2 and 2.25 have the means 2.5, 2.4, 2.0 and 2.25, so the third
    completion is chosen; with the label 2 that is 1.

    `losses` and `mask` have shape (B, T), `label` has shape (B / 4,).
    """
    # TODO (ch09_evalloader): sums and counts of each row, means, the lowest of four, compare.
    # HINT: np.where(mask, losses, 0) has zeros where losses do not count; nan * 0 would be nan.
    ### BEGIN SOLUTION
    counts = mask.sum(axis=1)
    sums = np.where(mask, losses, 0).sum(axis=1, dtype=np.float64)
    means = (sums / np.maximum(counts, 1)).reshape(-1, COMPLETIONS)
    padding = counts.reshape(-1, COMPLETIONS).sum(axis=1) == 0
    chosen = means.argmin(axis=1)
    right = (chosen == label) & ~padding & ~np.isnan(means).any(axis=1)
    return int(right.sum())
    ### END SOLUTION


# %% example="count_correct"
losses = np.full((4, 8), 9.0)
losses[0, 1:3] = 2, 3
losses[1, 1] = 2.4
losses[2, 1:4] = 2, 2, 2
losses[3, 1] = 2.25
assert count_correct(losses, mask, np.array([2])) == 1
assert count_correct(losses, mask, np.array([3])) == 0

# %% check="count_correct" points=12
check("count_correct")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("count_correct")
### END HIDDEN TESTS

# %% [markdown] hints="count_correct"
# <details><summary>Hint 1: where to begin</summary>
#
# Write two loops first, over the examples and over their four rows. `losses[row][mask[row]]` are
# the losses that count in a row. Its mean, if there are any, is what you compare.
#
# </details>
#
# <details><summary>Hint 2: whole arrays</summary>
#
# `mask.sum(axis=1)` counts each row; `np.where(mask, losses, 0).sum(axis=1)` adds up. Divide by at
# least 1, so that padding does not divide by zero. `.reshape(-1, 4)` puts the four means of an
# example into one row, and `.argmin(axis=1)` finds the lowest, the first if there are several.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# With `means` and `counts` of shape (B / 4, 4): right are those with `means.argmin(axis=1) ==
# label`, and `counts.sum(axis=1) > 0`, and not `np.isnan(means).any(axis=1)`. Return
# `int(right.sum())`.
#
# </details>

# %% [markdown]
# ## Shares
#
# Several processes may share the work. With n examples and p processes each takes n / p, rounded
# **up**, one after the other, and the last ones get what is left: less, or nothing at all. By hand,
# 12 examples for 5 processes: 12 / 5 = 2.4, so each takes 3:
#
# | rank | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | examples | 0, 1, 2 | 3, 4, 5 | 6, 7, 8 | 9, 10, 11 | none |
# | start, end | 0, 3 | 3, 6 | 6, 9 | 9, 12 | 12, 12 |
#
# Why up? Rounded down, each would take 2, and nobody would ask the last two questions.

# %% [markdown]
# Write `examples_of_rank`. It returns the start and the end of a rank's share, with the end
# exclusive, and never more than the number of examples.

# %% solve="examples_of_rank"
def examples_of_rank(num_examples: int, process_rank: int, num_processes: int) -> tuple[int, int]:
    """Start and end (exclusive) of the examples that a rank takes; the last ranks may get fewer.

    By hand: 12 examples for 5 processes are 3 each, so rank 1 has 3 to 6 and rank 4 has 12 to 12.
    """
    # TODO (ch09_evalloader): divide, round up, multiply, and stop at the end.
    # HINT: -(-a // b) is a / b rounded up, in whole numbers.
    ### BEGIN SOLUTION
    each = -(-num_examples // num_processes)
    start = min(process_rank * each, num_examples)
    return start, min(start + each, num_examples)
    ### END SOLUTION


# %% example="examples_of_rank"
assert [examples_of_rank(12, rank, 5) for rank in range(5)] == [
    (0, 3), (3, 6), (6, 9), (9, 12), (12, 12)
]

# %% check="examples_of_rank" points=6
check("examples_of_rank")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("examples_of_rank")
### END HIDDEN TESTS

# %% [markdown] hints="examples_of_rank"
# <details><summary>Hint 1: where to begin</summary>
#
# How many does each take? That number times the rank is the start.
#
# </details>
#
# <details><summary>Hint 2: rounding up</summary>
#
# `//` rounds down, also below zero: -12 // 5 is -3. So `-(-12 // 5)` is 3.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `each = -(-num_examples // num_processes)`. Start is `min(process_rank * each, num_examples)`, end
# is `min(start + each, num_examples)`.
#
# </details>

# %% [markdown]
# ## The loader
#
# Now put it together. As in `llm.c`, a batch has B rows, so B // 4 examples, and the names are its
# names:
#
# | method | what it does |
# |---|---|
# | `reset()` | goes back to the first example of this rank |
# | `next_example_(example_batch_index)` | puts the next example into that place of the batch |
# | `next_batch()` | a new batch with as many examples as fit and are left |
# | `stat_losses(losses)` | how many examples of the present batch are right |
# | `close()` | lets go of the examples |

# %% [markdown]
# | attribute | meaning |
# |---|---|
# | `B`, `T`, `process_rank`, `num_processes` | as given |
# | `num_examples` | in the whole file |
# | `start_example_index`, `end_example_index` | this rank's share |
# | `current_example_index` | the example that is next |
# | `num_batches` | batches in the largest share: all ranks take as many steps |
# | `inputs`, `targets` | the present batch, int64 of shape (B, T) |
# | `mask` | bool of shape (B, T) |
# | `label` | int64 of shape (B / 4,); -1 where there is no example |
#
# By hand, twelve examples, B = 20 and two processes: each has 6 examples, of which 5 fit into a
# batch. So `num_batches` is 2, and rank 1 has the examples 6 to 10 in its first batch, then 11
# alone.

# %% [markdown]
# Some details:
#
# - The constructor reads the file, checks everything, makes an empty batch (zeros, False, labels
#   -1) and calls `reset()`. A damaged file is a `ValueError` whose message names the file. So is an
#   example that has too many ids for T: better now than in the middle of the night. The message
#   names T too.
# - A `B` that is not 4, 8, 12, ..., a rank that is not one of 0 ... `num_processes` - 1, and fewer
#   examples than processes are a `ValueError`; the first one's message names B.
# - `next_batch` returns inputs and targets. First it makes the batch empty, so that nothing is left
#   of the batch before. When this rank's examples are used up, batches stay empty.
# - `next_example_` raises `ValueError` where the batch has no such place (places are 0 ... B / 4 -
#   1; the message names the wrong one), and where no example is left.
# - `reset` leaves the present batch alone. After `close()`, `reset`, `next_batch` and
#   `next_example_` raise `ValueError`, and `stat_losses` still works. Closing twice does no harm.
# - `stat_losses` raises `ValueError` for losses that have not the shape (B, T).

# %% solve="EvalLoader"
class EvalLoader:
    """Batches of multiple-choice examples, for one of several processes.

    By hand: of twelve examples in a file, rank 1 of two has 6 to 11; with B = 20 the first batch
    has five of them and the second one, so num_batches is 2.
    """

    # TODO (ch09_evalloader): write the methods of the table with the functions above.
    # HINT: example i of a batch has the rows 4 * i to 4 * i + 3 of inputs, targets and mask.

    def __init__(
        self, path: Path, B: int, T: int, process_rank: int = 0, num_processes: int = 1
    ) -> None:
        """Read and check the file, and go to this rank's first example. Raises ValueError."""
        ### BEGIN SOLUTION
        if B < COMPLETIONS or B % COMPLETIONS:
            raise ValueError(f"B = {B} is no multiple of {COMPLETIONS} completions")
        if not 0 <= process_rank < num_processes:
            raise ValueError(f"there is no rank {process_rank} of {num_processes}")
        try:
            self.examples: list[Example] | None = parse_evalfile(path.read_bytes())
            for example in self.examples:
                render_example(example, T)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        self.B, self.T = B, T
        self.process_rank, self.num_processes = process_rank, num_processes
        self.num_examples = len(self.examples)
        if self.num_examples < num_processes:
            raise ValueError(f"{self.num_examples} examples for {num_processes} processes")
        largest = examples_of_rank(self.num_examples, 0, num_processes)[1]
        self.num_batches = -(-largest // (B // COMPLETIONS))
        self._clear()
        self.reset()

    def _clear(self) -> None:
        """Make the batch empty."""
        self.inputs = np.zeros((self.B, self.T), dtype=np.int64)
        self.targets = np.zeros_like(self.inputs)
        self.mask = np.zeros(self.inputs.shape, dtype=bool)
        self.label = np.full(self.B // COMPLETIONS, -1, dtype=np.int64)

    def _open(self) -> list[Example]:
        if self.examples is None:
            raise ValueError("the loader is closed")
        return self.examples
        ### END SOLUTION

    def reset(self) -> None:
        """Go to the first example of this rank. Raises ValueError if closed."""
        ### BEGIN SOLUTION
        share = examples_of_rank(len(self._open()), self.process_rank, self.num_processes)
        self.start_example_index, self.end_example_index = share
        self.current_example_index = self.start_example_index
        ### END SOLUTION

    def next_example_(self, example_batch_index: int) -> None:
        """Put the next example into a place of the batch. Raises ValueError if there is none."""
        ### BEGIN SOLUTION
        examples, place = self._open(), example_batch_index
        if not 0 <= place < self.B // COMPLETIONS:
            raise ValueError(f"a batch of {self.B} rows has no place {place} for an example")
        if self.current_example_index >= self.end_example_index:
            raise ValueError(f"no example is left after {self.end_example_index}")
        example = examples[self.current_example_index]
        rows = slice(COMPLETIONS * place, COMPLETIONS * (place + 1))
        self.inputs[rows], self.targets[rows], self.mask[rows] = render_example(example, self.T)
        self.label[place] = example.label
        self.current_example_index += 1
        ### END SOLUTION

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and targets of the next batch, which is empty when no example is left."""
        ### BEGIN SOLUTION
        self._open()
        self._clear()
        left = self.end_example_index - self.current_example_index
        for place in range(min(left, self.B // COMPLETIONS)):
            self.next_example_(place)
        return self.inputs, self.targets
        ### END SOLUTION

    def stat_losses(self, losses: np.ndarray) -> int:
        """How many examples of the present batch are right, by their losses of shape (B, T)."""
        ### BEGIN SOLUTION
        if losses.shape != self.mask.shape:
            raise ValueError(f"losses of shape {losses.shape} for a batch of {self.mask.shape}")
        return count_correct(losses, self.mask, self.label)
        ### END SOLUTION

    def close(self) -> None:
        """Let go of the examples; closing twice does no harm."""
        ### BEGIN SOLUTION
        self.examples = None
        ### END SOLUTION


# %% example="EvalLoader"
numbered = [Example([n], [[1], [2], [3], [4]], n % 4) for n in range(12)]
write_evalfile(folder / "twelve.bin", numbered)
loader = EvalLoader(folder / "twelve.bin", B=20, T=8, process_rank=1, num_processes=2)
assert (loader.start_example_index, loader.end_example_index, loader.num_batches) == (6, 12, 2)
assert loader.next_batch()[0][::4, 0].tolist() == [6, 7, 8, 9, 10]
assert loader.next_batch()[0][::4, 0].tolist() == [11, 0, 0, 0, 0]
assert loader.label.tolist() == [3, -1, -1, -1, -1]

# %% check="EvalLoader" points=10
check("EvalLoader")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("EvalLoader")
### END HIDDEN TESTS

# %% [markdown] hints="EvalLoader"
# <details><summary>Hint 1: where to begin</summary>
#
# Begin with a helper that makes an empty batch: four arrays. The constructor calls it once and
# `next_batch` each time. Keep the examples in an attribute; `close` sets it to None, and the other
# methods look whether it is.
#
# </details>
#
# <details><summary>Hint 2: checking T at once</summary>
#
# `render_example(example, T)` raises for an example that is too long. The constructor can call it
# for every example and throw the result away. With `parse_evalfile` in the same `try`, one `except
# ValueError` puts the file's name in front of both.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# In `next_example_`: `rows = slice(4 * place, 4 * place + 4)`, and `self.inputs[rows],
# self.targets[rows], self.mask[rows] = render_example(example, self.T)`; then the label, then
# `current_example_index += 1`. `next_batch` calls it for place 0, 1, ... while places and examples
# last. The largest share is rank 0's, and `num_batches` is that divided by B // 4, rounded up.
#
# </details>

# %% [markdown]
# ## An exam
#
# The course brings twelve questions of its own. Ids are bytes here, to keep it simple, and the
# blank between context and ending belongs to the ending:

# %%
questions = [
    json.loads(line)
    for line in (root() / "fixtures/ch09_evalloader/questions.jsonl").read_text("utf-8").split("\n")
    if line
]
for letter, ending in zip("ABCD", questions[3]["endings"], strict=True):
    print(f"{letter}: {questions[3]['ctx']} {ending}")

# %%
exam = [
    Example(
        list(each["ctx"].encode()),
        [list(f" {ending}".encode()) for ending in each["endings"]],
        each["label"],
    )
    for each in questions
]
write_evalfile(folder / "exam.bin", exam)
(folder / "exam.bin").stat().st_size

# %% [markdown]
# How large does T have to be for this exam? Each bar is a question: its context, and after it the
# longest and the shortest of its completions.

# %%
context = np.array([len(each.context) for each in exam])
sizes = np.array([[len(completion) for completion in each.completions] for each in exam])
plt.bar(range(12), context, color="0.8", label="context")
plt.bar(range(12), sizes.max(axis=1), bottom=context, color="0.4", label="longest completion")
plt.plot(range(12), context + sizes.min(axis=1), "kv", markerfacecolor="white",
         label="end of the shortest")
plt.xlabel("question")
plt.ylabel("ids")
plt.ylim(0, 150)
plt.legend(ncols=3, loc="upper center")
plt.show()
int((context + sizes.max(axis=1)).max())

# %% [markdown]
# So 128 is enough. Our candidate is the simplest model there is: it has counted, in the course's
# book, which byte follows which. Its loss for a target is minus the logarithm of that frequency.

# %%
counts = np.ones((256, 256))
for before, after in pairwise(books.embedded().read_bytes()):
    counts[before, after] += 1
surprise = -np.log(counts / counts.sum(axis=1, keepdims=True))

loader = EvalLoader(folder / "exam.bin", B=20, T=128)
right = 0
for _ in range(loader.num_batches):
    read, asked = loader.next_batch()
    right += loader.stat_losses(surprise[read, asked])
right, loader.num_examples

# %% [markdown]
# Guessing gives 3 of 12 on average, so is 6 a good mark? How often would somebody who only guesses
# get 6 or more?

# %%
sum(comb(12, k) * 0.25**k * 0.75 ** (12 - k) for k in range(6, 13))

# %% [markdown]
# In one exam of eighteen. That is why HellaSwag has ten thousand questions: a model that knows
# nothing but pairs of bytes may well look clever in twelve.

# %% [markdown]
# Would it have chosen otherwise if losses were added up instead? See what each way of reckoning
# prefers: every point is a completion, and filled ones are chosen.

# %%
figure, panels = plt.subplots(1, 2, sharey=True)
lengths, all_losses = [], []
for example in exam:
    inputs, targets, mask = render_example(example, 128)
    lengths.append(mask.sum(axis=1))
    all_losses.append((surprise[inputs, targets] * mask).sum(axis=1))
lengths, all_losses = np.array(lengths), np.array(all_losses)
for panel, name, values in zip(
    panels, ("lowest sum", "lowest mean"), (all_losses, all_losses / lengths), strict=True
):
    for n, chosen in enumerate(values.argmin(axis=1)):
        panel.plot([n] * 4, lengths[n], "ko", markerfacecolor="white")
        panel.plot(n, lengths[n, chosen], "ko")
    panel.set(title=name, xlabel="question")
panels[0].set_ylabel("ids of the completion")
plt.show()

# %% [markdown]
# The sum takes the shortest completion nearly every time, whatever it says. That is no answer to
# the question. The mean is not perfect either, but it is what HellaSwag's published numbers for
# GPT-2 are about: with 124 million weights it gets 29.55% of 10,042 questions, with 1.6 billion
# 48.93%.

# %% [markdown]
# ## What goes wrong
#
# Slips that are easily made, what they look like, and the hidden test that notices each
# (`ol tests ch09` lists them all):
#
# | slip | what you would see | caught by |
# |---|---|---|
# | words counted for bytes | `llm.c` skips to the middle of an example | `test_words_by_hand` |
# | ids wrap around | token 65536 has become token 0 | `test_ids_that_are_no_words` |
# | one index for all | `llm.c` stops at the second example | `test_any_words` |
# | longest example left out of the header | `llm.c` refuses the file | `test_file_by_hand` |
# | damaged example accepted | fewer questions than there were | `test_label_and_completions` |
# | words after the last example accepted | two files in one load | `test_more_than_the_examples` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | mask on the completion's own ids | an answer's first id is free | `test_rows_by_hand` |
# | targets not shifted | a model that copies its input is perfect | `test_rows_by_hand` |
# | context masked too | long contexts drown the answers | `test_rows_by_hand` |
# | sum in place of the mean | the shortest answer wins | `test_means_by_hand` |
# | all losses averaged | the number of zeros at the end decides | `test_outside_the_mask` |
# | padding counted | more right answers than questions | `test_padding` |
# | highest in place of lowest | worse than guessing, the better the model | `test_means_by_hand` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | share rounded down | the last questions are never asked | `test_shares_by_hand` |
# | share beyond the end | an `IndexError` in the last process | `test_last_ranks_are_short` |
# | old mask kept | the last batch counts twice | `test_nothing_left_over` |
# | `reset` forgets the rank | some questions asked twice | `test_reset_goes_to_the_first` |
# | T too small noticed late | a run that stops after hours | `test_every_example_fits` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# let your `render_example` mask one place more on the left, see whether the test fails, and put it
# right again. What else would this test not see?

# %%
def test_mask_counts():
    """As many places are masked as the completions have ids."""
    _, _, mask = render_example(Example([1, 2, 3], [[4], [5, 6], [7], [8, 9, 10]], 0), 10)
    assert mask.sum(axis=1).tolist() == [1, 2, 1, 3]


test_mask_counts()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the tables above. Notice every slip of the tables, and four
# bugs in five altogether. A test that fails on right code in another form is refused, so test what
# this chapter promises and nothing else.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome, and
# `tmp_path` is a folder of your own. Reach everything through `evalloader`: in this notebook that
# is what the cells above define. Tests are tried alone, so import or define in their cell what else
# they use. Put ids into your examples that tell where they come from; make files with `struct`, so
# that writer and reader cannot be wrong together; and give each completion another length.

# %% tests="own_tests"
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import evalloader
from llmdata.evalloader import Example


def test_by_hand():
    # TODO (ch09_evalloader): replace this by a test, and add one for each slip you can think of.
    # HINT: words on paper, cut files, four lengths, equal means, nan, shares of 12 for 5, reset...
    ### BEGIN SOLUTION
    words = evalloader.pack_example(SMALL, 0)

    assert words.dtype == np.uint16
    assert words.tolist() == [65535, 38, 0, 2, 4, 2, 5, 6, 2, 7, 8, 1, 9, 3, 10, 11, 12, 1, 13]
    assert evalloader.pack_example(SMALL, 700)[2] == 700


SMALL = Example([5, 6], [[7, 8], [9], [10, 11, 12], [13]], 2)
IDS = st.lists(st.integers(0, 65534), min_size=1, max_size=4)
EXAMPLES = st.builds(Example, IDS, st.lists(IDS, min_size=4, max_size=4), st.integers(0, 3))


def words_of(example, index=0, **other):
    """The words of an example; others in their place make a damaged one."""
    body = [len(example.context), *example.context]
    for completion in example.completions:
        body += [len(completion), *completion]
    front = [65535, 2 * (5 + len(body)), index, example.label, len(example.completions)]
    for name, value in other.items():
        front[["start", "size", "index", "label", "count"].index(name)] = value
    return front + body


def file_of(rows, **other):
    """A file of lists of words."""
    header = {"magic": 20240522, "version": 1, "n": len(rows), "longest": 2 * max(map(len, rows))}
    words = [word for row in rows for word in row]
    return struct.pack("<256i", *(header | other).values(), *[0] * 252) + struct.pack(
        f"<{len(words)}H", *words
    )


def example(n, label=0, longest=3):
    """Its ids tell its number, and its completions have different lengths."""
    lengths = (2, 1, longest, 2)
    return Example(
        [100 * n + 50] * (1 + n % 3),
        [[100 * n + 10 * c + k for k in range(size)] for c, size in enumerate(lengths)],
        label,
    )


@given(EXAMPLES, st.integers(0, 65534))
@settings(max_examples=30, deadline=None)
def test_any_example(some, index):
    """Packed by the rule, and back."""
    assert evalloader.pack_example(some, index).tolist() == words_of(some, index)
    assert evalloader.unpack_example(words_of(some, index)) == some


@pytest.mark.parametrize(
    "some",
    [
        Example([], SMALL.completions, 0), Example([1], [[1], [], [1], [1]], 0),
        Example([1], [[1], [1], [1], []], 0), Example([1], [[1]] * 3, 0),
        Example([1], [[1]] * 5, 0), Example([1], SMALL.completions, 4),
        Example([1], SMALL.completions, -1), Example([65535], SMALL.completions, 0),
        Example([1, 65536], SMALL.completions, 0), Example([-1], SMALL.completions, 0),
        Example([1], [[1], [1], [1], [2, 65535]], 0), Example([1], [[-1], [1], [1], [2]], 0),
        Example([1] * 32755, [[1], [1], [1], [1]], 0),
    ],
    ids=range(13),
)
def test_what_does_not_fit(tmp_path, some):
    """Named by its index, and no file is written."""
    with pytest.raises(ValueError, match="77"):
        evalloader.pack_example(some, 77)
    with pytest.raises(ValueError, match="1"):
        evalloader.write_evalfile(tmp_path / "e.bin", [SMALL, some])
    assert list(tmp_path.iterdir()) == []


def test_the_longest_that_fits():
    """32767 words are 65534 bytes; 65534 is the last index."""
    largest = Example([65534] * 32753, [[0], [1], [2], [3]], 0)

    assert evalloader.pack_example(largest, 65534)[1:3].tolist() == [65534, 65534]
    with pytest.raises(ValueError, match="65535"):
        evalloader.pack_example(SMALL, 65535)


def test_file(tmp_path):
    """Header and examples, as llm.c reads them; nothing else stays in the folder."""
    rows = [words_of(SMALL), words_of(example(1, 3, 40), 1), words_of(example(2), 2)]
    evalloader.write_evalfile(tmp_path / "e.bin", [SMALL, example(1, 3, 40), example(2)])

    assert (tmp_path / "e.bin").read_bytes() == file_of(rows)
    assert [path.name for path in tmp_path.iterdir()] == ["e.bin"]
    with pytest.raises(ValueError, match=r"."):
        evalloader.write_evalfile(tmp_path / "none.bin", [])


@pytest.mark.parametrize(
    "words",
    [
        [], [65535], [65535, 8, 0, 1], [65535, 10, 0, 1, 4], words_of(SMALL)[:-1],
        [*words_of(SMALL), 1], words_of(SMALL, start=65534), words_of(SMALL, size=40),
        words_of(SMALL, size=36), words_of(SMALL, size=19), words_of(SMALL, label=4),
        words_of(SMALL, count=3), words_of(SMALL, count=5),
        words_of(Example([], SMALL.completions, 1)), words_of(Example([1], [[1], [], [2], [3]], 1)),
        words_of(Example([1, 65535], SMALL.completions, 1)), [*words_of(SMALL, size=40), 14],
        words_of(Example([1], [[1]] * 3, 1), count=4), [*words_of(SMALL, size=42), 1, 9],
        [65535, 38, 0, 2, 4, 2, 5, 6, 2, 7, 8, 1, 9, 3, 10, 11, 12, 2, 13],
        [0, *words_of(SMALL, size=40)],
    ],
    ids=range(21),
)
def test_damaged_examples(words):
    """Whatever the format does not say is refused."""
    with pytest.raises(ValueError, match=r"."):
        evalloader.unpack_example(words)


FILE = file_of([words_of(SMALL), words_of(example(1), 1)])


def test_files():
    """All examples, in order."""
    rest = FILE[:16] + b"\xff" * 1008 + FILE[1024:]  # of the header: may hold anything

    assert evalloader.parse_evalfile(FILE) == [SMALL, example(1)]
    assert evalloader.parse_evalfile(rest) == [SMALL, example(1)]


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", "0"), (FILE[:1022], "1022"), (FILE[:1024], "0"), (FILE[:1031], "1031"),
        (FILE[:1062], "1"), (FILE[:1064], "1"), (FILE[:1040], "0"), (FILE[:-2], "1"),
        (FILE + b"\0\0", ""), (FILE + FILE[1024:], ""),
        (file_of([words_of(SMALL)], magic=20240520), "20240520"),
        (file_of([words_of(SMALL)], version=2), "2"), (file_of([words_of(SMALL)], n=0), "0"),
        (file_of([words_of(SMALL)], n=-1), "-1"), (file_of([words_of(SMALL)], n=2), "1"),
        (file_of([words_of(SMALL, 1)]), "0"), (file_of([words_of(SMALL)] * 2), "1"),
        (file_of([words_of(SMALL)], longest=40), ""), (file_of([words_of(SMALL)], longest=36), ""),
        (file_of([words_of(SMALL), words_of(SMALL, 1, label=4)]), "1"),
    ],
    ids=range(20),
)
def test_damaged_files(data, named):
    """The message names what is wrong, or where."""
    with pytest.raises(ValueError, match=rf"(?<![\d-]){named}(?!\d)"):
        evalloader.parse_evalfile(data)


def test_rows():
    """What is asked for stands one place before the answer."""
    inputs, targets, mask = evalloader.render_example(SMALL, 8)

    assert [inputs.dtype, targets.dtype, mask.dtype] == [np.int64, np.int64, bool]
    assert inputs.tolist() == [
        [5, 6, 7, 8, 0, 0, 0, 0], [5, 6, 9, 0, 0, 0, 0, 0], [5, 6, 10, 11, 12, 0, 0, 0],
        [5, 6, 13, 0, 0, 0, 0, 0],
    ]
    assert targets.tolist() == [
        [0, 7, 8, 0, 0, 0, 0, 0], [0, 9, 0, 0, 0, 0, 0, 0], [0, 10, 11, 12, 0, 0, 0, 0],
        [0, 13, 0, 0, 0, 0, 0, 0],
    ]
    assert mask.astype(int).tolist() == [
        [0, 1, 1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 0, 0],
    ]


def test_rows_are_long_enough():
    """Fewer than T ids; id 0 is an id like others, and large ones stay."""
    some = Example([0], [[0], [65534], [1], [2, 3]], 0)
    inputs, _, mask = evalloader.render_example(some, 4)

    assert inputs[1].tolist() == [0, 65534, 0, 0]
    assert mask[0].tolist() == [True, False, False, False]
    for T in (3, 2):
        with pytest.raises(ValueError, match=rf"\b{T}\b"):
            evalloader.render_example(some, T)


MASK = np.zeros((4, 8), dtype=bool)
for row, end in enumerate((3, 2, 4, 2)):
    MASK[row, 1:end] = True


def losses_of(*rows, fill=0.0):
    """Losses at the masked places of four rows."""
    losses = np.full((4, 8), fill, dtype=np.float32)
    for row, values in enumerate(rows):
        losses[row, MASK[row]] = values
    return losses


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        (([2, 3], 2.4, [2, 2, 2], 2.25), 2), (([1, 1], 2, [1, 1, 1], 2), 0),
        (([3, 3], 1, [1, 1, 1], 1), 1), (([9, 0], 9, [9, 9, 0], 1), 3), ((1, np.inf, 2, 3), 0),
    ],
)
def test_means(rows, chosen):
    """The lowest mean, the first of equal ones."""
    for label in range(4):
        got = evalloader.count_correct(losses_of(*rows), MASK, np.array([label]))
        assert (type(got), got) == (int, int(label == chosen))


@pytest.mark.parametrize("fill", [-5.0, 100.0, np.nan, np.inf])
def test_losses_outside(fill):
    """Anything may stand there."""
    losses = losses_of([2, 3], 2.4, [2, 2, 2], 2.25, fill=fill)

    assert evalloader.count_correct(losses, MASK, np.array([2])) == 1


@pytest.mark.parametrize("label", [0, 1, 2, 3, -1])
def test_padding(label):
    """An example without a masked place is none."""
    losses, none = np.ones((8, 8)), np.zeros((4, 8), dtype=bool)
    losses[:4] = losses_of([2, 3], 2.4, [2, 2, 2], 2.25)

    got = evalloader.count_correct(losses, np.concatenate([MASK, none]), np.array([2, label]))
    assert got == 1


@pytest.mark.parametrize("row", range(4))
def test_no_number(row):
    """A broken model is not right."""
    losses = losses_of(1, 1, 1, 1)
    losses[row, 1] = np.nan
    for label in range(4):
        assert evalloader.count_correct(losses, MASK, np.array([label])) == 0


@given(st.integers(1, 40), st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_shares(n, ranks):
    """Without gaps, and rounded up."""
    shares = [evalloader.examples_of_rank(n, rank, ranks) for rank in range(ranks)]
    each = (n + ranks - 1) // ranks

    assert shares == [(min(k * each, n), min(k * each + each, n)) for k in range(ranks)]


@pytest.fixture
def twelve(tmp_path):
    path = tmp_path / "twelve.bin"
    path.write_bytes(file_of([words_of(example(n, n % 4), n) for n in range(12)]))
    return path


def state(loader):
    """All that a loader says about where it stands."""
    return (
        (loader.num_examples, loader.num_batches, loader.current_example_index),
        (loader.start_example_index, loader.end_example_index),
    )


def batch_of(numbers, places, T=10):
    """The batch that examples of `twelve` make, row by row."""
    inputs, targets = np.zeros((2, 4 * places, T), dtype=np.int64)
    mask, label = np.zeros((4 * places, T), dtype=bool), [-1] * places
    for place, n in enumerate(numbers):
        some = example(n, n % 4)
        label[place], context = some.label, len(some.context)
        for c, completion in enumerate(some.completions):
            row, size = 4 * place + c, context + len(completion)
            inputs[row, :size] = some.context + completion
            targets[row, context - 1 : size - 1] = completion
            mask[row, context - 1 : size - 1] = True
    return [inputs.tolist(), targets.tolist(), mask.tolist(), label]


def present(loader):
    return [each.tolist() for each in (loader.inputs, loader.targets, loader.mask, loader.label)]


def test_batches(twelve):
    """Five examples, one, and none; each rank has its own."""
    loader = evalloader.EvalLoader(twelve, 20, 10, 1, 2)
    assert (loader.B, loader.T, loader.process_rank, loader.num_processes) == (20, 10, 1, 2)
    assert state(loader) == ((12, 2, 6), (6, 12))
    assert present(loader) == batch_of([], 5)
    for numbers in (range(6, 11), [11], []):
        returned = loader.next_batch()

        assert present(loader) == batch_of(numbers, 5)
        assert [each.tolist() for each in returned] == present(loader)[:2]
        assert [loader.inputs.dtype, loader.mask.dtype, loader.label.dtype] == [
            np.int64, bool, np.int64
        ]
    assert loader.current_example_index == 12


@pytest.mark.parametrize(("rank", "wanted"), [(0, (0, 3)), (3, (9, 12)), (4, (12, 12))])
def test_reset(twelve, rank, wanted):
    """Back to the first of this rank; the batch stays."""
    loader = evalloader.EvalLoader(twelve, 4, 10, rank, 5)
    loader.next_batch()
    before = present(loader)
    loader.reset()

    assert state(loader) == ((12, 3, wanted[0]), wanted)
    assert present(loader) == before
    assert present(loader) == batch_of(range(*wanted)[:1], 1)


def test_examples_in_places(twelve):
    """One at a time, where one wants it."""
    loader = evalloader.EvalLoader(twelve, 8, 10)
    loader.next_example_(1)
    loader.next_example_(0)

    assert present(loader) == batch_of([1, 0], 2)
    for place in (2, -1):
        with pytest.raises(ValueError, match=rf"(?<![\d-]){place}(?!\d)"):
            loader.next_example_(place)
    last = evalloader.EvalLoader(twelve, 8, 10, 4, 5)
    with pytest.raises(ValueError, match=r"."):
        last.next_example_(0)


def test_statistics(twelve):
    """Of the present batch, and of nothing else."""
    loader = evalloader.EvalLoader(twelve, 20, 10)
    losses = np.ones((20, 10))
    losses[[0, 7, 10, 14, 16]] = 0.5
    counts = [loader.stat_losses(losses)]
    for _ in range(4):
        loader.next_batch()
        counts.append(loader.stat_losses(losses))

    assert counts == [0, 3, 0, 1, 0]
    for shape in ((20, 9), (16, 10), (200,)):
        with pytest.raises(ValueError, match=r"."):
            loader.stat_losses(np.ones(shape))


def test_closed(twelve):
    """Nothing more comes, and the present batch can still be judged."""
    loader = evalloader.EvalLoader(twelve, 4, 10)
    loader.next_batch()
    loader.close()
    loader.close()

    for method, args in ((loader.reset, ()), (loader.next_batch, ()), (loader.next_example_, (0,))):
        with pytest.raises(ValueError, match=r"."):
            method(*args)
        assert loader.stat_losses(np.ones((4, 10))) == 1


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ((6, 10), "6"), ((0, 10), "0"), ((2, 10), "2"), ((-4, 10), "-4"), ((4, 6), r"twelve\.bin"),
        ((4, 6), r"\b6\b"), ((4, 10, 1, 1), ""), ((4, 10, -1, 2), ""), ((4, 10, 0, 13), ""),
    ],
)
def test_constructor(twelve, args, named):
    """All is checked at once."""
    with pytest.raises(ValueError, match=named):
        evalloader.EvalLoader(twelve, *args)
    assert evalloader.EvalLoader(twelve, 4, 7).T == 7
    twelve.write_bytes(twelve.read_bytes()[:-2])
    with pytest.raises(ValueError, match=r"twelve\.bin"):
        evalloader.EvalLoader(twelve, 4, 10)
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch09` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - `llm.c` reads your files: its `EvalLoader` expects this very format, and prints HellaSwag's
#   accuracy while it trains.
# - HellaSwag itself comes as lines of JSON with the same three names as the course's questions, so
#   the cell that made `exam` makes an eval file of it, with GPT-2's ids from chapter 3.
# - What was predicted where, and which losses count, comes back in every kind of fine-tuning: there
#   too, only the answers are masked in.
