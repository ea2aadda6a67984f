"""How a server stops: everybody is told, everything is saved, and it comes back with every match."""

import signal
from pathlib import Path

import pytest

from protocol.client_frame import Ping, Play
from protocol.server_frame import Closed, Sighted
from tests.e2e.client import Player, Wire, met, paired
from tests.e2e.ledger import audit, nothing_can_be_saved
from tests.e2e.process import ServerProcess, serving

ATTACK = {"kind": "attack", "planet": 3, "ship": 3}


async def farewell(wire: Wire | None) -> str:
    """Read a connection to its end and return why it ended; nobody may be blamed for it."""
    assert wire is not None
    *before, last = await wire.rest()
    assert not any(isinstance(frame, Sighted) for frame in before)
    assert isinstance(last, Closed)
    assert last.kept
    return last.code.value


async def a_move(player: Player, code: str) -> bool:
    """Wait for the first event of a match."""
    await player.until(lambda: player.sights[code].events)
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("loop", [None, "asyncio"])
@pytest.mark.parametrize("tls", ["--tls", "--no-tls"])
async def test_a_signal_stops_the_server_and_everybody_is_told(
    tmp_path: Path, number: int, loop: str | None, tls: str
) -> None:
    async with serving(tmp_path, "--log-json", tls, loop=loop) as server:
        first, second, _ = await paired(server, "galaxy")
        stranger = await Wire.open(server)
        await first.ask(Ping)
        await first.ask(Ping)
        server.send_signal(number)
        for wire in (first.wire, second.wire, stranger):
            assert await farewell(wire) == "stopping"
        assert await server.ended() == 0
        assert all(line["level"] == "info" for line in server.log_lines())


async def test_a_move_on_its_way_is_saved_and_shown_before_the_end(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        first, second, code = await paired(server, "galaxy")
        with nothing_can_be_saved(server.db):
            first.send(first.request(Play, match=code, turn=0, move=ATTACK))
            await first.ask(Ping)
            server.send_signal(signal.SIGTERM)
        for player in (first, second):
            assert await a_move(player, code)
            assert await farewell(player.wire) == "stopping"
        assert await server.ended() == 0
    audit(server.db, [(code, player.sights[code]) for player in (first, second)])


async def test_a_server_that_cannot_save_stops_all_the_same(tmp_path: Path) -> None:
    """What it could not save it never showed, so nothing that anybody knows of is lost."""
    async with serving(tmp_path) as server:
        first, second, code = await paired(server, "galaxy")
        with nothing_can_be_saved(server.db):
            first.send(first.request(Play, match=code, turn=0, move=ATTACK))
            await first.ask(Ping)
            server.send_signal(signal.SIGTERM)
            for player in (first, second):
                assert await farewell(player.wire) == "stopping"
                assert not player.sights[code].events
            assert await server.ended() == 0
    audit(server.db, [(code, player.sights[code]) for player in (first, second)])


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
async def test_two_signals_close_together_stop_the_server_in_order(tmp_path: Path, second: int) -> None:
    async with serving(tmp_path, "--log-json") as server:
        players = await paired(server, "galaxy")
        server.send_signal(signal.SIGTERM)
        server.send_signal(second)
        for player in players[:2]:
            assert await farewell(player.wire) == "stopping"
        assert await server.ended() == 0
        assert all(line["level"] == "info" for line in server.log_lines())


@pytest.mark.parametrize("loop", [None, "asyncio"])
async def test_a_second_signal_changes_nothing(tmp_path: Path, loop: str | None) -> None:
    async with serving(tmp_path, loop=loop) as server:
        first, second, code = await paired(server, "galaxy")
        with nothing_can_be_saved(server.db):
            first.send(first.request(Play, match=code, turn=0, move=ATTACK))
            await first.ask(Ping)
            server.send_signal(signal.SIGTERM)
            server.send_signal(signal.SIGINT)
            for player in (first, second):
                assert await farewell(player.wire) == "stopping"
                if server.is_running():
                    server.send_signal(signal.SIGTERM)
            assert await server.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_that_starts_again_says_how_many_matches_it_brought_back(
    tmp_path: Path, number: int
) -> None:
    server = ServerProcess(tmp_path)
    try:
        await server.start()
        assert server.restored == 0
        pairs = [await paired(server, game) for game in ("galaxy", "grid", "duel")]
        waiting = await met(server, "Cleo")
        await waiting.create("digit")
        server.send_signal(number)
        await server.ended()
        await server.start()
        assert server.restored == 4
        for first, second, code in pairs:
            for player in (first, second):
                await player.come_back()
            await first.play(code, first.sights[code].moves()[0])
        guest = await met(server, "Dan")
        await guest.join(next(iter(waiting.sights)))
        assert await back(waiting)
        assert await server.stop() == 0
    finally:
        await server.kill()


async def back(player: Player) -> bool:
    """Come back to a match that began while one was away."""
    await player.come_back()
    (sight,) = player.sights.values()
    await player.until(lambda: sight.shown)
    return sight.seated.begun
