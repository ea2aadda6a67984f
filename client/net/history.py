"""The matches that were played here: a folder of records, a file each, of which the newest are kept.

A file's name says when its match was over, which game it was, and whose record it is. What is no record
counts as missing. Where nothing can be kept, that is said once, and everything goes on.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from client.core.history import Played, summary
from client.core.record import BadRecord, Record, dump, load
from client.net.store import Store
from client.net.visit import visiting
from protocol.catalogue import TITLES
from protocol.process.file import write_whole

FOLDER = "history"
MOST = 1000
"""How many records are kept."""
MOST_BYTES = 64 * 1024 * 1024
"""How much room they may take together."""
STAMP = "%Y%m%dT%H%M%SZ"
STAMP_LEN = len("20261119T061500Z")
SIZE_MAX = 4 * 1024 * 1024
"""Bytes that a record may have; the longest match has a tenth of it."""


class History:
    """The records of a store."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time) -> None:
        self.folder = store.root / FOLDER
        self._store = store
        self._now = now

    def keep(self, record: Record) -> Path | None:
        """Keep a record, once; say where, or None if it cannot be. The oldest go where it is too much."""
        header = record.header
        if header.game not in TITLES or not header.match.isalnum():
            # Both become part of a file's name, and a stranger's server has sent them.
            return None
        text, name = dump(record), f"{header.game}-{header.match}-{header.seat}.jsonl"
        try:
            for path in self.folder.glob(f"*-{name}"):
                if path.read_text("utf-8") == text:
                    return path
            path = self.folder / f"{time.strftime(STAMP, time.gmtime(self._now()))}-{name}"
            write_whole(path, text.encode())
            self._prune()
        except (OSError, UnicodeDecodeError) as problem:
            self._store.regret(problem if isinstance(problem, OSError) else OSError(0, str(problem)))
            return None
        return path

    def matches(self) -> list[Played]:
        """List what was played, the latest first."""
        return [played for path in self._paths() if (played := _summary(path)) is not None]

    def path(self, played: Played) -> Path:
        """Say where a match's record is."""
        return self.folder / played.file

    def forget(self, played: Played) -> None:
        """Remove a match's record."""
        with contextlib.suppress(OSError):
            self.path(played).unlink()

    def _paths(self) -> list[Path]:
        """List the files, the latest first."""
        return sorted(self.folder.glob("*.jsonl"), reverse=True)

    def _prune(self) -> None:
        for path in self._too_many():
            path.unlink(missing_ok=True)

    def _too_many(self) -> Iterator[Path]:
        room = visit.history if (visit := visiting()) else MOST_BYTES
        for number, path in enumerate(self._paths(), start=1):
            room -= path.stat().st_size
            if number > MOST or room < 0:
                yield path


def read(path: Path) -> Record:
    """Read a record from a file; raise `BadRecord`."""
    try:
        if path.stat().st_size > SIZE_MAX:
            raise BadRecord("It is far too big for the record of a match.")
        return load(path.read_text("utf-8"))
    except OSError as problem:
        raise BadRecord(f"It cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise BadRecord("It is not a text file.") from problem


def _summary(path: Path) -> Played | None:
    try:
        ended_at = time.strptime(path.name[:STAMP_LEN], STAMP)
        return summary(path.name, _local(ended_at), read(path))
    except (BadRecord, ValueError):
        return None


def _local(ended_at: time.struct_time) -> str:
    import calendar

    return time.strftime("%Y-%m-%d %H:%M", time.localtime(calendar.timegm(ended_at)))
