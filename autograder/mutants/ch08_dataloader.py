"""Planted bugs, correct variants and equivalent mutants of ch08_dataloader; bugs and equivalents
are grouped by part in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS: tuple[Mutant, ...] = (
    # read_tokens_header
    Mutant(
        "read_tokens_header",
        "magic_not_checked",
        old="if magic != MAGIC:",
        new="if False:",
        why="Any file whose size happens to fit is taken for tokens.",
        pitfall="magic not checked",
    ),
    Mutant(
        "read_tokens_header",
        "evaluation_file_accepted",
        old="if magic != MAGIC:",
        new="if magic not in (MAGIC, 20240522):",
        why="Files for evaluation are taken for training tokens.",
    ),
    Mutant(
        "read_tokens_header",
        "version_3_accepted",
        old="if version not in DTYPES:",
        new="if version < 1:",
        why="A later version fails with a KeyError that does not name the file.",
    ),
    Mutant(
        "read_tokens_header",
        "version_1_only",
        old="if version not in DTYPES:",
        new="if version != 1:",
        why="Files of uint32 are refused.",
    ),
    Mutant(
        "read_tokens_header",
        "size_not_checked",
        old="if status.st_size != size:",
        new="if count < 0:",
        why="A file that was cut short, or that has more in it, is taken for whole.",
        pitfall="size not checked",
    ),
    Mutant(
        "read_tokens_header",
        "longer_accepted",
        old="status.st_size != size",
        new="status.st_size < size",
        why="A file that is longer than its header says is taken for whole.",
    ),
    Mutant(
        "read_tokens_header",
        "two_bytes_for_all",
        old="count * np.dtype(DTYPES[version]).itemsize",
        new="count * 2",
        why="The size of a version 2 file is worked out with two bytes an id.",
    ),
    Mutant(
        "read_tokens_header",
        "empty_refused",
        old="if status.st_size != size:",
        new="if count < 1 or status.st_size != size:",
        why="A split without documents cannot be opened.",
    ),
    Mutant(
        "read_tokens_header",
        "big_endian",
        old='np.frombuffer(header, "<i4", 3)',
        new='np.frombuffer(header, ">i4", 3)',
        why="The header is read highest byte first.",
    ),
    Mutant(
        "read_tokens_header",
        "short_header_not_checked",
        old="if len(header) < HEADER_BYTES:",
        new="if not header:",
        why="A file of a few bytes fails with an error that does not name it.",
    ),
    Mutant(
        "read_tokens_header",
        "header_of_twelve_bytes",
        old="if len(header) < HEADER_BYTES:",
        new="if len(header) < 12:",
        why="A file can be so short that its size goes with a negative count.",
    ),
    Mutant(
        "read_tokens_header",
        "missing_file_is_damaged",
        old='    with open(path, "rb") as file:',
        new="    if not os.path.exists(path):\n"
        '        raise ValueError(f"no file {path}")\n'
        '    with open(path, "rb") as file:',
        why="A file that is not there raises the error of a damaged one.",
    ),
    Mutant(
        "read_tokens_header",
        "path_as_it_came",
        old="Shard(Path(path),",
        new="Shard(path,",
        why="A path that came as text stays one, and has no name later.",
    ),
    Mutant(
        "read_tokens_header",
        "no_stamp",
        old="stamp_of(status)",
        new="(0, status.st_size, 0)",
        why="The stamp has the size only.",
    ),
    # check_unchanged
    Mutant(
        "check_unchanged",
        "size_only",
        old="if stamp_of(os.stat(shard.path)) != shard.stamp:",
        new="if os.stat(shard.path).st_size != shard.stamp[1]:",
        why="Another file of the same size is not noticed.",
        pitfall="size taken for the whole stamp",
    ),
    Mutant(
        "check_unchanged",
        "inode_and_time_only",
        old="if stamp_of(os.stat(shard.path)) != shard.stamp:",
        new="if stamp_of(os.stat(shard.path))[::2] != shard.stamp[::2]:",
        why="A file that was cut and given its old time is not noticed.",
    ),
    Mutant(
        "check_unchanged",
        "inode_ignored",
        old="if stamp_of(os.stat(shard.path)) != shard.stamp:",
        new="if stamp_of(os.stat(shard.path))[1:] != shard.stamp[1:]:",
        why="Another file of the same size and time is not noticed.",
    ),
    Mutant(
        "check_unchanged",
        "time_ignored",
        old="if stamp_of(os.stat(shard.path)) != shard.stamp:",
        new="if stamp_of(os.stat(shard.path))[:2] != shard.stamp[:2]:",
        why="Ids that were overwritten in place are not noticed.",
    ),
    Mutant(
        "check_unchanged",
        "smaller_only",
        old="stamp_of(os.stat(shard.path)) != shard.stamp",
        new="stamp_of(os.stat(shard.path)) < shard.stamp",
        why="Files that have grown or are newer are not noticed.",
    ),
    Mutant(
        "check_unchanged",
        "gone_is_unchanged",
        old="    if stamp_of(os.stat(shard.path)) != shard.stamp:",
        new="    if os.path.exists(shard.path) and stamp_of(os.stat(shard.path)) != shard.stamp:",
        why="A file that is gone passes for unchanged.",
    ),
    Mutant(
        "check_unchanged",
        "never_equal",
        old="if stamp_of(os.stat(shard.path)) !=",
        new="if [*stamp_of(os.stat(shard.path))] !=",
        why="A list is compared with a tuple, so every file has changed.",
    ),
    Mutant(
        "check_unchanged",
        "nameless",
        old="{shard.path} is not",
        new="this is not",
        why="The message does not say which file it is.",
    ),
    # map_tokens
    Mutant(
        "map_tokens",
        "header_as_ids",
        old='"r", HEADER_BYTES, (shard.count,)',
        new='"r", 0, (shard.count,)',
        why="The map begins with the header.",
        pitfall="header read as ids",
    ),
    Mutant(
        "map_tokens",
        "always_uint16",
        old="dtype = DTYPES[shard.version]",
        new='dtype = "<u2"',
        why="Ids of version 2 are read as twice as many halves, of which the map has the first.",
        pitfall="uint16 for every version",
    ),
    Mutant(
        "map_tokens",
        "signed",
        old="DTYPES[shard.version]",
        new='DTYPES[shard.version].replace("u", "i")',
        why="From 32768 on, ids are negative.",
    ),
    Mutant(
        "map_tokens",
        "last_id_lost",
        old="(shard.count,)",
        new="(max(shard.count - 1, 0),)",
        why="The last id is missing.",
    ),
    Mutant(
        "map_tokens",
        "empty_not_handled",
        old="    dtype =",
        new='    if shard.count == 0:\n        raise ValueError("empty")\n    dtype =',
        why="A shard without tokens is an error.",
    ),
    Mutant(
        "map_tokens",
        "not_checked",
        old="    check_unchanged(shard)\n",
        new="",
        why="Another file than the one whose header was read is mapped.",
    ),
    # TokenStream
    Mutant(
        "TokenStream",
        "last_start_missing",
        old="% starts",
        new="% max(starts - 1, 1)",
        why="The last start is never drawn, and so the last token is never seen.",
        pitfall="one start too few",
    ),
    Mutant(
        "TokenStream",
        "one_start_too_many",
        old="% starts",
        new="% (starts + 1)",
        why="A window may begin where it does not fit any more.",
        pitfall="one start too many",
    ),
    Mutant(
        "TokenStream",
        "windows_of_t",
        old="sliding_window_view(self.tokens, T + 1)",
        new="sliding_window_view(self.tokens, T)",
        why="There is no target for the last input.",
    ),
    Mutant(
        "TokenStream",
        "ids_as_stored",
        old=".astype(np.int64)",
        new=".copy()",
        why="The ids keep the dtype of the file.",
    ),
    Mutant(
        "TokenStream",
        "same_windows_again",
        old="        rows =",
        new="        manual_seed(self.rng, self.rng.seed)\n        rows =",
        why="Every call gives the same windows.",
    ),
    Mutant(
        "TokenStream",
        "one_window_repeated",
        old="randint32_array(self.rng, B) % starts",
        new="np.repeat(randint32_array(self.rng, 1), B) % starts",
        why="All rows of a batch are the same window.",
    ),
    Mutant(
        "TokenStream",
        "rows_sorted",
        old="views[rows]",
        new="views[np.sort(rows)]",
        why="Windows come in the order of the file and not of the words.",
    ),
    Mutant(
        "TokenStream",
        "seed_ignored",
        old="manual_seed(self.rng, seed)",
        new="manual_seed(self.rng, 42)",
        why="All streams draw the same windows, whatever their seed.",
    ),
    Mutant(
        "TokenStream",
        "other_default_seed",
        old="seed: int = 42",
        new="seed: int = 0",
        why="Without a seed it is another one than promised.",
    ),
    Mutant(
        "TokenStream",
        "shared_generator",
        old="self.rng = MT19937State()\n        manual_seed(self.rng, seed)",
        new='self.rng = TokenStream.rng = getattr(TokenStream, "rng", None) or MT19937State()\n'
        "        if self.rng.left == 0:\n"
        "            manual_seed(self.rng, seed)",
        why="All streams draw from one generator.",
    ),
    Mutant(
        "TokenStream",
        "not_watched",
        old="        check_unchanged(self.shard)\n",
        new="",
        why="A file that has changed is read on.",
    ),
    Mutant(
        "TokenStream",
        "closed_goes_on",
        old="self.tokens is None or ",
        new="",
        why="A closed stream fails with an error that says nothing of it.",
    ),
    Mutant(
        "TokenStream",
        "close_keeps_the_map",
        old="        self.tokens = None\n",
        new="        pass\n",
        why="A closed stream keeps its map.",
    ),
    Mutant(
        "TokenStream",
        "length_in_bytes",
        old="return self.shard.count",
        new="return self.shard.stamp[1]",
        why="The length is that of the file in bytes.",
    ),
    # batch_start
    Mutant(
        "batch_start",
        "ranks_in_halves",
        old="(int(sample) * num_processes + process_rank) * B * T",
        new="(int(sample) + process_rank * num_processes) * B * T",
        why="Ranks read neighbouring samples, so that some are read twice.",
        pitfall="ranks side by side in halves",
    ),
    Mutant(
        "batch_start",
        "int32",
        old="int(sample) * num_processes",
        new="sample * num_processes",
        why="With a NumPy sample the product overflows, or is no Python int.",
        pitfall="int32 arithmetic",
    ),
    Mutant(
        "batch_start",
        "rank_forgotten",
        old=" + process_rank",
        new="",
        why="All ranks read the same tokens.",
    ),
    Mutant(
        "batch_start",
        "processes_forgotten",
        old=" * num_processes",
        new="",
        why="Ranks overlap.",
    ),
    Mutant(
        "batch_start",
        "one_token_between",
        old="* B * T",
        new="* (B * T + 1)",
        why="The last target of each batch is never an input.",
    ),
    Mutant(
        "batch_start",
        "two_gib",
        old="return (int",
        new="return 0x7FFFFFFF & (int",
        why="Places beyond 2**31 wrap around.",
    ),
    # cut_batch
    Mutant(
        "cut_batch",
        "targets_are_inputs",
        old="ids[1:].reshape(B, T)",
        new="ids[:-1].reshape(B, T)",
        why="The model is asked for the token that it is given.",
        pitfall="targets equal to inputs",
    ),
    Mutant(
        "cut_batch",
        "targets_of_rows",
        old="ids[1:].reshape(B, T)",
        new="np.roll(ids[:-1].reshape(B, T), -1, axis=1)",
        why="The last target of each row is the row's first input.",
    ),
    Mutant(
        "cut_batch",
        "turned",
        old="return ids[:-1].reshape(B, T)",
        new="return ids[:-1].reshape(T, B).T",
        why="Neighbouring tokens lie in a column and not in a row.",
    ),
    Mutant(
        "cut_batch",
        "sixteen_bits_kept",
        old=".astype(np.int64)",
        new=".copy()",
        why="The ids keep the dtype of the file.",
        pitfall="ids left in 16 bits",
    ),
    Mutant(
        "cut_batch",
        "int32_ids",
        old=".astype(np.int64)",
        new=".astype(np.int32)",
        why="Large ids of version 2 become negative.",
    ),
    Mutant(
        "cut_batch",
        "padded",
        old="    ids =",
        new="    tokens = np.pad(tokens, (0, B * T + 1))\n    ids =",
        why="What is missing at the end is filled with zeros.",
    ),
    # find_shards
    Mutant(
        "find_shards",
        "unsorted",
        old="in sorted(glob.glob(pattern))]",
        new="in sorted(glob.glob(pattern), key=lambda path: os.stat(path).st_ino)]",
        why="Shards come in the order in which the file system holds them.",
        pitfall="order of the file system",
    ),
    Mutant(
        "find_shards",
        "left_open",
        old="    shards = [",
        new='    files = [open(path, "rb") for path in glob.glob(pattern)]\n'
        "    assert files is not None\n"
        "    shards = [",
        why="All files are open at the same time.",
        pitfall="files left open",
    ),
    Mutant(
        "find_shards",
        "nothing_is_fine",
        old="    if not shards:",
        new="    if False:",
        why="A pattern that matches nothing gives an empty list.",
    ),
    Mutant(
        "find_shards",
        "least_refused",
        old="if shard.count < least:",
        new="if shard.count <= least:",
        why="A shard of exactly the size that is needed is refused.",
    ),
    Mutant(
        "find_shards",
        "first_only",
        old="    for shard in shards:",
        new="    for shard in shards[:1]:",
        why="Only the first shard's size is looked at.",
    ),
    Mutant(
        "find_shards",
        "damaged_skipped",
        old="shards = [read_tokens_header(Path(path)) for path in sorted(glob.glob(pattern))]",
        new="shards = []\n"
        "    for path in sorted(glob.glob(pattern)):\n"
        "        try:\n"
        "            shards.append(read_tokens_header(Path(path)))\n"
        "        except ValueError:\n"
        "            pass",
        why="Damaged files are left out in silence.",
    ),
    # ShardLoader
    Mutant(
        "ShardLoader",
        "last_sample_skipped",
        old="(shard.count - 1) //",
        new="(shard.count - 2) //",
        why="A shard that is just large enough for its last sample is taken for too small.",
        pitfall="last sample skipped",
    ),
    Mutant(
        "ShardLoader",
        "sample_too_many",
        old="(shard.count - 1) //",
        new="shard.count //",
        why="A sample is counted whose last target is missing.",
    ),
    Mutant(
        "ShardLoader",
        "no_new_epoch",
        old="            self.reset()\n        else:\n"
        "            self._begin_shard(self.current_shard_idx + 1)",
        new="            raise ValueError('no more shards')\n"
        "        self._begin_shard(self.current_shard_idx + 1)",
        why="After the last shard there is an error.",
        pitfall="no new epoch",
    ),
    Mutant(
        "ShardLoader",
        "one_seed",
        old="42 + process_rank",
        new="42",
        why="All ranks are seeded alike.",
        pitfall="one seed for all ranks",
    ),
    Mutant(
        "ShardLoader",
        "same_epoch_again",
        old="        if self.should_shuffle:\n            random_permutation(self.shard_indices",
        new="        manual_seed(self.shuffle_rng, 42 + self.process_rank)\n"
        "        init_identity_permutation(self.shard_indices)\n"
        "        if self.should_shuffle:\n            random_permutation(self.shard_indices",
        why="Every epoch is seeded like the first.",
        pitfall="one order for all epochs",
    ),
    Mutant(
        "ShardLoader",
        "shards_from_the_identity",
        old="        if self.should_shuffle:\n            random_permutation(self.shard_indices",
        new="        init_identity_permutation(self.shard_indices)\n"
        "        if self.should_shuffle:\n            random_permutation(self.shard_indices",
        why="Each epoch permutes the sorted shards, and not the order of the epoch before.",
    ),
    Mutant(
        "ShardLoader",
        "shards_not_shuffled",
        old="            random_permutation(self.shard_indices, self.shuffle_rng)\n",
        new="            pass\n",
        why="Only samples are shuffled, and shards come in order.",
    ),
    Mutant(
        "ShardLoader",
        "samples_not_shuffled",
        old="            sample = self.intra_shard_indices[sample]\n",
        new="            pass\n",
        why="Only shards are shuffled, and samples come in order.",
    ),
    Mutant(
        "ShardLoader",
        "one_order_of_samples",
        old="        if self.should_shuffle:\n            self.prepare_intra_shard_indices_()",
        new="        if self.should_shuffle and len(self.intra_shard_indices) != "
        "self.shard_num_samples:\n            self.prepare_intra_shard_indices_()",
        why="Shards of the same size are all read in the first one's order.",
    ),
    Mutant(
        "ShardLoader",
        "samples_before_shards",
        old="            random_permutation(self.shard_indices, self.shuffle_rng)\n"
        "        self._begin_shard(0)",
        new="            self.load_shard_(0)\n"
        "            self.prepare_intra_shard_indices_()\n"
        "            random_permutation(self.shard_indices, self.shuffle_rng)\n"
        "        self._begin_shard(0)",
        why="One more order is drawn at the start of an epoch.",
    ),
    Mutant(
        "ShardLoader",
        "always_shuffled",
        old="        if self.should_shuffle:\n            random_permutation",
        new="        if True:\n            random_permutation",
        why="Shards are shuffled though nobody asked for it.",
    ),
    Mutant(
        "ShardLoader",
        "order_ignored_by_load_shard",
        old="self.shard = self.shards[self.shard_indices[shard_index]]",
        new="self.shard = self.shards[shard_index]",
        why="The shards' order is drawn and not used.",
    ),
    Mutant(
        "ShardLoader",
        "least_for_one_rank",
        old="find_shards(pattern, num_processes * B * T + 1)",
        new="find_shards(pattern, B * T + 1)",
        why="A shard may have too few tokens for all ranks.",
    ),
    Mutant(
        "ShardLoader",
        "least_without_the_target",
        old="num_processes * B * T + 1)",
        new="num_processes * B * T)",
        why="A shard may lack the last target.",
    ),
    Mutant(
        "ShardLoader",
        "tokens_of_one_shard",
        old="self.num_tokens = sum(shard.count for shard in self.shards)",
        new="self.num_tokens = self.shards[0].count",
        why="num_tokens is that of the first shard.",
    ),
    Mutant(
        "ShardLoader",
        "any_rank",
        old=" or not 0 <= process_rank < num_processes",
        new="",
        why="A rank beyond the last one reads what others read.",
    ),
    Mutant(
        "ShardLoader",
        "any_size",
        old="min(B, T) < 1 or ",
        new="",
        why="Batches of no rows, or of negative ones.",
    ),
    Mutant(
        "ShardLoader",
        "not_watched",
        old="        check_unchanged(self.shard)\n",
        new="",
        why="A shard that changes while it is read is read on.",
        pitfall="files not watched",
    ),
    Mutant(
        "ShardLoader",
        "watched_at_opening_only",
        old="        check_unchanged(self.shard)\n",
        new="        if self.current_sample_idx == 0:\n            check_unchanged(self.shard)\n",
        why="The file is looked at before the first sample of a shard only.",
    ),
    Mutant(
        "ShardLoader",
        "maps_pile_up",
        old="        self.tokens = map_tokens(self.shard)",
        new='        self.maps = [*getattr(self, "maps", []), map_tokens(self.shard)]\n'
        "        self.tokens = self.maps[-1]",
        why="Every map stays open as long as the loader.",
    ),
    Mutant(
        "ShardLoader",
        "old_map_kept",
        old="        self.tokens = None  # the old map goes first\n",
        new="",
        why="When a shard cannot be opened, the tokens of another one stay in its place.",
    ),
    Mutant(
        "ShardLoader",
        "loading_moves",
        old="        check_unchanged(self.shard)\n",
        new="        check_unchanged(self.shard)\n        self.current_sample_idx += 1\n"
        "        self.current_sample_idx -= self.current_sample_idx == self.shard_num_samples\n",
        why="load_batch moves the position.",
    ),
    Mutant(
        "ShardLoader",
        "reads_the_rest",
        old=" or self.current_sample_idx >= self.shard_num_samples",
        new="",
        why="At the end of a shard, rank 0 reads tokens that belong to no sample.",
    ),
    Mutant(
        "ShardLoader",
        "closed_goes_on",
        old="if self.tokens is not None and self.current_sample_idx == self.shard_num_samples:",
        new="if self.current_sample_idx == self.shard_num_samples:",
        why="A loader that was closed at the end of a shard opens the next one.",
    ),
    Mutant(
        "ShardLoader",
        "close_keeps_the_map",
        old="        self.tokens = None\n",
        new="        self.closed = True\n",
        why="A closed loader keeps its map.",
    ),
    Mutant(
        "ShardLoader",
        "resume_shuffles",
        old="        self.load_shard_(shard_idx)\n",
        new="        self._begin_shard(shard_idx)\n",
        why="resume draws a new order of samples.",
        pitfall="resume shuffles",
    ),
    Mutant(
        "ShardLoader",
        "resume_starts_an_epoch",
        old="        self.load_shard_(shard_idx)\n",
        new="        self.reset()\n        self.load_shard_(shard_idx)\n",
        why="resume draws a new order of shards.",
    ),
    Mutant(
        "ShardLoader",
        "resume_not_at_the_end",
        old="if not 0 <= sample_idx <= samples:",
        new="if not 0 <= sample_idx < samples:",
        why="A run that stopped after the last sample of a shard cannot go on.",
    ),
    Mutant(
        "ShardLoader",
        "resume_anywhere",
        old="        if not 0 <= sample_idx <= samples:",
        new="        if sample_idx < 0:",
        why="A sample far behind the end is accepted.",
    ),
    Mutant(
        "ShardLoader",
        "resume_negative_shard",
        old="if not 0 <= shard_idx < len(self.shards):",
        new="if shard_idx >= len(self.shards):",
        why="Negative shards count from the last.",
    ),
    Mutant(
        "ShardLoader",
        "resume_moves_before_it_refuses",
        old="        samples = self._samples(self.shards[self.shard_indices[shard_idx]])",
        new="        self.load_shard_(shard_idx)\n"
        "        self.current_shard_idx, self.current_sample_idx = shard_idx, sample_idx\n"
        "        samples = self._samples(self.shards[self.shard_indices[shard_idx]])",
        why="A position that is refused is taken all the same.",
    ),
    Mutant(
        "ShardLoader",
        "resume_with_a_foreign_order",
        old="if self.should_shuffle and len(self.intra_shard_indices) != samples:",
        new="if False:",
        why="An order of another number of samples is used, with samples missing or too many.",
    ),
    # DataLoader
    Mutant(
        "DataLoader",
        "generator_not_saved",
        old='self.shuffle_rng = rng_from_plain(state["shuffle_rng"])',
        new="pass",
        why="The next shard's order comes from wherever the new generator stands.",
        pitfall="generator not saved",
    ),
    Mutant(
        "DataLoader",
        "samples_not_saved",
        old='self.intra_shard_indices = np.array(state["intra_shard_indices"], dtype=np.int64)',
        new="self.intra_shard_indices = np.resize(self.intra_shard_indices, "
        'len(state["intra_shard_indices"]))',
        why="The rest of this shard is read in the new loader's own order.",
        pitfall="order of samples not saved",
    ),
    Mutant(
        "DataLoader",
        "shards_not_saved",
        old='self.shard_indices = np.array(state["shard_indices"], dtype=np.int64)',
        new="pass",
        why="The rest of this epoch is read in the new loader's own order of shards.",
    ),
    Mutant(
        "DataLoader",
        "bookmark_lost",
        old='rng_from_plain(state["shuffle_rng"])',
        new='rng_from_plain({**state["shuffle_rng"], "left": 1, "next": 0})',
        why="The generator's words are saved, and not how many of them were read.",
    ),
    Mutant(
        "DataLoader",
        "layout_not_checked",
        old="if name in LAYOUT and state[name] != own:",
        new="if False:",
        why="A state of another batch size or another corpus is taken.",
        pitfall="state of another layout taken",
    ),
    Mutant(
        "DataLoader",
        "shards_not_compared",
        old="if name in LAYOUT and",
        new="if name in LAYOUT[:-1] and",
        why="A state of another corpus is taken.",
    ),
    Mutant(
        "DataLoader",
        "missing_entries_looked_up",
        old="            if name not in state:\n"
        '                raise ValueError(f"the state has no {name}")\n',
        new="",
        why="A state without an entry is a KeyError, which says nothing about states.",
    ),
    Mutant(
        "DataLoader",
        "orders_taken",
        old="if sorted(state[name]) != list(range(n)):",
        new="if False:",
        why="A damaged order reads the same samples again and again.",
        pitfall="orders taken unseen",
    ),
    Mutant(
        "DataLoader",
        "only_lengths_checked",
        old="if sorted(state[name]) != list(range(n)):",
        new="if len(state[name]) != n:",
        why="An order may hold an index twice, and another one never.",
    ),
    Mutant(
        "DataLoader",
        "some_order_is_enough",
        old="if sorted(state[name]) != list(range(n)):",
        new="if sorted(state[name]) != list(range(len(state[name]))):",
        why="The order of a shard of another size is taken.",
    ),
    Mutant(
        "DataLoader",
        "changed_before_it_is_checked",
        old="        for name, own in self.state_dict().items():\n",
        new='        self.shuffle_rng = rng_from_plain(state.get("shuffle_rng"))\n'
        "        for name, own in self.state_dict().items():\n",
        why="The generator is the state's even when the rest of the state is refused.",
    ),
    Mutant(
        "DataLoader",
        "places_left_to_resume",
        old="if state[name] not in range(end):",
        new="if False:",
        why="A wrong position is refused when both orders and the generator are the state's.",
    ),
    Mutant(
        "DataLoader",
        "names_not_saved",
        old="[shard.path.name, shard.count]",
        new='["", shard.count]',
        why="Two corpora of the same sizes cannot be told apart.",
    ),
    Mutant(
        "DataLoader",
        "folders_saved",
        old="[shard.path.name, shard.count]",
        new="[str(shard.path.absolute()), shard.count]",
        why="A corpus that was moved is taken for another one.",
    ),
    Mutant(
        "DataLoader",
        "position_of_the_last_batch",
        old='"current_sample_idx": self.current_sample_idx',
        new='"current_sample_idx": max(self.current_sample_idx - 1, 0)',
        why="The last batch before saving is read again.",
    ),
    Mutant(
        "DataLoader",
        "arrays_in_the_state",
        old='"shard_indices": self.shard_indices.tolist()',
        new='"shard_indices": self.shard_indices',
        why="The state cannot be written as JSON.",
    ),
    Mutant(
        "DataLoader",
        "saving_draws",
        old="        return {\n",
        new="        randint32_array(self.shuffle_rng, 1)\n        return {\n",
        why="Each saving takes a word from the generator.",
    ),
    Mutant(
        "DataLoader",
        "iter_starts_again",
        old='def __iter__(self) -> "DataLoader":',
        new="def __iter__(self):\n        self.reset()\n        return self\n\n"
        '    def _iter(self) -> "DataLoader":',
        why="Each for loop begins a new epoch.",
    ),
    Mutant(
        "DataLoader",
        "ends_with_the_epoch",
        old="return self.next_batch()",
        new="if (self.current_shard_idx, self.current_sample_idx) == (\n"
        "            len(self.shards) - 1, self.shard_num_samples\n"
        "        ):\n"
        "            raise StopIteration\n"
        "        return self.next_batch()",
        why="Iteration stops at the end of the epoch.",
    ),
    Mutant(
        "DataLoader",
        "with_does_not_close",
        old="self.close()",
        new="pass",
        why="The map stays open after the with block.",
    ),
)

BY_HAND = (
    (
        "read_tokens_header",
        """\
def read_tokens_header(path):
    file = open(path, "rb")
    try:
        mark = stamp_of(os.fstat(file.fileno()))
        start = file.read(12)
        if len(start) != 12:
            raise ValueError(f"{path}: too short")
        magic = int.from_bytes(start[:4], "little", signed=True)
        version = int.from_bytes(start[4:8], "little", signed=True)
        count = int.from_bytes(start[8:], "little", signed=True)
        if magic != 20240520 or version != 1 and version != 2 or count < 0:
            raise ValueError(f"{path}: magic {magic}, version {version}, count {count}")
        if file.seek(0, 2) != 1024 + 2 * version * count:
            raise ValueError(f"{path}: {count} tokens do not go with its size")
    finally:
        file.close()
    return Shard(path=Path(path), version=version, count=count, stamp=mark)
""",
    ),
    (
        "check_unchanged",
        """\
def check_unchanged(shard):
    status = Path(shard.path).stat()
    now = [status.st_ino, status.st_size, status.st_mtime_ns]
    for old, new in zip(shard.stamp, now):
        if old != new:
            raise ValueError(f"somebody has changed {shard.path.name}")
""",
    ),
    (
        "map_tokens",
        """\
def map_tokens(shard):
    import mmap

    check_unchanged(shard)
    with open(shard.path, "rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(memory, DTYPES[shard.version], shard.count, offset=1024)
""",
    ),
    (
        "TokenStream",
        """\
class TokenStream:
    def __init__(self, path, seed=42):
        self.file = read_tokens_header(path)
        self.ids = map_tokens(self.file)
        self.state = MT19937State()
        manual_seed(self.state, seed)

    def __len__(self):
        return self.file.count

    def close(self):
        self.ids = ()

    def windows(self, B, T):
        check_unchanged(self.file)
        if len(self.ids) <= T:
            raise ValueError(f"no window of {T + 1} ids in {self.file.path}")
        table = np.empty((B, T + 1), dtype=np.int64)
        for row in table:
            start = int(randint32_array(self.state, 1)[0]) % (len(self.ids) - T)
            row[:] = self.ids[start : start + T + 1]
        return table
""",
    ),
    (
        "batch_start",
        """\
def batch_start(sample, B, T, process_rank, num_processes):
    batch = int(B) * int(T)
    return int(sample) * batch * num_processes + batch * process_rank
""",
    ),
    (
        "cut_batch",
        """\
def cut_batch(tokens, start, B, T):
    ids = np.array(tokens[start : start + B * T + 1], dtype=np.int64)
    if ids.size <= B * T:
        raise ValueError(f"{ids.size} ids are too few")
    return ids[:-1].reshape(B, T).copy(), ids[1:].reshape(B, T).copy()
""",
    ),
    (
        "find_shards",
        """\
def find_shards(pattern, least):
    shards = []
    for name in glob.iglob(pattern):
        shard = read_tokens_header(name)
        if least > shard.count:
            raise ValueError(f"{name} is too small: {shard.count} of {least} tokens")
        shards.append(shard)
    if len(shards) == 0:
        raise FileNotFoundError(f"nothing is called {pattern}")
    return sorted(shards, key=lambda shard: shard.path.as_posix())
""",
    ),
)

READ_AND_COUNT = (
    (
        "ShardLoader",
        """\
class ShardLoader:
    def __init__(self, pattern, B, T, process_rank=0, num_processes=1, should_shuffle=False):
        if B <= 0 or T <= 0:
            raise ValueError("B and T are 1 or more")
        if process_rank not in range(num_processes):
            raise ValueError(f"rank {process_rank} of {num_processes}")
        self.B = B
        self.T = T
        self.process_rank = process_rank
        self.num_processes = num_processes
        self.should_shuffle = should_shuffle
        self.step = num_processes * B * T
        self.shards = find_shards(pattern, self.step + 1)
        self.num_tokens = 0
        for shard in self.shards:
            self.num_tokens += shard.count
        self.shuffle_rng = MT19937State()
        manual_seed(self.shuffle_rng, process_rank + 42)
        self.shard_indices = np.arange(len(self.shards), dtype=np.int64)
        self.intra_shard_indices = np.array([], dtype=np.int64)
        self.current_shard_idx = -1
        self.tokens = None
        self.reset()

    def present(self):
        return self.shards[int(self.shard_indices[self.opened])]

    def load_shard_(self, shard_index):
        self.opened = shard_index
        self.tokens = None
        shard = self.present()
        check_unchanged(shard)
        dtype = DTYPES[shard.version]
        self.tokens = np.fromfile(shard.path, dtype, shard.count, offset=HEADER_BYTES)
        self.shard_num_samples = (shard.count - 1) // self.step
        return shard.count

    def prepare_intra_shard_indices_(self):
        order = np.arange(self.shard_num_samples, dtype=np.int64)
        random_permutation(order, self.shuffle_rng)
        self.intra_shard_indices = order

    def reset(self):
        if self.should_shuffle:
            random_permutation(self.shard_indices, self.shuffle_rng)
        self.current_shard_idx = -1
        self.go_on()

    def go_on(self):
        self.current_shard_idx += 1
        self.current_sample_idx = 0
        self.load_shard_(self.current_shard_idx)
        if self.should_shuffle:
            self.prepare_intra_shard_indices_()

    def advance_(self):
        if self.current_shard_idx + 1 < len(self.shards):
            self.go_on()
        else:
            self.reset()

    def load_batch(self):
        if self.tokens is None:
            raise ValueError("closed")
        if not self.current_sample_idx < self.shard_num_samples:
            raise ValueError("the shard is used up")
        check_unchanged(self.present())
        sample = self.current_sample_idx
        if self.should_shuffle:
            sample = int(self.intra_shard_indices[sample])
        place = batch_start(sample, self.B, self.T, self.process_rank, self.num_processes)
        return cut_batch(self.tokens, place, self.B, self.T)

    def next_batch(self):
        if self.tokens is None:
            raise ValueError("closed")
        while self.current_sample_idx >= self.shard_num_samples:
            self.advance_()
        inputs, targets = self.load_batch()
        self.current_sample_idx = self.current_sample_idx + 1
        return inputs, targets

    def resume(self, shard_idx, sample_idx):
        if shard_idx not in range(len(self.shards)):
            raise ValueError(f"no shard {shard_idx}")
        count = self.shards[int(self.shard_indices[shard_idx])].count
        if sample_idx not in range((count - 1) // self.step + 1):
            raise ValueError(f"no sample {sample_idx}")
        if self.should_shuffle and self.intra_shard_indices.size != (count - 1) // self.step:
            raise ValueError("another number of samples")
        self.load_shard_(shard_idx)
        self.current_shard_idx = shard_idx
        self.current_sample_idx = sample_idx

    def close(self):
        self.tokens = None
""",
    ),
    (
        "DataLoader",
        """\
class DataLoader(ShardLoader):
    def layout(self):
        found = {name: getattr(self, name) for name in LAYOUT[:-1]}
        return found | {"shards": [[shard.path.name, shard.count] for shard in self.shards]}

    def state_dict(self):
        state = self.layout()
        state["intra_shard_indices"] = [int(index) for index in self.intra_shard_indices]
        state["shard_indices"] = [int(index) for index in self.shard_indices]
        state["shuffle_rng"] = rng_to_plain(self.shuffle_rng)
        for name in ("current_shard_idx", "current_sample_idx"):
            state[name] = getattr(self, name)
        return state

    def load_state_dict(self, state):
        for name in self.state_dict():
            if name not in state:
                raise ValueError(f"{name} is missing")
        for name, own in self.layout().items():
            if own != state[name]:
                raise ValueError(f"{name}: {own} here, {state[name]} there")
        generator = rng_from_plain(state["shuffle_rng"])
        shards, samples = (
            np.asarray(state[name], dtype=np.int64)
            for name in ("shard_indices", "intra_shard_indices")
        )
        place, sample = state["current_shard_idx"], state["current_sample_idx"]
        if not np.array_equal(np.sort(shards), np.arange(len(self.shards))):
            raise ValueError(f"shard_indices: {shards}")
        if place < 0 or place >= len(shards):
            raise ValueError(f"current_shard_idx: {place}")
        n = (self.shards[shards[place]].count - 1) // self.B // self.T // self.num_processes
        if sample < 0 or sample > n:
            raise ValueError(f"current_sample_idx: {sample}")
        if not np.array_equal(np.sort(samples), np.arange(n * self.should_shuffle)):
            raise ValueError(f"intra_shard_indices: {samples}")
        self.shard_indices, self.intra_shard_indices = shards, samples
        self.shuffle_rng = generator
        self.load_shard_(place)
        self.current_shard_idx, self.current_sample_idx = place, sample

    def __iter__(self):
        return self

    def __next__(self):
        return self.next_batch()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.close()
        return False
""",
    ),
)

ONE_PLACE = (
    (
        "read_tokens_header",
        """\
def read_tokens_header(path):
    path = Path(path)
    mark = stamp_of(path.stat())
    header = np.fromfile(path, "<i4", 256)
    if header.size != 256 or header[0] != MAGIC:
        raise ValueError(f"{path} is no file of tokens")
    version, count = header[1:3].tolist()
    width = {1: 2, 2: 4}.get(version)
    if width is None:
        raise ValueError(f"{path}: version {version}?")
    if count < 0 or mark[1] - HEADER_BYTES != count * width:
        raise ValueError(f"{path}: {count} tokens in {mark[1]} bytes?")
    return Shard(path, version, count, mark)
""",
    ),
    (
        "ShardLoader",
        """\
class ShardLoader:
    def __init__(self, pattern, B, T, process_rank=0, num_processes=1, should_shuffle=False):
        if B < 1 or T < 1 or process_rank < 0 or process_rank >= num_processes:
            raise ValueError("out of range")
        vars(self).update(B=B, T=T, process_rank=process_rank, num_processes=num_processes)
        self.should_shuffle = should_shuffle
        self.shards = find_shards(pattern, B * T * num_processes + 1)
        self.num_tokens = sum([shard.count for shard in self.shards])
        self.samples = [(shard.count - 1) // (B * T * num_processes) for shard in self.shards]
        self.shuffle_rng = MT19937State()
        manual_seed(self.shuffle_rng, 42 + process_rank)
        self.shard_indices = np.zeros(len(self.shards), dtype=np.int64)
        init_identity_permutation(self.shard_indices)
        self.intra_shard_indices = np.zeros(0, dtype=np.int64)
        self.reset()

    def load_shard_(self, shard_index):
        which = self.shard_indices[shard_index]
        self.shard, self.shard_num_samples, self.tokens = self.shards[which], 0, None
        self.tokens = map_tokens(self.shard)
        self.shard_num_samples = self.samples[which]
        return self.tokens.shape[0]

    def prepare_intra_shard_indices_(self):
        self.intra_shard_indices = np.zeros(self.shard_num_samples, dtype=np.int64)
        init_identity_permutation(self.intra_shard_indices)
        random_permutation(self.intra_shard_indices, self.shuffle_rng)

    def reset(self):
        self.current_shard_idx = 0
        self.current_sample_idx = 0
        if self.should_shuffle:
            random_permutation(self.shard_indices, self.shuffle_rng)
            self.load_shard_(0)
            self.prepare_intra_shard_indices_()
        else:
            self.load_shard_(0)

    def advance_(self):
        self.current_shard_idx = (self.current_shard_idx + 1) % len(self.shards)
        self.current_sample_idx = 0
        if self.current_shard_idx == 0:
            return self.reset()
        self.load_shard_(self.current_shard_idx)
        if self.should_shuffle:
            self.prepare_intra_shard_indices_()

    def load_batch(self):
        if self.tokens is None or self.current_sample_idx == self.shard_num_samples:
            raise ValueError("nothing to load")
        check_unchanged(self.shard)
        order = self.intra_shard_indices if self.should_shuffle else range(self.shard_num_samples)
        where = self.B, self.T, self.process_rank, self.num_processes
        start = batch_start(order[self.current_sample_idx], *where)
        return cut_batch(self.tokens, start, self.B, self.T)

    def next_batch(self):
        at_end = self.current_sample_idx == self.shard_num_samples
        if at_end and self.tokens is not None:
            self.advance_()
        try:
            return self.load_batch()
        finally:
            self.current_sample_idx += 1

    def resume(self, shard_idx, sample_idx):
        if shard_idx < 0 or shard_idx >= len(self.samples):
            raise ValueError("no such shard")
        samples = self.samples[self.shard_indices[shard_idx]]
        if sample_idx < 0 or sample_idx > samples:
            raise ValueError("no such sample")
        if self.should_shuffle and samples != len(self.intra_shard_indices):
            raise ValueError("no order for so many samples")
        self.current_shard_idx = shard_idx
        self.current_sample_idx = sample_idx
        self.load_shard_(shard_idx)

    def close(self):
        self.tokens = None
""",
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "by_hand",
        "Numbers of the header byte by byte, a map without NumPy, windows in a loop, and batches "
        "cut from one slice.",
        BY_HAND,
    ),
    Variant(
        "read_and_count",
        "Shards are read and not mapped, a new epoch is one step of going on, and a state is put "
        "together name by name.",
        READ_AND_COUNT,
    ),
    Variant(
        "one_place",
        "Samples are counted once, all headers are read by NumPy, and a failed resume leaves the "
        "loader without a shard.",
        ONE_PLACE,
    ),
)

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "DataLoader",
        "`samples if self.should_shuffle else 0` -> `samples if self.should_shuffle else -1`",
        "A range up to -1 is as empty as one up to 0.",
    ),
    Equivalent(
        "ShardLoader",
        "`if min(B, T) < 1 or not 0 <= process_rank < num_processes:`"
        " -> `if min(T, B) < 1 or not 0 <= process_rank < num_processes:`",
        "The smaller of two numbers is the same in either order.",
    ),
    Equivalent(
        "ShardLoader",
        "`batch_start(sample, self.B, self.T, self.process_rank, self.num_processes)`"
        " -> `batch_start(sample, self.T, self.B, self.process_rank, self.num_processes)`",
        "Only the product of B and T decides where a batch starts.",
    ),
)
