"""Planted bugs, correct variants and equivalent mutants of ch03_tokenizer; bugs and equivalents
are grouped by part in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS: tuple[Mutant, ...] = (
    # token_table
    Mutant(
        "token_table",
        "any_id_accepted",
        old="not 0 <= half < len(tokens)",
        new="half >= 512",
        why="Ids that no merge has made pass until Python itself stumbles, with another error.",
        pitfall="undefined ids accepted",
    ),
    Mutant(
        "token_table",
        "negative_accepted",
        old="not 0 <= half < len(tokens)",
        new="half >= len(tokens)",
        why="A negative id counts from the end of the table.",
    ),
    Mutant(
        "token_table",
        "left_half_only",
        old="for half in (left, right)",
        new="for half in (left,)",
        why="The right half is not looked at.",
    ),
    Mutant(
        "token_table",
        "own_id_accepted",
        old="half < len(tokens)",
        new="half <= len(tokens)",
        why="A merge may use the id that it makes itself.",
    ),
    Mutant(
        "token_table",
        "halves_swapped",
        old="tokens[left] + tokens[right]",
        new="tokens[right] + tokens[left]",
        why="The right half comes first.",
    ),
    Mutant(
        "token_table",
        "characters",
        old="bytes([byte]) for",
        new="chr(byte).encode() for",
        why="From 128 on a byte becomes the two bytes of the character of that number.",
    ),
    Mutant(
        "token_table",
        "first_byte_lost",
        old="range(256)",
        new="range(1, 256)",
        why="The byte 0 is missing, so each id is one too small.",
    ),
    # bytes_of
    Mutant(
        "bytes_of",
        "negative_accepted",
        old="not 0 <= each",
        new="each >= 0 and not 0 <= each",
        why="A negative id counts from the end of the table.",
        pitfall="negative ids accepted",
    ),
    Mutant(
        "bytes_of",
        "index_error",
        old='            raise ValueError(f"id {each} is not one of 0 ... {len(tokens) - 1}")',
        new='            raise IndexError(f"id {each}")',
        why="The error is an IndexError, which callers do not expect.",
    ),
    Mutant(
        "bytes_of",
        "first_id_checked",
        old="for each in ids:",
        new="for each in ids[:1]:",
        why="Only the first id is looked at.",
    ),
    Mutant(
        "bytes_of",
        "one_too_many",
        old="each < len(tokens)",
        new="each <= len(tokens)",
        why="The id just after the last one is not refused.",
    ),
    Mutant(
        "bytes_of",
        "out_of_range_dropped",
        old='            raise ValueError(f"id {each} is not one of 0 ... {len(tokens) - 1}")\n'
        '    return b"".join([tokens[each] for each in ids])',
        new="            pass\n"
        '    return b"".join([tokens[each] for each in ids if 0 <= each < len(tokens)])',
        why="Ids that are not there are left out in silence.",
    ),
    Mutant(
        "bytes_of",
        "joined_with_spaces",
        old='b"".join',
        new='b" ".join',
        why="A space comes between two tokens.",
    ),
    # StreamingDecoder
    Mutant(
        "StreamingDecoder",
        "each_by_itself",
        old="return self._decoder.decode(bytes_of([token_id], self.tokens))",
        new='return bytes_of([token_id], self.tokens).decode(errors="replace")',
        why="Each token is decoded alone, so a character of two tokens becomes �.",
        pitfall="each token decoded by itself",
    ),
    Mutant(
        "StreamingDecoder",
        "held_back",
        old="return self._decoder.decode(bytes_of([token_id], self.tokens))",
        new='out = getattr(self, "_held", "")\n'
        "        self._held = self._decoder.decode(bytes_of([token_id], self.tokens))\n"
        "        return out",
        why="What is complete comes out with the next id only.",
        pitfall="bytes held back too long",
    ),
    Mutant(
        "StreamingDecoder",
        "all_at_the_end",
        old="return self._decoder.decode(bytes_of([token_id], self.tokens))",
        new='self._all = getattr(self, "_all", b"") + bytes_of([token_id], self.tokens)\n'
        '        return ""\n'
        "\n"
        "    def finish(self) -> str:\n"
        '        return getattr(self, "_all", b"").decode(errors="replace")\n'
        "\n"
        "    def _unused(self) -> str:\n"
        "        pass",
        why="Nothing comes out before the end.",
    ),
    Mutant(
        "StreamingDecoder",
        "rest_dropped",
        old='return self._decoder.decode(b"", final=True)',
        new='return ""',
        why="Bytes that wait when the ids end are thrown away.",
        pitfall="leftover bytes dropped",
    ),
    Mutant(
        "StreamingDecoder",
        "rest_not_final",
        old='b"", final=True',
        new='b""',
        why="The decoder is not told that no more bytes come.",
    ),
    Mutant(
        "StreamingDecoder",
        "errors_ignored",
        old='self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")',
        new='self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")',
        why="Broken bytes vanish in place of becoming �.",
    ),
    Mutant(
        "StreamingDecoder",
        "errors_strict",
        old='self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")',
        new='self._decoder = codecs.getincrementaldecoder("utf-8")()',
        why="Broken bytes raise an error.",
    ),
    Mutant(
        "StreamingDecoder",
        "one_decoder_for_all",
        old="self._decoder = codecs",
        new="self._decoder = StreamingDecoder.shared = getattr(StreamingDecoder, "
        '"shared", None) or codecs',
        why="All streams share one decoder, so bytes of one come out of another.",
    ),
    Mutant(
        "StreamingDecoder",
        "ids_not_checked",
        old="bytes_of([token_id], self.tokens)",
        new="self.tokens[token_id]",
        why="A negative id is taken from the end of the table, and one too large is an IndexError.",
    ),
    # encode_chunk
    Mutant(
        "encode_chunk",
        "leftmost_first",
        old="min(made)",
        new="next((new for new in made if new < math.inf), math.inf)",
        why="The leftmost pair that can be merged goes first.",
        pitfall="leftmost pair first",
    ),
    Mutant(
        "encode_chunk",
        "largest_first",
        old="min(made)",
        new="max((new for new in made if new < math.inf), default=math.inf)",
        why="The latest merge goes first.",
    ),
    Mutant(
        "encode_chunk",
        "smallest_pair_first",
        old="min(made)",
        new="merges.get(min((p for p in itertools.pairwise(ids) if p in merges), default=()), "
        "math.inf)",
        why="The numerically smallest pair goes first, whatever it makes.",
    ),
    Mutant(
        "encode_chunk",
        "first_of_the_dict",
        old="min(made)",
        new="merges.get(next((p for p in merges if p in {*itertools.pairwise(ids)}), ()), "
        "math.inf)",
        why="The order of the dict decides, and not the new ids.",
    ),
    Mutant(
        "encode_chunk",
        "one_round",
        old="while made and",
        new="if made and",
        why="Only one merge is done, though more are possible.",
        pitfall="one round only",
    ),
    Mutant(
        "encode_chunk",
        "one_place_at_a_time",
        old="made.count(best) == 1",
        new="made.count(best)",
        why="Each round merges one place and looks through everything again: right, and "
        "far too slow.",
        pitfall="one place at a time",
    ),
    Mutant(
        "encode_chunk",
        "order_of_a_pair",
        old="[*map(merges.get, itertools.pairwise(ids), itertools.repeat(math.inf))]",
        new="[merges.get(p, merges.get(p[::-1], math.inf)) for p in itertools.pairwise(ids)]",
        why="(b, a) is merged with (a, b).",
    ),
    Mutant(
        "encode_chunk",
        "two_left_is_enough",
        old="while made and",
        new="while len(made) > 1 and",
        why="Two ids that are left are not merged.",
    ),
    # parse_artifact
    Mutant(
        "parse_artifact",
        "pattern_not_checked",
        old='artifact["pattern"] != PATTERN',
        new='not artifact["pattern"]',
        why="Any pattern passes, so text will be cut in another way than in training.",
        pitfall="foreign pattern accepted",
    ),
    Mutant(
        "parse_artifact",
        "pattern_begins_alike",
        old='artifact["pattern"] != PATTERN',
        new='not str(artifact["pattern"]).startswith(PATTERN)',
        why="A pattern that only begins like the course's passes.",
    ),
    Mutant(
        "parse_artifact",
        "size_not_checked",
        old=' or artifact["vocab_size"] != last + 1',
        new="",
        why="vocab_size may be any number.",
        pitfall="`vocab_size` not checked",
    ),
    Mutant(
        "parse_artifact",
        "separator_not_checked",
        old='artifact["special_tokens"] != {EOT: last} or ',
        new="",
        why="special_tokens may be anything.",
    ),
    Mutant(
        "parse_artifact",
        "separator_is_enough",
        old='artifact["special_tokens"] != {EOT: last}',
        new='EOT not in artifact["special_tokens"]',
        why="The separator may have any id, and others may stand beside it.",
    ),
    Mutant(
        "parse_artifact",
        "version_ignored",
        old='artifact["version"] != 1',
        new='not artifact["version"]',
        why="Any version passes for the first.",
    ),
    Mutant(
        "parse_artifact",
        "more_entries",
        old="artifact.keys() != entries",
        new="not artifact.keys() >= entries",
        why="Entries that nobody knows are skipped.",
    ),
    Mutant(
        "parse_artifact",
        "fewer_entries",
        old="artifact.keys() != entries",
        new="artifact.keys() - entries",
        why="A missing entry is a KeyError, or no error at all.",
    ),
    Mutant(
        "parse_artifact",
        "object_not_checked",
        old="not isinstance(artifact, dict) or ",
        new="",
        why="What is no object fails with some other error.",
    ),
    Mutant(
        "parse_artifact",
        "pairs_twice",
        old="len(set(merges)) < len(merges)",
        new="len(set(merges)) > len(merges)",
        why="A pair may stand twice.",
    ),
    Mutant(
        "parse_artifact",
        "undefined_ids",
        old="last = len(token_table(merges))",
        new="last = 256 + len(merges)",
        why="Ids that no merge makes are not noticed.",
    ),
    Mutant(
        "parse_artifact",
        "lists_kept",
        old="(left, right) for",
        new="[left, right] for",
        why="The merges stay lists, which cannot be keys of a dict.",
    ),
    Mutant(
        "parse_artifact",
        "true_is_one",
        old="[type(half) for half in pair] != [int, int]",
        new="[isinstance(half, int) for half in pair] != [True, True]",
        why="true passes for the number 1.",
    ),
    Mutant(
        "parse_artifact",
        "pairs_of_anything",
        old="not isinstance(pair, list) or [type(half) for half in pair] != [int, int]",
        new="len(pair) != 2",
        why="What is no pair of numbers is found too late, or never.",
    ),
    Mutant(
        "parse_artifact",
        "list_not_checked",
        old="    if not isinstance(merges, list):\n"
        '        raise ValueError("merges must be a list of pairs")\n',
        new="",
        why="Merges that are a number fail with some other error.",
    ),
    Mutant(
        "parse_artifact",
        "none_refused",
        old="if not isinstance(merges, list):",
        new="if not merges or not isinstance(merges, list):",
        why="A file without merges is refused, though a text of single letters gives just that.",
    ),
    # parse_hf
    Mutant(
        "parse_hf",
        "settings_ignored",
        old="if problems := unimplemented(config):",
        new='if not isinstance(config, dict) and (problems := ["no object"]):',
        why="Settings that would change ids are skipped.",
        pitfall="unknown settings ignored",
    ),
    Mutant(
        "parse_hf",
        "characters_kept",
        old="bytes([byte_of[character] for character in token])",
        new="token.encode()",
        why='Tokens keep the characters that stand for bytes, so " the" is nowhere.',
        pitfall="byte characters kept",
    ),
    Mutant(
        "parse_hf",
        "strange_characters_dropped",
        old="if strange := [character for character in token if character not in byte_of]:\n"
        '            raise ValueError(f"token {token!r} has {strange[0]!r}, which '
        'stands for no byte")',
        new='token = "".join(c for c in token if c in byte_of)',
        why="Characters that stand for no byte are left out.",
    ),
    Mutant(
        "parse_hf",
        "ids_twice",
        old="        if token_id in table:\n"
        '            raise ValueError(f"id {token_id} has two tokens")\n',
        new="",
        why="Of two tokens with one id the last one counts.",
    ),
    Mutant(
        "parse_hf",
        "added_in_byte_characters",
        old='literal = added["content"].encode()',
        new='literal = bytes(byte_of.get(c, 63) for c in added["content"])',
        why="The text of an added token is taken for byte characters.",
    ),
    Mutant(
        "parse_hf",
        "added_wins",
        old='table.setdefault(added["id"], literal) != literal',
        new='not table.update({added["id"]: literal}) and False',
        why="An added token takes the id of another one away.",
    ),
    Mutant(
        "parse_hf",
        "added_left_out",
        old='        specials[added["content"]] = added["id"]\n',
        new="",
        why="Added tokens are not among the special ones.",
    ),
    Mutant(
        "parse_hf",
        "gaps_filled",
        old="    if sorted(table) != list(range(len(table))):\n"
        '        raise ValueError(f"the ids of {len(table)} tokens are not 0 ... '
        '{len(table) - 1}")\n',
        new='    table = {n: table.get(n, b"") for n in range(max(table) + 1)}\n',
        why="Ids that no token has stand for nothing.",
    ),
    Mutant(
        "parse_hf",
        "closed_up",
        old="return merges, [table[token_id] for token_id in range(len(table))], specials",
        new="return merges, list(table.values()), specials",
        why="Tokens are taken in the file's order, as if it were that of their ids.",
    ),
    Mutant(
        "parse_hf",
        "bytes_may_be_missing",
        old="    if missing := byte_of.keys() - vocab.keys():\n"
        '        raise ValueError(f"there is no id for byte {byte_of[min(missing)]}")\n',
        new="",
        why="A byte may have no id, so some texts cannot be encoded.",
    ),
    Mutant(
        "parse_hf",
        "pairs_only",
        old='entry.split(" ") if isinstance(entry, str) else entry',
        new="entry",
        why="Merges written as one text are not read.",
    ),
    Mutant(
        "parse_hf",
        "strings_only",
        old='entry.split(" ") if isinstance(entry, str) else entry',
        new='entry.split(" ")',
        why="Merges written as pairs are not read.",
    ),
    Mutant(
        "parse_hf",
        "merges_skipped",
        old='            raise ValueError(f"the merge {entry!r} needs {undefined[0]!r}, '
        'which has no id")',
        new="            continue",
        why="Merges that need an unknown token are left out.",
    ),
    Mutant(
        "parse_hf",
        "order_not_checked",
        old="vocab[left + right] <= newest",
        new="False",
        why="A merge may make a smaller id than the one before it.",
    ),
    Mutant(
        "parse_hf",
        "same_id_again",
        old="vocab[left + right] <= newest",
        new="vocab[left + right] < newest",
        why="A merge may make the same id as the one before it.",
    ),
    Mutant(
        "parse_hf",
        "numbered_from_256",
        old="merges[vocab[left], vocab[right]] = newest = vocab[left + right]",
        new="merges[vocab[left], vocab[right]] = 256 + len(merges)\n"
        "        newest = vocab[left + right]",
        why="New ids are counted from 256 and not looked up.",
    ),
    # BPETokenizer
    Mutant(
        "BPETokenizer",
        "ids_are_bytes",
        old="[self._byte_ids[byte] for byte in chunk.encode()]",
        new="list(chunk.encode())",
        why="Bytes are taken for ids, which they are in this course's files only.",
        pitfall="ids taken for bytes",
    ),
    Mutant(
        "BPETokenizer",
        "special_without_permission",
        old="longest_first = sorted(allowed_special, key=len, reverse=True)",
        new="allowed_special = set(self.specials)\n"
        "        longest_first = sorted(allowed_special, key=len, reverse=True)",
        why="Special tokens become ids whether or not they are allowed.",
        pitfall="permission not asked",
    ),
    Mutant(
        "BPETokenizer",
        "unknown_special_ignored",
        old="        if unknown := set(allowed_special) - self.specials.keys():\n"
        '            raise ValueError(f"{min(unknown)!r} is no special token of this '
        'tokenizer")\n',
        new="        allowed_special = [name for name in allowed_special if name in "
        "self.specials]\n",
        why="A special token that is not there is allowed in silence.",
    ),
    Mutant(
        "BPETokenizer",
        "not_escaped",
        old="map(regex.escape, longest_first)",
        new="longest_first",
        why="The bars in <|endoftext|> are read as a pattern.",
    ),
    Mutant(
        "BPETokenizer",
        "shortest_first",
        old="key=len, reverse=True",
        new="key=len",
        why="Of two special tokens that begin alike the shorter one is taken.",
    ),
    Mutant(
        "BPETokenizer",
        "not_cut",
        old="for chunk in self._cut(piece):",
        new="for chunk in [piece]:",
        why="The text is not cut into chunks, so merges reach across words.",
    ),
    Mutant(
        "BPETokenizer",
        "cache_unbounded",
        old="            self.cache.clear()\n",
        new="            pass\n",
        why="The cache grows with every new chunk.",
        pitfall="cache without a bound",
    ),
    Mutant(
        "BPETokenizer",
        "cache_one_too_many",
        old="len(self.cache) >= self.cache_size",
        new="len(self.cache) > self.cache_size",
        why="The cache holds one chunk more than it may.",
    ),
    Mutant(
        "BPETokenizer",
        "cache_not_filled",
        old="        self.cache[chunk] = ids\n",
        new="",
        why="Nothing is ever put into the cache.",
    ),
    Mutant(
        "BPETokenizer",
        "batch_without_permission",
        old="self.encode(text, allowed_special) for",
        new="self.encode(text) for",
        why="A batch forgets what is allowed.",
    ),
    Mutant(
        "BPETokenizer",
        "batch_joined",
        old="[self.encode(text, allowed_special) for text in texts]",
        new='[self.encode("".join(texts), allowed_special)]',
        why="The texts of a batch are encoded as one.",
    ),
    Mutant(
        "BPETokenizer",
        "tokens_decoded_alone",
        old='bytes_of(ids, self.tokens).decode(errors="replace")',
        new='"".join(bytes_of([each], self.tokens).decode(errors="replace") for each in ids)',
        why="Each token is decoded by itself, so half characters become �.",
    ),
    Mutant(
        "BPETokenizer",
        "errors_strict",
        old='.decode(errors="replace")',
        new=".decode()",
        why="Bytes that are no UTF-8 raise an error.",
    ),
    Mutant(
        "BPETokenizer",
        "surrogates_replaced",
        old="for byte in chunk.encode()",
        new='for byte in chunk.encode(errors="replace")',
        why="A lone surrogate becomes a question mark.",
    ),
    Mutant(
        "BPETokenizer",
        "merges_sorted",
        old='"merges": list(self.merges)',
        new='"merges": sorted(self.merges)',
        why="The file has the merges in order of their ids and not in that of learning.",
        pitfall="merges in another order saved",
    ),
    Mutant(
        "BPETokenizer",
        "hash_not_kept",
        old="self.pattern, self.train_sha256 = pattern, train_sha256",
        new='self.pattern, self.train_sha256 = pattern, ""',
        why="The hash of the training text is lost.",
    ),
    Mutant(
        "BPETokenizer",
        "hash_without_separator",
        old="EOT.join(segments).encode()",
        new='"".join(segments).encode()',
        why="The hash is that of the segments glued together.",
    ),
    Mutant(
        "BPETokenizer",
        "foreign_saved",
        old="        if self.pattern != PATTERN:\n"
        '            raise ValueError("only tokenizers with the pattern of this '
        'course can be saved")\n',
        new="",
        why="A tokenizer of another kind is saved as if it were one of this course.",
    ),
    Mutant(
        "BPETokenizer",
        "size_without_special",
        old="vocab_size - 257)",
        new="vocab_size - 256)",
        why="There is one merge too many, and no room for the separator.",
    ),
    Mutant(
        "BPETokenizer",
        "separator_is_511",
        old="specials = {EOT: len(tokens)}",
        new="specials = {EOT: 511}",
        why="The separator is 511 even where there are fewer ids.",
    ),
    Mutant(
        "BPETokenizer",
        "separator_has_no_bytes",
        old="[*tokens, EOT.encode()]",
        new='[*tokens, b""]',
        why="The separator decodes to nothing.",
    ),
    Mutant(
        "BPETokenizer",
        "artifact_not_checked",
        old="artifact = parse_artifact(path.read_bytes())",
        new="artifact = json.loads(path.read_bytes())\n"
        '        artifact["merges"] = [tuple(pair) for pair in artifact["merges"]]',
        why="The file is read without being checked.",
    ),
    Mutant(
        "BPETokenizer",
        "own_pattern_for_hf",
        old="pattern=GPT2_PATTERN",
        new="pattern=PATTERN",
        why="Text for a Hugging Face tokenizer is cut by this course's pattern.",
    ),
    Mutant(
        "BPETokenizer",
        "hf_pattern_for_own",
        old="self._cut = cutter(pattern)",
        new="self._cut = cutter(GPT2_PATTERN)",
        why="Text is cut by GPT-2's pattern even where the merges were learned with another.",
    ),
    Mutant(
        "BPETokenizer",
        "small_size_accepted",
        old="        if vocab_size < 257:\n"
        '            raise ValueError(f"256 bytes and a separator are 257 ids, more '
        'than {vocab_size}")\n',
        new="        vocab_size = max(vocab_size, 257)\n",
        why="A vocabulary that is too small is made larger in silence.",
    ),
    Mutant(
        "BPETokenizer",
        "eot_of_511",
        old="return self.specials.get(EOT)",
        new="return self.vocab_size - 1",
        why="The last id is taken for the separator, whatever it is.",
    ),
    Mutant(
        "BPETokenizer",
        "size_of_merges",
        old="return len(self.tokens)",
        new="return 257 + len(self.merges)",
        why="The vocabulary is counted as if there were one special token always.",
    ),
    Mutant(
        "BPETokenizer",
        "text_stripped",
        old='in regex.split(f"({literals})", text) if literals else [text]',
        new='in regex.split(f"({literals})", text) if literals else [text.strip()]',
        why="White space around a text is lost.",
    ),
    Mutant(
        "BPETokenizer",
        "text_normalized",
        old="else [text]:",
        new='else [__import__("unicodedata").normalize("NFC", text)]:',
        why="The text is normalized first, so it does not come back as it was.",
    ),
    Mutant(
        "BPETokenizer",
        "spaces_lost",
        old="for byte in chunk.encode()",
        new='for byte in (chunk.lstrip(" ") or chunk).encode()',
        why="A word loses the space before it.",
    ),
    Mutant(
        "BPETokenizer",
        "any_id_decoded",
        old='bytes_of(ids, self.tokens).decode(errors="replace")',
        new='b"".join([self.tokens[each] for each in ids]).decode(errors="replace")',
        why="decode does not look whether there is such an id.",
    ),
    Mutant(
        "BPETokenizer",
        "token_as_text",
        old="return bytes_of([token_id], self.tokens)",
        new='return bytes_of([token_id], self.tokens).decode(errors="replace").encode()',
        why="A token that is half a character comes out as the bytes of �.",
    ),
    Mutant(
        "BPETokenizer",
        "normalizer_taken_out",
        old="cls(*parse_hf(path.read_bytes()), pattern",
        new='cls(*parse_hf(json.dumps(json.loads(path.read_bytes()) | {"normalizer": '
        "None}).encode()), pattern",
        why="A normalizer in the file is taken out before anybody can refuse it.",
    ),
    # bytes_per_token
    Mutant(
        "bytes_per_token",
        "mean_of_ratios",
        old="return sum(len(text.encode()) for text in texts) / count",
        new="ratios = [len(t.encode()) / len(i) for t, i in zip(texts, encoded, "
        "strict=True) if i]\n"
        "    return sum(ratios) / len(ratios)",
        why="The ratios of the texts are averaged, so short texts weigh as much as long ones.",
        pitfall="mean of the texts' ratios",
    ),
    Mutant(
        "bytes_per_token",
        "characters",
        old="len(text.encode())",
        new="len(text)",
        why="Characters are counted and not bytes.",
        pitfall="characters counted for bytes",
    ),
    Mutant(
        "bytes_per_token",
        "turned_over",
        old="sum(len(text.encode()) for text in texts) / count",
        new="count / sum(len(text.encode()) for text in texts)",
        why="Tokens per byte come out.",
    ),
    Mutant(
        "bytes_per_token",
        "nothing_is_zero",
        old='        raise ValueError("no ids, so nothing to divide by")',
        new="        return 0.0",
        why="Without ids the result is 0.",
    ),
    Mutant(
        "bytes_per_token",
        "lengths_not_compared",
        old="    if len(texts) != len(encoded):\n"
        '        raise ValueError(f"{len(texts)} texts, and ids of {len(encoded)}")\n',
        new="",
        why="Texts without ids, or ids without a text, count all the same.",
    ),
    Mutant(
        "bytes_per_token",
        "whole_numbers",
        old="for text in texts) / count",
        new="for text in texts) // count",
        why="The ratio is rounded down.",
    ),
    # encode_fast
    Mutant(
        "encode_fast",
        "one_text_is_a_list",
        old='raise TypeError("texts must be a list of texts, not one text: put it in [ ]")',
        new="texts = [texts]",
        why="One text passes for a list of texts.",
    ),
    Mutant(
        "encode_fast",
        "always_the_course_pattern",
        old="classes_and_digits(tokenizer.pattern)",
        new="classes_and_digits(PATTERN)",
        why="GPT-2's texts are cut by the pattern of this course.",
    ),
    Mutant(
        "encode_fast",
        "bytes_are_their_own_ids",
        old="np.array([tokenizer.tokens.index(bytes([byte])) for byte in range(256)])",
        new="np.arange(256)",
        why="A byte is taken for its own id.",
    ),
    Mutant(
        "encode_fast",
        "half_characters_replaced",
        old="in blocks(texts)",
        new='in blocks(text.encode(errors="replace").decode() for text in texts)',
        why="Half of a UTF-16 pair is encoded as a question mark.",
    ),
    Mutant(
        "encode_fast",
        "texts_joined",
        old="in blocks(texts)",
        new='in blocks(["".join(texts)])',
        why="All texts are joined to one.",
    ),
    Mutant(
        "encode_fast",
        "last_block_only",
        old="found.append(spread([known[chunk] for chunk in chunks], number[leader]))",
        new="found = [spread([known[chunk] for chunk in chunks], number[leader])]",
        why="The ids of all blocks but the last are lost.",
    ),
    Mutant(
        "encode_fast",
        "nothing_cached",
        old="            tokenizer.cache[chunk] = known[chunk] = ids",
        new="            known[chunk] = ids",
        why="Every block encodes all its chunks anew.",
    ),
    Mutant(
        "encode_fast",
        "cache_not_read",
        old="tokenizer.cache.get(chunk)",
        new="None",
        why="What is in the cache is encoded again.",
    ),
    Mutant(
        "encode_fast",
        "cache_without_a_bound",
        old="            if len(tokenizer.cache) >= tokenizer.cache_size:\n"
        "                tokenizer.cache.clear()\n",
        new="",
        why="The cache grows with the corpus.",
    ),
    Mutant(
        "encode_fast",
        "one_chunk_too_many",
        old=">= tokenizer.cache_size",
        new="> tokenizer.cache_size",
        why="The cache holds one chunk more than it may.",
    ),
    Mutant(
        "encode_fast",
        "mark_cached",
        old="            tokenizer.cache[chunk] = known[chunk] = ids",
        new="            tokenizer.cache[chunk] = known[chunk] = ids\n"
        "            tokenizer.cache[MARK] = [END]",
        why="The mark before each text is kept like a chunk.",
    ),
    Mutant(
        "encode_fast",
        "marks_left_in",
        old="[part[1:] for part in np.split(ids, np.flatnonzero(ids == END))[1:]]",
        new="np.split(ids, np.flatnonzero(ids == END))[1:]",
        why="Each text's ids begin with the mark.",
    ),
    Mutant(
        "encode_fast",
        "one_array_for_all",
        old="[part[1:] for part in np.split(ids, np.flatnonzero(ids == END))[1:]]",
        new="[ids[ids != END]]",
        why="The ids of all texts are in one array.",
    ),
    Mutant(
        "encode_fast",
        "smallest_of_the_whole_row",
        old="        best = np.minimum.reduceat(made, firsts)",
        new="        best = np.minimum.reduceat(made, firsts)\n"
        "        best[best > best.min()] = NO_MERGE",
        why="Only the chunks with the smallest new id of the row go on, the others are left "
        "as they are.",
    ),
    Mutant(
        "encode_fast",
        "largest_first",
        old="best = np.minimum.reduceat(made, firsts)",
        new="best = np.maximum.reduceat(np.where(made == NO_MERGE, -9, made), firsts)\n"
        "        best[best == -9] = NO_MERGE",
        why="The latest merge comes first.",
    ),
    Mutant(
        "encode_fast",
        "all_at_once",
        old="places = np.flatnonzero(made == best_here)",
        new="places = np.flatnonzero(made < NO_MERGE)",
        why="All pairs that can be merged are merged in one round, later ones before earlier ones.",
    ),
    Mutant(
        "encode_fast",
        "runs_overlap_in_the_row",
        old="        places = places[(places - runs) % 2 == 0]\n",
        new="",
        why="In a run of equal ids each place is merged, so tokens overlap.",
    ),
    Mutant(
        "encode_fast",
        "one_place_a_round",
        old="        row[places] = made[places]",
        new="        places = places[:1]\n        row[places] = made[places]",
        why="A round merges one place of the whole row, so a long run takes for ever.",
    ),
    Mutant(
        "encode_fast",
        "one_round",
        old="            made[changed] = new_ids_of(row[changed], row[changed + 1], tables)",
        new="            made[changed] = new_ids_of(row[changed], row[changed + 1], tables)\n"
        "        made[:] = NO_MERGE",
        why="After one round all chunks are called finished.",
    ),
    Mutant(
        "encode_fast",
        "chunk_by_chunk",
        old="    tables = merge_tables(tokenizer.merges)\n",
        new="    return [np.array(tokenizer.encode(text), dtype=np.int32) for text in texts]\n"
        "    tables = merge_tables(tokenizer.merges)\n",
        why="It encodes chunk by chunk: right, and no faster than before.",
    ),
    Mutant(
        "encode_fast",
        "wide_ids",
        old="    ids = np.concatenate(found)",
        new="    ids = np.concatenate(found).astype(np.int64)",
        why="The ids take twice the memory that was promised.",
    ),
)

OWN_BUFFER = (
    (
        "token_table",
        """\
def token_table(merges):
    table = list(map(bytes, zip(range(256))))
    for number, pair in enumerate(merges, start=256):
        wrong = [half for half in pair if half not in range(number)]
        if wrong:
            raise ValueError(f"undefined id {wrong[0]}")
        table += [b"".join(table[half] for half in pair)]
    return table
""",
    ),
    (
        "bytes_of",
        """\
def bytes_of(ids, tokens):
    joined = bytearray()
    for number in ids:
        if number < 0 or number >= len(tokens):
            raise ValueError(f"there is no id {number}")
        joined += tokens[number]
    return bytes(joined)
""",
    ),
    (
        "StreamingDecoder",
        """\
class StreamingDecoder:
    def __init__(self, tokens):
        self.table = tokens
        self.seen = b""
        self.told = 0

    def push(self, number):
        self.seen += bytes_of([number], self.table)
        end = len(self.seen)
        for back in range(min(3, end), 0, -1):  # at most three bytes can wait
            try:
                self.seen[end - back :].decode()
            except UnicodeDecodeError as error:
                if error.reason == "unexpected end of data" and error.start == 0:
                    end -= back
                    break
        return self.tell(self.seen[:end].decode(errors="replace"))

    def tell(self, text):
        new = text[self.told :]
        self.told = len(text)
        return new

    def finish(self):
        return self.tell(self.seen.decode(errors="replace"))
""",
    ),
    (
        "bytes_per_token",
        """\
def bytes_per_token(texts, encoded):
    size = count = 0
    for text, ids in zip(texts, encoded, strict=True):
        size += len(text.encode("utf-8"))
        count += len(ids)
    if not count:
        raise ValueError("there are no ids")
    return size / count
""",
    ),
)

HEAP = (
    (
        "encode_chunk",
        """\
import heapq


def encode_chunk(ids, merges):
    ids = [*ids]
    size = len(ids)
    right, left = [*range(1, size + 1)], [*range(-1, size - 1)]
    heap = []

    def offer(at):
        other = right[at]
        if at >= 0 and other < size and (new := merges.get((ids[at], ids[other]))) is not None:
            heapq.heappush(heap, (new, at, ids[at], ids[other]))

    for at in range(size - 1):
        offer(at)
    while heap:
        new, at, one, other = heapq.heappop(heap)
        after = right[at]
        if ids[at] != one or after >= size or ids[after] != other:
            continue
        ids[at], ids[after] = new, None
        right[at] = right[after]
        if right[at] < size:
            left[right[at]] = at
            offer(at)
        if left[at] >= 0:
            offer(left[at])
    return [each for each in ids if each is not None]
""",
    ),
    (
        "parse_artifact",
        """\
def parse_artifact(data):
    try:
        found = json.loads(data.decode("utf-8"))
        version, pattern, size, specials, sha256, merges = (
            found.pop(name)
            for name in (
                "version", "pattern", "vocab_size", "special_tokens", "train_sha256", "merges"
            )
        )
        if type(merges) is not list or any(type(pair) is not list for pair in merges):
            raise ValueError("merges are a list of lists")
        pairs = [(a, b) for a, b in merges]
        if {type(half) for pair in pairs for half in pair} - {int}:
            raise ValueError("ids are whole numbers")
    except (KeyError, AttributeError, TypeError) as error:
        raise ValueError(f"no tokenizer: {error!r}") from error
    if found:
        raise ValueError(f"unknown entries {sorted(found)}")
    if version != 1 or pattern != PATTERN or len({*pairs}) != len(pairs):
        raise ValueError("another version or pattern, or a pair twice")
    end = 256
    for pair in pairs:
        if min(pair) < 0 or max(pair) >= end:
            raise ValueError(f"{pair} uses an id from {end} on")
        end += 1
    if size != end + 1 or specials != {EOT: end}:
        raise ValueError(f"{size} ids and {specials} do not go with {len(pairs)} merges")
    return {
        "version": version, "pattern": pattern, "vocab_size": size, "special_tokens": specials,
        "train_sha256": sha256, "merges": pairs,
    }
""",
    ),
    (
        "parse_hf",
        """\
def parse_hf(data):
    config = json.loads(data)
    wrong = unimplemented(config)
    if wrong:
        raise ValueError(wrong[0])
    letters = dict(zip(byte_characters(), range(256)))
    ids = config["model"]["vocab"]
    specials = {each["content"]: each["id"] for each in config.get("added_tokens", [])}
    pairs = [(number, spell(token, letters)) for token, number in ids.items()]
    pairs += [(number, text.encode()) for text, number in specials.items()]
    table = [token for _, token in sorted(set(pairs))]
    if [number for number, _ in sorted(set(pairs))] != list(range(len(table))):
        raise ValueError("ids have gaps, or two tokens")
    if len({*ids.values()}) < len(ids) or not letters.keys() <= ids.keys():
        raise ValueError("an id has two tokens, or a byte has none")
    merges, last = {}, -math.inf
    for entry in config["model"]["merges"]:
        one, two = " ".join([entry] if isinstance(entry, str) else entry).split(" ")
        try:
            pair, new = (ids[one], ids[two]), ids[one + two]
        except KeyError as error:
            raise ValueError(f"a merge needs {error}") from error
        if new <= last:
            raise ValueError(f"{entry} is out of order")
        merges[pair] = last = new
    return merges, table, specials


def spell(token, letters):
    try:
        return bytes(map(letters.__getitem__, token))
    except KeyError as error:
        raise ValueError(f"{error} stands for no byte") from error
""",
    ),
)

ANOTHER_CLASS = (
    (
        "BPETokenizer",
        """\
class BPETokenizer:
    def __init__(self, merges, tokens, specials, pattern=PATTERN, train_sha256=""):
        self.merges = dict(merges)
        self.tokens = list(tokens)
        self.specials = dict(specials)
        self.pattern = pattern
        self.train_sha256 = train_sha256
        self.cache_size = CACHE_SIZE
        self.cache = {}
        first = {}
        for number, token in enumerate(tokens):
            first.setdefault(token, number)
        self.of_byte = [first[bytes([value])] for value in range(256)]

    @property
    def vocab_size(self):
        return len(self.tokens)

    @property
    def eot_id(self):
        return self.specials[EOT] if EOT in self.specials else None

    @classmethod
    def of_list(cls, pairs, sha256):
        tokens = token_table(pairs)
        merges = dict(zip(pairs, range(256, 256 + len(pairs))))
        return cls(merges, tokens + [EOT.encode()], {EOT: len(tokens)}, PATTERN, sha256)

    @classmethod
    def train(cls, segments, vocab_size=512):
        if vocab_size <= 256:
            raise ValueError(f"{vocab_size} ids are too few")
        text = EOT.join(segments)
        found = train_bpe(segments, vocab_size - 256 - 1)
        return cls.of_list(found, hashlib.sha256(text.encode("utf-8")).hexdigest())

    @classmethod
    def load(cls, path):
        with path.open("rb") as file:
            entries = parse_artifact(file.read())
        return cls.of_list(entries["merges"], entries["train_sha256"])

    @classmethod
    def from_hf_json(cls, path):
        merges, tokens, specials = parse_hf(path.read_bytes())
        return cls(merges, tokens, specials, GPT2_PATTERN)

    def save(self, path):
        if self.pattern == GPT2_PATTERN:
            raise ValueError("this tokenizer is of another kind")
        entries = [
            ("version", 1),
            ("pattern", self.pattern),
            ("vocab_size", self.vocab_size),
            ("special_tokens", self.specials),
            ("train_sha256", self.train_sha256),
            ("merges", [list(pair) for pair in self.merges]),
        ]
        path.write_text(json.dumps(dict(entries), indent=1), encoding="utf-8")

    def encode(self, text, allowed_special=frozenset()):
        for name in allowed_special:
            if name not in self.specials:
                raise ValueError(f"no special token {name}")
        result, start, at = [], 0, 0
        wanted = sorted(allowed_special, key=lambda name: -len(name))
        while wanted and at < len(text):
            here = next((name for name in wanted if text.startswith(name, at)), None)
            if here is None:
                at += 1
                continue
            result += [*self.plain(text[start:at]), self.specials[here]]
            start = at = at + len(here)
        return [*result, *self.plain(text[start:])]

    def plain(self, text):
        cut = pretokenize(text) if self.pattern == PATTERN else regex.findall(self.pattern, text)
        for chunk in cut:
            if chunk not in self.cache:
                ids = encode_chunk([self.of_byte[each] for each in chunk.encode()], self.merges)
                while len(self.cache) >= self.cache_size:  # the oldest go first
                    del self.cache[next(iter(self.cache))]
                self.cache[chunk] = tuple(ids)
            yield from self.cache[chunk]

    def encode_batch(self, texts, allowed_special=frozenset()):
        batch = []
        for text in texts:
            batch.append(self.encode(text, allowed_special))
        return batch

    def token_bytes(self, token_id):
        if token_id not in range(self.vocab_size):
            raise ValueError(f"id {token_id}?")
        return self.tokens[token_id]

    def decode(self, ids):
        return str(b"".join(map(self.token_bytes, ids)), "utf-8", "replace")
""",
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "own_buffer",
        "The stream keeps all bytes and finds out how many at the end have to wait; tables and "
        "sums in other ways.",
        OWN_BUFFER,
    ),
    Variant(
        "heap",
        "A chunk as a linked list with a heap of its pairs; files are checked in other orders and "
        "with exceptions.",
        HEAP,
    ),
    Variant(
        "another_class",
        "Special tokens found letter by letter, a cache of tuples that forgets its oldest chunk, "
        "and a file with line breaks.",
        ANOTHER_CLASS,
    ),
)

EQUIVALENTS: tuple[Equivalent, ...] = (
    *(
        Equivalent(
            "encode_chunk",
            f"`if made.count(best) == 1:` -> `if made.count(best) == {other}:`",
            "Both branches do the same to a pair; one is sooner done where it has a single place.",
        )
        for other in (0, 2)
    ),
    Equivalent(
        "parse_hf",
        "`merges, newest = ({}, -1)` -> `merges, newest = ({}, -2)`",
        "No id is negative, so any negative number is before the first merge.",
    ),
    Equivalent(
        "BPETokenizer",
        "`[tokens.index(bytes([byte])) for byte in range(256)]`"
        " -> `[tokens.index(bytes([byte])) for byte in range(255)]`",
        "No text has the byte 255 in its UTF-8, so nobody asks for its id.",
    ),
    Equivalent(
        "encode_fast",
        "`True` -> `False`",
        "The two lists are equally long, so nothing depends on zip's strictness.",
    ),
    Equivalent(
        "encode_fast",
        "`True` -> `False` (2)",
        "The two lists are equally long, so nothing depends on zip's strictness.",
    ),
    Equivalent(
        "encode_fast",
        "`for number, first, end in zip(*bounds, strict=True):`"
        " -> `for number, first, end in zip(*bounds, strict=False):`",
        "The three lists are equally long, so nothing depends on zip's strictness.",
    ),
    Equivalent(
        "encode_fast",
        "`alone = np.append(True, np.diff(places) > 1)`"
        " -> `alone = np.append(True, np.diff(places) > 2)`",
        "Places two apart are taken either way: an even distance is what counts.",
    ),
    Equivalent(
        "encode_fast",
        "`runs = np.maximum.accumulate(np.where(alone, places, 0))`"
        " -> `runs = np.maximum.accumulate(np.where(alone, places, -1))`",
        "The first place begins a run, so no smaller number is ever the largest so far.",
    ),
    Equivalent(
        "encode_fast",
        "`places = places[(places - runs) % 2 == 0]`"
        " -> `places = places[(places + runs) % 2 == 0]`",
        "Sum and difference of two numbers are both even or both odd.",
    ),
)
