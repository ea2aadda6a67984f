"""A small client for tests: one connection, and a player who comes back whenever a connection is lost.

It keeps what a person would remember (the token, each match's events and last view, the request that is not
answered yet) and checks on the way that no event is missed, repeated or changed. It knows no rules.
"""

import asyncio
import base64
import contextlib
import hashlib
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from protocol.choice import spelled_out
from protocol.client_frame import ClientFrame, Create, Hello, Join, Leave, Play, Request
from protocol.codec import Splitter, decode_server, encode
from protocol.limit import PROTOCOL_VERSION
from protocol.model import Model
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Ended, Noticed, Refused, Seated, ServerFrame, Shown, Told, Welcome

PATIENCE_S = 30.0
"""How long any one frame may take before a test has failed."""

RawMove = dict[str, int | str]


class Lost(Exception):
    """The connection ended."""


class Where(Protocol):
    """A server that can be reached; a process with these two is one."""

    port: int
    fingerprint: str | None


class Wire(asyncio.Protocol):
    """One connection: frames out, frames in, in order."""

    def __init__(self) -> None:
        self._splitter = Splitter()
        self._arrived: asyncio.Queue[ServerFrame | None] = asyncio.Queue()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, where: Where, address: str | None = None) -> "Wire":
        """Connect; with TLS if the server has a certificate, which must be the one that it printed."""
        context = None if where.fingerprint is None else _unverified()
        loop = asyncio.get_running_loop()
        try:
            transport, wire = await loop.create_connection(
                cls, "127.0.0.1", where.port, ssl=context, local_addr=address and (address, 0)
            )
        except OSError as error:
            raise Lost(str(error)) from error
        if where.fingerprint is not None:
            certificate = transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
            assert fingerprint(certificate) == where.fingerprint
            assert transport.get_extra_info("ssl_object").version() == "TLSv1.3"
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        for body in self._splitter.feed(data):
            self._arrived.put_nowait(decode_server(body))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._arrived.put_nowait(None)

    def send(self, frame: ClientFrame) -> None:
        self.send_bytes(encode(frame))

    def send_bytes(self, data: bytes) -> None:
        if self._transport is None:
            raise Lost
        self._transport.write(data)

    async def receive(self) -> ServerFrame:
        """Return the next frame; raise `Lost` when the connection ended before one came."""
        # Not wait_for, which in Python 3.11 can lose a cancellation that comes together with a frame.
        async with asyncio.timeout(PATIENCE_S):
            frame = await self._arrived.get()
        if frame is None:
            self._arrived.put_nowait(None)
            raise Lost
        return frame

    async def rest(self) -> list[ServerFrame]:
        """Return all frames that come until the connection ends."""
        frames = []
        with contextlib.suppress(Lost):
            while True:
                frames.append(await self.receive())
        return frames

    def cut(self) -> None:
        """End the connection without a word."""
        if self._transport is not None:
            self._transport.abort()


def _unverified() -> ssl.SSLContext:
    """Make a context that takes any certificate: who it is shows by the fingerprint."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def fingerprint(certificate: bytes) -> str:
    """Compute a certificate's fingerprint as it stands in links."""
    return base64.urlsafe_b64encode(hashlib.sha256(certificate).digest()).rstrip(b"=").decode()


@dataclass
class Sight:
    """What a player knows of one match."""

    seated: Seated
    shown: Shown | None = None
    events: list[Model] = field(default_factory=list)
    ended: Ended | None = None

    def moves(self) -> list[RawMove]:
        """List what may be played now."""
        return [] if self.shown is None or self.ended else list(spelled_out(self.shown.legal))

    def take(self, frame: Shown | Told) -> None:
        """Add the frame's events, of which none may be missing and none may differ from before."""
        known = len(self.events)
        assert frame.first_event <= known, f"events {known} to {frame.first_event} never came"
        again = self.events[frame.first_event : frame.first_event + len(frame.events)]
        assert list(frame.events[: len(again)]) == again
        self.events += frame.events[len(again) :]
        if isinstance(frame, Shown):
            assert frame.first_event + len(frame.events) == len(self.events)
            self.shown = frame


Choose = Callable[["Player", Sight], RawMove]


class Player:
    """A person at a client that resumes."""

    def __init__(self, where: Where, name: str = "Ann", address: str | None = None) -> None:
        self.where = where
        self.name = name
        self.address = address
        """Of this machine, to come from; None for the usual one."""
        self.token: str | None = None
        self.sights: dict[str, Sight] = {}
        self.resumed = 0
        """How often the player came back by token."""
        self.frames = 0
        """How many frames this player has sent and received."""
        self.wire: Wire | None = None
        self.heard: list[ServerFrame] = []
        """Every frame that the player received."""
        self._last_id = 0
        self._leaving: str | None = None
        """The match that may be gone when the player comes back."""

    # A connection.

    async def connect(self) -> Welcome:
        """Connect and say hello, with the token if there is one."""
        self.wire = await Wire.open(self.where, self.address)
        seen = {code: len(sight.events) for code, sight in self.sights.items()}
        self.send(Hello(version=PROTOCOL_VERSION, name=self.name, token=self.token, seen=seen))
        # What is said about the server itself waits for no disk, and so may come before the welcome.
        while isinstance(welcome := await self.receive(), Noticed):
            pass
        if isinstance(welcome, Closed) and welcome.code == CloseCode.BAD_TOKEN:
            # Only who never sat down may be forgotten.
            assert not self.sights
            self.token = None
            return await self.connect()
        if isinstance(welcome, Closed):
            raise Lost(welcome.code)
        if is_cannot_save(welcome):
            self.cut()
            raise Lost("the server cannot save")
        assert isinstance(welcome, Welcome), welcome
        return welcome

    async def come_back(self) -> None:
        """Connect again until it works."""
        while True:
            try:
                had_token = self.token is not None
                welcome = await self.connect()
                if had_token and self.token is not None:
                    self.resumed += 1
                assert set(self.sights) <= {*welcome.matches, self._leaving}, "a seat was lost"
                return
            except Lost:
                await self.reachable()

    async def reachable(self) -> None:
        """Wait until it makes sense to connect again."""
        await asyncio.sleep(0)

    def send(self, frame: ClientFrame) -> None:
        if self.wire is None:
            raise Lost
        self.wire.send(frame)
        self.passed()

    async def receive(self) -> ServerFrame:
        if self.wire is None:
            raise Lost
        frame = await self.wire.receive()
        self.heard.append(frame)
        self._remember(frame)
        self.passed()
        return frame

    def passed(self) -> None:
        """Count a frame that was sent or received."""
        self.frames += 1

    def _remember(self, frame: ServerFrame) -> None:
        match frame:
            case Welcome():
                self.token = frame.token
            case Seated() if frame.match in self.sights:
                self.sights[frame.match].seated = frame
            case Seated():
                self.sights[frame.match] = Sight(frame)
            case Shown() | Told():
                self.sights[frame.match].take(frame)
            case Ended():
                self.sights[frame.match].ended = frame

    def cut(self) -> None:
        """Lose the connection."""
        if self.wire is not None:
            self.wire.cut()
            self.wire = None

    # Requests.

    def request(self, kind: type[Request], **fields: Any) -> Any:
        """Make a request with an id of its own."""
        self._last_id += 1
        return kind(id=self._last_id, **fields)

    async def ask(self, kind: type[Request], **fields: Any) -> Any:
        """Send a request and return its answer."""
        request = self.request(kind, **fields)
        self.send(request)
        return await self.answer(request)

    async def answer(self, request: Request) -> ServerFrame:
        """Receive frames up to the answer to a request."""
        while True:
            frame = await self.receive()
            if getattr(frame, "re", None) == request.id:
                return frame

    async def insist(self, kind: type[Request], **fields: Any) -> Any:
        """Ask, and ask the same again after each lost connection, until there is an answer."""
        request = self.request(kind, **fields)
        while True:
            try:
                self.send(request)
                return await self.answer(request)
            except Lost:
                await self.come_back()

    async def hear(self) -> None:
        """Receive something, or come back."""
        try:
            await self.receive()
        except Lost:
            await self.come_back()

    # Matches.

    async def create(self, game: str, **terms: Any) -> str:
        """Open a match and return its code."""
        seated = await self.insist(Create, game=game, **terms)
        assert isinstance(seated, Seated), seated
        return seated.match

    async def join(self, code: str) -> None:
        """Sit down in somebody's match."""
        seated = await self.insist(Join, match=code)
        assert isinstance(seated, Seated), seated

    async def play(self, code: str, move: RawMove) -> Shown:
        """Make a move that the server must take."""
        shown = self.sights[code].shown
        assert shown is not None
        answer = await self.insist(Play, match=code, turn=shown.turn, move=move)
        assert isinstance(answer, Shown), answer
        return answer

    async def play_out(self, code: str, choose: Choose) -> Sight:
        """Make moves in a match until it is over."""
        (sight,) = await self.play_all([code], choose)
        return sight

    async def play_all(self, codes: Sequence[str], choose: Choose) -> list[Sight]:
        """Make moves in several matches, wherever one is owed, until all are over."""
        sights = [self.sights[code] for code in codes]
        while any(sight.ended is None for sight in sights):
            sight = next((sight for sight in sights if sight.moves()), None)
            if sight is None:
                await self.hear()
            else:
                await self.play(sight.seated.match, choose(self, sight))
        return sights

    async def leave(self, code: str) -> Sight:
        """Put a match away and forget it; return what was seen of it."""
        self._leaving = code
        await self.insist(Leave, match=code)
        self._leaving = None
        return self.sights.pop(code)

    async def until(self, is_so: Callable[[], object]) -> None:
        """Receive frames until something is so."""
        while not is_so():
            await self.receive()


async def met(where: Where, name: str = "Ann", address: str | None = None) -> Player:
    """Return a player who is connected."""
    player = Player(where, name, address)
    await player.connect()
    return player


async def paired(
    where: Where, game: str, address: str | None = None, **terms: Any
) -> tuple[Player, Player, str]:
    """Seat two new players in a match: the first is Player 1."""
    first, second = await met(where, "Ann", address), await met(where, "Bob", address)
    code = await first.create(game, first="creator", **terms)
    await second.join(code)
    await first.until(lambda: first.sights[code].shown)
    await second.until(lambda: second.sights[code].shown)
    return first, second, code


def is_cannot_save(answer: ServerFrame) -> bool:
    """Tell whether something was refused because nothing can be saved just now."""
    return isinstance(answer, Refused) and answer.code == RefusalCode.CANNOT_SAVE


def refusal(answer: ServerFrame) -> str:
    """Return the code of a refusal; fail for any other answer."""
    assert isinstance(answer, Refused), answer
    return answer.code.value
