"""A whole server in one process, without loop, socket or disk, and people who use it.

Everything that travels goes through the real codec and the real gate. Time passes when a test says so, and
the disk keeps what the test lets it keep.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from random import Random
from typing import Any, TypeVar

import msgpack

from protocol.choice import spelled_out
from protocol.client_frame import ClientFrame, Create, Hello, Join, Ping, Play, Request
from protocol.codec import Splitter, decode_client, decode_server, encode
from protocol.limit import PROTOCOL_VERSION, Limits
from protocol.server_frame import Left, Ponged, Refused, Seated, ServerFrame, Shown, Told, Welcome
from server.core.effect import Fetch, Send
from server.core.entry import CREATED, RETIRED, Entry, Fact, Write, has_seat
from server.core.export import fetched
from server.core.input import Gone, Input, Opened, Received, Ticked
from server.core.kernel import Kernel
from server.core.match import Match
from server.io.gate import Gate

F = TypeVar("F", bound=ServerFrame)

START = 1_700_000_000.0
KEEP_ALIVE = 2**31 - 1
"""The id of the pings that keep a quiet person's connection alive; their answers are not collected."""


class Disk:
    """A journal whose durability the test decides. What is read back has been bytes in between."""

    def __init__(self) -> None:
        self.kept: list[Write] = []
        self.waiting: list[tuple[int, list[Write]]] = []
        self.ticket = 0
        self.synced = 0

    def append(self, writes: list[Write]) -> int:
        self.ticket += 1
        self.waiting.append((self.ticket, [_through_bytes(write) for write in writes]))
        return self.ticket

    def sync(self, ticket: int | None = None) -> int:
        """Make everything up to a ticket durable, or simply everything; return the last durable ticket."""
        last = self.ticket if ticket is None else ticket
        while self.waiting and self.waiting[0][0] <= last:
            self.kept += self.waiting.pop(0)[1]
        self.synced = last
        return last

    def crash(self) -> None:
        """Lose what was not durable."""
        self.waiting.clear()
        self.synced = self.ticket

    def facts(self) -> Iterator[Fact]:
        newest = {write.key: write for write in self.kept if isinstance(write, Fact)}
        return iter([fact for fact in newest.values() if fact.body is not None])

    def live(self) -> Iterator[list[Entry]]:
        retired = {write.stream for write in self.entries() if write.kind == RETIRED}
        return (history for stream, history in self.histories().items() if stream not in retired)

    def read(self, code: str, on_read: Callable[[list[Entry]], None], session: int | None) -> None:
        found = [h for h in self.histories().values() if h[0].kind == CREATED and h[0].body["code"] == code]
        is_seen = bool(found) and (session is None or has_seat(session, found[-1][:2]))
        on_read(found[-1] if is_seen else [])

    def entries(self) -> list[Entry]:
        return [write for write in self.kept if isinstance(write, Entry)]

    def histories(self) -> dict[int, list[Entry]]:
        streams: dict[int, list[Entry]] = {}
        for entry in self.entries():
            streams.setdefault(entry.stream, []).append(entry)
        return streams


def _through_bytes(write: Write) -> Write:
    return write._replace(body=msgpack.unpackb(msgpack.packb(write.body)))


@dataclass(frozen=True)
class Delivery:
    """Bytes that left the server, and what the disk had to hold before."""

    connection: int
    data: bytes
    is_urgent: bool
    needed: int
    """The newest ticket when the bytes were made."""
    durable: int
    """The newest durable ticket when they left."""

    def is_early(self) -> bool:
        """Tell whether the bytes left before what they depend on was on disk."""
        return not self.is_urgent and self.durable < self.needed


class Hall:
    """A server: the kernel, the gate and a disk."""

    def __init__(self, limits: Limits | None = None, seed: int = 1, gate: Callable[[], Gate] = Gate) -> None:
        self.limits = limits or Limits()
        self.now = START
        self.disk = Disk()
        self.is_instant = True
        """Whether everything is on disk at once."""
        self.log: list[tuple[str, dict[str, Any]]] = []
        self.faults: list[str] = []
        self.produced: list[tuple[int, bytes]] = []
        """Everything that was to be sent, urgent frames apart, in order."""
        self.deliveries: list[Delivery] = []
        self.people: list[Person] = []
        self.damage: list[str] = []
        self._random = Random(seed)
        self._make_gate = gate
        self._connections = 0
        self._start()

    def _start(self) -> None:
        self.kernel = Kernel(self.limits, self._random.randrange, self.now, "Conquest test")
        self._gate = self._make_gate()
        self._by_connection: dict[int, Person] = {}
        self._needs: dict[int, int] = {}
        self._fetches: list[Fetch] = []
        self._durable = self.disk.ticket
        self._gate.appended(self.disk.ticket)
        self._gate.durable(self.disk.ticket)

    @property
    def world(self) -> Any:
        return self.kernel.world

    def person(self, name: str, address: str = "192.0.2.1") -> "Person":
        """Let somebody connect and say hello."""
        person = self.stranger(name, address)
        person.hello()
        return person

    def stranger(self, name: str, address: str = "192.0.2.9") -> "Person":
        """Let somebody connect and say nothing."""
        person = Person(self, name, address)
        person.connect()
        return person

    def pair(self, game: str, **terms: Any) -> tuple["Person", "Person", str]:
        """Seat two people at a new match, the first of them in seat 1; return them and its code."""
        anna, bert = self.person("Anna"), self.person("Bert", "192.0.2.2")
        return anna, bert, self.begin(anna, bert, game, **terms)

    def begin(self, first: "Person", second: "Person", game: str, **terms: Any) -> str:
        """Seat two people at a new match and return its code."""
        code = first.create(game, first="creator", **terms)
        second.ask(Join, match=code)
        return code

    def match(self, code: str) -> Match:
        found: Match = self.world.matches[code]
        return found

    def holder(self, code: str, seat: int) -> "Person":
        """Tell who sits in a seat of a match."""
        session = self.world.sessions.get(self.match(code).seats[seat - 1])
        return next(p for p in self.people if p.token and self.world.sessions.find(p.token) is session)

    def move_at_random(self, code: str, random: Random) -> bool:
        """Let somebody who owes a move make a legal one; False when nobody there does."""
        match = self.match(code)
        game = match.terms.game
        if match.outcome is not None:
            return False
        seat = random.choice(sorted(game.to_act(match.state)))
        mover = self.holder(code, seat)
        if mover.connection is None or not mover.is_welcome:
            return False
        mover.play(code, **random.choice(list(spelled_out(game.legal_moves(match.state, seat)))))
        return True

    def admit(self, person: "Person") -> None:
        """Give a person a connection, which may be ended at once."""
        self._connections += 1
        person.connection = self._connections
        self._by_connection[self._connections] = person
        self.step(Opened(self._connections, person.address))

    def step(self, given: Input) -> None:
        """Give the kernel an input and carry out what it leads to, as the shell does."""
        effects = self.kernel.step(self.now, given)
        if effects.writes:
            self._gate.appended(self.disk.append(effects.writes))
        for send in effects.sends:
            connection, data, is_urgent, _ = send
            if not is_urgent:
                self.produced.append((connection, data))
            if is_urgent or self._gate.is_open():
                self._deliver(send, self.disk.ticket)
            else:
                self._gate.queue().append(send)
                self._needs[id(send)] = self.disk.ticket
        self._fetches += effects.fetches
        self.log += effects.log
        self.faults += effects.faults
        if self.is_instant:
            self.sync()

    def sync(self, ticket: int | None = None) -> None:
        """Let the disk finish its work, or the part of it up to a ticket."""
        self._durable = self.disk.sync(ticket)
        for send in self._gate.durable(self._durable):
            self._deliver(send, self._needs.pop(id(send)))
        fetches, self._fetches = self._fetches, []
        for fetch in fetches:
            self.disk.read(fetch.code, partial(self._fetched, fetch), fetch.session)

    def _fetched(self, fetch: Fetch, entries: list[Entry]) -> None:
        for answer in fetched(fetch, entries):
            self.step(answer)

    def _deliver(self, send: Send, needed: int) -> None:
        connection, data, is_urgent, is_last = send
        self.deliveries.append(Delivery(connection, data, is_urgent, needed, self._durable))
        person = self._by_connection.get(connection)
        if person is None:
            return
        person.receive(connection, data)
        if is_last:
            del self._by_connection[connection]
            person.is_cut(connection)

    def hang_up(self, connection: int) -> None:
        """Take note that a connection is gone."""
        self._by_connection.pop(connection, None)
        self.step(Gone(connection))

    def wait(self, seconds: float) -> None:
        """Let time pass, with the server's tick every second and everybody's connection kept alive."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 1.0)
            for connection, person in list(self._by_connection.items()):
                if person.is_lively and person.is_welcome:
                    self.step(Received(connection, Ping(id=KEEP_ALIVE)))
            self.step(Ticked())

    def restart(self, down_s: float = 0.0) -> None:
        """Kill the server without a warning, and start it again on what the disk holds."""
        self.disk.crash()
        for person in self.people:
            person.connection = None
        self.now += down_s
        self._start()
        _, self.damage = self.kernel.restore(self.disk.facts(), self.disk.live())

    def portrait(self) -> dict[str, Any]:
        """Describe all that matters of the server's memory and its disk, for comparison."""
        return {
            "matches": {code: portrait(match) for code, match in self.world.matches.items()},
            "sessions": {session.id: portrait(session) for session in self.world.sessions},
            "clocked": set(self.world.clocked),
            "kept": list(self.disk.kept),
            "waiting": list(self.disk.waiting),
        }


def portrait(thing: Any) -> Any:
    """Describe a value of the server's memory as plain values, field by field."""
    if isinstance(thing, Match):
        return {name: portrait(getattr(thing, name)) for name in Match.__slots__}
    if is_dataclass(thing) and not isinstance(thing, type):
        return {each.name: portrait(getattr(thing, each.name)) for each in fields(thing)}
    if isinstance(thing, dict):
        return {key: portrait(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [portrait(value) for value in thing]
    if isinstance(thing, set):
        return set(thing)
    return thing


class Person:
    """Somebody with a client: sends frames and collects what comes."""

    def __init__(self, hall: Hall, name: str, address: str) -> None:
        self.hall = hall
        self.name = name
        self.address = address
        self.connection: int | None = None
        self.token: str | None = None
        self.is_welcome = False
        """Whether the welcome of the newest connection has arrived."""
        self.is_lively = True
        """Whether the client, once welcome, keeps its connection alive while time passes."""
        self.inbox: list[ServerFrame] = []
        """All frames of all connections."""
        self.heard: dict[int, list[ServerFrame]] = {}
        """The frames of each connection."""
        self.bytes = b""
        """The same as they came."""
        self._looked = 0
        self._next_id = 1
        hall.people.append(self)

    def connect(self) -> None:
        """Open a new connection, whatever has become of the one before."""
        self.is_welcome = False
        self.hall.admit(self)

    def hello(self, token: str | None = None, **fields: Any) -> list[ServerFrame]:
        """Say hello, and take over the token that comes back."""
        return self.send(Hello(**{"version": PROTOCOL_VERSION, "name": self.name, "token": token, **fields}))

    def drop(self) -> None:
        """Lose the connection."""
        connection, self.connection = self.connection, None
        if connection is not None:
            self.hall.hang_up(connection)

    def come_back(self, token: str | None = None, **fields: Any) -> list[ServerFrame]:
        """Connect again as who one was, having seen every event that arrived."""
        seen = fields.pop("seen", None)
        self.connect()
        return self.hello(token or self.token, seen=self.seen() if seen is None else seen, **fields)

    def seen(self) -> dict[str, int]:
        """Count the events that have arrived of each match that one is in."""
        counts: dict[str, int] = {}
        for frame in self.inbox:
            if isinstance(frame, Left):
                counts.pop(frame.match, None)
            elif isinstance(frame, Shown | Told):
                counts[frame.match] = max(counts.get(frame.match, 0), frame.first_event + len(frame.events))
        return counts

    def send(self, frame: ClientFrame) -> list[ServerFrame]:
        """Send a frame over the wire and return what comes of it."""
        assert self.connection is not None, f"{self.name} is not connected"
        self.news()
        (body,) = Splitter().feed(encode(frame))
        self.hall.step(Received(self.connection, decode_client(body)))
        return self.news()

    def ask(self, kind: type[Request], id: int | None = None, **fields: Any) -> list[ServerFrame]:
        """Make a request and return what comes of it."""
        return self.send(self.request(kind, id, **fields))

    def request(self, kind: type[Request], id: int | None = None, **fields: Any) -> Any:
        """Make up a request with a fresh id."""
        if id is None:
            id = self._next_id
        self._next_id = max(self._next_id, id) + 1
        return kind.model_validate({"id": id, **fields})

    def refused(self, kind: type[Request], id: int | None = None, **fields: Any) -> Refused:
        """Make a request that must be refused, with nothing changed and nobody else told; return the no."""
        frame = self.request(kind, id, **fields)
        before = self.hall.portrait()
        others = [(person, len(person.bytes)) for person in self.hall.people if person is not self]
        (no,) = self.send(frame)
        assert isinstance(no, Refused), no
        assert no.re == frame.id
        assert no.text.endswith((".", ")"))
        assert self.hall.portrait() == before
        assert [(person, len(person.bytes)) for person, _ in others] == others
        return no

    def create(self, game: str, **terms: Any) -> str:
        """Open a match and return its code."""
        (seated,) = self.ask(Create, game=game, **terms)
        assert isinstance(seated, Seated), seated
        return seated.match

    def play(self, code: str, kind: str, id: int | None = None, **fields: int) -> list[ServerFrame]:
        """Make a move that answers the turn as it stands."""
        return self.ask(Play, id, match=code, turn=self.hall.match(code).turn, move={"kind": kind, **fields})

    def receive(self, connection: int, data: bytes) -> None:
        """Take a frame's bytes, through the codec."""
        frames = [decode_server(body) for body in Splitter().feed(data)]
        if any(isinstance(frame, Ponged) and frame.re == KEEP_ALIVE for frame in frames):
            return
        self.bytes += data
        self.inbox += frames
        self.heard.setdefault(connection, []).extend(frames)
        for frame in frames:
            if isinstance(frame, Welcome):
                self.token = frame.token
                self.is_welcome = True

    def is_cut(self, connection: int) -> None:
        """Take note that the server ended a connection."""
        if self.connection == connection:
            self.connection = None

    def news(self) -> list[ServerFrame]:
        """Return what has come since the last look."""
        fresh = self.inbox[self._looked :]
        self._looked = len(self.inbox)
        return fresh

    def last(self, kind: type[F]) -> F:
        """Return the newest frame of a kind."""
        return next(frame for frame in reversed(self.inbox) if isinstance(frame, kind))


def kinds(frames: list[ServerFrame]) -> list[str]:
    """Name the frames by type."""
    return [frame.type for frame in frames]


def only(kind: type[F], frames: list[ServerFrame]) -> F:
    """Return the one frame of a kind."""
    (frame,) = [frame for frame in frames if isinstance(frame, kind)]
    return frame
