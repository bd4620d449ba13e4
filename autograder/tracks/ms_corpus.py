"""Runs inside the sandbox, beside the learner's modules: from an e-book to token files."""

from pathlib import Path

from llmdata.corpus import make_splits, prepare, split_stories, write_corpus
from llmdata.shards import write_shards
from llmdata.tokenize import tokenize_shards
from llmdata.tokenizer import BPETokenizer

VAL_PERMILLE = 200
FILE_TOKENS = 4000  # so that there are several files


def outputs(ebook, tokenizer_json):
    """Every file that the chapters write on the way, by name.

    ``ebook`` and ``tokenizer_json`` are the bytes of an e-book and of somebody else's tokenizer.
    Token files are written with the tokenizer that was trained on the book, and with that one.
    """
    out = Path("milestone")
    out.mkdir()
    text = prepare(ebook)
    write_corpus(text, ebook, out / "book.txt")
    stories = split_stories(text)
    train = make_splits(stories)["train"]
    own = out / "book_tokenizer.json"
    book = BPETokenizer.train([train], 300)
    book.save(own)
    paragraphs = [
        (f"story-{number}:{place}", paragraph)
        for number, story in enumerate(stories, start=1)
        for place, paragraph in enumerate(story.split("\n\n"))
    ]
    write_shards(paragraphs, out / "shards", val_permille=VAL_PERMILLE, rows_per_shard=100)
    given = out / "tokenizer.json"
    given.write_bytes(tokenizer_json)
    manifest = out / "shards" / "_MANIFEST.json"
    tokenize_shards(manifest, own, out / "tokens", tokenizer_id="book",
                    doc_sep_id=book.eot_id, max_file_tokens=FILE_TOKENS)
    tokenize_shards(manifest, given, out / "others_tokens", tokenizer_id="another",
                    doc_sep_id=0, max_file_tokens=FILE_TOKENS)
    given.unlink()
    found = sorted(path for path in out.rglob("*") if path.is_file())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in found}
