"""Files are replaced whole, and their folder is synced: a power cut takes no new file back."""

import os
import stat

import pytest

from protocol.process.file import write_whole


def test_the_file_is_synced_before_it_has_its_name_and_its_folder_after(tmp_path, monkeypatch):
    path, done = tmp_path / "new" / "token", []
    sync, replace = os.fsync, type(path).replace

    def note_sync(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        done.append("folder" if is_folder else "file")
        sync(descriptor)

    def note_replace(draft, target):
        done.append("name")
        return replace(draft, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(type(path), "replace", note_replace)
    write_whole(path, b"secret")
    assert done == ["file", "name", "folder"]
    assert path.read_bytes() == b"secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "token"
    write_whole(path, b"old")

    def fail(descriptor):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        write_whole(path, b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]
