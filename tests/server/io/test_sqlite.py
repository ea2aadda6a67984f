"""The journal on disk: durable in order, all or nothing, never dropped."""

import queue
import sqlite3
import threading

import pytest

from server.core.entry import BEGUN, CREATED, MOVED, RETIRED, Entry, Fact
from server.io import writer
from server.io.sqlite import SqliteJournal

PATIENCE_S = 20
CODE = "7K3M9QXZ"


class Watched:
    """A journal that was started, and what it reported."""

    def __init__(self, path, connection=None):
        self.reports = queue.Queue()
        self.journal = SqliteJournal(str(path))
        if connection is not None:
            self.journal._connection = connection(self.journal._connection)
        self.journal.start(
            lambda ticket: self.reports.put(("durable", ticket)),
            lambda reason: self.reports.put(("stalled", reason)),
            lambda fault: self.reports.put(("died", fault)),
        )

    def next(self):
        return self.reports.get(timeout=PATIENCE_S)

    def until_durable(self, ticket):
        while self.next() != ("durable", ticket):
            pass

    def read(self, code):
        found = queue.Queue()
        self.journal.read(code, found.put)
        return found.get(timeout=PATIENCE_S)


class Wrapped:
    """A connection of which the test can spoil what is executed."""

    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        return getattr(self._connection, name)


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


def created(stream, code=CODE):
    return Entry(stream, 0, CREATED, {"code": code})


def moved(stream, place, **body):
    return Entry(stream, place, MOVED, body)


def kept(path):
    """Read a closed journal's entries, in the order in which they were written."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT stream, place FROM entry ORDER BY seq").fetchall()
    connection.close()
    return rows


def test_tickets_count_from_one_and_become_durable_in_order(path, watched):
    journal = watched.journal
    assert [journal.append([moved(1, place)]) for place in range(50)] == list(range(1, 51))
    durable = []
    while not durable or durable[-1] < 50:
        kind, ticket = watched.next()
        assert kind == "durable"
        durable.append(ticket)
    assert durable == sorted(durable)
    journal.close()
    assert kept(path) == [(1, place) for place in range(50)]


def test_what_is_durable_can_be_read_by_another_process_at_once(path, watched):
    watched.until_durable(watched.journal.append([created(1), moved(1, 1)]))
    assert kept(path) == [(1, 0), (1, 1)]


def test_the_disk_is_asked_to_keep_every_commit(watched):
    connection = watched.journal._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


def test_everything_that_waits_goes_into_one_transaction(path):
    begun, may_go_on = threading.Event(), threading.Event()

    class Slow(Wrapped):
        def execute(self, statement, *values):
            if statement == "COMMIT" and not begun.is_set():
                begun.set()
                assert may_go_on.wait(PATIENCE_S)
            return self._connection.execute(statement, *values)

    watched = Watched(path, Slow)
    watched.journal.append([moved(1, 0)])
    assert begun.wait(PATIENCE_S)
    for place in range(1, 101):
        watched.journal.append([moved(1, place)])
    may_go_on.set()
    assert [watched.next(), watched.next()] == [("durable", 1), ("durable", 101)]
    assert watched.journal.commits == len(watched.journal.commit_times) == 2
    watched.journal.close()
    assert kept(path) == [(1, place) for place in range(101)]


@pytest.mark.parametrize("rows", [1, 2, 3, 63, 64, 65, 127, 200])
def test_any_number_of_writes_fits_into_a_transaction(path, watched, rows):
    writes = [moved(1, place, number=place) for place in range(rows)]
    watched.until_durable(watched.journal.append([*writes, Fact("session:1", {"name": "Anna"})]))
    watched.journal.close()
    assert kept(path) == [(1, place) for place in range(rows)]


def test_a_fact_replaces_the_one_before_it_and_none_takes_it_away(watched):
    journal = watched.journal
    journal.append([Fact("a", {"n": 1}), Fact("b", {"n": 1}), Fact("c", {"n": 1})])
    watched.until_durable(journal.append([Fact("b", {"n": 2}), Fact("c", None)]))
    assert list(journal.facts()) == [Fact("a", {"n": 1}), Fact("b", {"n": 2})]


def test_live_gives_whole_histories_of_what_was_not_put_away_oldest_first(watched):
    journal = watched.journal
    journal.append([created(5, "AAAAAAAA"), created(3, "BBBBBBBB"), created(4, "CCCCCCCC")])
    journal.append([Entry(3, 1, BEGUN, {"seats": [1, 2]}), moved(5, 1, n=1), moved(3, 2, n=2)])
    watched.until_durable(journal.append([Entry(5, 2, RETIRED, {})]))
    assert list(journal.live()) == [
        [created(3, "BBBBBBBB"), Entry(3, 1, BEGUN, {"seats": [1, 2]}), moved(3, 2, n=2)],
        [created(4, "CCCCCCCC")],
    ]


def test_live_of_an_empty_journal_is_nothing(watched):
    assert list(watched.journal.live()) == []


def test_a_history_is_found_by_code_whether_live_or_put_away(watched):
    journal = watched.journal
    journal.append([created(1, "AAAAAAAA"), created(2, "BBBBBBBB"), moved(1, 1), moved(2, 1)])
    watched.until_durable(journal.append([Entry(1, 2, RETIRED, {}), moved(2, 2)]))
    assert watched.read("AAAAAAAA") == [created(1, "AAAAAAAA"), moved(1, 1), Entry(1, 2, RETIRED, {})]
    assert watched.read("BBBBBBBB") == [created(2, "BBBBBBBB"), moved(2, 1), moved(2, 2)]
    assert watched.read("CCCCCCCC") == []


def test_a_code_that_was_used_again_means_the_newest_match(watched):
    watched.journal.append([created(9), Entry(9, 1, RETIRED, {})])
    watched.journal.append([created(2), moved(2, 1)])
    assert watched.read(CODE) == [created(2), moved(2, 1)]


def test_a_read_sees_everything_that_was_appended_before_it(watched):
    for place in range(30):
        watched.journal.append([created(1) if place == 0 else moved(1, place)])
        assert len(watched.read(CODE)) == place + 1


def test_a_move_waits_for_one_read_at_the_most(watched):
    reported, may_go_on = watched.reports, threading.Event()

    def slow(entries):
        reported.put("read")
        assert may_go_on.wait(PATIENCE_S)

    watched.journal.read(CODE, slow)
    assert watched.next() == "read"
    for _ in range(3):
        watched.journal.read(CODE, slow)
    ticket = watched.journal.append([moved(1, 0)])
    may_go_on.set()
    assert [watched.next() for _ in range(4)] == [("durable", ticket), "read", "read", "read"]


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

    watched = Watched(path, Failing)
    ticket = watched.journal.append([created(1), moved(1, 1), Fact("session:1", {"name": "Anna"})])
    assert watched.next() == ("stalled", "disk I/O error")
    assert watched.next() == ("durable", ticket)
    watched.journal.append([moved(1, 2)])
    assert watched.next() == ("durable", ticket + 1)
    watched.journal.close()
    assert kept(path) == [(1, 0), (1, 1), (1, 2)]


@pytest.mark.usefixtures("_impatient")
def test_each_new_stall_is_reported_again(path, watched):
    connection = watched.journal._connection
    for place in range(3):
        connection.execute("PRAGMA query_only=ON")
        ticket = watched.journal.append([moved(1, place)])
        assert watched.next()[0] == "stalled"
        connection.execute("PRAGMA query_only=OFF")
        assert watched.next() == ("durable", ticket)


def test_closing_writes_what_is_pending(path):
    watched = Watched(path)
    for place in range(20):
        watched.journal.append([moved(1, place)])
    watched.journal.close()
    assert kept(path) == [(1, place) for place in range(20)]


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


def test_a_journal_that_was_only_read_can_be_closed(path):
    journal = SqliteJournal(str(path))
    assert journal.history(CODE) == []
    journal.close()
