"""Planted bugs, correct variants and equivalent mutants of ch09_evalloader; bugs are grouped by
function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

IDS_CHECKED = '''\
    if not all(0 <= token < START for part in parts for token in part):
'''
UNPACKED = '''\
        try:
            examples.append(unpack_example(own))
        except ValueError as error:
            raise ValueError(f"example {index}: {error}") from error
'''
PARTS = '''\
        if length == 0 or len(parts[-1]) < length:
'''
RIGHT = '''\
    right = (chosen == label) & ~padding & ~np.isnan(means).any(axis=1)
'''

MUTANTS: tuple[Mutant, ...] = (
    # pack_example
    Mutant(
        "pack_example", "words_for_bytes",
        old="size = 2 * (5 + len(body))", new="size = 5 + len(body)",
        why="The second word counts words, and readers skip half of each example.",
        pitfall="words counted for bytes",
    ),
    Mutant(
        "pack_example", "rest_counted",
        old="size = 2 * (5 + len(body))", new="size = 2 * (3 + len(body))",
        why="The number of bytes is that of the rest of the example.",
    ),
    Mutant(
        "pack_example", "ids_wrap",
        old=IDS_CHECKED,
        new="    parts = [np.array(part).astype(np.uint16).tolist() for part in parts]\n"
        "    if any(token == START for part in parts for token in part):\n",
        why="Ids of more than 16 bits turn into others without a word.",
        pitfall="ids wrap around",
    ),
    Mutant(
        "pack_example", "start_is_an_id",
        old="0 <= token < START for", new="0 <= token <= START for",
        why="65535 is written as an id, and readers take it for the beginning of an example.",
    ),
    Mutant(
        "pack_example", "last_id_refused",
        old="0 <= token < START for", new="0 <= token < START - 1 for",
        why="The id 65534 is refused.",
    ),
    Mutant(
        "pack_example", "context_not_checked",
        old="for part in parts for token in part", new="for part in parts[1:] for token in part",
        why="Ids of the context are not looked at.",
    ),
    Mutant(
        "pack_example", "any_label",
        old="example.label not in range(COMPLETIONS)", new="example.label < 0",
        why="A label that belongs to no completion is written.",
    ),
    Mutant(
        "pack_example", "label_from_one",
        old="index, example.label, COMPLETIONS,", new="index, example.label + 1, COMPLETIONS,",
        why="Labels are counted from 1.",
    ),
    Mutant(
        "pack_example", "any_number_of_completions",
        old="len(parts) != 1 + COMPLETIONS or ", new="",
        why="Other numbers of completions than four are written.",
    ),
    Mutant(
        "pack_example", "empty_completions",
        old="if not all(parts):", new="if not parts[0]:",
        why="A completion without ids is written.",
    ),
    Mutant(
        "pack_example", "empty_context",
        old="if not all(parts):", new="if not all(parts[1:]):",
        why="A context without ids is written, and no id predicts the first of a completion.",
    ),
    Mutant(
        "pack_example", "index_always_0",
        old="[START, size, index,", new="[START, size, 0,",
        why="Every example has the index 0.",
        pitfall="one index for all",
    ),
    Mutant(
        "pack_example", "label_and_index_swapped",
        old="index, example.label, COMPLETIONS,", new="example.label, index, COMPLETIONS,",
        why="Index and label stand in each other's place.",
    ),
    Mutant(
        "pack_example", "lengths_left_out",
        old="for word in (len(part), *part)",
        new="for word in (part if part is parts[0] else (len(part), *part))",
        why="The context's length is not written.",
    ),
    Mutant(
        "pack_example", "too_long_example",
        old="if size > LARGEST:", new="if size // 2 > LARGEST:",
        why="An example of more than 65535 bytes fails without its index being named.",
    ),
    Mutant(
        "pack_example", "long_example_refused",
        old="if size > LARGEST:", new="if size > LARGEST // 2:",
        why="Examples are refused that are half as long as they may be.",
    ),
    Mutant(
        "pack_example", "signed_words",
        old="dtype=np.uint16", new="dtype=np.int32",
        why="The words have 32 bits.",
    ),
    Mutant(
        "pack_example", "any_index_packed",
        old="if index >= START:", new="if index > START:",
        why="The index 65535 is written, and readers take it for the beginning of an example.",
    ),
    # write_evalfile
    Mutant(
        "write_evalfile", "longest_left_out",
        old="max(words.nbytes for words in packed)", new="0",
        why="The header has no longest example, and llm.c refuses it.",
        pitfall="longest example left out of the header",
    ),
    Mutant(
        "write_evalfile", "longest_in_words",
        old="max(words.nbytes for words in packed)", new="max(words.size for words in packed)",
        why="The longest example is counted in words, so a buffer in C is half as large as needed.",
    ),
    Mutant(
        "write_evalfile", "last_for_longest",
        old="max(words.nbytes for words in packed)", new="packed[-1].nbytes",
        why="The header has the bytes of the last example.",
    ),
    Mutant(
        "write_evalfile", "training_magic",
        old="MAGIC, 1, len", new="20240520, 1, len",
        why="The magic number is that of a file of tokens.",
    ),
    Mutant(
        "write_evalfile", "index_from_1",
        old="enumerate(examples)]", new="enumerate(examples, start=1)]",
        why="The first example has the index 1.",
    ),
    Mutant(
        "write_evalfile", "sixteen_bit_header",
        old='header = np.zeros(HEADER_BYTES // 4, dtype="<i4")',
        new='header = np.zeros(HEADER_BYTES // 2, dtype="<i2")',
        why="The header's words have 16 bits, too few for the magic number.",
    ),
    Mutant(
        "write_evalfile", "empty_list",
        old="    if not examples:\n        raise ValueError(\"no examples to write\")\n", new="",
        why="An empty list fails where the longest example is looked for, and says nothing clear.",
    ),
    Mutant(
        "write_evalfile", "opened_first",
        old="    packed = [", new="    path.touch()\n    path.write_bytes(b\"\")\n    packed = [",
        why="The file is emptied before the examples are checked.",
    ),
    # unpack_example
    Mutant(
        "unpack_example", "start_not_checked",
        old="if words[:1] != [START] or START in words[1:]:", new="if START in words[1:]:",
        why="An example may begin with any word.",
    ),
    Mutant(
        "unpack_example", "start_among_ids",
        old="if words[:1] != [START] or START in words[1:]:", new="if words[:1] != [START]:",
        why="65535 is accepted as an id, though no example is that long.",
    ),
    Mutant(
        "unpack_example", "bytes_not_checked",
        old="or words[1] != 2 * len(words):", new="or words[1] % 2:",
        why="The number of bytes is not compared with the words.",
    ),
    Mutant(
        "unpack_example", "more_bytes_than_words",
        old="or words[1] != 2 * len(words):", new="or words[1] < 2 * len(words):",
        why="An example that announces more than it has is accepted.",
    ),
    Mutant(
        "unpack_example", "too_short_to_look",
        old="if len(words) < 5 or words[1]", new="if words[1]",
        why="A single word raises IndexError.",
    ),
    Mutant(
        "unpack_example", "any_label_read",
        old=" or label >= COMPLETIONS:", new=":",
        why="A label that belongs to no completion is accepted.",
        pitfall="damaged example accepted",
    ),
    Mutant(
        "unpack_example", "label_4_read",
        old="label >= COMPLETIONS", new="label > COMPLETIONS",
        why="4 is accepted as a label.",
    ),
    Mutant(
        "unpack_example", "completions_not_checked",
        old="if completions != COMPLETIONS or label", new="if label",
        why="An example that says that it has other than four completions is read as if it had.",
    ),
    Mutant(
        "unpack_example", "as_many_as_it_says",
        old="if completions != COMPLETIONS or label >= COMPLETIONS:",
        new="if not completions or label >= completions:",
        why="Other numbers of completions than four are accepted where they fit.",
    ),
    Mutant(
        "unpack_example", "index_for_label",
        old="label, completions = words[3:5]", new="label, completions = words[2], words[4]",
        why="The index is taken for the label.",
    ),
    Mutant(
        "unpack_example", "empty_parts_read",
        old=PARTS, new="        if place >= len(words) or len(parts[-1]) < length:\n",
        why="A context or completion without ids is accepted.",
    ),
    Mutant(
        "unpack_example", "cut_parts_read",
        old=PARTS, new="        if length == 0:\n",
        why="A length that leads beyond the end is accepted.",
    ),
    Mutant(
        "unpack_example", "index_error_at_the_end",
        old="length = words[place] if place < len(words) else 0", new="length = words[place]",
        why="An example that ends before a length raises IndexError.",
    ),
    Mutant(
        "unpack_example", "left_over_words",
        old="if place < len(words):\n        raise",
        new="if place < len(words) - 2:\n        raise",
        why="One or two words after the last completion are not noticed.",
    ),
    # parse_evalfile
    Mutant(
        "parse_evalfile", "short_header",
        old="if len(data) < HEADER_BYTES or len(data) % 2:", new="if len(data) % 2:",
        why="A file that ends in its header fails elsewhere, and nobody learns how short it is.",
    ),
    Mutant(
        "parse_evalfile", "half_a_word",
        old=" or len(data) % 2:", new=":\n        raise ValueError(\"no header\")\n"
        "    data = data[: len(data) // 2 * 2]\n    if not data:",
        why="Half a word at the end is not noticed.",
    ),
    Mutant(
        "parse_evalfile", "any_magic",
        old="(magic, version) != (MAGIC, 1)", new="version != 1",
        why="A file of tokens is read as one of examples.",
    ),
    Mutant(
        "parse_evalfile", "any_version",
        old="(magic, version) != (MAGIC, 1)", new="magic != MAGIC",
        why="A version that nobody knows is read as the first.",
    ),
    Mutant(
        "parse_evalfile", "no_examples",
        old=" or count < 1:", new=" or count < 0:",
        why="A file that says that it has no examples gets past the header.",
    ),
    Mutant(
        "parse_evalfile", "number_not_named",
        old="version {version}, {count} examples: no eval file", new="version {version}",
        why="The message does not say how many examples the header announces.",
    ),
    Mutant(
        "parse_evalfile", "damaged_ones_skipped",
        old=UNPACKED,
        new="        try:\n            examples.append(unpack_example(own))\n"
        "        except ValueError:\n            pass\n",
        why="Damaged examples are left out, and the exam is another one.",
    ),
    Mutant(
        "parse_evalfile", "example_not_named",
        old='f"example {index}: {error}"', new="str(error)",
        why="The message does not say which example is damaged.",
    ),
    Mutant(
        "parse_evalfile", "largest_byte_first",
        old='words = np.frombuffer(data, "<u2"', new='words = np.frombuffer(data, ">u2"',
        why="The words are read with their largest byte first.",
    ),
    Mutant(
        "parse_evalfile", "bytes_for_words",
        old="place += len(own)", new="place += sizes[-1]",
        why="The reader goes on by as many words as the example has bytes.",
    ),
    Mutant(
        "parse_evalfile", "any_index",
        old="if own[2] != index:", new="if own[2] > 65534:",
        why="Examples may stand in any order, or twice.",
    ),
    Mutant(
        "parse_evalfile", "index_within_bounds",
        old="if own[2] != index:", new="if own[2] >= count:",
        why="An index that belongs to another place is accepted.",
    ),
    Mutant(
        "parse_evalfile", "rest_ignored",
        old="if place < len(words):\n        raise", new="if place > len(words):\n        raise",
        why="What follows the last example is not noticed.",
        pitfall="words after the last example accepted",
    ),
    Mutant(
        "parse_evalfile", "longest_not_checked",
        old="if longest != max(sizes):", new="if longest > 2 * LARGEST:",
        why="The header's longest example may be any number.",
    ),
    Mutant(
        "parse_evalfile", "longest_is_a_bound",
        old="if longest != max(sizes):", new="if longest < max(sizes):",
        why="The header's longest example may be longer than any.",
    ),
    Mutant(
        "parse_evalfile", "rest_of_header_read",
        old="words = np.frombuffer(data",
        new="if any(data[16:HEADER_BYTES]):\n        raise ValueError(\"header\")\n"
        "    words = np.frombuffer(data",
        why="A header is refused for words that have no meaning yet.",
    ),
    # render_example
    Mutant(
        "render_example", "mask_not_shifted",
        old="mask[row, asked] = True",
        new="mask[row, len(example.context) : len(tokens)] = True",
        why="The mask sits on the completion itself: the first of its ids is not judged, and a "
        "loss without a target is.",
        pitfall="mask on the completion's own ids",
    ),
    Mutant(
        "render_example", "targets_not_shifted",
        old="targets[row, asked] = completion",
        new="targets[row, len(example.context) : len(tokens)] = completion",
        why="Each target is the input at the same place.",
        pitfall="targets not shifted",
    ),
    Mutant(
        "render_example", "context_masked",
        old="mask[row, asked] = True", new="mask[row, : len(tokens) - 1] = True",
        why="Losses of the context count too, and there are no targets.",
        pitfall="context masked too",
    ),
    Mutant(
        "render_example", "context_asked_for",
        old="targets[row, asked] = completion",
        new="targets[row, : len(tokens) - 1] = tokens[1:]",
        why="Targets stand where the mask is False.",
    ),
    Mutant(
        "render_example", "mask_one_too_far",
        old="mask[row, asked] = True", new="mask[row, asked.start : asked.stop + 1] = True",
        why="The loss after the completion's last id counts.",
    ),
    Mutant(
        "render_example", "one_mask_for_all",
        old="mask[row, asked] = True", new="mask[:, asked] = True",
        why="All rows have the mask of the longest completion.",
    ),
    Mutant(
        "render_example", "T_ids_allowed",
        old="if len(tokens) >= T:", new="if len(tokens) > T:",
        why="Rows of exactly T ids are accepted, which llm.c refuses.",
    ),
    Mutant(
        "render_example", "too_long_cut",
        old="        if len(tokens) >= T:\n",
        new="        completion = completion[: T - 1 - len(example.context)]\n"
        "        tokens = example.context + completion\n        if len(tokens) >= T:\n",
        why="Completions that do not fit are cut without a word.",
    ),
    Mutant(
        "render_example", "small_ids",
        old="dtype=np.int64", new="dtype=np.uint16",
        why="Inputs and targets have a dtype in which arithmetic wraps around.",
    ),
    Mutant(
        "render_example", "signed_ids",
        old="inputs[row, : len(tokens)] = tokens",
        new="inputs[row, : len(tokens)] = np.array(tokens).astype(np.int16)",
        why="Ids above 32767 turn negative.",
    ),
    Mutant(
        "render_example", "context_only_once",
        old="inputs[row, : len(tokens)] = tokens",
        new="inputs[row, 0 if row == 0 else len(example.context) : len(tokens)] = "
        "tokens[0 if row == 0 else len(example.context) :]",
        why="Only the first row has the context.",
    ),
    # count_correct
    Mutant(
        "count_correct", "sum_for_mean",
        old="means = (sums / np.maximum(counts, 1))", new="means = sums",
        why="Losses are added up, so that short completions win.",
        pitfall="sum in place of the mean",
    ),
    Mutant(
        "count_correct", "mean_over_the_row",
        old="means = (sums / np.maximum(counts, 1))", new="means = (sums / mask.shape[1])",
        why="The sum is divided by T, which is the same for all: it is the sum again.",
    ),
    Mutant(
        "count_correct", "mask_ignored",
        old="sums = np.where(mask, losses, 0)", new="sums = losses",
        why="All losses of a row are added up.",
        pitfall="all losses averaged",
    ),
    Mutant(
        "count_correct", "multiplied_by_the_mask",
        old="sums = np.where(mask, losses, 0)", new="sums = (mask * losses)",
        why="nan and inf outside the mask spoil the sum.",
    ),
    Mutant(
        "count_correct", "highest_wins",
        old="means.argmin(axis=1)", new="means.argmax(axis=1)",
        why="The worst completion is chosen.",
        pitfall="highest in place of lowest",
    ),
    Mutant(
        "count_correct", "last_of_equals",
        old="means.argmin(axis=1)", new="(3 - means[:, ::-1].argmin(axis=1))",
        why="Of equal means the last one is chosen.",
    ),
    Mutant(
        "count_correct", "padding_counted",
        old=" & ~padding", new="",
        why="An empty place counts as right if its label is 0.",
        pitfall="padding counted",
    ),
    Mutant(
        "count_correct", "padding_by_label",
        old="padding = counts.reshape(-1, COMPLETIONS).sum(axis=1) == 0",
        new="padding = label < 0",
        why="An empty place is known by its label and not by its mask.",
    ),
    Mutant(
        "count_correct", "nan_wins",
        old=" & ~np.isnan(means).any(axis=1)", new="",
        why="A mean that is no number is chosen, and may be right.",
    ),
    Mutant(
        "count_correct", "inf_refused",
        old="~np.isnan(means).any(axis=1)", new="np.isfinite(means).all(axis=1)",
        why="An example with an impossible completion is never right.",
    ),
    Mutant(
        "count_correct", "accuracy",
        old="return int(right.sum())", new="return float(right.mean())",
        why="A share is returned in place of a number, and shares of batches cannot be added.",
    ),
    Mutant(
        "count_correct", "rows_mixed",
        old="np.maximum(counts, 1)).reshape(-1, COMPLETIONS)",
        new="np.maximum(counts, 1)).reshape(COMPLETIONS, -1).T",
        why="Rows of different examples are compared.",
    ),
    Mutant(
        "count_correct", "chosen_equals_any_label",
        old=RIGHT,
        new="    right = np.isin(chosen, label) & ~padding & ~np.isnan(means).any(axis=1)\n",
        why="A choice is right if it is anybody's label.",
    ),
    # examples_of_rank
    Mutant(
        "examples_of_rank", "rounded_down",
        old="-(-num_examples // num_processes)", new="num_examples // num_processes",
        why="The last examples belong to nobody.",
        pitfall="share rounded down",
    ),
    Mutant(
        "examples_of_rank", "always_one_more",
        old="-(-num_examples // num_processes)", new="num_examples // num_processes + 1",
        why="Each takes one more than needed where the division has no rest.",
    ),
    Mutant(
        "examples_of_rank", "end_beyond",
        old="return start, min(start + each, num_examples)", new="return start, start + each",
        why="The last share goes beyond the examples.",
        pitfall="share beyond the end",
    ),
    Mutant(
        "examples_of_rank", "start_beyond",
        old="start = min(process_rank * each, num_examples)", new="start = process_rank * each",
        why="A share that begins beyond the end has an end before its start.",
    ),
    Mutant(
        "examples_of_rank", "rest_to_the_last",
        old="    return start, min(start + each, num_examples)\n",
        new="    each = num_examples // num_processes\n    start = process_rank * each\n"
        "    last = process_rank == num_processes - 1\n"
        "    return start, num_examples if last else start + each\n",
        why="The last rank takes all that is left, and everybody waits for it.",
    ),
    Mutant(
        "examples_of_rank", "one_in_two",
        old="    return start, min(start + each, num_examples)\n",
        new="    return max(start - 1, 0), min(start + each, num_examples)\n",
        why="Shares overlap by one example.",
    ),
    # EvalLoader
    Mutant(
        "EvalLoader", "any_B",
        old="if B < COMPLETIONS or B % COMPLETIONS:", new="if B < COMPLETIONS:",
        why="A B that is no multiple of four is accepted, and rows stay empty.",
    ),
    Mutant(
        "EvalLoader", "B_of_nothing",
        old="if B < COMPLETIONS or B % COMPLETIONS:", new="if B % COMPLETIONS:",
        why="A batch without rows is accepted.",
    ),
    Mutant(
        "EvalLoader", "any_rank",
        old="if not 0 <= process_rank < num_processes:", new="if process_rank < 0:",
        why="A rank beyond the last is accepted and has no work.",
    ),
    Mutant(
        "EvalLoader", "more_processes",
        old="if self.num_examples < num_processes:", new="if self.num_examples < 1:",
        why="More processes than examples are accepted.",
    ),
    Mutant(
        "EvalLoader", "as_many_processes_refused",
        old="if self.num_examples < num_processes:", new="if self.num_examples <= num_processes:",
        why="As many processes as examples are refused.",
    ),
    Mutant(
        "EvalLoader", "T_found_out_late",
        old="            for example in self.examples:\n"
        "                render_example(example, T)\n",
        new="",
        why="An example that is too long is noticed only when its turn comes.",
        pitfall="T too small noticed late",
    ),
    Mutant(
        "EvalLoader", "T_for_own_share",
        old="for example in self.examples:\n",
        new="for example in self.examples[:1]:\n",
        why="Only the first example is checked for T.",
    ),
    Mutant(
        "EvalLoader", "file_not_named",
        old='raise ValueError(f"{path}: {error}") from error', new="raise",
        why="The message does not say which file is damaged.",
    ),
    Mutant(
        "EvalLoader", "batches_rounded_down",
        old="self.num_batches = -(-largest // (B // COMPLETIONS))",
        new="self.num_batches = largest // (B // COMPLETIONS)",
        why="The last batch, which is not full, is not taken.",
    ),
    Mutant(
        "EvalLoader", "batches_of_own_share",
        old="largest = examples_of_rank(self.num_examples, 0, num_processes)[1]",
        new="start, end = examples_of_rank(self.num_examples, process_rank, num_processes)\n"
        "        largest = end - start",
        why="Ranks with less work take fewer steps, and the others wait for them for ever.",
    ),
    Mutant(
        "EvalLoader", "batches_of_the_file",
        old="largest = examples_of_rank(self.num_examples, 0, num_processes)[1]",
        new="largest = self.num_examples",
        why="Each rank takes as many steps as one alone would need.",
    ),
    Mutant(
        "EvalLoader", "old_mask_kept",
        old="        self._open()\n        self._clear()\n", new="        self._open()\n",
        why="What the batch before had in a place that stays empty is counted once more.",
        pitfall="old mask kept",
    ),
    Mutant(
        "EvalLoader", "reset_to_zero",
        old="self.current_example_index = self.start_example_index",
        new="self.current_example_index = 0",
        why="Every rank begins with the first example of the file.",
        pitfall="`reset` forgets the rank",
    ),
    Mutant(
        "EvalLoader", "reset_clears",
        old="        share = examples", new="        self._clear()\n        share = examples",
        why="The present batch is gone after reset.",
    ),
    Mutant(
        "EvalLoader", "share_of_the_first",
        old="share = examples_of_rank(len(self._open()), self.process_rank, self.num_processes)",
        new="share = examples_of_rank(len(self._open()), 0, self.num_processes)",
        why="Every rank has the share of rank 0.",
    ),
    Mutant(
        "EvalLoader", "beyond_the_share",
        old="if self.current_example_index >= self.end_example_index:",
        new="if self.current_example_index >= self.num_examples:",
        why="After its own share a rank reads the next one's.",
    ),
    Mutant(
        "EvalLoader", "any_place",
        old="if not 0 <= place < self.B // COMPLETIONS:", new="if place >= self.B // COMPLETIONS:",
        why="Negative places count from the end.",
    ),
    Mutant(
        "EvalLoader", "place_is_a_row",
        old="rows = slice(COMPLETIONS * place, COMPLETIONS * (place + 1))",
        new="rows = slice(place, place + COMPLETIONS)",
        why="Examples of a batch overwrite each other's rows.",
    ),
    Mutant(
        "EvalLoader", "label_of_the_first",
        old="self.label[place] = example.label", new="self.label[:] = example.label",
        why="All places have the label of the newest example.",
    ),
    Mutant(
        "EvalLoader", "stays_where_it_is",
        old="        self.current_example_index += 1\n",
        new="        self.current_example_index += place == 0\n",
        why="The loader does not move on after each example.",
    ),
    Mutant(
        "EvalLoader", "only_full_batches",
        old="        for place in range(min(left, self.B // COMPLETIONS)):\n",
        new="        if left < self.B // COMPLETIONS:\n            left = 0\n"
        "        for place in range(min(left, self.B // COMPLETIONS)):\n",
        why="Examples that do not fill a batch are never asked.",
    ),
    Mutant(
        "EvalLoader", "any_shape_of_losses",
        old="if losses.shape != self.mask.shape:", new="if losses.ndim != 2:",
        why="A row or column of losses is stretched to a batch.",
    ),
    Mutant(
        "EvalLoader", "closed_and_open",
        old="        if self.examples is None:\n"
        "            raise ValueError(\"the loader is closed\")\n"
        "        return self.examples\n",
        new="        return self.examples or []\n",
        why="A closed loader gives empty batches.",
    ),
    Mutant(
        "EvalLoader", "batch_closed_too",
        old="        self.examples = None\n",
        new="        self.examples = None\n        self._clear()\n",
        why="The last batch cannot be judged after closing.",
    ),
)

WITH_STRUCT = (
    (
        "pack_example",
        '''\
def pack_example(example: Example, index: int) -> np.ndarray:
    where = f"in example {index}"
    if index > 65534:
        raise ValueError(f"no word for {index}")
    if len(example.completions) != 4 or not 0 <= example.label <= 3:
        raise ValueError(f"four completions and a label of 0 to 3 are needed {where}")
    words = np.array([START, 0, index, example.label, 4], dtype=np.int64)
    for ids in [example.context] + list(example.completions):
        part = np.array(ids, dtype=np.int64)
        if part.size == 0 or part.min() < 0 or part.max() >= START:
            raise ValueError(f"bad ids {where}")
        words = np.concatenate([words, [part.size], part])
    if words.size * 2 >= 65536:
        raise ValueError(f"too much {where}")
    words[1] = words.size * 2
    return words.astype(np.uint16)
''',
    ),
    (
        "write_evalfile",
        '''\
def write_evalfile(path: Path, examples: list[Example]) -> None:
    import struct

    if len(examples) == 0:
        raise ValueError("there are no examples")
    body, longest = bytearray(), 0
    for index in range(len(examples)):
        data = pack_example(examples[index], index).tobytes()
        longest = max(longest, len(data))
        body += data
    header = struct.pack("<4i1008x", MAGIC, 1, len(examples), longest)
    write_whole(path, header + bytes(body))
''',
    ),
    (
        "render_example",
        '''\
def render_example(example: Example, T: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    longest = len(example.context) + max(len(each) for each in example.completions)
    if longest > T - 1:
        raise ValueError(f"T is {T}, which has to be more than {longest}")
    rows = np.zeros((4, T + 1), dtype=np.int64)
    marks = np.zeros((4, T + 1), dtype=bool)
    for c in range(4):
        whole = [*example.context, *example.completions[c]]
        rows[c, : len(whole)] = whole
        marks[c, len(example.context) : len(whole)] = True
    mask = marks[:, 1:].copy()
    return rows[:, :-1].copy(), np.where(mask, rows[:, 1:], 0), mask
''',
    ),
    (
        "examples_of_rank",
        '''\
def examples_of_rank(num_examples: int, process_rank: int, num_processes: int) -> tuple[int, int]:
    each, rest = divmod(num_examples, num_processes)
    if rest:
        each += 1
    everything = range(num_examples)[process_rank * each : (process_rank + 1) * each]
    return everything.start, everything.stop
''',
    ),
)
WITH_LOOPS = (
    (
        "unpack_example",
        '''\
def unpack_example(words: list[int]) -> Example:
    try:
        start, size, _, label, count = words[:5]
    except ValueError:
        raise ValueError("fewer than five words") from None
    if start != START or words.count(START) > 1:
        raise ValueError("begins in the wrong place")
    if size / 2 != len(words) or count != 4 or label not in (0, 1, 2, 3):
        raise ValueError("one of the first five words is wrong")
    rest, parts = words[5:], []
    while rest:
        length, rest = rest[0], rest[1:]
        if length < 1 or length > len(rest):
            raise ValueError(f"a length of {length}")
        parts.append(rest[:length])
        rest = rest[length:]
    if len(parts) != 5:
        raise ValueError(f"{len(parts)} parts")
    return Example(context=parts[0], completions=parts[1:], label=label)
''',
    ),
    (
        "parse_evalfile",
        '''\
def parse_evalfile(data: bytes) -> list[Example]:
    if len(data) < 1024 or len(data) & 1:
        raise ValueError(f"a file of {len(data)} bytes")
    header = [int.from_bytes(data[k : k + 4], "little", signed=True) for k in (0, 4, 8, 12)]
    for value, wanted, name in zip(header, (MAGIC, 1), ("magic", "version"), strict=False):
        if value != wanted:
            raise ValueError(f"{name} {value}")
    if header[2] <= 0:
        raise ValueError(f"{header[2]} examples")
    found, place, longest = [], 1024, 0
    while len(found) < header[2]:
        index = len(found)
        size = int.from_bytes(data[place + 2 : place + 4], "little")
        piece = data[place : place + size]
        if size % 2 or len(piece) != size or size < 10:
            raise ValueError(f"example number {index} is not whole")
        own = [int(word) for word in np.frombuffer(piece, dtype="<u2")]
        try:
            found.append(unpack_example(own))
        except ValueError as error:
            raise ValueError(f"{error} (example {index})") from None
        if own[2] != index:
            raise ValueError(f"at place {index}: a wrong index")
        place, longest = place + size, max(longest, size)
    if place != len(data):
        raise ValueError("there is more")
    if longest != header[3]:
        raise ValueError("not the longest")
    return found
''',
    ),
    (
        "count_correct",
        '''\
def count_correct(losses: np.ndarray, mask: np.ndarray, label: np.ndarray) -> int:
    correct = 0
    for i in range(len(label)):
        means = []
        for row in range(4 * i, 4 * i + 4):
            own = losses[row][mask[row]].astype(np.float64)
            means.append(float(own.sum()) / len(own) if len(own) else 0.0)
        active = any(mask[row].any() for row in range(4 * i, 4 * i + 4))
        broken = any(mean != mean for mean in means)
        if active and not broken and means.index(min(means)) == label[i]:
            correct += 1
    return correct
''',
    ),
)
ANOTHER_CLASS = (
    (
        "EvalLoader",
        '''\
class EvalLoader:
    def __init__(
        self, path: Path, B: int, T: int, process_rank: int = 0, num_processes: int = 1
    ) -> None:
        if B <= 0 or B % 4 != 0:
            raise ValueError(f"a batch of {B} rows")
        if process_rank < 0 or process_rank >= num_processes:
            raise ValueError(f"rank {process_rank}")
        self.B, self.T = B, T
        self.process_rank, self.num_processes = process_rank, num_processes
        self.places = B // 4
        try:
            examples = parse_evalfile(path.read_bytes())
        except ValueError as error:
            raise ValueError(f"{error}, in {path}") from None
        for number, each in enumerate(examples):
            if len(each.context) + max(map(len, each.completions)) >= T:
                raise ValueError(f"{path}: example {number} does not fit into T={T}")
        self.num_examples = len(examples)
        if num_processes > self.num_examples:
            raise ValueError("not enough examples for all processes")
        each_takes = (self.num_examples + num_processes - 1) // num_processes
        self.num_batches = (each_takes + self.places - 1) // self.places
        self.closed = False
        self.inputs = np.zeros((B, T), dtype=np.int64)
        self.targets = np.zeros((B, T), dtype=np.int64)
        self.mask = np.zeros((B, T), dtype=bool)
        self.label = -np.ones(self.places, dtype=np.int64)
        self.start_example_index, self.end_example_index = examples_of_rank(
            self.num_examples, process_rank, num_processes
        )
        self.own = examples[self.start_example_index : self.end_example_index]
        self.done = 0

    @property
    def current_example_index(self) -> int:
        return self.start_example_index + self.done

    def reset(self) -> None:
        if self.closed:
            raise ValueError("closed")
        self.done = 0

    def next_example_(self, example_batch_index: int) -> None:
        if self.closed or example_batch_index not in range(self.places):
            raise ValueError(f"closed, or no place {example_batch_index}")
        if self.done == len(self.own):
            raise ValueError("nothing left")
        example = self.own[self.done]
        parts = render_example(example, self.T)
        for array, part in zip((self.inputs, self.targets, self.mask), parts, strict=True):
            for c in range(4):
                array[4 * example_batch_index + c] = part[c]
        self.label[example_batch_index] = example.label
        self.done += 1

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        if self.closed:
            raise ValueError("closed")
        for array, nothing in zip(
            (self.inputs, self.targets, self.mask, self.label), (0, 0, False, -1), strict=True
        ):
            array[...] = nothing
        place = 0
        while place < self.places and self.done < len(self.own):
            self.next_example_(place)
            place += 1
        return self.inputs.copy(), self.targets.copy()

    def stat_losses(self, losses: np.ndarray) -> int:
        if np.shape(losses) != (self.B, self.T):
            raise ValueError("losses of another shape")
        return count_correct(np.asarray(losses), self.mask, self.label)

    def close(self) -> None:
        self.closed, self.own = True, []
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "with_struct",
        "Arrays in place of lists, struct in place of arrays; rows one too long, then shifted.",
        WITH_STRUCT,
    ),
    Variant(
        "with_loops",
        "Checks in another order and with other words; a loop that eats the words; plain sums.",
        WITH_LOOPS,
    ),
    Variant(
        "another_class",
        "Only its own examples are kept; arrays are used again; a property tells the position.",
        ANOTHER_CLASS,
    ),
)

LOOKED_UP = "`words[place + 1] if place + 1 < len(words) else 0`"
MEANS = "`(sums / np.maximum(counts, 1)).reshape(-1, COMPLETIONS)`"
ANY_ORDER = "The smaller of two numbers is the same in either order."
ANY_NEGATIVE = "NumPy takes any negative number for a length to be found out."

LENGTHS = "`if len(words) < 5 or words[1] != 2 * len(words):`"
NO_IDS = "Five words have no place for the context's length, so they are refused in any case."

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "pack_example",
        "`if size > LARGEST:` -> `if size >= LARGEST:`",
        "The number of bytes is even, and 65535 is odd.",
    ),
    Equivalent(
        "unpack_example",
        f"{LENGTHS} -> `if len(words) < 4 or words[1] != 2 * len(words):`",
        "Four words cannot be taken apart two lines later, which is a ValueError too.",
    ),
    Equivalent(
        "unpack_example",
        f"{LENGTHS} -> `if len(words) <= 5 or words[1] != 2 * len(words):`",
        NO_IDS,
    ),
    Equivalent(
        "unpack_example",
        f"{LENGTHS} -> `if len(words) < 6 or words[1] != 2 * len(words):`",
        NO_IDS,
    ),
    Equivalent(
        "unpack_example",
        "`if words[:1] != [START] or START in words[1:]:`"
        " -> `if words[:1] != [START] or START in words[2:]:`",
        "65535 is no number of bytes: it is odd, so the next check refuses it.",
    ),
    Equivalent(
        "unpack_example",
        "`length = words[place] if place < len(words) else 0`"
        " -> `length = words[place] if place < len(words) else 1`",
        "There are no ids after the end, so one is missing in place of all.",
    ),
    Equivalent(
        "parse_evalfile",
        f"{LOOKED_UP} -> `words[place + 1] if place + 2 < len(words) else 0`",
        "It differs where two words are left, and they are no example whatever they say.",
    ),
    Equivalent(
        "parse_evalfile",
        f"{LOOKED_UP} -> `words[place + 1] if place + 1 < len(words) else 1`",
        "Half of 1 in whole numbers is 0 too.",
    ),
    Equivalent(
        "parse_evalfile",
        f"{LOOKED_UP} -> `words[place + 1] if place + 1 < len(words) else -1`",
        "At most one word is left there, and a slice that ends before it is as empty.",
    ),
    Equivalent(
        "count_correct",
        f"{MEANS} -> `(sums / np.maximum(1, counts)).reshape(-1, COMPLETIONS)`",
        "The larger of two numbers is the same in either order.",
    ),
    Equivalent(
        "count_correct",
        f"{MEANS} -> `(sums / np.maximum(counts, 0)).reshape(-1, COMPLETIONS)`",
        "Only padding has a count of 0, and it is not right with a mean of nan either.",
    ),
    Equivalent(
        "count_correct",
        f"{MEANS} -> `(sums / np.maximum(counts, 1)).reshape(-2, COMPLETIONS)`",
        ANY_NEGATIVE,
    ),
    Equivalent(
        "count_correct",
        "`padding = counts.reshape(-1, COMPLETIONS).sum(axis=1) == 0`"
        " -> `padding = counts.reshape(-2, COMPLETIONS).sum(axis=1) == 0`",
        ANY_NEGATIVE,
    ),
    Equivalent(
        "examples_of_rank",
        "`start = min(process_rank * each, num_examples)`"
        " -> `start = min(num_examples, process_rank * each)`",
        ANY_ORDER,
    ),
    Equivalent(
        "examples_of_rank",
        "`return (start, min(start + each, num_examples))`"
        " -> `return (start, min(num_examples, start + each))`",
        ANY_ORDER,
    ),
    Equivalent(
        "EvalLoader",
        "`for place in range(min(left, self.B // COMPLETIONS)):`"
        " -> `for place in range(min(self.B // COMPLETIONS, left)):`",
        ANY_ORDER,
    ),
)
