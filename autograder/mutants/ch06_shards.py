"""Planted bugs, correct variants and equivalent mutants of ch06_shards; bugs are grouped by
function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

COMPARED = "(path.stat().st_size, digest(path)) != (file.bytes, file.sha256)"
GROUPS = '''\
            for group in range(shard.num_row_groups):
                rows = shard.read_row_group(group)
'''

MUTANTS: tuple[Mutant, ...] = (
    # assign_split
    Mutant(
        "assign_split", "built_in_hash",
        old='int.from_bytes(start, "big") % 1000', new="hash(text) % 1000",
        why="Python's hash of a string is another in every process.",
        pitfall="Python's `hash` used",
    ),
    Mutant(
        "assign_split", "little_endian",
        old='(start, "big")', new='(start, "little")',
        why="The first byte is taken for the least significant one.",
        pitfall="bytes in the wrong order",
    ),
    Mutant(
        "assign_split", "last_bytes", old="[:8]", new="[-8:]",
        why="The last eight bytes are taken in place of the first.",
    ),
    Mutant(
        "assign_split", "four_bytes", old="[:8]", new="[:4]",
        why="Half of the bytes are taken.",
    ),
    Mutant(
        "assign_split", "all_bytes", old="[:8]", new="",
        why="All 32 bytes are taken.",
    ),
    Mutant(
        "assign_split", "other_hash", old="hashlib.sha256(text", new="hashlib.sha1(text",
        why="It is another hash.",
    ),
    Mutant(
        "assign_split", "stripped", old="text.encode()", new="text.strip().encode()",
        why="Blanks and line ends around the text do not count.",
        pitfall="text changed before hashing",
    ),
    Mutant(
        "assign_split", "normalised", old="text.encode()",
        new='__import__("unicodedata").normalize("NFC", text).encode()',
        why="Two ways to write an accent get one bucket.",
    ),
    Mutant(
        "assign_split", "lower_case", old="text.encode()", new="text.lower().encode()",
        why="Capitals do not count.",
    ),
    Mutant(
        "assign_split", "utf16", old="text.encode()", new='text.encode("utf-16-le")',
        why="The bytes that are hashed are not UTF-8.",
    ),
    Mutant(
        "assign_split", "beginning_only", old="text.encode()", new="text[:1000].encode()",
        why="Of a long text only the first thousand characters count.",
    ),
    Mutant(
        "assign_split", "surrogates_replaced", old="text.encode()",
        new='text.encode(errors="replace")',
        why="A lone surrogate is hashed as a question mark.",
    ),
    Mutant(
        "assign_split", "surrogates_passed", old="text.encode()",
        new='text.encode(errors="surrogatepass")',
        why="A lone surrogate is hashed as bytes that are not UTF-8.",
    ),
    Mutant(
        "assign_split", "at_most", old="bucket < val_permille", new="bucket <= val_permille",
        why="The bucket val_permille itself is val too.",
        pitfall="`<=` for `<`",
    ),
    Mutant(
        "assign_split", "percent", old="% 1000", new="% 100",
        why="There are a hundred buckets, so that val is ten times as large.",
    ),
    Mutant(
        "assign_split", "from_the_top",
        old="bucket < val_permille", new="bucket >= 1000 - val_permille",
        why="The highest buckets are val in place of the lowest.",
    ),
    Mutant(
        "assign_split", "splits_swapped",
        old='"val" if bucket < val_permille else "train"',
        new='"train" if bucket < val_permille else "val"',
        why="The small part is train.",
    ),
    # write_shard
    Mutant(
        "write_shard", "one_row_group",
        old="row_group_size=GROUP_ROWS", new="row_group_size=1 << 20",
        why="All rows are in one row group, so that a reader must take all of them at once.",
        pitfall="one row group for all",
    ),
    Mutant(
        "write_shard", "row_groups_of_255",
        old="row_group_size=GROUP_ROWS", new="row_group_size=GROUP_ROWS - 1",
        why="Row groups are a row short.",
    ),
    Mutant(
        "write_shard", "compression_left_out", old='compression="zstd", ', new="",
        why="pyarrow takes snappy where nothing is said.",
    ),
    Mutant(
        "write_shard", "not_compressed", old='compression="zstd"', new='compression="none"',
        why="Texts are stored as they are, several times as large.",
    ),
    Mutant(
        "write_shard", "time_in_the_file",
        old="schema=SCHEMA)",
        new='schema=SCHEMA.with_metadata({"at": str(__import__("time").time_ns())}))',
        why="The file holds the time at which it was written.",
        pitfall="the time written into the file",
    ),
    Mutant(
        "write_shard", "name_in_the_file",
        old="schema=SCHEMA)", new='schema=SCHEMA.with_metadata({"name": path.name}))',
        why="The same documents have other bytes under another name.",
    ),
    Mutant(
        "write_shard", "size_of_texts",
        old="path.stat().st_size", new="sum(len(text.encode()) for text in texts)",
        why="The bytes of the texts are recorded, not those of the file.",
        pitfall="size of the texts recorded",
    ),
    Mutant(
        "write_shard", "hash_of_texts",
        old="digest(path)", new='hashlib.sha256("".join(texts).encode()).hexdigest()',
        why="The texts are hashed, not the file.",
    ),
    Mutant(
        "write_shard", "empty_texts_dropped",
        old="    ids = [", new="    docs = [doc for doc in docs if doc[1]]\n    ids = [",
        why="Documents without text are not written.",
        pitfall="empty texts dropped",
    ),
    Mutant(
        "write_shard", "doubled_ids_dropped",
        old="    ids = [",
        new="    docs = list({doc[0]: doc for doc in docs}.values())\n    ids = [",
        why="Of documents with one id only the last is written.",
    ),
    Mutant(
        "write_shard", "doubled_documents_dropped",
        old="    ids = [", new="    docs = list(dict.fromkeys(docs))\n    ids = [",
        why="Equal documents are written once.",
    ),
    Mutant(
        "write_shard", "sorted_by_id",
        old="    ids = [", new="    docs = sorted(docs)\n    ids = [",
        why="Documents are in another order than they came in.",
    ),
    Mutant(
        "write_shard", "texts_stripped", old="[text for _", new="[text.strip() for _",
        why="Blanks and line ends around a text are lost.",
    ),
    Mutant(
        "write_shard", "columns_swapped", old="[ids, texts]", new="[texts, ids]",
        why="Texts are in the column id.",
    ),
    Mutant(
        "write_shard", "large_strings",
        old="schema=SCHEMA)",
        new='schema=pa.schema([("id", pa.large_string()), ("text", pa.large_string())]))',
        why="The columns are of another type than SCHEMA's.",
    ),
    Mutant(
        "write_shard", "surrogates_replaced",
        old="[text for _", new='[text.encode(errors="replace").decode() for _',
        why="A lone surrogate becomes a question mark without a word.",
    ),
    Mutant(
        "write_shard", "four_digits", old=":05d", new=":04d",
        why="Names have four digits.",
    ),
    Mutant(
        "write_shard", "split_not_in_the_name", old='f"{split}-', new='f"shard-',
        why="The name does not say the split.",
    ),
    Mutant(
        "write_shard", "path_for_name", old="ShardFile(path.name", new="ShardFile(str(path)",
        why="The record holds a path, which is another on every machine.",
    ),
    Mutant(
        "write_shard", "rows_without_doubles", old="len(docs)", new="len(set(ids))",
        why="Rows count ids that differ.",
    ),
    # write_shards
    Mutant(
        "write_shards", "written_in_place",
        old="    folder = begin(out)\n",
        new="    folder, publish = out, lambda *_: None\n"
        "    folder.mkdir(parents=True, exist_ok=True)\n",
        why="Files are written over those of the old corpus, one after the other.",
        pitfall="written in place",
    ),
    Mutant(
        "write_shards", "old_deleted_first",
        old="    folder = begin(out)\n",
        new="    folder = begin(out)\n    shutil.rmtree(out, ignore_errors=True)\n",
        why="The old corpus is gone before the new one is there.",
    ),
    Mutant(
        "write_shards", "stale_kept",
        old="    folder = begin(out)\n",
        new='    folder = out.with_name(out.name + ".tmp")\n'
        "    folder.mkdir(parents=True, exist_ok=True)\n",
        why="What a dead run left in the temporary folder is published with the rest.",
        pitfall="stale `.tmp` kept",
    ),
    Mutant(
        "write_shards", "anything_overwritten",
        old="    folder = begin(out)\n",
        new="    if out.exists():\n        (out / MANIFEST).write_bytes(bytes())\n"
        "    folder = begin(out)\n",
        why="A folder that is no corpus is taken for one, and replaced.",
    ),
    Mutant(
        "write_shards", "last_documents_lost",
        old="if waiting[split] or not files[split]:", new="if not files[split]:",
        why="What waits when the documents end is not written, unless it is the first file.",
        pitfall="last documents not written",
    ),
    Mutant(
        "write_shards", "last_documents_of_val_lost",
        old="if waiting[split] or not files[split]:",
        new='if waiting[split] and split == "train" or not files[split]:',
        why="Only train's last documents are written.",
    ),
    Mutant(
        "write_shards", "no_file_for_an_empty_split",
        old="if waiting[split] or not files[split]:", new="if waiting[split]:",
        why="A split without documents has no file.",
        pitfall="no file for an empty split",
    ),
    Mutant(
        "write_shards", "empty_file_at_the_end",
        old="if waiting[split] or not files[split]:", new="if True:",
        why="A full last file is followed by one without rows.",
        pitfall="empty file after a full one",
    ),
    Mutant(
        "write_shards", "one_row_more",
        old="len(waiting[split]) == rows_per_shard", new="len(waiting[split]) > rows_per_shard",
        why="Files have a row too many.",
    ),
    Mutant(
        "write_shards", "limit_for_both_splits",
        old="        if len(waiting[split]) == rows_per_shard:\n",
        new="        if sum(map(len, waiting.values())) == rows_per_shard:\n",
        why="Documents of both splits are counted together, so files are too short.",
    ),
    Mutant(
        "write_shards", "collected_first",
        old="in docs:", new="in list(docs):",
        why="All documents are in memory at once.",
    ),
    Mutant(
        "write_shards", "list_wanted",
        old="in docs:", new="in docs[:]:",
        why="A generator will not do.",
    ),
    Mutant(
        "write_shards", "empty_texts_dropped",
        old="        waiting[split].append((doc_id, text))\n",
        new="        if text:\n            waiting[split].append((doc_id, text))\n",
        why="Documents without text are not written.",
    ),
    Mutant(
        "write_shards", "doubled_ids_dropped",
        old="        waiting[split].append((doc_id, text))\n",
        new="        if doc_id not in [other for other, _ in waiting[split]]:\n"
        "            waiting[split].append((doc_id, text))\n",
        why="A second document with an id is not written.",
    ),
    Mutant(
        "write_shards", "texts_stripped",
        old="append((doc_id, text))", new="append((doc_id, text.strip()))",
        why="Blanks and line ends around a text are lost.",
    ),
    Mutant(
        "write_shards", "split_by_id",
        old="assign_split(text, val_permille)", new="assign_split(doc_id, val_permille)",
        why="The id decides, so that equal texts may be in both splits.",
    ),
    Mutant(
        "write_shards", "numbered_across_splits",
        old="split, len(files[split])))", new="split, sum(map(len, files.values()))))",
        why="The numbers of a split's files have gaps.",
    ),
    Mutant(
        "write_shards", "not_emptied",
        old="        waiting[split] = []\n", new="        waiting[split] = waiting[split][-1:]\n",
        why="The last document of a file is the first of the next one too.",
    ),
    Mutant(
        "write_shards", "bad_documents_skipped",
        old='            raise ValueError(f"document {doc_id!r} cannot be written: {error}") '
        "from error\n",
        new="            continue\n",
        why="Documents that cannot be written are left out without a word.",
    ),
    Mutant(
        "write_shards", "document_not_named",
        old="document {doc_id!r} cannot", new="a document cannot",
        why="The message does not say which document it is.",
    ),
    Mutant(
        "write_shards", "id_not_as_repr",
        old="{doc_id!r}", new="{doc_id}",
        why="An id with strange characters in it cannot be recognised, or printed.",
    ),
    Mutant(
        "write_shards", "id_not_looked_at",
        old="            doc_id.encode()\n", new="",
        why="An id that cannot be written is found by pyarrow, which does not know the document.",
    ),
    Mutant(
        "write_shards", "no_rows_accepted",
        old="rows_per_shard < 1", new="rows_per_shard < 0",
        why="With rows_per_shard 0 all documents wait until the end.",
    ),
    Mutant(
        "write_shards", "negative_permille_accepted",
        old="not 0 <= val_permille <= 1000", new="val_permille > 1000",
        why="A val_permille below 0 goes into the manifest.",
    ),
    Mutant(
        "write_shards", "large_permille_accepted",
        old="not 0 <= val_permille <= 1000", new="val_permille < 0",
        why="A val_permille above 1000 goes into the manifest.",
    ),
    Mutant(
        "write_shards", "checked_too_late",
        old="    if rows_per_shard < 1:\n",
        new="    docs = list(docs)\n    if rows_per_shard < 1:\n",
        why="All documents are asked for before the numbers are looked at.",
    ),
    Mutant(
        "write_shards", "val_first",
        old='chain(files["train"], files["val"])', new='chain(files["val"], files["train"])',
        why="The manifest is not sorted by name.",
    ),
    Mutant(
        "write_shards", "last_newline_missing",
        old='.encode() + b"\\n"', new=".encode()",
        why="The manifest's last line does not end.",
    ),
    Mutant(
        "write_shards", "other_indent", old="indent=1", new="indent=2",
        why="The same corpus has a manifest with another hash.",
    ),
    Mutant(
        "write_shards", "time_in_the_manifest",
        old="json.dumps(manifest.to_json(),",
        new='json.dumps(manifest.to_json() | {"at": __import__("time").time_ns()},',
        why="The same corpus has another manifest every time.",
    ),
    Mutant(
        "write_shards", "numbers_swapped",
        old="ShardsManifest(val_permille, rows_per_shard,",
        new="ShardsManifest(rows_per_shard, val_permille,",
        why="The manifest has one number in the place of the other.",
    ),
    # read_shards
    Mutant(
        "read_shards", "hash_not_compared",
        old=COMPARED, new="path.stat().st_size != file.bytes",
        why="A file that was changed and has kept its size is read.",
        pitfall="hash not compared",
    ),
    Mutant(
        "read_shards", "size_not_compared",
        old=COMPARED, new="digest(path) != file.sha256",
        why="A manifest whose sizes are wrong is believed.",
    ),
    Mutant(
        "read_shards", "rows_not_compared",
        old="pq.read_metadata(path).num_rows != file.rows",
        new="pq.read_metadata(path).num_rows < 0",
        why="A manifest whose numbers of rows are wrong is believed.",
    ),
    Mutant(
        "read_shards", "version_not_looked_at",
        old="ShardsManifest.from_json(json.loads(manifest.read_bytes())).files",
        new='[ShardFile(**file) for file in json.loads(manifest.read_bytes())["files"]]',
        why="A manifest of another version is read, and one without a list is a KeyError.",
    ),
    Mutant(
        "read_shards", "contradictions_believed",
        old="ShardsManifest.from_json(json.loads(manifest.read_bytes())).files",
        new='[ShardFile(**file) for file in json.loads(manifest.read_bytes())["files"]]\n'
        "    ShardsManifest.from_json(json.loads(manifest.read_bytes()) | {\"files\": []})",
        why="A file may be listed twice, in another split too, and train becomes val.",
    ),
    Mutant(
        "read_shards", "first_file_compared_only",
        old="    for file in chosen:\n        path",
        new="    for file in chosen[:1]:\n        path",
        why="Only the first file of the split is looked at before documents are given.",
    ),
    Mutant(
        "read_shards", "surplus_not_noticed",
        old="if wanted != found:", new="if wanted - found:",
        why="Files that are not listed may lie in the folder.",
        pitfall="surplus files not noticed",
    ),
    Mutant(
        "read_shards", "missing_not_noticed",
        old="if wanted != found:", new="if found - wanted:",
        why="A missing file is found when it is opened, and one of the other split's never.",
    ),
    Mutant(
        "read_shards", "own_split_only",
        old="if wanted != found:",
        new="if {name for name in wanted ^ found if name.startswith(split)}:",
        why="Files of the other split, and of none, are not looked for.",
    ),
    Mutant(
        "read_shards", "hidden_files_not_noticed",
        old="for path in folder.iterdir()}",
        new='for path in folder.iterdir() if path.name[0] != "."}',
        why="Files whose names begin with a period are not seen.",
    ),
    Mutant(
        "read_shards", "parquet_files_only",
        old="folder.iterdir()", new='folder.glob("*.parquet")',
        why="Files of other kinds are not seen.",
    ),
    Mutant(
        "read_shards", "missing_not_named",
        old="missing {missing}, and", new="{len(missing)} missing, and",
        why="The message does not say which file is missing.",
    ),
    Mutant(
        "read_shards", "surplus_not_named",
        old="not in its manifest {strange}", new="not in its manifest {len(strange)}",
        why="The message does not say which file is too many.",
    ),
    Mutant(
        "read_shards", "changed_not_named",
        old="{path} is not the file", new="this is not the file",
        why="The message does not say which file has changed.",
    ),
    Mutant(
        "read_shards", "lie_not_named",
        old="{path} has not the", new="a file has not the",
        why="The message does not say which file has another number of rows.",
    ),
    Mutant(
        "read_shards", "unknown_split_is_empty",
        old="if not chosen:", new="if listed and not chosen and not split:",
        why="A split that nobody has written gives no documents and no error.",
    ),
    Mutant(
        "read_shards", "split_not_named",
        old="of the split {split!r}", new="of this split",
        why="The message does not say which split it is.",
    ),
    Mutant(
        "read_shards", "both_splits",
        old="if file.split == split]", new="if file.split in (\"train\", \"val\")]",
        why="Documents of both splits are given.",
    ),
    Mutant(
        "read_shards", "sorted_by_name",
        old="chosen = [file for file in listed if file.split == split]",
        new="chosen = sorted((file for file in listed if file.split == split), "
        "key=lambda file: file.name)",
        why="Files are read in the order of their names, not in that of the manifest.",
        pitfall="files sorted by name",
    ),
    Mutant(
        "read_shards", "whole_files",
        old=GROUPS, new="            for rows in [shard.read()]:\n",
        why="All row groups of a file are in memory at once.",
        pitfall="whole files read",
    ),
    Mutant(
        "read_shards", "first_row_group_only",
        old="range(shard.num_row_groups)", new="range(min(1, shard.num_row_groups))",
        why="Documents after the first row group of a file are not given.",
        pitfall="first row group only",
    ),
    Mutant(
        "read_shards", "last_row_group_lost",
        old="range(shard.num_row_groups)", new="range(shard.num_row_groups - 1 or 1)",
        why="Of files with several row groups the last is not given.",
    ),
    Mutant(
        "read_shards", "columns_by_place",
        old='zip(rows["id"].to_pylist(), rows["text"].to_pylist(), strict=True)',
        new="zip(rows[0].to_pylist(), rows[1].to_pylist(), strict=True)",
        why="Columns are taken by their places, which other programs choose otherwise.",
    ),
    Mutant(
        "read_shards", "pairs_swapped",
        old='zip(rows["id"].to_pylist(), rows["text"].to_pylist(), strict=True)',
        new='zip(rows["text"].to_pylist(), rows["id"].to_pylist(), strict=True)',
        why="The text comes before the id.",
    ),
    Mutant(
        "read_shards", "lists_for_pairs",
        old="yield from zip(", new="yield from map(lambda *pair: list(pair),",
        why="Documents are lists, not pairs.",
    ),
    Mutant(
        "read_shards", "empty_texts_skipped",
        old="                yield from zip",
        new='                rows = rows.filter(pa.compute.not_equal(rows["text"], ""))\n'
        "                yield from zip",
        why="Documents without text are not given.",
    ),
)

WITH_WRITERS = (
    (
        "assign_split",
        '''\
def assign_split(text, val_permille):
    number = int(hashlib.sha256(bytes(text, "utf-8")).hexdigest()[:16], 16)
    return ("train", "val")[number % 1000 < val_permille]
''',
    ),
    (
        "write_shard",
        '''\
def write_shard(docs, folder, split, number):
    name = split + "-" + str(number).zfill(5) + ".parquet"
    with pq.ParquetWriter(folder.joinpath(name), SCHEMA, compression="zstd") as writer:
        for start in range(0, max(len(docs), 1), GROUP_ROWS):
            part = docs[start : start + GROUP_ROWS]
            rows = [{"id": doc_id, "text": text} for doc_id, text in part]
            writer.write_table(pa.Table.from_pylist(rows, schema=SCHEMA))
    data = (folder / name).read_bytes()
    return ShardFile(
        sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), rows=len(docs), split=split,
        name=name,
    )
''',
    ),
    (
        "read_shards",
        '''\
def _checked(path, file):
    if not path.exists():
        raise ValueError(f"{path.name} is gone")
    data = path.read_bytes()
    if len(data) != file.bytes or hashlib.sha256(data).hexdigest() != file.sha256:
        raise ValueError(f"{path.name} has changed")
    footer = pq.ParquetFile(pa.BufferReader(data)).metadata
    if footer.num_rows != file.rows:
        raise ValueError(f"{path.name}: {footer.num_rows} rows")
    return path


def _documents(paths):
    for path in paths:
        shard = pq.ParquetFile(path)
        for batch in shard.iter_batches(64, columns=["id", "text"], use_threads=False):
            for row in batch.to_pylist():
                yield row["id"], row["text"]
        shard.close()


def read_shards(manifest, split):
    record = ShardsManifest.from_json(json.loads(manifest.read_text("utf-8")))
    known = [MANIFEST]
    paths = []
    for file in record.files:
        known.append(file.name)
        path = manifest.with_name(file.name)
        if not path.is_file():
            raise ValueError(f"no {file.name}")
        if file.split == split:
            paths.append(_checked(path, file))
    for path in manifest.parent.iterdir():
        if path.name not in known:
            raise ValueError("not listed: " + path.name)
    if not paths:
        raise ValueError(f"there is no split {split}")
    return _documents(paths)
''',
    ),
)

GROUP_BY_GROUP = (
    (
        "write_shards",
        '''\
class _Open:
    """The files of one split: documents are written as soon as a row group is full."""

    def __init__(self, folder, split, rows_per_shard):
        self.folder, self.split, self.most = folder, split, rows_per_shard
        self.files, self.rows, self.waiting, self.writer = [], 0, [], None

    def add(self, doc):
        if self.rows == self.most:
            self.end()
        self.rows += 1
        self.waiting.append(doc)
        if len(self.waiting) == GROUP_ROWS:
            self.flush()

    def flush(self):
        if self.writer is None:
            self.path = self.folder / f"{self.split}-{len(self.files):05}.parquet"
            self.writer = pq.ParquetWriter(self.path, SCHEMA, compression="zstd")
        columns = [list(column) for column in zip(*self.waiting)] or [[], []]
        self.writer.write_table(pa.table(columns, SCHEMA))
        self.waiting = []

    def end(self):
        if self.waiting or self.writer is None:
            self.flush()
        self.writer.close()
        size, sha256 = self.path.stat().st_size, digest(self.path)
        self.files.append(ShardFile(self.path.name, self.split, self.rows, size, sha256))
        self.rows, self.writer = 0, None


def write_shards(docs, out, *, val_permille, rows_per_shard):
    if val_permille not in range(1001) or rows_per_shard <= 0:
        raise ValueError("val_permille or rows_per_shard is out of range")
    folder = begin(out)
    train, val = (_Open(folder, split, rows_per_shard) for split in ("train", "val"))
    try:
        for doc in docs:
            try:
                "".join(doc).encode()
            except UnicodeEncodeError:
                raise ValueError("not in UTF-8: " + repr(doc[0])) from None
            (val if assign_split(doc[1], val_permille) == "val" else train).add(doc)
        for each in (train, val):
            if each.rows or not each.files:
                each.end()
    finally:
        for each in (train, val):
            if each.writer is not None:
                each.writer.close()
    files = sorted(train.files + val.files, key=lambda file: file.name)
    manifest = ShardsManifest(val_permille, rows_per_shard, tuple(files))
    with open(folder / MANIFEST, "w", encoding="utf-8", newline="") as file:
        json.dump(manifest.to_json(), file, indent=1)
        file.write("\\n")
    publish(folder, out)
    return manifest
''',
    ),
)

AT_ONCE = (
    (
        "write_shards",
        '''\
def write_shards(docs, out, *, val_permille, rows_per_shard):
    if rows_per_shard < 1:
        raise ValueError("at least one row a shard")
    if val_permille < 0 or val_permille > 1000:
        raise ValueError("val_permille is a number from 0 to 1000")
    folder = begin(out)
    train, val, files = [], [], []
    numbers = dict.fromkeys(SPLITS, 0)

    def write(split, part):
        files.append(write_shard(part, folder, split, numbers[split]))
        numbers[split] += 1

    for doc_id, text in docs:
        if any(0xD800 <= ord(c) < 0xE000 for c in doc_id) or not _writable(text):
            raise ValueError(f"the document {doc_id!r} holds a lone surrogate")
        split = assign_split(text, val_permille)
        part = train if split == "train" else val
        part += [(doc_id, text)]
        if len(part) >= rows_per_shard:
            write(split, part)
            part.clear()
    for split, part in (("val", val), ("train", train)):
        if part or numbers[split] == 0:
            write(split, part)
    record = ShardsManifest(
        files=tuple(sorted(files, key=lambda file: file.name)), val_permille=val_permille,
        rows_per_shard=rows_per_shard,
    )
    text = json.dumps(record.to_json(), indent=1, ensure_ascii=False)
    (folder / MANIFEST).write_bytes((text + "\\n").encode())
    publish(folder, out)
    return record


def _writable(text):
    try:
        return text.encode("utf-8") is not None
    except UnicodeError:
        return False
''',
    ),
    (
        "read_shards",
        '''\
def read_shards(manifest, split):
    record = ShardsManifest.from_json(json.loads(manifest.read_bytes()))
    there = {path.name: path for path in manifest.parent.iterdir()}
    there.pop(manifest.name)
    files = []
    for file in record.files:
        path = there.pop(file.name, None)
        if path is None:
            raise ValueError(f"{file.name} is missing")
        if file.split == split:
            files.append((path, file))
    for name in there:
        raise ValueError(f"{name} is not listed")
    if files == []:
        raise ValueError(f"{split} is no split of this corpus")
    for path, file in files:
        if path.stat().st_size != file.bytes:
            raise ValueError(f"{file.name}: {file.bytes} bytes are wanted")
        if digest(path) != file.sha256:
            raise ValueError(f"{file.name}: another SHA-256")
        with pq.ParquetFile(path) as opened:
            if opened.metadata.num_rows != file.rows:
                raise ValueError(f"{file.name}: {file.rows} rows are wanted")
    for path, _ in files:
        with pq.ParquetFile(path, memory_map=True) as opened:
            for n in range(opened.metadata.num_row_groups):
                table = opened.read_row_group(n, ["text", "id"])
                for i in range(table.num_rows):
                    yield table.column("id")[i].as_py(), table.column("text")[i].as_py()
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "with_writers",
        "The hash by its hexadecimal digits; row groups one by one; a reader that checks at the "
        "call and gives small batches.",
        WITH_WRITERS,
    ),
    Variant(
        "group_by_group",
        "One open file for each split, which a row group is written to as soon as it is full.",
        GROUP_BY_GROUP,
    ),
    Variant(
        "at_once",
        "Two lists and numbers in place of dicts; a reader that maps files into memory and goes "
        "row by row.",
        AT_ONCE,
    ),
)

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "read_shards",
        "`True` -> `False`",
        "The columns of a table have one length.",
    ),
)
