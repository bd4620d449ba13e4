"""Files appear whole or not at all."""

import os

import pytest

from autograder import files
from autograder.course import CourseError


def test_write_replaces_whole(tmp_path):
    """The new content stands under the name, and nothing else is left in the folder."""
    path = tmp_path / "new" / "a.txt"
    files.write(path, "one")
    files.write(path, b"two")

    assert path.read_bytes() == b"two"
    assert os.listdir(path.parent) == ["a.txt"]


def test_failed_write_changes_nothing(tmp_path, monkeypatch):
    """When the last step fails, the old content stays and no temporary file is left."""
    path = tmp_path / "a.txt"
    files.write(path, "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CourseError, match="No space left"):
        files.write(path, "new")

    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_backup_names_never_collide(tmp_path):
    """Two backups within one second get two names."""
    path = tmp_path / "ch04.ipynb"
    first = files.backup_name(path)
    first.touch()

    assert files.backup_name(path) != first
