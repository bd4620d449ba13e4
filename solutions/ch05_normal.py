# ---
# jupyter:
#   course:
#     title: "Uniform, normal, shuffled"
#     module: normal
#     aliases: [A0.1b]
#     needs: [ch04_mt19937]
#     packages: [numpy]
#     minutes: 120
#     difficulty: 3
#     importance: 5
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Uniform, normal, shuffled
#
# **120 minutes | difficulty 3 of 5 | importance 5 of 5 | needs chapter 4**
#
# Chapter 4 ended with words of 32 random bits. In this chapter you make of them what a model is
# made with: uniform numbers, normal ones, and shuffled orders, drawn in PyTorch's way, so that
# one seed gives you PyTorch's weights.

# %% [markdown]
# Why bother? A GPT-2 begins as 124 million numbers, nearly all normal, and an epoch as a shuffle.
# If yours are those of the reference, losses can be compared from the first step on. If they only
# look normal, a mistake shows as a curve that is slightly off, and nobody knows why.

# %% [markdown]
# ## What you will build
#
# | part | functions | points |
# |---|---|---|
# | [Uniform numbers](#Uniform-numbers) | `uniform_` | 16 |
# | [From a square to a bell](#From-a-square-to-a-bell) | `normal_fill_16` | 14 |
# | [Sixteen at a time](#Sixteen-at-a-time) | `normal_fill` | 12 |
# | [Any length](#Any-length) | `normal_` | 22 |
# | [Shuffling](#Shuffling) | `init_identity_permutation`, `random_permutation` | 4 + 12 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |

# %%
import itertools
import time
from collections import Counter

import matplotlib.pyplot as plt

from autograder.learn import check, check_tests
from llmdata.rand import manual_seed

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# From chapter 4 you need the state and four ways to draw from it.

# %% given="draws"
import math

import numpy as np

from llmdata.rand import MT19937State, randfloat32, randfloat64, randint32, randint32_array

# %% [markdown]
# ## Filled in place
#
# In PyTorch, a method whose name ends in `_` **fills the array it is given**. All functions of this
# chapter do that, whatever they are called, and return nothing. Numbers are float32. Arrays have
# one dimension (a matrix `m` is filled through `m.reshape(-1)`), unless a text says otherwise.
#
# Mind the difference between filling an array and giving its name to another one:

# %%
def renames(data):
    data = data + 1
    print("inside:", data)


def fills(data):
    data[:] = data + 1
    print("inside:", data)


first, second = np.zeros((2, 3), dtype=np.float32)
renames(first)
fills(second)
first, second

# %% [markdown]
# In all functions of this chapter, a state of `None` draws zeros, as in chapter 4. That comes
# by itself if you draw with chapter 4's functions only.

# %% [markdown]
# ## Uniform numbers
#
# `uniform_` fills an array with numbers of [`from_`, `to`). Each takes one word, in the order of
# the array: `randfloat32(state) * (to - from_) + from_`.
#
# By hand: the first word of seed 137 gives `randfloat32` 0.6256541, as in chapter 4. On [-2, 5)
# that is 0.6256541 * 7 - 2 = **2.3795787**.

# %%
state = MT19937State()
manual_seed(state, 137)
first = randfloat32(state)
first, first * np.float32(7) - np.float32(2)

# %% [markdown]
# Ten million calls of `randfloat32` take their time. Draw with `randint32_array` instead, and do
# the same to a whole array: keep the low 24 bits, make float32 of them, scale by `2**-24`. There is
# a trap on the way:

# %%
low = np.array([10496734, 9619750], dtype=np.uint32)  # the low 24 bits of seed 137's first words
(low * np.float32(2**-24)).dtype, (low.astype(np.float32) * np.float32(2**-24)).dtype

# %% [markdown]
# uint32 times float32 is **float64**, since no float32 holds every uint32. The numbers are
# right, but take twice the memory, and what is computed with them is no longer what PyTorch
# computes. `data[:] = low` makes float32 of the whole numbers first, without rounding.

# %% [markdown]
# Write `uniform_`. An empty array draws nothing. On [0, 1) your numbers must be exactly
# `randfloat32`'s. Elsewhere they may be off by rounding: up to 16 in size, 0.000001 is allowed.

# %% solve="uniform_"
def uniform_(data: np.ndarray, from_: float, to: float, state: MT19937State | None) -> None:
    """Fill `data`, a float32 array of shape (n,), with numbers of [from_, to), one word each.

    By hand: seed 137 gives 0.6256541 first; on [-2, 5) that is 0.6256541 * 7 - 2 = 2.3795787.
    """
    # TODO (ch05_normal): draw a word for each number, keep 24 bits, scale and shift.
    # HINT: data[:] = whole numbers below 2**24 rounds nothing; then go on with data *= and data +=.
    ### BEGIN SOLUTION
    data[:] = randint32_array(state, len(data)) & 0xFFFFFF
    data *= np.float32(2**-24)
    data *= np.float32(to - from_)
    data += np.float32(from_)
    ### END SOLUTION


# %% example="uniform_"
manual_seed(state, 137)
data = np.zeros(3, dtype=np.float32)
uniform_(data, -2, 5, state)
assert abs(data[0] - 2.3795787) < 1e-6

# %% check="uniform_" points=16
check("uniform_")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("uniform_")
### END HIDDEN TESTS

# %% [markdown] hints="uniform_"
# <details><summary>Hint 1: where to begin</summary>
#
# First write a loop over `range(len(data))` with `randfloat32`. When it is right, replace the n
# calls by one of `randint32_array(state, len(data))`.
#
# </details>
#
# <details><summary>Hint 2: is the array still full of zeros?</summary>
#
# `data = ...` gives the name to a new array. `data[:] = ...`, `data *= ...` and `data += ...`
# change the one you were given, and keep it float32.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `data[:] = randint32_array(state, len(data)) & 0xFFFFFF`, then `data *= 2**-24`, then `data *=
# to - from_`, then `data += from_`.
#
# </details>

# %% [markdown]
# `torch.empty(3).uniform_(-2, 5)` after seed 137 is 2.3795786, 2.0136724, 2.6709001:

# %%
[float(x) for x in data]

# %% [markdown]
# The third is not the same to the last digit. Your float32 array is rounded after the
# multiplication and again after the addition, **twice**; PyTorch computes both steps in one and
# rounds **once**. How many of ten thousand numbers does that change, and by how much?

# %%
manual_seed(state, 137)
twice, u = np.zeros((2, 10_000), dtype=np.float32)
uniform_(twice, -2, 5, state)
manual_seed(state, 137)
uniform_(u, 0, 1, state)
once = (u.astype(np.float64) * 7 - 2).astype(np.float32)  # float64 is wide enough for both steps
float(np.mean(twice != once)), float(abs(twice - once).max())

# %% [markdown]
# A third of them, by less than a millionth. On [0, 1), and on [0, 0.5), no step rounds, and nothing
# differs.
#
# Rounding has one more effect. On [1, 2) the largest `u`, one in 16 million, lands on 2 itself.
# PyTorch 2.13 makes a 1 of such a number; yours may stay as it is.

# %%
np.float32(1 - 2**-24) * np.float32(2 - 1) + np.float32(1)

# %% [markdown]
# ## From a square to a bell
#
# How do you make *normal* numbers, the bell curve's, of uniform ones? Box and Muller found in
# 1958: take two uniform numbers, and let one decide how far to go and the other in which
# direction.
#
# ```
# radius = sqrt(-2 * log(u1))        far if u1 is small
# theta  = 2 * pi * u2               once around the circle
# ```
#
# The point you reach has the coordinates `radius * cos(theta)` and `radius * sin(theta)`, and
# those are **two** normal numbers, independent of each other.

# %% [markdown]
# By hand: `u1` = 0.5 and `u2` = 1/6.
#
# - log(0.5) = -0.693147, so the radius is the root of 1.386294, which is 1.177410.
# - A sixth of the circle is 60 degrees: its cosine is 0.5 and its sine 0.866025.
# - The two numbers are 1.177410 * 0.5 = **0.588705** and 1.177410 * 0.866025 = **1.019667**.

# %% [markdown]
# Where does the transformation carry the square of all (`u1`, `u2`)? Cut the square into stripes
# and follow each into the plane, and your own point with them.

# %%
def carried(u1, u2):
    """Box and Muller's point."""
    radius, theta = np.sqrt(-2 * np.log(u1)), 2 * np.pi * u2
    return radius * np.cos(theta), radius * np.sin(theta)


line = np.linspace(0.001, 1, 500)
figure, (square, plane) = plt.subplots(1, 2, figsize=(8, 4))
for k in range(1, 10):  # u1 = 0.1, 0.2, ... 0.9: solid lines, which become circles
    for panel, points in ((square, (0 * line + k / 10, line)), (plane, carried(k / 10, line))):
        panel.plot(*points, "k-", linewidth=1)
for k in range(12):  # u2 = 0, 1/12, ... 11/12: dotted lines, which become rays
    for panel, points in ((square, (line, 0 * line + k / 12)), (plane, carried(line, k / 12))):
        panel.plot(*points, "k:", linewidth=1)
square.plot(0.5, 1 / 6, "ko", markersize=9)
plane.plot(*carried(0.5, 1 / 6), "ko", markersize=9)
square.set(title="two uniform numbers", xlabel="u1", ylabel="u2", aspect="equal")
plane.set(title="two normal numbers", xlabel="radius * cos(theta)", ylabel="radius * sin(theta)",
          aspect="equal", xlim=(-3, 3), ylim=(-3, 3))
plt.show()

# %% [markdown]
# Solid lines become circles, dotted ones rays. Every stripe between two solid lines holds a tenth
# of all points, so a tenth lands in each ring. Near the middle a tenth is crowded; the outermost,
# `u1` below 0.1, has room to infinity. That is the bell, seen from above.

# %% [markdown]
# PyTorch does this to **sixteen** uniform numbers at once, since a processor has instructions
# for eight float32 at a time. The first eight give `u1`, the last eight `u2`: `data[t]` and
# `data[t + 8]` are a pair. For t = 0 ... 7:
#
# ```
# u1 = 1 - data[t]                                  never 0, so the log is finite
# u2 = data[t + 8]
# radius = sqrt(-2 * log(u1 + 1e-12))
# theta = 2 * pi * u2
# data[t]     = radius * cos(theta) * std + mean
# data[t + 8] = radius * sin(theta) * std + mean
# ```

# %% [markdown]
# Every step is float32, and `+ 1e-12` is why that matters. In float32, 1 + 1e-12 **is** 1, and
# its log is 0. In float64 it is more than 1, its log is positive, and what is the root of -2
# times that?

# %%
with np.errstate(invalid="ignore"):
    print([np.sqrt(-2 * np.log(kind(1) + kind(1e-12))) for kind in (np.float32, np.float64)])

# %% [markdown]
# Not a number, in the one case of 16 million in which `data[t]` is 0. The 62 million pairs of a
# GPT-2 meet it about four times.

# %% [markdown]
# Write `normal_fill_16`. The array has shape (16,), or (k, 16): k blocks that are done at once.
# `data[..., :8]` is the first half of a block in both cases. Results count as right within
# 0.000003 (for a `std` of 1; it grows with `std`).

# %% solve="normal_fill_16"
def normal_fill_16(data: np.ndarray, mean: float, std: float) -> None:
    """Make normal numbers of uniform ones, in place, pairing t with t + 8.

    `data` is float32 of shape (16,), or (k, 16) for k blocks, and holds numbers of [0, 1).

    By hand: data[0] = 0.5 and data[8] = 1/6 become 0.588705 and 1.019667 (mean 0, std 1).
    """
    # TODO (ch05_normal): radius from the first eight, angle from the last eight, all in float32.
    # HINT: np.float32(1e-12) and np.float32(2 * np.pi) keep float32; use u2 before overwriting it.
    ### BEGIN SOLUTION
    u1 = 1 - data[..., :8]
    u2 = data[..., 8:]
    radius = np.sqrt(-2 * np.log(u1 + np.float32(1e-12))) * np.float32(std)
    theta = np.float32(2 * np.pi) * u2
    data[..., :8] = radius * np.cos(theta) + np.float32(mean)
    data[..., 8:] = radius * np.sin(theta) + np.float32(mean)
    ### END SOLUTION


# %% example="normal_fill_16"
block = np.zeros(16, dtype=np.float32)
block[0], block[8] = 0.5, 1 / 6
normal_fill_16(block, 0, 1)
assert abs(block[0] - 0.588705) < 3e-6
assert abs(block[8] - 1.019667) < 3e-6
assert block[1] == 0  # u1 = 1 - 0: no way to go

# %% check="normal_fill_16" points=14
check("normal_fill_16")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("normal_fill_16")
### END HIDDEN TESTS

# %% [markdown] hints="normal_fill_16"
# <details><summary>Hint 1: where to begin</summary>
#
# No loop is needed: `u1 = 1 - data[..., :8]` is eight numbers, and `np.sqrt`, `np.log`, `np.cos`
# and `np.sin` take them all at once.
#
# </details>
#
# <details><summary>Hint 2: the second half is wrong?</summary>
#
# `data[..., 8:]` is a view: once you write into it, `u2` has changed. Compute `theta` before you
# write anything. And `radius` depends on `u1`, which `1 - ...` has copied already.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `radius = np.sqrt(-2 * np.log(u1 + np.float32(1e-12)))`, `theta = np.float32(2 * np.pi) *
# data[..., 8:]`, then `data[..., :8] = radius * np.cos(theta) * std + mean`, and the same with
# `np.sin` for `data[..., 8:]`.
#
# </details>

# %% [markdown]
# ## Sixteen at a time
#
# `normal_fill` fills the whole array with uniform numbers of [0, 1) first, then transforms block
# after block. Most lengths are no multiple of 16, and what PyTorch does with the rest is curious:
# it draws uniform numbers for the **last sixteen once more** and transforms those, over the
# normal numbers that some of them were already.

# %% [markdown]
# By hand, n = 20. Twenty words go into places 0 ... 19. Places 0 ... 15 are a block and become
# normal. Four are left over, so words 21 ... 36 go into places 4 ... 19, and those become normal.
# Of the first block, places 0 ... 3 survive, and 36 words are used.

# %% [markdown]
# Every number is made of two words. Which two words make which place, with n = 16, 32 and 37?

# %%
def words_of(n):
    """The two words that each place is made of; the first word is 1."""
    words = np.zeros((n, 2), dtype=int)
    pair = np.arange(16)[:, None] % 8 + [1, 9]  # of each place of a block
    for start in range(0, n - n % 16, 16):
        words[start : start + 16] = start + pair
    if n % 16:
        words[-16:] = n + pair
    return words


figure, axes = plt.subplots(1, 3, figsize=(8, 3.2), sharey=True)
for panel, n in zip(axes, (16, 32, 37), strict=True):
    panel.vlines(range(n), *words_of(n).T, colors="0.7", linewidth=1)
    panel.plot(words_of(n), "k.", markersize=4)
    panel.set(title=f"n = {n}", xlabel="place")
axes[0].set_ylabel("its two words")
plt.show()

# %% [markdown]
# A block climbs twice: places t and t + 8 share their words. With n = 37, words 1 ... 37 are
# drawn, and then 38 ... 53 for the last sixteen places. Places 21 ... 31 were normal before and are
# overwritten; places 16 ... 20 stay, without the partners they were made with.

# %% [markdown]
# Write `normal_fill`, with your two functions. With fewer than 16 places there are no last
# sixteen: raise a `ValueError` whose message has the length, before anything is drawn. Numbers are
# graded, speed is not; but `data[...].reshape(-1, 16)` is a view of many blocks, and
# `normal_fill_16` takes them all at once.

# %% solve="normal_fill"
def normal_fill(data: np.ndarray, mean: float, std: float, state: MT19937State | None) -> None:
    """Fill `data`, a float32 array of shape (n,) with n >= 16, with normal numbers.

    By hand: n = 20 draws 20 words, then 16 more for places 4 ... 19; places 0 ... 3 keep what
    the first 16 words made of them.

    Raises:
        ValueError: n is less than 16.
    """
    # TODO (ch05_normal): uniform numbers everywhere, whole blocks, then the last sixteen again.
    # HINT: data[-16:] is a view: filling it fills the end of data.
    ### BEGIN SOLUTION
    n = len(data)
    if n < 16:
        raise ValueError(f"normal_fill needs at least 16 numbers, got {n}")
    uniform_(data, 0, 1, state)
    blocks = data[: n - n % 16].reshape(-1, 16)
    for start in range(0, len(blocks), 1024):  # 64 KB at a time stay in the processor's cache
        normal_fill_16(blocks[start : start + 1024], mean, std)
    if n % 16:
        tail = data[-16:]
        uniform_(tail, 0, 1, state)
        normal_fill_16(tail, mean, std)
    ### END SOLUTION


# %% example="normal_fill"
state = MT19937State()
manual_seed(state, 137)
twenty, sixteen = np.zeros(20, dtype=np.float32), np.zeros(16, dtype=np.float32)
normal_fill(twenty, 0, 1, state)
assert state.next == 36  # words used
manual_seed(state, 137)
normal_fill(sixteen, 0, 1, state)
assert twenty[:4].tolist() == sixteen[:4].tolist()
assert twenty[4] != sixteen[4]

# %% check="normal_fill" points=12
check("normal_fill")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("normal_fill")
### END HIDDEN TESTS

# %% [markdown] hints="normal_fill"
# <details><summary>Hint 1: where to begin</summary>
#
# Four steps in this order: the check of the length, `uniform_` on all of `data`, the whole blocks,
# and the last sixteen if `n % 16` is not 0.
#
# </details>
#
# <details><summary>Hint 2: what is drawn again?</summary>
#
# The places left over hold uniform numbers after the first step. Yet all sixteen of the last block
# are drawn again, among them those that are normal already: `uniform_(data[-16:], 0, 1, state)`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `uniform_(data, 0, 1, state)`, `normal_fill_16(data[: n - n % 16].reshape(-1, 16), mean, std)`,
# and if `n % 16`: `uniform_(data[-16:], 0, 1, state)` and `normal_fill_16(data[-16:], mean, std)`.
#
# </details>

# %% [markdown]
# `torch.randn(16)` after seed 137 begins with 1.1220245, -0.6631278, -0.5289731:

# %%
[float(x) for x in sixteen[:3]]

# %% [markdown]
# The last digits may differ from PyTorch's, and PyTorch's from one processor to the next: with
# vector instructions it takes its own approximations of log, sine and cosine. So from sixteen
# numbers on, 0.000003 is allowed, and only the words are compared exactly.

# %% [markdown]
# ## Any length
#
# `normal_` is what the rest of the course calls. From sixteen numbers on it is `normal_fill`.
# Below, PyTorch goes another way, in **float64**, pair by pair:
#
# ```
# u1 = randfloat64(state)                    here the angle comes first,
# u2 = randfloat64(state)                    then the radius
# radius = sqrt(-2 * log(1 - u2))
# theta = 2 * pi * u1
# ```
#
# The first number of the pair is `radius * cos(theta) * std + mean`. The second, with the sine, is
# for the next place; if there is none, it is dropped.

# %% [markdown]
# By hand, seed 137, one number: `randfloat64` gives 0.0052331 and 0.3381716.
#
# - log(1 - 0.3381716) = -0.4127490, and the radius is the root of 0.8254980, which is 0.9085692.
# - theta = 2 * pi * 0.0052331 = 0.0328805, its cosine is 0.9994595, its sine 0.0328746.
# - The number is 0.9085692 * 0.9994595 = **0.908078**, and `torch.randn(1)` gives it too. A second
#   number would be 0.9085692 * 0.0328746 = 0.029869, from the same four words.

# %% [markdown]
# | numbers | words used | how |
# |---|---|---|
# | 1 or 2 | 4 | a pair takes two `randfloat64`, of two words each |
# | 15 | 32 | eight pairs |
# | 16 | 16 | one block |
# | 17 | 33 | 17, and 16 for the last sixteen |

# %% [markdown]
# Write `normal_`. An empty array draws nothing. `math.log1p(-u2)` is log(1 - u2) without the
# rounding of `1 - u2`; with it, and float64 up to the end, every number below sixteen is
# PyTorch's **to the last bit**. The C code that this course follows uses float32 here and is off a
# little. So 0.000002 is allowed (for a `std` of 1) in a pair $a, b$ whose radius, the root of
# $a^2 + b^2$ before `std` and `mean`, is between 0.1 and 2.4. Outside of that float32 has too few
# digits for $1 - u_2$, and no hidden test asks.

# %% solve="normal_"
def normal_(data: np.ndarray, mean: float, std: float, state: MT19937State | None) -> None:
    """Fill `data`, a float32 array of shape (n,), with normal numbers as PyTorch does.

    By hand: seed 137, n = 1: the angle is 2 * pi * 0.0052331, the radius sqrt(-2 * log(1 -
    0.3381716)) = 0.9085692, and the number 0.9085692 * 0.9994595 = 0.908078.
    """
    # TODO (ch05_normal): normal_fill from 16 numbers on; below, pairs from randfloat64.
    # HINT: math.sqrt, math.log1p, math.cos on Python floats are float64; mind an odd length.
    ### BEGIN SOLUTION
    n = len(data)
    if n >= 16:
        normal_fill(data, mean, std, state)
        return
    for t in range(0, n, 2):
        u1 = randfloat64(state)
        u2 = randfloat64(state)
        radius = math.sqrt(-2 * math.log1p(-u2))
        theta = 2 * math.pi * u1
        data[t] = radius * math.cos(theta) * std + mean
        if t + 1 < n:
            data[t + 1] = radius * math.sin(theta) * std + mean
    ### END SOLUTION


# %% example="normal_"
state = MT19937State()
manual_seed(state, 137)
one = np.zeros(1, dtype=np.float32)
normal_(one, 0, 1, state)
assert abs(one[0] - 0.908078) < 2e-6
assert state.next == 4  # words used

# %% check="normal_" points=22
check("normal_")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("normal_")
### END HIDDEN TESTS

# %% [markdown] hints="normal_"
# <details><summary>Hint 1: where to begin</summary>
#
# If `len(data) >= 16`, call `normal_fill` and you are done. Below, go through the array in steps
# of two: `for t in range(0, n, 2)`.
#
# </details>
#
# <details><summary>Hint 2: right for one number only?</summary>
#
# A pair gives two numbers: place t gets the one with the cosine and place t + 1 the one with the
# sine, with no drawing in between. With an odd length the last pair has no place t + 1.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `u1 = randfloat64(state)`, `u2 = randfloat64(state)`, `radius = math.sqrt(-2 *
# math.log1p(-u2))`, `theta = 2 * math.pi * u1`, `data[t] = radius * math.cos(theta) * std +
# mean`, and if `t + 1 < n`, the same with `math.sin` into `data[t + 1]`.
#
# </details>

# %% [markdown]
# A whole stream, as PyTorch gives it after seed 137: five words, eight normal numbers (the first
# is 0.79476643), the word 2186503452, sixteen normal numbers (the first is -1.2813878), the word
# 2756748748.

# %%
manual_seed(state, 137)
five = [randint32(state) for _ in range(5)]
eight, sixteen = np.zeros(8, dtype=np.float32), np.zeros(16, dtype=np.float32)
normal_(eight, 0, 1, state)
print(eight[0], randint32(state))
normal_(sixteen, 0, 1, state)
print(sixteen[0], randint32(state))

# %% [markdown]
# One difference is left. PyTorch keeps an unused sine **beyond** the call: `torch.randn(3)` after
# `torch.randn(5)` begins with the sine of the five's last pair. Here every call begins with a new
# pair, as in the C code. So below sixteen, compare with PyTorch right after seeding, or use even
# lengths.

# %% [markdown]
# Do a million of them lie under the bell? Look at their density, and at the same on a logarithmic
# scale, where the rare ones show.

# %%
manual_seed(state, 137)
million = np.zeros(1_000_000, dtype=np.float32)
normal_(million, 0, 1, state)
x = np.linspace(-5.5, 5.5, 400)

figure, axes = plt.subplots(1, 2, figsize=(8, 3.2))
for panel in axes:
    panel.hist(million, bins=np.linspace(-5.5, 5.5, 111), density=True, color="0.75", label="yours")
    panel.plot(x, np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), "k-", linewidth=1, label="bell")
    panel.set_xlabel("value")
axes[0].set_ylabel("density")
axes[0].legend()
axes[1].set(yscale="log", ylim=(1e-6, 1))
plt.show()

# %% [markdown]
# They do, out to where a bar stands for a handful of numbers. How far can they go at all? The
# smallest `u1` is `2**-24`, so the largest radius is

# %%
float(np.sqrt(-2 * np.log(2.0**-24))), float(abs(million).max())

# %% [markdown]
# How fast is it? Ten million numbers, from your function and from NumPy's older generator, which
# draws from a Mersenne Twister too:

# %%
ten_million = np.zeros(10_000_000, dtype=np.float32)
started = time.perf_counter()
normal_(ten_million, 0, 0.02, state)
between = time.perf_counter()
np.random.RandomState(137).standard_normal(10_000_000)
print(f"yours {between - started:.2f} s, NumPy's {time.perf_counter() - between:.2f} s")

# %% [markdown]
# ## Shuffling
#
# A shuffle needs something to shuffle: `init_identity_permutation` puts i into place i. By hand:
# four places become **0 1 2 3**.
#
# Permutations are int64 here, the type that NumPy makes of a range and indexes with. Your
# functions should fill any integer array, int32 too.

# %% solve="init_identity_permutation"
def init_identity_permutation(data: np.ndarray) -> None:
    """Fill `data`, an integer array of shape (n,), with 0 ... n - 1.

    By hand: four places become 0 1 2 3.
    """
    # TODO (ch05_normal): place i gets i.
    # HINT: np.arange makes the numbers; fill the array you were given with them.
    ### BEGIN SOLUTION
    data[:] = np.arange(len(data))
    ### END SOLUTION


# %% example="init_identity_permutation"
four = np.full(4, 9)
init_identity_permutation(four)
assert four.tolist() == [0, 1, 2, 3]

# %% check="init_identity_permutation" points=4
check("init_identity_permutation")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("init_identity_permutation")
### END HIDDEN TESTS

# %% [markdown] hints="init_identity_permutation"
# <details><summary>Hint 1: where to begin</summary>
#
# How many places has `data`? `len(data)`.
#
# </details>
#
# <details><summary>Hint 2: the right numbers</summary>
#
# `np.arange(n)` is 0 ... n - 1.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `data[:] = np.arange(len(data))`
#
# </details>

# %% [markdown]
# **Fisher-Yates from the top**: the last place is swapped with one of all places, itself
# included; the last but one with one of those up to it; and so on down to place 1.
#
# ```
# for i = n-1 down to 1:
#     j = randint32(state) % (i + 1)
#     swap data[i] and data[j]
# ```
#
# That takes n - 1 words, and none for an array of one place or no place.

# %% [markdown]
# By hand, 0 1 2 3 after seed 137, whose first words are 4053805790, 2173880614, 380293709:
#
# | i | word % (i + 1) = j | swap | the array |
# |---|---|---|---|
# | 3 | 4053805790 % 4 = 2 | places 3 and 2 | 0 1 3 2 |
# | 2 | 2173880614 % 3 = 1 | places 2 and 1 | 0 3 1 2 |
# | 1 | 380293709 % 2 = 1 | place 1 with itself | **0 3 1 2** |

# %% [markdown]
# Write `random_permutation`. It shuffles what the array holds, whatever that is.

# %% solve="random_permutation"
def random_permutation(data: np.ndarray, state: MT19937State | None) -> None:
    """Shuffle `data`, an integer array of shape (n,), in place, with n - 1 words.

    By hand: 0 1 2 3 after seed 137 is swapped at (3, 2), (2, 1), (1, 1) and becomes 0 3 1 2.
    """
    # TODO (ch05_normal): for i from n - 1 down to 1, swap place i and place word % (i + 1).
    # HINT: range(n - 1, 0, -1) counts down to 1; a, b = b, a swaps.
    ### BEGIN SOLUTION
    n = len(data)
    words = randint32_array(state, max(n - 1, 0))
    choices = words % np.arange(n, 1, -1)
    values = data.tolist()  # a list swaps faster than an array
    for i, j in zip(range(n - 1, 0, -1), choices.tolist(), strict=True):
        values[i], values[j] = values[j], values[i]
    data[:] = values
    ### END SOLUTION


# %% example="random_permutation"
state = MT19937State()
manual_seed(state, 137)
four = np.arange(4)
random_permutation(four, state)
assert four.tolist() == [0, 3, 1, 2]
assert state.next == 3  # words used

# %% check="random_permutation" points=12
check("random_permutation")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("random_permutation")
### END HIDDEN TESTS

# %% [markdown] hints="random_permutation"
# <details><summary>Hint 1: where to begin</summary>
#
# The loop above is nearly Python already. How does `range` count down, and where must it stop?
#
# </details>
#
# <details><summary>Hint 2: one off?</summary>
#
# The last i is 1, not 0. The remainder is by i + 1, so that j may be i: a card may stay where it
# is.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `for i in range(len(data) - 1, 0, -1):`, `j = randint32(state) % (i + 1)`, `data[i], data[j] =
# data[j], data[i]`.
#
# </details>

# %% [markdown]
# Why not the simpler shuffle that swaps *every* place with *any* place? Shuffle three cards
# 30,000 times each way, and count how often each of the six orders comes.

# %%
def simpler(data, state):
    for i in range(len(data)):
        j = randint32(state) % len(data)
        data[i], data[j] = data[j], data[i]


orders = ["".join(order) for order in itertools.permutations("012")]
figure, panel = plt.subplots()
for offset, (shuffle, color) in enumerate([(random_permutation, "0.3"), (simpler, "0.75")]):
    counts = Counter()
    for _ in range(30_000):
        cards = np.arange(3)
        shuffle(cards, state)
        counts["".join(map(str, cards))] += 1
    heights = [counts[order] for order in orders]
    panel.bar(np.arange(6) + 0.4 * offset, heights, 0.4, color=color, label=shuffle.__name__)
panel.axhline(5_000, color="k", linestyle=":")
panel.set(xticks=np.arange(6) + 0.2, xticklabels=orders, xlabel="order", ylabel="times")
panel.set_ylim(0, 7_500)
panel.legend(loc="upper right", ncols=2)
plt.show()

# %% [markdown]
# The simpler one can go in 3 * 3 * 3 = 27 ways, all equally likely, and 27 cannot be shared fairly
# among six orders. Fisher-Yates can go in 3 * 2 = 6 ways, one for each order.

# %% [markdown]
# Is it PyTorch's shuffle? **No.** `torch.randperm` walks forward from place 0 and takes
# `word % (n - i)`, so the same words give another order. After seed 137, `torch.randperm(10)` is 0
# 5 7 1 4 3 8 2 9 6, and yours is

# %%
manual_seed(state, 137)
ten = np.zeros(10, dtype=np.int64)
init_identity_permutation(ten)
random_permutation(ten, state)
ten.tolist()

# %% [markdown]
# Both are fair. The course follows the C code here, so that your data loader will see llm.c's
# batches in llm.c's order.

# %% [markdown]
# ## What goes wrong
#
# | slip | what you would see | caught by |
# |---|---|---|
# | new array in place of the old one | the array is as it was before | `test_uniform_golden` |
# | high 24 bits kept | no number is PyTorch's | `test_uniform_golden` |
# | same word for every number | all numbers are equal | `test_uniform_of_words` |
# | `1 - data[t]` forgotten | looks normal, is not PyTorch's | `test_pair_by_hand` |
# | neighbours paired | looks normal, in another order | `test_pairs_are_eight_apart` |
# | float64 slips in | `nan`, once in millions of numbers | `test_zeros_give_the_mean` |
# | overwritten before it is used | half of the numbers are wrong | `test_pair_by_hand` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | tail transformed without new words | n = 17 uses 17 words | `test_fill_golden` |
# | new words for the rest only | n = 17 uses 18 words | `test_fill_golden` |
# | angle and radius exchanged | looks normal, is not PyTorch's | `test_short_golden` |
# | sine thrown away | only every second number is right | `test_short_golden` |
# | limit at 17 | 16 numbers are not PyTorch's | `test_sixteen_is_a_block` |
# | remainder by i | no card ever stays in its place | `test_permutation_golden` |
# | swap with any place | some orders come more often | `test_permutation_golden` |
# | walk from the bottom | fair, but another order | `test_permutation_golden` |

# %% [markdown]
# ## Your own tests
#
# Here is a test. Run it; then write `n > 16` for `n >= 16` in your `normal_`. Does the test notice?
# Which lengths would?

# %%
def test_hundred_numbers_use_116_words():
    """100 numbers use 100 words, and 16 for the tail."""
    some = MT19937State()
    manual_seed(some, 137)
    normal_(np.zeros(100, dtype=np.float32), 0, 1, some)

    assert some.next == 116


test_hundred_numbers_use_116_words()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the two tables above. A bug that makes one of your tests fail
# is noticed. Notice every slip of the tables, and four bugs in five altogether.
#
# A test that fails on right code is refused, so allow what this chapter allows: 0.000001 for
# uniform numbers up to 16 in size, 0.000003 for normal ones and 0.000002 where there are fewer
# than sixteen, both times `std`. That 0.000002 is for pairs of a radius between 0.1 and 2.4, as
# about nineteen in twenty have. Take a seed that has only such pairs (137 is one), or compute the
# radius of each pair and leave the others out: in float32 they may be off by far more, and right.

# %% [markdown]
# Reach the functions through `normal`, and chapter 4's through `llmdata.rand`. An array that you
# hand over is filled, as in this notebook. Your tests are tried alone, so import or define in
# their cell what else they use. Right values need a source of their own: paper, PyTorch's numbers
# above, or NumPy (`np.random.RandomState(137).randint(0, 2**32, n, dtype=np.uint32)` are n words).

# %% tests="own_tests"
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import normal, rand


def test_one_pair_by_hand():
    # TODO (ch05_normal): replace this by a test, and add one for each slip that you can think of.
    # HINT: 0.5 and 1/6 are done on paper; then lengths 0, 1, 15, 16, 17, the next word, a shuffle.
    ### BEGIN SOLUTION
    data = np.zeros(16, dtype=np.float32)
    data[3], data[11] = 0.5, 1 / 6
    assert normal.normal_fill_16(data, 3, 2) is None

    assert abs(data[3] - 4.177410) < 6e-6
    assert abs(data[11] - 5.039334) < 6e-6
    assert np.delete(data, [3, 11]).tolist() == 14 * [3]


def seeded(seed=137, drawn=0):
    """A state after some draws."""
    state = rand.MT19937State()
    rand.manual_seed(state, seed)
    rand.randint32_array(state, drawn)
    return state


def numpys(n, seed=137, drawn=0):
    """NumPy's n words after some draws."""
    words = np.random.RandomState(seed).randint(0, 2**32, drawn + n, dtype=np.uint32)
    return words[drawn:].astype(np.int64)


def fraction(words):
    return words % 2**24 / 2**24


def block_of(words):
    """Box and Muller's sixteen numbers, in float64."""
    radius = np.sqrt(-2 * np.log(1 - fraction(words[:8])))
    angle = 2 * np.pi * fraction(words[8:16])
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])


def long(n, words):
    """n >= 16 normal numbers."""
    data = np.zeros(n)
    for start in range(0, n - 15, 16):
        data[start : start + 16] = block_of(words[start:])
    if n % 16:
        data[-16:] = block_of(words[n:])
    return data


def short(n, words):
    """n < 16 normal numbers."""
    data = []
    for a, b, c, d in words.reshape(-1, 4).tolist():
        u1, u2 = ((high << 32 | low) % 2**53 / 2**53 for high, low in ((a, b), (c, d)))
        radius, theta = np.sqrt(-2 * np.log1p(-u2)), 2 * np.pi * u1
        data += [radius * np.cos(theta), radius * np.sin(theta)]
    return np.array(data[:n])


@pytest.mark.parametrize(("low", "high", "allowed"), [(0, 1, 0), (-2, 5, 1e-6), (10, 11, 1e-6)])
def test_uniform_numbers_are_words_scaled(low, high, allowed):
    """One word each, 24 bits of it; exact where nothing rounds; in the array that is given."""
    state, data = seeded(drawn=5), np.full(100, 9, dtype=np.float32)
    assert normal.uniform_(data, low, high, state) is None

    wanted = fraction(numpys(100, drawn=5)) * (high - low) + low
    assert (abs(data - wanted) <= allowed).all()
    assert (state.next, data.dtype) == (105, np.float32)


def test_zeros_are_the_mean_and_largest_numbers_go_far():
    """Where data[t] is 0 so is the radius; just below 1 it is largest. Blocks stay apart."""
    blocks = np.zeros((3, 16), dtype=np.float32)
    blocks[1:, 8:] = 0.25
    blocks[2, :8] = 1 - 2**-24
    normal.normal_fill_16(blocks, 7, 1)

    assert blocks[:2].tolist() == [16 * [7]] * 2
    assert (abs(blocks[2, :8] - 7) < 6e-6).all()
    assert (abs(blocks[2, 8:] - 12.768108) < 1e-5).all()


@pytest.mark.parametrize("name", ["normal_fill", "normal_"])
@pytest.mark.parametrize("n", [16, 17, 31, 32, 40, 16_401])
def test_long_arrays(name, n):
    """Whole blocks, then the last sixteen again; mean and std count; any number of blocks."""
    state, data = seeded(drawn=2), np.zeros(n, dtype=np.float32)
    assert getattr(normal, name)(data, 3, 0.5, state) is None

    words = n + 16 * (n % 16 > 0)
    wanted = long(n, numpys(words, drawn=2)) * 0.5 + 3
    after = seeded(drawn=2 + words)
    assert (abs(data - wanted) < 3e-6).all()
    assert (state.left, state.next) == (after.left, after.next)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 15])
def test_short_arrays(n):
    """Pairs of float64 numbers, cosine first; an odd length drops the last sine."""
    state, data = seeded(drawn=3), np.zeros(n, dtype=np.float32)
    assert normal.normal_(data, 3, 0.5, state) is None

    words = 4 * ((n + 1) // 2)
    assert (abs(data - (short(n, numpys(words, drawn=3)) * 0.5 + 3)) < 1e-6).all()
    assert state.next == 3 + words


@pytest.mark.parametrize(("n", "first"), [(1, 0.908078), (16, 1.122025), (8, 0.908078)])
def test_pytorchs_numbers(n, first):
    """torch.randn(n) after seed 137."""
    data = np.zeros(n, dtype=np.float32)
    normal.normal_(data, 0, 1, seeded())

    assert abs(data[0] - first) < 3e-6


def test_too_short_for_a_block():
    """normal_fill names the length and draws nothing."""
    state = seeded(drawn=2)
    with pytest.raises(ValueError, match="15"):
        normal.normal_fill(np.zeros(15, dtype=np.float32), 0, 1, state)

    assert state.next == 2


@pytest.mark.parametrize("n", [5, 16])
def test_no_state_draws_zeros(n):
    """Without a state, every number is the lower end, or the mean."""
    for fill in (normal.uniform_, normal.normal_):
        data = np.zeros(n, dtype=np.float32)
        fill(data, 3, 4, None)

        assert data.tolist() == n * [3]


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_identity(n, dtype):
    """Any integer array becomes 0 ... n - 1."""
    data = np.full(n, 9, dtype=dtype)
    assert normal.init_identity_permutation(data) is None

    assert (data.tolist(), data.dtype) == (list(range(n)), dtype)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(0, 40))
@settings(max_examples=10, deadline=None)
def test_fisher_yates_from_the_top(seed, n):
    """Swaps by the words in turn, whatever the array holds; n - 1 words are used."""
    state, data = seeded(seed), 100 + np.arange(n)
    assert normal.random_permutation(data, state) is None

    wanted, words = list(range(100, 100 + n)), iter(numpys(max(n - 1, 0), seed).tolist())
    for i in range(n - 1, 0, -1):
        j = next(words) % (i + 1)
        wanted[i], wanted[j] = wanted[j], wanted[i]
    assert data.tolist() == wanted
    assert state.next == max(n - 1, 0)
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch05` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - Chapter 8 shuffles shards, and the samples in them, with `init_identity_permutation` and
#   `random_permutation`, and saves the state, so that an interrupted run goes on in the same
#   order.
# - Initial weights are `normal_(data, 0, 0.02, state)`. With the seed of a reference run they are
#   that run's weights, and losses can be compared from the first step on.
