"""Fuzzing of a server process over real sockets, from many connections at once, beside a match that goes on.

What is sent follows from the seed; what meets what, from the machine. The server's limits are those that it
has by itself, but that all attackers come from one address and may guess codes. Afterwards the log may hold
nothing but its own lines, and the loop must have turned all the time; memory is measured on the way.
"""

import asyncio
import contextlib
import json
import logging
import os
import tempfile
from pathlib import Path
from random import Random

from protocol.client_frame import Hello
from protocol.codec import BadFrame, Splitter, decode_server
from protocol.limit import Limits
from protocol.server_frame import ServerFrame
from tests.e2e.client import Player, paired
from tests.e2e.process import ServerProcess
from tests.fuzz.corpus import Corpus, framed
from tests.fuzz.knowledge import Knowledge
from tests.fuzz.report import Failure, Round
from tests.protocol.strategy import CLIENT_FRAMES

CONNECTIONS = 16
AT_ONCE = 15
SAMPLES = 40
"""How often memory is looked at."""
FLAGS = (
    "--log-json",
    "--connections-per-address=512",
    "--creates-per-address=1000000",
    "--lists-per-address=1000000",
    "--watches-per-address=1000000",
    "--exports-per-address=1000000",
    "--journal-per-address=2000000000",
    "--guesses=1000000",
    "--moves-per-match=1000000",
    "--sessions=2000",
    "--session-idle-s=5",
    "--finished-kept-s=2",
    "--open-kept-s=5",
)
"""What is not needed any more goes soon, so that memory has a level which it can reach."""


class Attack:
    """A server process, attackers, and two people who only want to play."""

    def __init__(self, seed: int, frames: int, home: Path, is_timed: bool) -> None:
        self._is_timed = is_timed
        self.done = Round()
        self.report = home / "pulse.json"
        self.server = ServerProcess(
            home,
            *FLAGS,
            module="tests.fuzz.pulsed",
            rig={"PULSE_REPORT": str(self.report)},
        )
        self.memory: list[float] = []
        self.moves = 0
        self.pulse: dict[str, float] = {}
        self._seed = seed
        self._frames = frames
        self._knowledge = Knowledge()

    async def run(self) -> Round:
        """Attack until so many frames were sent; raise `Failure`."""
        try:
            await self.server.start()
            bystanders = await paired(self.server, "duel")
            async with asyncio.TaskGroup() as group:
                play = group.create_task(self._play(*bystanders))
                attackers = [group.create_task(self._attack(n)) for n in range(CONNECTIONS)]
                await asyncio.wait(attackers)
                play.cancel()
            if await self.server.stop() != 0:
                raise Failure("the server did not end well", self.done.frames)
        finally:
            await self.server.kill()
        self._judge()
        return self.done

    async def _play(self, first: Player, second: Player, code: str) -> None:
        """Make moves beside it all; whatever disturbs them raises."""
        players = (first, second)
        while True:
            for player in players:
                await player.until(player.sights[code].moves)
                await player.play(code, player.sights[code].moves()[-1])
                player.heard.clear()
                self.moves += 1
            await asyncio.sleep(0.1)

    async def _attack(self, number: int) -> None:
        random = Random(f"over sockets {self._seed} {number}")
        corpus = Corpus(random, CLIENT_FRAMES, self._knowledge.known, Limits().frame)
        while self.done.frames < self._frames:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            writer.transport.set_write_buffer_limits(high=0)
            reading = asyncio.create_task(self._read(reader))
            # The server may end a connection amid what is sent; what it said before is read all the same.
            with contextlib.suppress(OSError):
                await self._send(writer, corpus, reading)
            with contextlib.suppress(OSError):
                await asyncio.wait_for(reading, 30)
            writer.transport.abort()
            self._look()

    async def _send(self, writer: asyncio.StreamWriter, corpus: Corpus, reading: asyncio.Task[None]) -> None:
        """Send lawful frames in no lawful order, and at last something that ends the connection."""
        random = corpus.random
        if random.random() < 0.9:
            writer.write(framed(corpus.lawful(Hello)))
        for _ in range(random.choice((0, 1, 2, 3, 4))):
            if reading.done():
                return
            for _ in range(AT_ONCE):
                writer.write(framed(corpus.lawful()))
            await writer.drain()
            await asyncio.sleep(0)
        for _ in range(random.choice((1, 1, 10))):
            writer.write(corpus.stray() if random.random() < 0.1 else framed(corpus.flawed()))
        await writer.drain()
        writer.write_eof()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        splitter = Splitter()
        while data := await reader.read(65536):
            for frame in self._frames_in(splitter, data):
                self.done.count(frame.type)
                self._knowledge.overhear(frame)

    def _frames_in(self, splitter: Splitter, data: bytes) -> list[ServerFrame]:
        try:
            return [decode_server(body) for body in splitter.feed(data)]
        except BadFrame as bad:
            raise Failure(f"the server sent what is no frame: {bad}", self.done.frames) from bad

    def _look(self) -> None:
        if self.report.exists():
            self.done.frames = int(json.loads(self.report.read_text())["taken"])
        if self.done.frames >= len(self.memory) * self._frames / SAMPLES:
            self.memory.append(resident(self.server.pid) / 1024)

    def _judge(self) -> None:
        for line in self.server.log.read_text().splitlines():
            if not line.startswith("{") or json.loads(line)["level"] != "info":
                raise Failure(f"the log holds {line!r}", self.done.frames)
        self.pulse = json.loads(self.report.read_text())
        self.done.worst_s = self.pulse["worst_ms"] / 1000
        if self._is_timed and (self.pulse["busy"] or self.pulse["stalls"]):
            raise Failure(f"the loop stood still: {self.pulse}", self.done.frames)
        if not self.moves:
            raise Failure("the bystanders made no move", self.done.frames)
        self.done.frames = int(self.pulse["taken"])


def resident(pid: int) -> int:
    """Tell how many bytes of memory a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run(seed: int, frames: int, is_timed: bool = True) -> Attack:
    """Attack a server process with so many frames; raise `Failure`.

    Untimed, only the loop's own work counts as a stall, and nothing that it may have waited for.
    """
    # Writing to a connection that has ended is what attackers do.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as home:
        attack = Attack(seed, frames, Path(home), is_timed)
        try:
            asyncio.run(attack.run())
        except ExceptionGroup as group:
            first = group.exceptions[0]
            if isinstance(first, Failure):
                raise first from None
            raise Failure(f"the match beside it was disturbed: {first!r}", attack.done.frames) from first
    return attack
