"""A relay without sockets: who is listed as a host, which guest waits for it, and what is too much.

Lines and ends of connections go in with the time; what is to be said, ended and spliced comes out. Each
connection is in one of two queues, by the time-out that it is under, so that looking after them is quick.
What passes between two spliced connections is not known here.
"""

import hmac
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from protocol.limit import RelayLimits
from protocol.relay import (
    TO_RELAY,
    BadLine,
    Guest,
    Host,
    Join,
    Line,
    No,
    Ok,
    Ping,
    Pong,
    Proof,
    Prove,
    Take,
    parse_line,
    word_code,
)
from server.core.rate import origin_of

WINDOW_S = 60.0


class Say(NamedTuple):
    """Say a line to a connection."""

    connection: int
    line: Line


class End(NamedTuple):
    """End a connection once all is said."""

    connection: int


class Splice(NamedTuple):
    """Let two connections hear each other, and nobody else, from here on."""

    guest: int
    host: int


class Note(NamedTuple):
    """Write a line to the log; the address is left out there unless it is asked for."""

    event: str
    connection: int
    address: str
    code: str = ""


Effect = Say | End | Splice | Note
Place = tuple[str, int]
"""A host's fingerprint and port."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a relay asks of hosts."""

    limits: RelayLimits = field(default_factory=RelayLimits)
    word: str = ""
    """The word that hosts must know; empty where none is needed."""
    name: str = ""
    """What the relay calls itself; empty where hosts may know it by any name."""


class _Refused(Exception):
    """A connection is to be told no; the code says why."""


@dataclass(slots=True, eq=False)
class _Connection:
    number: int
    address: str
    origin: str
    since: float
    """When it came, and once it is listed or spliced, when it was heard last."""
    is_counted: bool = True
    """Whether it is one of its address's."""
    host: Host | None = None
    """Who it says it is, if it is a host's."""
    challenge: str = ""
    waits_for: Place | None = None
    """The host that it is a guest of."""
    ticket: str = ""


class Relay:
    """Everything that a relay knows.

    `token` draws 32 random bytes as text, `is_signed` looks at a host's certificate and signature.
    """

    def __init__(
        self, rules: Rules, token: Callable[[], str], is_signed: Callable[[Host, str, Proof], bool]
    ) -> None:
        self.rules = rules
        self.effects: list[Effect] = []
        self._token = token
        self._is_signed = is_signed
        self._secret = token().encode()
        self._coming: dict[int, _Connection] = {}
        """Those that are neither listed nor spliced yet, the oldest first."""
        self._settled: dict[int, _Connection] = {}
        """The others, the one that was silent for longest first."""
        self._hosts: dict[Place, _Connection] = {}
        self._waiting: dict[str, _Connection] = {}
        """Guests by their tickets."""
        self._counts: Counter[object] = Counter()
        """How many connections and hosts an address has, and how many guests a host has."""
        self._connects: Counter[str] = Counter()
        self._window_ends = 0.0

    # What happens.

    def opened(self, now: float, number: int, address: str) -> None:
        """Take a new connection, or turn it away when there are too many."""
        limits, origin = self.rules.limits, origin_of(address)
        self._turn_window(now)
        is_too_many = (
            len(self._coming) + len(self._settled) >= limits.connections
            or self._counts["connections", origin] >= limits.connections_per_address
            or self._connects[origin] >= limits.connects_per_minute
        )
        self._coming[number] = connection = _Connection(number, address, origin, now)
        self._count(1, "connections", origin)
        self._connects[origin] += 1
        if is_too_many:
            self._refuse(connection, "busy")

    def heard(self, now: float, number: int, text: bytes) -> None:
        """Take a line from a connection."""
        connection = self._coming.get(number) or self._settled.get(number)
        if connection is None:
            return
        try:
            self._answer(now, connection, parse_line(text, TO_RELAY))
        except BadLine:
            self._refuse(connection, "line")
        except _Refused as no:
            self._refuse(connection, str(no))

    def garbled(self, number: int) -> None:
        """Take note that a connection says what is no line, or speaks before it is answered."""
        connection = self._coming.get(number) or self._settled.get(number)
        if connection is not None:
            self._refuse(connection, "line")

    def moved(self, now: float, number: int) -> None:
        """Take note that a spliced connection is not idle."""
        connection = self._settled.pop(number, None)
        if connection is not None:
            connection.since = now
            self._settled[number] = connection

    def gone(self, number: int) -> None:
        """Take note that a connection is gone."""
        connection = self._coming.pop(number, None) or self._settled.pop(number, None)
        if connection is not None:
            self._forget(connection)

    def ticked(self, now: float) -> None:
        """Let time pass."""
        limits = self.rules.limits
        self._turn_window(now)
        for queue, most_s in (
            (self._coming, limits.handshake_timeout_s),
            (self._settled, limits.idle_timeout_s),
        ):
            while queue and (first := next(iter(queue.values()))).since <= now - most_s:
                self._refuse(first, "late", is_told=not self._is_spliced(first))

    def stop(self) -> None:
        """End every connection."""
        for connection in [*self._coming.values(), *self._settled.values()]:
            self._refuse(connection, "stopping", is_told=not self._is_spliced(connection))

    # The lines.

    def _answer(self, now: float, connection: _Connection, line: Line) -> None:
        is_new = (connection.host, connection.waits_for) == (None, None) and connection.number in self._coming
        match line:
            case Join() if is_new:
                self._join(connection, _place(line))
            case Host() if is_new:
                self._challenge(connection, line)
            case Take() if is_new:
                self._splice(now, connection, line)
            case Proof() if connection.challenge:
                self._list(now, connection, line)
            case Ping() if connection.number in self._settled:
                self.moved(now, connection.number)
                self._say(connection, Pong())
            case _:
                raise _Refused("line")

    def _join(self, guest: _Connection, place: Place) -> None:
        limits, host = self.rules.limits, self._hosts.get(place)
        if host is None:
            raise _Refused("absent")
        if (
            self._counts["guests", place] >= limits.guests_per_host
            or self._counts["guests", place, guest.origin] >= limits.guests_per_host_and_address
        ):
            raise _Refused("full")
        guest.waits_for, guest.ticket = place, self._token()
        self._count(1, "guests", place)
        self._count(1, "guests", place, guest.origin)
        self._waiting[guest.ticket] = guest
        self._say(host, Guest(guest.ticket, self._alias(guest.origin)))

    def _challenge(self, connection: _Connection, host: Host) -> None:
        if self.rules.name and host.relay.casefold() != self.rules.name.casefold():
            raise _Refused("name")
        connection.host, connection.challenge = host, self._token()
        self._say(connection, Prove(connection.challenge, "word" if self.rules.word else "free"))

    def _list(self, now: float, connection: _Connection, proof: Proof) -> None:
        host, challenge, connection.challenge = connection.host, connection.challenge, ""
        assert host is not None
        word = self.rules.word
        if word and not hmac.compare_digest(proof.code, word_code(word, host, challenge)):
            raise _Refused("word")
        if not self._is_signed(host, challenge, proof):
            raise _Refused("proof")
        place = _place(host)
        # Only one server has this key: what stood here is its own connection from before, or is now to yield.
        if (before := self._hosts.get(place)) is not None:
            self._refuse(before, "replaced")
        limits = self.rules.limits
        if (
            len(self._hosts) >= limits.hosts
            or self._counts["hosts", connection.origin] >= limits.hosts_per_address
        ):
            raise _Refused("busy")
        self._hosts[place] = connection
        self._count(1, "hosts", connection.origin)
        self._settle(now, connection)
        self._say(connection, Ok())
        self._note("listed", connection)

    def _splice(self, now: float, taker: _Connection, line: Take) -> None:
        guest = self._waiting.pop(line.ticket, None)
        if guest is None:
            raise _Refused("gone")
        # Who comes for a guest came because they were called.
        taker.is_counted = False
        self._count(-1, "connections", taker.origin)
        self._connects[taker.origin] -= 1
        for connection in (guest, taker):
            self._settle(now, connection)
            self._say(connection, Ok())
        self.effects.append(Splice(guest.number, taker.number))
        self._note("spliced", guest)

    # What they share.

    def _alias(self, origin: str) -> str:
        return hmac.digest(self._secret, origin.encode(), "sha256").hex()[:16]

    def _settle(self, now: float, connection: _Connection) -> None:
        self._settled[connection.number] = self._coming.pop(connection.number)
        connection.since = now

    def _is_spliced(self, connection: _Connection) -> bool:
        return connection.number in self._settled and connection.host is None

    def _say(self, connection: _Connection, line: Line) -> None:
        self.effects.append(Say(connection.number, line))

    def _note(self, event: str, connection: _Connection, code: str = "") -> None:
        self.effects.append(Note(event, connection.number, connection.address, code))

    def _refuse(self, connection: _Connection, code: str, is_told: bool = True) -> None:
        if is_told:
            self._say(connection, No(code))
        self.effects.append(End(connection.number))
        self._note("closed", connection, code)
        self.gone(connection.number)

    def _forget(self, connection: _Connection) -> None:
        if connection.is_counted:
            self._count(-1, "connections", connection.origin)
        if (place := connection.waits_for) is not None:
            self._waiting.pop(connection.ticket, None)
            self._count(-1, "guests", place)
            self._count(-1, "guests", place, connection.origin)
        if (host := connection.host) is not None and self._hosts.get(_place(host)) is connection:
            del self._hosts[_place(host)]
            self._count(-1, "hosts", connection.origin)

    def _count(self, by: int, *what: object) -> None:
        self._counts[what] += by
        # Origins and places are many: what there is none of is not kept.
        if not self._counts[what]:
            del self._counts[what]

    def _turn_window(self, now: float) -> None:
        if now >= self._window_ends:
            self._connects.clear()
            self._window_ends = now + WINDOW_S


def _place(line: Host | Join) -> Place:
    return line.fingerprint, line.port
