"""Reads /proc: command lines, environments, open files and maps of this process and the others.

Must come of it: nothing. None of it tells one implementation from another.
"""

import os
from pathlib import Path

import pytest

WORDS = (b"mutant", b"planted", b"variant=", b"pitfall")
FILES = ("cmdline", "environ", "comm", "maps", "mountinfo", "status", "cgroup", "wchan", "stat")


def processes():
    """The folders of at most two hundred processes; none where /proc is not to be seen."""
    try:
        names = sorted(os.listdir("/proc"))
    except OSError:
        return []
    return ["self", "thread-self", *[name for name in names if name.isdigit()][:200]]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read(100_000)
    except OSError:
        return b""


@pytest.mark.parametrize("name", FILES)
def test_no_process_tells(name):
    """One file of each process."""
    for process in processes():
        text = read(f"/proc/{process}/{name}").lower()
        own = os.fsencode(Path(__file__).name).lower()
        text = b"" if own in text else text  # a test runner's own command line names this file
        assert not any(word in text for word in WORDS), (process, name)


def test_no_open_file_tells():
    """Where the file descriptors of each process lead to."""
    for process in processes():
        folder = Path("/proc", process, "fd")
        try:
            links = [os.readlink(entry) for entry in folder.iterdir()]
        except OSError:
            continue
        assert not any("/mutants/" in link or "llmdata/rand" in link for link in links)
