"""Hypothesis's tables of characters, made once on a machine and given to sandboxes.

Making them takes seconds, reading them takes none.
"""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from pathlib import Path

from autograder.course import hypothesis_dir

__all__ = ["characters"]

# In a process of its own: this one may have tables already, and would not write them again.
MAKE = """
import sys
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.internal.charmap import charmap
set_hypothesis_home_dir(sys.argv[1])
charmap()
"""


def characters() -> Path:
    """The folder with the tables."""
    folder = hypothesis_dir() / "unicode_data"
    if not (folder / unicodedata.unidata_version).is_dir():
        subprocess.run([sys.executable, "-c", MAKE, str(hypothesis_dir())], check=True)
    return folder
