"""A copy of the journal that was taken during play is a journal: everybody comes back to it by token."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.games import TITLES
from tests.e2e.client import Player, RawMove, Sight, paired
from tests.e2e.process import ROOMY, ServerProcess, serving
from tests.e2e.script import steady

DECISIONS_BEFORE = 12
"""How far the players are when the copy is taken; they go on meanwhile."""


def backup(source: sqlite3.Connection, copy: Path) -> None:
    """Do what `.backup` of the sqlite3 command does."""
    target = sqlite3.connect(copy)
    source.backup(target)
    target.close()


def vacuum(source: sqlite3.Connection, copy: Path) -> None:
    """Write a copy without the room that is not used."""
    source.execute("VACUUM INTO ?", (str(copy),))


Method = Callable[[sqlite3.Connection, Path], None]


def taken(db: Path, copy: Path, method: Method) -> None:
    """Copy a journal from another process's point of view."""
    copy.parent.mkdir()
    source = sqlite3.connect(db)
    method(source, copy)
    source.close()


@pytest.mark.parametrize("method", [backup, vacuum])
async def test_a_backup_taken_during_play_restores(tmp_path: Path, method: Method) -> None:
    copy = tmp_path / "copy" / "conquest.db"
    async with serving(tmp_path / "home", "--log-json", *ROOMY) as server:
        pairs = [await paired(server, game) for game in TITLES]
        amid_play, decisions = asyncio.Event(), 0

        def choose(player: Player, sight: Sight) -> RawMove:
            nonlocal decisions
            decisions += 1
            if decisions == DECISIONS_BEFORE:
                amid_play.set()
            return steady(player, sight)

        playing = [
            asyncio.create_task(player.play_out(code, choose)) for *both, code in pairs for player in both
        ]
        await amid_play.wait()
        await asyncio.to_thread(taken, server.db, copy, method)
        await asyncio.gather(*playing)
        assert all(line["level"] == "info" for line in server.log_lines()), "nobody was disturbed"
        assert await server.stop() == 0
    async with serving(tmp_path / "copy", *ROOMY) as restored:
        assert restored.restored == len(TITLES)
        known = [await events_there(restored, player, code) for *both, code in pairs for player in both]
        assert sum(known) >= DECISIONS_BEFORE - 1, "what was shown before the copy is in it"


async def events_there(restored: ServerProcess, player: Player, code: str) -> int:
    """Come to a restored server by the old token; count what it knows, which must have happened so."""
    again = Player(restored, player.name)
    again.token = player.token
    await again.come_back()
    await again.until(lambda: code in again.sights and again.sights[code].shown)
    events = again.sights[code].events
    assert events == player.sights[code].events[: len(events)]
    return len(events)
