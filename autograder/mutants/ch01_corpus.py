"""Planted bugs, correct variants and equivalent mutants of ch01_corpus; bugs are grouped by
function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

CHECK = '''\
    if (path.exists() or beside.exists()) and old != new and not force:
'''

MUTANTS: tuple[Mutant, ...] = (
    # prepare
    Mutant(
        "prepare", "bare_return_accepted",
        old='rb"\\r(?!\\n)"', new='rb"\\r\\Z(?!\\n)"',
        why="Only a carriage return at the very end of the file is refused; all others get into "
        "the text.",
        pitfall="bare CR accepted",
    ),
    Mutant(
        "prepare", "last_return_accepted",
        old='rb"\\r(?!\\n)"', new='rb"\\r[^\\n]"',
        why="The pattern wants a byte after the carriage return, so one that ends the file is not "
        "seen.",
    ),
    Mutant(
        "prepare", "offset_in_characters",
        old="{bare.start()}", new="{len(raw[: bare.start()].decode('utf-8-sig', 'replace'))}",
        why="The offset counts characters without the BOM, so it points to another byte of the "
        "file.",
    ),
    Mutant(
        "prepare", "offset_after_crlf",
        old="re.search(rb\"\\r(?!\\n)\", raw)",
        new='re.search(rb"\\r", raw.replace(b"\\r\\n", b"\\n"))',
        why="The offset is counted after CRLF has become LF, one too few for each line before it.",
    ),
    Mutant(
        "prepare", "bad_bytes_replaced",
        old='raw.decode("utf-8-sig")', new='raw.decode("utf-8-sig", errors="replace")',
        why="Bytes that are not UTF-8 turn into replacement characters in place of an error.",
        pitfall="broken UTF-8 replaced",
    ),
    Mutant(
        "prepare", "other_code_tried",
        old='    lines = raw.decode("utf-8-sig")',
        new="    try:\n        decoded = raw.decode(\"utf-8-sig\")\n"
        "    except UnicodeDecodeError:\n        decoded = raw.decode(\"latin-1\")\n"
        "    lines = decoded",
        why="A file that is not UTF-8 is read as Latin-1, which fails on nothing.",
    ),
    Mutant(
        "prepare", "surrogates_let_through",
        old='raw.decode("utf-8-sig")', new='raw.decode("utf-8-sig", errors="surrogatepass")',
        why="Bytes that stand for a lone surrogate are decoded, though they are not UTF-8.",
    ),
    Mutant(
        "prepare", "bom_kept",
        old='decode("utf-8-sig")', new='decode("utf-8")',
        why="The BOM stays the first character of the first line, so a marker there is not found.",
        pitfall="BOM kept",
    ),
    Mutant(
        "prepare", "every_bom_dropped",
        old='.replace("\\r\\n", "\\n")', new='.replace("\\ufeff", "").replace("\\r\\n", "\\n")',
        why="U+FEFF goes from the middle of the text too, where it belongs to it.",
    ),
    Mutant(
        "prepare", "crlf_kept",
        old='.replace("\\r\\n", "\\n")', new="",
        why="Every line of a CRLF file keeps its carriage return.",
        pitfall="CRLF kept",
    ),
    Mutant(
        "prepare", "only_crlf_splits",
        old='.replace("\\r\\n", "\\n").split("\\n")', new='.split("\\r\\n")',
        why="Lines that end in LF are not told apart, so a file with LF line ends has no markers.",
    ),
    Mutant(
        "prepare", "splitlines",
        old='.split("\\n")', new=".splitlines()",
        why="splitlines() ends a line at a form feed, U+2028 and others too, and turns them into "
        "newlines.",
        pitfall="lines split at form feeds",
    ),
    Mutant(
        "prepare", "first_line_by_number",
        old="lines[start + 1 : end]", new="lines[27:end]",
        why="The book is taken from line 28 on, where it happens to begin in one file.",
        pitfall="marker found by line number",
    ),
    Mutant(
        "prepare", "marker_anywhere_in_line",
        old="if line.startswith(START)", new="if START in line",
        why="A line that only quotes the marker is taken for it.",
    ),
    Mutant(
        "prepare", "blanks_before_marker",
        old="if line.startswith(END)", new="if line.strip().startswith(END)",
        why="An indented line is taken for a marker.",
    ),
    Mutant(
        "prepare", "half_a_marker",
        old="if line.startswith(START)", new="if line.startswith(START[:13])",
        why="A line of a story that begins like the marker is taken for it.",
    ),
    Mutant(
        "prepare", "end_without_name",
        old="if line.startswith(END)", new="if line.startswith(END[:11])",
        why="A line of a story that begins like the marker is taken for it.",
    ),
    Mutant(
        "prepare", "marker_is_whole_line",
        old="if line.startswith(START)", new='if line.startswith(START) and line.endswith(" ***")',
        why="A marker line that does not end in three stars is not found.",
    ),
    Mutant(
        "prepare", "first_of_two_markers",
        old="if len(places) != 1:", new="del places[1:]\n        if not places:",
        why="Of two markers the first is taken without a word.",
        pitfall="doubled marker accepted",
    ),
    Mutant(
        "prepare", "markers_not_named",
        old='lines with the {marker} marker in place of one', new="marker lines in place of one",
        why="The message does not say which of the two markers is at fault.",
    ),
    Mutant(
        "prepare", "both_markers_blamed",
        old="lines with the {marker} marker in place of one",
        new="START or END lines in place of one",
        why="The message names both markers, whichever is at fault.",
    ),
    Mutant(
        "prepare", "reversed_accepted",
        old='        raise ValueError("the END marker stands before the START marker")\n',
        new="        start, end = end, start\n",
        why="With END before START, what lies between is taken for the book.",
    ),
    Mutant(
        "prepare", "reversed_not_named",
        old='"the END marker stands before the START marker"', new='"markers in the wrong order"',
        why="The message does not say which markers are in the wrong order.",
    ),
    Mutant(
        "prepare", "newline_missing",
        old='"".join(line + "\\n" for line in lines[start + 1 : end])',
        new='"\\n".join(lines[start + 1 : end])',
        why="The last line has no newline.",
        pitfall="final newline missing or doubled",
    ),
    Mutant(
        "prepare", "newline_doubled",
        old='"".join(line + "\\n" for line in lines[start + 1 : end])',
        new='"".join(line + "\\n" for line in lines[start + 1 : end]) + "\\n"',
        why="There is one newline too many at the end.",
    ),
    Mutant(
        "prepare", "blank_lines_stripped",
        old="    return text", new='    return text.strip("\\n") + "\\n"',
        why="Blank lines at the beginning and at the end are lost.",
    ),
    Mutant(
        "prepare", "trailing_blanks_stripped",
        old='line + "\\n" for line', new='line.rstrip() + "\\n" for line',
        why="Blanks at the ends of lines are lost.",
    ),
    Mutant(
        "prepare", "start_line_kept",
        old="lines[start + 1 : end]", new="lines[start:end]",
        why="The START line is kept, and with it the name.",
    ),
    Mutant(
        "prepare", "end_line_kept",
        old="lines[start + 1 : end]", new="lines[start + 1 : end + 1]",
        why="The END line is kept, and with it the name.",
    ),
    Mutant(
        "prepare", "name_not_looked_for",
        old='"PROJECT GUTENBERG" in text.upper()', new="False",
        why="The name may stay in the text.",
        pitfall="name left in the text",
    ),
    Mutant(
        "prepare", "name_in_capitals_only",
        old="in text.upper()", new="in text",
        why="The name is looked for in capitals only.",
    ),
    Mutant(
        "prepare", "name_anywhere",
        old="in text.upper()", new='in "\\n".join(lines[:start]).upper()',
        why="The name is looked for in the header, where every file has it.",
    ),
    Mutant(
        "prepare", "half_a_name",
        old='"PROJECT GUTENBERG" in', new='"GUTENBERG" in',
        why="Half of the name is refused already, though a story may tell of a Gutenberg.",
    ),
    # write_corpus
    Mutant(
        "write_corpus", "crlf_written",
        old="write_whole(path, corpus)", new='write_whole(path, corpus.replace(b"\\n", b"\\r\\n"))',
        why="The file gets CRLF line ends, so it is not what was hashed.",
    ),
    Mutant(
        "write_corpus", "bom_written",
        old="corpus = text.encode()", new='corpus = text.encode("utf-8-sig")',
        why="The file begins with a BOM, which is not in the text.",
    ),
    Mutant(
        "write_corpus", "newline_added",
        old="corpus = text.encode()", new='corpus = text.encode() + b"\\n"',
        why="The file has a newline more than the text.",
    ),
    Mutant(
        "write_corpus", "lone_surrogates_replaced",
        old="text.encode()", new='text.encode(errors="replace")',
        why="What cannot be encoded turns into question marks in place of an error.",
    ),
    Mutant(
        "write_corpus", "characters_counted",
        old='"bytes": len(data)', new='"bytes": len(text) if name == "corpus" else len(data)',
        why="The size of the corpus is in characters, and too small where some take more bytes.",
        pitfall="characters counted for bytes",
    ),
    Mutant(
        "write_corpus", "one_hash_twice",
        old='("corpus", corpus))\n', new='("corpus", raw))\n',
        why="Both entries describe the retrieval.",
    ),
    Mutant(
        "write_corpus", "entries_swapped",
        old='(("retrieval", raw), ("corpus", corpus))',
        new='(("retrieval", corpus), ("corpus", raw))',
        why="Each hash stands under the other one's name.",
    ),
    Mutant(
        "write_corpus", "questions_left_out",
        old='{"question": QUESTIONS[name], "bytes"', new='{"bytes"',
        why="The provenance does not say which question a hash answers.",
    ),
    Mutant(
        "write_corpus", "time_recorded",
        old='    beside = provenance_path(path)\n',
        new='    import time\n    provenance["written"] = time.time_ns()\n'
        '    beside = provenance_path(path)\n',
        why="The time gets into the provenance, so the same download gives other bytes each time.",
    ),
    Mutant(
        "write_corpus", "provenance_elsewhere",
        old="write_whole(beside,", new='write_whole(path.with_suffix(".json"),',
        why="The provenance lies under another name than the one it is looked for.",
    ),
    Mutant(
        "write_corpus", "nothing_returned",
        old="    return provenance\n", new="",
        why="The provenance is written and not returned.",
    ),
    Mutant(
        "write_corpus", "python_for_json",
        old="json.dumps(provenance, indent=1).encode()", new="repr(provenance).encode()",
        why="Python's notation is not JSON.",
    ),
    Mutant(
        "write_corpus", "overwrites",
        old=" and old != new and not force:", new=" and not old and not force:",
        why="A corpus from another download is written over.",
        pitfall="other download overwrites",
    ),
    Mutant(
        "write_corpus", "force_ignored",
        old=" and not force:", new=":",
        why="force makes no difference.",
        pitfall="`force` ignored",
    ),
    Mutant(
        "write_corpus", "never_again",
        old=" and old != new and not force:", new=" and not force:",
        why="Not even the same download may be written again.",
    ),
    Mutant(
        "write_corpus", "corpus_hash_decides",
        old="old != new", new="digest(corpus) != (path.exists() and digest(path.read_bytes()))",
        why="The hash of the text decides, so a changed licence goes unseen and a damaged corpus "
        "cannot be mended.",
    ),
    Mutant(
        "write_corpus", "unknown_is_overwritten",
        old="and old != new", new='and old not in ("", new)',
        why="A file of unknown origin is written over.",
    ),
    Mutant(
        "write_corpus", "lone_provenance_overwritten",
        old="(path.exists() or beside.exists())", new="path.exists()",
        why="A provenance without its corpus is written over, whatever it records.",
    ),
    Mutant(
        "write_corpus", "refused_half_way",
        old=CHECK, new="    write_whole(path, corpus)\n" + CHECK,
        why="The corpus is written before anything is refused.",
    ),
    Mutant(
        "write_corpus", "quiet_refusal",
        old="        raise FileExistsError(",
        new="        return provenance\n        raise FileExistsError(",
        why="Nothing is written and nothing is said.",
    ),
    Mutant(
        "write_corpus", "other_error",
        old="raise FileExistsError(", new="raise ValueError(",
        why="A ValueError is raised where FileExistsError is promised.",
    ),
    Mutant(
        "write_corpus", "old_hash_not_told",
        old="""its hash is {old or 'not recorded'}, that of "\n""", new="""that of "\n""",
        why="The message does not give the recorded hash.",
    ),
    Mutant(
        "write_corpus", "new_hash_not_told",
        old="this one is {new}.", new="this one is another.",
        why="The message does not give the hash of the new download.",
    ),
    Mutant(
        "write_corpus", "copy_left_behind",
        old="    write_whole(path, corpus)\n",
        new="    write_whole(path, corpus)\n    path.with_suffix(\".bak\").write_bytes(corpus)\n",
        why="A third file is left in the folder.",
    ),
    Mutant(
        "write_corpus", "provenance_first",
        old="    corpus = text.encode()\n",
        new="    write_whole(provenance_path(path), b\"{}\")\n    corpus = text.encode()\n",
        why="A file is written before it is known whether the text can be.",
    ),
    # load_corpus
    Mutant(
        "load_corpus", "not_verified",
        old="found != sha256", new="not found",
        why="The hash is computed and not compared.",
        pitfall="hash not verified",
    ),
    Mutant(
        "load_corpus", "translated_lines_hashed",
        old="found = digest(data)",
        new="found = digest(path.read_text(encoding=\"utf-8\").encode())",
        why="Python turns CRLF into LF before the hash is taken.",
        pitfall="hash of translated lines",
    ),
    Mutant(
        "load_corpus", "lines_translated",
        old="return data.decode()", new='return path.read_text(encoding="utf-8")',
        why="The file is hashed as it is, and then read with its line ends changed.",
    ),
    Mutant(
        "load_corpus", "bom_dropped",
        old="data.decode()", new='data.decode("utf-8-sig")',
        why="A BOM that was hashed is not in the text.",
    ),
    Mutant(
        "load_corpus", "text_stripped",
        old="data.decode()", new='data.decode().strip() + "\\n"',
        why="Blank lines at both ends are lost.",
    ),
    Mutant(
        "load_corpus", "lengths_compared",
        old="found != sha256", new="len(found) != len(sha256)",
        why="Any hash is as long as any other.",
    ),
    Mutant(
        "load_corpus", "no_default",
        old="sha256: str = CORPUS_SHA256", new='sha256: str = ""',
        why="Without a hash given, the real book is refused too.",
    ),
    Mutant(
        "load_corpus", "given_hash_only",
        old="    if found != sha256:", new="    if sha256 != CORPUS_SHA256 and found != sha256:",
        why="Without a hash given, any text loads.",
    ),
    Mutant(
        "load_corpus", "read_once",
        old="    data = path.read_bytes()\n",
        new="    data = vars(load_corpus).setdefault(str(path), path.read_bytes())\n",
        why="The bytes of the first load are used again, however the file has changed.",
    ),
    Mutant(
        "load_corpus", "found_not_told",
        old="its SHA-256 is {found}, wanted is", new="wanted is the SHA-256",
        why="The message does not give the hash that was found.",
    ),
    Mutant(
        "load_corpus", "wanted_not_told",
        old='f"{sha256}. Prepare it again"', new='f"another. Prepare it again"',
        why="The message does not give the hash that was wanted.",
    ),
    Mutant(
        "load_corpus", "path_not_told",
        old='f"{path} is not', new='f"this is not',
        why="The message does not say which file it is about.",
    ),
    # split_stories
    Mutant(
        "split_stories", "straight_apostrophe_only",
        old="STORY_RE.finditer(text)",
        new="re.finditer(STORY_RE.pattern.replace(\"\\u2019\", \"\"), text, re.M)",
        why="A heading with a curly apostrophe is not found.",
        pitfall="straight apostrophe only",
    ),
    Mutant(
        "split_stories", "curly_apostrophe_only",
        old="STORY_RE.finditer(text)",
        new="re.finditer(STORY_RE.pattern.replace(\"'\", \"\"), text, re.M)",
        why="A heading with a straight apostrophe is not found.",
    ),
    Mutant(
        "split_stories", "hyphen_forgotten",
        old="STORY_RE.finditer(text)",
        new='re.finditer(STORY_RE.pattern.replace(" -]", " ]"), text, re.M)',
        why="A heading with a hyphen is not found.",
    ),
    Mutant(
        "split_stories", "contents_matched",
        old="STORY_RE.finditer(text)",
        new="re.finditer(STORY_RE.pattern.replace(\"^\", r\"^\\s*\"), text, re.M | re.I)",
        why="The indented lines of the contents are taken for headings too.",
        pitfall="contents lines matched",
    ),
    Mutant(
        "split_stories", "first_twelve",
        old="list(STORY_RE.finditer(text))", new="list(STORY_RE.finditer(text))[:12]",
        why="Headings after the twelfth are not looked at.",
    ),
    Mutant(
        "split_stories", "any_line_with_a_numeral",
        old="STORY_RE.finditer(text)",
        new="re.finditer(rf\"^({'|'.join(NUMERALS)})\\. .+$\", text, re.M)",
        why="A numeral at the beginning of any line makes a heading.",
    ),
    Mutant(
        "split_stories", "lone_numeral",
        old="STORY_RE.finditer(text)",
        new="re.finditer(rf\"^({'|'.join(NUMERALS)})\\.\", text, re.M)",
        why="The numbered parts of a long story are taken for headings.",
    ),
    Mutant(
        "split_stories", "order_not_checked",
        old="        if found != wanted:\n",
        new="        if wanted is not None and found is None:\n",
        why="Twelve headings are enough, in any order, and more go through too.",
        pitfall="headings not checked",
    ),
    Mutant(
        "split_stories", "short_book_accepted",
        old="        if found != wanted:\n",
        new="        if found is not None and found != wanted:\n",
        why="A book that ends too early goes through.",
    ),
    Mutant(
        "split_stories", "long_book_accepted",
        old="zip_longest(NUMERALS,", new="zip(NUMERALS,",
        why="Neither missing nor surplus headings at the end are noticed.",
    ),
    Mutant(
        "split_stories", "missing_not_named",
        old="{wanted or found}", new="{found}",
        why="The message does not name the heading that is missing.",
    ),
    Mutant(
        "split_stories", "surplus_not_named",
        old="{wanted or found}", new="{wanted}",
        why="The message does not name the heading that is too many.",
    ),
    Mutant(
        "split_stories", "last_cut_short",
        old="len(text)]", new='text.rstrip("\\n").rfind("\\n") + 1]',
        why="The last story lacks its last line.",
        pitfall="last story cut short",
    ),
    Mutant(
        "split_stories", "last_lost",
        old="pairwise([*starts, len(text)])", new="pairwise(starts)",
        why="Twelve starts make eleven gaps, so the last story is missing.",
    ),
    Mutant(
        "split_stories", "front_matter_kept",
        old="    return [", new="    starts[0] = 0\n    return [",
        why="The title and the contents are a part of story I.",
        pitfall="front matter kept",
    ),
    Mutant(
        "split_stories", "headings_dropped",
        old="heading.start() for", new="heading.end() for",
        why="Stories begin after their heading and end with the next one's.",
    ),
    Mutant(
        "split_stories", "stories_stripped",
        old="[text[a:b] for", new="[text[a:b].strip() for",
        why="Blank lines at the ends of stories are lost.",
    ),
    Mutant(
        "split_stories", "tuple_returned",
        old="[text[a:b] for a, b in pairwise([*starts, len(text)])]",
        new="tuple(text[a:b] for a, b in pairwise([*starts, len(text)]))",
        why="A tuple comes back where a list is promised.",
    ),
    # make_splits
    Mutant(
        "make_splits", "separator_after_each",
        old="EOT.join(stories[:10])", new='"".join(story + EOT for story in stories[:10])',
        why="A tenth separator stands after the last story of train.",
        pitfall="separator after each story",
    ),
    Mutant(
        "make_splits", "separator_before_each",
        old="EOT.join(stories[:10])", new='"".join(EOT + story for story in stories[:10])',
        why="Train begins with a separator.",
    ),
    Mutant(
        "make_splits", "separator_on_a_line",
        old="EOT.join(stories[:10])", new='f"\\n{EOT}\\n".join(stories[:10])',
        why="Each separator brings two newlines that no story has.",
    ),
    Mutant(
        "make_splits", "no_separator",
        old="EOT.join(stories[:10])", new='"".join(stories[:10])',
        why="Stories run into each other.",
    ),
    Mutant(
        "make_splits", "random_offset",
        old='    return {"train"',
        new="    import random\n    whole, size = \"\".join(stories), len(stories[10])\n"
        "    at = random.randrange(len(whole) - size + 1)\n"
        "    stories = [*stories[:10], whole[at : at + size], stories[11]]\n    return {\"train\"",
        why="Val is cut out of the book at a random place.",
        pitfall="val from a random offset",
    ),
    Mutant(
        "make_splits", "nine_stories",
        old="stories[:10]), \"val\"", new='stories[:9]), "val"',
        why="Story X is in no split.",
    ),
    Mutant(
        "make_splits", "val_in_train",
        old="stories[:10]), \"val\"", new='stories[:11]), "val"',
        why="Story XI is in train and in val.",
    ),
    Mutant(
        "make_splits", "val_and_test_swapped",
        old='"val": stories[10], "test": stories[11]',
        new='"val": stories[11], "test": stories[10]',
        why="XII is val and XI is test.",
    ),
    Mutant(
        "make_splits", "test_is_val",
        old='"test": stories[11]', new='"test": stories[10]',
        why="The model is judged on the story that it was chosen by.",
    ),
    Mutant(
        "make_splits", "other_order",
        old='return {"train": EOT.join(stories[:10]), "val": stories[10], "test": stories[11]}',
        new='return {"test": stories[11], "train": EOT.join(stories[:10]), "val": stories[10]}',
        why="The splits come in another order.",
    ),
    Mutant(
        "make_splits", "fewer_accepted",
        old="len(stories) != 12", new="len(stories) > 12",
        why="With fewer than twelve stories there is an IndexError, or worse.",
    ),
    Mutant(
        "make_splits", "more_accepted",
        old="len(stories) != 12", new="len(stories) < 12",
        why="A thirteenth story is dropped without a word.",
    ),
    Mutant(
        "make_splits", "number_not_told",
        old="twelve stories are wanted, not {len(stories)}", new="twelve stories are wanted",
        why="The message does not say how many stories there are.",
    ),
    Mutant(
        "make_splits", "separator_accepted",
        old="        if EOT in story:\n", new="        if story == EOT:\n",
        why="A story that contains the separator gets a false boundary.",
    ),
    Mutant(
        "make_splits", "separator_in_val_accepted",
        old="        if EOT in story:\n",
        new="        if EOT in story and numeral not in (\"XI\", \"XII\"):\n",
        why="Only the stories of train are looked at.",
    ),
    Mutant(
        "make_splits", "story_not_named",
        old="story {numeral} contains", new="a story contains",
        why="The message does not say which story it is.",
    ),
    Mutant(
        "make_splits", "stories_stripped",
        old="EOT.join(stories[:10])", new="EOT.join(map(str.strip, stories[:10]))",
        why="Blank lines at the ends of stories are lost.",
    ),
)

LINE_BY_LINE = (
    (
        "prepare",
        '''\
def prepare(raw):
    for offset in range(len(raw)):
        if raw[offset : offset + 1] == b"\\r" and raw[offset + 1 : offset + 2] != b"\\n":
            raise ValueError(f"byte {offset} is a bare return")
    raw = raw.removeprefix(b"\\xef\\xbb\\xbf").replace(b"\\r\\n", b"\\n")
    raw.decode()
    kept, state, lines = [], "header", raw.split(b"\\n")
    for line in lines:
        if line.startswith(START.encode()):
            if state != "header":
                raise ValueError("a second START marker")
            state = "body"
        elif line.startswith(END.encode()):
            if state != "body":
                started = any(each.startswith(START.encode()) for each in lines)
                raise ValueError(
                    "a second END marker" if state == "licence"
                    else "END comes before START" if started else "no line is a START marker"
                )
            state = "licence"
        elif state == "body":
            kept.append(line)
    if state != "licence":
        raise ValueError(f"there is no {'START' if state == 'header' else 'END'} marker")
    body = b"\\n".join([*kept, b""])
    if re.search(rb"project gutenberg", body, re.I):
        raise ValueError("Project Gutenberg is named in the book")
    return str(body, "utf-8")
''',
    ),
    (
        "split_stories",
        '''\
def split_stories(text):
    stories, numerals = [], []
    for line in text.split("\\n"):
        if match := STORY_RE.fullmatch(line):
            numerals.append(match.group(1))
            stories.append([])
        if stories:
            stories[-1].append(line)
    expected = list(NUMERALS)
    for place in range(max(len(numerals), len(expected))):
        if numerals[place : place + 1] != expected[place : place + 1]:
            raise ValueError(f"heading {(expected + numerals[12:])[place]}: {numerals}")
    return ["\\n".join([*lines, ""]) for lines in stories[:-1]] + ["\\n".join(stories[-1])]
''',
    ),
    (
        "make_splits",
        '''\
def make_splits(stories):
    try:
        *train, val, test = stories
    except ValueError:
        train = val = test = ()
    if len(train) != 10:
        raise ValueError(f"got {len(stories)} stories")
    for place, story in enumerate(stories):
        if len(story.split(EOT)) > 1:
            raise ValueError(f"a separator in {NUMERALS[place]}")
    joined = train[0]
    for story in train[1:]:
        joined += EOT + story
    return dict(train=joined, val=val, test=test)
''',
    ),
)

REGULAR_EXPRESSIONS = (
    (
        "prepare",
        '''\
def prepare(raw):
    bare = [m.start() for m in re.finditer(b"\\r", raw) if raw[m.end() : m.end() + 1] != b"\\n"]
    if bare:
        raise ValueError("bare returns at", *bare[:1])
    text = "\\n" + re.sub("\\r\\n", "\\n", raw.decode("utf-8").removeprefix("\\ufeff"))
    places = {}
    for name, marker in ("START", START), ("END", END):
        found = list(re.finditer("\\n" + re.escape(marker) + "[^\\n]*", text))
        if not found:
            raise ValueError(f"{name} is missing")
        if len(found) > 1:
            raise ValueError(f"{name} is there {len(found)} times")
        places[name] = found[0]
    begin, stop = places["START"].end() + 1, places["END"].start() + 1
    if begin > stop:
        raise ValueError("START must come before END")
    body = text[begin:stop]
    if "project gutenberg" in body.lower():
        raise ValueError("still says PROJECT GUTENBERG")
    return body
''',
    ),
    (
        "split_stories",
        '''\
def split_stories(text):
    pieces = STORY_RE.split(text)[1:]
    found = pieces[::2]
    for place, numeral in enumerate(NUMERALS):
        if place >= len(found) or found[place] != numeral:
            raise ValueError(f"{numeral} is missing or not in its place")
    if len(found) > 12:
        raise ValueError(f"{found[12]} follows XII")
    matches = [match.group() for match in STORY_RE.finditer(text)]
    return [match + body for match, body in zip(matches, pieces[1::2])]
''',
    ),
)

FILES = (
    (
        "write_corpus",
        '''\
def described(name, data):
    return dict(sha256=hashlib.sha256(data).hexdigest(), question=QUESTIONS[name], bytes=len(data))


def write_corpus(text, raw, path, force=False):
    data = bytes(text, "utf-8")
    other = path.parent / (path.stem + "_provenance.json")
    record = {"corpus": described("corpus", data), "retrieval": described("retrieval", raw)}
    there = [each for each in (path, other) if each.exists()]
    if there and not force:
        before = recorded_retrieval(path)
        now = record["retrieval"]["sha256"]
        if before != now:
            raise FileExistsError(17, f"{before} was retrieved before, now {now}", str(path))
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    other.write_text(json.dumps(record, sort_keys=True), encoding="ascii")
    return json.loads(other.read_text())
''',
    ),
    (
        "load_corpus",
        '''\
def load_corpus(path, sha256=CORPUS_SHA256):
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    is_, should = digest(text.encode("utf-8")), sha256.lower()
    if is_ == should:
        return text
    raise ValueError(f"{path}: {is_} instead of {should}")
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant(
        "line_by_line",
        "One pass over the lines as bytes with a state; stories collected line by line; train "
        "joined in a loop.",
        LINE_BY_LINE,
    ),
    Variant(
        "regular_expressions",
        "Markers and stories found and cut by regular expressions on the whole text.",
        REGULAR_EXPRESSIONS,
    ),
    Variant(
        "files",
        "Files opened and written by other means, with entries in another order.",
        FILES,
    ),
)

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "prepare",
        "`if start > end:` -> `if start >= end:`",
        "No line begins with both markers.",
    ),
    *(
        Equivalent(
            "write_corpus",
            f"`json.dumps(provenance, indent=1).encode()` -> "
            f"`json.dumps(provenance, indent={indent}).encode()`",
            "Blanks make no difference to JSON.",
        )
        for indent in (2, 0)
    ),
    Equivalent(
        "make_splits",
        "`for numeral, story in zip(NUMERALS, stories, strict=True):` -> "
        "`for numeral, story in zip(NUMERALS, stories, strict=False):`",
        "There are twelve of both, by the line above.",
    ),
)
