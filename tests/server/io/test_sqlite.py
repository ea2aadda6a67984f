"""The journal in SQLite, by the disk's own troubles; what all journals keep to is in `test_writer.py`."""

import sqlite3
import threading

import pytest

from server.core.entry import RETIRED, Entry, Fact
from server.io import sqlite, writer
from server.io.sqlite import SqliteJournal
from tests.server.io.test_writer import CODE, PATIENCE_S, Watched, created, kept, moved


class Wrapped:
    """A connection of which the test can spoil what is executed."""

    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        return getattr(self._connection, name)


def wrapped_in(wrapper):
    """Put something between a journal and its connection."""

    def spoil(journal):
        journal._connection = wrapper(journal._connection)

    return spoil


@pytest.fixture
def path(tmp_path):
    return tmp_path / "conquest.db"


@pytest.fixture
def watched(path):
    made = Watched(path)
    yield made
    made.journal.close()


@pytest.fixture
def _impatient(monkeypatch):
    monkeypatch.setattr(writer, "RETRY_S", 0.001)


def test_the_disk_is_asked_to_keep_every_commit(watched):
    connection = watched.journal._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


@pytest.mark.usefixtures("_impatient")
def test_a_full_disk_is_reported_once_and_nothing_is_lost_when_there_is_room_again(path, watched):
    journal, connection = watched.journal, watched.journal._connection
    watched.until_durable(journal.append([created(1)]))
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages + 1}")
    journal.append([moved(1, 1, text="x" * 20_000)])
    kind, reason = watched.next()
    assert (kind, reason) == ("stalled", "database or disk is full")
    last = [journal.append([moved(1, place)]) for place in range(2, 10)][-1]
    assert watched.reports.empty()
    connection.execute("PRAGMA max_page_count=100000")
    watched.until_durable(last)
    journal.close()
    assert kept(path) == [(1, place) for place in range(10)]


@pytest.mark.usefixtures("_impatient")
def test_a_disk_that_becomes_read_only_is_reported_and_waited_for(path, watched):
    journal, connection = watched.journal, watched.journal._connection
    connection.execute("PRAGMA query_only=ON")
    ticket = journal.append([moved(1, 0)])
    assert watched.next() == ("stalled", "attempt to write a readonly database")
    connection.execute("PRAGMA query_only=OFF")
    assert watched.next() == ("durable", ticket)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "INSERT", "COMMIT"])
@pytest.mark.parametrize("failures", [1, 5])
def test_a_batch_that_fails_is_tried_again_whole_and_kept_once(path, statement, failures):
    left = [failures]

    class Failing(Wrapped):
        def execute(self, text, *values):
            if text.startswith(statement) and left[0]:
                left[0] -= 1
                raise sqlite3.OperationalError("disk I/O error")
            return self._connection.execute(text, *values)

    watched = Watched(path, wrapped_in(Failing))
    ticket = watched.journal.append([created(1), moved(1, 1), Fact("session:1", {"name": "Anna"})])
    assert watched.next() == ("stalled", "disk I/O error")
    assert watched.next() == ("durable", ticket)
    watched.journal.append([moved(1, 2)])
    assert watched.next() == ("durable", ticket + 1)
    watched.journal.close()
    assert kept(path) == [(1, 0), (1, 1), (1, 2)]


def test_a_match_that_never_began_leaves_nothing_behind_and_its_space_is_used_again(path, watched):
    journal, sizes = watched.journal, []
    rows = journal._connection.execute
    for stream in range(1000):
        ticket = journal.append([created(stream)])
        if stream >= 50:
            ticket = journal.append([Entry(stream - 50, 1, RETIRED, {})])
        if stream % 100 == 99:
            watched.until_durable(ticket)
            rows("PRAGMA wal_checkpoint(TRUNCATE)")
            sizes.append(path.stat().st_size)
    assert len(set(sizes[1:])) == 1, "it does not grow"
    assert rows("SELECT count(*) FROM entry").fetchone() == (50,)


def test_a_read_without_end_does_not_keep_a_journal_from_closing(path, watched, monkeypatch):
    for_ever = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    has_begun = threading.Event()

    def endless(connection, *_):
        has_begun.set()
        return connection.execute(for_ever).fetchall()

    monkeypatch.setattr(sqlite, "_history", endless)
    watched.journal.append([created(1)])
    watched.journal.read(CODE, lambda entries: None)
    assert has_begun.wait(PATIENCE_S)
    # It may not have come to SQLite yet, which forgets an interruption that comes before.
    closing = threading.Thread(target=watched.journal.close)
    closing.start()
    while closing.is_alive():
        watched.journal._give_up_reading()
        closing.join(0.05)
    assert kept(path) == [(1, 0)]


def played(journal, stream, code, others):
    """Play a match among others, and put it away."""
    journal.append([created(stream, code)])
    for place in range(1, 20):
        journal.append([moved(stream, place), *(moved(other, place) for other in others)])
    journal.append([Entry(stream, 20, RETIRED, {"reason": "resigned"})])


@pytest.mark.parametrize("is_known", [True, False], ids=["known rows", "rows of another file"])
def test_a_history_is_read_by_index_and_no_scan(watched, is_known):
    journal = watched.journal
    journal.append([created(number, f"0000000{number}") for number in range(2, 6)])
    played(journal, 1, CODE, range(2, 6))
    watched.until_durable(journal.append([moved(2, 20)]))
    if not is_known:
        journal._connection.execute("UPDATE entry SET seq = seq + 1000000")
    plans, read = [], journal._reading

    class Explained:
        def execute(self, query, values=()):
            plans.extend(row[3] for row in read.execute(f"EXPLAIN QUERY PLAN {query}", values))
            return read.execute(query, values)

    journal._reading = Explained()
    try:
        history = journal.history(CODE)
    finally:
        journal._reading = read
    assert [entry.place for entry in history] == list(range(21))
    assert history[-1].body == {"reason": "resigned"}
    assert all(plan.startswith("SEARCH") for plan in plans)
    assert any("entry_ends (stream=? AND kind=?)" in plan for plan in plans)
    if is_known:
        assert "rowid>" not in "".join(plans), "nobody else's entries are looked at"


@pytest.mark.usefixtures("_impatient")
def test_each_new_stall_is_reported_again(path, watched):
    connection = watched.journal._connection
    for place in range(3):
        connection.execute("PRAGMA query_only=ON")
        ticket = watched.journal.append([moved(1, place)])
        assert watched.next()[0] == "stalled"
        connection.execute("PRAGMA query_only=OFF")
        assert watched.next() == ("durable", ticket)


@pytest.mark.usefixtures("_impatient")
def test_closing_gives_up_on_a_disk_that_refuses_and_leaves_the_file_sound(path):
    watched = Watched(path)
    watched.until_durable(watched.journal.append([created(1)]))
    watched.journal._connection.execute("PRAGMA query_only=ON")
    watched.journal.append([moved(1, 1)])
    assert watched.next()[0] == "stalled"
    watched.journal.close()
    assert watched.reports.empty()
    journal = SqliteJournal(str(path))
    assert journal.history(CODE) == [created(1)]
    journal.close()
