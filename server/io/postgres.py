"""The journal in PostgreSQL: each batch is one statement, one round trip and one commit.

Whenever a connection is lost, nobody knows whether the last batch was kept. So a new one begins with a new
epoch, which ends all that may still be under way, and reads back before anything is written again.
"""

import contextlib
import os
import secrets
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import psycopg

from server.core.entry import CREATED, RETIRED, Entry, Fact, Write
from server.io import database, lease
from server.io.database import Connection, rows
from server.io.journal import CannotOpen, JournalLost
from server.io.lease import SHARD
from server.io.writer import Line, Record, Writer, pack, unbegun, unpacked

APPEND = f"""
WITH lease AS ({lease.FENCE}),
entries AS (
    INSERT INTO conquest.entry(shard, stream, place, kind, code, body)
    SELECT lease.id, stream, place, kind, code, body FROM lease, unnest(
        %b::bigint[], %b::integer[], %b::text[], %b::text[], %b::bytea[]) WITH ORDINALITY
        AS given(stream, place, kind, code, body, number) ORDER BY number),
unbegun AS (
    DELETE FROM conquest.entry USING lease WHERE shard = lease.id AND stream = ANY(%b::bigint[])),
gone AS (
    DELETE FROM conquest.record USING lease WHERE shard = lease.id AND key = ANY(%b::text[])),
kept AS (
    INSERT INTO conquest.record(shard, key, body)
    SELECT lease.id, key, body FROM lease, unnest(%b::text[], %b::bytea[]) AS given(key, body)
    ON CONFLICT (shard, key) DO UPDATE SET body = excluded.body)
SELECT id FROM lease
"""
LIVE = f"""
SELECT each.stream, each.place, each.kind, each.body
FROM conquest.entry AS first JOIN conquest.entry AS each ON each.stream = first.stream
WHERE first.shard = %s AND first.kind = '{CREATED}' AND NOT EXISTS (
    SELECT 1 FROM conquest.entry AS last
    WHERE last.shard = first.shard AND last.stream = first.stream AND last.kind = '{RETIRED}')
ORDER BY first.seq, each.place
"""
HISTORY = """
SELECT stream, place, kind, body FROM conquest.entry
WHERE stream = (SELECT stream FROM conquest.entry WHERE code = %s ORDER BY seq DESC LIMIT 1) ORDER BY place
LIMIT %s::bigint
"""
PAGE = """
SELECT seq, stream, place, kind, code, body FROM conquest.entry
WHERE shard = %s AND seq > %s ORDER BY seq LIMIT 1000
"""
SIZE = "SELECT (SELECT count(*) FROM conquest.entry) + (SELECT count(*) FROM conquest.record)"
COPY_ENTRIES = "COPY conquest.entry(shard, stream, place, kind, code, body) FROM STDIN"
COPY_RECORDS = "COPY conquest.record(shard, key, body) FROM STDIN"
FILL_S = 600.0
"""How long the database may take over each step of filling a journal: nobody waits at a board."""
READ_BACK = """
SELECT count(*) FROM conquest.entry JOIN unnest(%b::bigint[], %b::integer[], %b::bytea[])
AS given(stream, place, body) USING (stream, place, body)
"""


class PostgresJournal(Writer):
    """The journal in a database, of which this process is the owner."""

    failures = psycopg.Error
    beat_s = lease.BEAT_S

    def __init__(self, url: str) -> None:
        super().__init__(database.shown_name(url))
        self._url = url
        self._node = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(8)}"
        self._connection: Connection | None = None
        self._reading: Connection | None = None
        """Only histories are read on it, which any process may."""
        self._last: list[Entry] = []
        """The entries of the last batch that was kept."""
        try:
            with database.explained(self.name):
                self._connection = connection = database.connect(url, lambda: self._is_closing)
                database.make_or_check(connection, self.name)
                self.epoch = lease.take(connection, self._node, self.name)
        except CannotOpen:
            self._disconnect()
            raise
        self._beaten_at = time.monotonic()

    def facts(self) -> Iterator[Fact]:
        """Read every fact that stands."""
        with database.explained(self.name):
            found = rows(self._ours(), "SELECT key, body FROM conquest.record WHERE shard = %s", SHARD)
        yield from (Fact(key, unpacked(body)) for key, body in found)

    def live(self) -> Iterator[list[Entry]]:
        """Read the history of every match that was not put away, oldest first."""
        with database.explained(self.name):
            found = rows(self._ours(), LIVE, SHARD)
        for _, history in groupby(found, key=lambda row: row[0]):
            yield _entries(history)
            # To rebuild many matches takes long.
            self._beat()

    def lines(self) -> Iterator[Line]:
        """Read every entry as it is kept, in the order of writing."""
        after = 0
        while page := rows(self._ours(), PAGE, SHARD, after):
            yield from (row[1:] for row in page)
            after = page[-1][0]
            self._beat()

    def records(self) -> Iterator[Record]:
        """Read every fact as it is kept, in the order of their keys."""
        return iter(rows(self._ours(), 'SELECT key, body FROM conquest.record ORDER BY key COLLATE "C"'))

    def size(self) -> int:
        """Count the entries and facts."""
        ((count,),) = rows(self._ours(), SIZE)
        return int(count)

    @contextlib.contextmanager
    def filling(self, lines: Iterable[Line], records: Iterable[Record]) -> Iterator[None]:
        """Fill an empty journal; all of it is kept when the block ends, none if by an exception."""
        connection = self._ours()
        connection.answer_s = FILL_S
        with connection.transaction(), connection.cursor() as cursor:
            # While this lasts, nobody else can take the journal.
            if not cursor.execute(lease.FENCE.encode(), (SHARD, self.epoch)).fetchall():
                raise self._lost()
            for copy, found in (COPY_ENTRIES, lines), (COPY_RECORDS, records):
                with cursor.copy(copy) as target:
                    for each in found:
                        target.write_row((SHARD, *each))
            yield

    def history(self, code: str, most: int | None = None) -> list[Entry]:
        """Read the history of the newest match with a code, or its beginning; empty when there is none."""
        if self._reading is None:
            self._reading = database.connect(self._url, lambda: self._is_closing)
        try:
            return _history(self._reading, code, most)
        except psycopg.Error:
            self._stop_reading()
            raise

    def _give_up_reading(self) -> None:
        """Do nothing: whoever waits for the database is hurried by now."""

    def _stop_reading(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.close()

    def _commit(self, batch: list[Write]) -> None:
        gone = unbegun(batch)
        entries = [write for write in batch if isinstance(write, Entry) and write.stream not in gone]
        try:
            is_kept = self._connection is None and self._is_kept(self._reconnected(), entries)
            if not is_kept and not rows(self._ours(), APPEND, SHARD, self.epoch, *_columns(batch)):
                raise self._lost()
        except psycopg.IntegrityError as error:
            raise RuntimeError("two histories of a match contradict each other") from error
        except psycopg.Error:
            self._disconnect()
            raise
        self._last = [entry for entry in entries or self._last if entry.stream not in gone]

    def _ours(self) -> Connection:
        """Return the connection on which we are the owner, a new one if the last was lost."""
        return self._connection or self._reconnected()

    def _reconnected(self) -> Connection:
        """Connect again, and end whatever may still be under way on an earlier connection."""
        if self._is_closing:
            raise psycopg.OperationalError("the connection to the database was lost")
        connection = database.connect(self._url, lambda: self._is_closing)
        try:
            self._take_up(connection)
        except (psycopg.Error, JournalLost):
            connection.close()
            raise
        self._connection, self._beaten_at = connection, time.monotonic()
        return connection

    def _take_up(self, connection: Connection) -> None:
        """Begin a new epoch of our own, on what is there."""
        epoch = lease.retake(connection, self._node)
        if epoch is None:
            raise self._lost()
        self.epoch = epoch
        if self._last and not self._is_kept(connection, self._last):
            raise JournalLost(f"{self.name} has lost what it had confirmed; start again from what is there.")

    def _is_kept(self, connection: Connection, entries: list[Entry]) -> bool:
        """Tell whether a batch is there; one of facts alone may as well be written again."""
        if not entries:
            return False
        streams, places, _, _, bodies, *_ = _columns(entries)
        return rows(connection, READ_BACK, streams, places, bodies) == [(len(entries),)]

    def _lost(self) -> JournalLost:
        return JournalLost(f"Another server has taken {self.name} over.")

    def _beat(self) -> None:
        """Renew the lease if it is time."""
        if time.monotonic() - self._beaten_at < lease.BEAT_S:
            return
        try:
            # Who had to connect again has renewed it by that.
            is_ours = lease.renew(self._ours(), self.epoch)
        except psycopg.Error:
            # Whether anything can be saved is seen, and told, when there is something to save.
            self._disconnect()
            return
        if not is_ours:
            raise self._lost()
        self._beaten_at = time.monotonic()

    def _let_go(self) -> None:
        self._stop_reading()
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):
                lease.give_back(self._connection, self.epoch)
        self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def exists(url: str) -> bool:
    """Tell whether there is a journal in a database."""
    name = database.shown_name(url)
    with database.explained(name), database.connect(url) as connection:
        return database.check(connection, name)


def read_history(url: str, code: str) -> list[Entry]:
    """Read a match from a journal that a server may be using; nothing is locked, made or changed."""
    name = database.shown_name(url)
    with database.explained(name), database.connect(url) as connection:
        return _history(connection, code) if database.check(connection, name) else []


def _history(connection: Connection, code: str, most: int | None = None) -> list[Entry]:
    return _entries(rows(connection, HISTORY, code, most))


def _entries(found: Iterable[tuple[Any, ...]]) -> list[Entry]:
    return [Entry(stream, place, kind, unpacked(body)) for stream, place, kind, body in found]


def _columns(batch: Sequence[Write]) -> list[list[Any]]:
    """Turn a batch into the columns that `APPEND` asks for; of each fact only the newest is left."""
    unwanted = unbegun(batch)
    entries = [write for write in batch if isinstance(write, Entry) and write.stream not in unwanted]
    facts = {write.key: write.body for write in batch if isinstance(write, Fact)}
    kept = {key: pack(body) for key, body in facts.items() if body is not None}
    return [
        [entry.stream for entry in entries],
        [entry.place for entry in entries],
        [entry.kind for entry in entries],
        [entry.body["code"] if entry.kind == CREATED else None for entry in entries],
        [pack(entry.body) for entry in entries],
        list(unwanted),
        [key for key, body in facts.items() if body is None],
        list(kept),
        list(kept.values()),
    ]
