"""The journal in SQLite: how a batch is written, and what stands there read.

A batch is durable only when the operating system says that the disk has it (WAL, synchronous=FULL).
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from server.core.entry import CREATED, RETIRED, Entry, Fact, Write
from server.io import lock, sqlite_file
from server.io.journal import IN_MEMORY, CannotOpen
from server.io.writer import Line, Record, Writer, pack, unpacked

COLUMNS = 5
MOST_ROWS = 64
LAST_BUSY_MS = 100
"""For how long another process may lock the file at the last try: somebody waits for the server to stop."""


class SqliteJournal(Writer):
    """The journal in a file, or in memory for matches that nobody wants to keep."""

    failures = sqlite3.Error

    def __init__(self, path: str) -> None:
        # SQLite would take no name for a file that it may throw away.
        if not path.strip():
            raise CannotOpen(f"The journal needs the name of a file, or {IN_MEMORY}.")
        super().__init__(path)
        self._connection, self._lock = sqlite_file.connect(path)

    def _let_go(self) -> None:
        self._connection.close()
        held, self._lock = self._lock, None
        lock.unlock(held)

    def _beat(self) -> None:
        """Do nothing: the lock on the file lasts as long as the process."""

    def facts(self) -> Iterator[Fact]:
        """Read every fact that stands."""
        for key, body in self._connection.execute("SELECT key, body FROM record"):
            yield Fact(key, unpacked(body))

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
                histories[stream].append(Entry(stream, place, kind, unpacked(body)))
        yield from histories.values()

    def lines(self) -> Iterator[Line]:
        """Read every entry as it is kept, in the order of writing."""
        return self._connection.execute("SELECT stream, place, kind, code, body FROM entry ORDER BY seq")

    def records(self) -> Iterator[Record]:
        """Read every fact as it is kept, in the order of their keys."""
        return self._connection.execute("SELECT key, body FROM record ORDER BY key")

    def size(self) -> int:
        """Count the entries and facts."""
        counts = "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM record)"
        found: tuple[int] = self._connection.execute(counts).fetchone()
        return found[0]

    @contextlib.contextmanager
    def filling(self, lines: Iterable[Line], records: Iterable[Record]) -> Iterator[None]:
        """Fill an empty journal; all of it is kept when the block ends, none if by an exception."""
        with self._transaction():
            self._connection.executemany(_INSERTS[1], lines)
            self._connection.executemany("INSERT INTO record VALUES (?, ?)", records)
            yield

    def history(self, code: str) -> list[Entry]:
        """Read the history of the newest match with a code; empty when there is none."""
        return _history(self._connection, code)

    def _commit(self, batch: list[Write]) -> None:
        """Write a batch in one transaction, which is durable when this returns."""
        if self._is_closing:
            self._connection.execute(f"PRAGMA busy_timeout={LAST_BUSY_MS}")
        with self._transaction():
            self._insert(batch)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def _insert(self, batch: list[Write]) -> None:
        values: list[Any] = []
        for write in batch:
            if isinstance(write, Entry):
                stream, place, kind, body = write
                values += (stream, place, kind, body["code"] if kind == CREATED else None, pack(body))
            elif write.body is None:
                self._connection.execute("DELETE FROM record WHERE key = ?", (write.key,))
            else:
                self._connection.execute(
                    "INSERT OR REPLACE INTO record VALUES (?, ?)", (write.key, pack(write.body))
                )
        # Each statement gives up the interpreter's lock and must win it back from a busy event loop,
        # so many rows go into one statement; powers of two keep the number of statements small.
        start, rows = 0, len(values) // COLUMNS
        while start < rows:
            size = min(MOST_ROWS, 1 << ((rows - start).bit_length() - 1))
            self._connection.execute(_INSERTS[size], values[start * COLUMNS : (start + size) * COLUMNS])
            start += size


_INSERTS = {
    1 << power: "INSERT INTO entry(stream, place, kind, code, body) VALUES "
    + ", ".join(["(?, ?, ?, ?, ?)"] * (1 << power))
    for power in range(MOST_ROWS.bit_length())
}


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
    return [Entry(stream, place, kind, unpacked(body)) for place, kind, body in rows]
