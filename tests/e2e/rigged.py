"""The server with instruments, run like `python -m server`: it notes what it does, or dies when told to.

Environment variables say what is wanted. RIG_TRACE names a file for the order of commits and writes;
RIG_BROKEN_ORDER makes the server send before it saves, to prove that a check notices; RIG_DIE=POINT:N ends
the process, as by kill -9, the N-th time it comes to a point. The server's own code is what runs.
"""

import asyncio
import itertools
import json
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from server import command
from server.io import shell
from server.io.gate import Gate

BEFORE_COMMIT = "before_commit"
AFTER_COMMIT = "after_commit"
BEFORE_WRITE = "before_write"
AMID_WRITE = "amid_write"
BEFORE_SCHEMA = "before_schema"
"""Amid the making of the file, which happens once in its life and so is not among the points below."""
POINTS = (BEFORE_COMMIT, AFTER_COMMIT, BEFORE_WRITE, AMID_WRITE)

_real_connect = sqlite3.connect
_visits: Counter[str] = Counter()
_point, _, _visit = os.environ.get("RIG_DIE", "").partition(":")
_is_broken = "RIG_BROKEN_ORDER" in os.environ
_noted: list[dict[str, Any]] = []


def die_at(point: str) -> bool:
    """Tell whether the process is to end here."""
    _visits[point] += 1
    return point == _point and _visits[point] == int(_visit)


def die() -> None:
    """End the process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


def note(**facts: Any) -> None:
    """Remember what happened; appending to a list keeps the order across threads."""
    _noted.append(facts)


class RiggedConnection(sqlite3.Connection):
    """The journal's connection; a transaction is durable when its COMMIT has returned."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql != "COMMIT":
            return super().execute(sql, *parameters)
        if die_at(BEFORE_COMMIT):
            die()
        if _is_broken:
            time.sleep(0.002)
        cursor = super().execute(sql)
        if die_at(AFTER_COMMIT):
            die()
        self._note_commit()
        return cursor

    def executescript(self, sql_script: str) -> sqlite3.Cursor:
        if die_at(BEFORE_SCHEMA):
            super().executescript(sql_script.replace("COMMIT;", ""))
            die()
        return super().executescript(sql_script)

    def _note_commit(self) -> None:
        (through,) = super().execute("SELECT coalesce(max(seq), 0) FROM entry").fetchone()
        (synchronous,) = super().execute("PRAGMA synchronous").fetchone()
        (mode,) = super().execute("PRAGMA journal_mode").fetchone()
        note(what="commit", through=through, synchronous=synchronous, mode=mode)


class RiggedTransport:
    """A connection's transport, whose writes are noted before they happen."""

    def __init__(self, transport: asyncio.Transport, peer: int) -> None:
        self._transport = transport
        self._peer = peer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if die_at(BEFORE_WRITE):
            die()
        if die_at(AMID_WRITE):
            self._transport.write(data[: len(data) // 2])
            die()
        note(what="write", peer=self._peer, data=bytes(data).hex())
        self._transport.write(data)


class RiggedPeer(shell.Peer):
    """A connection with a rigged transport."""

    numbers = itertools.count(1)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        rigged: Any = RiggedTransport(transport, next(self.numbers))  # type: ignore[arg-type]
        super().connection_made(rigged)


def rigged_connect(*arguments: Any, **keywords: Any) -> sqlite3.Connection:
    return _real_connect(*arguments, **keywords, factory=RiggedConnection)


def main() -> int:
    """Run the server's own command on rigged parts."""
    sqlite3.connect = rigged_connect  # type: ignore[assignment]
    shell.Peer = RiggedPeer  # type: ignore[misc]
    if _is_broken:
        Gate.is_open = lambda self: True  # type: ignore[method-assign]
    code = command.main()
    if "RIG_TRACE" in os.environ:
        lines = (json.dumps({"at": at, **facts}) + "\n" for at, facts in enumerate(_noted))
        Path(os.environ["RIG_TRACE"]).write_text("".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
