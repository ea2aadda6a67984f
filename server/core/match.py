"""One match: a game's state with the two seats, the clock and the offers around it.

The only place where a match's state changes. Each change returns the entry that must be durable before
anybody hears of it. It knows sessions by number only, and neither connections nor disks.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from protocol.choice import Move
from protocol.codec import pack_plain
from protocol.field import Offer
from protocol.games import parse_move
from protocol.model import SEATS, Seat, other
from protocol.outcome import CLOCK, MOVE_CAP, Outcome
from server.core.entry import BEGUN, CREATED, ENDED, MOVED, RETIRED, Entry
from server.core.terms import Terms
from server.games.chance import Drawn, Recorded
from server.games.game import NOBODY, Chance, Events, Illegal

T = TypeVar("T")

Randbelow = Callable[[int], int]


class Damaged(Exception):
    """A history in the journal that does not make a match."""


class Match:
    """One play of a game."""

    __slots__ = (
        "absent_since",
        "code",
        "create_id",
        "created_at",
        "creator",
        "deadline",
        "ended_at",
        "events",
        "is_frozen",
        "last_ids",
        "left",
        "moves",
        "names",
        "offers",
        "outcome",
        "owed_by",
        "place",
        "previous",
        "score",
        "seats",
        "spectators",
        "state",
        "stream",
        "successor",
        "terms",
        "turn",
        "turn_began_at",
    )

    def __init__(
        self, stream: int, code: str, terms: Terms, creator: int, name: str, create_id: int, now: float
    ) -> None:
        self.stream = stream
        self.code = code
        self.terms = terms
        self.creator = creator
        self.create_id = create_id
        self.created_at = now
        self.seats: tuple[int, int] | None = None
        """The sessions that sit here, once the match has begun."""
        self.names: tuple[str, str] = (name, "")
        self.state: Any = None
        self.owed_by: frozenset[Seat] = NOBODY
        """The seats that owe a move."""
        self.turn = 0
        """What a move must echo: it counts the questions that were answered."""
        self.moves = 0
        self.events: list[bytes] = []
        """All events so far, packed: they are read again only for those who missed them."""
        self.last_ids = [0, 0]
        """The id of each seat's last move that was applied."""
        self.outcome: Outcome | None = None
        self.ended_at: float | None = None
        self.turn_began_at = now
        self.deadline: float | None = None
        self.absent_since: list[float | None] = [None, None]
        self.offers: dict[Offer, Seat] = {}
        """Who has offered what and waits for an answer."""
        self.spectators: dict[int, None] = {}
        self.left: set[Seat] = set()
        """Who has put the finished match away."""
        self.score: tuple[int, int] = (0, 0)
        """Wins in this series, by the seats of this match; its own result included once it is over."""
        self.previous: str | None = None
        self.successor: str | None = None
        self.place = 0
        """The place of the next entry."""
        self.is_frozen = False
        """A fault of ours was seen here; nothing is done with the match any more."""

    def seat_of(self, session: int) -> Seat | None:
        """Tell the seat of a session, None for one that has none."""
        if self.seats is None:
            return None
        if self.seats[0] == session:
            return 1
        return 2 if self.seats[1] == session else None

    def members(self) -> tuple[int, ...]:
        """List the sessions that belong to the match as players."""
        return (self.creator,) if self.seats is None else self.seats

    def players(self) -> list[int]:
        """List the members who have not put the match away."""
        return [member for member in self.members() if self.seat_of(member) not in self.left]

    def is_running(self) -> bool:
        """Tell whether moves are still to come."""
        return self.seats is not None and self.outcome is None

    def create(self, score: tuple[int, int] = (0, 0), previous: str | None = None) -> Entry:
        """Open the match; a rematch carries on the score of the one before."""
        self.score = score
        self.previous = previous
        body = {
            "code": self.code,
            **self.terms.to_body(),
            "creator": self.creator,
            "name": self.names[0],
            "id": self.create_id,
            "score": score,
            "previous": previous,
            "at": self.created_at,
        }
        return self._entry(CREATED, body)

    def begin(self, guest: int, name: str, now: float, randbelow: Randbelow) -> tuple[Entry, Events]:
        """Seat both players, Player 1 being settled as agreed (A1), and set up the game."""
        chance = Drawn(randbelow)
        seats, names = (self.creator, guest), (self.names[0], name)
        if not self._is_creator_first(chance):
            seats, names = (seats[1], seats[0]), (names[1], names[0])
        events = self._set_up(seats, names, chance, now)
        body = {"seats": seats, "names": names, "chance": chance.answers, "at": now}
        return self._entry(BEGUN, body), events

    def _is_creator_first(self, chance: Chance) -> bool:
        if self.terms.first == "toss":
            return chance.below(2) == 0
        return self.terms.first == "creator"

    def _set_up(self, seats: tuple[int, int], names: tuple[str, str], chance: Chance, now: float) -> Events:
        state, events = self.terms.game.setup(self.terms.options, chance)
        self.seats = seats
        self.names = names
        self._enter(state, events)
        self._start_turn(now)
        return events

    def play(
        self, seat: Seat, move: Move, move_id: int, now: float, randbelow: Randbelow, move_cap: int
    ) -> tuple[Entry, Events]:
        """Make a move; raise `Illegal`, before anything is changed, when the rules do not allow it."""
        chance = Drawn(randbelow)
        events = self._advance(seat, move, move_id, chance, now, self.moves + 1 >= move_cap)
        body = {"seat": seat, "id": move_id, "move": move.__dict__, "chance": chance.answers, "at": now}
        if self.outcome is not None and self.outcome.reason == MOVE_CAP:
            # The cap may be another one when the match is rebuilt.
            body["is_capped"] = True
        return self._entry(MOVED, body), events

    def _advance(
        self, seat: Seat, move: Move, move_id: int, chance: Chance, now: float, is_capped: bool
    ) -> Events:
        game, owed = self.terms.game, self.owed_by
        state, events = game.apply(self.state, seat, move, chance)
        self._enter(state, events)
        self.moves += 1
        self.last_ids[seat - 1] = move_id
        # The first of two simultaneous moves leaves the question standing, so the second is not stale.
        if not self.owed_by or not self.owed_by < owed:
            self.turn += 1
            self._start_turn(now)
        end = game.outcome(state)
        if end is None and is_capped:
            end = Outcome(winner=None, reason=MOVE_CAP)  # A3
        if end is not None:
            self._finish(end, now)
        return events

    def _start_turn(self, now: float) -> None:
        self.turn_began_at = now
        self.deadline = None if self.terms.clock_s is None else now + self.terms.clock_s

    def _enter(self, state: Any, events: Events) -> None:
        self.state = state
        self.owed_by = self.terms.game.to_act(state)
        for event in events:
            self.events.append(pack_plain(event.__dict__))

    def end(self, outcome: Outcome, now: float) -> Entry:
        """End the match in a way that the game's own rules do not know (A3)."""
        self._finish(outcome, now)
        return self._entry(ENDED, {"winner": outcome.winner, "reason": outcome.reason, "at": now})

    def _finish(self, outcome: Outcome, now: float) -> None:
        self.outcome = outcome
        self.ended_at = now
        self.deadline = None
        self.offers.clear()
        self.score = (self.score[0] + (outcome.winner == 1), self.score[1] + (outcome.winner == 2))

    def retire(self) -> Entry:
        """Put the match away."""
        # Whoever reads the record later need not play the match again to know how it ended.
        body = {} if self.outcome is None else {"winner": self.outcome.winner, "reason": self.outcome.reason}
        return self._entry(RETIRED, body)

    def _entry(self, kind: str, body: dict[str, Any]) -> Entry:
        entry = Entry(self.stream, self.place, kind, body)
        self.place += 1
        return entry

    def is_late(self, now: float) -> bool:
        """Tell whether the clock has run out."""
        return self.deadline is not None and now >= self.deadline

    def verdict(self, now: float) -> Outcome | None:
        """Tell how the clock ends the match, if it has run out."""
        if not self.is_late(now):
            return None
        # A seat that alone owes a move loses; when both let the time run out, nobody wins.
        winner = other(next(iter(self.owed_by))) if len(self.owed_by) == 1 else None
        return Outcome(winner=winner, reason=CLOCK)

    def claimable_in(self, seat: Seat, now: float, grace_s: float) -> float | None:
        """Tell in how many seconds the win over a seat may be claimed; None while its player is there."""
        since = self.absent_since[seat - 1]
        return None if since is None else max(0.0, since + grace_s - now)

    def postpone(self, by_s: float, now: float) -> None:
        """Let the time that has just passed not count: that was nobody's fault but the server's."""
        if self.deadline is not None:
            self.deadline += by_s
        # A player who went away only during that time is absent from now on.
        self.absent_since = [None if since is None else min(since + by_s, now) for since in self.absent_since]

    def repeat(self, entry: Entry) -> None:
        """Change the match as a journal entry says that it changed before."""
        body = entry.body
        if entry.place != self.place:
            raise Damaged(f"entry {self.place} is missing")
        if entry.kind == BEGUN:
            self._require(self.seats is None)
            chance = Recorded(body["chance"])
            self._is_creator_first(chance)
            self._set_up(_pair(int, body["seats"]), _pair(str, body["names"]), chance, _time(body))
            self._require(chance.is_used_up())
        elif entry.kind == MOVED:
            chance = Recorded(body["chance"])
            move = parse_move(self.terms.game.id, body["move"])
            self._require(self.is_running() and body["seat"] in SEATS and move is not None)
            is_capped = body.get("is_capped", False)
            self._advance(body["seat"], move, body["id"], chance, _time(body), is_capped)  # type: ignore[arg-type]
            self._require(chance.is_used_up())
        elif entry.kind == ENDED:
            self._require(self.is_running())
            self._finish(Outcome(winner=body["winner"], reason=body["reason"]), _time(body))
        else:
            self._require(entry.kind == RETIRED)
        self.place += 1

    def _require(self, is_so: bool) -> None:
        if not is_so:
            raise Damaged(f"entry {self.place} does not fit")


def rebuild(entries: Sequence[Entry]) -> Match:
    """Make a match again from its history; raise `Damaged` when that cannot be."""
    created, *later = entries
    body = created.body
    if created.kind != CREATED or created.place != 0:
        raise Damaged("its beginning is missing")
    entry = created
    try:
        terms = Terms.from_body(body)
        match = Match(
            created.stream, body["code"], terms, body["creator"], body["name"], body["id"], _time(body)
        )
        match.create(_pair(int, body["score"]), body["previous"])
        for entry in later:
            match.repeat(entry)
    except (LookupError, TypeError, ValueError, AttributeError, Illegal) as error:
        # What exactly does not fit may be a secret, and this is going to be logged.
        raise Damaged(f"entry {entry.place} does not fit ({type(error).__name__})") from error
    return match


def _pair(kind: type[T], value: Any) -> tuple[T, T]:
    first, second = value
    if type(first) is not kind or type(second) is not kind:
        raise TypeError(f"not two of {kind.__name__}")
    return first, second


def _time(body: dict[str, Any]) -> float:
    at = body["at"]
    if type(at) is not float:
        raise TypeError("not a time")
    return at
