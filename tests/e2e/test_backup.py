"""A copy of the journal that was taken during play is a journal: everybody comes back to it by token."""

import asyncio
import stat
from pathlib import Path

from protocol.games import TITLES
from tests.e2e.client import Player, RawMove, Sight, paired
from tests.e2e.process import ROOMY, ServerProcess, refused, run_to_end, serving
from tests.e2e.script import steady

DECISIONS_BEFORE = 12
"""How far the players are when the copy is taken; they go on meanwhile."""


async def test_a_backup_taken_during_play_restores(tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "conquest.db"
    copy.parent.mkdir()
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
        assert await run_to_end(server.home, f"--backup={copy}") == (0, "", "")
        await asyncio.gather(*playing)
        assert all(line["level"] == "info" for line in server.log_lines()), "nobody was disturbed"
        assert await server.stop() == 0
    assert modes(copy.parent) == {"conquest.db": 0o600}
    async with serving(tmp_path / "copy", *ROOMY) as restored:
        assert restored.restored == len(TITLES)
        known = [await events_there(restored, player, code) for *both, code in pairs for player in both]
        assert sum(known) >= DECISIONS_BEFORE - 1, "what was shown before the copy is in it"


async def test_a_backup_that_cannot_be_taken_is_said_and_leaves_the_old_one(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(b"older")
    flag = f"--backup={copy}"
    assert "There is no journal" in await refused(tmp_path / "home", flag)
    (tmp_path / "home" / "conquest.db").write_bytes(b"x" * 5000)
    assert "cannot be copied" in await refused(tmp_path / "home", flag)
    assert "no/copy.db: No such file or directory." in await refused(
        tmp_path / "home", f"--backup={tmp_path}/no/copy.db"
    )
    itself = tmp_path / "home" / "conquest.db"
    assert "is the journal itself" in await refused(tmp_path / "home", f"--backup={itself}")
    assert "pg_dump" in await refused(tmp_path / "home", "--journal=postgresql://x/y", flag)
    assert copy.read_bytes() == b"older"
    assert set(modes(tmp_path)) == {"copy.db", "home"}


def modes(folder: Path) -> dict[str, int]:
    """Tell what is in a folder, and who may read it."""
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


async def events_there(restored: ServerProcess, player: Player, code: str) -> int:
    """Come to a restored server by the old token; count what it knows, which must have happened so."""
    again = Player(restored, player.name)
    again.token = player.token
    await again.come_back()
    await again.until(lambda: code in again.sights and again.sights[code].shown)
    events = again.sights[code].events
    assert events == player.sights[code].events[: len(events)]
    return len(events)
