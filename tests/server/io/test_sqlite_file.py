"""The file of a journal: its owner's only, one server's at a time; one that is no journal is not touched."""

import os
import shutil
import sqlite3
import stat

import pytest

from server.core.entry import Fact
from server.io.journal import IN_MEMORY, CannotOpen
from server.io.sqlite import SqliteJournal, read_history
from server.io.sqlite_file import APPLICATION_ID, back_up
from tests.server.io.test_writer import CODE, Watched, created, moved


@pytest.fixture
def path(tmp_path):
    return tmp_path / "conquest.db"


def test_only_the_owner_may_read_the_files(path):
    before = os.umask(0)
    try:
        watched = Watched(path)
        watched.until_durable(watched.journal.append([moved(1, 0)]))
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        watched.journal.close()
    finally:
        os.umask(before)
    assert set(modes) >= {"conquest.db", "conquest.db-wal"}
    assert set(modes.values()) == {0o600}


def test_a_file_that_others_could_read_is_closed_to_them(path):
    SqliteJournal(str(path)).close()
    path.chmod(0o644)
    SqliteJournal(str(path)).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_new_journal_is_on_disk_under_its_name_before_anything_is_written_to_it(path, monkeypatch):
    synced, sync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file)) or sync(file))
    SqliteJournal(str(path)).close()
    assert [each.st_ino for each in synced] == [path.parent.stat().st_ino]


def test_no_folders_are_made(tmp_path):
    with pytest.raises(CannotOpen, match=f"There is no folder {tmp_path / 'a'} for the journal"):
        SqliteJournal(str(tmp_path / "a" / "conquest.db"))
    assert not list(tmp_path.iterdir())


def test_in_memory_nothing_is_kept_and_nothing_is_locked():
    one, other = Watched(IN_MEMORY), Watched(IN_MEMORY)
    one.until_durable(one.journal.append([created(1)]))
    assert (len(one.read(CODE)), len(other.read(CODE))) == (1, 0)
    one.journal.close()
    other.journal.close()


def test_a_second_server_is_kept_away_until_the_first_has_gone(path):
    first = SqliteJournal(str(path))
    with pytest.raises(CannotOpen, match=r"Another server is using .*conquest\.db\."):
        SqliteJournal(str(path))
    first.close()
    SqliteJournal(str(path)).close()


def foreign(kind):
    if kind == "text":
        return b"Dear diary, " * 100
    if kind == "short":
        return b"x"
    if kind == "cut off":
        return b"SQLite format 3\0"
    if kind == "noise":
        return bytes(range(256)) * 64
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["text", "short", "cut off", "noise"])
def test_a_file_that_is_no_journal_is_refused_and_not_touched(path, kind):
    path.write_bytes(foreign(kind))
    path.chmod(0o644)
    with pytest.raises(CannotOpen, match="is not a Conquest journal"):
        SqliteJournal(str(path))
    assert path.read_bytes() == foreign(kind)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert not (path.parent / "conquest.db-wal").exists()


def test_the_database_of_another_program_is_refused_and_not_touched(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipe(name)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CannotOpen, match="is not a Conquest journal"):
        SqliteJournal(str(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, 2, 7])
def test_a_journal_of_another_version_is_refused_and_not_touched(path, version):
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={version}")
        connection.execute("CREATE TABLE entry(something)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CannotOpen, match=f"another version of Conquest .its format is {version}"):
        SqliteJournal(str(path))
    assert path.read_bytes() == before


def refusal_of(path):
    """Try to open a journal, let go of everything that the attempt had open, and return why not."""
    try:
        SqliteJournal(str(path))
    except CannotOpen as no:
        return str(no)
    raise AssertionError("it was opened")


def crashed_copy(path, folder):
    """Copy the files of a journal in use, as a crash would leave them."""
    watched = Watched(path)
    for place in range(300):
        watched.journal.append([created(1) if place == 0 else moved(1, place, text="x" * 100)])
    watched.until_durable(300)
    folder.mkdir()
    for name in ("conquest.db", "conquest.db-wal"):
        shutil.copy(path.parent / name, folder / name)
    watched.journal.close()
    return folder / "conquest.db"


def test_after_a_crash_everything_durable_is_there(path, tmp_path):
    copy = crashed_copy(path, tmp_path / "crashed")
    journal = SqliteJournal(str(copy))
    assert len(journal.history(CODE)) == 300
    journal.close()


def test_a_damaged_journal_is_reported_and_not_changed(path, tmp_path):
    watched = Watched(path)
    for place in range(300):
        watched.journal.append([created(1) if place == 0 else moved(1, place, text="x" * 100)])
    watched.until_durable(300)
    watched.journal.close()
    damaged = bytearray(path.read_bytes())
    damaged[4096 * 3 : 4096 * 4] = b"\xff" * 4096
    path.write_bytes(damaged)
    with pytest.raises(CannotOpen, match=r"[iI]t was not changed\."):
        SqliteJournal(str(path))
    assert path.read_bytes() == damaged


def test_a_damaged_journal_of_a_server_that_crashed_is_not_tidied_up_either(path, tmp_path):
    copy = crashed_copy(path, tmp_path / "crashed")
    damaged = bytearray(copy.read_bytes())
    damaged[4096:] = b"\xff" * (len(damaged) - 4096)
    copy.write_bytes(damaged)
    log = copy.with_name("conquest.db-wal")
    before = log.read_bytes()
    assert "not changed" in refusal_of(copy)
    assert copy.read_bytes() == damaged
    assert log.read_bytes() == before


def test_a_refused_file_is_not_left_locked(path):
    path.write_bytes(b"Dear diary")
    for _ in range(2):
        with pytest.raises(CannotOpen, match="is not a Conquest journal"):
            SqliteJournal(str(path))
    path.unlink()
    SqliteJournal(str(path)).close()


def test_damage_inside_a_body_costs_that_entry_only(path):
    watched = Watched(path)
    journal = watched.journal
    journal.append([created(1, "AAAAAAAA"), created(2, "BBBBBBBB"), Fact("session:1", {"name": "Anna"})])
    watched.until_durable(journal.append([moved(1, 1, n=1), moved(2, 1, n=2)]))
    journal.close()
    for body in (b"\xc1", b"", b"\x93\x01\x02\x03", b"\xa3abc", b"\x81\x90\x01"):
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE entry SET body = ? WHERE stream = 1 AND place = 1", (body,))
            connection.execute("UPDATE record SET body = ?", (body,))
        connection.close()
        journal = SqliteJournal(str(path))
        assert list(journal.live()) == [
            [created(1, "AAAAAAAA"), moved(1, 1)],
            [created(2, "BBBBBBBB"), moved(2, 1, n=2)],
        ]
        assert list(journal.facts()) == [Fact("session:1", {})]
        assert journal.history("AAAAAAAA")[1] == moved(1, 1)
        journal.close()


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for impossible in (tmp_path / "file" / "conquest.db", tmp_path):
        with pytest.raises(CannotOpen, match=rf"The journal {impossible} cannot be opened: .+\."):
            SqliteJournal(str(impossible))


def test_a_read_only_file_is_named(path, monkeypatch):
    SqliteJournal(str(path)).close()
    really = os.open

    def refuse(target, flags, *mode):
        if str(target) == str(path) and flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied")
        return really(target, flags, *mode)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CannotOpen, match="cannot be opened: Permission denied"):
        SqliteJournal(str(path))


@pytest.mark.parametrize("nothing", ["", "  "])
def test_a_journal_without_a_name_is_refused_and_leaves_nothing_behind(nothing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotOpen, match="needs the name of a file"):
        SqliteJournal(nothing)
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_found_no_room_to_be_made_holds_no_match(tmp_path):
    (tmp_path / "full.db").touch()
    assert read_history(str(tmp_path / "full.db"), "ABCDEFGH") == []


def test_a_copy_is_on_disk_before_it_has_its_name_and_its_folder_after(path, tmp_path, monkeypatch):
    SqliteJournal(str(path)).close()
    synced, sync, copy = [], os.fsync, tmp_path / "copy.db"
    monkeypatch.setattr(
        os, "fsync", lambda file: synced.append((os.fstat(file), copy.exists())) or sync(file)
    )
    back_up(str(path), copy)
    assert [(stat.S_ISDIR(found.st_mode), is_there) for found, is_there in synced] == [
        (False, False),
        (True, True),
    ]
    assert read_history(str(copy), "00000000") == []
