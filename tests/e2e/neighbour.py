"""What somebody else's attack costs those who play: `python -m tests.e2e.neighbour [ATTACK ...]`.

A server process with its usual limits, and those who have nothing to do with the attack (`attack.py`): two
bystanders whose moves are timed with and without it, in turns, in the same minutes; a player with a seat who
loses the connection again and again; and newcomers, each from an address of its own, who open a match. It
also says how much the log and the journal have grown meanwhile. Nothing is judged by a clock.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from protocol.client_frame import Leave
from tests.e2e import attack_as_guest  # noqa: F401 - its attacks are attacks too
from tests.e2e.attack import ATTACKS
from tests.e2e.client import Lost, Player, paired
from tests.e2e.crowd import Bystanders
from tests.e2e.process import ROOT, ServerProcess, serving

BYSTANDERS, RETURNING = "127.0.0.1", "127.0.0.2"
NEW = [f"127.0.0.{number}" for number in range(3, 250)]
FLAGS = ("--moves-per-match=1000000", "--dead-s=120", "--journal-per-address=67108864")
"""The bystanders play faster than people do, and for longer."""
PATIENCE_S = 20.0
RETRY_S = 0.25
"""How soon one tries again, as a client does at first."""


@dataclass
class Found:
    """What was measured."""

    quiet_s: list[float] = field(default_factory=list)
    attacked_s: list[float] = field(default_factory=list)
    after_s: list[float] = field(default_factory=list)
    returned_s: list[float] = field(default_factory=list)
    came_in_s: list[float] = field(default_factory=list)
    opened_s: list[float] = field(default_factory=list)
    turns: int = 0
    """How often the attackers did what they do at a pace."""
    attack_s: float = 0.0
    cpu_s: float = 0.0
    """What the server's process worked meanwhile."""
    log: int = 0
    journal: int = 0

    def ratio(self, share: float, times: list[float]) -> float:
        """Compare moves with those that were made in quiet."""
        return quantile(times, share) / quantile(self.quiet_s, share)

    def report(self, name: str) -> str:
        """Put it into words."""
        seconds = self.attack_s
        return (
            f"{name}: {len(self.attacked_s)} moves in {seconds:.0f} s of attack, "
            f"{self.turns / seconds:.0f} a second\n"
            f"  moves: p50 {1000 * quantile(self.quiet_s, 0.5):.2f} -> "
            f"{1000 * quantile(self.attacked_s, 0.5):.2f} ms (x{self.ratio(0.5, self.attacked_s):.2f}), "
            f"p99 {1000 * quantile(self.quiet_s, 0.99):.2f} -> "
            f"{1000 * quantile(self.attacked_s, 0.99):.2f} ms (x{self.ratio(0.99, self.attacked_s):.2f}); "
            f"after it x{self.ratio(0.5, self.after_s):.2f}, x{self.ratio(0.99, self.after_s):.2f}\n"
            f"  back in the seat: {in_words(self.returned_s)}\n"
            f"  newcomer let in: {in_words(self.came_in_s)}\n"
            f"  newcomer's match open: {in_words(self.opened_s)}\n"
            f"  server busy {self.cpu_s / seconds:.0%}, "
            f"log {self.log / 1e3 / seconds:+.1f} kB/s, journal {self.journal / 1e3 / seconds:+.1f} kB/s"
        )


def quantile(times: list[float], share: float) -> float:
    """Return the time that a share of all do not exceed."""
    return statistics.quantiles(times, n=1000, method="inclusive")[round(1000 * share) - 1]


def in_words(times: list[float]) -> str:
    """Say how long something took."""
    late = sum(each >= PATIENCE_S for each in times)
    words = f"median {statistics.median(times):.3f} s, longest {max(times):.3f} s ({len(times)} times)"
    return f"{words}, NEVER within {PATIENCE_S:.0f} s: {late}" if late else words


class Parties:
    """Those who only want to play."""

    def __init__(self, server: ServerProcess, bystanders: Bystanders, returning: Player) -> None:
        self.server = server
        self.bystanders = bystanders
        self._returning = returning
        self._newcomers = 0
        self.is_over = False

    @classmethod
    async def seated(cls, server: ServerProcess) -> "Parties":
        """Let them sit down before anybody attacks."""
        bystanders = Bystanders(*await paired(server, "duel", BYSTANDERS))
        first, _, _ = await paired(server, "duel", RETURNING)
        return cls(server, bystanders, first)

    async def play(self, times: list[float], seconds: float) -> None:
        """Make moves for a while, and take the time of each."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            times.append(await timed(lambda: self.bystanders.play(1)))

    async def suffer(self, found: Found, seconds: float) -> None:
        """Play, lose the seat and come for a while under attack; who is kept out then is waited for."""
        self.is_over = False
        visits = asyncio.create_task(self.visit(found))
        await self.play(found.attacked_s, seconds)
        self.is_over = True
        while not visits.done():
            await self.play(found.attacked_s, RETRY_S)
        await visits

    async def lose_and_return(self) -> None:
        """Lose the connection of a player who has a seat, and come back to it."""
        self._returning.cut()
        await persist(self._returning.connect)
        assert self._returning.sights, "the seat is there"

    async def come(self) -> Player:
        """Let somebody in who was never here."""
        self._newcomers += 1
        player = Player(self.server, f"New {self._newcomers}", NEW[self._newcomers % len(NEW)])
        await persist(player.connect)
        return player

    async def visit(self, found: Found) -> None:
        """Have everybody come, again and again, until it is over."""
        while not self.is_over:
            found.returned_s.append(await timed(self.lose_and_return))
            began = time.perf_counter()
            player = await self.come()
            found.came_in_s.append(time.perf_counter() - began)
            found.opened_s.append(await timed(lambda player=player: persist(lambda: open_match(player))))
            player.cut()
            await asyncio.sleep(RETRY_S)


async def open_match(player: Player) -> None:
    """Open a match and put it away; raise `Lost` when that cannot be."""
    if player.wire is None:
        await player.connect()
    try:
        code = await asyncio.wait_for(player.create("duel"), 5)
        await player.ask(Leave, match=code)
    except (AssertionError, TimeoutError) as no:
        raise Lost from no


async def persist(attempt: Callable[[], Awaitable[object]]) -> None:
    """Try until it works, or patience is at its end."""
    until = time.perf_counter() + PATIENCE_S
    while time.perf_counter() < until:
        with contextlib.suppress(Lost, OSError, TimeoutError):
            await asyncio.wait_for(attempt(), max(0.1, until - time.perf_counter()))
            return
        await asyncio.sleep(RETRY_S)


async def timed(what: Callable[[], Awaitable[object]]) -> float:
    """Tell how many seconds something takes."""
    began = time.perf_counter()
    await what()
    return time.perf_counter() - began


@asynccontextmanager
async def attacked(server: ServerProcess, name: str, addresses: int, found: Found) -> AsyncIterator[None]:
    """Have a process attack a server for the length of a block."""
    fingerprint = [f"--fingerprint={server.fingerprint}"] if server.fingerprint else []
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.e2e.attack", name, str(server.port), f"--addresses={addresses}", *fingerprint),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        # It stands for other machines: the processor of this one belongs to the others first.
        preexec_fn=partial(os.nice, 19),
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"attacking\n"
        yield
        process.send_signal(signal.SIGINT)
        found.turns += int(await process.stdout.read())
        await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def measure(name: str, given: argparse.Namespace) -> None:
    """Print what an attack costs the others."""
    found = Found()
    tls = "--no-tls" if given.plain else "--tls"
    with tempfile.TemporaryDirectory() as home:
        async with serving(Path(home), tls, *FLAGS, *given.flag) as server:
            parties = await Parties.seated(server)
            await parties.play([], 1)
            for _ in range(given.rounds):
                await parties.play(found.quiet_s, given.seconds)
                log, journal, cpu_s = server.log_size(), journal_size(server), cpu_time(server)
                async with attacked(server, name, given.addresses, found):
                    began = time.perf_counter()
                    await parties.suffer(found, given.seconds)
                    found.attack_s += time.perf_counter() - began
                found.log += server.log_size() - log
                found.cpu_s += cpu_time(server) - cpu_s
                found.journal += journal_size(server) - journal
                await parties.play(found.after_s, given.seconds / 2)
            await server.stop()
    print(found.report(name), flush=True)


def journal_size(server: ServerProcess) -> int:
    """Tell how many bytes the journal takes, its log not counted."""
    return server.db.stat().st_size


def cpu_time(server: ServerProcess) -> float:
    """Tell for how many seconds the server's process has worked."""
    ticks = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.neighbour", description=__doc__)
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; all by default"
    )
    parser.add_argument("--addresses", type=int, default=8, help="from how many addresses")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--plain", action="store_true", help="without TLS")
    parser.add_argument("--flag", action="append", default=[], help="for the server: --flag=--matches=9")
    given = parser.parse_args()
    for name in given.attacks or ATTACKS:
        if name not in ATTACKS:
            parser.error(f"there is no attack {name}; there are {', '.join(ATTACKS)}")
        asyncio.run(measure(name, given))
    return 0


if __name__ == "__main__":
    sys.exit(main())
