"""Fuzzing of the client by a server that means harm: connection, session, reducer and line client.

Real are all parts from the bytes of a connection to the lines of a terminal; simulated are the socket, the
time and the person, who types at random. Nothing may end in a traceback, hang, grow without bound, or
put anything on the terminal that could steer it.
"""

import asyncio
import contextlib
import tempfile
import time
import unicodedata
from pathlib import Path
from random import Random

from client.core.failure import CouldNot
from client.core.seat import Arrival
from client.line.play import LinePlayer
from client.line.terminal import InputOver, Terminal, Typed
from client.net.session import Session
from client.net.store import Store
from protocol.client_frame import Join
from protocol.server_frame import Welcome
from tests.fuzz.corpus import framed
from tests.fuzz.enemy import CODE, MOST_KNOWN, STEERING, TARGET, Enemy
from tests.fuzz.in_process import freeze
from tests.fuzz.report import STALL_S, Failure, Round

LIVES = 400
"""Frames in one life of a client, if it is not over before."""
TYPED = ("4", "1 1", "7", "attack", "a", "claim 5", "y", "", "/board", "/moves", "/help", "/chat hi")
BELL = "\a"
COMMANDS = (
    "n",
    "/save",
    "/accept",
    "/decline",
    "/rematch",
    "/resign",
    "/calloff",
    "/claim",
    "/hint",
    "/rules",
)


class Life:
    """One client from its start to its end, and the server that wants it no good."""

    def __init__(self, seed: str, done: Round, home: Path) -> None:
        self.random = Random(seed)
        self.done = done
        self.enemy = Enemy(self.random, done)
        self.terminal = Terminal(self._write, is_terminal=self.random.random() < 0.5)
        self.session = Session(
            TARGET,
            "Ann",
            self.terminal.inbox.put_nowait,
            self.enemy.dial,
            file=Store(home).new_session_file(),
            time=self.enemy.time,
            room=self.terminal.inbox.room,
        )

    def _write(self, text: str) -> None:
        if text == BELL and self.terminal.is_terminal:
            # It is our own, which rings by itself; one that the server has sent stands in a line.
            return
        for character in text:
            if character != "\n" and unicodedata.category(character) in STEERING:
                raise Failure(f"{character!r} reached the terminal", self.done.frames)

    async def run(self, frames: int) -> None:
        """Live through so many frames, or to an earlier end."""
        async with self.session:
            request = self.session.send(Join, match=CODE)
            playing = asyncio.create_task(
                LinePlayer(self.session, self.terminal, Arrival(request=request)).run()
            )
            try:
                await self._settle()
                for data in self.enemy.opening():
                    await self._feed(data)
                for _ in range(frames):
                    if playing.done():
                        break
                    await self._torment()
                    self._look()
            finally:
                for item in (Typed("/quit"), Typed("y"), InputOver(), InputOver()):
                    self.terminal.inbox.put_nowait(item)
                    await self._settle()
                playing.cancel()
                with contextlib.suppress(CouldNot, asyncio.CancelledError):
                    await playing

    async def _torment(self) -> None:
        await self._feed(self.enemy.worst())
        if self.random.random() < 0.02:
            await self._cut()
        if self.random.random() < 0.3:
            pool = TYPED if self.random.random() < 0.9 else COMMANDS
            self.terminal.inbox.put_nowait(Typed(self.random.choice(pool)))
            await self._settle()

    async def _cut(self) -> None:
        """Lose the connection, and let the client come back at once."""
        self.enemy.cut()
        await self._settle()
        self.enemy.wake()
        await self._settle()
        await self._feed(framed(self.enemy.corpus.lawful(Welcome)))

    async def _feed(self, data: bytes) -> None:
        began = time.thread_time()
        self.enemy.say(data)
        await self._settle()
        self.done.frames += 1
        self.done.took(time.thread_time() - began, STALL_S)

    async def _settle(self) -> None:
        """Let everything run that can run without time passing."""
        for _ in range(6):
            await asyncio.sleep(0)

    def _look(self) -> None:
        state = self.session.state
        waiting = self.terminal.inbox.qsize()
        held = {"matches": len(state.matches), "pieces": len(state.pieces), "news": waiting}
        for what, count in held.items():
            if count > MOST_KNOWN:
                raise Failure(f"the client remembers {count} {what}", self.done.frames)


def run(seed: int, frames: int) -> Round:
    """Torment clients with so many frames."""
    done, life = Round(), 0
    # To look through all that is loaded takes the collector as long as a stall, and is no work on any input.
    freeze()
    with tempfile.TemporaryDirectory() as home, contextlib.chdir(home):
        while done.frames < frames:
            life += 1
            try:
                asyncio.run(Life(f"hostile server {seed} {life}", done, Path(home)).run(LIVES))
            except Failure:
                raise
            except Exception as bug:
                raise Failure(f"uncaught: {bug!r}", done.frames) from bug
            done.count("lives")
            if life % 100 == 0:
                for file in Path(home).rglob("*"):
                    if file.is_file():
                        file.unlink()
    return done
