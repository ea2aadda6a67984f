"""A player's client, much simplified: it keeps its connection, asks again what was not answered, and plays.

Requests that were not answered are repeated with the same id on the next connection. Each of its connections
checks what arrives: no event is missed, and none comes twice in two versions.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from protocol.choice import spelled_out
from protocol.client_frame import Chat, Depart, Hello, Ping, Play, Request
from protocol.codec import Splitter, decode_server, encode
from protocol.limit import PROTOCOL_VERSION
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Ended, Left, Refused, Seated, Shown, Told, Welcome
from tests.simulation.host import Host
from tests.simulation.link import Link
from tests.simulation.shadow import plain, require

HELLO_PATIENCE_S = 3.0


@dataclass
class Sight:
    """A match as a client knows it."""

    code: str
    seat: int = 0
    is_begun: bool = False
    turn: int = -1
    legal: Any = ()
    events: list[Any] = field(default_factory=list)
    outcome: Any = None
    previous: str | None = None


class Client:
    """Keeps a session with the server across all its connections."""

    is_careful = True
    """It asks for nothing that it knows to be wrong, and uses no id twice."""
    is_hostile = False

    def __init__(self, host: Host, name: str, seed: str) -> None:
        self.host = host
        self.agenda = host.agenda
        self.name = name
        self.address = f"192.0.2.{sum(name.encode()) % 250}"
        self.random = Random(f"{seed} {name}")
        self.link: Link | None = None
        self.is_welcomed = False
        self.is_gone = False
        """Whether its player has closed it for good."""
        self.token: str | None = None
        self.void: list[str] = []
        """Tokens that must not be a way in any more."""
        self._used_up: list[str] = []
        self.pending: dict[int, Request] = {}
        self.requests: dict[int, Request] = {}
        """All that was ever asked."""
        self.plays: dict[int, str] = {}
        """The match of each move that was asked for, by request."""
        self.asked: set[tuple[str, int, tuple[Any, ...]]] = set()
        self.sights: dict[str, Sight] = {}
        self.heard_at = 0.0
        self._next_id = self.random.randrange(1, 1000)
        self._splitter = Splitter()
        self._said_seen: dict[Link, dict[str, int]] = {}
        self.agenda.after(self.random.uniform(0.0, 0.3), self.connect)
        self.agenda.after(2.0, self._beat)

    # The connection.

    def connect(self) -> None:
        """Open a connection and say hello."""
        if self.link is not None or self.is_gone:
            return
        self.link = self.host.dial(self, self.address)
        if self.link is None:
            self.agenda.after(self.random.uniform(0.1, 0.6), self.connect)
            return
        self._splitter = Splitter()
        self.is_welcomed = False
        self.heard_at = self.agenda.now
        self._greet()

    def _greet(self) -> None:
        seen = {code: len(sight.events) for code, sight in self.sights.items()}
        if self.link is not None:
            self._said_seen[self.link] = seen
            frame = Hello(version=PROTOCOL_VERSION, name=self.name, token=self.token, seen=seen)
            self.post(frame)

    def seen_on(self, link: Link, code: str) -> int:
        """Tell how many events were known when a connection began."""
        return self._said_seen.get(link, {}).get(code, 0)

    def drop(self, *, is_quiet: bool = False) -> None:
        """Give the connection up; quietly, its bytes may still arrive, late."""
        link, self.link = self.link, None
        self.is_welcomed = False
        if link is not None:
            if not is_quiet:
                self.random.choice((link.reset, link.finish))()
            self.agenda.after(self.random.uniform(0.0, 0.5), self.connect)

    def restart(self) -> None:
        """Lose the connection and everything that was known, but for the token."""
        self.sights.clear()
        self.pending.clear()
        self.drop()

    def lost(self, link: Link) -> None:
        """Take note that a connection has ended."""
        if link is self.link:
            self.link = None
            self.is_welcomed = False
            self.agenda.after(self.random.uniform(0.05, 0.5), self.connect)

    def _beat(self) -> None:
        if self.is_gone:
            return
        self.agenda.after(2.0, self._beat)
        silent_s = self.agenda.now - self.heard_at
        if self.link is None:
            return
        if silent_s > 6.0 or (not self.is_welcomed and silent_s > HELLO_PATIENCE_S):
            self.drop(is_quiet=self.random.random() < 0.5)
        elif self.is_welcomed:
            self.post(Ping(id=self.next_id()))

    # Requests.

    def next_id(self) -> int:
        self._next_id += 1
        return self._next_id

    def ask(self, kind: type[Request], **fields: Any) -> None:
        """Make a request, and go on making it until it is answered."""
        frame: Any = kind.model_validate({"id": self.next_id(), **fields})
        self.pending[frame.id] = self.requests[frame.id] = frame
        if isinstance(frame, Play):
            self.plays[frame.id] = frame.match
            self.asked.add((frame.match, frame.id, tuple(sorted(frame.move.items()))))
        if self.is_welcomed:
            self.post(frame)

    def post(self, frame: Any) -> None:
        if self.link is not None:
            self.host.witness.note(f"{self.name} sends {frame.type}", frame)
            self.link.send(encode(frame))

    def has_asked(self, kind: type[Request], code: str | None = None) -> bool:
        """Tell whether a request of a kind waits for its answer."""
        return any(
            isinstance(frame, kind) and (code is None or getattr(frame, "match", None) == code)
            for frame in self.pending.values()
        )

    # What arrives.

    def arrived(self, link: Link, data: bytes) -> None:
        if link is not self.link:
            return
        self.heard_at = self.agenda.now
        for body in self._splitter.feed(data):
            if link is self.link:
                self.take(decode_server(body))

    def take(self, frame: Any) -> None:
        """Take a frame."""
        if self.pending.pop(getattr(frame, "re", None) or 0, None) is not None:
            self._answered(frame)
        elif isinstance(frame, Refused) and frame.re:
            # What was asked twice has its answer already; a real client asks only once on a connection.
            return
        if isinstance(frame, Told | Shown | Ended) and frame.match not in self.sights:
            # Who repeats a move after leaving the match gets the same answer again.
            require(not self.is_careful, "nothing about a match comes before its terms", self.name, frame)
            return
        match frame:
            case Welcome():
                self._welcomed(frame)
            case Seated():
                sight = self.sights.setdefault(frame.match, Sight(frame.match))
                sight.seat, sight.is_begun, sight.previous = frame.seat, frame.begun, frame.previous
            case Told():
                self._hear(self.sights[frame.match], frame.first_event, frame.events)
            case Shown():
                sight = self.sights[frame.match]
                self._hear(sight, frame.first_event, frame.events)
                require(frame.turn >= sight.turn, "time does not go back", self.name, frame)
                sight.turn, sight.legal = frame.turn, frame.legal
            case Ended():
                self.sights[frame.match].outcome = frame.outcome
            case Left():
                self.sights.pop(frame.match, None)
            case Refused():
                self._refused(frame)
            case Closed():
                self._closed(frame)
        self.on_frame(frame)

    def _answered(self, frame: Any) -> None:
        if not (isinstance(frame, Refused) and frame.code is RefusalCode.CANNOT_SAVE):
            # The server has had a frame from us on this connection, so it knows that we have the new token.
            self.void, self._used_up = self.void + self._used_up, []

    def on_frame(self, frame: Any) -> None:
        """Do what a frame is a reason for."""

    def _hear(self, sight: Sight, first: int, events: Any) -> None:
        known = sight.events
        fresh = plain(list(events))
        require(first <= len(known), "no event is missed", self.name, sight.code, first, len(known))
        overlap = known[first : first + len(fresh)]
        require(overlap == fresh[: len(overlap)], "what has happened stays", self.name, sight.code)
        known += fresh[len(overlap) :]

    def _welcomed(self, frame: Welcome) -> None:
        if self.token is not None:
            self._used_up.append(self.token)
        self.token = frame.token
        self.is_welcomed = True
        is_missing = [code for code, s in self.sights.items() if s.seat and code not in frame.matches]
        for code in is_missing:
            # It was put away while we were not there to hear it.
            del self.sights[code]
        for request in list(self.pending.values()):
            if isinstance(request, Chat | Depart):
                del self.pending[request.id]
            else:
                self.post(request)

    def _refused(self, frame: Refused) -> None:
        if frame.re == 0:
            self.agenda.after(0.5, self._greet_again, self.link)

    def _greet_again(self, link: Link | None) -> None:
        if link is self.link and not self.is_welcomed:
            self._greet()

    def _closed(self, frame: Closed) -> None:
        if frame.code is CloseCode.BAD_TOKEN:
            seats = [sight.code for sight in self.sights.values() if sight.seat and self._stands(sight.code)]
            require(not seats or not self.is_careful, "who has a seat can come back", self.name, seats)
            self.token = None
            self.sights.clear()
            self.pending.clear()

    def _stands(self, code: str) -> bool:
        """Tell whether a match has not been put away."""
        server = self.host.server
        return server is not None and code in server.kernel.world.matches

    # What the witness asks.

    def is_impostor(self, link: Link) -> bool:
        """Tell whether a connection tries to be somebody else's."""
        return False

    def sent_to(self, link: Link, frame: dict[str, Any]) -> None:
        """Take note of what has left the server for this client."""

    def moves(self, sight: Sight) -> list[dict[str, int | str]]:
        """List what may be played."""
        return list(spelled_out(sight.legal))
