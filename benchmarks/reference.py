"""The course's own code of a chapter: as a module to time, or as a package for other processes."""

from __future__ import annotations

import bz2
import json
import sys
import types
from pathlib import Path

from autograder.carry import Deps, chapters_below, needed
from autograder.contract import load, reference_module
from autograder.course import Chapter, find, root
from autograder.package import ExportedModule, write_package

__all__ = ["gpt2_json", "reference", "reference_package"]


def reference(name: str) -> types.ModuleType:
    """The module of the chapter that ``name`` means, with those that it needs importable."""
    chapter = find(name)
    package = sys.modules.setdefault("llmdata", types.ModuleType("llmdata"))
    package.__path__ = []
    for module in (*needed(chapter, Deps.REFERENCE).modules, reference_module(chapter)):
        made = sys.modules[module.name] = types.ModuleType(module.name)
        for cell in module.cells:
            exec(compile(cell.source, f"{module.name} ({cell.name})", "exec"), vars(made))
    return made


def _exported(chapter: Chapter, bonus: bool) -> ExportedModule:
    left_out = {part.name for part in load(chapter).parts if part.bonus and not bonus}
    names = tuple(sorted(set(load(chapter).names) - left_out))
    cells = tuple(
        cell for cell in reference_module(chapter).cells
        if cell.name.removeprefix("solve-") not in left_out
    )
    return ExportedModule(chapter.module, chapter.slug, chapter.title, cells, names, ())


def reference_package(name: str, folder: Path, bonus: bool = True) -> None:
    """Write the package ``llmdata`` of the chapter that ``name`` means and those below into
    ``folder``, as ``ol export`` would, or as it would for somebody who left out each bonus."""
    chapter = find(name)
    below = chapters_below(chapter)
    write_package(folder, [_exported(each, bonus) for each in (*below, chapter)])


def gpt2_json(tokenizer: types.ModuleType) -> bytes:
    """GPT-2's tokenizer.json, of the merges in fixtures/gpt2; ``tokenizer`` is chapter 3's."""
    packed = (root() / "fixtures" / "gpt2" / "vocab.bpe.bz2").read_bytes()
    merges = bz2.decompress(packed).decode().splitlines()[1:]
    letters = sorted(tokenizer.byte_characters(), key=lambda c: (ord(c) > 255, ord(c)))
    tokens = [*letters, *(merge.replace(" ", "") for merge in merges)]
    return json.dumps({
        "added_tokens": [{"id": len(tokens), "content": "<|endoftext|>"}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
        "model": {"type": "BPE", "vocab": {token: n for n, token in enumerate(tokens)},
                  "merges": merges},
    }).encode()
