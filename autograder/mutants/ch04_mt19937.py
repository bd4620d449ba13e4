"""Planted bugs of ch04_mt19937, grouped by function in the notebook's order."""

from autograder.mutants import Mutant

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
