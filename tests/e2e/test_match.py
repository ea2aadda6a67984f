"""Whole matches over real sockets: plain and encrypted, on both event loops."""

import asyncio
from pathlib import Path

import pytest

from protocol.client_frame import Export, Rematch, Watch
from protocol.games import TITLES
from protocol.server_frame import Exported, Seated
from tests.e2e.client import Sight, Wire, met, paired
from tests.e2e.ledger import audit
from tests.e2e.process import ServerProcess, serving
from tests.e2e.script import steady


async def played(server: ServerProcess, game: str) -> list[tuple[str, Sight]]:
    """Play one match of a game to its end and return what both players saw."""
    first, second, code = await paired(server, game)
    sights = await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
    assert sights[0].ended == sights[1].ended
    return [(code, sight) for sight in sights]


def assert_runs_on(server: ServerProcess, loop: str | None) -> None:
    """Fail if the process uses the wrong event loop, where the system lets us look."""
    memory_map = Path(f"/proc/{server.pid}/maps")
    if memory_map.exists():
        assert ("uvloop" in memory_map.read_text()) == (loop is None)


@pytest.mark.parametrize("tls", ["--tls", "--no-tls"])
@pytest.mark.parametrize("loop", [None, "asyncio"])
async def test_every_game_is_played_to_its_end(tmp_path: Path, tls: str, loop: str | None) -> None:
    async with serving(tmp_path, tls, loop=loop) as server:
        assert (server.fingerprint is not None) == (tls == "--tls")
        assert_runs_on(server, loop)
        memories = await asyncio.gather(*(played(server, game) for game in TITLES))
        assert await server.stop() == 0
    audit(server.db, [memory for pair in memories for memory in pair])


async def test_the_certificate_is_made_once_and_kept(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--tls")
    try:
        await server.start()
        first = server.fingerprint
        await server.kill()
        await server.start()
        assert server.fingerprint == first
        (await Wire.open(server)).cut()
    finally:
        await server.kill()
    assert modes(tmp_path, "server.key") == [0o600]


def modes(home: Path, pattern: str) -> list[int]:
    """List the permissions of files."""
    return [file.stat().st_mode & 0o777 for file in home.glob(pattern)]


async def test_the_journal_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        await paired(server, "grid")
        found = modes(tmp_path, "conquest.db*")
        assert len(found) >= 3, "the file, its log, the log's index; on some systems a lock"
        assert set(found) == {0o600}


async def test_a_spectator_sees_the_whole_match_and_never_more(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        first, second, code = await paired(server, "grid")
        watcher = await met(server, "Eve")
        seated = await watcher.ask(Watch, match=code)
        assert isinstance(seated, Seated)
        assert seated.seat == 0
        await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
        await watcher.until(lambda: watcher.sights[code].ended)
        assert watcher.sights[code].events == first.sights[code].events
        views = [frame.view for frame in watcher.heard if frame.type == "shown"]
        assert all(view.game == "grid" and view.pick is None for view in views)
        assert not watcher.sights[code].moves()


async def test_a_finished_match_is_exported_and_played_again_with_seats_swapped(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        first, second, code = await paired(server, "conquer")
        await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
        record = await first.ask(Export, match=code)
        assert isinstance(record, Exported)
        assert len(record.moves) == 7
        await first.ask(Rematch, match=code)
        seated = await second.ask(Rematch, match=code)
        assert (seated.previous, seated.seat, seated.names) == (code, 1, ("Bob", "Ann"))
        await first.until(lambda: first.sights.get(seated.match))
        players = (first, second)
        again = await asyncio.gather(*(player.play_out(seated.match, steady) for player in players))
        assert sum(again[0].ended.score if again[0].ended else ()) == 2
