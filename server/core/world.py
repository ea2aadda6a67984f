"""Everything the server knows, and how its parts speak to players: by putting effects on a list.

The request handlers in `lobby` and `table` work on this. It has no clock, no socket and no disk: the
time is handed in with each step, and what should be sent or written is handed out.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from protocol.codec import encode
from protocol.frame import Closed, ServerFrame, Watched
from protocol.limit import Limits
from protocol.link import make_code
from protocol.model import SEATS, Seat
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode
from server.core import visible
from server.core.entry import Write
from server.core.match import Match
from server.core.rate import Bucket, Window
from server.core.session import Session, Sessions
from server.core.terms import Terms
from server.games.rules import Events

NO_SUCH_MATCH_TEXT = "You are in no such match."


class Refuse(Exception):
    """A polite no to the request at hand; raised before anything is changed."""

    def __init__(self, code: RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


Send = tuple[int, bytes, bool, bool]
"""A frame on its way: the connection, the bytes, whether they are urgent, whether they are the last ones."""


class Fetch(NamedTuple):
    """A wish to read a match's history, answered later by a `Fetched` input."""

    connection: int
    re: int
    code: str


class Effects:
    """What a step wants done, in order."""

    __slots__ = ("faults", "fetches", "log", "sends", "writes")

    def __init__(self) -> None:
        self.sends: list[Send] = []
        self.writes: list[Write] = []
        # The others are rare: most steps share the same empty tuple.
        self.fetches: tuple[Fetch, ...] = ()
        self.log: tuple[tuple[str, dict[str, Any]], ...] = ()
        self.faults: tuple[str, ...] = ()
        """Traces of our own bugs."""

    def send(self, connection: int, data: bytes, is_urgent: bool = False, is_last: bool = False) -> None:
        """Send a frame to a connection, which may end after it.

        What depends on no state is urgent: it need not wait for the disk.
        """
        self.sends.append((connection, data, is_urgent, is_last))

    def add(self, later: "Effects") -> None:
        """Put the effects of a later piece of work behind these."""
        for name in Effects.__slots__:
            setattr(self, name, getattr(self, name) + getattr(later, name))


class Connection:
    """A peer, before and after it has said who it is."""

    __slots__ = (
        "address",
        "bucket",
        "heard_at",
        "id",
        "is_awaiting_record",
        "opened_at",
        "origin",
        "session",
    )

    def __init__(self, number: int, address: str, origin: str, now: float, limits: Limits) -> None:
        self.id = number
        self.address = address
        self.origin = origin
        """For whom it is counted: many addresses may be one neighbour's."""
        self.opened_at = now
        self.heard_at = now
        self.session: Session | None = None
        self.is_awaiting_record = False
        self.bucket = Bucket(limits.frames_per_s, limits.frames_burst, now)


class World:
    """The server's memory."""

    def __init__(self, limits: Limits, randbelow: Callable[[int], int], now: float) -> None:
        self.limits = limits
        self.randbelow = randbelow
        self.now = now
        self.effects = Effects()
        self.connections: dict[int, Connection] = {}
        self.sessions = Sessions(randbelow)
        self.matches: dict[str, Match] = {}
        self.clocked: dict[str, Match] = {}
        """Running matches with a clock."""
        self.guesses: dict[str, Window] = {}
        self.chats: dict[int, Window] = {}
        self.counts: Counter[str] = Counter()
        self.is_saving = True
        self.is_ending = False
        """Whether the server is about to stop."""
        self.touched: Match | None = None
        """The match that the step at hand works on; it is frozen when the step fails."""

    def send(self, session_id: int, frame: ServerFrame) -> None:
        """Send a frame to a player, if connected."""
        self.send_data((session_id,), encode(frame))

    def send_all(self, session_ids: Iterable[int], frame: ServerFrame) -> None:
        """Send the same frame to several players."""
        self.send_data(session_ids, encode(frame))

    def send_data(self, session_ids: Iterable[int], data: bytes) -> None:
        """Send a frame that is packed already to several players, as far as they are connected."""
        for connection in map(self.sessions.connection_of, session_ids):
            if connection is not None:
                self.effects.send(connection, data)

    def close(self, connection: Connection, code: CloseCode, text: str, is_kept: bool = True) -> None:
        """End a connection and say why; the player's seats are kept, unless the server keeps nothing."""
        # One that was never welcomed depends on nothing, and must not pile up while the disk is slow; while
        # nothing can be saved, what was to be said before could not be said anyway.
        is_urgent = connection.session is None or not self.is_saving
        data = encode(Closed(code=code, text=text, kept=is_kept))
        self.effects.send(connection.id, data, is_urgent, is_last=True)
        self.note("closed", connection=connection.id, address=connection.address, code=code.value)
        self.counts[f"closed.{code.value}"] += 1
        self.forget(connection)

    def forget(self, connection: Connection) -> None:
        """Let go of a connection; its player is absent from now on."""
        self.connections.pop(connection.id, None)
        session = connection.session
        if session is None or session.connection != connection.id:
            return
        session.connection = None
        session.gone_at = self.now
        if self.is_ending:
            # They are gone because the server goes; who is still there is told that, and not of them.
            return
        for code in session.seated:
            match = self.matches[code]
            seat = match.seat_of(session.id)
            if seat is not None and seat not in match.left:
                match.absent_since[seat - 1] = self.now
                self.tell_presence(match, seat)
        for code in session.watching:
            if code in self.matches:
                self.count_out(self.matches[code], session)

    def count_in(self, match: Match, session: Session) -> bool:
        """Count somebody among the spectators and tell everybody else; False when there is no room."""
        if len(match.spectators) >= self.limits.spectators_per_match:
            return False
        self.tell_all(match, Watched(match=match.code, count=len(match.spectators) + 1))
        match.spectators[session.id] = None
        if match.code not in session.watching:
            session.watching[match.code] = None
            session.is_kept = True
            self.keep(session)
        return True

    def count_out(self, match: Match, session: Session) -> None:
        """Count somebody among the spectators no longer, and tell everybody else."""
        match.spectators.pop(session.id, None)
        self.tell_all(match, Watched(match=match.code, count=len(match.spectators)))

    def is_present(self, session_id: int) -> bool:
        """Tell whether a player is connected."""
        return self.sessions.connection_of(session_id) is not None

    def tell_presence(self, match: Match, seat: Seat) -> None:
        """Tell everybody at a match whether a player is there."""
        frame = visible.sighted(match, seat, self.now, self.limits.grace_s)
        others = [player for player in match.players() if player != match.members()[seat - 1]]
        self.send_all([*others, *match.spectators], frame)

    def tell_all(self, match: Match, frame: ServerFrame) -> None:
        """Send the same frame to the players and the spectators of a match."""
        self.send_all([*match.players(), *match.spectators], frame)

    def find(self, code: str) -> Match:
        """Find a match by its code; refuse when there is none."""
        match = self.matches.get(code)
        if match is None:
            raise Refuse(RefusalCode.NO_SUCH_MATCH, NO_SUCH_MATCH_TEXT)
        self.touched = match
        if match.is_frozen:
            raise Refuse(
                RefusalCode.MATCH_FROZEN,
                "A fault of the server stopped this match; whoever runs the server can see it in the log.",
            )
        return match

    def find_own(self, code: str, session: Session) -> Match:
        """Find a match that a session plays or watches.

        For anybody else there is no such match: a different answer would tell which codes exist, and codes
        could be guessed past the limit on guesses.
        """
        match = self.matches.get(code)
        if match is not None and session.id not in match.members() and session.id not in match.spectators:
            raise Refuse(RefusalCode.NO_SUCH_MATCH, NO_SUCH_MATCH_TEXT)
        return self.find(code)

    def find_seat(self, code: str, session: Session) -> tuple[Match, Seat]:
        """Find a match that has begun and the seat of a session in it; refuse when it has none."""
        match = self.matches.get(code)
        seat = None if match is None else match.seat_of(session.id)
        if match is not None and seat is not None and not match.is_frozen:
            self.touched = match
            return match, seat
        match = self.find_own(code, session)
        if session.id in match.members():
            raise Refuse(RefusalCode.NOT_BEGUN, "The match has not begun; nobody has joined yet.")
        raise Refuse(RefusalCode.NOT_SEATED, "You watch that match; you have no seat in it.")

    def add(self, match: Match, session: Session) -> None:
        """Give a session a place in a match, and make both survive a restart."""
        self.matches[match.code] = match
        session.seated[match.code] = None
        if not session.is_kept:
            session.is_kept = True
            self.keep(session)

    def keep(self, session: Session) -> None:
        """Write down how a player is remembered now, for one who is to survive a restart."""
        if session.is_kept:
            self.effects.writes.append(session.to_fact())

    def has_seat_left(self, session: Session) -> bool:
        """Tell whether a player may have one more match."""
        unfinished = sum(1 for code in session.seated if self.matches[code].outcome is None)
        return unfinished < self.limits.matches_per_player

    def has_match_left(self) -> bool:
        """Tell whether the server may have one more match."""
        most = self.limits.matches
        return len(self.matches) < most or sum(m.outcome is None for m in self.matches.values()) < most

    def new_match(self, terms: Terms, creator: int, name: str, create_id: int) -> Match:
        """Make a match with a join code that no other has."""
        while (code := make_code(self.randbelow)) in self.matches:
            pass
        match = Match(self.randbelow(2**62), code, terms, creator, name, create_id, self.now)
        self.touched = match
        return match

    def show(
        self, match: Match, events: Events = (), re: int | None = None, mover: Seat | None = None
    ) -> None:
        """Show a match to everybody there, each as they may see it; `re` answers the mover's request."""
        scene, sends = visible.scene(match, self.now, len(events)), self.effects.sends
        members = match.members()
        for seat in SEATS:
            connection = self.sessions.connection_of(members[seat - 1])
            if connection is not None:
                data = visible.shown(match, seat, scene, re if seat == mover else None)
                sends.append((connection, data, False, False))
        if match.spectators:
            self.send_data(match.spectators, visible.shown(match, None, scene))

    def show_one(self, match: Match, session_id: int, events: Events = (), re: int | None = None) -> None:
        """Show a match to one of those who are there."""
        scene = visible.scene(match, self.now, len(events))
        self.send_data((session_id,), visible.shown(match, match.seat_of(session_id), scene, re))

    def show_begun(self, match: Match, events: Events, answers: dict[int, int]) -> None:
        """Show a match that has just begun to everybody there; `answers` are request ids by session."""
        for member in (*match.members(), *match.spectators):
            self.send(member, visible.seated(match, member, self.is_present, answers.get(member)))
            self.show_one(match, member, events)
            for absence in visible.absences(match, self.now, self.limits.grace_s):
                self.send(member, absence)
        if match.deadline is not None:
            self.clocked[match.code] = match
        self.counts["matches_begun"] += 1
        self.note("begun", game=match.terms.game.id, matches=len(self.matches))

    def end(self, match: Match, outcome: Outcome, re: int | None = None, by: int | None = None) -> None:
        """End a match in a way that its rules do not know, and show it to everybody there."""
        self.effects.writes.append(match.end(outcome, self.now))
        self.show(match)
        self.tell_ended(match, re, by)

    def tell_ended(self, match: Match, re: int | None = None, by: int | None = None) -> None:
        """Tell everybody there that a match is over; `by` is the session whose request `re` ended it."""
        self.clocked.pop(match.code, None)
        everybody = [*match.members(), *match.spectators]
        self.send_all([member for member in everybody if member != by], visible.ended(match))
        if by is not None:
            self.send(by, visible.ended(match, re))
        self.counts["matches_ended"] += 1
        reason = match.outcome.reason if match.outcome else None
        self.note("ended", game=match.terms.game.id, reason=reason, moves=match.moves)

    def retire(self, match: Match) -> None:
        """Put a match away and forget it."""
        self.effects.writes.append(match.retire())
        del self.matches[match.code]
        self.clocked.pop(match.code, None)
        for spectator in match.spectators:
            session = self.sessions.get(spectator)
            if session is not None:
                session.watching.pop(match.code, None)
                self.send(spectator, visible.left(match.code))
        for member in match.members():
            session = self.sessions.get(member)
            if session is not None and match.code in session.seated:
                del session.seated[match.code]
                self.send(member, visible.left(match.code))

    def drop_session(self, session: Session) -> None:
        """Forget an absent player who has no seat any more."""
        self.sessions.drop(session)
        self.chats.pop(session.id, None)
        if session.is_kept:
            self.effects.writes.append(session.to_fact()._replace(body=None))

    def note(self, event: str, **facts: object) -> None:
        """Put a line into the log. Facts are never secrets, tokens, codes or what players wrote."""
        self.effects.log += ((event, facts),)
