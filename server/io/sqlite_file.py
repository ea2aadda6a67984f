"""The file of a journal in SQLite: locked, made and checked; a damaged or foreign one is never touched."""

import contextlib
import os
import sqlite3
from pathlib import Path

from protocol.process.file import take_place
from server.core.entry import CREATED, RETIRED
from server.io import lock
from server.io.journal import IN_MEMORY, CannotOpen

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
HEADER_LEN = 100
"""Bytes at the beginning of every SQLite file."""
BUSY_S = 0.5
"""How long another process may lock the file before players are told that nothing can be saved."""


def connect(path: str) -> tuple[sqlite3.Connection, int | None]:
    """Open a journal, which is made if there is none, and lock its file; raise `CannotOpen`."""
    if path == IN_MEMORY:
        connection = _opened(path)
        connection.executescript(SCHEMA)
        return connection, None
    # What stands beside a file stands beside its real name, as SQLite sees it.
    file = Path(os.path.realpath(path))
    held = lock.lock(file, path)
    try:
        held = _make_or_check(file, path, held)
        return _opened(str(file)), held
    except sqlite3.Error as error:
        lock.unlock(held)
        raise cannot_use(path, error) from error
    except CannotOpen:
        lock.unlock(held)
        raise


def _opened(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_or_check(file: Path, name: str, held: int | None) -> int | None:
    """Make a new journal, or refuse a file that is not a sound one of ours; return its lock."""
    header = _header(file, name)
    if header:
        _require_ours(name, header)
        file.chmod(0o600)
    else:
        held = _make(file, name, held)
    _require_sound(file, name)
    return held


def _make(path: Path, name: str, held: int | None) -> int | None:
    """Make a journal under another name first, so that nobody ever finds half of one."""
    draft = path.with_name(f"{path.name}.new")
    try:
        for leftover in ("", "-journal", "-wal", "-shm"):
            draft.with_name(draft.name + leftover).unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
            connection.execute("PRAGMA journal_mode=WAL")
        return lock.replace(held, draft, path)
    except OSError as error:
        raise CannotOpen(f"The journal {name} cannot be made: {error.strerror}.") from error


def cannot_use(path: str, error: sqlite3.Error) -> CannotOpen:
    """Put what SQLite complains about into a sentence."""
    return CannotOpen(f"The journal {path} cannot be used: {error}. It was not changed.")


def _header(file: Path, name: str) -> bytes:
    """Read the beginning of the file; make it if there is none, readable by nobody else."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        with file.open("rb") as opened:
            return opened.read(HEADER_LEN)
    except OSError as error:
        raise CannotOpen(f"The journal {name} cannot be opened: {error.strerror}.") from error


def _require_ours(path: str, header: bytes) -> None:
    is_sqlite = len(header) == HEADER_LEN and header.startswith(b"SQLite format 3\0")
    if not is_sqlite or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise CannotOpen(f"{path} is not a Conquest journal, or is damaged; it was not touched.")
    version = int.from_bytes(header[60:64], "big")
    if version != SCHEMA_VERSION:
        raise CannotOpen(
            f"{path} was written by another version of Conquest (its format is {version}, this one "
            f"knows {SCHEMA_VERSION}); it was not touched."
        )


def _require_sound(path: Path, name: str) -> None:
    if path.with_name(f"{path.name}-journal").exists():
        # A restored backup can be cut short while it is turned into a log; reading undoes that half step.
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    # A connection that can write would tidy up after a crash when it is closed, even in a damaged file.
    with contextlib.closing(read_only(path)) as connection:
        findings = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    if findings != ["ok"]:
        finding = " ".join(findings[0].split())
        raise CannotOpen(f"The journal {name} is damaged ({finding}); it was not changed.")


def read_only(path: Path) -> sqlite3.Connection:
    """Open a file so that nothing in it can be changed."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)


def back_up(path: str, copy: Path) -> None:
    """Copy a journal, which a server may be using, for its owner alone; raise `CannotOpen`."""
    if path == IN_MEMORY or not Path(path).is_file():
        raise CannotOpen(f"There is no journal {path}.")
    if copy.exists() and copy.samefile(path):
        raise CannotOpen(f"{copy} is the journal itself; name another file for its copy.")
    draft = copy.with_name(f".{copy.name}.new")
    try:
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            with contextlib.closing(read_only(Path(path))) as connection:
                connection.execute("VACUUM INTO ?", (str(draft),))
            # Some versions of SQLite leave it to the system when a copy reaches the disk.
            os.fsync(descriptor)
            take_place(draft, copy)
        finally:
            os.close(descriptor)
            draft.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CannotOpen(f"The journal {path} cannot be copied to {copy}: {why}.") from error
