"""What can be known of Windows elsewhere: without what only POSIX has, ``ol`` starts, does all that
needs no sandbox, and says where to grade."""

import subprocess
import sys

import pytest

WITHOUT_POSIX = """
import os, subprocess, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
del os.fork
from autograder.cli import main
main()
"""


@pytest.mark.parametrize(("words", "code", "said"), [
    ("status", 0, "Next: ol start ch01"),
    ("start ch04", 0, "is ready"),
    ("hint randint32", 0, "hint 1 of 3"),
    ("check ch04 --solutions", 3, "Run ol in WSL"),
])
def test_without_what_only_posix_has(words, code, said, tmp_path, monkeypatch):
    """No module that Windows lacks is imported, and what forks says so."""
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    done = subprocess.run(
        [sys.executable, "-P", "-c", WITHOUT_POSIX, *words.split()],
        capture_output=True, text=True, check=False,
    )
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True), done
