"""Everybody comes back at once after a restart: `python -m tests.e2e.rush` says how long that takes.

Each of a thousand players has a seat and comes back to it under TLS. All must be in their seats; how long the
server's loop could not turn is measured by its pulse. The players are on the same machine and slower than it.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.client import Player, paired
from tests.e2e.crowd import pulsed
from tests.e2e.process import ROOMY, ServerProcess

PLAYERS = 1000


async def measure(players: int) -> None:
    """Print what a rush costs."""
    with tempfile.TemporaryDirectory() as home:
        async with pulsed(Path(home), "--tls", *ROOMY) as (server, read):
            pairs = [await paired(server, "duel") for _ in range(players // 2)]
            seated = [player for *both, _ in pairs for player in both]
            await server.stop()
            await server.start()
            began = time.perf_counter()
            await asyncio.gather(*(come_back(player) for player in seated))
            took_s = time.perf_counter() - began
            peak = peak_memory(server)
            await server.stop()
        pulse = read()
    print(f"{len(seated)} players back in their seats after {took_s:.1f} s; peak memory {peak}")
    print(f"longest stall of the loop: {pulse['worst_ms']} ms; over 50 ms: {pulse['stalls']}")


async def come_back(player: Player) -> None:
    """Come back to a seat, and see the match again."""
    player.cut()
    await player.come_back()
    assert player.resumed == 1


def peak_memory(server: ServerProcess) -> str:
    """Tell how much memory the server has had at most."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return next(line.split(maxsplit=1)[1] for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.rush", description=__doc__)
    parser.add_argument("--players", type=int, default=PLAYERS)
    given = parser.parse_args()
    asyncio.run(measure(given.players))
    return 0


if __name__ == "__main__":
    sys.exit(main())
