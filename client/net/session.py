"""A player's session with one server, from the first Hello to the last frame, across lost connections.

Frames go through the reducer, and news goes to the one who was named to hear it. A request is kept until it
is answered and asked again after a lost connection, with the same id, so that nothing is done twice. The
way back is on disk before the server can depend on it. Nothing is drawn and no rule is known here.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from client.core import wording
from client.core.news import ConnectionLost, News, Notice, RequestLost, SessionOver
from client.core.possible import can_be
from client.core.state import ClientState, reduced
from client.net import backoff
from client.net.connection import Distrusted, Foreign, Target, Unreachable, Wire
from client.net.deadline import Deadlines
from client.net.store import Hosting, SessionFile
from client.net.way_back import seat_to_keep
from protocol.client_frame import Chat, ClientFrame, Export, Hello, Join, Leave, Ping, Request, Watch
from protocol.limit import PROTOCOL_VERSION
from protocol.process.supervision import alongside
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Exported, Left, Listed, Refused, Seated, ServerFrame, Welcome
from protocol.text import defused

TICK_S = 1.0
"""How often a session looks at the time, at least."""

FORGOTTEN = "The server does not know you any more: your match was put away, or it was never saved."

Dial = Callable[[Target, Callable[[News], None]], Awaitable[tuple[Wire, Target]]]
Room = Callable[[], Awaitable[None]]
"""Waits until there is room for more news."""


async def at_once() -> None:
    """Take all news as it comes: from a server of our own."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A piece of news, and all that was known when it came: the state moves on before it is read."""

    news: News
    state: ClientState
    answers: int | None = None
    """The request that it came in answer to."""


class _Over(Exception):
    """The session cannot go on."""

    def __init__(self, over: SessionOver) -> None:
        super().__init__(over.text)
        self.over = over


@dataclass(slots=True)
class _Pending:
    frame: ClientFrame
    is_sent: bool = False


@dataclass(frozen=True, slots=True)
class Time:
    """Where a session gets its time and its luck from."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    fraction: Callable[[], float] = random.random


class Session:
    """Use as `async with Session(...)`: it connects in the background, and closes at the end.

    What goes wrong there and was not foreseen ends the block.
    """

    def __init__(
        self,
        target: Target,
        name: str,
        tell: Callable[[Heard], None],
        dial: Dial,
        file: SessionFile | None = None,
        token: str | None = None,
        hosting: Hosting | None = None,
        time: Time | None = None,
        room: Room = at_once,
    ) -> None:
        self.target = target
        self.state = ClientState(name=name, token=token)
        self._heard_by = tell
        self._dial = dial
        self._file = file
        self._hosting = hosting
        self._time = time or Time()
        self._room = room
        self._wire: Wire | None = None
        self._is_welcomed = False
        self._was_welcomed = False
        self._why_closed: CloseCode | None = None
        self._heard_at = 0.0
        self._deadlines = Deadlines()
        self._pending: dict[int, _Pending] = {}
        # A client that was killed and comes back must not use an id again that the server remembers.
        self._next_id = random.randrange(1, 2**30)
        self._background = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._background.enter_async_context(alongside(self._run(), "session"))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._background.__aexit__(kind, problem, trace)

    @property
    def is_connected(self) -> bool:
        """Whether a request would go out now."""
        return self._is_welcomed and self._wire is not None

    def send(self, kind: type[Request], **fields: Any) -> int:
        """Make a request, now or as soon as there is a connection; return its id."""
        self._next_id += 1
        frame: Any = kind(id=self._next_id, **fields)
        self._pending[self._next_id] = _Pending(frame)
        if self._is_welcomed:
            self._post_due()
        return self._next_id

    def left_s(self, code: str) -> float | None:
        """Tell how much time is left for the move that is due in a match; None without a clock."""
        return self._deadlines.left_s(code, self._time.now())

    def forget(self) -> None:
        """Remove the way back from the disk: there is nothing to go back to."""
        if self._file is not None:
            self._file.forget()
            self._file = None

    def _tell(self, item: News, answers: int | None = None) -> None:
        self._heard_by(Heard(item, self.state, answers))

    async def _run(self) -> None:
        failures, waited_s = 0, 0.0
        while True:
            try:
                await self._connect()
            except Unreachable as problem:
                if not self._was_welcomed:
                    self._tell(SessionOver(str(problem)))
                    return
            except _Over as problem:
                self._tell(problem.over)
                return
            except (Distrusted, Foreign) as problem:
                self._tell(SessionOver(str(problem)))
                return
            if self._is_welcomed:
                failures, waited_s = 0, 0.0
            self._is_welcomed = False
            delay = backoff.delay(failures, self._time.fraction())
            self._tell(ConnectionLost(delay, waited_s, self._why_closed))
            failures, waited_s = failures + 1, waited_s + delay
            await self._time.sleep(delay)

    async def _connect(self) -> None:
        wire, self.target = await self._dial(self.target, self._tell)
        self._wire = wire
        self._deadlines.forget_claims()
        self._heard_at = self._time.now()
        try:
            wire.send(self._hello())
            async with alongside(self._beat(wire), "beating"):
                await self._hear(wire)
        finally:
            self._wire = None
            await wire.close()

    def _hello(self) -> Hello:
        state = self.state
        return Hello(version=PROTOCOL_VERSION, name=state.name, token=state.token, seen=state.seen())

    async def _hear(self, wire: Wire) -> None:
        """Take one frame after the other, when there is room, until the connection is lost."""
        while True:
            await self._room()
            frame = await wire.receive()
            self._heard_at = self._time.now()
            self._take(frame)

    async def _beat(self, wire: Wire) -> None:
        beaten_at = self._time.now()
        while True:
            await self._time.sleep(min(TICK_S, self.state.heartbeat_s))
            now = self._time.now()
            for item in self._deadlines.due(self.state, now):
                self._tell(item)
            if now - self._heard_at >= self.state.dead_s:
                raise Unreachable("The server has been silent for too long.")
            if self._is_welcomed and now - beaten_at >= self.state.heartbeat_s:
                beaten_at = now
                self._next_id += 1
                wire.send(Ping(id=self._next_id))

    def _take(self, frame: ServerFrame) -> None:
        """Take in a frame: settle the request that it answers, and tell its news."""
        if self._is_unasked(frame):
            return
        if not can_be(self.state, frame):
            raise Foreign("What answers there says what no Conquest server of this version says.")
        if isinstance(frame, Closed):
            self._closed(frame)
        if isinstance(frame, Refused) and frame.re == 0:
            self._refused_hello(frame)
        answers: int | None = getattr(frame, "re", None)
        if answers is not None and not (isinstance(frame, Exported) and frame.more):
            answered = self._pending.pop(answers, None)
            if answered is not None and isinstance(answered.frame, Export):
                self._post_due()
        is_back = self.state.token is not None
        self.state, news = reduced(self.state, frame)
        if isinstance(frame, Welcome | Seated | Left):
            self._keep()
        self._deadlines.note(frame, self.state, self._time.now())
        for item in news:
            self._tell(item, answers)
        if isinstance(frame, Welcome):
            self._welcomed(frame, is_back)

    def _is_unasked(self, frame: ServerFrame) -> bool:
        """Tell whether a frame answers what we have not asked: then it is not even looked at."""
        match frame:
            case Welcome():
                return self._is_welcomed
            case Exported(re=re, match=code):
                return not (isinstance(asked := self._asked(re), Export) and asked.match == code)
            case Refused(re=re) if re:
                return self._asked(re) is None
            case _:
                return isinstance(frame, Listed)

    def _asked(self, request: int) -> ClientFrame | None:
        """Return what was asked under a number, if the answer is not there yet."""
        pending = self._pending.get(request)
        return pending.frame if pending is not None and pending.is_sent else None

    def _closed(self, frame: Closed) -> None:
        has_seat = any(match.seat for match in self.state.matches.values())
        if frame.code is CloseCode.BAD_TOKEN and self._was_welcomed and not has_seat:
            # A restarted server has forgotten its spectators; one can become a spectator again.
            self.state = replace(self.state, token=None)
            raise Unreachable(defused(frame.text))
        if frame.code is CloseCode.BAD_TOKEN:
            self.forget()
            raise _Over(SessionOver(FORGOTTEN, frame.code))
        if not frame.kept:
            self.forget()
            raise _Over(SessionOver(wording.not_kept(frame.code, defused(frame.text)), frame.code))
        if frame.code in backoff.PASSING:
            self._why_closed = frame.code
            raise Unreachable(defused(frame.text))
        raise _Over(SessionOver(defused(frame.text), frame.code))

    def _refused_hello(self, frame: Refused) -> None:
        if frame.code is RefusalCode.CANNOT_SAVE:
            raise Unreachable(defused(frame.text))
        raise _Over(SessionOver(defused(frame.text), frame.code))

    def _welcomed(self, frame: Welcome, is_back: bool) -> None:
        self._is_welcomed = self._was_welcomed = True
        self._why_closed = None
        for request, pending in list(self._pending.items()):
            asked = pending.frame
            if isinstance(asked, Chat) and pending.is_sent:
                # It may have been heard; nobody wants to be heard twice.
                del self._pending[request]
                self._tell(RequestLost("chat"))
            elif isinstance(asked, Join) and asked.match in frame.matches:
                del self._pending[request]
            elif isinstance(asked, Watch) and not is_back and asked.match in self.state.matches:
                # It is asked below, like all others.
                del self._pending[request]
            else:
                pending.is_sent = False
        self._post_due()
        if not is_back:
            for match in self.state.matches.values():
                self.send(Watch, match=match.code)

    def _post_due(self) -> None:
        """Send what was not sent yet; a record is waited for before the next is asked for, or one leaves."""
        is_reading = any(one.is_sent and isinstance(one.frame, Export) for one in self._pending.values())
        for pending in self._pending.values():
            is_held = is_reading and isinstance(pending.frame, Export | Leave)
            if self._wire is not None and not (pending.is_sent or is_held):
                is_reading |= isinstance(pending.frame, Export)
                pending.is_sent = True
                self._wire.send(pending.frame)

    def _keep(self) -> None:
        """Write the way back down. Nothing may be sent before, since that voids the token before it."""
        if self._file is None:
            return
        saved = seat_to_keep(self.state, self.target, self._hosting, self._file.load())
        if saved is None:
            return
        try:
            self._file.save(saved)
        except OSError as problem:
            self._file = None
            self._tell(Notice(f"The way back to this match cannot be saved: {problem.strerror}."))
