"""The middle of the server: one input at a time goes in, effects come out, and nothing is awaited between.

The same kernel runs under asyncio and under a simulator. It takes the time from its caller, luck from
`randbelow`, and never touches a socket or a disk.
"""

import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from protocol.codec import encode
from protocol.frame import (
    ClientFrame,
    Closed,
    Hello,
    Noticed,
    Ping,
    Ponged,
    Refused,
    Request,
    Welcome,
)
from protocol.limit import PROTOCOL_VERSION, Limits
from protocol.outcome import ABANDONED, Outcome
from protocol.refusal import CloseCode, RefusalCode
from protocol.text import Unclean, clean_name
from server.core import lobby, play, transcript, upkeep
from server.core.entry import Entry, Fact
from server.core.match import Damaged, Match, rebuild
from server.core.rate import origin_of
from server.core.session import Session
from server.core.world import Connection, Effects, Refuse, World

CAPABILITIES = ("watch", "export")
ALIVE = "alive"
"""The time, written down at every tick while clocks run, so that a restart knows how much was used."""

CANNOT_SAVE_TEXT = (
    "The server cannot save just now, so it takes no moves. Nothing that it showed is lost; it goes on "
    "by itself as soon as it can save again."
)
_STOPPING_TEXTS = {
    CloseCode.STOPPING: "The server is stopping.",
    CloseCode.HOST_LEFT: "The host has left, so the server is stopping.",
    CloseCode.FAULT: "The server made a mistake of its own and has to stop.",
}
_KEPT_TEXT = "What you were shown is saved; come back when it runs again."
_NOT_SAVED_TEXT = "It could not save what happened last; come back when it runs again."
_NOT_KEPT_TEXT = "It keeps nothing, so your matches end with it."


class Opened(NamedTuple):
    """A connection was accepted."""

    connection: int
    address: str


class Received(NamedTuple):
    """A frame arrived."""

    connection: int
    frame: ClientFrame


class Garbled(NamedTuple):
    """A connection sent what is no frame, or was too slow: it is to be closed."""

    connection: int
    code: CloseCode
    text: str


class Gone(NamedTuple):
    """A connection ended."""

    connection: int


class Ticked(NamedTuple):
    """Some time, about a second, has passed."""


class Fetched(NamedTuple):
    """What a `Fetch` effect asked for was read; None when there is no such match."""

    connection: int
    re: int
    record: transcript.Transcript | None


class Stalled(NamedTuple):
    """The journal cannot be written."""


class Recovered(NamedTuple):
    """The journal can be written again, and everything appended is durable."""


class Leaving(NamedTuple):
    """Whoever hosts has left on purpose; the server stops as soon as their own connection has ended."""


class Stopping(NamedTuple):
    """The server is about to stop: it was told to, its host has left, or a part of it has died."""

    code: CloseCode = CloseCode.STOPPING
    is_kept: bool = True
    """Whether matches outlive the server."""


Input = Opened | Received | Garbled | Gone | Ticked | Fetched | Stalled | Recovered | Leaving | Stopping


class Kernel:
    """The authoritative server, without I/O."""

    def __init__(
        self, limits: Limits, randbelow: Callable[[int], int], now: float, banner: str = "Conquest"
    ) -> None:
        self.world = World(limits, randbelow, now)
        self._banner = banner
        self._stalled_at: float | None = None
        self._pauses: list[tuple[float, float]] = []
        """When no clock ran, since the oldest running turn began: the server was down, or could not save."""
        self._dispatch: dict[type, Callable[[Any], None]] = {
            Opened: self._opened,
            Received: self._received,
            Garbled: self._garbled,
            Gone: self._gone,
            Ticked: self._ticked,
            Fetched: self._fetched,
            Stalled: self._stalled,
            Recovered: self._recovered,
            Leaving: self._leaving,
            Stopping: self._stopping,
        }

    def step(self, now: float, given: Input) -> Effects:
        """Take one input and return what it leads to."""
        self.world.now = now
        return self._attempt(given, self._dispatch[type(given)], given)

    def _attempt(self, given: Input, work: Callable[[Any], None], subject: object) -> Effects:
        """Do a piece of work wholly or not at all, and return what it leads to."""
        world = self.world
        world.touched = None
        world.effects = Effects()
        try:
            work(subject)
        except Exception:  # noqa: BLE001 - the one place where our own bugs end
            self._contain_fault(given)
        return world.effects

    def _attempt_each(self, given: Input, work: Callable[[Match], None], matches: Iterable[Match]) -> None:
        """Do the same to several matches, each on its own: a bug of ours in one costs the others nothing."""
        world, together = self.world, self.world.effects
        for match in matches:
            together.add(self._attempt(given, work, match))
        world.effects = together

    def _contain_fault(self, given: Input) -> None:
        """Freeze the match in which our bug showed itself; everybody else plays on."""
        world = self.world
        world.effects = Effects()
        world.effects.faults = (traceback.format_exc(),)
        world.counts["faults"] += 1
        if world.touched is not None:
            world.touched.is_frozen = True
            world.clocked.pop(world.touched.code, None)
        connection = world.connections.get(getattr(given, "connection", -1))
        if connection is None:
            return
        if isinstance(given, Received) and isinstance(given.frame, Request):
            text = "The server made a mistake; what you asked for was not done."
            self._refuse(connection.id, given.frame.id, RefusalCode.MATCH_FROZEN, text)
        else:
            world.close(connection, CloseCode.FAULT, "The server made a mistake; connect again.")

    def _opened(self, given: Opened) -> None:
        world, limits = self.world, self.world.limits
        origin = origin_of(given.address)
        others = [c for c in world.connections.values() if c.origin == origin]
        unwelcomed = sum(1 for c in world.connections.values() if c.session is None)
        world.counts["connections"] += 1
        if (
            len(world.connections) >= limits.connections
            or len(others) >= limits.connections_per_address
            or unwelcomed >= limits.connections_unwelcomed
        ):
            text = "The server has as many connections as it can take; try again in a while."
            data = encode(Closed(code=CloseCode.FULL, text=text))
            world.effects.send(given.connection, data, is_urgent=True, is_last=True)
            world.counts[f"closed.{CloseCode.FULL.value}"] += 1
            world.note("closed", connection=given.connection, address=given.address, code="full")
            return
        connection = Connection(given.connection, given.address, origin, world.now, limits)
        world.connections[given.connection] = connection

    def _received(self, given: Received) -> None:
        world = self.world
        connection = world.connections.get(given.connection)
        if connection is None:
            return
        frame = given.frame
        if not connection.bucket.take(world.now):
            world.close(connection, CloseCode.TOO_FAST, "Your client sends too much at once.")
            return
        connection.heard_at = world.now
        session = connection.session
        if session is None:
            self._introduce(connection, frame)
            return
        if session.old_hash is not None and world.is_saving:
            world.sessions.confirm(session)
            world.keep(session)
        handler = _HANDLERS.get(type(frame))
        if handler is not None and world.is_saving:
            try:
                handler(world, session, frame)
            except Refuse as no:
                self._refuse(connection.id, frame.id, no.code, no.text)  # type: ignore[union-attr]
        elif isinstance(frame, Ping):
            world.effects.send(connection.id, encode(Ponged(re=frame.id)), is_urgent=True)
        elif isinstance(frame, Hello):
            self._refuse(connection.id, 0, RefusalCode.ALREADY_WELCOMED, "You have said hello already.")
        else:
            self._refuse(connection.id, frame.id, RefusalCode.CANNOT_SAVE, CANNOT_SAVE_TEXT, is_urgent=True)

    def _refuse(
        self, connection: int, re: int, code: RefusalCode, text: str, is_urgent: bool = False
    ) -> None:
        self.world.counts[f"refused.{code.value}"] += 1
        data = encode(Refused(re=re, code=code, text=text))
        self.world.effects.send(connection, data, is_urgent=is_urgent)

    def _introduce(self, connection: Connection, frame: ClientFrame) -> None:
        """Take the first frame of a connection, which must be a hello."""
        world = self.world
        if not isinstance(frame, Hello):
            world.close(connection, CloseCode.HELLO_EXPECTED, "The first frame must be a hello.")
        elif not world.is_saving:
            self._refuse(connection.id, 0, RefusalCode.CANNOT_SAVE, CANNOT_SAVE_TEXT, is_urgent=True)
        elif frame.token is None:
            self._meet(connection, frame)
        else:
            session = world.sessions.find(frame.token)
            if session is None:
                text = "The server does not know you any more; say hello without the old token."
                world.close(connection, CloseCode.BAD_TOKEN, text)
            else:
                self._resume(connection, session, frame.token, frame.seen)

    def _meet(self, connection: Connection, frame: Hello) -> None:
        world = self.world
        try:
            name = clean_name(frame.name)
        except Unclean as no:
            self._refuse(connection.id, 0, RefusalCode.BAD_NAME, str(no))
            return
        if len(world.sessions) >= world.limits.sessions and not upkeep.make_room(world):
            world.close(connection, CloseCode.FULL, "The server knows as many players as it can.")
            return
        session, token = world.sessions.open(name)
        self._welcome(connection, session, token)

    def _resume(self, connection: Connection, session: Session, used: str, seen: dict[str, int]) -> None:
        world = self.world
        token = world.sessions.rotate(session, used)
        world.keep(session)
        was_present = session.connection is not None
        if session.connection is not None:
            old = world.connections[session.connection]
            session.connection = None
            world.close(old, CloseCode.REPLACED, "You connected again from elsewhere; this connection ends.")
        self._welcome(connection, session, token)
        since = lobby.told_since(world, session, seen)
        for code in session.seated:
            match = world.touched = world.matches[code]
            seat = match.seat_of(session.id)
            if seat is not None:
                match.absent_since[seat - 1] = None
            lobby.rejoin(world, session, match, None, since[code])
            if seat is not None and not was_present:
                world.tell_presence(match, seat)
        for code in list(session.watching):
            lobby.watch_again(world, session, code, since[code])

    def _welcome(self, connection: Connection, session: Session, token: str) -> None:
        world = self.world
        connection.session = session
        session.connection = connection.id
        world.send(
            session.id,
            Welcome(
                version=PROTOCOL_VERSION,
                capabilities=CAPABILITIES,
                server=self._banner,
                name=session.name,
                token=token,
                heartbeat_s=max(1, int(world.limits.heartbeat_s)),
                dead_s=max(1, int(world.limits.dead_s)),
                matches=tuple(session.seated),
            ),
        )
        world.note("welcomed", connection=connection.id, address=connection.address)

    def _garbled(self, given: Garbled) -> None:
        connection = self.world.connections.get(given.connection)
        if connection is not None:
            self.world.close(connection, given.code, given.text)

    def _gone(self, given: Gone) -> None:
        connection = self.world.connections.get(given.connection)
        if connection is not None:
            self.world.forget(connection)

    def _fetched(self, given: Fetched) -> None:
        world = self.world
        connection = world.connections.get(given.connection)
        if connection is None or connection.session is None:
            return
        connection.is_awaiting_record = False
        record = given.record
        session = connection.session
        if record is None or (session.id not in record.seats and record.code not in session.watching):
            self._refuse(connection.id, given.re, RefusalCode.NO_SUCH_MATCH, play.NO_RECORD_TEXT)
            return
        for piece in transcript.pieces(record, given.re):
            world.effects.send(connection.id, encode(piece))

    def _ticked(self, given: Ticked) -> None:
        world = self.world
        upkeep.close_silent(world)
        if not world.is_saving:
            return
        late = [match for match in world.clocked.values() if match.is_late(world.now)]
        self._attempt_each(given, self._end_late, late)
        if world.clocked:
            world.effects.writes.append(self._alive_fact(world))
        self._attempt_each(given, self._put_away, upkeep.outdated(world))
        upkeep.forget_idle(world)

    def _alive_fact(self, world: World) -> Fact:
        oldest = min(match.turn_began_at for match in world.clocked.values())
        self._pauses = [pause for pause in self._pauses if pause[1] > oldest]
        return Fact(ALIVE, {"at": world.now, "pauses": self._pauses})

    def _end_late(self, match: Match) -> None:
        world = self.world
        world.touched = match
        verdict = match.verdict(world.now)
        if verdict is not None:
            world.end(match, verdict)

    def _put_away(self, match: Match) -> None:
        world = self.world
        world.touched = match
        if match.is_running():
            world.end(match, Outcome(winner=None, reason=ABANDONED))
        else:
            world.retire(match)

    def _stalled(self, given: Stalled) -> None:
        world = self.world
        world.is_saving = False
        self._stalled_at = world.now
        self._notice(Noticed(code="cannot_save", text=CANNOT_SAVE_TEXT))
        world.counts["stalls"] += 1

    def _recovered(self, given: Recovered) -> None:
        world = self.world
        world.is_saving = True
        if self._stalled_at is not None:
            self._pauses.append((self._stalled_at, world.now))
            for match in world.matches.values():
                match.postpone(world.now - self._stalled_at, world.now)
        self._stalled_at = None
        self._notice(Noticed(code="saving_again", text="The server can save again; the match goes on."))

    def _notice(self, frame: Noticed) -> None:
        world = self.world
        data = encode(frame)
        for connection in world.connections.values():
            if connection.session is not None:
                world.effects.send(connection.id, data, is_urgent=True)

    def _leaving(self, given: Leaving) -> None:
        self.world.is_ending = True

    def _stopping(self, given: Stopping) -> None:
        world = self.world
        world.is_ending = True
        kept = _KEPT_TEXT if world.is_saving else _NOT_SAVED_TEXT
        text = f"{_STOPPING_TEXTS[given.code]} {kept if given.is_kept else _NOT_KEPT_TEXT}"
        for connection in list(world.connections.values()):
            world.close(connection, given.code, text, given.is_kept)

    def restore(self, facts: Iterable[Fact], histories: Iterable[Sequence[Entry]]) -> tuple[int, list[str]]:
        """Bring back what the journal holds; return how many matches, and what is damaged.

        The time of the next step must not be before `world.now`, which may have been moved on.
        """
        world = self.world
        alive_at, damage = 0.0, []
        for fact in facts:
            try:
                alive_at = self._take_in_fact(fact) or alive_at
            except (LookupError, TypeError, ValueError) as error:
                damage.append(f"{fact.key} does not fit ({type(error).__name__})")
        matches = []
        for history in histories:
            try:
                matches.append(rebuild(history))
            except Damaged as error:
                damage.append(f"match {history[0].stream}: {error}")
        self._go_on_from(alive_at, matches)
        for match in matches:
            self._take_in(match)
        for match in matches:
            if match.previous in world.matches:
                world.matches[match.previous].successor = match.code
        return len(world.matches), damage

    def _go_on_from(self, alive_at: float, matches: list[Match]) -> None:
        """Take up the time where it was left: with a clock that was set back, players would gain by it."""
        world = self.world
        began = [match.turn_began_at for match in matches if match.deadline is not None]
        if began:
            world.now = max(world.now, alive_at, *began)
        # Only the time for which the server was up counts; what passed since the last tick is forgiven.
        self._pauses.append((alive_at, world.now))
        for session in world.sessions:
            session.gone_at = world.now

    def _take_in_fact(self, fact: Fact) -> float | None:
        """Bring back a session, or when the server was last alive, which is returned."""
        if fact.key == ALIVE and fact.body is not None:
            at = float(fact.body["at"])
            self._pauses = [(float(begin), float(end)) for begin, end in fact.body["pauses"]]
            return at
        self.world.sessions.restore(fact)
        return None

    def _take_in(self, match: Match) -> None:
        world = self.world
        world.matches[match.code] = match
        for member in match.members():
            session = world.sessions.get(member)
            if session is not None:
                session.seated[match.code] = None
        if match.seats is not None:
            match.absent_since = [world.now, world.now]
        if match.deadline is not None:
            began = match.turn_began_at
            match.postpone(sum(max(0.0, end - max(begin, began)) for begin, end in self._pauses), world.now)
            world.clocked[match.code] = match


_HANDLERS: dict[type, Callable[..., None]] = {**lobby.HANDLERS, **play.HANDLERS}
