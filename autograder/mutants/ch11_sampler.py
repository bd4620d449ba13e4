"""Planted bugs, correct variants and equivalent mutants of ch11_sampler; bugs and equivalents are
grouped by function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

WALK = """\
    for index, weight in enumerate(weights):
        running += weight
        if scaled < running:
            return index
"""

MUTANTS: tuple[Mutant, ...] = (
    # random_u32
    Mutant(
        "random_u32", "left_shift_not_cut",
        old="(x << 25) & MASK64", new="x << 25",
        why="The state grows by 25 bits a draw, and what was shifted out comes back from the "
        "right.",
        pitfall="shift to the left not cut",
    ),
    Mutant(
        "random_u32", "product_stored",
        old="    state.state = x\n    return (x * MULTIPLIER & MASK64) >> 32\n",
        new="    state.state = x * MULTIPLIER & MASK64\n    return state.state >> 32\n",
        why="The product, which is only for the outside, becomes the next state.",
        pitfall="product stored as the state",
    ),
    Mutant(
        "random_u32", "low_half",
        old="(x * MULTIPLIER & MASK64) >> 32", new="x * MULTIPLIER & 0xFFFFFFFF",
        why="The low half of the product is drawn, whose lowest bits are weak.",
        pitfall="low half of the product",
    ),
    Mutant(
        "random_u32", "product_not_cut",
        old="(x * MULTIPLIER & MASK64) >> 32", new="(x * MULTIPLIER) >> 32",
        why="Words have up to 93 bits, since the product was never cut to 64.",
    ),
    Mutant(
        "random_u32", "plain_xorshift",
        old="(x * MULTIPLIER & MASK64) >> 32", new="x >> 32",
        why="This is the plain xorshift, without the multiplication.",
    ),
    Mutant(
        "random_u32", "shifts_of_another_generator",
        old="    x ^= x >> 12\n    x ^= (x << 25) & MASK64\n    x ^= x >> 27\n",
        new="    x ^= (x << 13) & MASK64\n    x ^= x >> 7\n    x ^= (x << 17) & MASK64\n",
        why="The shifts are those of Marsaglia's first 64-bit generator, the one that a search "
        "finds first.",
    ),
    Mutant(
        "random_u32", "state_not_stored",
        old="    state.state = x\n", new="",
        why="The state stays as it was, so every draw gives the same word.",
    ),
    Mutant(
        "random_u32", "zero_reseeded",
        old="int(state.state)", new="int(state.state) or 1337",
        why="State 0 quietly becomes llm.c's default seed, so two programs differ from there on.",
    ),
    Mutant(
        "random_u32", "numpy_state_kept",
        old="int(state.state)", new="state.state",
        why="A seed that is a NumPy integer is stirred in its own type, which overflows.",
    ),
    # random_f32
    Mutant(
        "random_f32", "low_24_bits",
        old="random_u32(state) >> 8", new="random_u32(state) & 0xFFFFFF",
        why="The low 24 bits of the word are kept; the coins are as uniform, but not llm.c's.",
        pitfall="low 24 bits kept",
    ),
    Mutant(
        "random_f32", "divided_by_2_to_32",
        old="np.float32(random_u32(state) >> 8) / np.float32(1 << 24)",
        new="np.float32(random_u32(state) / 2**32)",
        why="Rounding to float32 turns the 128 largest words into a coin of 1.",
        pitfall="divided by `2**32`",
    ),
    Mutant(
        "random_f32", "largest_is_one",
        old="np.float32(1 << 24)", new="np.float32((1 << 24) - 1)",
        why="Dividing by 2**24 - 1 turns 24 ones into 1, which must never be reached.",
    ),
    Mutant(
        "random_f32", "python_float",
        old="np.float32(random_u32(state) >> 8) / np.float32(1 << 24)",
        new="(random_u32(state) >> 8) / (1 << 24)",
        why="A Python float is a float64: the value is right, the type is not.",
    ),
    Mutant(
        "random_f32", "two_words_a_coin",
        old="random_u32(state) >> 8", new="(random_u32(state), random_u32(state))[0] >> 8",
        why="Each coin uses up two words, so the second coin is that of the third word.",
    ),
    Mutant(
        "random_f32", "one_bit_too_few",
        old="random_u32(state) >> 8", new="random_u32(state) >> 9",
        why="Only 23 bits are left, so that no coin reaches one half.",
    ),
    # softmax_weights
    Mutant(
        "softmax_weights", "always_shifted",
        old="if abs(largest) > SAFE:", new="if largest != 0:",
        why="The largest logit is always subtracted: the weights round otherwise than llm.c's, "
        "and so do choices.",
        pitfall="always shifted",
    ),
    Mutant(
        "softmax_weights", "never_shifted",
        old="    if abs(largest) > SAFE:\n        logits = logits - np.float32(largest)\n", new="",
        why="exp of a logit above 88.7 is infinite in float32, and then the total is too.",
        pitfall="never shifted",
    ),
    Mutant(
        "softmax_weights", "tiny_not_shifted",
        old="abs(largest) > SAFE", new="largest > SAFE",
        why="Logits that are all below -104 have weights of 0, and the last index is chosen.",
    ),
    Mutant(
        "softmax_weights", "largest_size_subtracted",
        old="largest = float(logits.max())",
        new="largest = float(logits[np.abs(np.where(np.isneginf(logits), 0, logits)).argmax()])",
        why="What is subtracted is the logit farthest from 0, so a very negative one makes the "
        "others overflow.",
    ),
    Mutant(
        "softmax_weights", "padding_counted",
        old="np.asarray(logits[:n], dtype=np.float32)", new="np.asarray(logits, dtype=np.float32)",
        why="The logits behind the first n, which stand for no token, get weights too.",
        pitfall="padding counted",
    ),
    Mutant(
        "softmax_weights", "largest_of_all",
        old="    logits = np.asarray(logits[:n], dtype=np.float32)\n"
        "    largest = float(logits.max())\n",
        new="    largest = float(np.asarray(logits, dtype=np.float32).max())\n"
        "    logits = np.asarray(logits[:n], dtype=np.float32)\n",
        why="The padding takes part in the search for the largest, so a nan there is an error and "
        "a large number there makes all weights 0.",
    ),
    Mutant(
        "softmax_weights", "shifted_in_place",
        old="logits = logits - np.float32(largest)", new="logits -= np.float32(largest)",
        why="A float32 array is not copied by asarray, so the caller's own logits change.",
    ),
    Mutant(
        "softmax_weights", "float64_weights",
        old="return np.exp(logits)", new="return np.exp(logits.astype(np.float64))",
        why="Weights in float64 have other last bits and make the running sum a float64.",
    ),
    Mutant(
        "softmax_weights", "normalised",
        old="return np.exp(logits)", new="return np.exp(logits) / np.exp(logits).sum()",
        why="The weights are divided by their sum, where weights are asked for.",
    ),
    Mutant(
        "softmax_weights", "n_not_checked",
        old="not 1 <= n <= len(logits)", new="n < 1",
        why="An n beyond the logits is cut in silence, and the index stands for nothing.",
    ),
    Mutant(
        "softmax_weights", "zero_n",
        old="not 1 <= n <= len(logits)", new="n > len(logits)",
        why="n = 0 and negative ones get as far as the slice, which takes another meaning there.",
    ),
    Mutant(
        "softmax_weights", "nan_let_through",
        old="not math.isfinite(largest)", new="math.isinf(largest)",
        why="A nan among the logits makes the total nan, and then the last index is chosen.",
    ),
    Mutant(
        "softmax_weights", "nan_overlooked",
        old="float(logits.max())", new="float(np.nanmax(logits[:n]))",
        why="nanmax looks past a nan, which then gets into the total.",
    ),
    Mutant(
        "softmax_weights", "nothing_possible",
        old="not math.isfinite(largest)", new="math.isnan(largest) or largest == math.inf",
        why="Nothing but -inf gives weights of 0 or nan in place of an error.",
    ),
    # sample_softmax
    Mutant(
        "sample_softmax", "stops_at_equality",
        old="scaled < running", new="scaled <= running",
        why="A border belongs to the token before it, and a coin of 0 stops at a weight of 0.",
        pitfall="walk stops at equality",
    ),
    Mutant(
        "sample_softmax", "running_in_float64",
        old="        running += weight\n", new="        running += np.float64(weight)\n",
        why="The float64 sum keeps small weights that llm.c's float loses.",
        pitfall="running sum in float64",
    ),
    Mutant(
        "sample_softmax", "total_in_float32",
        old="    total = 0.0\n    for weight in weights:\n        total += float(weight)\n",
        new="    total = np.float32(0)\n    for weight in weights:\n        total += weight\n",
        why="The total loses small weights, so that coins near 1 never get to the end.",
        pitfall="sum of weights in float32",
    ),
    Mutant(
        "sample_softmax", "rounded_twice",
        old="np.float32(float(coin) * total)", new="np.float32(coin) * np.float32(total)",
        why="The total is rounded to float32 before the product, and the product again.",
        pitfall="scaled coin rounded twice",
    ),
    Mutant(
        "sample_softmax", "scaled_in_float64",
        old="np.float32(float(coin) * total)", new="np.float64(coin) * total",
        why="The scaled coin is a float64, so it lies between two float32 where llm.c's is one.",
    ),
    Mutant(
        "sample_softmax", "nothing_at_the_end",
        old="    return len(weights) - 1\n", new="",
        why="A walk that falls through returns None.",
        pitfall="no answer at the end",
    ),
    Mutant(
        "sample_softmax", "last_possible",
        old="return len(weights) - 1", new="return int(np.flatnonzero(weights)[-1])",
        why="A walk that falls through ends at the last possible token: sensible, but not what "
        "llm.c does.",
    ),
    Mutant(
        "sample_softmax", "most_likely_at_the_end",
        old="return len(weights) - 1", new="return int(np.argmax(weights))",
        why="A walk that falls through takes the most likely token instead of the last.",
    ),
    Mutant(
        "sample_softmax", "all_logits",
        old="softmax_weights(logits, n)", new="softmax_weights(logits, len(logits))",
        why="n is not looked at, so that padding can be chosen.",
    ),
    Mutant(
        "sample_softmax", "coin_not_scaled",
        old="np.float32(float(coin) * total)", new="np.float32(coin)",
        why="The coin is compared with weights as if their sum were 1.",
    ),
    Mutant(
        "sample_softmax", "from_the_largest",
        old=WALK,
        new="    for index in np.argsort(-weights, kind='stable').tolist():\n"
        "        running += weights[index]\n"
        "        if scaled < running:\n"
        "            return index\n",
        why="The walk begins with the most likely token: as fair, but another index than llm.c's.",
    ),
    Mutant(
        "sample_softmax", "one_too_far",
        old="return index", new="return min(index + 1, len(weights) - 1)",
        why="The token after the chosen one is returned.",
    ),
    Mutant(
        "sample_softmax", "numpy_index",
        old="return index", new="return np.int64(index)",
        why="The index is a NumPy integer, where a plain int is asked for.",
    ),
    # apply_temperature
    Mutant(
        "apply_temperature", "multiplied",
        old="logits / float(temperature)", new="logits * float(temperature)",
        why="The knob turns the wrong way.",
    ),
    Mutant(
        "apply_temperature", "zero_is_an_error",
        old="0 <= temperature", new="0 < temperature",
        why="0, which means the most likely token, is refused.",
    ),
    Mutant(
        "apply_temperature", "all_ties_kept",
        old="[logits.argmax()]", new="logits == logits.max()",
        why="At 0 all equal largest logits stay, so that the choice is left to the coin.",
    ),
    Mutant(
        "apply_temperature", "last_tie_kept",
        old="[logits.argmax()]", new="[len(logits) - 1 - logits[::-1].argmax()]",
        why="At 0 the last of equal largest logits stays, not the first.",
    ),
    Mutant(
        "apply_temperature", "zero_is_small",
        old="    if temperature == 0 or beyond.any():\n"
        "        return keep_only(logits, [logits.argmax()])\n",
        new="    temperature = max(temperature, 1e-6)\n",
        why="At 0 the logits are only stretched, and no longer what they were.",
    ),
    Mutant(
        "apply_temperature", "negative_accepted",
        old="not 0 <= temperature < math.inf", new="not abs(temperature) < math.inf",
        why="A negative temperature turns the order of the tokens round in silence.",
    ),
    Mutant(
        "apply_temperature", "nan_accepted",
        old="not 0 <= temperature < math.inf", new="temperature < 0 or temperature == math.inf",
        why="nan is not less than 0, so it gets through and all logits become nan.",
    ),
    Mutant(
        "apply_temperature", "infinite_accepted",
        old="0 <= temperature < math.inf", new="0 <= temperature",
        why="An infinite temperature makes every logit 0, and -inf becomes nan.",
    ),
    Mutant(
        "apply_temperature", "float64_result",
        old="(logits / float(temperature)).astype(np.float32)", new="logits / float(temperature)",
        why="The result is float64, where float32 is asked for.",
    ),
    Mutant(
        "apply_temperature", "divided_in_place",
        old="    logits = np.asarray(logits, dtype=np.float32).astype(np.float64)\n",
        new="    logits = given = np.asarray(logits, dtype=np.float32)\n"
        "    logits = logits.astype(np.float64)\n"
        "    if temperature > 0:\n        given /= np.float32(max(temperature, 1e-30))\n",
        why="A float32 array is not copied by asarray, so the caller's own logits change.",
    ),
    Mutant(
        "apply_temperature", "too_small_divided",
        old="temperature == 0 or beyond.any()", new="temperature == 0",
        why="Quotients beyond float32 are infinite, and the sampler refuses them.",
    ),
    Mutant(
        "apply_temperature", "only_upwards",
        old="np.abs(logits[np.isfinite(logits)])", new="logits[np.isfinite(logits)]",
        why="Logits below 0 become -inf, all of them, and nothing is left to choose.",
    ),
    Mutant(
        "apply_temperature", "masked_counted",
        old="np.abs(logits[np.isfinite(logits)])", new="np.abs(logits)",
        why="One masked token is enough to make 0 of every temperature.",
    ),
    Mutant(
        "apply_temperature", "divided_in_float32",
        old="(logits / float(temperature)).astype(np.float32)",
        new="logits.astype(np.float32) / np.float32(temperature)",
        why="1e-46 is 0 in float32, and 0 / 0 is nan.",
    ),
    Mutant(
        "apply_temperature", "small_is_zero",
        old="temperature == 0 or beyond.any()", new="temperature < 1e-20",
        why="The temperature alone decides what counts as 0, whatever the logits are.",
    ),
    Mutant(
        "apply_temperature", "shifted_first",
        old="(logits / float(temperature))",
        new="((logits - logits.max()) / float(temperature))",
        why="The largest logit is subtracted on the way: other logits than asked for, and other "
        "last bits.",
    ),
    # top_k
    Mutant(
        "top_k", "nan_cut_off",
        old='    if np.isnan(logits).any():\n        raise ValueError("a logit is nan")\n', new="",
        why="A nan is sorted behind all numbers, and so it is the first to become -inf.",
        pitfall="a nan cut off",
    ),
    Mutant(
        "top_k", "nan_refused_where_kept",
        old="np.isnan(logits).any()",
        new="np.isnan(logits[np.argsort(-logits, kind=\"stable\")[:k]]).any()",
        why="A nan is looked for among those that are kept, where it rarely is.",
    ),
    Mutant(
        "top_k", "ties_kept",
        old="return keep_only(logits, np.argsort(-logits, kind=\"stable\")[:k])",
        new="return keep_only(logits, logits >= np.sort(logits)[::-1][:k][-1])",
        why="Everything as large as the k-th is kept, so equal logits make it more than k.",
        pitfall="ties all kept",
    ),
    Mutant(
        "top_k", "later_ties_first",
        old="np.argsort(-logits, kind=\"stable\")[:k]",
        new="np.argsort(logits, kind=\"stable\")[::-1][:k]",
        why="Sorted upwards and read from the end, equal logits come with the largest index "
        "first.",
    ),
    Mutant(
        "top_k", "smallest_kept",
        old="np.argsort(-logits", new="np.argsort(logits",
        why="The k smallest are kept.",
    ),
    Mutant(
        "top_k", "farthest_from_zero",
        old="np.argsort(-logits", new="np.argsort(-np.abs(logits)",
        why="What is sorted is the distance from 0, so very negative logits are kept.",
    ),
    Mutant(
        "top_k", "one_too_many",
        old="[:k])", new="[: k + 1])",
        why="One logit more than k is kept.",
    ),
    Mutant(
        "top_k", "large_k_refused",
        old="if k < 1:", new="if not 1 <= k <= len(logits):",
        why="A k larger than the number of logits is an error, where it should keep all.",
    ),
    Mutant(
        "top_k", "zero_keeps_one",
        old='        raise ValueError(f"k must be 1 or more, got {k}")\n', new="        k = 1\n",
        why="A k of 0 or below becomes 1 in silence.",
    ),
    Mutant(
        "top_k", "cut_short",
        old="return keep_only(logits, np.argsort(-logits, kind=\"stable\")[:k])",
        new="return logits[np.argsort(-logits, kind=\"stable\")[:k]]",
        why="Only the k largest come back, in their own order, so an index means another token.",
    ),
    Mutant(
        "top_k", "zeros_for_infinity",
        old="return keep_only(logits, np.argsort(-logits, kind=\"stable\")[:k])",
        new="kept = np.argsort(-logits, kind=\"stable\")[:k]\n"
        "    return np.nan_to_num(keep_only(logits, kept), neginf=0.0)",
        why="What is cut gets the logit 0, which has the weight 1.",
    ),
    Mutant(
        "top_k", "masked_in_place",
        old="    return keep_only(logits, np.argsort(-logits, kind=\"stable\")[:k])\n",
        new="    logits[np.argsort(-logits, kind=\"stable\")[k:]] = -np.inf\n    return logits\n",
        why="A float32 array is not copied by asarray, so the caller's own logits are cut.",
    ),
    # top_p
    Mutant(
        "top_p", "reaching_token_left_out",
        old="np.searchsorted(running, p * running[-1]) + 1",
        new="np.searchsorted(running, p * running[-1])",
        why="The token with which p is reached is cut, and at a small p nothing is left.",
        pitfall="token that reaches p left out",
    ),
    Mutant(
        "top_p", "reaching_token_left_out_but_one",
        old="np.searchsorted(running, p * running[-1]) + 1",
        new="max(np.searchsorted(running, p * running[-1]), 1)",
        why="The token with which p is reached is cut, unless it is the only one.",
    ),
    Mutant(
        "top_p", "more_than_p",
        old="np.searchsorted(running, p * running[-1])",
        new='np.searchsorted(running, p * running[-1], side="right")',
        why="Where p is reached exactly, one token more is kept.",
    ),
    Mutant(
        "top_p", "not_normalised",
        old="p * running[-1]", new="p",
        why="Weights are compared with p as if their sum were 1.",
    ),
    Mutant(
        "top_p", "in_the_old_order",
        old="np.argsort(-np.asarray(logits, dtype=np.float32), kind=\"stable\")",
        new="np.arange(len(logits))",
        why="The tokens are not sorted, so the first ones are kept and not the most likely.",
    ),
    Mutant(
        "top_p", "later_ties_first",
        old="np.argsort(-np.asarray(logits, dtype=np.float32), kind=\"stable\")",
        new="np.argsort(np.asarray(logits, dtype=np.float32), kind=\"stable\")[::-1]",
        why="Of equal logits, those of larger index are kept first.",
    ),
    Mutant(
        "top_p", "added_in_float32",
        old="np.cumsum(weights[order], dtype=np.float64)", new="np.cumsum(weights[order])",
        why="float32 loses the many small weights beside a large one.",
    ),
    Mutant(
        "top_p", "one_cuts_the_tail",
        old="    if p == 1:\n        return np.array(logits, dtype=np.float32)\n", new="",
        why="At p = 1 the tokens whose weights the sum no longer feels are cut.",
    ),
    Mutant(
        "top_p", "one_checks_nothing",
        old="    weights = softmax_weights(logits, len(logits))\n"
        "    if p == 1:\n        return np.array(logits, dtype=np.float32)\n",
        new="    if p == 1:\n        return np.array(logits, dtype=np.float32)\n"
        "    weights = softmax_weights(logits, len(logits))\n",
        why="At p = 1 a nan gets through.",
    ),
    Mutant(
        "top_p", "zero_accepted",
        old="not 0 < p <= 1", new="not 0 <= p <= 1",
        why="p = 0 keeps one token in silence.",
    ),
    Mutant(
        "top_p", "percent_accepted",
        old="not 0 < p <= 1", new="not p > 0",
        why="A p above 1, in percent say, gets as far as the look-up, which then fails or keeps "
        "all.",
    ),
    Mutant(
        "top_p", "nan_accepted",
        old="not 0 < p <= 1", new="p <= 0 or p > 1",
        why="nan fails neither comparison and gets through.",
    ),
    Mutant(
        "top_p", "same_array_at_one",
        old="np.array(logits, dtype=np.float32)", new="np.asarray(logits)",
        why="At p = 1 a list comes back as float64, and an array as itself.",
    ),
    Mutant(
        "top_p", "masked_in_place",
        old="    return keep_only(logits, order[:needed])\n",
        new="    logits = np.asarray(logits, dtype=np.float32)\n"
        "    logits[order[needed:]] = -np.inf\n    return logits\n",
        why="A float32 array is not copied by asarray, so the caller's own logits are cut.",
    ),
    # sample_softmax_fast
    Mutant(
        "sample_softmax_fast", "coin_not_scaled",
        old="np.float32(float(coin) * float(total))", new="np.float32(coin)",
        why="The coin is compared with weights as if their sum were 1.",
    ),
    Mutant(
        "sample_softmax_fast", "total_in_blocks",
        old="scale(total * (1 - doubt)) != scale(total * (1 + doubt))", new="False",
        why="sum() adds in blocks, and for a rare coin the last bit of the total decides.",
        pitfall="total added in blocks",
    ),
    Mutant(
        "sample_softmax_fast", "total_in_float32",
        old="weights.sum(dtype=np.float64)", new="weights.cumsum()[-1]",
        why="The total is the last running sum in float32, which has lost the small weights.",
    ),
    Mutant(
        "sample_softmax_fast", "running_in_float64",
        old="weights[start : start + piece]",
        new="weights[start : start + piece].astype(np.float64)",
        why="The running sums are float64 and keep small weights that llm.c's float loses.",
    ),
    Mutant(
        "sample_softmax_fast", "rounded_twice",
        old="np.float32(float(coin) * float(total))", new="np.float32(coin) * np.float32(total)",
        why="The total is rounded to float32 before the product, and the product again.",
    ),
    Mutant(
        "sample_softmax_fast", "scaled_in_float64",
        old="scaled = scale(total)", new="scaled = float(coin) * float(total)",
        why="The scaled coin is a float64, so it lies between two float32 where llm.c's is one.",
    ),
    Mutant(
        "sample_softmax_fast", "stops_at_equality",
        old='side="right"', new='side="left"',
        why="A border belongs to the token before it, and a coin of 0 stops at a weight of 0.",
    ),
    Mutant(
        "sample_softmax_fast", "equality_ends_a_piece",
        old="if scaled < before:", new="if scaled <= before:",
        why="A coin that falls on the end of a piece, and runs through zeros there, is answered "
        "from the wrong piece.",
    ),
    Mutant(
        "sample_softmax_fast", "n_at_the_end",
        old="return len(weights) - 1", new="return len(weights)",
        why="Where no running sum exceeds the scaled coin, the answer is one too many.",
    ),
    Mutant(
        "sample_softmax_fast", "sum_not_carried",
        old="        running[0] += before\n", new="",
        why="Each piece begins at 0 again, so the walk gets less far than it should.",
    ),
    Mutant(
        "sample_softmax_fast", "place_in_the_piece",
        old="start + int(", new="int(",
        why="The index counts from the beginning of a piece, not of the logits.",
    ),
    Mutant(
        "sample_softmax_fast", "numpy_index",
        old="start + int(np.searchsorted(running, scaled, side=\"right\"))",
        new="start + np.searchsorted(running, scaled, side=\"right\")",
        why="The index is a NumPy integer, where a plain int is asked for.",
    ),
    Mutant(
        "sample_softmax_fast", "last_piece_forgotten",
        old="range(0, n, piece)", new="range(0, max(n - piece, 1), piece)",
        why="The last piece is never looked at, so its tokens are never chosen but for the last.",
    ),
    Mutant(
        "sample_softmax_fast", "all_logits",
        old="softmax_weights(logits, n)", new="softmax_weights(logits, len(logits))",
        why="n is not looked at, so that padding counts.",
    ),
)

STREAM = (
    (
        "random_u32",
        '''\
def random_u32(generator):
    x = np.array(int(generator.state), dtype=np.uint64)
    for shift, places in ((np.right_shift, 12), (np.left_shift, 25), (np.right_shift, 27)):
        x = np.bitwise_xor(x, shift(x, np.uint64(places)))
    generator.state = int(x)
    return int(x) * MULTIPLIER // 2**32 % 2**32
''',
    ),
    (
        "random_f32",
        '''\
def random_f32(generator):
    return np.float32(math.ldexp(random_u32(generator) // 256, -24))
''',
    ),
)

FREE_OF_SHIFTS = (
    (
        "softmax_weights",
        '''\
def softmax_weights(scores, n):
    count = len(scores)
    if n < 1 or n > count:
        raise ValueError(f"cannot take {n} of {count} logits")
    taken = np.array(scores, dtype=np.float32)[:n]
    best = taken.max()
    if np.isnan(best) or np.isinf(best):
        raise ValueError(f"largest logit: {best}")
    needed = best > 64 or best < -64
    return np.exp(np.subtract(taken, best if needed else np.float32(0)))
''',
    ),
    (
        "sample_softmax",
        '''\
def sample_softmax(logits, n, coin):
    weights = softmax_weights(logits, n)
    target = np.float32(np.float64(coin) * np.float64(np.cumsum(weights, dtype=np.float64)[-1]))
    passed = np.float32(0)
    index = 0
    while index < n - 1:
        passed = np.float32(passed + weights[index])
        if passed > target:
            break
        index += 1
    return index
''',
    ),
)

ONE_LOOK_UP = (
    (
        "sample_softmax",
        '''\
def sample_softmax(logits, n, coin):
    return sample_softmax_fast(logits, n, coin)
''',
    ),
    (
        "sample_softmax_fast",
        '''\
def sample_softmax_fast(logits, n, coin):
    weights = softmax_weights(logits, n)
    total = np.add.accumulate(weights, dtype=np.float64)[-1]
    passed = np.add.accumulate(weights) <= np.float32(float(coin) * float(total))
    return min(int(np.count_nonzero(passed)), int(n) - 1)
''',
    ),
)

THRESHOLDS = (
    (
        "apply_temperature",
        '''\
def apply_temperature(logits, temperature):
    if math.isnan(temperature) or math.isinf(temperature) or temperature < 0:
        raise ValueError(f"{temperature} is no temperature")
    scaled = np.array(logits, dtype=np.float32)
    sizes = [abs(float(logit)) for logit in scaled if math.isfinite(logit)]
    if temperature > 0 and max(sizes, default=0) <= LARGE * float(temperature):
        return np.array([float(logit) / float(temperature) for logit in scaled], dtype=np.float32)
    best = int(np.argmax(scaled))
    for i in range(len(scaled)):
        if i != best:
            scaled[i] = -np.inf
    return scaled
''',
    ),
    (
        "top_k",
        '''\
def top_k(logits, k):
    if k <= 0:
        raise ValueError(f"cannot keep {k} logits")
    out = np.array(logits, dtype=np.float32)
    if any(math.isnan(logit) for logit in out):
        raise ValueError("nan among the logits")
    ranked = sorted(range(len(out)), key=lambda i: (-out[i], i))
    for i in ranked[int(k):]:
        out[i] = -math.inf
    return out
''',
    ),
    (
        "top_p",
        '''\
def top_p(logits, p):
    if math.isnan(p) or p <= 0 or p > 1:
        raise ValueError(f"{p} is no probability to keep")
    out = np.array(logits, dtype=np.float32)
    weights = softmax_weights(out, len(out)).tolist()
    needed, reached = p * math.fsum(weights), 0.0
    for i in sorted(range(len(out)), key=lambda i: (-out[i], i)):
        if p < 1 and reached >= needed:
            out[i] = -math.inf
        reached += weights[i]
    return out
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "stream",
        "The three shifts in NumPy's 64-bit integers, the product as a quotient and a remainder, "
        "and a state that is called a generator.",
        STREAM,
    ),
    Variant(
        "free_of_shifts",
        "A shift by 0 where none is needed, and a walk that stops before the last token.",
        FREE_OF_SHIFTS,
    ),
    Variant(
        "one_look_up",
        "Both samplers count the running sums that the coin has passed.",
        ONE_LOOK_UP,
    ),
    Variant(
        "thresholds",
        "Division of one logit at a time, loops and Python's own sort in place of a mask.",
        THRESHOLDS,
    ),
)

SLOWER = "The sums are added in the loop's order more often than need be, which only takes time."
DOUBT = "`doubt = n * 2.0 ** (-50)` -> `doubt = "
CONDITION = "scale(total * (1 - doubt)) != scale(total * (1 + doubt))"

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "apply_temperature",
        "`np.abs(logits[np.isfinite(logits)]) > LARGE * float(temperature)` -> "
        "`np.abs(logits[np.isfinite(logits)]) >= LARGE * float(temperature)`",
        "Only a quotient of LARGE itself tells them apart, and rounding says whether there is one.",
    ),
    *(
        Equivalent("sample_softmax_fast", f"{DOUBT}{new}`", SLOWER)
        for new in (
            "n // 2.0 ** (-50)", "n * (2.0 * -50)", "n * 1.0 ** (-50)", "n * 2.0 ** 50",
            "n * 2.0 ** (-49)",
        )
    ),
    *(
        Equivalent("sample_softmax_fast", f"`if {CONDITION}:` -> `if {new}:`", SLOWER)
        for new in (
            "scale(total * (2 - doubt)) != scale(total * (1 + doubt))",
            "scale(total * (0 - doubt)) != scale(total * (1 + doubt))",
            "scale(total * (1 - doubt)) != scale(total * (2 + doubt))",
            "scale(total * (1 - doubt)) != scale(total * (0 + doubt))",
        )
    ),
    *(
        Equivalent("sample_softmax_fast", f"`{CONDITION}` -> `{new}`", SLOWER)
        for new in (
            "scale(total // (1 - doubt)) != scale(total * (1 + doubt))",
            "scale(total * (1 - doubt)) != scale(total // (1 + doubt))",
        )
    ),
    Equivalent(
        "sample_softmax_fast",
        f"{DOUBT}n * 2.0 ** (-51)`",
        "n sums in float64 are off by at most n * 2**-53, so half of the doubt is enough too.",
    ),
    *(
        Equivalent(
            "sample_softmax_fast",
            f"`piece, before = (8192, np.float32(0))` -> `piece, before = ({length}, "
            "np.float32(0))`",
            "Where a piece ends changes no sum.",
        )
        for length in (8191, 8193)
    ),
    Equivalent(
        "sample_softmax_fast",
        "`for start in range(0, n, piece):` -> `for start in range(0, n - 1, piece):`",
        "A last piece of one weight is left out, and then the last index is the answer anyway.",
    ),
)
