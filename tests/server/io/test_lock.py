"""One server for each journal's file, whatever names lead to it, and whichever process asks."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from server.io import lock
from server.io.journal import CannotOpen
from server.io.sqlite import SqliteJournal
from tests.server.io.test_writer import Watched, moved

ROOT = Path(__file__).parents[3]
OPEN = """
import sys
from server.io.journal import CannotOpen
from server.io.sqlite import SqliteJournal
try:
    SqliteJournal(sys.argv[1]).close()
    print("opened")
except CannotOpen as no:
    print(no)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "conquest.db"


@pytest.fixture(params=[True, False], ids=["on the file", "beside the file"])
def where(request, monkeypatch):
    """Hold both kinds of systems to it, wherever the tests run."""
    monkeypatch.setattr(lock, "ON_FILE", request.param and lock.ON_FILE)
    return lock.ON_FILE


def kept(path):
    """Read a closed journal's entries by whatever name."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT stream, place FROM entry ORDER BY seq").fetchall()
    connection.close()
    return rows


def linked(path, kind):
    """Give a file a second name."""
    other = path.parent / "elsewhere" / "other.db"
    other.parent.mkdir()
    if kind == "symbolic":
        other.symlink_to(path)
    else:
        other.hardlink_to(path)
    return other


def tried_by_another_process(path, on_file):
    script = f"from server.io import lock\nlock.ON_FILE = {on_file}\n" + OPEN
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_a_second_process_is_kept_away_by_any_name(path, kind, where):
    first = Watched(path)
    other = linked(path, kind)
    said = tried_by_another_process(other, where)
    is_known = where or kind == "symbolic"
    assert said.startswith(f"Another server is using {other}" if is_known else "The journal")
    assert said != "opened"
    assert tried_by_another_process(path, where) == f"Another server is using {path}."
    first.until_durable(first.journal.append([moved(1, 0)]))
    first.journal.close()
    assert kept(path) == [(1, 0)]


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
@pytest.mark.usefixtures("where")
def test_a_second_server_in_the_same_process_is_kept_away_too_and_costs_the_first_nothing(path, kind):
    first = Watched(path)
    other = linked(path, kind)
    for name in (path, other):
        with pytest.raises(CannotOpen):
            SqliteJournal(str(name))
    # Had the refusals undone SQLite's own locks, this reader would think itself the last and remove the log.
    script = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM entry'); c.close()"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], timeout=60, check=True)
    assert path.with_name("conquest.db-wal").exists()
    first.until_durable(first.journal.append([moved(1, 0)]))
    first.journal.close()
    assert kept(path) == [(1, 0)]


def test_a_renamed_file_stays_locked(path):
    if not lock.ON_FILE:
        return
    first = SqliteJournal(str(path))
    path.rename(path.with_name("renamed.db"))
    assert "Another server is using" in tried_by_another_process(path.with_name("renamed.db"), True)
    first.close()


@pytest.mark.usefixtures("where")
def test_a_file_with_two_names_is_refused_even_when_nobody_uses_it(path):
    SqliteJournal(str(path)).close()
    other = linked(path, "hard")
    before = path.read_bytes()
    for name in (path, other):
        with pytest.raises(CannotOpen, match="has a second name"):
            SqliteJournal(str(name))
    assert path.read_bytes() == before
    other.unlink()
    SqliteJournal(str(path)).close()


@pytest.mark.usefixtures("where")
def test_a_symbolic_link_leads_to_the_journal_and_stays_a_link(path):
    other = path.with_name("other.db")
    other.symlink_to(path)
    watched = Watched(other)
    watched.until_durable(watched.journal.append([moved(1, 0)]))
    watched.journal.close()
    assert other.is_symlink()
    assert kept(path) == [(1, 0)]


def test_of_two_that_make_the_same_journal_the_second_is_kept_away(path):
    """The file that is made takes the place of an empty one, whose lock nobody else may get."""
    held = lock.lock(path, "one")
    draft = path.with_name("draft")
    draft.write_text("a journal")
    held = lock.replace(held, draft, path)
    with pytest.raises(CannotOpen, match="Another server is using two"):
        lock.lock(path, "two")
    lock.unlock(held)
    lock.unlock(lock.lock(path, "two"))
    assert path.read_text() == "a journal"


def test_nothing_stands_beside_a_file_that_is_locked_itself(path):
    SqliteJournal(str(path)).close()
    assert [file.name for file in path.parent.iterdir() if file.suffix == ".lock"] == (
        [] if lock.ON_FILE else ["conquest.db.lock"]
    )
    assert not os.path.lexists(path.with_name("conquest.db.new"))
