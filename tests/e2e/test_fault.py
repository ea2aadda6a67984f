"""Parts of the server that fail as nobody foresaw: what cannot go on stops and says so, the rest plays on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.client_frame import Export, Play, Resign
from protocol.server_frame import Closed
from tests.e2e.client import Lost, Player, Wire, paired, refusal
from tests.e2e.process import ServerProcess, free_port, run_to_end, serving

ATTACK = {"kind": "attack", "planet": 3, "ship": 3}
PATIENCE_S = 20.0
Provoke = Callable[[ServerProcess, Player, str], Awaitable[None]]


async def move(server: ServerProcess, player: Player, code: str) -> None:
    player.send(player.request(Play, match=code, turn=0, move=ATTACK))


async def connect(server: ServerProcess, player: Player, code: str) -> None:
    await Wire.open(server)


async def wait(server: ServerProcess, player: Player, code: str) -> None:
    """Do nothing: time passes by itself."""


FATAL: dict[str, Provoke] = {
    "the journal's thread, committing": move,
    "the journal's thread, reporting": move,
    "the ticker": wait,
    "accepting": connect,
    "carrying out a step": move,
    "writing to connections": move,
}


@asynccontextmanager
async def faulty(home: Path, part: str, *flags: str, loop: str | None = None) -> AsyncIterator[ServerProcess]:
    """Run a server of which a part fails once `spoil` was called."""
    rig = {"FAULT": part, "FAULT_WHEN": str(home / "now")}
    async with serving(home, *flags, module="tests.e2e.faulty", rig=rig, loop=loop) as server:
        yield server


def spoil(server: ServerProcess) -> None:
    """Let the part fail from now on."""
    (server.home / "now").touch()


@pytest.mark.parametrize("loop", [None, "asyncio"])
@pytest.mark.parametrize("part", FATAL)
async def test_what_cannot_go_on_stops_the_server_and_everybody_is_told(
    tmp_path: Path, part: str, loop: str | None
) -> None:
    async with faulty(tmp_path, part, loop=loop) as server:
        first, second, code = await paired(server, "galaxy")
        spoil(server)
        await FATAL[part](server, first, code)
        assert await server.ended(PATIENCE_S) == 1
        for player in (first, second):
            assert player.wire is not None
            frames = await player.wire.rest()
            # Words that cannot be carried out are not: then the connection just ends.
            if part != "carrying out a step":
                assert isinstance(frames[-1], Closed)
                assert frames[-1].code == "fault"
        told = server.log.read_text()
    assert "Unforeseen: nobody thought of this" in told
    assert told.endswith("conquest: The server made a mistake of its own and had to stop.\n")


async def test_after_a_restart_the_match_goes_on(tmp_path: Path) -> None:
    async with faulty(tmp_path, "carrying out a step") as server:
        first, second, code = await paired(server, "galaxy")
        spoil(server)
        await move(server, first, code)
        assert await server.ended(PATIENCE_S) == 1
        (server.home / "now").unlink()
        await server.start()
        assert server.restored == 1
        for player in (first, second):
            player.cut()
            await player.come_back()
        await second.until(second.sights[code].moves)
        await second.play(code, second.sights[code].moves()[0])


async def test_a_failed_handshake_costs_one_connection(tmp_path: Path) -> None:
    async with faulty(tmp_path, "a handshake") as server:
        first, _, code = await paired(server, "galaxy")
        spoil(server)
        with pytest.raises((Lost, OSError)):
            await (await Wire.open(server)).receive()
        (server.home / "now").unlink()
        await Wire.open(server)
        await first.play(code, first.sights[code].moves()[0])
        assert "Unforeseen: nobody thought of this" in server.log.read_text()
        assert await server.stop() == 0


async def test_a_record_that_cannot_be_made_costs_one_answer(tmp_path: Path) -> None:
    async with faulty(tmp_path, "the journal's thread, making a record") as server:
        first, _, match = await paired(server, "galaxy")
        await first.ask(Resign, match=match)
        spoil(server)
        assert refusal(await first.ask(Export, match=match)) == "no_such_match"
        (server.home / "now").unlink()
        assert not hasattr(await first.ask(Export, match=match), "code")
        assert "Unforeseen: nobody thought of this" in server.log.read_text()
        assert await server.stop() == 0


async def test_a_server_that_fails_while_it_starts_says_so(tmp_path: Path) -> None:
    (tmp_path / "now").touch()
    rig = {"FAULT": "starting", "FAULT_WHEN": str(tmp_path / "now")}
    code, output, errors = await run_to_end(tmp_path, module="tests.e2e.faulty", rig=rig)
    assert (code, output) == (1, "")
    assert "Unforeseen: nobody thought of this" in errors
    assert errors.endswith("conquest: The server made a mistake of its own and had to stop.\n")


@pytest.mark.parametrize("part", ["stopping", "closing the journal"])
async def test_a_server_that_fails_while_it_stops_has_told_everybody_and_says_so(
    tmp_path: Path, part: str
) -> None:
    async with faulty(tmp_path, part) as server:
        first, second, _ = await paired(server, "galaxy")
        spoil(server)
        assert await server.stop() == 1
        for player in (first, second):
            assert player.wire is not None
            frames = await player.wire.rest()
            assert isinstance(frames[-1], Closed)
            assert frames[-1].code == "stopping"
        told = server.log.read_text()
        assert "Unforeseen: nobody thought of this" in told
        assert told.endswith("conquest: The server made a mistake of its own and had to stop.\n")
        (server.home / "now").unlink()
        await server.start()
        assert server.restored == 1


async def test_a_failed_count_costs_nobody_anything(tmp_path: Path) -> None:
    port = free_port()
    async with faulty(tmp_path, "the counts", f"--status={port}") as server:
        first, _, code = await paired(server, "galaxy")
        spoil(server)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
        writer.close()
        await first.play(code, first.sights[code].moves()[0])
        assert "Unforeseen: nobody thought of this" in server.log.read_text()
        assert await server.stop() == 0
