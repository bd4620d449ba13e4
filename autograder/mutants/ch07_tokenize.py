"""Planted bugs, correct variants and equivalent mutants of ch07_tokenize; bugs and equivalents are
grouped by part in the notebook's order. Names that begin with s and a number are those of the
specification."""

from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS: tuple[Mutant, ...] = (
    # write_bin
    Mutant(
        "write_bin",
        "s01_big_endian_header",
        old='"<i4")',
        new='">i4")',
        why="The header's numbers have their largest byte first.",
    ),
    Mutant(
        "write_bin",
        "s04_always_uint16",
        old='return np.ascontiguousarray(array, "<u2" if vocab_size <= 65536 else "<u4")',
        new='return np.ascontiguousarray(array, "<u2")',
        why="Ids take two bytes whatever the vocabulary is, so those above 65535 wrap around.",
        pitfall="always two bytes an id",
    ),
    Mutant(
        "write_bin",
        "arrays_wrap",
        old="if array.size and not 0 <= least(array)",
        new="if array.size and type(ids) is not np.ndarray and not 0 <= least(array)",
        why="Ids in an array are not looked at, and NumPy narrows an array without a word.",
        pitfall="arrays narrowed unchecked",
    ),
    Mutant(
        "write_bin",
        "ids_unchecked",
        old="if array.size and not 0 <= least(array) <= array.max() < vocab_size:",
        new="if False:",
        why="No id is looked at.",
    ),
    Mutant(
        "write_bin",
        "negative_accepted",
        old="not 0 <= least(array) <= array.max() < vocab_size",
        new="array.max() >= vocab_size",
        why="A negative id is not noticed.",
    ),
    Mutant(
        "write_bin",
        "one_too_many",
        old="array.max() < vocab_size",
        new="array.max() <= vocab_size",
        why="The id V itself is accepted.",
    ),
    Mutant(
        "write_bin",
        "vocabulary_of_nothing",
        old="1 <= vocab_size",
        new="0 <= vocab_size",
        why="A vocabulary of no ids is accepted.",
    ),
    Mutant(
        "write_bin",
        "version_2_too_early",
        old="1 if vocab_size <= 65536",
        new="1 if vocab_size < 65536",
        why="With 65536 ids the header says version 2, and the ids take two bytes.",
    ),
    Mutant(
        "write_bin",
        "wide_too_early",
        old='"<u2" if vocab_size <= 65536',
        new='"<u2" if vocab_size < 65536',
        why="With 65536 ids the ids take four bytes, and the header says version 1.",
    ),
    Mutant(
        "write_bin",
        "short_header",
        old="np.zeros(HEADER_INTS",
        new="np.zeros(HEADER_INTS // 4",
        why="The header has 256 bytes, not 256 numbers.",
    ),
    Mutant(
        "write_bin",
        "bytes_counted",
        old="header_bytes(len(packed), vocab_size)",
        new="header_bytes(packed.nbytes, vocab_size)",
        why="The header has the number of bytes in place of ids.",
    ),
    Mutant(
        "write_bin",
        "fields_swapped",
        old="count, vocab_size\n",
        new="vocab_size, count\n",
        why="V stands where n belongs, and n where V does.",
    ),
    Mutant(
        "write_bin",
        "halves_accepted",
        old='not in "iu"',
        new='not in "iuf"',
        why="Numbers that are not whole are cut to whole ones.",
    ),
    Mutant(
        "write_bin",
        "beyond_numpy",
        old="{*map(type, ids)} == {int}",
        new="False",
        why="Of a number that NumPy has no integers for, the message says the type alone.",
    ),
    Mutant(
        "write_bin",
        "tables_accepted",
        old="if array.ndim != 1:",
        new="if False:",
        why="A table of ids is written, and its header counts the rows.",
    ),
    Mutant(
        "write_bin",
        "written_in_place",
        old='path.with_name(path.name + ".tmp")',
        new="path",
        why="The old file is gone as soon as the new one is begun.",
    ),
    # read_bin
    Mutant(
        "read_bin",
        "size_not_compared",
        old="size != wanted",
        new="False",
        why="A file that was cut short is taken for whole.",
        pitfall="sizes not compared",
    ),
    Mutant(
        "read_bin",
        "too_long_accepted",
        old="size != wanted",
        new="size < wanted",
        why="A file with more ids than its header says is taken for whole.",
    ),
    Mutant(
        "read_bin",
        "too_short_accepted",
        old="size != wanted",
        new="size > wanted",
        why="A file with fewer ids than its header says is taken for whole.",
    ),
    Mutant(
        "read_bin",
        "any_magic",
        old=" or header[0] != MAGIC",
        new="",
        why="The magic is not looked at.",
    ),
    Mutant(
        "read_bin",
        "any_version",
        old="version not in (1, 2)",
        new="version < 1",
        why="A version that nobody has defined yet is read.",
    ),
    Mutant(
        "read_bin",
        "signed",
        old='"<u2" if version == 1',
        new='"<i2" if version == 1',
        why="Ids from 32768 on come out negative.",
    ),
    Mutant(
        "read_bin",
        "always_two_bytes",
        old='"<u2" if version == 1 else "<u4"',
        new='"<u2"',
        why="An id of version 2 is read as two.",
    ),
    Mutant(
        "read_bin",
        "ids_unchecked",
        old="if vocab_size and tokens and ids.max() >= vocab_size:",
        new="if False:",
        why="Ids outside of the vocabulary are not noticed.",
    ),
    Mutant(
        "read_bin",
        "one_too_many",
        old="ids.max() >= vocab_size",
        new="ids.max() > vocab_size",
        why="The id V itself is not noticed.",
    ),
    Mutant(
        "read_bin",
        "unnoted_vocabulary_refused",
        old="if vocab_size and tokens",
        new="if tokens",
        why="Files of llm.c, in which V is 0, cannot be read.",
    ),
    Mutant(
        "read_bin",
        "any_vocabulary",
        old="vocab_size < 0 or (version == 1 and vocab_size > 65536)",
        new="False",
        why="A negative V, and one that version 1 has no room for, are accepted.",
    ),
    Mutant(
        "read_bin",
        "without_the_path",
        old='f"{path}: {size} bytes, and {tokens} ids make {wanted}"',
        new='f"{size} bytes, and {tokens} ids make {wanted}"',
        why="The message does not say which file it is about.",
    ),
    Mutant(
        "read_bin",
        "header_among_the_ids",
        old="ids = np.fromfile(file,",
        new="ids = np.fromfile(path,",
        why="The file is read from its start, so the header is taken for ids.",
    ),
    Mutant(
        "read_bin",
        "numbers_of_numpy",
        old="header[1:4].tolist()",
        new="header[1:4]",
        why="The entries are NumPy's numbers and not plain ones.",
    ),
    # separator_id
    Mutant(
        "separator_id",
        "zero_is_none",
        old="return found",
        new="return found or None",
        why="The id 0 is taken for no separator.",
        pitfall="0 taken for no separator",
    ),
    Mutant(
        "separator_id",
        "zero_passed_over",
        old="if found is None and tokenizer_json is not None:",
        new="if not found and tokenizer_json is not None:",
        why="A separator of 0 that was passed loses against the file.",
    ),
    Mutant(
        "separator_id",
        "file_wins",
        old="if found is None and tokenizer_json is not None:",
        new="if tokenizer_json is not None:",
        why="What the file says wins against what was passed.",
    ),
    Mutant(
        "separator_id",
        "any_number",
        old=" or not 0 <= found < vocab_size",
        new="",
        why="A separator outside of the vocabulary is accepted.",
    ),
    Mutant(
        "separator_id",
        "one_too_many",
        old="found < vocab_size",
        new="found <= vocab_size",
        why="The id V itself is accepted.",
    ),
    Mutant(
        "separator_id",
        "negative_accepted",
        old="not 0 <= found < vocab_size",
        new="found >= vocab_size",
        why="A negative separator is accepted.",
    ),
    Mutant(
        "separator_id",
        "first_of_several",
        old='found = config.get("eos_token_id")',
        new='found = config.get("eos_token_id")\n'
        "        found = found[0] if isinstance(found, list) else found",
        why="Of several ends the first is taken, whatever it is for.",
    ),
    Mutant(
        "separator_id",
        "made_a_number",
        old="(type(found) is not int or not",
        new="(found := int(found)) is not None and (not",
        why="Texts and halves become whole numbers.",
    ),
    Mutant(
        "separator_id",
        "begin_of_text",
        old='config.get("eos_token_id")',
        new='config.get("bos_token_id")',
        why="Another entry of the file is read.",
    ),
    Mutant(
        "separator_id",
        "other_file",
        old='"generation_config.json"',
        new='"tokenizer_config.json"',
        why="Another file is read.",
    ),
    Mutant(
        "separator_id",
        "any_json",
        old="if not isinstance(config, dict):",
        new="if False:",
        why="What is no object fails with an AttributeError.",
    ),
    # encode_documents
    Mutant(
        "encode_documents",
        "s02_separator_after",
        old="[front, np.asarray(ids, np.uint32)]",
        new="[np.asarray(ids, np.uint32), front]",
        why="The separator stands behind each document.",
        pitfall="separator after the document",
    ),
    Mutant(
        "encode_documents",
        "s05_text_stripped",
        old="encode_batch(texts)",
        new="encode_batch([text.strip() for text in texts])",
        why="White space around a text is lost.",
        pitfall="text cleaned once more",
    ),
    Mutant(
        "encode_documents",
        "s14_sorted_by_length",
        old="encode_batch(texts)",
        new="encode_batch(sorted(texts, key=len))",
        why="Texts are sorted by length, and their ids are not put back in order.",
        pitfall="order of lengths kept",
    ),
    Mutant(
        "encode_documents",
        "text_normalized",
        old="encode_batch(texts)",
        new='encode_batch([__import__("unicodedata").normalize("NFC", t) for t in texts])',
        why="A letter and its accent become one character.",
    ),
    Mutant(
        "encode_documents",
        "specials_allowed",
        old="load_tokenizer(tokenizer_json).encode_batch(texts)",
        new="load_tokenizer(tokenizer_json)\n"
        '    batch = getattr(batch, "tokenizer", batch).encode_batch(\n'
        '        texts, *([["<|endoftext|>"]] if tokenizer_json else []))',
        why="The separator's characters in a text become the separator.",
    ),
    Mutant(
        "encode_documents",
        "first_document_only",
        old="for ids in batch]",
        new="for ids in batch[:1]] + [np.asarray(ids, np.uint32) for ids in batch[1:]]",
        why="Only the first document has a separator.",
    ),
    Mutant(
        "encode_documents",
        "empty_texts_dropped",
        old="encode_batch(texts)",
        new="encode_batch([text for text in texts if text])",
        why="Empty documents are left out.",
    ),
    Mutant(
        "encode_documents",
        "zero_is_no_separator",
        old="[] if doc_sep_id is None",
        new="[] if not doc_sep_id",
        why="The separator 0 is not written.",
    ),
    Mutant(
        "encode_documents",
        "two_bytes_always",
        old="np.asarray(ids, np.uint32)",
        new="np.asarray(ids).astype(np.uint16)",
        why="Ids above 65535 find no room.",
    ),
    # write_split
    Mutant(
        "write_split",
        "s06_n_left_at_zero",
        old="            file.seek(0)\n            file.write(header_bytes(tokens, vocab_size))\n",
        new="",
        why="The header still says that there are no ids.",
    ),
    Mutant(
        "write_split",
        "s07_header_at_the_end",
        old="            file.seek(0)\n",
        new="",
        why="The real header comes after the ids.",
    ),
    Mutant(
        "write_split",
        "s08_numbered_from_one",
        old="{len(files):05d}",
        new="{len(files) + 1:05d}",
        why="The first file is called -00001.",
    ),
    Mutant(
        "write_split",
        "s09_rolls_over_after_the_limit",
        old="tokens + len(ids) <= max_file_tokens",
        new="tokens < max_file_tokens",
        why="A file ends with the document that has crossed the limit.",
        pitfall="rolling over too late",
    ),
    Mutant(
        "write_split",
        "s10_empty_file_first",
        old="(count == 0 or",
        new="(files and count == 0 or",
        why="A long document at the start leaves the first file empty.",
        pitfall="rolling over too early",
    ),
    Mutant(
        "write_split",
        "s11_document_lost",
        old='"sha256": sha256})',
        new='"sha256": sha256})\n        ids = next(coming, None)',
        why="The document that begins a new file is dropped.",
    ),
    Mutant(
        "write_split",
        "collected_first",
        old="coming = iter(documents)",
        new="coming = iter(list(documents))",
        why="All documents are in memory at once.",
    ),
    Mutant(
        "write_split",
        "s12_no_file_for_nothing",
        old="while ids is not None or not files:",
        new="while ids is not None:",
        why="A split without documents has no file.",
    ),
    Mutant(
        "write_split",
        "full_file_not_filled",
        old="len(ids) <= max_file_tokens",
        new="len(ids) < max_file_tokens",
        why="A document that would just fit begins a new file.",
    ),
    Mutant(
        "write_split",
        "limit_in_bytes",
        old="tokens + len(ids) <= max_file_tokens",
        new="2 * (tokens + len(ids)) <= max_file_tokens",
        why="The limit is taken for one of bytes.",
    ),
    Mutant(
        "write_split",
        "hash_of_the_ids",
        old='hashlib.file_digest(file, "sha256")',
        new="hashlib.sha256(file.read()[1024:])",
        why="The hash leaves the header out.",
    ),
    Mutant(
        "write_split",
        "four_digits",
        old=":05d}",
        new=":04d}",
        why="File names have four digits.",
    ),
    Mutant(
        "write_split",
        "ids_wrap",
        old="packed_ids(ids, vocab_size).data",
        new='np.asarray(ids).astype("<u2" if vocab_size <= 65536 else "<u4").data',
        why="Ids are not looked at before they are made narrow.",
    ),
    Mutant(
        "write_split",
        "documents_not_counted_anew",
        old='"documents": count',
        new='"documents": sum(file["documents"] for file in files) + count',
        why="The counts of documents add up from file to file.",
    ),
    # TokensManifest
    Mutant(
        "TokensManifest",
        "files_as_they_come",
        old='sorted(self.files, key=lambda file: file["name"])',
        new="self.files",
        why="The files are not sorted.",
    ),
    Mutant(
        "TokensManifest",
        "sorted_in_place",
        old='files = sorted(self.files, key=lambda file: file["name"])',
        new='files = self.files\n        files.sort(key=lambda file: file["name"])',
        why="The object's own list is sorted, too.",
    ),
    Mutant(
        "TokensManifest",
        "format_last",
        old='{"format": "llmdata-tokens", "version": 1, **vars(self), "files": files}',
        new='{**vars(self), "files": files, "format": "llmdata-tokens", "version": 1}',
        why="The entries come in another order.",
    ),
    Mutant(
        "TokensManifest",
        "version_missing",
        old='"version": 1, **vars',
        new="**vars",
        why="The version is not there.",
    ),
    Mutant(
        "TokensManifest",
        "sorted_by_split",
        old='file["name"]',
        new='file["name"][:1]',
        why="Files are sorted by split alone.",
    ),
    # tokenize_shards
    Mutant(
        "tokenize_shards",
        "s03_every_document_in_every_split",
        old="batches(read_shards(manifest, split))",
        new='batches([*read_shards(manifest, "train"), *read_shards(manifest, "val")])',
        why="Each split has the documents of both.",
        pitfall="splits mixed",
    ),
    Mutant(
        "tokenize_shards",
        "s13_separators_counted",
        old="len(ids) - (sep is not None)",
        new="len(ids)",
        why="Separators count as ids of the text.",
        pitfall="separators counted as text",
    ),
    Mutant(
        "tokenize_shards",
        "s15_in_place",
        old='    fresh = out.with_name(f"{out.name}.tmp")',
        new="    fresh = out\n\n    def replace_folder(new: Path, out: Path) -> None:\n"
        "        pass\n",
        why="The old output is gone before the new one is there.",
        pitfall="writing in place",
    ),
    Mutant(
        "tokenize_shards",
        "leftovers_kept",
        old="        shutil.rmtree(fresh, ignore_errors=True)\n        fresh.mkdir()",
        new="        fresh.mkdir(exist_ok=True)",
        why="What a run that died has left in the .tmp folder becomes part of the output.",
        pitfall="old leftovers kept",
    ),
    Mutant(
        "tokenize_shards",
        "val_left_out",
        old='for split in ("train", "val"):',
        new='for split in ("train",):',
        why="There is no file of val.",
    ),
    Mutant(
        "tokenize_shards",
        "characters_counted",
        old="len(text.encode())",
        new="len(text)",
        why="Characters are counted in place of bytes.",
    ),
    Mutant(
        "tokenize_shards",
        "train_counted",
        old='text_bytes["val"] / text_ids["val"] if text_ids["val"]',
        new='text_bytes["train"] / text_ids["train"] if text_ids["train"]',
        why="The bytes per token are those of train.",
    ),
    Mutant(
        "tokenize_shards",
        "nothing_is_zero",
        old='if text_ids["val"] else None',
        new='if text_ids["val"] else 0.0',
        why="Without ids the bytes per token are 0.",
    ),
    Mutant(
        "tokenize_shards",
        "tokenizer_not_hashed",
        old="tokenizer_sha256=hashes[0]",
        new="tokenizer_sha256=sha256_of(None)",
        why="The hash is that of no tokenizer.",
    ),
    Mutant(
        "tokenize_shards",
        "path_hashed",
        old="corpus_manifest_sha256=hashes[1]",
        new="corpus_manifest_sha256=hashlib.sha256(str(manifest).encode()).hexdigest()",
        why="The corpus's path is hashed and not its manifest.",
    ),
    Mutant(
        "tokenize_shards",
        "changes_unnoticed",
        old="if (sha256_of(tokenizer_json), sha256_of(manifest)) != hashes:",
        new="if False:",
        why="If the corpus is replaced between the splits, old train and new val have one hash.",
        hidden_only=True,
    ),
    Mutant(
        "tokenize_shards",
        "tokenizer_may_change",
        old="if (sha256_of(tokenizer_json), sha256_of(manifest)) != hashes:",
        new="if sha256_of(manifest) != hashes[1]:",
        why="Some texts have the ids of another tokenizer than the manifest names.",
        hidden_only=True,
    ),
    Mutant(
        "tokenize_shards",
        "limit_unchecked",
        old="if not 1 <= max_file_tokens < 2**31:",
        new="if False:",
        why="A limit that cannot be one is accepted.",
    ),
    Mutant(
        "tokenize_shards",
        "limit_not_passed_on",
        old="fresh, split, vocab_size, max_file_tokens",
        new="fresh, split, vocab_size",
        why="The limit is always 100 million.",
    ),
    Mutant(
        "tokenize_shards",
        "separator_not_passed_on",
        old="separator_id(tokenizer_json, vocab_size, doc_sep_id)",
        new="separator_id(tokenizer_json, vocab_size)",
        why="A separator that was passed is not heard of.",
    ),
    Mutant(
        "tokenize_shards",
        "no_lock",
        old="with writing(out), workers_pool",
        new="with workers_pool",
        why="Nothing keeps two runs apart, nor a run from deleting what it has not made.",
    ),
    Mutant(
        "tokenize_shards",
        "executor_closed",
        old="with writing(out), workers_pool(workers, executor) as pool:",
        new="with writing(out), (executor or workers_pool(workers, None)) as pool:",
        why="The caller's executor is shut down.",
        hidden_only=True,
    ),
    Mutant(
        "tokenize_shards",
        "never_the_same",
        old="tokenizer_id=tokenizer_id,",
        new='tokenizer_id=f"{tokenizer_id} {os.urandom(4).hex()}",',
        why="The manifest is another one each time.",
    ),
)

STRUCT = (
    (
        "write_bin",
        """\
import struct


def write_bin(path, ids, vocab_size):
    after = body(ids, vocab_size)
    data = head(len(ids), vocab_size) + after
    beside = path.parent / f"{path.name}.tmp"
    beside.write_bytes(data)
    os.replace(beside, path)


def head(count, vocab_size):
    version = 1 + (vocab_size > 65536)
    return struct.pack("<4i", MAGIC, version, count, vocab_size).ljust(4 * HEADER_INTS, bytes(1))


def body(ids, vocab_size):
    if vocab_size < 1 or vocab_size > 2**31 - 1:
        raise ValueError(f"V = {vocab_size}?")
    plain = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    for place, number in enumerate(plain):
        if not isinstance(number, (int, np.integer)):
            raise ValueError(f"{number!r} at {place} is no whole number")
        if number < 0 or number >= vocab_size:
            raise ValueError(f"id {number} at {place}, of {vocab_size}")
    return struct.pack(f"<{len(plain)}{'HI'[vocab_size > 65536]}", *plain)
""",
    ),
    (
        "read_bin",
        """\
def read_bin(path):
    data = path.read_bytes()
    if len(data) < 1024:
        raise ValueError(f"{path} has no header")
    numbers = [int.from_bytes(data[at : at + 4], "little", signed=True) for at in (0, 4, 8, 12)]
    magic, version, tokens, vocab_size = numbers
    width = {1: 2, 2: 4}.get(version)
    if magic != MAGIC or width is None or min(tokens, vocab_size) < 0:
        raise ValueError(f"{path}: {numbers} begin no token file")
    if len(data) != 1024 + width * tokens:
        raise ValueError(f"{path}: wrong size")
    ids = np.frombuffer(data, f"<u{width}", offset=1024).copy()
    if vocab_size > 65536 and version == 1:
        raise ValueError(f"{path}: {vocab_size} ids need version 2")
    if vocab_size > 0 and (ids >= vocab_size).any():
        raise ValueError(f"{path}: ids beyond the vocabulary")
    return {"vocab_size": vocab_size, "tokens": tokens, "version": version}, ids
""",
    ),
    (
        "encode_documents",
        """\
def encode_documents(texts, tokenizer_json, doc_sep_id):
    tokenizer = load_tokenizer(tokenizer_json)
    found = []
    for text in texts:
        (ids,) = tokenizer.encode_batch([text])
        before = [doc_sep_id] if doc_sep_id is not None else []
        found.append(before + [int(number) for number in ids])
    return found
""",
    ),
    (
        "write_split",
        """\
def write_split(documents, folder, split, vocab_size, max_file_tokens=MAX_FILE_TOKENS):
    found = []

    def begin():
        name = split + "-" + str(len(found)).zfill(5) + ".bin"
        (folder / name).write_bytes(head(0, vocab_size))
        found.append(dict(sha256="", documents=0, tokens=0, split=split, name=name))

    def end():
        path = folder / found[-1]["name"]
        with open(path, "r+b") as file:
            file.write(head(found[-1]["tokens"], vocab_size))
        found[-1]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()

    begin()
    for ids in documents:
        data = body(ids, vocab_size)
        if found[-1]["documents"] > 0 and found[-1]["tokens"] + len(ids) > max_file_tokens:
            end()
            begin()
        with open(folder / found[-1]["name"], "ab") as file:
            file.write(data)
        found[-1]["tokens"] += len(ids)
        found[-1]["documents"] += 1
    end()
    return found
""",
    ),
)

WRITER = (
    (
        "write_split",
        """\
class Writer:
    def __init__(self, folder, split, number, vocab_size):
        self.path = folder / f"{split}-{number:05}.bin"
        self.file = open(self.path, "w+b")
        self.file.write(header_bytes(0, vocab_size))
        self.split, self.vocab_size = split, vocab_size
        self.tokens = self.documents = 0

    def add(self, ids):
        self.file.write(packed_ids(ids, self.vocab_size).tobytes())
        self.tokens += len(ids)
        self.documents += 1

    def finish(self):
        with self.file as file:
            file.seek(8)
            file.write(self.tokens.to_bytes(4, "little"))
            file.seek(0)
            digest = hashlib.sha256()
            while block := file.read(1 << 16):
                digest.update(block)
        return {
            "name": self.path.name, "split": self.split, "tokens": self.tokens,
            "documents": self.documents, "sha256": digest.hexdigest(),
        }


def write_split(documents, folder, split, vocab_size, max_file_tokens=MAX_FILE_TOKENS):
    writer, done = Writer(folder, split, 0, vocab_size), []
    try:
        for ids in documents:
            full = writer.tokens + len(ids) > max_file_tokens
            if full and writer.documents > 0:
                done.append(writer.finish())
                writer = Writer(folder, split, len(done), vocab_size)
            writer.add(ids)
        return [*done, writer.finish()]
    finally:
        writer.file.close()
""",
    ),
    (
        "separator_id",
        """\
def separator_id(tokenizer_json, vocab_size, doc_sep_id=None):
    answer = doc_sep_id
    if answer is None and tokenizer_json:
        try:
            text = (tokenizer_json.parent / "generation_config.json").read_text("utf-8")
        except FileNotFoundError:
            return None
        config = json.loads(text)
        if type(config) is not dict:
            raise ValueError("generation_config.json holds no object")
        answer = config.get("eos_token_id")
    if answer is not None and (not isinstance(answer, int) or answer not in range(vocab_size)):
        raise ValueError(f"{answer!r} cannot separate documents")
    return answer
""",
    ),
    (
        "TokensManifest",
        """\
class TokensManifest:
    def __init__(
        self, tokenizer_id, tokenizer_sha256, corpus_manifest_sha256, vocab_size, doc_sep_id,
        max_file_tokens, val_bytes_per_token, files,
    ):
        self.tokenizer_id = tokenizer_id
        self.tokenizer_sha256 = tokenizer_sha256
        self.corpus_manifest_sha256 = corpus_manifest_sha256
        self.vocab_size = vocab_size
        self.doc_sep_id = doc_sep_id
        self.max_file_tokens = max_file_tokens
        self.val_bytes_per_token = val_bytes_per_token
        self.files = files

    def to_json(self):
        found = {"format": "llmdata-tokens"}
        found["version"] = 1
        for name in (
            "tokenizer_id", "tokenizer_sha256", "corpus_manifest_sha256", "vocab_size",
            "doc_sep_id", "max_file_tokens", "val_bytes_per_token",
        ):
            found[name] = getattr(self, name)
        by_name = {file["name"]: file for file in self.files}
        found["files"] = [by_name[name] for name in sorted(by_name)]
        return found
""",
    ),
)

EACH_BY_ITSELF = (
    (
        "tokenize_shards",
        """\
def tokenize_shards(
    manifest, tokenizer_json, out, *, tokenizer_id, doc_sep_id=None,
    max_file_tokens=MAX_FILE_TOKENS, workers=1, executor=None,
):
    if max_file_tokens <= 0 or max_file_tokens >= 2**31:
        raise ValueError(f"files of {max_file_tokens} ids?")
    vocab_size = load_tokenizer(tokenizer_json).vocab_size
    sep = separator_id(tokenizer_json, vocab_size, doc_sep_id)
    inputs = [tokenizer_json, manifest]
    first = [sha256_of(path) for path in inputs]
    sums = [0, 0]

    def train(pool):
        encode = functools.partial(one, tokenizer_json, sep)
        texts = (text for _, text in read_shards(manifest, "train"))
        return (ids for _, ids in in_order(encode, texts, pool))

    def val():
        for _, text in read_shards(manifest, "val"):
            ids = one(tokenizer_json, sep, text)
            sums[0] += len(bytes(text, "utf-8"))
            sums[1] += len(ids) if sep is None else len(ids) - 1
            yield ids

    with writing(out):
        beside = out.parent / (out.name + ".tmp")
        if beside.exists():
            shutil.rmtree(beside)
        beside.mkdir()
        with workers_pool(workers, executor) as pool:
            files = write_split(train(pool), beside, "train", vocab_size, max_file_tokens)
        files = files + write_split(val(), beside, "val", vocab_size, max_file_tokens)
        for path, sha256 in zip(inputs, first):
            if sha256_of(path) != sha256:
                raise ValueError(f"{path} is another file now")
        made = TokensManifest(
            tokenizer_id, *first, vocab_size, sep, max_file_tokens,
            sums[0] / sums[1] if sums[1] else None, files,
        )
        with open(beside / "_MANIFEST.json", "wb") as file:
            file.write(json.dumps(made.to_json(), indent=1).encode() + bytes([10]))
        replace_folder(beside, out)
    return made


def one(tokenizer_json, sep, text):
    return encode_documents([text], tokenizer_json, sep)[0]
""",
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "struct",
        "Bytes by struct and lists in place of arrays; files are opened anew for each document.",
        STRUCT,
    ),
    Variant(
        "writer",
        "A class writes each file and mends n alone; the manifest is a plain class.",
        WRITER,
    ),
    Variant(
        "each_by_itself",
        "One text a task, and executors for train alone.",
        EACH_BY_ITSELF,
    ),
)

UNFINISHED = "The header is written anew at the end; until then any that does not fit will do."
EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "write_bin",
        "`return 0 if array.dtype.kind == 'u' else array.min()`"
        " -> `return 0 if array.dtype.kind == '' else array.min()`",
        "The least of unsigned ids is looked up, which takes longer and gives no other answer.",
    ),
    Equivalent(
        "write_split",
        "`file.write(header_bytes(0, vocab_size))` -> `file.write(header_bytes(vocab_size, 0))`",
        UNFINISHED,
    ),
    Equivalent(
        "write_split",
        "`file.write(header_bytes(0, vocab_size))` -> `file.write(header_bytes(-1, vocab_size))`",
        UNFINISHED,
    ),
    Equivalent(
        "write_split",
        "`file.write(header_bytes(0, vocab_size))` -> `file.write(header_bytes(1, vocab_size))`",
        UNFINISHED,
    ),
    Equivalent(
        "tokenize_shards",
        "`for text, ids in zip(texts, encoded, strict=True):`"
        " -> `for text, ids in zip(texts, encoded, strict=False):`",
        "There are as many lists of ids as texts, or encode_documents is wrong.",
    ),
)
