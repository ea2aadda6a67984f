"""What a journal says, read after its server has ended: the truth that players' memories are held against."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protocol.codec import decode_server
from protocol.limit import HEADER_LEN
from protocol.model import Model
from protocol.server_frame import Told
from server.core import visible
from server.core.entry import MOVED, Entry
from server.core.match import Match, rebuild
from server.io.opening import open_journal
from server.io.writer import Writer
from tests.e2e.client import Sight


@dataclass
class Account:
    """One match in the journal."""

    entries: list[Entry]
    match: Match

    @property
    def moves(self) -> list[dict[str, Any]]:
        """The moves, in order: seat, id, move, chance and time of each."""
        return [entry.body for entry in self.entries if entry.kind == MOVED]

    @property
    def events(self) -> list[Model]:
        """All events that the moves lead to."""
        pieces = [decode_server(piece[HEADER_LEN:]) for piece in visible.told(self.match, 0)]
        return [event for piece in pieces if isinstance(piece, Told) for event in piece.events]

    def agrees_with(self, sight: Sight) -> None:
        """Fail unless a player's memory of the whole match is what the journal says."""
        match = self.match
        assert sight.shown is not None
        assert sight.events == self.events
        assert sight.shown.turn == match.turn
        assert sight.shown.view == match.terms.game.view(match.state, sight.seated.seat or None)
        if sight.ended is not None:
            assert (sight.ended.outcome, sight.ended.score) == (match.outcome, match.score)


@contextmanager
def opened(db: Path | str) -> Iterator[Writer]:
    """Open the journal of a server that has ended."""
    journal = open_journal(str(db))
    try:
        yield journal
    finally:
        journal.close()


@contextmanager
def nothing_can_be_saved(db: Path) -> Iterator[None]:
    """Hold the lock that every writer needs."""
    connection = sqlite3.connect(db, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()


def account(journal: Writer, code: str) -> Account:
    """Read one match."""
    entries = journal.history(code)
    assert entries, f"the match {code} is not in the journal"
    assert [entry.place for entry in entries] == list(range(len(entries)))
    return Account(entries, rebuild(entries))


def audit(db: Path, memories: list[tuple[str, Sight]]) -> None:
    """Hold every memory of a match against the journal."""
    with opened(db) as journal:
        for code, sight in memories:
            account(journal, code).agrees_with(sight)
