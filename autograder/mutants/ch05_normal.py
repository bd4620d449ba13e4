"""Planted bugs, correct variants and equivalent mutants of ch05_normal; bugs and equivalents are
grouped by function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

RETURNED = "A result is returned as well, so a call looks as if the array itself had not changed."

MUTANTS: tuple[Mutant, ...] = (
    # uniform_
    Mutant(
        "uniform_",
        "name_given_away",
        old="data[:] = randint32_array(state, len(data)) & 0xFFFFFF\n",
        new="data = (randint32_array(state, len(data)) & 0xFFFFFF).astype(np.float32)\n",
        why="The name data is given to a new array, which is filled and then lost; the caller's "
        "array stays as it was.",
        pitfall="new array in place of the old one",
    ),
    Mutant(
        "uniform_",
        "high_24_bits",
        old="randint32_array(state, len(data)) & 0xFFFFFF",
        new="randint32_array(state, len(data)) >> 8",
        why="The high 24 bits of each word are kept; the numbers are as uniform, but not "
        "PyTorch's.",
        pitfall="high 24 bits kept",
    ),
    Mutant(
        "uniform_",
        "one_word_for_all",
        old="randint32_array(state, len(data))",
        new="randint32_array(state, min(1, len(data)))",
        why="A single word is drawn, and broadcasting hands it to all places.",
        pitfall="same word for every number",
    ),
    Mutant(
        "uniform_",
        "not_shifted",
        old="    data += np.float32(from_)\n",
        new="",
        why="from_ is never added, so the numbers begin at 0.",
    ),
    Mutant(
        "uniform_",
        "scaled_by_to",
        old="np.float32(to - from_)",
        new="np.float32(to)",
        why="The width of the range is taken to be its upper end, which is right from 0 on only.",
    ),
    Mutant(
        "uniform_",
        "shifted_before_scaled",
        old="    data *= np.float32(to - from_)\n    data += np.float32(from_)\n",
        new="    data += np.float32(from_)\n    data *= np.float32(to - from_)\n",
        why="The shift is scaled too, so the numbers land in another range.",
    ),
    Mutant(
        "uniform_",
        "largest_is_one",
        old="2**-24",
        new="1 / (2**24 - 1)",
        why="Divided by 2**24 - 1, the largest number is `to` itself and nearly all others are a "
        "little off.",
    ),
    Mutant(
        "uniform_",
        "two_words_each",
        old="randint32_array(state, len(data))",
        new="randint32_array(state, 2 * len(data))[::2]",
        why="Each number uses up two words, as a float64 would, so all but the first are wrong.",
    ),
    Mutant(
        "uniform_",
        "filled_array_returned",
        old="    data += np.float32(from_)\n",
        new="    data += np.float32(from_)\n    return data\n",
        why=RETURNED,
    ),
    # normal_fill_16
    Mutant(
        "normal_fill_16",
        "not_one_minus",
        old="u1 = 1 - data[..., :8]",
        new="u1 = data[..., :8].copy()",
        why="The log of data[t] in place of 1 - data[t]: as normal, but other numbers, and data[t] "
        "may be 0.",
        pitfall="`1 - data[t]` forgotten",
    ),
    Mutant(
        "normal_fill_16",
        "neighbours_paired",
        old="    u1 = 1 - data[..., :8]\n    u2 = data[..., 8:]\n",
        new="    u1 = 1 - data[..., ::2]\n    u2 = data[..., 1::2].copy()\n",
        why="Places 0 and 1, 2 and 3, ... are paired, where PyTorch pairs t with t + 8.",
        pitfall="neighbours paired",
    ),
    Mutant(
        "normal_fill_16",
        "epsilon_in_float64",
        old="np.log(u1 + np.float32(1e-12))",
        new="np.log(u1 + np.float64(1e-12))",
        why="In float64, 1 + 1e-12 is more than 1 and its log positive, so a uniform number of "
        "exactly 0 gives the root of a negative number.",
        pitfall="float64 slips in",
    ),
    Mutant(
        "normal_fill_16",
        "written_too_early",
        old="    theta = np.float32(2 * np.pi) * u2\n"
        "    data[..., :8] = radius * np.cos(theta) + np.float32(mean)\n"
        "    data[..., 8:] = radius * np.sin(theta) + np.float32(mean)\n",
        new="    turn = np.float32(2 * np.pi)\n"
        "    data[..., 8:] = radius * np.sin(turn * u2) + np.float32(mean)\n"
        "    data[..., :8] = radius * np.cos(turn * u2) + np.float32(mean)\n",
        why="u2 is a view of the second half, so once the sines are written, the cosines are taken "
        "of them and no longer of the uniform numbers.",
        pitfall="overwritten before it is used",
    ),
    Mutant(
        "normal_fill_16",
        "sine_first",
        old="    data[..., :8] = radius * np.cos(theta) + np.float32(mean)\n"
        "    data[..., 8:] = radius * np.sin(theta) + np.float32(mean)\n",
        new="    data[..., :8] = radius * np.sin(theta) + np.float32(mean)\n"
        "    data[..., 8:] = radius * np.cos(theta) + np.float32(mean)\n",
        why="Sine and cosine change places, so the two halves of the block are exchanged.",
    ),
    Mutant(
        "normal_fill_16",
        "halves_exchanged",
        old="    u1 = 1 - data[..., :8]\n    u2 = data[..., 8:]\n",
        new="    u1 = 1 - data[..., 8:]\n    u2 = data[..., :8].copy()\n",
        why="The last eight numbers give the radius and the first eight the angle.",
    ),
    Mutant(
        "normal_fill_16",
        "mean_scaled",
        old=" * np.float32(std)\n",
        new="\n    mean, radius = mean * std, radius * np.float32(std)\n",
        why="The mean is multiplied by std as well.",
    ),
    Mutant(
        "normal_fill_16",
        "std_as_variance",
        old="np.float32(std)",
        new="np.float32(np.sqrt(std))",
        why="std is taken for a variance, and its root is used.",
    ),
    Mutant(
        "normal_fill_16",
        "mean_in_first_half_only",
        old="np.sin(theta) + np.float32(mean)",
        new="np.sin(theta)",
        why="The mean is not added to the second half of the block.",
    ),
    Mutant(
        "normal_fill_16",
        "degrees_of_half_a_circle",
        old="np.float32(2 * np.pi) * u2",
        new="np.float32(np.pi) * u2",
        why="The angle goes only half around the circle, so no sine is ever negative.",
    ),
    Mutant(
        "normal_fill_16",
        "first_block_only",
        old="    u1 = 1 - data[..., :8]\n",
        new="    data = data.reshape(-1, 16)[0]\n    u1 = 1 - data[..., :8]\n",
        why="Of an array of many blocks, only the first is transformed.",
    ),
    Mutant(
        "normal_fill_16",
        "block_returned",
        old="    data[..., 8:] = radius * np.sin(theta) + np.float32(mean)\n",
        new="    data[..., 8:] = radius * np.sin(theta) + np.float32(mean)\n    return data\n",
        why=RETURNED,
    ),
    # normal_fill
    Mutant(
        "normal_fill",
        "tail_not_drawn",
        old="        uniform_(tail, 0, 1, state)\n",
        new="",
        why="The last sixteen are transformed as they are: some of them for the second time, and "
        "without using up words.",
        pitfall="tail transformed without new words",
    ),
    Mutant(
        "normal_fill",
        "rest_drawn_only",
        old="        uniform_(tail, 0, 1, state)\n",
        new="        uniform_(data[n - n % 16 :], 0, 1, state)\n",
        why="New uniform numbers are drawn for the places left over, not for all sixteen, so the "
        "others are transformed twice.",
        pitfall="new words for the rest only",
    ),
    Mutant(
        "normal_fill",
        "tail_left_uniform",
        old="    if n % 16:\n"
        "        tail = data[-16:]\n"
        "        uniform_(tail, 0, 1, state)\n"
        "        normal_fill_16(tail, mean, std)\n",
        new="",
        why="The places left over after the last whole block stay uniform.",
    ),
    Mutant(
        "normal_fill",
        "tail_always",
        old="    if n % 16:\n",
        new="    if n:\n",
        why="The last sixteen are drawn again even where they are a whole block.",
    ),
    Mutant(
        "normal_fill",
        "tail_is_standard",
        old="normal_fill_16(tail, mean, std)",
        new="normal_fill_16(tail, 0, 1)",
        why="The last sixteen numbers have a mean of 0 and a std of 1, whatever was asked for.",
    ),
    Mutant(
        "normal_fill",
        "no_check_of_the_length",
        old="    if n < 16:\n"
        '        raise ValueError(f"normal_fill needs at least 16 numbers, got {n}")\n',
        new="",
        why="A short array is not refused: it fails somewhere below, or stays as it is, with words "
        "used up.",
    ),
    Mutant(
        "normal_fill",
        "sixteen_refused",
        old="n < 16",
        new="n <= 16",
        why="Sixteen numbers are one whole block, and are refused.",
    ),
    Mutant(
        "normal_fill",
        "drawn_block_by_block",
        old="    uniform_(data, 0, 1, state)\n    blocks",
        new="    uniform_(data[: n - n % 16], 0, 1, state)\n    blocks",
        why="Words are drawn for whole blocks only, so those that PyTorch draws for the rest, and "
        "overwrites, go into the tail.",
    ),
    Mutant(
        "normal_fill",
        "large_arrays_cut_short",
        old="range(0, len(blocks), 1024)",
        new="range(0, min(len(blocks), 1024), 1024)",
        why="Beyond 16,384 numbers nothing is transformed, and the rest stays uniform.",
    ),
    Mutant(
        "normal_fill",
        "length_returned",
        old="        normal_fill_16(tail, mean, std)\n",
        new="        normal_fill_16(tail, mean, std)\n    return n\n",
        why=RETURNED,
    ),
    # normal_
    Mutant(
        "normal_",
        "radius_before_angle",
        old="        u1 = randfloat64(state)\n        u2 = randfloat64(state)\n",
        new="        u2 = randfloat64(state)\n        u1 = randfloat64(state)\n",
        why="The first uniform number is taken for the radius and the second for the angle; in "
        "this way PyTorch has it the other way round.",
        pitfall="angle and radius exchanged",
    ),
    Mutant(
        "normal_",
        "sine_dropped",
        old="    for t in range(0, n, 2):\n",
        new="    for t in range(n):\n",
        why="Every number is a cosine of a pair of its own: the sine of the pair before is "
        "overwritten, and twice as many words are used.",
        pitfall="sine thrown away",
    ),
    Mutant(
        "normal_",
        "limit_at_17",
        old="n >= 16",
        new="n > 16",
        why="Sixteen numbers go the way of short arrays, though they are one whole block.",
        pitfall="limit at 17",
    ),
    Mutant(
        "normal_",
        "limit_at_32",
        old="n >= 16",
        new="n >= 32",
        why="Between 16 and 31 numbers go the way of short arrays.",
    ),
    Mutant(
        "normal_",
        "u2_itself",
        old="math.log1p(-u2)",
        new="math.log(u2 or 1.0)",
        why="The radius is made of u2 in place of 1 - u2.",
    ),
    Mutant(
        "normal_",
        "floats_of_one_word",
        old="        u1 = randfloat64(state)\n        u2 = randfloat64(state)\n",
        new="        u1, u2 = randint32(state) / 2**32, randint32(state) / 2**32\n",
        why="Each uniform number is one word and not two, so the numbers are other ones from the "
        "first on.",
    ),
    Mutant(
        "normal_",
        "mean_ignored_when_short",
        old="math.sin(theta) * std + mean",
        new="math.sin(theta) * std",
        why="Every second number of a short array lacks the mean.",
    ),
    Mutant(
        "normal_",
        "mean_and_std_exchanged",
        old="normal_fill(data, mean, std, state)",
        new="normal_fill(data, std, mean, state)",
        why="Mean and std change places on the way to normal_fill.",
    ),
    Mutant(
        "normal_",
        "odd_length_fails",
        old="        if t + 1 < n:\n            data",
        new="        data",
        why="With an odd length, the last sine is written beyond the end of the array.",
    ),
    Mutant(
        "normal_",
        "one_pair_for_all",
        old="    for t in range(0, n, 2):\n"
        "        u1 = randfloat64(state)\n"
        "        u2 = randfloat64(state)\n",
        new="    u1 = randfloat64(state) if n else 0.0\n"
        "    u2 = randfloat64(state) if n else 0.0\n"
        "    for t in range(0, n, 2):\n",
        why="One pair is drawn before the loop, so a short array repeats two numbers.",
    ),
    # init_identity_permutation
    Mutant(
        "init_identity_permutation",
        "begins_at_1",
        old="np.arange(len(data))",
        new="np.arange(1, len(data) + 1)",
        why="The numbers are 1 ... n, and the last one is beyond the end of what it indexes.",
    ),
    Mutant(
        "init_identity_permutation",
        "identity_given_away",
        old="data[:] = ",
        new="data = ",
        why="The name data is given to a new array; the caller's stays as it was.",
    ),
    Mutant(
        "init_identity_permutation",
        "added_to_what_is_there",
        old="data[:] = ",
        new="data += ",
        why="The numbers are added to what the array held, which is right for zeros only.",
    ),
    Mutant(
        "init_identity_permutation",
        "identity_returned",
        old="    data[:] = np.arange(len(data))\n",
        new="    data[:] = np.arange(len(data))\n    return data\n",
        why=RETURNED,
    ),
    # random_permutation
    Mutant(
        "random_permutation",
        "never_in_its_place",
        old="np.arange(n, 1, -1)",
        new="np.arange(n - 1, 0, -1)",
        why="word % i in place of word % (i + 1): no place is ever swapped with itself, so only "
        "orders that are one cycle can come out.",
        pitfall="remainder by i",
    ),
    Mutant(
        "random_permutation",
        "swapped_with_any",
        old="words % np.arange(n, 1, -1)",
        new="words % n",
        why="Every place is swapped with any of the n places, which makes some orders more likely "
        "than others.",
        pitfall="swap with any place",
    ),
    Mutant(
        "random_permutation",
        "from_the_bottom",
        old="    choices = words % np.arange(n, 1, -1)\n"
        "    values = data.tolist()  # a list swaps faster than an array\n"
        "    for i, j in zip(range(n - 1, 0, -1), choices.tolist(), strict=True):\n",
        new="    choices = words % np.arange(2, n + 1)\n"
        "    values = data.tolist()\n"
        "    for i, j in zip(range(1, n), choices.tolist(), strict=True):\n",
        why="The places are walked from 1 up, which shuffles as fairly but into another order.",
        pitfall="walk from the bottom",
    ),
    Mutant(
        "random_permutation",
        "as_randperm",
        old="    for i, j in zip(range(n - 1, 0, -1), choices.tolist(), strict=True):\n",
        new="    for i, j in ((k, k + j) for k, j in enumerate(choices.tolist())):\n",
        why="The shuffle of torch.randperm: forward, place i with one from i on.",
    ),
    Mutant(
        "random_permutation",
        "a_word_for_place_0",
        old="max(n - 1, 0))\n",
        new="n)[: max(n - 1, 0)]\n",
        why="A word is drawn for place 0 too, which has no choice, so all that is drawn later is "
        "another word.",
    ),
    Mutant(
        "random_permutation",
        "overwritten_not_swapped",
        old="values[i], values[j] = values[j], values[i]",
        new="values[i] = values[j]",
        why="The number at i is overwritten and lost, and the one at j stands there twice.",
    ),
    Mutant(
        "random_permutation",
        "begins_with_the_identity",
        old="data.tolist()  #",
        new="list(range(n))  #",
        why="0 ... n - 1 is shuffled in place of what the array holds.",
    ),
    Mutant(
        "random_permutation",
        "shuffled_list_lost",
        old="    data[:] = values\n",
        new="",
        why="The list is shuffled and never written back into the array.",
    ),
    Mutant(
        "random_permutation",
        "shuffled_list_returned",
        old="    data[:] = values\n",
        new="    data[:] = values\n    return values\n",
        why=RETURNED,
    ),
    Mutant(
        "random_permutation",
        "signed_words",
        old="    choices = words % np.arange",
        new="    choices = (words & 0x7FFFFFFF) % np.arange",
        why="The top bit of each word is cut off, as by a signed integer, which changes the "
        "remainders.",
    ),
)

LOOPS = (
    (
        "uniform_",
        '''\
def uniform_(data, from_, to, state):
    for place in range(data.size):
        data[place] = randfloat32(state) * np.float32(to - from_) + np.float32(from_)
''',
    ),
    (
        "normal_fill_16",
        '''\
def transformed(u1, u2, mean, std):
    radius = np.sqrt(np.float32(-2) * np.log(u1 + np.float32(1e-12)))
    theta = np.float32(2 * np.pi) * u2
    return radius * np.cos(theta) * std + mean, radius * np.sin(theta) * std + mean


def normal_fill_16(data, mean, std):
    for block in data.reshape(-1, 16):
        for t in range(8):
            u1 = np.float32(1) - block[t]
            block[t], block[t + 8] = transformed(u1, block[t + 8], mean, std)
''',
    ),
    (
        "normal_fill",
        '''\
def normal_fill(data, mean, std, state):
    if data.size < 16:
        raise ValueError(f"an array of {data.size} is too short")
    uniform_(data, 0.0, 1.0, state)
    for start in range(0, data.size - 15, 16):
        normal_fill_16(data[start : start + 16], mean, std)
    if data.size % 16 != 0:
        uniform_(data[data.size - 16 :], 0.0, 1.0, state)
        normal_fill_16(data[data.size - 16 :], mean, std)
''',
    ),
    (
        "init_identity_permutation",
        '''\
def init_identity_permutation(data):
    for i in range(len(data)):
        data[i] = i
''',
    ),
    (
        "random_permutation",
        '''\
def random_permutation(data, state):
    for i in range(len(data) - 1, 0, -1):
        j = randint32(state) % (i + 1)
        data[i], data[j] = data[j], data[i]
''',
    ),
)

SHORT_IN_FLOAT32 = (
    (
        "normal_",
        '''\
def normal_(data, mean, std, state):
    if len(data) >= 16:
        normal_fill(data, mean, std, state)
        return
    kept = None
    for t in range(len(data)):
        if kept is not None:
            data[t], kept = np.float32(kept * std + mean), None
            continue
        u1, u2 = np.float32(randfloat64(state)), np.float32(randfloat64(state))
        radius = np.sqrt(np.float32(-2) * np.log(1 - u2 + np.float32(1e-12)))
        theta = np.float32(2 * np.pi * float(u1))
        kept = radius * np.sin(theta)
        data[t] = radius * np.cos(theta) * np.float32(std) + np.float32(mean)
''',
    ),
)

IN_FLOAT64 = (
    (
        "uniform_",
        '''\
def uniform_(data, from_, to, state):
    u = (randint32_array(state, len(data)) % 2**24) / 2**24
    data[:] = u * (to - from_) + from_
    data[data >= np.float32(to)] = from_
''',
    ),
    (
        "normal_fill_16",
        '''\
def normal_fill_16(data, mean, std):
    first, second = np.split(data.astype(np.float64), 2, axis=-1)
    point = np.sqrt(-2 * np.log1p(-first)) * np.exp(2j * np.pi * second)
    data[...] = np.concatenate([point.real, point.imag], axis=-1) * std + mean
''',
    ),
    (
        "random_permutation",
        '''\
def random_permutation(data, state):
    left = list(range(len(data)))
    for i in reversed(range(1, len(data))):
        j = randint32(state) % (i + 1)
        left[j], left[i] = left[i], left[j]
    data[...] = data[np.array(left, dtype=int)]
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "loops",
        "Everything number by number and block by block, with helpers of other names.",
        LOOPS,
    ),
    Variant(
        "short_in_float32",
        "Short arrays in float32, as the C code has them: off by rounding only.",
        SHORT_IN_FLOAT32,
    ),
    Variant(
        "in_float64",
        "Uniform and normal numbers in float64, rounded once at the end; a number that would round "
        "to the upper end becomes the lower one; places are shuffled first and then looked up.",
        IN_FLOAT64,
    ),
)

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "normal_fill",
        "`blocks = data[:n - n % 16].reshape(-1, 16)` -> "
        "`blocks = data[:n - n % 16].reshape(-2, 16)`",
        "NumPy takes any negative length for the one that it is to work out.",
    ),
    Equivalent(
        "normal_fill",
        "`for start in range(0, len(blocks), 1024):` -> "
        "`for start in range(0, len(blocks) + 1, 1024):`",
        "At most there is one more piece, which begins at the end and is empty.",
    ),
    Equivalent(
        "random_permutation",
        "`words = randint32_array(state, max(n - 1, 0))` -> "
        "`words = randint32_array(state, max(0, n - 1))`",
        "The larger of two numbers is the same in either order.",
    ),
    Equivalent(
        "random_permutation",
        "`zip(range(n - 1, 0, -1), choices.tolist(), strict=True)` -> "
        "`zip(choices.tolist(), range(n - 1, 0, -1), strict=True)`",
        "i and j change their names, and a swap is the same from both sides.",
    ),
    Equivalent(
        "random_permutation",
        "`zip(range(n - 1, 0, -1), choices.tolist(), strict=True)` -> "
        "`zip(range(n - 1, 0, -1), choices.tolist(), strict=False)`",
        "The two have one length, n - 1 or 0, so there is nothing to be strict about.",
    ),
)
