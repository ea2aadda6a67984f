"""A crowd at the door while two people play: `python -m tests.e2e.crowd` says what it costs them.

A thousand connections that do nothing, say hello and fall silent, or send a byte now and then. The pace of
the match beside them is that of the same match on the same server in the same minutes without the crowd, as
a ratio; how long the server's loop could not turn is measured by its pulse. Nothing is judged by a clock.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from protocol.client_frame import Hello, Ping
from protocol.codec import encode
from protocol.limit import PROTOCOL_VERSION
from tests.e2e.client import Player, paired
from tests.e2e.process import ROOMY, ServerProcess

CROWD = 1000
SLOW_EVERY_S = 1.0
"""How often each of the slow ones sends a byte."""


class Bystanders:
    """Two people in a match that has no end."""

    def __init__(self, first: Player, second: Player, code: str) -> None:
        self._players = (first, second)
        self.code = code
        self.moves = 0

    async def play(self, moves: int) -> None:
        """Make so many moves, each answered before the next; whatever disturbs them raises."""
        for _ in range(moves):
            player = self._players[self.moves % 2]
            await player.until(player.sights[self.code].moves)
            await player.play(self.code, {"kind": "defend"})
            player.heard.clear()
            self.moves += 1


class Crowd:
    """Many connections, a third of each kind: not a word, hello and then silence, and a byte now and then."""

    def __init__(self) -> None:
        self.bytes_sent = 0
        self._writers: list[asyncio.StreamWriter] = []
        self._frame = encode(Ping(id=1))

    async def gather(self, port: int, size: int) -> None:
        """Come, all of them."""
        hello = encode(Hello(version=PROTOCOL_VERSION, name="Eve"))
        for number in range(size):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            self._writers.append(writer)
            if number % 3:
                writer.write(hello)

    async def dawdle(self) -> None:
        """Let the slow ones send a byte each, again and again, of frames that go on and on."""
        slow = self._writers[2::3]
        while True:
            at = self.bytes_sent % len(self._frame)
            for writer in slow:
                writer.write(self._frame[at : at + 1])
                # One after the other: it is the server's pace that counts, not this process's.
                await asyncio.sleep(SLOW_EVERY_S / len(slow))
            self.bytes_sent += 1

    def present(self) -> int:
        """Count those whose connection stands."""
        return sum(not writer.transport.is_closing() for writer in self._writers)

    def scatter(self) -> None:
        """Go, all of them."""
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def pulsed(
    home: Path, *flags: str
) -> AsyncIterator[tuple[ServerProcess, Callable[[], dict[str, Any]]]]:
    """Run a server with a pulse; give it, and a function that reads the pulse after the server has ended."""
    report = home / "pulse.json"
    server = ServerProcess(home, *flags, module="tests.fuzz.pulsed", rig={"PULSE_REPORT": str(report)})

    def read() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(report.read_text())
        return found

    try:
        await server.start()
        yield server, read
    finally:
        await server.kill()


@asynccontextmanager
async def crowded(server: ServerProcess, size: int) -> AsyncIterator[Crowd]:
    """Have a crowd at a server for the length of a block."""
    crowd = Crowd()
    try:
        await crowd.gather(server.port, size)
        dawdling = asyncio.create_task(crowd.dawdle())
        yield crowd
        dawdling.cancel()
    finally:
        crowd.scatter()


async def measure(size: int, moves: int, repeats: int) -> None:
    """Print what a crowd costs two people who play."""
    ratios = []
    with tempfile.TemporaryDirectory() as home:
        async with pulsed(
            Path(home), *ROOMY, "--hello-timeout-s=600", "--frame-timeout-s=600", "--moves-per-match=1000000"
        ) as (
            server,
            read,
        ):
            bystanders = Bystanders(*await paired(server, "duel"))
            await bystanders.play(moves)
            for repeat in range(repeats):
                alone_s = await timed(bystanders, moves)
                async with crowded(server, size) as crowd:
                    among_s = await timed(bystanders, moves)
                    present = crowd.present()
                ratios.append(among_s / alone_s)
                print(
                    f"repeat {repeat + 1}: {1000 * alone_s / moves:.2f} ms a move alone, "
                    f"{1000 * among_s / moves:.2f} ms among {present}: a ratio of {ratios[-1]:.2f}",
                    flush=True,
                )
            await server.stop()
        pulse = read()
    print(f"median ratio: {statistics.median(ratios):.2f}; {bystanders.moves} moves, all taken")
    print(f"longest stall of the loop: {pulse['worst_ms']} ms; over 50 ms: {pulse['stalls']}")


async def timed(bystanders: Bystanders, moves: int) -> float:
    """Tell how many seconds some moves take."""
    began = time.perf_counter()
    await bystanders.play(moves)
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.crowd", description=__doc__)
    parser.add_argument("--crowd", type=int, default=CROWD)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    asyncio.run(measure(given.crowd, given.moves, given.repeats))
    return 0


if __name__ == "__main__":
    sys.exit(main())
