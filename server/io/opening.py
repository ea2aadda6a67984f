"""Opens a journal by its name: a URL is a database, anything else a file.

What a database needs is imported only when one is used.
"""

from pathlib import Path

from server.core.entry import Entry
from server.io import sqlite, sqlite_file
from server.io.journal import CannotOpen, is_url
from server.io.writer import Writer


def open_journal(name: str) -> Writer:
    """Open a journal, which is made if there is none; raise `CannotOpen`."""
    if not is_url(name):
        return sqlite.SqliteJournal(name)
    _require_psycopg()
    from server.io.postgres import PostgresJournal

    return PostgresJournal(name)


def exists(name: str) -> bool:
    """Tell whether there is a journal; raise `CannotOpen` for a database that cannot be asked."""
    if not is_url(name):
        return Path(name).is_file()
    _require_psycopg()
    from server.io import postgres

    return postgres.exists(name)


def read_history(name: str, code: str) -> list[Entry]:
    """Read a match from a journal that a server may be using; nothing is locked, made or changed."""
    if not is_url(name):
        return sqlite.read_history(name, code)
    _require_psycopg()
    from server.io import postgres

    return postgres.read_history(name, code)


def back_up(name: str, copy: Path) -> None:
    """Copy a journal that a server may be using; raise `CannotOpen`."""
    if is_url(name):
        raise CannotOpen("A journal on PostgreSQL is backed up by PostgreSQL: use pg_dump.")
    sqlite_file.back_up(name, copy)


def _require_psycopg() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise CannotOpen(
            "A journal on PostgreSQL needs psycopg: pip install 'conquest[fleet]', or psycopg[binary]."
        ) from error
