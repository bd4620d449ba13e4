"""Planted bugs, correct variants and equivalent mutants of ch04_mt19937; bugs and equivalents are
grouped by function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS: tuple[Mutant, ...] = (
    # manual_seed
    Mutant(
        "manual_seed",
        "bits_not_kept",
        old="+ j) & 0xFFFFFFFF",
        new="+ j)",
        why="The product outgrows 32 bits, and NumPy refuses to store it in a uint32 word.",
        pitfall="32 bits not kept while seeding",
    ),
    Mutant(
        "manual_seed",
        "seed_not_masked",
        old="word = state.seed & 0xFFFFFFFF\n    state.state[0] = word",
        new="word = state.seed\n    state.state[0] = word & 0xFFFFFFFF",
        why="Bits of the seed beyond the low 32 get into word 1 through the shift by 30, and from "
        "there into all later words.",
        pitfall="negative or large seed not masked",
    ),
    Mutant(
        "manual_seed",
        "cut_seed_kept",
        old="state.seed = int(seed)",
        new="state.seed = int(seed) & 0xFFFFFFFF",
        why="The field seed holds only the low 32 bits, so a log names a seed nobody asked for.",
    ),
    Mutant(
        "manual_seed",
        "zero_means_default",
        old="int(seed)",
        new="int(seed or DEFAULT_SEED)",
        why="Seed 0 is taken for no seed at all and gives the stream of 5489.",
    ),
    Mutant(
        "manual_seed",
        "numpy_seed_overflows",
        old="int(seed)",
        new="seed",
        why="The arithmetic is done in the seed's own NumPy type, and one of 32 bits is too narrow "
        "for the product.",
    ),
    Mutant(
        "manual_seed",
        "j_not_added",
        old=") + j) &",
        new=")) &",
        why="Each word lacks its own index, so the words are wrong from word 1 on, and seed 0 "
        "leaves nothing but zeros.",
    ),
    Mutant(
        "manual_seed",
        "left_is_624",
        old="state.left = 1",
        new="state.left = N",
        why="The seeded words count as unread, so the first draw reads one of them where it "
        "should twist.",
    ),
    Mutant(
        "manual_seed",
        "next_kept",
        old="    state.next = 0\n",
        new="",
        why="A state that was used before keeps its old position when it is seeded again.",
    ),
    Mutant(
        "manual_seed",
        "matrix_not_set",
        old="    state.MATRIX_A[:] = 0, 0x9908B0DF\n",
        new="",
        why="MATRIX_A stays zero, so the next draw takes the state for one that was never seeded "
        "and seeds it with 5489.",
    ),
    Mutant(
        "manual_seed",
        "seeded_as_int64",
        old="    state.state[0] = word\n",
        new="    state.state = state.state.astype(np.int64)\n    state.state[0] = word\n",
        why="The words are int64, so shifts to the left no longer drop what passes bit 31.",
    ),
    Mutant(
        "manual_seed",
        "seeds_share_an_array",
        old="    state.state[0] = word\n",
        new='    state.state = vars(manual_seed).setdefault("words", state.state)\n'
        "    state.state[0] = word\n",
        why="All states share one array of words, so seeding one overwrites the others.",
    ),
    # next_state
    Mutant(
        "next_state",
        "old_words_beyond_226",
        old="= words[(j + M) % N] ^",
        new="= int(state.state[(j + M) % N]) ^",
        why="From word 227 on, the word 397 ahead is one that this twist has already made anew, "
        "but the old one is read.",
        pitfall="old words read beyond word 226",
    ),
    Mutant(
        "next_state",
        "last_word_with_old_first",
        old="words[(j + 1) % N]",
        new="int(state.state[(j + 1) % N])",
        why="Word 623 is made with 31 bits of the old word 0, though by then word 0 is new.",
        pitfall="last word made with the old word 0",
    ),
    Mutant(
        "next_state",
        "masks_swapped",
        old="(words[j] & UMASK) | (words[(j + 1) % N] & LMASK)",
        new="(words[j] & LMASK) | (words[(j + 1) % N] & UMASK)",
        why="The top bit must come from word j and the other 31 from word j + 1; here it is the "
        "other way round.",
    ),
    Mutant(
        "next_state",
        "parity_of_word_j",
        old="matrix_a[y & 1]",
        new="matrix_a[words[j] & 1]",
        why="The lowest bit of y is that of word j + 1; word j's own bit picks the wrong entry of "
        "MATRIX_A about half of the time.",
    ),
    Mutant(
        "next_state",
        "left_not_set",
        old="    state.left = N\n",
        new="",
        why="left is not set back to 624, so once it has run out, every draw twists first.",
    ),
    Mutant(
        "next_state",
        "twisted_to_int64",
        old="state.state[:] = words",
        new="state.state = np.array(words)",
        why="A new array of int64 takes the place of the uint32 words, so later shifts to the "
        "left keep too many bits.",
    ),
    Mutant(
        "next_state",
        "not_written_back",
        old="    state.state[:] = words\n",
        new="",
        why="The new words stay in the list, and the state keeps the old ones.",
    ),
    Mutant(
        "next_state",
        "twists_share_an_array",
        old="    state.state[:] = words\n",
        new='    state.state = vars(next_state).setdefault("words", state.state)\n'
        "    state.state[:] = words\n",
        why="All states share one array of words, so twisting one overwrites the others.",
    ),
    # randint32
    Mutant(
        "randint32",
        "none_crashes",
        old="    if state is None:\n        return 0\n",
        new="",
        why="Without a state there is an AttributeError in place of 0.",
    ),
    Mutant(
        "randint32",
        "never_seeds_itself",
        old="    if state.MATRIX_A[1] == 0:\n        manual_seed(state, DEFAULT_SEED)\n",
        new="",
        why="A state that was never seeded is used as it is, and zeros only twist to zeros.",
    ),
    Mutant(
        "randint32",
        "zero_words_count_as_unseeded",
        old="state.MATRIX_A[1] == 0",
        new="not state.state.any()",
        why="Words that are all zero are a state like any other: only a MATRIX_A of zeros says "
        "that it was never seeded.",
    ),
    Mutant(
        "randint32",
        "left_read_before_countdown",
        old="state.left -= 1\n    if state.left <= 0:\n        next_state(state)\n",
        new="if state.left <= 0:\n        next_state(state)\n    state.left -= 1\n",
        why="After seeding left is 1, so without the countdown first, draw 1 does not twist and "
        "returns a seeded word.",
        pitfall="`left` looked at before it counts down",
    ),
    Mutant(
        "randint32",
        "twist_one_word_early",
        old="state.left <= 0",
        new="state.left <= 1",
        why="The twist comes when one word is still unread, so the last word of each block is "
        "never drawn.",
        pitfall="`left <= 1` for `left <= 0`",
    ),
    Mutant(
        "randint32",
        "next_decides",
        old="state.left <= 0",
        new="state.next % N == 0",
        why="The place of next decides when to twist, so a fresh block, where next is 0, is "
        "twisted away unread.",
    ),
    Mutant(
        "randint32",
        "numpy_integer",
        old="int(state.state[state.next])",
        new="state.state[state.next]",
        why="The word stays an np.uint32, from which << 32 pushes out every bit.",
        pitfall="NumPy integer returned",
    ),
    Mutant(
        "randint32",
        "next_not_advanced",
        old="    state.next += 1\n",
        new="",
        why="next stays where it is, so every draw of a block returns the same word.",
    ),
    Mutant(
        "randint32",
        "second_mask_wrong",
        old="0xEFC60000",
        new="0xEFC40000",
        why="The mask of the third line lacks bit 17, so that bit comes out wrong in half of all "
        "draws.",
    ),
    Mutant(
        "randint32",
        "last_line_missing",
        old="    y ^= y >> 18\n",
        new="",
        why="The fourth tempering line is missing, so the low 14 bits are wrong in almost every "
        "draw.",
    ),
    Mutant(
        "randint32",
        "tempered_word_stored",
        old="    return y",
        new="    state.state[state.next - 1] = y\n    return y",
        why="The tempered word replaces the one in the state, so the next twist is made from the "
        "wrong words.",
        pitfall="tempered word written back",
    ),
    Mutant(
        "randint32",
        "words_of_first_state",
        old="int(state.state[state.next])",
        new='int(vars(randint32).setdefault("words", state.state)[state.next])',
        why="The words of the first state that was ever used are read for every other state too.",
    ),
    # randint64
    Mutant(
        "randint64",
        "low_half_first",
        old="(high << 32) | low",
        new="(low << 32) | high",
        why="The first word drawn becomes the low half, so every result has its halves swapped.",
        pitfall="low half drawn first",
    ),
    Mutant(
        "randint64",
        "one_draw_twice",
        old="low = randint32(state)",
        new="low = high",
        why="One word serves as both halves, so only one draw is used up where PyTorch uses two.",
    ),
    Mutant(
        "randint64",
        "numpy_uint64",
        old="return (high << 32) | low",
        new="return np.uint64((high << 32) | low)",
        why="An np.uint64 comes back, and it drops what passes bit 63 as soon as it is shifted.",
    ),
    Mutant(
        "randint64",
        "pair_kept_in_one_block",
        old="    high = randint32(state)\n",
        new="    if state is not None and state.left == 2:\n"
        "        randint32(state)\n"
        "    high = randint32(state)\n",
        why="The last word of a block is thrown away so that both halves come from the next one, "
        "which shifts the rest of the stream.",
    ),
    Mutant(
        "randint64",
        "none_gives_none",
        old="    high = randint32(state)\n",
        new="    if state is None:\n        return None\n    high = randint32(state)\n",
        why="Without a state None comes back in place of 0, and arithmetic with it crashes.",
    ),
    # randfloat32
    Mutant(
        "randfloat32",
        "high_24_bits",
        old="randint32(state) & ((1 << 24) - 1)",
        new="randint32(state) >> 8",
        why="The high 24 bits of the word are kept; the floats are as uniform, but not PyTorch's.",
        pitfall="high 24 bits kept",
    ),
    Mutant(
        "randfloat32",
        "largest_is_one",
        old="np.float32(2**-24)",
        new="np.float32(1 / (2**24 - 1))",
        why="Dividing by 2**24 - 1 turns 24 ones into 1.0, which must never be reached.",
    ),
    Mutant(
        "randfloat32",
        "shift_after_minus",
        old="((1 << 24) - 1)",
        new="(1 << 24 - 1)",
        why="Minus binds tighter than <<, so the mask is bit 23 alone and every float is 0 or 0.5.",
    ),
    Mutant(
        "randfloat32",
        "python_float",
        old="np.float32(randint32(state) & ((1 << 24) - 1)) * np.float32(2**-24)",
        new="(randint32(state) & ((1 << 24) - 1)) * 2**-24",
        why="A Python float is a float64: the value is right, but later steps round differently.",
        pitfall="float64 slips in",
    ),
    Mutant(
        "randfloat32",
        "one_bit_too_many",
        old="(1 << 24) - 1",
        new="(1 << 25) - 1",
        why="With 25 bits kept and 2**24 as the divisor, half of the floats are 1 or more.",
    ),
    Mutant(
        "randfloat32",
        "two_words_a_float",
        old="randint32(state)",
        new="randint64(state)",
        why="Each float uses up two words, so from the first on the floats are those of every "
        "second word.",
    ),
    # randfloat64
    Mutant(
        "randfloat64",
        "one_bit_too_few",
        old="(1 << 53) - 1",
        new="(1 << 52) - 1",
        why="Bit 52, which is worth one half, is lost, so no float reaches 0.5.",
    ),
    Mutant(
        "randfloat64",
        "one_word",
        old="randint64(state)",
        new="randint32(state)",
        why="A single word has 32 of the 53 bits, so every float is below 2**-21.",
    ),
    Mutant(
        "randfloat64",
        "numpy_float",
        old="* 2.0**-53",
        new="* np.float64(2.0**-53)",
        why="The product with an np.float64 is an np.float64, where a plain float is asked for.",
    ),
    Mutant(
        "randfloat64",
        "made_of_two_float32",
        old="(randint64(state) & ((1 << 53) - 1)) * 2.0**-53",
        new="float(randfloat32(state)) + float(randfloat32(state)) * 2.0**-24",
        why="The low 24 bits of each word make 48, and not the low 53 of the two words joined.",
    ),
    # randint32_array
    Mutant(
        "randint32_array",
        "negative_is_empty",
        old='raise ValueError(f"n must be 0 or more, got {n}")',
        new="n = 0",
        why="A negative n gives an empty array, so a size computed wrongly passes in silence.",
    ),
    Mutant(
        "randint32_array",
        "numpy_size_kept",
        old="    n = int(n)  # a NumPy integer must not get into left and next\n",
        new="",
        why="A NumPy integer gets into left and next, where it overflows one day.",
    ),
    Mutant(
        "randint32_array",
        "empty_array_seeds",
        old="if state is None or n == 0:",
        new="if state is None:",
        why="An n of 0 gets as far as the automatic seeding and seeds a state it must not touch.",
    ),
    Mutant(
        "randint32_array",
        "refill_before_n",
        old="    if state is None or n == 0:\n",
        new="    if state is not None and state.left == 1:\n"
        "        next_state(state)\n"
        "        state.left += 1\n"
        "    if state is None or n == 0:\n",
        why="A used-up block is twisted before n is looked at, so drawing nothing moves the state.",
    ),
    Mutant(
        "randint32_array",
        "zeros_as_floats",
        old="np.zeros(n, dtype=np.uint32)",
        new="np.zeros(n)",
        why="np.zeros makes float64 unless told otherwise, so these zeros are not words.",
    ),
    Mutant(
        "randint32_array",
        "array_never_seeds",
        old="    if state.MATRIX_A[1] == 0:\n        manual_seed(state, DEFAULT_SEED)\n",
        new="",
        why="A state that was never seeded is used as it is and gives nothing but zeros.",
    ),
    Mutant(
        "randint32_array",
        "unread_words_skipped",
        old="unread = max(state.left - 1, 0)",
        new="unread = 0",
        why="Each array begins with a twist, so the words still unread in the block are lost.",
    ),
    Mutant(
        "randint32_array",
        "unread_from_next",
        old="max(state.left - 1, 0)",
        new="N - state.next if state.next else 0",
        why="What is unread is taken from next and not from left, so a fresh block, where next is "
        "0, counts as used up.",
    ),
    Mutant(
        "randint32_array",
        "left_of_zero_not_expected",
        old="max(state.left - 1, 0)",
        new="state.left - 1",
        why="Where left is 0, as in a state filled by hand, the unread words come out as -1.",
    ),
    Mutant(
        "randint32_array",
        "twist_at_exact_end",
        old="-(-max(n - unread, 0) // N)",
        new="-(-max(n - unread + 1, 0) // N)",
        why="An array that ends exactly with a block twists once more, where single draws would "
        "wait for the next one.",
    ),
    Mutant(
        "randint32_array",
        "one_slice_too_long",
        old="(words[:k], y[k : 2 * k], words[k : 2 * k]),\n"
        "        (words[k : M - 1], y[2 * k :], words[2 * k : -1]),",
        new="(words[: M - 1], y[k:], words[k:-1]),",
        why="One slice for words 227 to 622 reads words from 227 on before they are new, so words "
        "454 to 622 are wrong.",
    ),
    Mutant(
        "randint32_array",
        "left_as_for_draws",
        old="len(flat) - n + 1",
        new="len(flat) - n + (not twists)",
        why="After a twist here all 624 words are unread, which is a left of 625; counted from "
        "624, the array that follows skips a word.",
        pitfall="`left` of 624 as it is for draws",
    ),
    Mutant(
        "randint32_array",
        "next_not_moved",
        old="    state.next = N + 1 - state.left if twists else state.next + n\n",
        new="",
        why="next stays where it was, so the next array begins with words that were drawn before.",
        pitfall="bookmark forgotten",
    ),
    Mutant(
        "randint32_array",
        "view_tempered",
        old="out = flat[:n]",
        new="out = flat[:n] if twists else words[state.next - n : state.next]",
        why="Where no twist is needed the result is a view of the state, and tempering it in "
        "place changes what the next twist is made from.",
    ),
    Mutant(
        "randint32_array",
        "last_piece_untempered",
        old="range(0, n, 1 << 14)",
        new="range(0, n - n % (1 << 14) or n, 1 << 14)",
        why="Beyond 16,384 words, those after the last whole piece come back untempered.",
    ),
    Mutant(
        "randint32_array",
        "int64_result",
        old="    return out\n",
        new="    return out.astype(np.int64)\n",
        why="The words come back as int64, so shifts to the left no longer drop what passes "
        "bit 31.",
    ),
)

THREE_LOOPS = (
    (
        "manual_seed",
        '''\
import itertools


def manual_seed(state, seed):
    def word_after(word, j):
        return (1812433253 * (word ^ (word >> 30)) + j) % 2**32

    words = itertools.accumulate(range(1, N), word_after, initial=int(seed) % 2**32)
    state.MATRIX_A[1] = 0x9908B0DF
    state.MATRIX_A[0] = 0
    state.state[:] = list(words)
    state.next, state.left, state.seed = 0, 1, int(seed)
''',
    ),
    (
        "next_state",
        '''\
def mixed(u, v):
    return (u & UMASK) | (v & LMASK)


def twisted(u, v, a):
    return (mixed(u, v) >> 1) ^ (a if v & 1 else 0)


def next_state(state):
    w, a = [int(word) for word in state.state], int(state.MATRIX_A[1])
    state.left, state.next = N, 0
    for p in range(N - M):
        w[p] = w[p + M] ^ twisted(w[p], w[p + 1], a)
    for p in range(N - M, N - 1):
        w[p] = w[p + M - N] ^ twisted(w[p], w[p + 1], a)
    w[N - 1] = w[M - 1] ^ twisted(w[N - 1], w[0], a)
    for p in range(N):
        state.state[p] = w[p]
''',
    ),
)

SLICES = (
    (
        "next_state",
        '''\
def next_state(state):
    words = state.state
    upper, lower = words & np.uint32(UMASK), words & np.uint32(LMASK)
    y = upper[:-1] | lower[1:]
    f = (y >> np.uint32(1)) ^ np.where(y & np.uint32(1), state.MATRIX_A[1], state.MATRIX_A[0])
    words[:227] = words[397:] ^ f[:227]
    words[227:454] = words[:227] ^ f[227:454]
    words[454:623] = words[227:396] ^ f[454:]
    last = int(upper[623]) | int(words[0]) & LMASK
    words[623] = int(words[396]) ^ last >> 1 ^ int(state.MATRIX_A[last % 2])
    state.next = 0
    state.left = len(words)
''',
    ),
    (
        "randint32",
        '''\
def tempered(word):
    word = word ^ word >> 11
    word = word ^ (word & 0x13A58AD) << 7
    word = word ^ (word & 0x1DF8C) << 15
    return word ^ word >> 18


def randint32(generator):
    if generator is not None:
        if not generator.MATRIX_A.any():
            manual_seed(generator, 5489)
        if generator.left > 1:
            generator.left = generator.left - 1
        else:
            next_state(generator)
        at, generator.next = generator.next, generator.next + 1
        return tempered(generator.state.item(at))
    return 0
''',
    ),
)

ARRAY_OF_DRAWS = (
    (
        "randint32_array",
        '''\
def randint32_array(state, n):
    if n < 0:
        raise ValueError(f"cannot draw {n} words")
    words = np.empty(n, dtype=np.uint32)
    for i in range(n):
        words[i] = randint32(state)
    return words
''',
    ),
)

ARRAY_OF_BLOCKS = (
    (
        "randint32_array",
        '''\
def unread_words(state):
    if state.left <= 1:
        next_state(state)
        state.left += 1
    return state.left - 1


def randint32_array(state, n):
    if n < 0:
        raise ValueError(f"{n} is negative")
    if state is None:
        return np.zeros(n, np.uint32)
    pieces, missing = [np.empty(0, np.uint32)], int(n)
    if missing and not state.MATRIX_A[1]:
        manual_seed(state, DEFAULT_SEED)
    while missing:
        k = min(missing, unread_words(state))
        pieces.append(state.state[state.next : state.next + k].copy())
        state.left, state.next, missing = state.left - k, state.next + k, missing - k
    y = np.concatenate(pieces)
    y = y ^ (y >> 11)
    y = y ^ ((y << 7) & np.uint32(0x9D2C5680))
    y = y ^ ((y << 15) & np.uint32(0xEFC60000))
    return y ^ (y >> 18)
''',
    ),
)

DRAWS_OF_ARRAYS = (
    (
        "randint32",
        '''\
def randint32(state):
    return randint32_array(state, 1).tolist()[0]
''',
    ),
    (
        "randint64",
        '''\
def randint64(state):
    return int.from_bytes(randint32_array(state, 2).astype(">u4").tobytes(), "big")
''',
    ),
)

ARITHMETIC = (
    (
        "randint64",
        '''\
def randint64(state):
    return 2**32 * randint32(state) + randint32(state)
''',
    ),
    (
        "randfloat32",
        '''\
def randfloat32(state):
    return np.ldexp(np.float32(randint32(state) % 2**24), -24)
''',
    ),
    (
        "randfloat64",
        '''\
def randfloat64(state):
    high, low = divmod(randint64(state), 2**32)
    return (high % 2**21 * 2**32 + low) / 2**53
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "three_loops",
        "The twist in three loops without a modulo, as PyTorch has it, helpers of other names, "
        "and fields set in another order.",
        THREE_LOOPS,
    ),
    Variant(
        "slices",
        "The twist on NumPy slices; draws look at left before they count it down, shift after "
        "they mask, and call their state a generator.",
        SLICES,
    ),
    Variant("array_of_draws", "An array is filled by single draws.", ARRAY_OF_DRAWS),
    Variant(
        "array_of_blocks",
        "An array is put together from copies of blocks that next_state makes.",
        ARRAY_OF_BLOCKS,
    ),
    Variant(
        "draws_of_arrays",
        "A draw is an array of one word, and 64 bits are an array of two, read as bytes.",
        DRAWS_OF_ARRAYS,
    ),
    Variant(
        "arithmetic",
        "Products, remainders and quotients take the place of shifts and masks.",
        ARITHMETIC,
    ),
)

SHIFTED_OUT = "The shift to the left leaves zeros in the low bits, so bit 0 of the mask is no use."
EITHER_WAY = "The two operands may change places; the third argument is where the result goes."

EQUIVALENTS: tuple[Equivalent, ...] = (
    *(
        Equivalent(function, f"`{word} ^= {word} << {old}` -> `{word} ^= {word} << {new}`",
                   SHIFTED_OUT)
        for function, word in (("randint32", "y"), ("randint32_array", "piece"))
        for old, new in (
            ("7 & 2636928640", "7 & 2636928641"), ("15 & 4022730752", "15 & 4022730753")
        )
    ),
    *(
        Equivalent("randint32_array", change, EITHER_WAY)
        for change in (
            "`and_(this, upper, y)` -> `and_(upper, this, y)`",
            "`and_(following, lower, odd)` -> `and_(lower, following, odd)`",
            "`or_(y, odd, y)` -> `or_(odd, y, y)`",
            "`and_(y, one, odd)` -> `and_(one, y, odd)`",
            "`times(odd, a, odd)` -> `times(a, odd, odd)`",
            "`xor(y, odd, y)` -> `xor(odd, y, y)`",
            "`xor(ahead, mixed, new)` -> `xor(mixed, ahead, new)`",
        )
    ),
    Equivalent(
        "randint32_array",
        "`unread = max(state.left - 1, 0)` -> `unread = max(0, state.left - 1)`",
        "The larger of two numbers is the same in either order.",
    ),
    Equivalent(
        "randint32_array",
        "`twists = -(-max(n - unread, 0) // N)` -> `twists = -(-max(0, n - unread) // N)`",
        "The larger of two numbers is the same in either order.",
    ),
    Equivalent(
        "randint32_array",
        "`twists = -(-max(n - unread, 0) // N)` -> `twists = -(-max(n - unread, -1) // N)`",
        "Rounded up to whole blocks, -1 words make 0 blocks, as 0 words do.",
    ),
    Equivalent(
        "randint32_array",
        "`for start in range(0, n, 1 << 14):` -> `for start in range(0, n + 1, 1 << 14):`",
        "At most there is one more piece, which begins at the end and is empty.",
    ),
)
