"""Journal before broadcast: nothing that depends on a move reaches anybody before the move is on disk.

Killing the process cannot show a wrong order, since the system keeps what a dead process wrote. So the order
itself is looked at: in a trace of all commits and writes, and from outside, while another process holds the
file's lock so that nothing can be saved. Both checks are shown to fail on a server that sends first.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from protocol.client_frame import Create, Join, Ping, Play, Request, Resign, Watch
from protocol.games import TITLES
from protocol.server_frame import Noticed, Ponged, ServerFrame
from tests.e2e.client import Player, met, paired
from tests.e2e.ledger import nothing_can_be_saved, opened
from tests.e2e.process import ROOMY, ServerProcess, serving
from tests.e2e.script import steady
from tests.e2e.trace import Finding, examine

BROKEN = {"RIG_BROKEN_ORDER": "1"}


async def traced(home: Path, rig: dict[str, str]) -> Finding:
    """Play a match of each game at once, with a spectator and a cut in each, and examine the trace."""
    trace = home / "trace.jsonl"
    rig = {"RIG_TRACE": str(trace), **rig}
    async with serving(home, *ROOMY, module="tests.e2e.rigged", rig=rig) as server:
        await asyncio.gather(*(watched(server, game) for game in TITLES for _ in range(3)))
        assert await server.stop() == 0
    with opened(server.db) as journal:
        return examine(trace, journal)


async def watched(server: ServerProcess, game: str) -> None:
    first, second, code = await paired(server, game)
    watcher = await met(server, "Eve")
    await watcher.ask(Watch, match=code)
    first.cut()
    await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
    await watcher.until(lambda: watcher.sights[code].ended)


async def test_every_frame_leaves_after_the_commit_of_what_it_shows(tmp_path: Path) -> None:
    finding = await traced(tmp_path, {})
    assert finding.checked > 500
    assert not finding.early


async def test_the_trace_shows_a_server_that_sends_before_it_saves(tmp_path: Path) -> None:
    finding = await traced(tmp_path, BROKEN)
    assert finding.early


async def heard_meanwhile(player: Player) -> list[ServerFrame]:
    """Return what a player hears while three pings go there and back, news of the server itself left out.

    A ping depends on no state and is answered at once, so whatever the server sent before comes before the
    answer. The first shows that the request was read, also on another connection; the others that all that
    was sent because of it has arrived.
    """
    already = len(player.heard)
    for _ in range(3):
        await player.ask(Ping)
    return [frame for frame in player.heard[already:] if not isinstance(frame, Ponged | Noticed)]


Asked = Callable[[ServerProcess], Awaitable[tuple[Player, Request, list[Player]]]]


async def a_create(server: ServerProcess) -> tuple[Player, Request, list[Player]]:
    player = await met(server)
    return player, player.request(Create, game="galaxy"), []


async def a_join(server: ServerProcess) -> tuple[Player, Request, list[Player]]:
    creator, guest = await met(server), await met(server)
    code = await creator.create("galaxy")
    return guest, guest.request(Join, match=code), [creator]


async def a_move(server: ServerProcess) -> tuple[Player, Request, list[Player]]:
    first, second, code = await paired(server, "galaxy")
    watcher = await met(server)
    await watcher.ask(Watch, match=code)
    move = {"kind": "attack", "planet": 3, "ship": 3}
    for each in (first, second, watcher):
        await each.until(lambda each=each: each.heard[-1].type == "watched")  # type: ignore[misc]
    return first, first.request(Play, match=code, turn=0, move=move), [second, watcher]


async def a_sealed_pick(server: ServerProcess) -> tuple[Player, Request, list[Player]]:
    first, second, code = await paired(server, "grid")
    await first.play(code, {"kind": "claim", "cell": 1})
    await second.until(second.sights[code].moves)
    await second.play(code, {"kind": "challenge", "cell": 1})
    await first.until(first.sights[code].moves)
    return first, first.request(Play, match=code, turn=2, move={"kind": "pick", "number": 4}), [second]


async def a_resignation(server: ServerProcess) -> tuple[Player, Request, list[Player]]:
    first, second, code = await paired(server, "duel")
    return second, second.request(Resign, match=code), [first]


REQUESTS: list[Asked] = [a_create, a_join, a_move, a_sealed_pick, a_resignation]


async def test_nothing_is_shown_while_it_cannot_be_saved(tmp_path: Path) -> None:
    async with serving(tmp_path, *ROOMY) as server:
        for asked in REQUESTS:
            player, request, others = await asked(server)
            with nothing_can_be_saved(server.db):
                player.send(request)  # type: ignore[arg-type]
                for each in (player, *others):
                    assert await heard_meanwhile(each) == []
            await player.answer(request)
            for each in others:
                await each.receive()


async def test_a_new_token_is_not_told_while_it_cannot_be_saved(tmp_path: Path) -> None:
    async with serving(tmp_path, *ROOMY) as server:
        first, second, _ = await paired(server, "galaxy")
        first.cut()
        await second.until(lambda: second.heard[-1].type == "sighted")
        used = first.token
        with nothing_can_be_saved(server.db):
            coming_back = asyncio.create_task(first.come_back())
            assert await heard_meanwhile(second) == []
            assert not coming_back.done()
            assert first.token == used
        await coming_back
        assert first.token != used


async def test_the_lock_shows_a_server_that_sends_before_it_saves(tmp_path: Path) -> None:
    async with serving(tmp_path, *ROOMY, module="tests.e2e.rigged", rig=BROKEN) as server:
        for asked in REQUESTS:
            player, request, others = await asked(server)
            with nothing_can_be_saved(server.db):
                player.send(request)  # type: ignore[arg-type]
                for each in (player, *others):
                    assert await heard_meanwhile(each) != []
