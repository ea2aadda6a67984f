"""A server that means harm, as both faces of the client meet it: what it says next, and a time of its own.

Its connections are in memory; what it overhears are the numbers of the client's requests, since answers to
anything else are not taken.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Annotated, Any, cast, get_args, get_origin

from client.core.news import News
from client.net.connection import StreamWire, Target, Wire
from client.net.session import Time
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
from tests.fuzz.maker import Known, lawful
from tests.fuzz.report import Failure, Round
from tests.protocol.strategy import SERVER_FRAMES

CODE = "7K3M9QXZ"
TARGET = Target("192.0.2.7", 7717, is_plain=True)
GENTLE = tuple(kind for kind in SERVER_FRAMES if kind not in (Closed, Left, Refused))
"""Frames that are not the end of everything."""
STEERING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""The kinds of characters that no terminal may be handed."""
MOST_KNOWN = 300
"""Matches, pieces of records and news that a client may hold, whatever it is told."""


def pretence(game: str, random: Random) -> dict[str, Any]:
    """Make up what fits a match of one game, so that not all of it is turned away at once."""
    module = MODULES[game]
    moves, kinds = parts_of(module.Move), parts_of(module.Event)
    # A board has places for what is on it; only now and then something is beside it.
    shape = {
        "cell": range(1, 10),
        "View.size": [3],
        "View.cells": [[random.randrange(3) for _ in range(9)] for _ in range(9)],
    }
    events = [lawful(random.choice(kinds), random, shape) for _ in range(40)]
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
        "options": [{"size": "3"}] if game == "grid" else [{}],
        "view": [lawful(module.View, random, shape) for _ in range(40)],
        "events": [random.sample(events, random.randrange(5)) for _ in range(40)],
        "legal": [[], *([_choice(random.choice(moves), random, shape)] for _ in range(40))],
    }


def _choice(move: type[Model], random: Random, shape: Known) -> dict[str, Any]:
    samples = [lawful(move, random, shape) for _ in range(random.randrange(1, 5))]
    fields = [field for field in samples[0] if field != "kind"]
    values = {field: [sample[field] for sample in samples] for field in fields}
    return {"kind": samples[0]["kind"], "values": values}


def parts_of(annotation: Any) -> list[type[Model]]:
    """List the models that a type is one of."""
    if isinstance(annotation, type):
        return [annotation]
    parts = get_args(annotation)
    return parts_of(parts[0]) if get_origin(annotation) is Annotated else list(parts)


class Reader(asyncio.StreamReader):
    """The client's way in; it knows whether all that was said has been taken."""

    def __init__(self) -> None:
        super().__init__()
        self.unread = 0

    def feed_data(self, data: bytes) -> None:  # type: ignore[override]
        self.unread += len(data)
        super().feed_data(data)

    async def read(self, n: int = -1) -> bytes:
        data = await super().read(n)
        self.unread -= len(data)
        return data


class Writer:
    """The client's way out."""

    def __init__(self, overheard: list[int]) -> None:
        self.transport = self
        self.is_closed = False
        self._overheard = overheard

    def write(self, data: bytes) -> None:
        frame = decode_client(data[HEADER_LEN:])
        self._overheard[:] = [*self._overheard[-7:], getattr(frame, "id", 1)]

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None: ...

    def is_closing(self) -> bool:
        return self.is_closed

    async def wait_closed(self) -> None: ...


class Enemy:
    """The server."""

    def __init__(self, random: Random, done: Round) -> None:
        self.known = pretence(random.choice(list(TITLES)), random)
        self.corpus = Corpus(random, SERVER_FRAMES, self.known, FRAME_TO_CLIENT)
        self._random = random
        self._done = done
        self._reader: Reader | None = None
        self._writer = Writer(self.known["re"])
        self._writer.close()
        self._sleepers: list[asyncio.Future[None]] = []

    @property
    def time(self) -> Time:
        """The time in which its client lives."""
        return Time(lambda: 0.0, self._sleep, self._random.random)

    @property
    def is_cut(self) -> bool:
        """Whether there is no connection."""
        return self._writer.is_closed

    @property
    def is_heard(self) -> bool:
        """Whether the client has taken all that was said."""
        return self.is_cut or self._reader is None or not self._reader.unread

    async def dial(self, target: Target, tell: Callable[[News], None]) -> tuple[Wire, Target]:
        """Let the client in."""
        self._reader, self._writer = Reader(), Writer(self.known["re"])
        return StreamWire(self._reader, cast(asyncio.StreamWriter, self._writer)), target

    async def _sleep(self, seconds: float) -> None:
        if seconds < 0.05:
            raise Failure(f"the client would wait only {seconds} s", self._done.frames)
        self._sleepers.append(asyncio.get_running_loop().create_future())
        await self._sleepers[-1]

    def opening(self) -> list[bytes]:
        """Begin as a server does: the client is welcome, and has a seat."""
        return [framed(self.corpus.lawful(kind)) for kind in (Welcome, Seated)]

    def worst(self) -> bytes:
        """Think of something to say."""
        dice = self._random.random()
        if dice < 0.002:
            return self.corpus.stray()
        if dice < 0.01:
            return framed(self.corpus.flawed())
        if dice < 0.5:
            kinds = (*[Shown] * 4, *[Told] * 2, Seated, Ended, Chatted, Exported)
            return framed(self.corpus.lawful(*kinds))
        return framed(self.corpus.lawful(*(SERVER_FRAMES if dice > 0.95 else GENTLE)))

    def say(self, data: bytes) -> None:
        """Say something, if there is a connection."""
        if self._reader is not None and not self.is_cut:
            self._reader.feed_data(data)

    def cut(self) -> None:
        """Lose the connection."""
        self._writer.close()
        if self._reader is not None:
            self._reader.feed_eof()

    def wake(self) -> None:
        """Let the time pass that the client waits for."""
        for sleeper in self._sleepers:
            if not sleeper.done():
                sleeper.set_result(None)
        self._sleepers.clear()
