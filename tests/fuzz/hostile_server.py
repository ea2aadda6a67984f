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
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Annotated, Any, cast, get_args, get_origin

from client.core.failure import CouldNot
from client.core.news import News
from client.core.seat import Arrival
from client.line.play import LinePlayer
from client.line.terminal import InputOver, Terminal, Typed
from client.net.connection import StreamWire, Target, Wire
from client.net.session import Session, Time
from client.net.store import Store
from protocol.client_frame import Join
from protocol.codec import decode_client
from protocol.games import MODULES, TITLES
from protocol.limit import FRAME_TO_CLIENT, HEADER_LEN, PROTOCOL_VERSION
from protocol.model import Model
from protocol.server_frame import (
    Chatted,
    Closed,
    Ended,
    Exported,
    Left,
    Refused,
    Seated,
    Shown,
    Told,
    Welcome,
)
from tests.fuzz.corpus import Corpus, framed
from tests.fuzz.maker import lawful
from tests.fuzz.report import STALL_S, Failure, Round
from tests.protocol.strategy import SERVER_FRAMES

CODE = "7K3M9QXZ"
TARGET = Target("192.0.2.7", 7717, is_plain=True)
LIVES = 400
"""Frames in one life of a client, if it is not over before."""
MOST_KNOWN = 300
"""Matches and pieces of records that a client may remember, whatever it is told."""
TYPED = ("4", "1 1", "7", "attack", "a", "claim 5", "y", "", "/board", "/moves", "/help", "/chat hi")
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
GENTLE = tuple(kind for kind in SERVER_FRAMES if kind not in (Closed, Left, Refused))
"""Frames that are not the end of everything."""
STEERING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def pretence(game: str, random: Random) -> dict[str, Any]:
    """Make up what fits a match of one game, so that not all of it is turned away at once."""
    module = MODULES[game]
    moves, kinds = parts_of(module.Move), parts_of(module.Event)
    events = [lawful(random.choice(kinds), random, {}) for _ in range(40)]
    return {
        "match": [CODE],
        "version": [PROTOCOL_VERSION],
        "Seated.game": [game] * 99 + ["chess"],
        "Exported.game": [game],
        "Exported.first": [0] * 9 + [1],
        "Welcome.matches": [[CODE]] * 99 + [[]],
        "re": [1, 2],
        "seat": [1, 2],
        "begun": [True] * 9 + [False],
        "turn": list(range(9)),
        "first_event": list(range(9)),
        "previous": [CODE],
        "view": [lawful(module.View, random, {}) for _ in range(40)],
        "events": [random.sample(events, random.randrange(5)) for _ in range(40)],
        "legal": [[], *([_choice(random.choice(moves), random)] for _ in range(40))],
    }


def _choice(move: type[Model], random: Random) -> dict[str, Any]:
    samples = [lawful(move, random, {}) for _ in range(random.randrange(1, 5))]
    fields = [field for field in samples[0] if field != "kind"]
    values = {field: [sample[field] for sample in samples] for field in fields}
    return {"kind": samples[0]["kind"], "values": values}


def parts_of(annotation: Any) -> list[type[Model]]:
    """List the models that a type is one of."""
    if isinstance(annotation, type):
        return [annotation]
    parts = get_args(annotation)
    return parts_of(parts[0]) if get_origin(annotation) is Annotated else list(parts)


class Writer:
    """The client's way out. The numbers of its requests are overheard: answers to others are not taken."""

    def __init__(self, overheard: list[int]) -> None:
        self.transport = self
        self._overheard = overheard

    def write(self, data: bytes) -> None:
        frame = decode_client(data[HEADER_LEN:])
        self._overheard[:] = [*self._overheard[-7:], getattr(frame, "id", 1)]

    def close(self) -> None: ...

    def abort(self) -> None: ...

    def is_closing(self) -> bool:
        return False

    async def wait_closed(self) -> None: ...


class Life:
    """One client from its start to its end, and the server that wants it no good."""

    def __init__(self, seed: str, done: Round, home: Path) -> None:
        self.random = Random(seed)
        self.done = done
        self.readers: list[asyncio.StreamReader] = []
        self.is_cut = True
        self.sleepers: list[asyncio.Future[None]] = []
        self.known = pretence(self.random.choice(list(TITLES)), self.random)
        self.writer = Writer(self.known["re"])
        self.written = 0
        self.terminal = Terminal(self._write, is_terminal=self.random.random() < 0.5)
        self.session = Session(
            TARGET,
            "Ann",
            self.terminal.inbox.put_nowait,
            self._dial,
            file=Store(home).new_session_file(),
            time=Time(lambda: 0.0, self._sleep, self.random.random),
        )
        self.corpus = Corpus(self.random, SERVER_FRAMES, self.known, FRAME_TO_CLIENT)

    async def _dial(self, target: Target, tell: Callable[[News], None]) -> tuple[Wire, Target]:
        self.readers.append(asyncio.StreamReader())
        self.is_cut = False
        return StreamWire(self.readers[-1], cast(asyncio.StreamWriter, self.writer)), target

    async def _sleep(self, seconds: float) -> None:
        if seconds < 0.05:
            raise Failure(f"the client would wait only {seconds} s", self.done.frames)
        self.sleepers.append(asyncio.get_running_loop().create_future())
        await self.sleepers[-1]

    def _write(self, text: str) -> None:
        self.written += len(text)
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
                await self._say(self.corpus.lawful(Welcome))
                await self._say(self.corpus.lawful(Seated))
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
        dice = self.random.random()
        if dice < 0.002:
            await self._feed(self.corpus.stray())
        elif dice < 0.01:
            await self._say(self.corpus.flawed())
        elif dice < 0.5:
            await self._say(self.corpus.lawful(*[Shown] * 4, *[Told] * 2, Seated, Ended, Chatted, Exported))
        else:
            kinds = SERVER_FRAMES if dice > 0.95 else GENTLE
            await self._say(self.corpus.lawful(*kinds))
        if self.random.random() < 0.02:
            await self._cut()
        if self.random.random() < 0.3:
            pool = TYPED if self.random.random() < 0.9 else COMMANDS
            self.terminal.inbox.put_nowait(Typed(self.random.choice(pool)))
            await self._settle()

    async def _cut(self) -> None:
        """Lose the connection, and let the client come back at once."""
        self.is_cut = True
        self.readers[-1].feed_eof()
        await self._settle()
        for sleeper in self.sleepers:
            if not sleeper.done():
                sleeper.set_result(None)
        self.sleepers.clear()
        await self._settle()
        await self._say(self.corpus.lawful(Welcome))

    async def _say(self, body: bytes) -> None:
        await self._feed(framed(body))

    async def _feed(self, data: bytes) -> None:
        began = time.thread_time()
        if not self.is_cut:
            self.readers[-1].feed_data(data)
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
