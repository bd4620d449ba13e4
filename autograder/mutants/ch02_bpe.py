"""Planted bugs, correct variants and equivalent mutants of ch02_bpe; bugs and equivalents are
grouped by function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS: tuple[Mutant, ...] = (
    # pretokenize
    Mutant(
        "pretokenize",
        "split_at_spaces",
        old="re.findall(PATTERN, text)",
        new="text.split()",
        why="White space is thrown away, so the chunks are not the text any more.",
        pitfall="chunks lost between words",
    ),
    Mutant(
        "pretokenize",
        "text_stripped",
        old="PATTERN, text",
        new="PATTERN, text.strip()",
        why="White space at the beginning and at the end of the text gets into no chunk.",
    ),
    Mutant(
        "pretokenize",
        "ascii_only",
        old="re.findall(PATTERN, text)",
        new="re.findall(PATTERN, text, re.ASCII)",
        why="With re.ASCII a wide space is a sign like any other and sticks to its neighbours.",
    ),
    Mutant(
        "pretokenize",
        "any_case",
        old="re.findall(PATTERN, text)",
        new="re.findall(PATTERN, text, re.IGNORECASE)",
        why="'S and 'LL count as endings of contractions, which the pattern has in small letters "
        "only.",
    ),
    Mutant(
        "pretokenize",
        "curly_made_straight",
        old="PATTERN, text",
        new='PATTERN, text.replace("\\u2019", "\'")',
        why="Curly apostrophes are made straight first, so the chunks are of another text.",
    ),
    Mutant(
        "pretokenize",
        "no_contractions",
        old="PATTERN, text",
        new='PATTERN.partition("|re)|")[2], text',
        why="The first alternative is missing, so the apostrophe is a chunk of its own.",
    ),
    Mutant(
        "pretokenize",
        "all_digits",
        old="PATTERN, text",
        new='PATTERN.replace("{1,3}", "+"), text',
        why="A number stays in one chunk however many digits it has.",
    ),
    Mutant(
        "pretokenize",
        "white_space_in_one",
        old="PATTERN, text",
        new='PATTERN.replace(r"\\s+(?!\\S)|", ""), text',
        why="White space before a word is not split, so the word loses its space.",
    ),
    Mutant(
        "pretokenize",
        "bytes_taken",
        old="PATTERN, text",
        new="PATTERN, str(text)",
        why="Bytes are turned into text with a b and quotes around them, and cut without a word.",
    ),
    # count_chunks
    Mutant(
        "count_chunks",
        "text_taken_apart",
        old="isinstance(segments, str)",
        new="not segments and isinstance(segments, str)",
        why="A single text counts as a list of its letters, so every chunk is one letter.",
    ),
    Mutant(
        "count_chunks",
        "segments_joined",
        old="for segment in segments:",
        new='for segment in ["".join(segments)]:',
        why="Segments are glued together, so the last word of one and the first of the next make "
        "one chunk.",
        pitfall="segments joined before they are cut",
    ),
    Mutant(
        "count_chunks",
        "segments_joined_by_lines",
        old="for segment in segments:",
        new='for segment in ["\\n".join(segments)]:',
        why="A line break that stands in no segment is counted between each two of them.",
    ),
    Mutant(
        "count_chunks",
        "separator_counted",
        old="in segment.split(EOT)",
        new="in [segment]",
        why="The separator is cut into chunks like text, and merges are learned from it.",
        pitfall="trained across the separator",
    ),
    Mutant(
        "count_chunks",
        "separator_cut_out",
        old="segment.split(EOT)",
        new='[segment.replace(EOT, "")]',
        why="Taking the separator out glues together what stood on its two sides.",
    ),
    Mutant(
        "count_chunks",
        "separator_made_a_space",
        old="segment.split(EOT)",
        new='[segment.replace(EOT, " ")]',
        why="A space takes the separator's place and joins the word after it.",
    ),
    Mutant(
        "count_chunks",
        "split_at_any_bar",
        old="segment.split(EOT)",
        new="re.split(EOT, segment)",
        why="As a regular expression the separator means three alternatives, one of them <.",
    ),
    Mutant(
        "count_chunks",
        "only_the_first_document",
        old="in segment.split(EOT)",
        new="in segment.split(EOT)[:1]",
        why="What comes after the first separator of a segment is not counted.",
    ),
    Mutant(
        "count_chunks",
        "each_chunk_once_a_document",
        old="counts.update(pretokenize(text))",
        new="counts.update(set(pretokenize(text)))",
        why="A chunk counts once for each document, however often it stands there.",
    ),
    Mutant(
        "count_chunks",
        "last_segment_only",
        old="    for segment in segments:\n",
        new="    for segment in segments:\n        counts.clear()\n",
        why="Counting starts over with each segment, so only the last one is left.",
    ),
    Mutant(
        "count_chunks",
        "pieces_stripped",
        old="pretokenize(text)",
        new="pretokenize(text.strip())",
        why="White space around the separator is not counted, and the word after it loses its "
        "space.",
    ),
    Mutant(
        "count_chunks",
        "counter_returned",
        old="return dict(counts)",
        new="return counts",
        why="The Counter itself is returned, which has 0 for every chunk that it never saw.",
    ),
    # count_pairs
    Mutant(
        "count_pairs",
        "counter_returned",
        old="return dict(pairs)",
        new="return pairs",
        why="The Counter itself is returned, which has 0 for every pair that it never saw.",
    ),
    Mutant(
        "count_pairs",
        "chunks_count_once",
        old="pairs[pair] += count",
        new="pairs[pair] += 1",
        why="A chunk that occurs a thousand times weighs no more than one that occurs once.",
        pitfall="counts of chunks ignored",
    ),
    Mutant(
        "count_pairs",
        "last_chunk_decides",
        old="pairs[pair] += count",
        new="pairs[pair] = count",
        why="The count of the last chunk that holds the pair replaces the sum.",
    ),
    Mutant(
        "count_pairs",
        "pairs_once_a_chunk",
        old="in pairwise(ids)",
        new="in set(pairwise(ids))",
        why="A pair that stands twice in a chunk counts once there.",
        pitfall="overlapping places not counted",
    ),
    Mutant(
        "count_pairs",
        "every_second_pair",
        old="pairwise(ids)",
        new="zip(ids[::2], ids[1::2])",
        why="Only the pairs at even places are counted, since the two halves step by two.",
    ),
    Mutant(
        "count_pairs",
        "last_pair_forgotten",
        old="pairwise(ids)",
        new="pairwise(ids[:-1])",
        why="The pair at the end of each chunk is not counted.",
    ),
    Mutant(
        "count_pairs",
        "first_pair_forgotten",
        old="pairwise(ids)",
        new="pairwise(ids[1:])",
        why="The pair at the beginning of each chunk is not counted.",
    ),
    Mutant(
        "count_pairs",
        "pairs_sorted",
        old="pairs[pair] += count",
        new="pairs[tuple(sorted(pair))] += count",
        why="(a, b) and (b, a) are counted as one pair.",
    ),
    Mutant(
        "count_pairs",
        "chunks_run_together",
        old="    for ids, count in table:\n",
        new="    last = []\n"
        "    for ids, count in table:\n"
        "        ids, last = last + ids, ids[-1:]\n",
        why="The last id of a chunk and the first of the next are counted as a pair.",
    ),
    Mutant(
        "count_pairs",
        "table_eaten",
        old="in pairwise(ids)",
        new="in [(ids.pop(0), ids[0]) for _ in ids[1:]]",
        why="The ids are taken out of the table as they are counted.",
    ),
    # merge
    Mutant(
        "merge",
        "overlapping",
        old="i += 2",
        new="i += 1",
        why="The right half of a pair stays behind and may begin the next pair.",
        pitfall="replaced id used again",
    ),
    Mutant(
        "merge",
        "first_place_only",
        old="tuple(ids[i : i + 2]) == pair:",
        new="tuple(ids[i : i + 2]) == pair and new_id not in merged:",
        why="Only the first place of the pair is merged.",
    ),
    Mutant(
        "merge",
        "last_pair_missed",
        old="tuple(ids[i : i + 2]) == pair:",
        new="i < len(ids) - 2 and (ids[i], ids[i + 1]) == pair:",
        why="The loop looks for pairs up to the last but one place, so a pair at the end stays.",
        pitfall="pair at the end missed",
    ),
    Mutant(
        "merge",
        "last_id_lost",
        old="while i < len(ids):",
        new="while i < len(ids) - 1:",
        why="An id at the end that is in no pair is dropped.",
    ),
    Mutant(
        "merge",
        "from_the_right",
        old="    i = 0\n"
        "    while i < len(ids):\n"
        "        if tuple(ids[i : i + 2]) == pair:\n"
        "            merged.append(new_id)\n"
        "            i += 2\n"
        "        else:\n"
        "            merged.append(ids[i])\n"
        "            i += 1\n"
        "    return merged\n",
        new="    i = len(ids)\n"
        "    while i > 0:\n"
        "        if tuple(ids[max(i - 2, 0) : i]) == pair:\n"
        "            merged.append(new_id)\n"
        "            i -= 2\n"
        "        else:\n"
        "            merged.append(ids[i - 1])\n"
        "            i -= 1\n"
        "    return merged[::-1]\n",
        why="Pairs are taken from the right, so aaa becomes a, 256.",
    ),
    Mutant(
        "merge",
        "either_order",
        old="tuple(ids[i : i + 2]) == pair",
        new="sorted(ids[i : i + 2]) == sorted(pair)",
        why="(b, a) is merged where (a, b) was asked for.",
    ),
    Mutant(
        "merge",
        "left_id_is_enough",
        old="tuple(ids[i : i + 2]) == pair",
        new="ids[i] == pair[0] and i + 1 < len(ids)",
        why="Only the left id is compared, so whatever stands right of it is swallowed.",
    ),
    Mutant(
        "merge",
        "merged_again",
        old="    return merged",
        new="    return merged if merged == ids else merge(merged, pair, new_id)",
        why="What was replaced is replaced again where the new id is one of the pair.",
    ),
    Mutant(
        "merge",
        "in_place",
        old="    return merged",
        new="    ids[:] = merged\n    return ids",
        why="The list that was given is changed too.",
    ),
    # train_bpe
    Mutant(
        "train_bpe",
        "negative_is_none",
        old='        raise ValueError(f"n_merges must be 0 or more, got {n_merges}")\n',
        new="        return []\n",
        why="A negative number of merges passes for none.",
    ),
    Mutant(
        "train_bpe",
        "characters_for_bytes",
        old="chunk.encode()",
        new='chunk.encode("latin-1", "replace")',
        why="One byte a character is not UTF-8: é is 233 here, and a curly quote is lost.",
        pitfall="characters for bytes",
    ),
    Mutant(
        "train_bpe",
        "chunks_weigh_the_same",
        old="[*counts.values()]",
        new="[1 for _ in counts]",
        why="Each different chunk counts once, so words that are rare and long decide.",
    ),
    Mutant(
        "train_bpe",
        "weights_in_another_order",
        old="[*counts.values()]",
        new="sorted(counts.values())",
        why="The counts are sorted and the chunks are not, so each chunk has another one's count.",
    ),
    Mutant(
        "train_bpe",
        "chunks_run_together_in_the_row",
        old='b"".join(chunks)',
        new='b"".join(chunks).replace(b"\\xff", b"") + b"\\xff"',
        why="Nothing stands between two chunks, so the last id of one and the first of the next "
        "make a pair.",
    ),
    Mutant(
        "train_bpe",
        "end_of_chunk_is_an_id",
        old="    ids[ids == 0xFF] = -1\n",
        new="",
        why="The byte after each chunk counts as an id of its own, and pairs with it are merged.",
    ),
    Mutant(
        "train_bpe",
        "ties_to_the_largest",
        old="pair = heapq.heappop(heap) % 2**64",
        new="ties = [each for each in heap if each >> 64 == heap[0] >> 64]\n"
        "        chosen = max(ties)\n"
        "        heap[:] = sorted(each for each in heap if each != chosen)\n"
        "        pair = chosen % 2**64",
        why="Of equal counts the largest pair wins.",
        pitfall="ties not to the smallest pair",
    ),
    Mutant(
        "train_bpe",
        "ties_to_the_first_seen",
        old="pair = heapq.heappop(heap) % 2**64",
        new="ties = [each for each in heap if each >> 64 == heap[0] >> 64]\n"
        "        chosen = min(ties, key=lambda each: places[each % 2**64].min())\n"
        "        heap[:] = sorted(each for each in heap if each != chosen)\n"
        "        pair = chosen % 2**64",
        why="Of equal counts the pair wins that stands first in the text.",
    ),
    Mutant(
        "train_bpe",
        "left_neighbour_forgotten",
        old="np.concatenate([(starts - sizes[before])[before != new], starts])",
        new="starts",
        why="The new id makes no pair with the id on its left.",
        pitfall="left neighbour not updated",
    ),
    Mutant(
        "train_bpe",
        "right_neighbour_forgotten",
        old="np.concatenate([(starts - sizes[before])[before != new], starts])",
        new="(starts - sizes[before])[before != new]",
        why="The new id makes no pair with the id on its right.",
        pitfall="right neighbour not updated",
    ),
    Mutant(
        "train_bpe",
        "new_neighbours_counted_twice",
        old="(starts - sizes[before])[before != new]",
        new="starts - sizes[before]",
        why="Where two new ids stand side by side, their pair is found from both sides and counts "
        "double.",
    ),
    Mutant(
        "train_bpe",
        "new_neighbours_not_counted",
        old="before != new], starts]",
        new="before != new], starts[ids[starts + sizes[new]] != new]]",
        why="Two new ids side by side do not count as a pair.",
    ),
    Mutant(
        "train_bpe",
        "promises_believed",
        old="if len(starts) < len(promised):",
        new="if not len(starts):",
        why="A pair wins by the count it had when it was new, though it has lost places since.",
        pitfall="old counts kept",
    ),
    Mutant(
        "train_bpe",
        "lost_places_kept",
        old="promised[pair_at[promised] == pair]",
        new="promised[ids[promised] == pair >> 32]",
        why="Places whose right id was merged away still count, and are merged.",
    ),
    Mutant(
        "train_bpe",
        "swallowed_places_kept",
        old="        pair_at[starts + sizes[a]] = -1  # no token begins there any more\n",
        new="",
        why="A token that became the right half of another still looks as if it began there.",
    ),
    Mutant(
        "train_bpe",
        "less_goes_away",
        old="            if len(starts):\n"
        "                promise(pair, int(weights[starts].sum()), starts)\n",
        new="",
        why="A pair that has lost a place is forgotten with all its others.",
    ),
    Mutant(
        "train_bpe",
        "once_is_not_enough",
        old="heap and len(merges) < n_merges",
        new="heap and heap[0] >> 64 < -1 and len(merges) < n_merges",
        why="Training ends when no pair occurs twice, though there are pairs left.",
        pitfall="stops at pairs that occur once",
    ),
    Mutant(
        "train_bpe",
        "one_merge_more",
        old="len(merges) < n_merges",
        new="len(merges) <= n_merges",
        why="One merge too many is learned, for an id that the vocabulary has not got.",
    ),
    Mutant(
        "train_bpe",
        "no_early_stop",
        old="    while heap and len(merges) < n_merges:",
        new="    while len(merges) < n_merges:",
        why="When no pair is left there is an IndexError where training should end.",
    ),
    Mutant(
        "train_bpe",
        "ids_from_257",
        old="new = 256 + len(merges)",
        new="new = 257 + len(merges)",
        why="The first merge makes 257, as if 256 were taken.",
    ),
    Mutant(
        "train_bpe",
        "runs_overlap",
        old="        if a == b:\n            starts = from_the_left(starts, size)\n",
        new="",
        why="In a run of equal ids each place is merged, so tokens overlap.",
    ),
    Mutant(
        "train_bpe",
        "runs_count_what_merges",
        old="        starts = promised[pair_at[promised] == pair]\n",
        new="        starts = promised[pair_at[promised] == pair]\n"
        "        if pair >> 32 == pair % 2**32:\n"
        "            starts = from_the_left(starts, 2 * sizes[pair >> 32])\n",
        why="In a run only the places that can be merged are counted, two in aaaa and not three.",
    ),
    Mutant(
        "train_bpe",
        "numpy_ids",
        old="a, b = divmod(pair, 2**32)",
        new="a, b = divmod(np.int64(pair), 2**32)",
        why="The merges are NumPy integers, which repr and JSON write differently or not at all.",
    ),
    Mutant(
        "train_bpe",
        "lists_for_tuples",
        old="merges.append((a, b))",
        new="merges.append([a, b])",
        why="The merges are lists, which equal no tuple and cannot be keys of a dict.",
    ),
    Mutant(
        "train_bpe",
        "ties_by_the_right_id",
        old="pair = heapq.heappop(heap) % 2**64",
        new="ties = [each for each in heap if each >> 64 == heap[0] >> 64]\n"
        "        chosen = min(ties, key=lambda each: each % 2**32)\n"
        "        heap[:] = sorted(each for each in heap if each != chosen)\n"
        "        pair = chosen % 2**64",
        why="Of equal counts the pair with the smallest right id wins.",
    ),
    Mutant(
        "train_bpe",
        "last_byte_not_written",
        old="ids[starts] = ids[starts + (size - 1)] = new",
        new="ids[starts] = new",
        why="A token is known by its first byte alone, so what stands right of it makes a pair "
        "with its old last id.",
    ),
    Mutant(
        "train_bpe",
        "all_counted_again",
        old="add_pairs(np.concatenate([(starts - sizes[before])[before != new], starts]))",
        new="heap.clear()\n"
        "        first, begins = 0, []\n"
        "        while first < len(row):\n"
        "            begins.append(first)\n"
        "            first += int(sizes[ids[first]])\n"
        "        add_pairs(np.array(begins[:-1]))",
        why="After each merge all chunks are gone through again: right, and far too slow.",
    ),

    # count_chunks_fast
    Mutant(
        "count_chunks_fast",
        "one_text_is_a_list",
        old='raise TypeError("segments must be a list of texts, not one text: put it in [ ]")',
        new="segments = [segments]",
        why="One text passes for a list of texts.",
    ),
    Mutant(
        "count_chunks_fast",
        "separator_is_text_in_blocks",
        old="segment.split(EOT)",
        new="[segment]",
        why="The separator is counted as text.",
    ),
    Mutant(
        "count_chunks_fast",
        "texts_joined",
        old="blocks(text for segment in segments for text in segment.split(EOT))",
        new='blocks(["".join(text for segment in segments for text in segment.split(EOT))])',
        why="All texts are joined first, so a chunk reaches from one into the next.",
    ),
    Mutant(
        "count_chunks_fast",
        "half_characters_replaced",
        old="segment.split(EOT))",
        new='segment.encode(errors="replace").decode().split(EOT))',
        why="Half of a UTF-16 pair is counted as a question mark.",
    ),
    Mutant(
        "count_chunks_fast",
        "mark_counted",
        old="    counts.pop(MARK, None)\n",
        new="",
        why="The mark before each text is taken for a chunk of it.",
    ),
    Mutant(
        "count_chunks_fast",
        "leaders_alone",
        old="counts[block[begin:end]] += count",
        new="counts[block[begin:end]] += 1",
        why="Leaders are counted and their followers are not.",
    ),
    Mutant(
        "count_chunks_fast",
        "last_block_wins",
        old="counts[block[begin:end]] += count",
        new="counts[block[begin:end]] = count",
        why="A count takes the place of that of the blocks before.",
    ),
    Mutant(
        "count_chunks_fast",
        "sixteen_bytes",
        old="counts[block[begin:end]] += count",
        new="counts[block[begin : min(end, begin + 16)]] += count",
        why="Of a long chunk only the first sixteen characters are kept.",
    ),
    Mutant(
        "count_chunks_fast",
        "numbers_whole",
        old="digits=3",
        new="digits=0",
        why="A number stays in one chunk however many digits it has.",
    ),
    Mutant(
        "count_chunks_fast",
        "letters_of_all_scripts",
        old='"[A-Za-z]+"',
        new='r"[^\\W\\d_]+"',
        why="Letters of all scripts make words, where the pattern knows English ones only.",
    ),
    Mutant(
        "count_chunks_fast",
        "digits_of_all_scripts",
        old='"[0-9]+"',
        new='r"\\d+"',
        why="Digits of all scripts make numbers, where the pattern knows 0 to 9 only.",
    ),
    Mutant(
        "count_chunks_fast",
        "numpy_counts",
        old="followers[led].tolist()",
        new="followers[led]",
        why="The counts are NumPy integers.",
    ),
    Mutant(
        "count_chunks_fast",
        "bytes_for_texts",
        old="counts[block[begin:end]] += count",
        new="counts[block[begin:end].encode(errors='surrogatepass')] += count",
        why="The chunks are bytes, and those of count_chunks are strings.",
    ),
    Mutant(
        "count_chunks_fast",
        "a_counter",
        old="return dict(counts)",
        new="return counts",
        why="The result is no plain dict.",
    ),
    Mutant(
        "count_chunks_fast",
        "chunk_by_chunk",
        old="    classes = character_classes(",
        new="    for segment in segments:\n"
        "        segment.encode()\n"
        "    return count_chunks(segments)\n"
        "    classes = character_classes(",
        why="It counts chunk by chunk: right, and no faster than before.",
    ),
)

MENDED_COUNTS = (
    (
        "train_bpe",
        """\
from collections import defaultdict


def train_bpe(segments, n_merges):
    if n_merges < 0:
        raise ValueError(f"cannot learn {n_merges} merges")
    table = [(list(chunk.encode("utf-8")), n) for chunk, n in count_chunks(segments).items()]
    pairs, where = defaultdict(int), defaultdict(set)
    for k, (ids, n) in enumerate(table):
        for pair in zip(ids, ids[1:]):
            pairs[pair] += n
            where[pair].add(k)
    merges = []
    while pairs and len(merges) < n_merges:
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        for k in where[best].copy():
            ids, n = table[k]
            for pair in zip(ids, ids[1:]):
                pairs[pair] -= n
                where[pair].discard(k)
                if pairs[pair] == 0:
                    del pairs[pair]
            ids = merge(ids, best, 256 + len(merges))
            for pair in zip(ids, ids[1:]):
                pairs[pair] += n
                where[pair].add(k)
            table[k] = ids, n
        merges.append(best)
    return merges
""",
    ),
    (
        "merge",
        """\
def merge(ids, pair, new_id):
    merged = list(ids)
    place = 0
    while place + 1 < len(merged):
        if merged[place] == pair[0] and merged[place + 1] == pair[1]:
            merged[place : place + 2] = [new_id]
        place += 1
    return merged
""",
    ),
)

HEAP_OF_COUNTS = (
    (
        "train_bpe",
        """\
def differences(before, after):
    change = Counter(pairwise(after))
    change.subtract(pairwise(before))
    return {pair: times for pair, times in change.items() if times}


def train_bpe(segments, n_merges):
    if n_merges < 0:
        raise ValueError(f"{n_merges} is negative")
    words = [(tuple(chunk.encode()), n) for chunk, n in sorted(count_chunks(segments).items())]
    counts, holders = Counter(), {}
    for number, (word, n) in enumerate(words):
        for pair in pairwise(word):
            counts[pair] += n
            holders.setdefault(pair, set()).add(number)
    heap = [(-count, pair) for pair, count in counts.items()]
    heapq.heapify(heap)
    merges = []
    while heap and len(merges) < n_merges:
        count, best = heapq.heappop(heap)
        if -count != counts[best] or not count:
            continue
        changed = set()
        for number in holders.pop(best):
            word, n = words[number]
            shorter = tuple(merge(list(word), best, 256 + len(merges)))
            words[number] = shorter, n
            for pair, times in differences(word, shorter).items():
                counts[pair] += n * times
                holders.setdefault(pair, set()).add(number)
                changed.add(pair)
        for pair in changed:
            heapq.heappush(heap, (-counts[pair], pair))
        merges.append(best)
    return merges
""",
    ),
    (
        "count_pairs",
        """\
def count_pairs(table):
    pairs = {}
    for ids, count in table:
        for i in range(1, len(ids)):
            pair = (ids[i - 1], ids[i])
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    ),
)

ONE_BY_ONE = (
    (
        "pretokenize",
        """\
CHUNK = re.compile(PATTERN)


def pretokenize(text):
    chunks, at = [], 0
    while at < len(text):
        chunk = CHUNK.match(text, at).group()
        chunks.append(chunk)
        at += len(chunk)
    if isinstance(text, bytes):
        raise TypeError("a text is wanted, not bytes")
    return chunks
""",
    ),
    (
        "count_chunks",
        """\
def count_chunks(segments):
    if type(segments) is str:
        raise TypeError("a list of texts is wanted")
    counts = {}
    for piece in EOT.join(segments).split(EOT):
        for chunk in pretokenize(piece):
            counts.setdefault(chunk, 0)
            counts[chunk] += 1
    return counts
""",
    ),
    (
        "merge",
        """\
def merge(ids, pair, new_id):
    result = []
    waiting = None  # an id that may turn out to be the left half
    for each in ids:
        if waiting is not None and (waiting, each) == pair:
            result.append(new_id)
            waiting = None
            continue
        if waiting is not None:
            result.append(waiting)
        waiting = each
    if waiting is not None:
        result.append(waiting)
    return result
""",
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "mended_counts",
        "Counts of all pairs in a dict and a set of chunks for each, as the notebook says; merge "
        "shortens a copy in place.",
        MENDED_COUNTS,
    ),
    Variant(
        "heap_of_counts",
        "A heap with an entry for each count a pair ever had, where stale entries are skipped; "
        "pairs by index.",
        HEAP_OF_COUNTS,
    ),
    Variant(
        "one_by_one",
        "Chunks matched one after the other, counts in a plain dict, segments joined with the "
        "separator and cut again, and a merge that keeps one id waiting.",
        ONE_BY_ONE,
    ),
)

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "train_bpe",
        "`ids[ids == 255] = -1` -> `ids[ids == 255] = -2`",
        "Any negative number that has a size of 1 marks the end of a chunk as well.",
    ),
    Equivalent(
        "train_bpe",
        "`np.ones(257 + min(n_merges, len(row)), dtype=np.int64)`"
        " -> `np.ones(258 + min(n_merges, len(row)), dtype=np.int64)`",
        "Room for one more size, which no id uses.",
    ),
    Equivalent(
        "train_bpe",
        "`np.ones(257 + min(n_merges, len(row)), dtype=np.int64)`"
        " -> `np.ones(256 + min(n_merges, len(row)), dtype=np.int64)`",
        "The size of -1 is overwritten by the last merge only, and after it nothing is merged.",
    ),
    Equivalent(
        "train_bpe",
        "`np.ones(257 + min(n_merges, len(row)), dtype=np.int64)`"
        " -> `np.ones(257 + min(len(row), n_merges), dtype=np.int64)`",
        "The smaller of two numbers, in whatever order they are given.",
    ),
    Equivalent(
        "train_bpe",
        "`del counts, chunks` -> `pass`",
        "They only take memory until the merges are learned.",
    ),
    Equivalent(
        "train_bpe",
        "`heapq.heappush(heap, pair - (count << 64))`"
        " -> `heapq.heappush(heap, pair - (count << 65))`",
        "The order of promises is the same, and so is the rest by 2**64.",
    ),
    Equivalent(
        "train_bpe",
        "`pair = heapq.heappop(heap) % 2 ** 64` -> `pair = heapq.heappop(heap) % 2 ** 63`",
        "A pair is two numbers of 31 bits and a gap, less than 2**63.",
    ),
    Equivalent(
        "train_bpe",
        "`np.append(True, pairs[1:] != pairs[:-1]).nonzero()[0]`"
        " -> `np.append(True, pairs[1:] != pairs[:-1]).nonzero()[-1]`",
        "There is one array for one axis, the first and the last.",
    ),
    Equivalent(
        "train_bpe",
        "`zip(pairs[firsts].tolist(), counts, bounds, strict=True)`"
        " -> `zip(pairs[firsts].tolist(), counts, bounds, strict=False)`",
        "The three are equally long, so nothing depends on zip's strictness.",
    ),
    Equivalent(
        "train_bpe",
        "`promise(pair, count, starts[first:end])`"
        " -> `promise(pair, count, starts[first:end + 1])`",
        "One place more than the pair has; it drops out when the places are looked at.",
    ),
    Equivalent(
        "train_bpe",
        "`free, kept = (0, [])` -> `free, kept = (-1, [])`",
        "No place is before byte 0, so the first place is free either way.",
    ),
    Equivalent(
        "train_bpe",
        "`pair_at[starts + sizes[a]] = -1` -> `pair_at[starts + sizes[a]] = -2`",
        "Any negative number is no pair.",
    ),
    Equivalent(
        "count_chunks_fast",
        "`for begin, end, count in zip(*parts, strict=True):`"
        " -> `for begin, end, count in zip(*parts, strict=False):`",
        "The three lists are equally long, so nothing depends on zip's strictness.",
    ),
)
