"""Planted bugs, correct variants and equivalent mutants of ch10_vocab; bugs are grouped by
function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

CUT_SHORT = '''\
        if not token or len(token) < length:
'''
READ = '''\
        self.free()
        try:
            data = path.read_bytes()
'''
PARSED = '''\
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
'''

MUTANTS: tuple[Mutant, ...] = (
    # write_vocab
    Mutant(
        "write_vocab", "largest_byte_first",
        old='header = np.zeros(HEADER_WORDS, dtype="<u4")',
        new='header = np.zeros(HEADER_WORDS, dtype=">u4")',
        why="The words of the header have their largest byte first.",
        pitfall="words with the largest byte first",
    ),
    Mutant(
        "write_vocab", "wide_header",
        old='header = np.zeros(HEADER_WORDS, dtype="<u4")',
        new='header = np.zeros(HEADER_WORDS, dtype="<u8")',
        why="The words of the header have 64 bits, so it is twice as long.",
    ),
    Mutant(
        "write_vocab", "eot_in_version_1",
        old="eot_token if version == 2 else 0", new="eot_token",
        why="Version 1, which has no place for the eot, gets it in word 3.",
        pitfall="eot written into version 1",
    ),
    Mutant(
        "write_vocab", "always_version_2",
        old="MAGIC, version, len", new="MAGIC, 2, len",
        why="The header says version 2 whatever is written.",
    ),
    Mutant(
        "write_vocab", "other_versions_written",
        old="if version not in (1, 2):", new="if version not in (0, 1, 2, 3):",
        why="A version that does not exist is written.",
    ),
    Mutant(
        "write_vocab", "version_1_of_any_size",
        old="if version == 1 and (len(tokens), eot_token) != (V1_TOKENS, V1_EOT):",
        new="if version == 1 and eot_token != V1_EOT:",
        why="Version 1 is written with more tokens than GPT-2 has.",
    ),
    Mutant(
        "write_vocab", "version_1_with_any_eot",
        old="if version == 1 and (len(tokens), eot_token) != (V1_TOKENS, V1_EOT):",
        new="if version == 1 and len(tokens) != V1_TOKENS:",
        why="Version 1 is written for an eot that no reader will take it to have.",
    ),
    Mutant(
        "write_vocab", "eot_one_too_far",
        old="if not 0 <= eot_token < len(tokens):", new="if not 0 <= eot_token <= len(tokens):",
        why="An eot one beyond the last token is written.",
    ),
    Mutant(
        "write_vocab", "negative_eot",
        old="if not 0 <= eot_token < len(tokens):", new="if eot_token >= len(tokens):",
        why="A negative eot is not refused as one: NumPy overflows, or it wraps.",
    ),
    Mutant(
        "write_vocab", "length_wraps",
        old="        if not 1 <= len(token) <= LONGEST:\n",
        new="        if not token:\n",
        why="A token of more than 255 bytes gets as far as its length, which names no id.",
    ),
    Mutant(
        "write_vocab", "long_tokens_cut",
        old="    for token_id, token in enumerate(tokens):\n"
        "        if not 1 <= len(token) <= LONGEST:",
        new="    tokens = [token[:LONGEST] for token in tokens]\n"
        "    for token_id, token in enumerate(tokens):\n        if not token:",
        why="Longer tokens lose what is beyond 255 bytes, without a word.",
        pitfall="long tokens cut",
    ),
    Mutant(
        "write_vocab", "signed_length",
        old="if not 1 <= len(token) <= LONGEST:", new="if not 1 <= len(token) <= 127:",
        why="Tokens of 128 to 255 bytes are refused, as if a length had a sign.",
    ),
    Mutant(
        "write_vocab", "empty_tokens_written",
        old="if not 1 <= len(token) <= LONGEST:", new="if len(token) > LONGEST:",
        why="A token of no bytes is written, which no reader accepts.",
    ),
    Mutant(
        "write_vocab", "checked_too_late",
        old="    for token_id, token in enumerate(tokens):",
        new="    path.write_bytes(b\"\")\n    for token_id, token in enumerate(tokens):",
        why="The file is opened before the tokens are checked, so an error leaves an empty one.",
        pitfall="file written before the checks",
    ),
    Mutant(
        "write_vocab", "terminating_zero",
        old="bytes([len(token)]) + token for", new='bytes([len(token)]) + token + b"\\0" for',
        why="Each token ends in a zero, as it does in C's memory but not in the file.",
    ),
    Mutant(
        "write_vocab", "length_counts_itself",
        old="bytes([len(token)])", new="bytes([len(token) + 1 & 255])",
        why="The length counts its own byte too.",
    ),
    # parse_vocab
    Mutant(
        "parse_vocab", "short_header_read",
        old="    if len(data) < place:\n", new="    if not data:\n",
        why="A file too short for its first four words fails with struct.error.",
    ),
    Mutant(
        "parse_vocab", "magic_not_checked",
        old="if magic != MAGIC:", new="if magic == 0:",
        why="A file of any other kind is read as a vocabulary.",
    ),
    Mutant(
        "parse_vocab", "later_versions_read",
        old="if version not in (1, 2):", new="if version < 1:",
        why="A version that does not exist yet is read like version 2.",
    ),
    Mutant(
        "parse_vocab", "version_0_read",
        old="if version not in (1, 2):", new="if version > 2:",
        why="Version 0 is read like version 2.",
    ),
    Mutant(
        "parse_vocab", "version_1_of_any_size_read",
        old="if count != V1_TOKENS:", new="if count <= V1_EOT:",
        why="Version 1 is read with more tokens than GPT-2 has, and 50256 taken for the eot.",
        pitfall="version 1 of any size accepted",
    ),
    Mutant(
        "parse_vocab", "eot_of_version_1_read",
        old="        eot_token = V1_EOT\n", new="",
        why="The eot of version 1 is read from a word that has no meaning there.",
        pitfall="eot of version 1 read from the file",
    ),
    Mutant(
        "parse_vocab", "eot_known_by_heart",
        old="        eot_token = V1_EOT\n",
        new="    if count == V1_TOKENS:\n        eot_token = V1_EOT\n",
        why="A version 2 file of 50257 tokens gets GPT-2's eot, whatever it says.",
    ),
    Mutant(
        "parse_vocab", "eot_not_checked",
        old="if eot_token >= count:", new="if eot_token > count:",
        why="An eot one beyond the last token is accepted.",
    ),
    Mutant(
        "parse_vocab", "empty_token_read",
        old=CUT_SHORT,
        new="        if place >= len(data) or len(token) < length:\n",
        why="A token of no bytes is accepted.",
        pitfall="zero length accepted",
    ),
    Mutant(
        "parse_vocab", "cut_token_read",
        old=CUT_SHORT, new="        if not token:\n",
        why="The last token is accepted though the file ends in it.",
        pitfall="last token cut short accepted",
    ),
    Mutant(
        "parse_vocab", "ends_with_the_file",
        old=CUT_SHORT,
        new="        if place >= len(data):\n            break\n" + CUT_SHORT,
        why="A file that ends after a whole token gives fewer tokens than its header says.",
    ),
    Mutant(
        "parse_vocab", "index_error",
        old='int.from_bytes(data[place : place + 1], "little")', new="data[place]",
        why="A file that ends before a token raises IndexError, which no caller expects.",
    ),
    Mutant(
        "parse_vocab", "signed_length_read",
        old='int.from_bytes(data[place : place + 1], "little")',
        new='int.from_bytes(data[place : place + 1], "little", signed=True)',
        why="Lengths from 128 on are read as negative.",
    ),
    Mutant(
        "parse_vocab", "length_is_part_of_it",
        old="        place += 1 + length\n", new="        place += length\n",
        why="The byte of the length is not counted, so the next token begins in this one.",
        pitfall="length not counted in bytes read",
    ),
    Mutant(
        "parse_vocab", "text_trimmed",
        old="tokens.append(token)", new='tokens.append(token.rstrip(b"\\0") or token)',
        why="Zeros at the end of a token are lost, as they would be for C's string functions.",
    ),
    Mutant(
        "parse_vocab", "more_bytes_accepted",
        old="if place < len(data):", new="if place > len(data):",
        why="Whatever follows the last token is not looked at.",
        pitfall="trailing bytes accepted",
    ),
    Mutant(
        "parse_vocab", "blank_end_accepted",
        old="if place < len(data):", new="if data[place:].strip():",
        why="A newline or more after the last token is accepted.",
    ),
    Mutant(
        "parse_vocab", "rest_of_header_checked",
        old="    if eot_token >= count:",
        new="    if any(data[16:place]):\n        raise ValueError(\"the header is not zero\")\n"
        "    if eot_token >= count:",
        why="A header is refused for words that have no meaning yet.",
    ),
    Mutant(
        "parse_vocab", "memory_reserved",
        old="    tokens = []\n", new="    tokens = [b\"\"] * count\n    tokens.clear()\n",
        why="Memory is taken for as many tokens as the header says, before one of them is seen.",
        pitfall="memory reserved as the header says",
    ),
    # Tokenizer
    Mutant(
        "Tokenizer", "missing_file_raises",
        old="        except OSError:\n            return\n",
        new="        except IsADirectoryError:\n            return\n",
        why="A missing file raises FileNotFoundError.",
        pitfall="a missing file raises",
    ),
    Mutant(
        "Tokenizer", "folder_raises",
        old="        except OSError:\n            return\n",
        new="        except FileNotFoundError:\n            return\n",
        why="A path that is there and cannot be opened, such as a folder's, raises.",
    ),
    Mutant(
        "Tokenizer", "damage_hidden",
        old=PARSED, new="        except ValueError:\n            return\n",
        why="A damaged file is taken for a missing one, and nobody hears of it.",
        pitfall="a damaged file taken for a missing one",
    ),
    Mutant(
        "Tokenizer", "file_not_named",
        old=PARSED, new="        except ValueError:\n            raise\n",
        why="The message does not say which file is damaged.",
    ),
    Mutant(
        "Tokenizer", "old_table_kept",
        old=READ, new="        try:\n            data = path.read_bytes()\n",
        why="After a missing or damaged file the table of an earlier one still answers.",
        pitfall="old table kept",
    ),
    Mutant(
        "Tokenizer", "read_only_once",
        old=READ,
        new="        if getattr(self, \"init_ok\", False) and path.is_file():\n            return\n"
        + READ,
        why="A second init with another file is not done.",
    ),
    Mutant(
        "Tokenizer", "negative_ids",
        old="if 0 <= token_id < self.vocab_size else None",
        new="if -self.vocab_size <= token_id < self.vocab_size else None",
        why="Negative ids count from the end.",
        pitfall="negative ids count from the end",
    ),
    Mutant(
        "Tokenizer", "one_id_too_many",
        old="if 0 <= token_id < self.vocab_size else None",
        new="if 0 <= token_id <= self.vocab_size else None",
        why="The id after the last raises IndexError.",
    ),
    Mutant(
        "Tokenizer", "empty_for_none",
        old="if 0 <= token_id < self.vocab_size else None",
        new='if 0 <= token_id < self.vocab_size else b""',
        why="An id that does not exist gives no bytes, as if there were such a token.",
    ),
    Mutant(
        "Tokenizer", "free_keeps_the_size",
        old="        self.vocab_size: int = 0\n",
        new='        self.vocab_size = getattr(self, "vocab_size", 0)\n',
        why="After free, decode looks for tokens that are gone.",
    ),
    Mutant(
        "Tokenizer", "init_ok_stays",
        old="        self.init_ok: bool = False\n",
        new='        self.init_ok = getattr(self, "init_ok", False)\n',
        why="After free or a missing file, init_ok is still true.",
    ),
    Mutant(
        "Tokenizer", "eot_stays",
        old="        self.eot_token: int | None = None\n",
        new='        self.eot_token = getattr(self, "eot_token", None)\n',
        why="The eot of a table that is gone is still there.",
    ),
    # safe_print
    Mutant(
        "safe_print", "unicode_view",
        old="not (32 <= piece[0] <= 126 or 9 <= piece[0] <= 13)",
        new="not (chr(piece[0]).isprintable() or chr(piece[0]).isspace())",
        why="Bytes from 160 on pass for letters, and some control codes for white space.",
        pitfall="Unicode's idea of text",
    ),
    Mutant(
        "safe_print", "space_dropped",
        old="not (32 <= piece[0] <= 126 or 9 <= piece[0] <= 13)",
        new="not 32 <= piece[0] <= 126",
        why="Newlines and tabs are not written.",
        pitfall="white space dropped",
    ),
    Mutant(
        "safe_print", "delete_written",
        old="<= 126", new="<= 127",
        why="127, which deletes, is written.",
    ),
    Mutant(
        "safe_print", "shift_out_written",
        old="<= 13", new="<= 14",
        why="14, which switches a terminal to another alphabet, is written.",
    ),
    Mutant(
        "safe_print", "backspace_written",
        old="9 <=", new="8 <=",
        why="8, which goes a place back, is written.",
    ),
    Mutant(
        "safe_print", "every_byte_filtered",
        old="    (Screen() if",
        new="    piece = bytes(b for b in piece if 32 <= b <= 126 or 9 <= b <= 13)\n"
        "    (Screen() if",
        why="Longer pieces lose each byte that is no text by itself.",
        pitfall="filter on every byte",
    ),
    Mutant(
        "safe_print", "first_byte_decides",
        old="if len(piece) == 1 and not", new="if not",
        why="A longer piece is not written if its first byte is no text.",
    ),
    Mutant(
        "safe_print", "ends_at_zero",
        old="    (Screen() if", new='    piece = piece.split(b"\\0")[0]\n    (Screen() if',
        why="A piece ends at its first zero, as it does for C's printf.",
    ),
    Mutant(
        "safe_print", "unwritten_counted",
        old="9 <= piece[0] <= 13):\n        return 0",
        new="9 <= piece[0] <= 13):\n        return 1",
        why="A byte that was not written is counted.",
    ),
    Mutant(
        "safe_print", "none_fails",
        old="    if not piece:\n", new='    if piece == b"":\n',
        why="None, which decode gives for an unknown id, raises TypeError.",
    ),
    Mutant(
        "safe_print", "always_on_the_screen",
        old="    (Screen() if",
        new="    if out is not None:\n        Screen().write(piece)\n    (Screen() if",
        why="What goes to another place is shown on the screen too.",
    ),
    Mutant(
        "safe_print", "decoded_for_the_screen",
        old="(Screen() if out is None else out).write(piece)",
        new="(print(piece.decode(errors=\"replace\"), end=\"\")"
        " if out is None else out.write(piece))",
        why="On standard output, bytes that are no UTF-8 turn into replacement characters.",
    ),
)

WITH_STRUCT = (
    (
        "write_vocab",
        '''\
def write_vocab(path: Path, tokens: list[bytes], eot_token: int, version: int = 2) -> None:
    count = len(tokens)
    if version == 1:
        if count != V1_TOKENS or eot_token != V1_EOT:
            raise ValueError("only GPT-2's vocabulary can be version 1")
    elif version != 2:
        raise ValueError(f"version {version} is unknown")
    if eot_token not in range(count):
        raise ValueError(f"{eot_token} is not the id of a token")
    data = bytearray(4 * HEADER_WORDS)
    struct.pack_into("<III", data, 0, MAGIC, version, count)
    if version == 2:
        struct.pack_into("<I", data, 12, eot_token)
    for number in range(count):
        try:
            data += struct.pack("B", len(tokens[number])) + tokens[number]
        except struct.error:
            raise ValueError(f"token {number} is too long") from None
        if not tokens[number]:
            raise ValueError(f"nothing in token {number}")
    write_whole(path, bytes(data))
''',
    ),
    (
        "parse_vocab",
        '''\
def parse_vocab(data: bytes) -> tuple[list[bytes], int]:
    words = np.frombuffer(data[: 4 * HEADER_WORDS], dtype=np.uint8)
    if words.size < 4 * HEADER_WORDS:
        raise ValueError("no whole header")
    magic, version, count, eot = (int(word) for word in words[:16].view("<u4"))
    if magic != MAGIC or version not in {1, 2}:
        raise ValueError(f"magic number {magic}, version {version}")
    if version == 1 and count != V1_TOKENS:
        raise ValueError(f"{count} tokens in a file of version 1")
    if version == 1:
        eot = V1_EOT
    if not eot < count:
        raise ValueError(f"no token {eot}")
    rest, tokens = memoryview(data)[1024:], []
    while len(tokens) < count:
        if not rest or not rest[0] or len(rest) <= rest[0]:
            raise ValueError(f"token {len(tokens)} is missing, empty or not whole")
        tokens.append(bytes(rest[1 : rest[0] + 1]))
        rest = rest[rest[0] + 1 :]
    if rest:
        raise ValueError(f"there are {len(rest)} bytes more")
    return tokens, eot
''',
    ),
    (
        "safe_print",
        '''\
def safe_print(piece: bytes | None, out: Recorder | None = None) -> int:
    if out is None:
        out = Screen()
    if piece is None or len(piece) == 0:
        return 0
    if len(piece) == 1:
        (byte,) = piece
        if byte >= 127 or (byte < 32 and byte not in (9, 10, 11, 12, 13)):
            return 0
    return out.write(piece)
''',
    ),
)
WITH_STREAMS = (
    (
        "write_vocab",
        '''\
def write_vocab(path: Path, tokens: list[bytes], eot_token: int, version: int = 2) -> None:
    if version not in {1, 2}:
        raise ValueError(f"unknown version: {version}")
    bad = [number for number, token in enumerate(tokens) if len(token) not in range(1, 256)]
    if bad:
        raise ValueError(f"these tokens have a length that cannot be written: {bad}")
    if eot_token < 0 or eot_token >= len(tokens):
        raise ValueError(f"eot_token={eot_token}")
    if version == 1 and not (len(tokens) == 50257 and eot_token == 50256):
        raise ValueError("version 1 is GPT-2's")
    words = [MAGIC, version, len(tokens), [0, eot_token][version - 1]] + [0] * 252
    chunks = [struct.pack("<256I", *words)]
    for token in tokens:
        chunks.extend((len(token).to_bytes(1, "big"), token))
    write_whole(path, b"".join(chunks))
''',
    ),
    (
        "parse_vocab",
        '''\
class _Stream:
    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def take(self, size: int, what: str) -> bytes:
        taken = self.data[self.place : self.place + size]
        if len(taken) != size:
            raise ValueError(f"the file ends in {what}")
        self.place += size
        return taken


def parse_vocab(data: bytes) -> tuple[list[bytes], int]:
    stream = _Stream(data)
    header = struct.unpack("<256I", stream.take(1024, "its header"))
    if header[0] != MAGIC:
        raise ValueError("not a vocabulary")
    if header[1] == 1 and header[2] != V1_TOKENS:
        raise ValueError(f"{header[2]} tokens")
    if header[1] == 1:
        eot = V1_EOT
    elif header[1] == 2:
        eot = header[3]
    else:
        raise ValueError(f"version {header[1]}")
    if eot + 1 > header[2]:
        raise ValueError(f"eot {eot}")
    tokens: list[bytes] = []
    for number in range(header[2]):
        (length,) = stream.take(1, f"token {number}")
        if length == 0:
            raise ValueError(f"token {number} is empty")
        tokens.append(stream.take(length, f"token {number}"))
    if stream.place != len(data):
        raise ValueError(f"bytes left over: {len(data) - stream.place}")
    return tokens, eot
''',
    ),
    (
        "Tokenizer",
        '''\
class Tokenizer:
    def __init__(self) -> None:
        self.init_ok = False
        self.table: dict[int, bytes] = {}
        self.eot_token: int | None = None

    @property
    def vocab_size(self) -> int:
        return len(self.table)

    def init(self, path: Path) -> None:
        self.free()
        try:
            with path.open("rb") as file:
                data = file.read()
        except OSError:
            return
        try:
            tokens, self.eot_token = parse_vocab(data)
        except ValueError as error:
            raise ValueError(f"in {path.name}: {error}") from None
        self.table = dict(enumerate(tokens))
        self.init_ok = True

    def decode(self, token_id: int) -> bytes | None:
        return self.table.get(token_id)

    def free(self) -> None:
        self.table, self.eot_token, self.init_ok = {}, None, False
''',
    ),
)
WITH_TABLES = (
    (
        "Tokenizer",
        '''\
class Tokenizer:
    init_ok = False
    vocab_size = 0
    eot_token: int | None = None
    _table: tuple[bytes, ...] = ()

    def init(self, path: Path) -> None:
        self._keep((), None)
        if not path.is_file():
            return
        try:
            tokens, eot = parse_vocab(path.read_bytes())
        except ValueError as error:
            raise ValueError(f"{error} ({path})") from error
        self._keep(tuple(tokens), eot)

    def _keep(self, table: tuple[bytes, ...], eot: int | None) -> None:
        self._table, self.eot_token = table, eot
        self.vocab_size, self.init_ok = len(table), eot is not None

    def decode(self, token_id: int) -> bytes | None:
        if token_id < 0:
            return None
        try:
            return self._table[token_id]
        except IndexError:
            return None

    def free(self) -> None:
        self._keep((), None)
''',
    ),
    (
        "safe_print",
        '''\
TEXT = b" \\t\\n\\r\\x0b\\x0c" + bytes(range(33, 127))


def safe_print(piece: bytes | None, out: Recorder | None = None) -> int:
    wanted = piece if piece and (len(piece) > 1 or piece in TEXT) else b""
    if wanted and out is not None:
        out.write(wanted)
    elif wanted:
        Screen().write(wanted)
    return len(wanted)
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "with_struct",
        "struct in place of NumPy and NumPy in place of struct; checks in another order; a view "
        "that shrinks; the count that write returns.",
        WITH_STRUCT,
    ),
    Variant(
        "with_streams",
        "A stream read piece by piece; all bad tokens in one message; a dict and a property.",
        WITH_STREAMS,
    ),
    Variant(
        "with_tables",
        "Attributes of the class, replaced by those of the object; a string of all text bytes.",
        WITH_TABLES,
    ),
)

ONE_BYTE = "A piece that gets here has one byte, which is the first and the last."

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "Tokenizer",
        "`self._tokens: list[bytes] = []` -> `pass`",
        "Where vocab_size is 0, decode looks at no table; an old one is only kept in memory.",
    ),
    Equivalent(
        "safe_print",
        "`not (32 <= piece[0] <= 126 or 9 <= piece[0] <= 13)`"
        " -> `not (32 <= piece[-1] <= 126 or 9 <= piece[0] <= 13)`",
        ONE_BYTE,
    ),
    Equivalent(
        "safe_print",
        "`not (32 <= piece[0] <= 126 or 9 <= piece[0] <= 13)`"
        " -> `not (32 <= piece[0] <= 126 or 9 <= piece[-1] <= 13)`",
        ONE_BYTE,
    ),
)
