# ---
# jupyter:
#   course:
#     title: "Choosing the next token"
#     module: sampler
#     aliases: [A0.4]
#     needs: []
#     packages: [numpy]
#     minutes: 90
#     difficulty: 2
#     importance: 4
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Choosing the next token
#
# **90 minutes | difficulty 2 of 5 | importance 4 of 5 | needs no other chapter**
#
# A language model never says a word. It gives one number for each token of its vocabulary, a
# *logit*, and something has to pick. In this chapter you build that something: a cheap random
# number, a softmax, and a walk. Then you teach it to be bolder, more careful, and fast.

# %% [markdown]
# Why bother? The sampler is the last step between a model and its text, and it runs once a
# token. A slip here is hard to see: the text still reads like text, only a token that should be
# impossible comes up once in a thousand pages, or the same prompt tells another story on another
# machine.

# %% [markdown]
# ## What you will build
#
# | part | functions | points |
# |---|---|---|
# | [A cheap random number](#A-cheap-random-number) | `random_u32`, `random_f32` | 12 + 8 |
# | [From logits to weights](#From-logits-to-weights) | `softmax_weights` | 10 |
# | [The walk](#The-walk) | `sample_softmax` | 18 |
# | [Temperature](#Temperature) | `apply_temperature` | 8 |
# | [Only the best](#Only-the-best) | `top_k`, `top_p` | 8 + 8 |
# | [Fifty thousand at once](#Fifty-thousand-at-once) | `sample_softmax_fast` | 8 |
# | [Your own tests](#Your-own-tests) | tests, graded by planted bugs | 20 |

# %%
import timeit

import matplotlib.pyplot as plt

from autograder.learn import check, check_tests

plt.rcParams.update({"figure.figsize": (8, 3), "figure.constrained_layout.use": True})

# %% [markdown]
# ## A cheap random number
#
# PyTorch's Mersenne Twister carries 624 words of state, since weights and shuffles have to match
# PyTorch bit for bit. Nothing here has to. llm.c samples with *xorshift\**, and its whole state is
# one number of 64 bits.

# %% given="state"
import math
from dataclasses import dataclass

import numpy as np

MASK64 = 2**64 - 1  # 64 ones
MULTIPLIER = 0x2545F4914F6CDD1D  # Vigna's, for xorshift64*
SAFE = 64.0  # exp of a larger logit, or of one below -64, may leave float32's range
LARGE = 1e38  # two numbers no larger have a difference that float32 can hold


@dataclass(eq=False)  # two states are equal only if they are the same one
class XorshiftState:
    """The state of one xorshift* generator: an int of 1 ... 2**64 - 1."""

    state: int = 1337


# %% [markdown]
# A draw stirs the state three times and then multiplies it. `^` is *exclusive or*, and every line
# keeps 64 bits:
#
# ```
# x ^= x >> 12
# x ^= x << 25
# x ^= x >> 27                      this x is the new state
# x * 0x2545F4914F6CDD1D            the high 32 of these 64 bits are the number drawn
# ```
#
# The product is only for the outside: it does **not** go back into the state.

# %% [markdown]
# By hand, from state 1, in hexadecimal:
#
# | step | x |
# |---|---|
# | start | 1 |
# | `x >> 12` is 0 | 1 |
# | `x << 25` is 0x2000000 | 0x2000001 |
# | `x >> 27` is 0 | 0x2000001 = 33554433, the new state |
#
# Multiplying by 0x2000001 means: shift the multiplier 25 bits to the left and add it once more.
# Shifted by 24 bits it loses its first six digits, 0x914F6CDD1D000000; doubled, it loses a one in
# front, 0x229ED9BA3A000000; plus 0x2545F4914F6CDD1D that makes

# %%
hex(0x229ED9BA3A000000 + 0x2545F4914F6CDD1D)

# %% [markdown]
# The high half is 0x47E4CE4B = **1206177355**. All 16 digits are what the authors of other
# xorshift64\* libraries find for seed 1.
#
# Write `random_u32`. It changes the state in place and returns a plain int of 0 ... `2**32 - 1`.
# The state may be a NumPy integer, as a seed often is; after the draw it is a plain int.

# %% solve="random_u32"
def random_u32(state: XorshiftState) -> int:
    """Draw 32 bits: a plain int of 0 ... 2**32 - 1. The new state is a plain int too.

    By hand: state 1 becomes 33554433 and gives 0x47E4CE4B = 1206177355. State 0 stays 0.
    """
    # TODO (ch11_sampler): three shifts that change the state, then the high half of a product.
    # HINT: Python ints have no end, so keep 64 bits yourself with & MASK64, in two places.
    ### BEGIN SOLUTION
    x = int(state.state)
    x ^= x >> 12
    x ^= (x << 25) & MASK64
    x ^= x >> 27
    state.state = x
    return (x * MULTIPLIER & MASK64) >> 32
    ### END SOLUTION


# %% example="random_u32"
one = XorshiftState(1)
assert random_u32(one) == 1206177355
assert one.state == 33554433

# %% check="random_u32" points=12
check("random_u32")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("random_u32")
### END HIDDEN TESTS

# %% [markdown] hints="random_u32"
# <details><summary>Hint 1: where to begin</summary>
#
# `x = int(state.state)` gives a Python int to work on. Three lines change x; then x is the new
# state.
#
# </details>
#
# <details><summary>Hint 2: which bits?</summary>
#
# A shift to the right never makes a number longer. A shift to the left does, and so does the
# product: those two need `& MASK64`. The high 32 of 64 bits are what is left after `>> 32`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `x ^= x >> 12`, `x ^= (x << 25) & MASK64`, `x ^= x >> 27`, store x, then return
# `(x * MULTIPLIER & MASK64) >> 32`.
#
# </details>

# %% [markdown]
# What if the state is 0? Zero shifted is zero, and zero times anything is zero:

# %%
stuck = XorshiftState(0)
[random_u32(stuck) for _ in range(5)], stuck.state

# %% [markdown]
# 0 is a **fixed point**: once there, the generator never leaves. Neither llm.c nor your function
# calls that an error; but every coin you make of it is 0, and the sampler takes the first
# possible token each time. No other state leads to 0, so never seed with it and you are safe.

# %% [markdown]
# A coin is a number of [0, 1): 0 may happen, 1 never. Keep the high 24 bits of a word, which is as
# many as a float32 holds, and divide by `2**24`:
#
# By hand, from state 1: 1206177355 >> 8 is 4711630, and 4711630 / 16777216 = **0.28083503**. The
# largest coin is 16777215 / 16777216, just below 1.

# %% [markdown]
# Write `random_f32`. The result is an `np.float32`.

# %% solve="random_f32"
def random_f32(state: XorshiftState) -> np.float32:
    """Draw a coin: an np.float32 of [0, 1), a multiple of 2**-24. It takes one word.

    By hand: state 1 gives (1206177355 >> 8) / 16777216 = 4711630 / 16777216 = 0.28083503.
    """
    # TODO (ch11_sampler): the high 24 bits of a word, divided by 2**24, as np.float32.
    # HINT: make both sides of the division np.float32, and the quotient is one too.
    ### BEGIN SOLUTION
    return np.float32(random_u32(state) >> 8) / np.float32(1 << 24)
    ### END SOLUTION


# %% example="random_f32"
one = XorshiftState(1)
assert random_f32(one) == np.float32(4711630 / 16777216)

# %% check="random_f32" points=8
check("random_f32")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("random_f32")
### END HIDDEN TESTS

# %% [markdown] hints="random_f32"
# <details><summary>Hint 1: where to begin</summary>
#
# `random_u32(state) >> 8` drops the low 8 of 32 bits and leaves 24.
#
# </details>
#
# <details><summary>Hint 2: the type</summary>
#
# Whole numbers below `2**24` are exact in float32, so nothing is rounded. Dividing by `2**32`
# instead would round the largest words up to 1.0.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `np.float32(random_u32(state) >> 8) / np.float32(16777216)`
#
# </details>

# %%
state = XorshiftState()  # llm.c begins with 1337
[float(random_f32(state)) for _ in range(4)]

# %% [markdown]
# ## From logits to weights
#
# Softmax makes probabilities of logits: raise e to each, and divide by the sum. The sampler needs
# no division, so call exp(logit) the **weight** of a token. A logit of minus infinity has the
# weight 0: an impossible token.
#
# By hand: the logits 0, 0.6931472, 1.609438 are the logarithms of 1, 2 and 5. So the weights are
# **1, 2, 5**, their sum is 8, and the probabilities 1/8, 2/8, 5/8.

# %% [markdown]
# llm.c computes weights in float32, and float32 ends at 3.4e38. A single large logit is enough to
# break everything:

# %%
with np.errstate(over="ignore"):
    print(np.exp(np.float32([80, 89, 100])), np.exp(np.float32([-80, -104, -200])))

# %% [markdown]
# The cure is as old as softmax: subtract the largest logit from all. That divides each weight by
# the same number, so the probabilities stay the same, the largest weight is 1, and nothing
# overflows.
#
# The *probabilities* stay the same; the rounded float32 weights do not quite. So do it only where
# there is need: where the largest logit is **above 64 or below -64**. Everywhere else your weights
# are llm.c's, and you will choose the very token that it chooses.

# %% [markdown]
# Write `softmax_weights(logits, n)`. Models pad their vocabulary to a round number (GPT-2 has
# 50,257 tokens and llm.c computes 50,304 logits), so **only the first n logits count**, whatever
# stands behind them. `logits` is a list or an array and stays as it is; the result is a float32
# array of shape (n,), made by `np.exp` of float32 numbers: another exp may round the last bit
# otherwise. Two things are refused with a `ValueError`:
#
# - n below 1 or above the number of logits; the message has n;
# - a largest logit that isn't finite, which means: a `nan` anywhere among the n, an `inf`, or
#   nothing but `-inf`. The message has it: `nan`, `inf` or `-inf`.

# %% solve="softmax_weights"
def softmax_weights(logits: np.ndarray, n: int) -> np.ndarray:
    """exp of the first n logits: a float32 array of shape (n,), not normalised.

    If the largest of them is above 64 or below -64 it is subtracted from all first.

    By hand: the logits 0, 0.6931472, 1.609438 have the weights 1, 2, 5.

    Raises:
        ValueError: n is not 1 ... len(logits), or the largest of the n logits is not finite (nan,
            if there is one); the message has n, or that largest logit.
    """
    # TODO (ch11_sampler): check n, cut, find the largest, check it, subtract it if need be, exp.
    # HINT: max() of an array with a nan is nan; SAFE is 64.
    ### BEGIN SOLUTION
    if not 1 <= n <= len(logits):
        raise ValueError(f"n must be 1 to {len(logits)}, the number of logits, got {n}")
    logits = np.asarray(logits[:n], dtype=np.float32)
    largest = float(logits.max())
    if not math.isfinite(largest):
        raise ValueError(f"the largest logit must be finite, got {largest}")
    if abs(largest) > SAFE:
        logits = logits - np.float32(largest)
    return np.exp(logits)
    ### END SOLUTION


# %% example="softmax_weights"
logs = [0.0, 0.6931472, 1.609438]
assert softmax_weights(logs, 3).round(5).tolist() == [1, 2, 5]
assert softmax_weights([1000.0, 1000.0], 2).tolist() == [1, 1]

# %% check="softmax_weights" points=10
check("softmax_weights")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("softmax_weights")
### END HIDDEN TESTS

# %% [markdown] hints="softmax_weights"
# <details><summary>Hint 1: where to begin</summary>
#
# Check n first. Then `np.asarray(logits[:n], dtype=np.float32)` is all that counts from here on.
#
# </details>
#
# <details><summary>Hint 2: what is refused</summary>
#
# The largest logit tells everything: `math.isfinite(largest)` is false for `nan`, for `inf`, and
# for the `-inf` that is the largest of nothing but `-inf`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `largest = float(logits.max())`; if `abs(largest) > SAFE`, take `logits - largest`, a new array;
# return `np.exp(logits)`.
#
# </details>

# %% [markdown]
# ## The walk
#
# Lay the weights side by side on a line. The coin picks a point of that line; whoever's stretch it
# falls into is chosen. With weights 1, 2, 5 the line is 8 long:
#
# | coin | point on the line | running sums passed | chosen |
# |---|---|---|---|
# | 0.1 | 0.8 | none: 0.8 < 1 | 0 |
# | 0.25 | 2 | 1 | **1**, since 2 < 3 |
# | 0.5 | 4 | 1, 3 | 2, since 4 < 8 |
#
# So: add up all weights, scale the coin by the sum, and walk along the running sum until it
# **exceeds** the scaled coin.

# %% [markdown]
# The last bits decide, too. On a line of 50,000 stretches a coin often falls close to a border,
# and to choose llm.c's token you have to round as its C code rounds:
#
# | value | held in | in Python |
# |---|---|---|
# | the sum of the weights | float64 | a `float`, one weight after the other |
# | the scaled coin | float32 | `np.float32(float(coin) * total)` |
# | the running sum | float32 | an `np.float32`, one weight after the other |

# %% [markdown]
# The middle line holds a trap. In NumPy 2, `np.float32 * float` is a float32, and the float is
# rounded *before* the product. Rounding twice is not rounding once:

# %%
coin, total = np.float32(0.7), 3.0000001
float(coin * total), float(np.float32(float(coin) * total))

# %% [markdown]
# Three more corners:
#
# - a coin of 0 skips tokens of weight 0 at the beginning: 0 exceeds no 0;
# - float32 may lose so many small weights that the running sum never exceeds a coin just below 1.
#   Then the **last index**, n - 1, is the answer, whatever its weight;
# - the result is a plain int, not a NumPy integer.

# %% [markdown]
# Write `sample_softmax(logits, n, coin)`. `softmax_weights` does the first step, and refuses what
# it refuses. Coins are what `random_f32` gives.

# %% solve="sample_softmax"
def sample_softmax(logits: np.ndarray, n: int, coin: float) -> int:
    """The index that the coin chooses among the first n logits, as llm.c chooses it.

    The weights' sum is a float64, the coin scaled by it and the running sum are float32. The first
    index whose running sum exceeds the scaled coin; n - 1 if none does.

    By hand: weights 1, 2, 5 and a coin of 0.25, scaled to 2, give index 1: 2 < 1 + 2.

    Raises:
        ValueError: what softmax_weights refuses.
    """
    # TODO (ch11_sampler): add up the weights, scale the coin, walk until the sum exceeds it.
    # HINT: float(weight) is a float64; np.float32 plus np.float32 stays np.float32.
    ### BEGIN SOLUTION
    weights = softmax_weights(logits, n)
    total = 0.0
    for weight in weights:
        total += float(weight)
    scaled = np.float32(float(coin) * total)
    running = np.float32(0)
    for index, weight in enumerate(weights):
        running += weight
        if scaled < running:
            return index
    return len(weights) - 1
    ### END SOLUTION


# %% example="sample_softmax"
assert sample_softmax(logs, 3, 0.25) == 1
assert [sample_softmax(logs, 3, coin) for coin in (0.0, 0.1, 0.5)] == [0, 0, 2]

# %% check="sample_softmax" points=18
check("sample_softmax")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("sample_softmax")
### END HIDDEN TESTS

# %% [markdown] hints="sample_softmax"
# <details><summary>Hint 1: where to begin</summary>
#
# Two loops over `softmax_weights(logits, n)`: the first adds everything up, the second walks and
# stops.
#
# </details>
#
# <details><summary>Hint 2: the widths</summary>
#
# Begin the first sum with `0.0` and add `float(weight)`. Begin the second with `np.float32(0)` and
# add `weight` as it is.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `scaled = np.float32(float(coin) * total)`; then `for index, weight in enumerate(weights)`: add,
# and `if scaled < running: return index`. After the loop, `return len(weights) - 1`.
#
# </details>

# %% [markdown]
# A model has read "Holmes lit his", and these are its logits for eight words. Where on the line
# does a coin of 0.55 fall?

# %%
words = ["pipe", "lamp", "cigar", "candle", "fire", "match", "eyes", "way"]
logits = np.array([3.2, 2.6, 1.9, 2.2, 1.0, 0.4, -0.3, -1.5], dtype=np.float32)
coin = np.float32(0.55)

weights = softmax_weights(logits, 8)
borders = np.concatenate(([0], np.cumsum(weights)))
chosen = sample_softmax(logits, 8, coin)
shades = ["black" if i == chosen else "lightgrey" for i in range(8)]
plt.bar(range(8), weights, bottom=borders[:-1], color=shades, edgecolor="black")
plt.axhline(coin * weights.sum(), color="black", linestyle="--", label="scaled coin")
plt.xticks(range(8), words)
plt.ylabel("running sum of weights")
plt.legend()
plt.show()

# %% [markdown]
# Each bar stands where the one before it ends. The walk goes from left to right and stops at the
# first bar whose upper end is above the dashed line.
#
# Is it fair? Choose 10,000 times and compare with the probabilities. The chi-squared statistic
# adds up (found - expected)^2 / expected; with eight words, that is seven degrees of freedom, a
# fair sampler exceeds 24.3 once in a thousand experiments.

# %%
state = XorshiftState(2024)
found = np.zeros(8, dtype=int)
for _ in range(10_000):
    found[sample_softmax(logits, 8, random_f32(state))] += 1

expected = 10_000 * weights / weights.sum()
for word, count, wanted in zip(words, found, expected, strict=True):
    print(f"{word:7}{count:6}{wanted:9.1f}")
float(((found - expected) ** 2 / expected).sum())

# %% [markdown]
# ## Temperature
#
# Divide all logits by a number before you choose, and you have a knob. Above 1, the logits move
# together and unlikely words get their chance; below 1 they move apart, and the favourite wins
# more often. The number is called **temperature**.
#
# By hand: 3, 1, -2 at temperature 0.5 are **6, 2, -4**. The first word had e^2 = 7.4 times the
# weight of the second, and now has e^4 = 55 times.

# %% [markdown]
# Temperature 0 cannot be divided by, but its limit is plain: the largest logit takes it all. Let
# that be what 0 means. A helper that you will need three times sets everything else to minus
# infinity:

# %% given="keep_only"
def keep_only(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """A new float32 array: the logits at the indices `kept` as they are, all others -inf."""
    masked = np.full(len(logits), -np.inf, dtype=np.float32)
    masked[kept] = np.asarray(logits)[kept]
    return masked


# %%
keep_only([3.0, 1.0, -2.0], [0, 2])

# %% [markdown]
# Write `apply_temperature(logits, temperature)`. The result is a new float32 array. At 0 the
# largest logit stays as it is and all others become -inf; of equal largest ones, the first stays.
# A negative temperature, `nan` and `inf` are a `ValueError` whose message has the temperature.
#
# Every other number is a temperature, and two corners need care. A temperature may be so small that
# float32 cannot hold the quotients: if that of any finite logit is larger than `LARGE`, or below
# `-LARGE`, the temperature **counts as 0**. And float32 makes 0 of 1e-46 and infinity of 1e39, so
# divide in float64 and round the quotients. Then -inf stays -inf and 0 stays 0 at any temperature.

# %% solve="apply_temperature"
def apply_temperature(logits: np.ndarray, temperature: float) -> np.ndarray:
    """The logits divided by the temperature: a new float32 array of the same shape.

    At 0 the first of the largest logits stays as it is and all others become -inf; so they do
    where the quotient of a finite logit would be beyond LARGE, up or down.

    By hand: 3, 1, -2 at temperature 0.5 are 6, 2, -4.

    Raises:
        ValueError: the temperature, which the message has, is negative, nan or inf.
    """
    # TODO (ch11_sampler): refuse what makes no sense, then 0, then divide.
    # HINT: argmax gives the first of equal largest ones; keep_only takes a list of indices.
    # HINT: |logit| > LARGE * temperature asks about a quotient without making it.
    ### BEGIN SOLUTION
    if not 0 <= temperature < math.inf:  # nan fails every comparison
        raise ValueError(f"temperature must be 0 or more and finite, got {temperature}")
    logits = np.asarray(logits, dtype=np.float32).astype(np.float64)
    beyond = np.abs(logits[np.isfinite(logits)]) > LARGE * float(temperature)
    if temperature == 0 or beyond.any():
        return keep_only(logits, [logits.argmax()])
    return (logits / float(temperature)).astype(np.float32)
    ### END SOLUTION


# %% example="apply_temperature"
assert apply_temperature([3.0, 1.0, -2.0], 0.5).tolist() == [6, 2, -4]
assert apply_temperature([3.0, 1.0, -2.0], 0).tolist() == [3, -np.inf, -np.inf]

# %% check="apply_temperature" points=8
check("apply_temperature")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("apply_temperature")
### END HIDDEN TESTS

# %% [markdown] hints="apply_temperature"
# <details><summary>Hint 1: where to begin</summary>
#
# Three cases, in this order: refuse; 0, or what counts as 0; divide.
#
# </details>
#
# <details><summary>Hint 2: nan</summary>
#
# Every comparison with nan is false. So ask for what is allowed and negate it: `if not 0 <=
# temperature < math.inf`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# With `logits = np.asarray(logits, dtype=np.float64)`: at 0, or if `(np.abs(logits[np.isfinite(
# logits)]) > LARGE * float(temperature)).any()`, return `keep_only(logits, [logits.argmax()])`,
# else `(logits / float(temperature)).astype(np.float32)`.
#
# </details>

# %% [markdown]
# What does the knob do to the eight words?

# %%
def probabilities(scores):
    weights = softmax_weights(scores, len(scores))
    return weights / weights.sum()


figure, axes = plt.subplots(1, 3, figsize=(8, 3), sharey=True)
for panel, temperature in zip(axes, (0.5, 1.0, 2.0), strict=True):
    panel.bar(words, probabilities(apply_temperature(logits, temperature)), color="grey")
    panel.set(title=f"temperature {temperature:g}")
    panel.tick_params(axis="x", rotation=90)
axes[0].set_ylabel("probability")
plt.show()

# %% [markdown]
# At 0.5 the pipe takes most of it. At 2 even "way" has its share. The order of the words never
# changes.

# %% [markdown]
# ## Only the best
#
# A vocabulary has 50,000 tokens, and 49,900 of them make no sense at any given place. Each is
# unlikely; together they are not. So cut the tail off before you choose. There are two ways.
#
# **Top-k** keeps the k largest logits. By hand, k = 2 of 1, 3, 2, 3: the two 3s stay and the
# result is **-inf, 3, -inf, 3**. With k = 1 there is a tie; the smaller index wins, and -inf, 3,
# -inf, -inf is the answer.

# %% [markdown]
# Write `top_k(logits, k)`. The result is a new float32 array in the old order in which exactly k
# logits are kept as they are and the others are -inf; of equal ones, those of smaller index are
# kept. A k larger than the number of logits keeps all. A k below 1 is a `ValueError` whose message
# has k. So is a `nan` among the logits, with `nan` in the message: sorted, it would come last, and
# be cut off with nobody the wiser.

# %% solve="top_k"
def top_k(logits: np.ndarray, k: int) -> np.ndarray:
    """Keep the k largest logits and set all others to -inf: a new float32 array.

    Of equal logits those of smaller index are kept. k may be larger than the number of logits.

    By hand: k = 2 of 1, 3, 2, 3 gives -inf, 3, -inf, 3; k = 1 gives -inf, 3, -inf, -inf.

    Raises:
        ValueError: k, which the message has, is below 1; or there is a nan, which it says then.
    """
    # TODO (ch11_sampler): the order from largest to smallest, its first k, keep_only.
    # HINT: np.argsort sorts upwards; with kind="stable" equal ones stay in their old order.
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be 1 or more, got {k}")
    logits = np.asarray(logits, dtype=np.float32)
    if np.isnan(logits).any():
        raise ValueError("a logit is nan")
    return keep_only(logits, np.argsort(-logits, kind="stable")[:k])
    ### END SOLUTION


# %% example="top_k"
assert top_k([1.0, 3.0, 2.0, 3.0], 2).tolist() == [-np.inf, 3, -np.inf, 3]
assert top_k([1.0, 3.0, 2.0, 3.0], 1).tolist() == [-np.inf, 3, -np.inf, -np.inf]

# %% check="top_k" points=8
check("top_k")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("top_k")
### END HIDDEN TESTS

# %% [markdown] hints="top_k"
# <details><summary>Hint 1: where to begin</summary>
#
# Find the *indices* of the k largest, and let `keep_only` do the rest.
#
# </details>
#
# <details><summary>Hint 2: ties</summary>
#
# Sorting upwards and reading from the end turns ties round. Sort the negated logits instead, with
# `kind="stable"`.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# With `logits = np.asarray(logits, dtype=np.float32)`: refuse if `np.isnan(logits).any()`, then
# `order = np.argsort(-logits, kind="stable")` and `keep_only(logits, order[:k])`.
#
# </details>

# %% [markdown]
# **Top-p** looks at probability instead. After "once upon a" one word is enough; after "she
# bought a" there should be hundreds. It keeps the fewest tokens that together have a probability
# of **p or more**, the most likely ones first: the *nucleus*.
#
# By hand, p = 0.7 with the weights 1, 2, 5: the 5 alone has 5/8 = 0.625, which is not enough; 5
# and 2 together have 7/8 = 0.875. So the last two stay, and **index 0 becomes -inf**. The token
# with which p is reached belongs to it.

# %% [markdown]
# Write `top_p(logits, p)`. Like `top_k` it gives a new float32 array in the old order, and of
# equal logits keeps those of smaller index first. At least one token is always kept. p = 1 keeps
# all as they are. A p that isn't in (0, 1], `nan` too, is a `ValueError` whose message has p. Add
# up in float64. The weights come from `softmax_weights`, and what that refuses stays refused.

# %% solve="top_p"
def top_p(logits: np.ndarray, p: float) -> np.ndarray:
    """Keep the fewest, most likely tokens that reach the probability p, set all others to -inf.

    A new float32 array. Of equal logits those of smaller index come first; p = 1 keeps all.

    By hand: weights 1, 2, 5 with p = 0.7: 5/8 is not enough, 7/8 is, so index 0 becomes -inf.

    Raises:
        ValueError: p, which the message has, is not in (0, 1]; or softmax_weights refuses.
    """
    # TODO (ch11_sampler): weights from largest to smallest, running sums, how many are needed.
    # HINT: np.searchsorted finds the first running sum that is p * total or more.
    ### BEGIN SOLUTION
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1, got {p}")
    weights = softmax_weights(logits, len(logits))
    if p == 1:
        return np.array(logits, dtype=np.float32)
    order = np.argsort(-np.asarray(logits, dtype=np.float32), kind="stable")
    running = np.cumsum(weights[order], dtype=np.float64)
    needed = np.searchsorted(running, p * running[-1]) + 1
    return keep_only(logits, order[:needed])
    ### END SOLUTION


# %% example="top_p"
assert np.isfinite(top_p(logs, 0.7)).tolist() == [False, True, True]
assert np.isfinite(top_p(logs, 0.6)).tolist() == [False, False, True]

# %% check="top_p" points=8
check("top_p")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("top_p")
### END HIDDEN TESTS

# %% [markdown] hints="top_p"
# <details><summary>Hint 1: where to begin</summary>
#
# The same order as in `top_k`; only the number of tokens to keep has to be found.
#
# </details>
#
# <details><summary>Hint 2: how many?</summary>
#
# Add up the ordered weights with `np.cumsum(..., dtype=np.float64)`. Its last entry is the total,
# and the first entry that is `p * total` or more is the last token to keep.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `needed = np.searchsorted(running, p * running[-1]) + 1`, then `keep_only(logits,
# order[:needed])`. The `+ 1` is there because an index is one less than a number.
#
# </details>

# %% [markdown]
# Which of the eight words do both leave, and what happens to their probabilities?

# %%
cuts = {"all": logits, "top_k, k = 3": top_k(logits, 3), "top_p, p = 0.9": top_p(logits, 0.9)}
figure, axes = plt.subplots(1, 3, figsize=(8, 3), sharey=True)
for panel, (name, left) in zip(axes, cuts.items(), strict=True):
    panel.bar(words, probabilities(left), color="grey")
    panel.set(title=name)
    panel.tick_params(axis="x", rotation=90)
axes[0].set_ylabel("probability")
plt.show()

# %% [markdown]
# Those that stay share what the others had, each in its proportion. The usual order is
# temperature, then top-k, then top-p, since a temperature changes how much of the tail p lets in:

# %%
for temperature in (0.5, 1.0, 2.0):
    left = top_p(top_k(apply_temperature(logits, temperature), 6), 0.9)
    print(temperature, [word for word, logit in zip(words, left, strict=True) if logit > -np.inf])

# %% [markdown]
# One warning. A walk that falls through ends at the last index, even if you have set its logit to
# -inf. It takes a coin next to 1; how near depends on how many weights the running sum adds up and
# rounds. With 50 of them that is one coin in millions, if any. With a whole vocabulary of 50,257 it
# can be one in some ten thousand. What would you change to rule it out? This chapter doesn't, since
# llm.c doesn't.

# %% [markdown]
# ## Fifty thousand at once
#
# GPT-2 has 50,257 tokens. Python's loops take milliseconds for one of them, longer than a small
# model needs to compute the logits. `sample_softmax_fast` lets NumPy walk, and gives **the very
# same index** each time. By hand again: weights 1, 2, 5 with a coin of 0.25 give **1**.

# %% [markdown]
# The same index means the same sums, and float sums depend on their order:
#
# - `np.cumsum` adds one after the other, as your loop does; in the type that you name with
#   `dtype=`, or in its input's;
# - `weights.sum()` adds in blocks, which is faster and more precise, and **not** what the loop
#   does. The last bits may be others.
#
# `np.searchsorted(sums, x, side="right")` says how many of the sorted sums are x or less.

# %% [markdown]
# Write `sample_softmax_fast`. What it refuses, returns and rounds is what `sample_softmax` does.
# Indices are graded, speed is not: two `cumsum` make it right, and over ten times faster than the
# loops.

# %% solve="sample_softmax_fast"
def sample_softmax_fast(logits: np.ndarray, n: int, coin: float) -> int:
    """The very index that sample_softmax gives, without a Python loop over the weights.

    By hand: weights 1, 2, 5 and a coin of 0.25, scaled to 2, give index 1: 2 < 1 + 2.

    Raises:
        ValueError: what softmax_weights refuses.
    """
    # TODO (ch11_sampler): the sum in float64, the running sums in float32, one look-up.
    # HINT: the last entry of a cumsum is the sum in the loop's order; mind the last index.
    ### BEGIN SOLUTION
    weights = softmax_weights(logits, n)

    def scale(total: np.float64) -> np.float32:
        return np.float32(float(coin) * float(total))

    # sum() is faster than adding in the loop's order, and off by less than this share. Nearly
    # always both scale the coin to the same float32; where they might not, the order decides.
    total = weights.sum(dtype=np.float64)
    doubt = n * 2.0**-50
    if scale(total * (1 - doubt)) != scale(total * (1 + doubt)):
        total = np.cumsum(weights, dtype=np.float64)[-1]
    scaled = scale(total)

    # Running sums have an order, too; stop at the piece in which they exceed the coin.
    piece, before = 8192, np.float32(0)
    for start in range(0, n, piece):
        running = weights[start : start + piece]
        running[0] += before
        np.cumsum(running, out=running)
        before = running[-1]
        if scaled < before:
            return start + int(np.searchsorted(running, scaled, side="right"))
    return len(weights) - 1
    ### END SOLUTION


# %% example="sample_softmax_fast"
assert sample_softmax_fast(logs, 3, 0.25) == 1
assert [sample_softmax_fast(logs, 3, coin) for coin in (0.0, 0.1, 0.5)] == [0, 0, 2]

# %% check="sample_softmax_fast" points=8
check("sample_softmax_fast")
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score

score("sample_softmax_fast")
### END HIDDEN TESTS

# %% [markdown] hints="sample_softmax_fast"
# <details><summary>Hint 1: where to begin</summary>
#
# `np.cumsum(weights)` holds all running sums of your loop, bit for bit: float32 stays float32.
#
# </details>
#
# <details><summary>Hint 2: which index?</summary>
#
# You want the first running sum that *exceeds* the scaled coin: as many are equal or less as its
# index says. None exceeds it? Then searchsorted gives n, which is one too many.
#
# </details>
#
# <details><summary>Hint 3: nearly there</summary>
#
# `total = np.cumsum(weights, dtype=np.float64)[-1]`, `scaled = np.float32(float(coin) *
# float(total))`, then `min(int(np.searchsorted(np.cumsum(weights), scaled, side="right")),
# len(weights) - 1)`.
#
# </details>

# %%
many = np.random.default_rng(11).standard_normal(50_257).astype(np.float32)
seconds = {
    "sample_softmax": timeit.timeit(lambda: sample_softmax(many, 50_257, 0.5), number=5) / 5,
    "fast": timeit.timeit(lambda: sample_softmax_fast(many, 50_257, 0.5), number=100) / 100,
}
for name, time in seconds.items():
    print(f"{name:16}{1e6 * time:8.0f} microseconds")

# %% [markdown]
# Was it worth the trouble to subtract the largest logit only where there is need? Choose 1,000
# times from these logits, and with the same coins from logits that are all larger by 5, which
# have the same probabilities:

# %%
state = XorshiftState(7)
coins = [random_f32(state) for _ in range(1000)]
sum(
    sample_softmax_fast(many, 50_257, coin) != sample_softmax_fast(many + 5, 50_257, coin)
    for coin in coins
)

# %% [markdown]
# So many of 1,000 choose a neighbour, by rounding alone. No choice is worse than the other. But
# two programs that differ so cannot be compared token by token, and a bug has a place to hide.

# %% [markdown]
# ## What goes wrong
#
# Slips that are easily made, what they look like, and the hidden test that notices each
# (`ol tests ch11` lists them all):
#
# | slip | what you would see | caught by |
# |---|---|---|
# | shift to the left not cut | draw 1 is right and later ones are wrong | `test_words_of_c` |
# | product stored as the state | the first word is right alone | `test_state_after_a_draw` |
# | low half of the product | seed 1 begins with 2305613085 | `test_first_word_by_hand` |
# | low 24 bits kept | coins unlike llm.c's | `test_coins_of_c` |
# | divided by `2**32` | once in a blue moon a coin is 1 | `test_largest_coin` |
# | always shifted | one token in a dozen is not llm.c's | `test_no_shift_within_64` |
# | never shifted | a warning of overflow, then always the same index | `test_huge_logits` |
# | padding counted | an index of n or more | `test_only_the_first_n_count` |

# %% [markdown]
# | slip | what you would see | caught by |
# |---|---|---|
# | walk stops at equality | coin 0 picks an impossible token | `test_coin_zero` |
# | running sum in float64 | another token, where many are tiny | `test_running_sum_is_float32` |
# | sum of weights in float32 | coins near 1 never pick the tail | `test_total_is_float64` |
# | scaled coin rounded twice | a rare token differs | `test_scaled_coin_is_rounded_once` |
# | no answer at the end | `None`, on some nights | `test_last_index` |
# | ties all kept | more than k tokens are left | `test_top_k_ties` |
# | a nan cut off | a broken model talks on as if nothing were | `test_top_k_of_nan` |
# | token that reaches p left out | nothing is left at a small p | `test_top_p_at_least_one` |
# | total added in blocks | a rare index is off by one | `test_order_of_the_total` |

# %% [markdown]
# ## Your own tests
#
# A good test passes while the code is right and fails when it is wrong. Here is one. Run it; then
# write `<=` for `<` in your `sample_softmax`, see it fail, and mend it. Which slip of the tables
# above would it miss?

# %%
def test_coin_zero_skips_impossible_tokens():
    """A token of weight 0 is never chosen, not even by the smallest coin."""
    assert sample_softmax([-np.inf, 0.0, 0.0], 3, 0.0) == 1


test_coin_zero_skips_impossible_tokens()

# %% [markdown]
# Now write your own. They are graded by **planted bugs**: copies of the right code, each with one
# slip in it, among them every row of the two tables above. A bug that makes one of your tests fail
# is noticed. Notice every slip of the tables, and four bugs in five altogether.
#
# Right code comes in many forms: loops or NumPy, exp of one logit or of all, other helpers. A
# test that fails on one of those is refused, so test what this chapter promises and nothing else:
# weights, say, to five digits and not to the last bit.

# %% [markdown]
# Write plain functions called `test_...`; fixtures, `parametrize` and Hypothesis are welcome. Reach
# the functions through `sampler`: in this notebook that is what the cells above define, and
# elsewhere it is whatever code your tests are tried on. They are tried alone, so import or define
# in their cell what else they use. Logits of 0 weigh exactly 1, which makes right values easy to
# work out on paper; for the words there are the published ones of seed 1: 0x47E4CE4B, 0xABCFA6A8,
# 0xB9D10D8F, 0x4DB418A0, 0x0E6199B0.

# %% tests="own_tests"
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llmdata import sampler


def test_seed_1_by_hand():
    # TODO (ch11_sampler): replace this by a test, and add one for each slip that you can think of.
    # HINT: five words of seed 1, state 0, the largest coin, equal logits, -inf, 1000, nan, ties...
    ### BEGIN SOLUTION
    one = sampler.XorshiftState(1)
    words = [sampler.random_u32(one) for _ in range(5)]
    assert words == [0x47E4CE4B, 0xABCFA6A8, 0xB9D10D8F, 0x4DB418A0, 0x0E6199B0]
    assert {type(word) for word in words} == {int}


LOW = -np.inf
LARGEST_COIN = np.float32(1 - 2.0**-24)
BOTH = ["sample_softmax", "sample_softmax_fast"]


def words_of_uint64(seed, n):
    """The stream, in NumPy's 64-bit arithmetic: the words, and the state after them."""
    x, words = np.array([seed], dtype=np.uint64), []
    for _ in range(n):
        x ^= x >> np.uint64(12)
        x ^= x << np.uint64(25)
        x ^= x >> np.uint64(27)
        words.append(int((x * np.uint64(0x2545F4914F6CDD1D) >> np.uint64(32))[0]))
    return words, int(x[0])


@pytest.fixture(params=BOTH)
def sample(request):
    """Both samplers, of which the same is true."""
    return getattr(sampler, request.param)


@given(seed=st.integers(0, 2**64 - 1))
@settings(max_examples=20, deadline=None)
def test_words_are_those_of_64_bit_arithmetic(seed):
    """Any seed, 0 too, gives the stream and leaves the state of uint64 arithmetic."""
    state = sampler.XorshiftState(seed)
    words = [sampler.random_u32(state) for _ in range(4)]

    assert (words, state.state) == words_of_uint64(seed, 4)


def test_a_numpy_seed_is_a_seed():
    """A state that is a NumPy integer does not overflow, and is a plain int afterwards."""
    state = sampler.XorshiftState(np.uint64(2**64 - 1))
    words = [sampler.random_u32(state) for _ in range(3)]

    assert (words, state.state) == words_of_uint64(2**64 - 1, 3)
    assert type(state.state) is int


@pytest.mark.parametrize("seed", [1, 1337, 0])
def test_coins_are_the_high_24_bits(seed):
    """np.float32, one word each, the word over 2**32 rounded down to a multiple of 2**-24."""
    state = sampler.XorshiftState(seed)
    coins = [sampler.random_f32(state) for _ in range(200)]
    words, after = words_of_uint64(seed, 200)

    assert [float(coin) for coin in coins] == [(word >> 8) / 2**24 for word in words]
    assert {type(coin) for coin in coins} == {np.float32}
    assert state.state == after


def test_the_largest_coin_is_below_one():
    """This seed begins with the word 0xffffffff; found by turning the three shifts round."""
    state = sampler.XorshiftState(8021065963474898257)

    assert sampler.random_f32(state) == LARGEST_COIN


@pytest.mark.parametrize(
    ("logits", "n", "weights"),
    [
        ([0.0, np.log(2), np.log(5)], 3, [1, 2, 5]),
        ([0.0, np.log(2), np.nan, np.inf], 2, [1, 2]),
        ([LOW, 0.0], 2, [0, 1]),
        ([64.0, 63.0], 2, [np.exp(64), np.exp(63)]),
        ([-64.0, LOW], 2, [np.exp(-64), 0]),
        ([65.0, 64.0], 2, [1, np.exp(-1)]),
        ([-66.0, -65.0], 2, [np.exp(-1), 1]),
        ([1e4, 9e3, 1e4], np.int64(3), [1, 0, 1]),
        ([-1e4], 1, [1]),
    ],
)
def test_weights(logits, n, weights):
    """exp of the first n, shifted only beyond 64; a float32 array, and the logits untouched."""
    given_logits = np.array(logits, dtype=np.float32)
    before = given_logits.copy()
    for form in (logits, given_logits):
        got = sampler.softmax_weights(form, n)
        assert (got.dtype, got.shape) == (np.float32, (n,))
        np.testing.assert_allclose(got, weights, rtol=1e-5)
    np.testing.assert_array_equal(given_logits, before)


@pytest.mark.parametrize("name", ["softmax_weights", *BOTH])
@pytest.mark.parametrize(
    ("logits", "n", "named"),
    [
        ([0.0, 1.0], 0, r"\b0\b"),
        ([0.0, 1.0], -1, "-1"),
        ([0.0, 1.0], 3, r"\b3\b"),
        ([0.0, np.nan, 1.0], 3, "nan"),
        ([0.0, np.inf], 2, r"\binf"),
        ([LOW, LOW], 2, "-inf"),
    ],
)
def test_what_is_refused(name, logits, n, named):
    """n out of range, nan, inf and nothing but -inf are refused by name."""
    function = getattr(sampler, name)
    arguments = () if name == "softmax_weights" else (0.5,)

    with pytest.raises(ValueError, match=named):
        function(logits, n, *arguments)


@pytest.mark.parametrize(
    ("logits", "coin", "index"),
    [
        ([3.5], LARGEST_COIN, 0),
        ([0.0, np.log(2), np.log(5)], 0.25, 1),
        ([0.0] * 4, 0.0, 0),
        ([0.0] * 4, 0.25 - 2.0**-24, 0),
        ([0.0] * 4, 0.25, 1),
        ([0.0] * 4, LARGEST_COIN, 3),
        ([LOW, LOW, 0.0, LOW], 0.0, 2),
        ([LOW, 0.0, LOW, LOW], LARGEST_COIN, 1),
        ([1e4, 1e4], 0.5, 1),
        ([-1e4, -1e4, -2e4], 0.25, 0),
        # The scaled coin is 2 - 2**-24, which rounds to 2.
        ([0.0] * 31, 1082401 * 2.0**-24, 2),
        # The product is made in float64, with the tiny last weight in the total.
        ([0.0, 0.0, -15.9], 8388607 * 2.0**-24, 0),
        ([0.0] * 4 + [-15.5], 12582911 * 2.0**-24, 3),
        # float32 loses each of the tiny weights beside a 1; float64 does not.
        ([0.0, *[-18.0] * 1000, 0.0], 0.5, 1001),
        ([0.0, *[-18.0] * 1000], LARGEST_COIN, 1000),
        ([0.0, *[-18.0] * 1000, LOW], LARGEST_COIN, 1001),
    ],
)
def test_choices_on_paper(sample, logits, coin, index):
    """Borders belong to the token behind them; each number is as wide as it should be."""
    got = sample(logits, len(logits), np.float32(coin))

    assert (type(got), got) == (int, index)


def test_padding_is_never_chosen(sample):
    """Logits from n on do not count, whatever they are."""
    assert sample([0.0, 0.0, np.nan, 9.0], 2, LARGEST_COIN) == 1


def by_the_formula(logits, coin):
    """Index by NumPy, all sums in the order of the loop."""
    weights = np.exp(np.asarray(logits, dtype=np.float32))
    total = np.cumsum(weights, dtype=np.float64)[-1]
    index = np.searchsorted(np.cumsum(weights), np.float32(float(coin) * float(total)), "right")
    return min(int(index), len(weights) - 1)


@pytest.mark.parametrize("n", [3, 8192, 8193, 20_000])
def test_many_logits(sample, n):
    """The formula's index, all along the line."""
    logits = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    coins = np.linspace(0, 1, 7, endpoint=False, dtype=np.float32)

    assert [sample(logits, n, c) for c in coins] == [by_the_formula(logits, c) for c in coins]


def test_the_total_is_added_in_order():
    """Every other weight is rounded away in the same direction, and this coin is on a border."""
    logits = np.random.RandomState(31).standard_normal(50_257).astype(np.float32)
    logits[1::2] = -25.6
    coin = np.float32(0.849370002746582)

    assert sampler.sample_softmax_fast(logits, 50_257, coin) == by_the_formula(logits, coin)


@pytest.mark.parametrize(
    ("name", "knob", "logits", "wanted"),
    [
        ("apply_temperature", 0.5, [3.0, 1.0, -2.0], [6, 2, -4]),
        ("apply_temperature", 1, [3.0, LOW], [3, LOW]),
        ("apply_temperature", 2, [3.0, LOW, -1.0], [1.5, LOW, -0.5]),
        ("apply_temperature", 0, [1.0, 3.0, 2.0, 3.0], [LOW, 3, LOW, LOW]),
        ("apply_temperature", 1e-46, [1.0, 3.0, LOW], [LOW, 3, LOW]),
        ("apply_temperature", 1e-46, [0.0, LOW, 0.0], [0, LOW, 0]),
        ("apply_temperature", 1e-40, [-3.0, -1.0], [LOW, -1]),
        ("top_k", 1, [1.0, 3.0, 2.0, 3.0], [LOW, 3, LOW, LOW]),
        ("top_k", 2, [1.0, 3.0, 2.0, 3.0], [LOW, 3, LOW, 3]),
        ("top_k", 3, [-5.0, -5.0, -5.0, -4.0, -5.0], [-5, -5, LOW, -4, LOW]),
        ("top_k", 9, [1.0, LOW], [1, LOW]),
        ("top_p", 1, [1.0, -90.0, LOW], [1, -90, LOW]),
        ("top_p", 1e-9, [1.0, 3.0, 3.0], [LOW, 3, LOW]),
        ("top_p", 0.5, [0.0] * 4, [0, 0, LOW, LOW]),
        ("top_p", 0.5001, [0.0] * 4, [0, 0, 0, LOW]),
        ("top_p", 0.9, [-3.0, 0.0, LOW, 1.0], [LOW, 0, LOW, 1]),
        ("top_p", 0.6, [1000.0, 999.0, 0.0], [1000, LOW, LOW]),
    ],
)
def test_knobs(name, knob, logits, wanted):
    """A new float32 array in the old order, and what was given stays as it is."""
    array = np.array(logits, dtype=np.float32)
    for form in (logits, array):
        got = getattr(sampler, name)(form, knob)
        assert (got.dtype, got.tolist()) == (np.float32, wanted)
        assert got is not array
        got[:] = 7
    assert array.tolist() == logits


@pytest.mark.parametrize(
    ("name", "knob", "named"),
    [
        ("apply_temperature", -0.5, "-0.5"),
        ("apply_temperature", np.nan, "nan"),
        ("apply_temperature", np.inf, "inf"),
        ("top_k", 0, r"\b0\b"),
        ("top_k", -3, "-3"),
        ("top_p", 0.0, r"\b0"),
        ("top_p", 1.5, "1.5"),
        ("top_p", np.nan, "nan"),
    ],
)
def test_knobs_out_of_range(name, knob, named):
    """Refused, with the number in the message."""
    with pytest.raises(ValueError, match=named):
        getattr(sampler, name)([0.0, 1.0], knob)


def test_top_k_sees_a_nan():
    """A nan would be cut off in silence."""
    with pytest.raises(ValueError, match="nan"):
        sampler.top_k([1.0, np.nan, 3.0], 1)


def test_top_p_adds_up_the_tail():
    """A thousand weights of 1.5e-8 beside a 1: float32 would lose them, and keep one token."""
    kept = np.isfinite(sampler.top_p([0.0, *[-18.0] * 1000], 0.99999)).sum()

    assert 300 < kept < 400


@pytest.mark.parametrize("bad", [[0.0, np.nan], [LOW, LOW], [0.0, np.inf]])
@pytest.mark.parametrize("p", [0.5, 1])
def test_top_p_refuses_what_has_no_weights(bad, p):
    """Without weights there is no nucleus."""
    with pytest.raises(ValueError, match=r"inf|nan"):
        sampler.top_p(bad, p)
    ### END SOLUTION


# %% check="own_tests" points=20
check_tests()
### BEGIN HIDDEN TESTS
from autograder.nbgrader_plugin import score_tests

score_tests()
### END HIDDEN TESTS

# %% [markdown]
# Did your tests fail before there was anything to test? `ol tdd red ch11` tries them on this
# chapter's empty stubs. One that passes there tests nothing of yours.

# %% [markdown]
# ## Where it is used next
#
# - Chapter 12 lets a model of your own tell a story: its logits go through `apply_temperature`,
#   `top_k`, `top_p` and `sample_softmax`, one token at a time, and the streaming decoder of
#   chapter 3 prints them.
# - Seed and logits decide everything, so the same model tells the same story twice. That is how
#   two programs that should be equal are compared.
