"""Files in other encodings, and files that are no notebooks."""

from __future__ import annotations

from tests.submissions.kit import (
    Notebook,
    all_of,
    answered,
    case,
    edited,
    text_of,
)


def encoded(encoding: str, notebook: Notebook | None = None) -> bytes:
    return text_of(notebook or answered()).encode(encoding)


@case()
def byte_order_mark() -> bytes:
    """A byte order mark is dropped."""
    return encoded("utf-8-sig")


@case(mentions=("the file is in utf-16",))
def utf_16() -> bytes:
    """UTF-16 is converted, with a note."""
    return encoded("utf-16")


@case(mentions=("the file is in latin-1",))
def latin_1() -> bytes:
    """So is Latin-1: an accent in a comment is enough to tell."""
    return encoded("latin-1", edited("randfloat32", "# TODO", "# d\u00e9j\u00e0 vu, TODO"))


@case()
def windows_line_ends() -> bytes:
    """CR LF, between the lines of the file and within the cells."""
    return text_of(answered()).replace("\\n", "\\r\\n").replace("\n", "\r\n").encode()


@case(status="unreadable", failed=all_of("missing"), mentions=("the file is empty",))
def empty_file() -> bytes:
    """Nothing at all."""
    return b""


@case(status="unreadable", failed=all_of("missing"), mentions=("the file is not a notebook",))
def truncated_file() -> bytes:
    """Half a file is not guessed at."""
    data = encoded("utf-8")
    return data[: len(data) // 2]


@case(status="unreadable", failed=all_of("missing"), mentions=("merge conflict",))
def merge_conflict() -> bytes:
    """Git's conflict marks are recognised."""
    marks = "<<<<<<< HEAD\n=======\n>>>>>>> theirs\n"
    return text_of(answered()).replace('  "metadata"', f'{marks}  "metadata"', 1).encode()


@case(status="unreadable", failed=all_of("missing"), mentions=("no cells",))
def no_cells() -> Notebook:
    """A notebook without a cell."""
    return {**answered(), "cells": []}


@case(status="unreadable", failed=all_of("missing"), mentions=("outermost value is no object",))
def json_of_another_kind() -> bytes:
    """JSON that is no notebook."""
    return b"[1, 2, 3]\n"


@case(status="unreadable", failed=all_of("missing"), file="notebook.txt",
      mentions=("looks like a Python script",))
def python_script() -> bytes:
    """A script is handed in instead of the notebook."""
    return b"# %%\ndef randint32(state):\n    return 0\n"


@case(status="unreadable", failed=all_of("missing"), mentions=("web page",))
def web_page() -> bytes:
    """A page saved from a code host is not the file it shows."""
    return b"<!DOCTYPE html>\n<html><body>ch04_mt19937.ipynb</body></html>\n"
