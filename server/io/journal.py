"""The journal on disk: SQLite, one writer thread, everything that waits in one transaction.

A ticket is durable only when the operating system says that the disk has it (WAL, synchronous=FULL). What
cannot be written is kept and tried again; it is never dropped, and a damaged file is never touched.
"""

import contextlib
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack

from protocol.process.supervision import OnFault, start_thread
from server.core.entry import CREATED, RETIRED, Entry, Record, Write

IN_MEMORY = ":memory:"
APPLICATION_ID = 0x434E5154  # "CNQT"
SCHEMA_VERSION = 1
SCHEMA = f"""
PRAGMA application_id={APPLICATION_ID};
PRAGMA user_version={SCHEMA_VERSION};
CREATE TABLE entry(
    seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL,
    code TEXT, body BLOB NOT NULL);
CREATE INDEX entry_ends ON entry(stream, kind) WHERE kind IN ('{CREATED}', '{RETIRED}');
CREATE INDEX entry_code ON entry(code) WHERE code IS NOT NULL;
CREATE TABLE record(key TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
"""
COLUMNS = 5
MOST_ROWS = 64
RETRY_S = 0.25
BUSY_S = 0.5
"""How long another process may lock the file before players are told that nothing can be saved."""
LAST_BUSY_MS = 100
"""The same for the last try of a journal that is being closed: whoever stops a server waits for it."""
TIMES_KEPT = 1000


class CannotOpen(Exception):
    """The journal cannot be used; the message is a sentence that says why."""


class SqliteJournal:
    """The journal in a file, or in memory for matches that nobody wants to keep."""

    def __init__(self, path: str) -> None:
        # SQLite would take no name for a file that it may throw away.
        if not path.strip():
            raise CannotOpen(f"The journal needs the name of a file, or {IN_MEMORY}.")
        self.path = path
        self.commit_times: deque[float] = deque(maxlen=TIMES_KEPT)
        """How long the last commits took, in seconds."""
        self.commits = 0
        self._lock_file = _lock(path)
        try:
            self._connection = _open(path)
        except CannotOpen:
            _unlock(self._lock_file)
            raise
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
        """Begin to write; all callbacks are called from the writer's thread."""
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
        lock, self._lock_file = self._lock_file, None
        _unlock(lock)

    def records(self) -> Iterator[Record]:
        """Read every record that stands."""
        for key, body in self._connection.execute("SELECT key, body FROM record"):
            yield Record(key, _unpacked(body))

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
        with contextlib.closing(_read_only(Path(path))) as connection:
            return _history(connection, code)
    except sqlite3.Error as error:
        raise _cannot_use(path, error) from error


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
    """Read a body; a damaged one is empty, so that whoever needs something from it finds that missing."""
    try:
        found = msgpack.unpackb(body)
    except (ValueError, TypeError, msgpack.UnpackException):
        return {}
    return found if isinstance(found, dict) else {}


def _open(path: str) -> sqlite3.Connection:
    try:
        if path != IN_MEMORY:
            if _is_new(Path(path)):
                _make(Path(path))
            _require_sound(Path(path))
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise _cannot_use(path, error) from error
    try:
        if path == IN_MEMORY:
            connection.executescript(SCHEMA)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error as error:
        connection.close()
        raise _cannot_use(path, error) from error
    return connection


def _make(path: Path) -> None:
    """Make a journal under another name first, so that nobody ever finds half of one."""
    draft = path.with_name(f"{path.name}.new")
    try:
        for leftover in ("", "-journal", "-wal", "-shm"):
            draft.with_name(draft.name + leftover).unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
            connection.execute("PRAGMA journal_mode=WAL")
        draft.replace(path)
    except OSError as error:
        raise CannotOpen(f"The journal {path} cannot be made: {error.strerror}.") from error


def _cannot_use(path: str, error: sqlite3.Error) -> CannotOpen:
    return CannotOpen(f"The journal {path} cannot be used: {error}. It was not changed.")


def _is_new(path: Path) -> bool:
    """Make the file if there is none, readable by nobody else; refuse one that is not a journal of ours."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise CannotOpen(f"The journal {path} cannot be opened: {error.strerror}.") from error
    if not header:
        return True
    is_sqlite = len(header) == 100 and header.startswith(b"SQLite format 3\0")
    if not is_sqlite or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise CannotOpen(f"{path} is not a Conquest journal, or is damaged; it was not touched.")
    version = int.from_bytes(header[60:64], "big")
    if version != SCHEMA_VERSION:
        raise CannotOpen(
            f"{path} was written by another version of Conquest (its format is {version}, this one "
            f"knows {SCHEMA_VERSION}); it was not touched."
        )
    path.chmod(0o600)
    return False


def _require_sound(path: Path) -> None:
    if path.with_name(f"{path.name}-journal").exists():
        # A restored backup can be cut short while it is turned into a log; reading undoes that half step.
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    # A connection that can write would tidy up after a crash when it is closed, even in a damaged file.
    with contextlib.closing(_read_only(path)) as connection:
        findings = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    if findings != ["ok"]:
        finding = " ".join(findings[0].split())
        raise CannotOpen(f"The journal {path} is damaged ({finding}); it was not changed.")


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _lock(path: str) -> int | None:
    """Keep a second server away from the same file, where the system can."""
    if path == IN_MEMORY:
        return None
    try:
        import fcntl
    except ImportError:
        return None
    try:
        lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    except FileNotFoundError as error:
        raise CannotOpen(f"There is no folder {Path(path).parent} for the journal; make it first.") from error
    except OSError as error:
        raise CannotOpen(f"The journal {path} cannot be opened: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise CannotOpen(f"Another server is using {path}.") from error
    return lock


def _unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)
