"""The journal in SQLite: how a batch is written, and what stands there read.

A batch is durable only when the operating system says that the disk has it (WAL, synchronous=FULL).
"""

import contextlib
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from server.core.entry import CREATED, RETIRED, Entry, Fact, Write
from server.io import lock, sqlite_file
from server.io.journal import IN_MEMORY, CannotOpen
from server.io.writer import Line, Record, Writer, pack, unbegun, unpacked

MOST_ROWS = 64
LAST_ROW = 2**63 - 1
ROWS = "rows"
"""In the body of the entry that puts a match away: where all others stand."""
ENDS = f"kind IN ('{CREATED}', '{RETIRED}')"
"""What the index `entry_ends` has; SQLite uses it only where its own condition stands in the query."""
ENTRY = "SELECT place, kind, body FROM entry"
NOWHERE: Mapping[int, Sequence[int]] = {}
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
        self._reading = self._connection if path == IN_MEMORY else sqlite_file.read_only(Path(path))
        self._rows: dict[int, array[int]] = {}
        """Where the entries of each match stand that was not put away."""

    def _give_up_reading(self) -> None:
        if self._reading is not self._connection:
            with contextlib.suppress(sqlite3.ProgrammingError):  # It is closed already.
                self._reading.interrupt()

    def _let_go(self) -> None:
        self._reading.close()
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
            f"SELECT stream, seq FROM entry WHERE {ENDS} AND kind = ? AND stream NOT IN"
            f" (SELECT stream FROM entry WHERE {ENDS} AND kind = ?) ORDER BY seq",
            (CREATED, RETIRED),
        ).fetchall()
        if not created:
            return
        histories: dict[int, list[Entry]] = {stream: [] for stream, _ in created}
        for seq, stream, place, kind, body in self._connection.execute(
            "SELECT seq, stream, place, kind, body FROM entry WHERE seq >= ? ORDER BY seq", (created[0][1],)
        ):
            if stream in histories:
                self._rows.setdefault(stream, array("q")).append(seq)
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

    def history(self, code: str, most: int | None = None) -> list[Entry]:
        """Read the history of the newest match with a code, or its beginning; empty when there is none."""
        return _history(self._reading, code, most, self._rows)

    def _commit(self, batch: list[Write]) -> None:
        """Write a batch in one transaction, which is durable when this returns."""
        if self._is_closing:
            self._connection.execute(f"PRAGMA busy_timeout={LAST_BUSY_MS}")
        with self._transaction():
            written = self._insert(batch)
        for stream, seq in written:
            self._rows.setdefault(stream, array("q")).append(seq)
        for write in batch:
            if isinstance(write, Entry) and write.kind == RETIRED:
                self._rows.pop(write.stream, None)

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

    def _insert(self, batch: list[Write]) -> list[tuple[int, int]]:
        """Write a batch, and tell for each entry its stream and where it stands."""
        entries = self._write_facts(batch)
        written = self._insert_lines([_line(entry) for entry in entries if entry.kind != RETIRED])
        last = [entry for entry in entries if entry.kind == RETIRED]
        if last:
            # A match that is put away says where its entries stand, so that they are found again at once.
            fresh: dict[int, list[int]] = {}
            for stream, seq in written:
                fresh.setdefault(stream, []).append(seq)
            rows = {e.stream: [*self._rows.get(e.stream, ()), *fresh.get(e.stream, ())] for e in last}
            self._insert_lines([_line(entry, rows[entry.stream]) for entry in last])
        return written

    def _write_facts(self, batch: list[Write]) -> list[Entry]:
        """Write the facts of a batch and take away matches that never began; return the other entries."""
        entries = []
        for write in batch:
            if isinstance(write, Entry):
                entries.append(write)
            elif write.body is None:
                self._connection.execute("DELETE FROM record WHERE key = ?", (write.key,))
            else:
                self._connection.execute(
                    "INSERT OR REPLACE INTO record VALUES (?, ?)", (write.key, pack(write.body))
                )
        gone = unbegun(entries)
        for stream in gone:
            self._connection.execute(f"DELETE FROM entry WHERE {ENDS} AND stream = ?", (stream,))
        return [entry for entry in entries if entry.stream not in gone]

    def _insert_lines(self, lines: list[Line]) -> list[tuple[int, int]]:
        # Each statement gives up the interpreter's lock and must win it back from a busy event loop,
        # so many rows go into one statement; powers of two keep the number of statements small.
        start, written = 0, list[tuple[int, int]]()
        while start < len(lines):
            size = min(MOST_ROWS, 1 << ((len(lines) - start).bit_length() - 1))
            some = lines[start : start + size]
            cursor = self._connection.execute(_INSERTS[size], list(chain.from_iterable(some)))
            after = 1 + (cursor.lastrowid or 0)
            written += zip((line[0] for line in some), range(after - size, after), strict=True)
            start += size
        return written


def _line(entry: Entry, rows: Sequence[int] = ()) -> Line:
    stream, place, kind, body = entry
    return (
        stream,
        place,
        kind,
        body["code"] if kind == CREATED else None,
        pack({**body, ROWS: rows} if rows else body),
    )


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


def _history(
    connection: sqlite3.Connection,
    code: str,
    most: int | None = None,
    live: Mapping[int, Sequence[int]] = NOWHERE,
) -> list[Entry]:
    found = connection.execute(
        "SELECT stream, seq FROM entry WHERE code = ? ORDER BY seq DESC LIMIT 1", (code,)
    ).fetchone()
    if found is None:
        return []
    stream, first = found
    retired = connection.execute(
        f"SELECT seq, body FROM entry WHERE {ENDS} AND stream = ? AND kind = ?", (stream, RETIRED)
    ).fetchone()
    rows = live.get(stream, ()) if retired is None else [*unpacked(retired[1]).get(ROWS, ()), retired[0]]
    rows = list(rows)[:most]
    entries = _entries(connection, stream, rows)
    if rows and [entry.place for entry in entries] == list(range(len(rows))):
        return entries
    # It is not known where they stand, or that was in another file: the match's lifetime has to be searched.
    last = LAST_ROW if retired is None else retired[0]
    query = f"{ENTRY} WHERE seq BETWEEN ? AND ? AND stream = ? ORDER BY seq LIMIT ?"
    return _made(stream, connection.execute(query, (first, last, stream, -1 if most is None else most)))


def _entries(connection: sqlite3.Connection, stream: int, rows: Sequence[int]) -> list[Entry]:
    found: list[Entry] = []
    for start in range(0, len(rows), MOST_ROWS):
        some = rows[start : start + MOST_ROWS]
        query = f"{ENTRY} WHERE seq IN ({', '.join('?' * len(some))}) AND stream = ? ORDER BY seq"
        found += _made(stream, connection.execute(query, (*some, stream)))
    return found


def _made(stream: int, rows: Iterable[tuple[int, str, bytes]]) -> list[Entry]:
    made = [Entry(stream, place, kind, unpacked(body)) for place, kind, body in rows]
    for entry in made[-1:]:
        entry.body.pop(ROWS, None)
    return made
