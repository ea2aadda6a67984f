"""The journal in PostgreSQL: one owner, no commit less than durable, none lost or made twice in the dark."""

import os
import queue
import signal
import subprocess
import sys

import pytest

from protocol.process.supervision import start_thread
from server.core.entry import RETIRED, Entry, Fact
from server.io.journal import CannotOpen, JournalLost
from server.io.opening import open_journal, read_history
from tests import postgres as service
from tests.server.io.test_writer import CODE, PATIENCE_S, Watched, created, kept, moved

if service.why_not():
    pytest.skip(service.why_not(), allow_module_level=True)

import psycopg

from server.io import database as connecting
from server.io import lease, postgres, writer
from server.io.postgres import PostgresJournal

FENCED = "Another server has taken .* over"


@pytest.fixture
def url(database):
    return database.url


@pytest.fixture(autouse=True)
def _brisk(monkeypatch):
    monkeypatch.setattr(writer, "RETRY_S", 0.001)
    monkeypatch.setattr(lease, "LOOK_S", 0.01)
    set_lease(monkeypatch, 30, 3600)


def set_lease(monkeypatch, lease_s, beat_s):
    monkeypatch.setattr(lease, "LEASE_S", lease_s)
    monkeypatch.setattr(lease, "BEAT_S", beat_s)
    monkeypatch.setattr(PostgresJournal, "beat_s", beat_s)


def in_background(work):
    """Do something in a thread; return where its result, or what it raised, will be."""
    result = queue.Queue()
    start_thread(lambda: result.put(work()), "background", result.put)
    return result


def waiting_for_lock(database):
    """Wait until some statement waits for a lock."""
    while not database.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
        pass


# One owner.


def test_a_second_server_is_refused_while_the_first_is_alive(monkeypatch, url):
    set_lease(monkeypatch, 30, 0.05)
    first = Watched(url)
    with pytest.raises(
        CannotOpen, match=r"^Another server is using postgresql://conquest@127.0.0.1:\d+/postgres\.$"
    ):
        open_journal(url)
    first.until_durable(first.journal.append([created(1)]))
    first.journal.close()


def test_an_owner_that_ends_in_order_hands_over_at_once(monkeypatch, url):
    set_lease(monkeypatch, 3600, 0.05)
    epochs = []
    for _ in range(3):
        journal = open_journal(url)
        epochs.append(journal.epoch)
        journal.close()
    assert epochs == sorted(set(epochs))


def test_of_two_servers_that_race_one_gets_the_journal(monkeypatch, url):
    set_lease(monkeypatch, 30, 0.05)
    results = [in_background(lambda: Watched(url)) for _ in range(2)]
    found = [result.get(timeout=PATIENCE_S) for result in results]
    assert sorted(type(each).__name__ for each in found) == ["CannotOpen", "Watched"]
    for each in found:
        if isinstance(each, Watched):
            each.journal.close()


def taken_over(monkeypatch, url):
    """Let a lease run out; return the owner that slept, and the new one."""
    set_lease(monkeypatch, 0.1, 3600)
    sleeper = Watched(url)
    sleeper.until_durable(sleeper.journal.append([created(1)]))
    # The one that takes over waits until the lease has ended.
    return sleeper, Watched(url)


def an_owner_that_slept_acknowledges_nothing(monkeypatch, url):
    sleeper, owner = taken_over(monkeypatch, url)
    try:
        assert list(owner.journal.live()) == [[created(1)]]
        sleeper.journal.append([moved(1, 1), Fact("alive", {"at": 1})])
        kind, fault = sleeper.next()
        assert kind == "died"
        assert isinstance(fault, JournalLost)
        assert owner.journal.size() == 1, "nothing was written either"
        owner.until_durable(owner.journal.append([moved(1, 1, by="the owner")]))
    finally:
        sleeper.journal.close()
        owner.journal.close()


def test_an_owner_that_slept_acknowledges_nothing(monkeypatch, url):
    an_owner_that_slept_acknowledges_nothing(monkeypatch, url)


def without(fence):
    """Plant a fault: an append with another fence."""
    return postgres.APPEND.replace(lease.FENCE, fence)


@pytest.mark.parametrize(
    "fence",
    [
        pytest.param("SELECT %s AS id, %s", id="no fence"),
        pytest.param(
            "SELECT id FROM conquest.shard WHERE id = %s AND %s > 0 FOR SHARE", id="epoch unchecked"
        ),
    ],
)
def test_that_is_not_so_by_chance(monkeypatch, url, fence):
    monkeypatch.setattr(postgres, "APPEND", without(fence.replace("%s AS", "%s::integer AS")))
    with pytest.raises(AssertionError):
        an_owner_that_slept_acknowledges_nothing(monkeypatch, url)


def test_an_owner_that_slept_and_has_nothing_to_say_finds_out_by_its_next_beat(monkeypatch, url):
    sleeper, owner = taken_over(monkeypatch, url)
    monkeypatch.setattr(lease, "BEAT_S", 0.01)
    monkeypatch.setattr(PostgresJournal, "beat_s", 0.01)
    with sleeper.journal._wake:
        sleeper.journal._wake.notify()
    kind, fault = sleeper.next()
    assert (kind, type(fault)) == ("died", JournalLost)
    for watched in (sleeper, owner):
        watched.journal.close()


def test_an_owner_that_slept_but_was_not_replaced_goes_on(monkeypatch, url):
    set_lease(monkeypatch, 0.01, 3600)
    sleeper = Watched(url)
    sleeper.until_durable(sleeper.journal.append([created(1)]))
    sleeper.journal.close()
    assert kept(url) == [(1, 0)]


def an_append_under_way_is_waited_for(monkeypatch, database, url):
    """Take over while the owner's append is not committed yet: the new owner must know of it."""
    set_lease(monkeypatch, 0.1, 3600)
    sleeper = open_journal(url)
    with psycopg.connect(url) as late:
        late.execute(postgres.APPEND.encode(), (lease.SHARD, sleeper.epoch, *postgres._columns([created(1)])))
        result = in_background(lambda: open_journal(url))
        if "FOR SHARE" in postgres.APPEND:
            waiting_for_lock(database)
            late.commit()
            owner = result.get(timeout=PATIENCE_S)
            known = list(owner.live())
        else:
            owner = result.get(timeout=PATIENCE_S)
            known = list(owner.live())
            late.commit()
    for journal in (sleeper, owner):
        journal.close()
    assert kept(url) == [(each[0].stream, 0) for each in known], "an entry strayed in behind the takeover"


def test_an_append_under_way_is_waited_for(monkeypatch, database, url):
    an_append_under_way_is_waited_for(monkeypatch, database, url)


def test_without_the_lock_on_the_lease_it_would_not_be(monkeypatch, database, url):
    monkeypatch.setattr(postgres, "APPEND", without(lease.FENCE.replace(" FOR SHARE", "")))
    with pytest.raises(AssertionError, match="strayed"):
        an_append_under_way_is_waited_for(monkeypatch, database, url)


def test_the_wait_for_a_silent_owner_is_told_of(monkeypatch, url, caplog):
    monkeypatch.setattr(lease, "PATIENCE_S", 0.0)
    set_lease(monkeypatch, 0.5, 3600)
    silent = open_journal(url)
    open_journal(url).close()
    silent.close()
    assert "has gone silent; waiting until its lease ends" in caplog.text


# No commit less than durable.


@pytest.mark.parametrize(
    ("role", "session"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")]
)
def test_no_setting_makes_a_commit_less_than_durable(database, url, role, session):
    database.execute(f"ALTER ROLE {service.USER} SET synchronous_commit = {role}")
    try:
        journal = open_journal(url)
        assert journal._connection.execute("SHOW synchronous_commit").fetchone() == (session,)
        journal.close()
    finally:
        database.execute(f"ALTER ROLE {service.USER} RESET synchronous_commit")


def test_a_server_without_fsync_is_refused(database, url):
    try:
        reconfigure(database, "ALTER SYSTEM SET fsync = off", "off")
        with pytest.raises(CannotOpen, match="runs with fsync=off"):
            open_journal(url)
    finally:
        reconfigure(database, "ALTER SYSTEM RESET fsync", "on")


def reconfigure(database, statement, fsync):
    database.execute(statement)
    database.execute("SELECT pg_reload_conf()")
    while database.execute("SHOW fsync") != [(fsync,)]:
        pass


# Nothing lost or made twice in the dark.


def test_a_connection_that_was_cut_costs_nothing(database, url):
    watched = Watched(url)
    for place in range(5):
        database.cut()
        watched.until_durable(watched.journal.append([created(1) if place == 0 else moved(1, place)]))
    watched.journal.close()
    assert kept(url) == [(1, place) for place in range(5)]


def spoilt_append(monkeypatch, before):
    """Lose the connection once, amid an append; before or after it was carried out."""
    really, left = postgres.rows, [True]

    def rows(connection, query, *parameters):
        if query != postgres.APPEND or not left:
            return really(connection, query, *parameters)
        left.clear()
        if not before:
            really(connection, query, *parameters)
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(postgres, "rows", rows)


def a_batch_of_unknown_fate_is_kept_once(url):
    watched = Watched(url)
    try:
        first = watched.journal.append([created(1), moved(1, 1), Fact("a", {"n": 1})])
        assert watched.next() == ("stalled", "server closed the connection unexpectedly")
        assert watched.next() == ("durable", first)
        watched.until_durable(watched.journal.append([moved(1, 2)]))
    finally:
        watched.journal.close()
    assert kept(url) == [(1, 0), (1, 1), (1, 2)]


@pytest.mark.parametrize("before", [True, False], ids=["not carried out", "answer lost"])
def test_a_batch_of_unknown_fate_is_kept_once(monkeypatch, url, before):
    spoilt_append(monkeypatch, before)
    a_batch_of_unknown_fate_is_kept_once(url)


def test_without_reading_back_it_would_not_be(monkeypatch, url):
    monkeypatch.setattr(PostgresJournal, "_is_kept", lambda self, connection, entries: False)
    spoilt_append(monkeypatch, before=False)
    with pytest.raises(AssertionError):
        a_batch_of_unknown_fate_is_kept_once(url)


def test_what_comes_late_over_a_lost_connection_changes_nothing(url):
    watched = Watched(url)
    watched.until_durable(watched.journal.append([Fact("token", {"hash": "old"})]))
    stale, epoch = watched.journal._connection, watched.journal.epoch
    watched.journal._connection = None
    watched.until_durable(watched.journal.append([Fact("token", {"hash": "new"})]))
    late = postgres._columns([Fact("token", {"hash": "old"}), moved(1, 0)])
    assert postgres.rows(stale, postgres.APPEND, lease.SHARD, epoch, *late) == []
    stale.close()
    assert list(watched.journal.facts()) == [Fact("token", {"hash": "new"})]
    assert watched.journal.size() == 1
    watched.journal.close()


def test_a_database_that_has_lost_what_it_confirmed_is_given_up(database, url):
    watched = Watched(url)
    watched.until_durable(watched.journal.append([created(1), moved(1, 1)]))
    # As a standby would that had not heard of it yet.
    database.execute("DELETE FROM conquest.entry WHERE place = 1")
    database.cut()
    watched.journal.append([moved(1, 2)])
    assert watched.next()[0] == "stalled"
    kind, fault = watched.next()
    assert kind == "died"
    assert "has lost what it had confirmed" in str(fault)
    watched.journal.close()


def test_a_match_that_was_taken_away_is_not_missed(database, url):
    watched = Watched(url)
    watched.until_durable(watched.journal.append([created(1)]))
    watched.until_durable(watched.journal.append([Entry(1, 1, RETIRED, {})]))
    database.cut()
    watched.until_durable(watched.journal.append([created(2)]))
    watched.journal.close()
    assert kept(url) == [(2, 0)]


def test_a_database_that_does_not_answer_is_told_of_and_waited_for(monkeypatch, url):
    watched = Watched(url)
    watched.until_durable(watched.journal.append([created(1)]))
    backend = watched.journal._connection.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    try:
        with monkeypatch.context() as brief:
            brief.setattr(connecting.Connection, "answer_s", 0.2)
            ticket = watched.journal.append([moved(1, 1)])
            assert watched.next() == ("stalled", "the database does not answer")
    finally:
        os.kill(backend, signal.SIGCONT)
    watched.until_durable(ticket)
    watched.journal.close()
    assert kept(url) == [(1, 0), (1, 1)]


def test_whoever_stops_does_not_wait_for_a_database_that_does_not_answer(monkeypatch, url):
    monkeypatch.setattr(connecting.Connection, "answer_s", 3600.0)
    watched = Watched(url)
    watched.until_durable(watched.journal.append([created(1)]))
    backend = watched.journal._connection.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    try:
        watched.journal.append([moved(1, 1)])
        closed = in_background(watched.journal.close)
        assert closed.get(timeout=PATIENCE_S) is None
    finally:
        os.kill(backend, signal.SIGCONT)


def test_entries_that_contradict_each_other_are_a_fault(url):
    watched = Watched(url)
    watched.until_durable(watched.journal.append([created(1)]))
    watched.journal.append([Entry(1, 0, "created", {"code": "another"})])
    kind, fault = watched.next()
    assert kind == "died"
    assert "contradict" in str(fault)
    watched.journal.close()


# What is no journal.


def refusal_of(name):
    with pytest.raises(CannotOpen) as seen:
        open_journal(name)
    return str(seen.value)


def test_a_database_that_is_not_there_is_a_sentence():
    gone = "postgresql://anna@127.0.0.1:1/games"
    assert refusal_of(gone).startswith(f"The journal {gone} cannot be used: connection failed: ")
    assert "\n" not in refusal_of(gone)


def test_a_password_is_never_told(url, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", "wrong one")
    said = refusal_of(url.replace("conquest@", "conquest:sesame@"))
    assert "password authentication failed" in said
    assert "sesame" not in said
    assert "sesame" not in refusal_of("postgresql://conquest:ses/ame@127.0.0.1:x/sesame")


def test_the_tables_of_others_are_not_touched(database, url):
    database.execute("CREATE SCHEMA conquest")
    database.execute("CREATE TABLE conquest.province(name text)")
    assert refusal_of(url).endswith("has a schema conquest that is not ours; it was not touched.")


def test_a_journal_of_another_version_is_refused_and_not_touched(database, url):
    open_journal(url).close()
    database.execute("UPDATE conquest.format SET version = 7")
    assert "another version of Conquest (its format is 7, this one knows 1)" in refusal_of(url)
    with pytest.raises(CannotOpen, match="another version"):
        read_history(url, CODE)


def test_a_database_without_a_journal_holds_no_match(url):
    assert read_history(url, CODE) == []


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "needs psycopg: pip install 'conquest[fleet]'" in refusal_of("postgresql:///x")


def test_a_server_on_a_file_never_imports_the_library():
    code = "import sys, server.command, server.copying; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
