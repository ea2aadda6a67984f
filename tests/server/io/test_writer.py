"""What every journal keeps to, in a file or a database: durable in order, all or nothing, never dropped."""

import queue
import threading

import pytest

from server.core.entry import BEGUN, CREATED, MOVED, RETIRED, Entry, Fact
from server.io import writer
from server.io.opening import open_journal, read_history

PATIENCE_S = 20
CODE = "7K3M9QXZ"


class Watched:
    """A journal that was started, and what it reported."""

    def __init__(self, name, spoil=None):
        self.reports = queue.Queue()
        self.journal = open_journal(str(name))
        if spoil is not None:
            spoil(self.journal)
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

    def read(self, code, session=None):
        found = queue.Queue()
        self.journal.read(code, found.put, session)
        return found.get(timeout=PATIENCE_S)


@pytest.fixture(params=["sqlite", "postgres"])
def name(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "conquest.db")
    return request.getfixturevalue("database").url


@pytest.fixture
def watched(name):
    made = Watched(name)
    yield made
    made.journal.close()


@pytest.fixture
def _impatient(monkeypatch):
    monkeypatch.setattr(writer, "RETRY_S", 0.001)


def created(stream, code=CODE):
    return Entry(stream, 0, CREATED, {"code": code})


def moved(stream, place, **body):
    return Entry(stream, place, MOVED, body)


def kept(name):
    """Read a closed journal's entries, in the order in which they were written."""
    journal = open_journal(str(name))
    rows = [(stream, place) for stream, place, *_ in journal.lines()]
    journal.close()
    return rows


def around_commit(before):
    """Have something done before each commit of a journal."""

    def spoil(journal):
        really = journal._commit

        def commit(batch):
            before(journal)
            really(batch)

        journal._commit = commit

    return spoil


def test_tickets_count_from_one_and_become_durable_in_order(name, watched):
    journal = watched.journal
    assert [journal.append([moved(1, place)]) for place in range(50)] == list(range(1, 51))
    durable = []
    while not durable or durable[-1] < 50:
        kind, ticket = watched.next()
        assert kind == "durable"
        durable.append(ticket)
    assert durable == sorted(durable)
    journal.close()
    assert kept(name) == [(1, place) for place in range(50)]


def test_what_is_durable_can_be_read_by_another_process_at_once(name, watched):
    watched.until_durable(watched.journal.append([created(1), moved(1, 1)]))
    assert read_history(name, CODE) == [created(1), moved(1, 1)]


def test_everything_that_waits_goes_into_one_transaction(name):
    begun, may_go_on = threading.Event(), threading.Event()

    def wait(journal):
        if not begun.is_set():
            begun.set()
            assert may_go_on.wait(PATIENCE_S)

    watched = Watched(name, around_commit(wait))
    watched.journal.append([moved(1, 0)])
    assert begun.wait(PATIENCE_S)
    for place in range(1, 101):
        watched.journal.append([moved(1, place)])
    may_go_on.set()
    assert [watched.next(), watched.next()] == [("durable", 1), ("durable", 101)]
    assert watched.journal.commits == len(watched.journal.commit_times) == 2
    watched.journal.close()
    assert kept(name) == [(1, place) for place in range(101)]


@pytest.mark.parametrize("rows", [1, 2, 3, 63, 64, 65, 127, 200])
def test_any_number_of_writes_fits_into_a_transaction(name, watched, rows):
    writes = [moved(1, place, number=place) for place in range(rows)]
    watched.until_durable(watched.journal.append([*writes, Fact("session:1", {"name": "Anna"})]))
    watched.journal.close()
    assert kept(name) == [(1, place) for place in range(rows)]


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


def test_a_move_waits_for_no_read(watched):
    reported, may_go_on = watched.reports, threading.Event()

    def slow(entries):
        reported.put("read")
        assert may_go_on.wait(PATIENCE_S)

    for _ in range(3):
        watched.journal.read(CODE, slow)
    assert watched.next() == "read"
    ticket = watched.journal.append([moved(1, 0)])
    assert watched.next() == ("durable", ticket)
    may_go_on.set()
    assert [watched.next() for _ in range(2)] == ["read", "read"]


def test_a_history_is_read_to_its_end_only_for_those_who_had_a_seat(watched, monkeypatch):
    begun = Entry(1, 1, BEGUN, {"seats": [5, 6]})
    watched.journal.append([created(1), begun, moved(1, 2), moved(1, 3)])
    asked, history = [], watched.journal.history
    monkeypatch.setattr(
        watched.journal, "history", lambda code, most=None: asked.append(most) or history(code, most)
    )
    assert len(watched.read(CODE, 6)) == 4
    assert watched.read(CODE, 7) == watched.read("CCCCCCCC", 6) == []
    assert asked == [2, None, 2, 2]


def test_what_nobody_wants_any_more_is_not_read(watched):
    watched.journal.append([created(1)])
    answered = []
    watched.journal.read(CODE, answered.append, is_wanted=lambda: False)
    assert len(watched.read(CODE)) == 1
    assert answered == []


def test_closing_writes_what_is_pending(name):
    watched = Watched(name)
    for place in range(20):
        watched.journal.append([moved(1, place)])
    watched.journal.close()
    assert kept(name) == [(1, place) for place in range(20)]


def test_a_journal_that_was_only_read_can_be_closed(name):
    journal = open_journal(name)
    assert journal.history(CODE) == []
    journal.close()


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("failures", [1, 5])
def test_a_batch_that_fails_is_reported_once_and_kept_in_the_end(name, failures):
    left = [failures]

    def fail(journal):
        if left[0]:
            left[0] -= 1
            raise journal.failures("no room.\nTry elsewhere.")

    watched = Watched(name, around_commit(fail))
    ticket = watched.journal.append([created(1), moved(1, 1), Fact("session:1", {"name": "Anna"})])
    assert [watched.next(), watched.next()] == [("stalled", "no room"), ("durable", ticket)]
    left[0] = 1
    ticket = watched.journal.append([moved(1, 2)])
    assert [watched.next(), watched.next()] == [("stalled", "no room"), ("durable", ticket)]
    watched.journal.close()
    assert kept(name) == [(1, 0), (1, 1), (1, 2)]


@pytest.mark.usefixtures("_impatient")
def test_closing_gives_up_what_cannot_be_kept(name):
    def fail(journal):
        raise journal.failures("no room")

    watched = Watched(name, around_commit(fail))
    watched.journal.append([created(1)])
    assert watched.next()[0] == "stalled"
    watched.journal.close()
    assert watched.reports.empty()
    assert kept(name) == []


def test_what_was_kept_comes_back_to_the_last_byte(name):
    watched = Watched(name)
    writes = [created(7), moved(7, 1, text="Ä\x00\n", data=b"\x00\xff"), Fact("k", {"n": 2**63})]
    watched.until_durable(watched.journal.append(writes))
    watched.journal.close()
    journal = open_journal(name)
    assert list(journal.live()) == [writes[:2]]
    assert list(journal.facts()) == writes[2:]
    assert journal.size() == 3
    journal.close()


def test_nothing_is_kept_of_a_match_that_never_began(name, watched):
    journal = watched.journal
    watched.until_durable(journal.append([created(1, "AAAAAAAA"), created(2, "BBBBBBBB")]))
    journal.append(
        [Entry(1, 1, RETIRED, {}), created(3, "CCCCCCCC"), Entry(3, 1, RETIRED, {}), Fact("a", {})]
    )
    watched.until_durable(journal.append([moved(2, 1)]))
    journal.close()
    assert kept(name) == [(2, 0), (2, 1)]
