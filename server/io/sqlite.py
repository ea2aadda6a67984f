"""The journal in SQLite: one writer thread, everything that waits in one transaction.

A ticket is durable only when the operating system says that the disk has it (WAL, synchronous=FULL). What
cannot be written is kept and tried again; it is never dropped.
"""

import contextlib
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack

from protocol.process.supervision import OnFault, start_thread
from server.core.entry import CREATED, RETIRED, Entry, Fact, Write
from server.io import lock, sqlite_file
from server.io.journal import IN_MEMORY, CannotOpen

COLUMNS = 5
MOST_ROWS = 64
RETRY_S = 0.25
LAST_BUSY_MS = 100
"""For how long another process may lock the file at the last try: somebody waits for the server to stop."""
TIMES_KEPT = 1000


class SqliteJournal:
    """The journal in a file, or in memory for matches that nobody wants to keep."""

    def __init__(self, path: str) -> None:
        # SQLite would take no name for a file that it may throw away.
        if not path.strip():
            raise CannotOpen(f"The journal needs the name of a file, or {IN_MEMORY}.")
        self.name = path
        self.commit_times: deque[float] = deque(maxlen=TIMES_KEPT)
        """How long the last commits took, in seconds."""
        self.commits = 0
        self._connection, self._lock = sqlite_file.connect(path)
        self._on_durable: Callable[[int], None] = _nothing
        self._on_stalled: Callable[[str], None] = _nothing
        self._wake = threading.Condition()
        self._pending: list[Write] = []
        self._reads: deque[tuple[str, Callable[[list[Entry]], None]]] = deque()
        self._ticket = 0
        self._is_closing = False
        self._thread: threading.Thread | None = None

    def start(
        self, on_durable: Callable[[int], None], on_stalled: Callable[[str], None], on_fault: OnFault
    ) -> None:
        """Begin to write, in a thread of its own."""
        self._on_durable = on_durable
        self._on_stalled = on_stalled
        self._thread = start_thread(self._write_for_ever, "journal", on_fault)

    def append(self, writes: list[Write]) -> int:
        """Take writes, to be kept all or none, and return their ticket."""
        with self._wake:
            self._ticket += 1
            self._pending += writes
            self._wake.notify()
            return self._ticket

    def read(self, code: str, on_read: Callable[[list[Entry]], None]) -> None:
        """Have the history of the newest match with a code read, behind all that was appended."""
        with self._wake:
            self._reads.append((code, on_read))
            self._wake.notify()

    def close(self) -> None:
        """Write what is pending, if the disk lets us, and let go of the file."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        self._connection.close()
        held, self._lock = self._lock, None
        lock.unlock(held)

    def facts(self) -> Iterator[Fact]:
        """Read every fact that stands."""
        for key, body in self._connection.execute("SELECT key, body FROM record"):
            yield Fact(key, _unpacked(body))

    def live(self) -> Iterator[list[Entry]]:
        """Read the history of every match that was not put away, oldest first."""
        created = self._connection.execute(
            "SELECT stream, seq FROM entry WHERE kind = ? AND stream NOT IN"
            " (SELECT stream FROM entry WHERE kind = ?) ORDER BY seq",
            (CREATED, RETIRED),
        ).fetchall()
        if not created:
            return
        histories: dict[int, list[Entry]] = {stream: [] for stream, _ in created}
        for stream, place, kind, body in self._connection.execute(
            "SELECT stream, place, kind, body FROM entry WHERE seq >= ? ORDER BY seq", (created[0][1],)
        ):
            if stream in histories:
                histories[stream].append(Entry(stream, place, kind, _unpacked(body)))
        yield from histories.values()

    def history(self, code: str) -> list[Entry]:
        """Read the history of the newest match with a code; empty when there is none."""
        return _history(self._connection, code)

    def _write_for_ever(self) -> None:
        while True:
            with self._wake:
                while not (self._pending or self._reads or self._is_closing):
                    self._wake.wait()
                if not (self._pending or self._reads):
                    return
                batch, self._pending = self._pending, []
                # One read a round: a queue of them must not keep a move waiting.
                read = self._reads.popleft() if self._reads else None
                ticket = self._ticket
            if batch:
                if not self._commit_in_the_end(batch):
                    return
                self._on_durable(ticket)
            if read is not None:
                code, on_read = read
                on_read(self._read_quietly(code))

    def _commit_in_the_end(self, batch: list[Write]) -> bool:
        """Commit a batch, trying again for as long as it takes; False when closing came first."""
        has_stalled = False
        while True:
            is_last_try = self._is_closing
            try:
                if is_last_try:
                    self._connection.execute(f"PRAGMA busy_timeout={LAST_BUSY_MS}")
                self._commit(batch)
            except sqlite3.Error as error:
                if is_last_try:
                    return False
                if not has_stalled:
                    has_stalled = True
                    self._on_stalled(str(error))
                with self._wake:
                    if not self._is_closing:
                        self._wake.wait(RETRY_S)
            else:
                return True

    def _commit(self, batch: list[Write]) -> None:
        """Write a batch in one transaction, which is durable when this returns."""
        began = time.perf_counter()
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            self._insert(batch)
            connection.execute("COMMIT")
        except sqlite3.Error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        self.commits += 1
        self.commit_times.append(time.perf_counter() - began)

    def _insert(self, batch: list[Write]) -> None:
        values: list[Any] = []
        for write in batch:
            if isinstance(write, Entry):
                stream, place, kind, body = write
                values += (stream, place, kind, body["code"] if kind == CREATED else None, _pack(body))
            elif write.body is None:
                self._connection.execute("DELETE FROM record WHERE key = ?", (write.key,))
            else:
                self._connection.execute(
                    "INSERT OR REPLACE INTO record VALUES (?, ?)", (write.key, _pack(write.body))
                )
        # Each statement gives up the interpreter's lock and must win it back from a busy event loop,
        # so many rows go into one statement; powers of two keep the number of statements small.
        start, rows = 0, len(values) // COLUMNS
        while start < rows:
            size = min(MOST_ROWS, 1 << ((rows - start).bit_length() - 1))
            self._connection.execute(_INSERTS[size], values[start * COLUMNS : (start + size) * COLUMNS])
            start += size

    def _read_quietly(self, code: str) -> list[Entry]:
        try:
            return self.history(code)
        except sqlite3.Error:
            return []


_INSERTS = {
    1 << power: "INSERT INTO entry(stream, place, kind, code, body) VALUES "
    + ", ".join(["(?, ?, ?, ?, ?)"] * (1 << power))
    for power in range(MOST_ROWS.bit_length())
}
_pack: Callable[[dict[str, Any]], bytes] = msgpack.Packer().pack


def read_history(path: str, code: str) -> list[Entry]:
    """Read a match from a journal that a server may be using; nothing is locked, made or changed."""
    if path == IN_MEMORY or not Path(path).is_file():
        raise CannotOpen(f"There is no journal {path}.")
    if not Path(path).stat().st_size:
        # It could not be made, for want of room perhaps, and holds nothing yet.
        return []
    try:
        with contextlib.closing(sqlite_file.read_only(Path(path))) as connection:
            return _history(connection, code)
    except sqlite3.Error as error:
        raise sqlite_file.cannot_use(path, error) from error


def _history(connection: sqlite3.Connection, code: str) -> list[Entry]:
    found = connection.execute(
        "SELECT stream, seq FROM entry WHERE code = ? ORDER BY seq DESC LIMIT 1", (code,)
    ).fetchone()
    if found is None:
        return []
    stream, first = found
    # A match that was put away ends there, so only its own lifetime has to be searched.
    (last,) = connection.execute(
        "SELECT coalesce(max(seq), 9223372036854775807) FROM entry WHERE stream = ? AND kind = ?",
        (stream, RETIRED),
    ).fetchone()
    rows = connection.execute(
        "SELECT place, kind, body FROM entry WHERE seq BETWEEN ? AND ? AND stream = ? ORDER BY seq",
        (first, last, stream),
    )
    return [Entry(stream, place, kind, _unpacked(body)) for place, kind, body in rows]


def _nothing(_: object) -> None:
    """Be told of something before anybody listens."""


def _unpacked(body: bytes) -> dict[str, Any]:
    """Read a body; a damaged one is empty, so that what somebody needs from it is missing."""
    try:
        found = msgpack.unpackb(body)
    except (ValueError, TypeError, msgpack.UnpackException):
        return {}
    return found if isinstance(found, dict) else {}
