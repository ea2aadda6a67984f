"""A disk that takes nothing more: players are told, no move is taken, and all goes on when there is room.

The disk is full by a limit on the size of files, which the test lowers and raises from outside; the file is
locked by a second connection in the test's own process.
"""

import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from protocol.client_frame import Chat, Create, Hello, Ping, Play, Resign
from protocol.limit import PROTOCOL_VERSION
from protocol.server_frame import Noticed, ServerFrame, Shown
from tests.e2e.client import Player, Wire, paired, refusal
from tests.e2e.ledger import audit, nothing_can_be_saved
from tests.e2e.process import ServerProcess, serving

Trouble = Callable[[ServerProcess], AbstractContextManager[None]]


@contextmanager
def disk_full(server: ServerProcess) -> Iterator[None]:
    """Let no file of the server's grow."""
    size = server.db.with_name(f"{server.db.name}-wal").stat().st_size
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, before[1]))
    yield
    if server.is_running():
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)


def file_locked(server: ServerProcess) -> AbstractContextManager[None]:
    """Let another process hold the lock that a writer needs."""
    return nothing_can_be_saved(server.db)


def notices(player: Player) -> list[str]:
    """List the news of the server that a player has heard."""
    return [frame.code for frame in player.heard if isinstance(frame, Noticed)]


async def noticed(player: Player, code: str) -> None:
    """Wait for certain news."""
    await player.until(lambda: code in notices(player))


def shown(player: Player) -> list[ServerFrame]:
    """List what a player was shown of matches."""
    return [frame for frame in player.heard if isinstance(frame, Shown)]


@pytest.mark.parametrize("trouble", [disk_full, file_locked])
@pytest.mark.parametrize("tls", ["--tls", "--no-tls"])
async def test_no_move_is_taken_that_cannot_be_kept(tmp_path: Path, trouble: Trouble, tls: str) -> None:
    async with serving(tmp_path, "--log-json", tls) as server:
        first, second, code = await paired(server, "galaxy")
        known = [len(shown(player)) for player in (first, second)]
        attack = first.request(Play, match=code, turn=0, move={"kind": "attack", "planet": 3, "ship": 3})
        with trouble(server):
            first.send(attack)
            for player in (first, second):
                await noticed(player, "cannot_save")
                await player.ask(Ping)
            assert refusal(await second.ask(Resign, match=code)) == "cannot_save"
            assert refusal(await second.ask(Chat, match=code, text="Hm.")) == "cannot_save"
            assert refusal(await second.ask(Create, game="duel")) == "cannot_save"
            assert await hello_meanwhile(server) == "cannot_save"
            assert [len(shown(player)) for player in (first, second)] == known
        for player in (first, second):
            await noticed(player, "saving_again")
        # The move that was taken is shown as soon as it is kept, behind the notice.
        await first.until(lambda: any(isinstance(f, Shown) and f.re == attack.id for f in first.heard))
        await second.until(second.sights[code].moves)
        await second.play(code, {"kind": "attack", "planet": 1, "ship": 1})
        await first.until(first.sights[code].moves)
        assert notices(first) == notices(second) == ["cannot_save", "saving_again"]
        await server.kill()
        levels = [line["level"] for line in server.log_lines() if line["level"] != "info"]
        assert levels == ["error", "warning"], "one line when it begins, one when it is over"
    audit(server.db, [(code, player.sights[code]) for player in (first, second)])


async def hello_meanwhile(server: ServerProcess) -> str:
    """Come to a server that cannot save, and be told so."""
    wire = await Wire.open(server)
    wire.send(Hello(version=PROTOCOL_VERSION, name="Eve"))
    answer = await wire.receive()
    wire.cut()
    return refusal(answer)


async def test_a_kill_while_nothing_can_be_saved_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    try:
        await server.start()
        first, second, code = await paired(server, "grid")
        await first.play(code, {"kind": "claim", "cell": 1})
        await second.until(second.sights[code].moves)
        with disk_full(server):
            request = second.request(Play, match=code, turn=1, move={"kind": "claim", "cell": 2})
            second.send(request)
            await noticed(first, "cannot_save")
            await server.kill()
        await server.start()
        for player in (first, second):
            await player.come_back()
        second.send(request)
        answer = await second.answer(request)
        assert isinstance(answer, Shown), "the move that was lost with the server is made once, by its old id"
        await first.until(first.sights[code].moves)
        assert len(first.sights[code].events) == 2
        assert await server.stop() == 0
    finally:
        await server.kill()
