"""A thousand connections that are idle or slow, and floods: the match beside them goes on, move by move.

How fast it goes on is a matter for `python -m tests.e2e.crowd`, which prints ratios and stalls. Here counts
that every move is taken while the crowd stands there.
"""

import asyncio
from collections import Counter
from pathlib import Path

from protocol.client_frame import Join
from protocol.server_frame import Closed
from server.io.log import MOST
from tests.e2e.client import Wire, met, paired
from tests.e2e.crowd import CROWD, Bystanders, crowded
from tests.e2e.process import ROOMY, ServerProcess, serving

MOVES = 100
PATIENT = ("--hello-timeout-s=600", "--frame-timeout-s=600")


async def test_a_match_goes_on_beside_a_thousand_idle_and_slow_connections(tmp_path: Path) -> None:
    async with serving(tmp_path, "--log-json", *ROOMY, *PATIENT, "--moves-per-match=1000000") as server:
        bystanders = Bystanders(*await paired(server, "duel"))
        async with crowded(server, CROWD) as crowd:
            while crowd.bytes_sent < 1:
                await bystanders.play(MOVES)
            assert crowd.present() == CROWD, "all of them stand there to the end"
        await bystanders.play(MOVES)
        assert await server.stop() == 0
    assert bystanders.moves >= 2 * MOVES
    assert all(line["level"] == "info" for line in server.log_lines())


async def test_a_crowd_beyond_the_limits_is_turned_away_and_the_match_goes_on(tmp_path: Path) -> None:
    """With the limits as they are by themselves: 32 connections from one address, and as many strangers."""
    async with serving(tmp_path, "--log-json") as server:
        bystanders = Bystanders(*await paired(server, "duel"))
        async with crowded(server, 300):
            await bystanders.play(40)
        assert await server.stop() == 0
    full = [line.get("more", 1) for line in server.log_lines() if line.get("code") == "full"]
    assert 300 - 30 - 32 <= sum(full) <= 300 - 30
    assert len(full) == MOST + 1


def descriptors(server: ServerProcess) -> int:
    """Count what a server process has open."""
    return len(list(Path(f"/proc/{server.pid}/fd").iterdir()))


async def test_a_flood_of_connections_that_come_and_go_leaves_nothing_behind(tmp_path: Path) -> None:
    async with serving(tmp_path, "--log-json") as server:
        bystanders = Bystanders(*await paired(server, "duel"))
        before = descriptors(server)

        async def come_and_go(times: int) -> None:
            for _ in range(times):
                wire = await Wire.open(server)
                wire.cut()

        flood = asyncio.gather(*(come_and_go(100) for _ in range(10)))
        await bystanders.play(60)
        await flood
        await bystanders.play(20)
        last = await met(server, "Eve")
        last.cut()
        await bystanders.play(2)
        assert descriptors(server) <= before + 2
        assert await server.stop() == 0
    assert all(line["level"] == "info" for line in server.log_lines())


async def test_a_flood_of_guessed_codes_finds_no_match_and_stops_nobody_who_plays(tmp_path: Path) -> None:
    async with serving(tmp_path, "--log-json", "--guess-window-s=600") as server:
        bystanders = Bystanders(*await paired(server, "duel"))
        answers: Counter[str] = Counter()

        async def guess(name: int) -> None:
            eve = await met(server, f"Eve {name}")
            for number in range(40):
                answer = await eve.ask(Join, match=f"{name:04}{number:04}")
                assert not isinstance(answer, Closed)
                answers[answer.code.value] += 1

        flood = asyncio.gather(*(guess(name) for name in range(20)))
        await bystanders.play(60)
        await flood
        assert await server.stop() == 0
    assert answers == {"no_such_match": 10, "too_many_guesses": 790}
