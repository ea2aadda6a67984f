"""A match as its journal alone tells it, kept by somebody who shares no code with the server's own match.

Taken for granted are the rules of the games, how a move is read, the terms of a match and how recorded chance
answers. Every prefix of the history is remembered, with what each viewer may see of it.
"""

from typing import Any, NamedTuple

import msgpack

from protocol.games import parse_move
from protocol.model import SEATS, Seat
from protocol.outcome import CLOCK, MOVE_CAP, Outcome
from server.core.entry import BEGUN, CREATED, ENDED, MOVED, RETIRED, Entry
from server.core.terms import Terms
from server.games.chance import Recorded
from server.games.game import Illegal

NEGLIGIBLE_S = 0.001


class Violation(AssertionError):
    """A promise was broken."""


def require(is_so: bool, promise: str, *facts: Any) -> None:
    """Raise `Violation` unless a promise is kept."""
    if not is_so:
        raise Violation(promise + "".join(f"\n    {fact!r}" for fact in facts))


class Snapshot(NamedTuple):
    """A match after some entry."""

    state: Any
    turn: int
    moves: int
    events: int
    """How many there were."""
    last_ids: tuple[int, int]
    outcome: Outcome | None
    score: tuple[int, int]
    turn_began: float
    """How long the server had been up when the turn began."""


class Shadow:
    """One match's history and all its prefixes."""

    def __init__(self, entry: Entry) -> None:
        require(entry.kind == CREATED and entry.place == 0, "a history begins with its creation", entry)
        body = entry.body
        self.stream = entry.stream
        self.code: str = body["code"]
        self.terms = Terms.from_body(body)
        self.creator: int = body["creator"]
        self.previous: str | None = body["previous"]
        self.seats: tuple[int, int] | None = None
        self.names: tuple[str, str] = (body["name"], "")
        self.events: list[Any] = []
        self.entries = [entry]
        first, second = body["score"]
        self.snapshots = [Snapshot(None, 0, 0, 0, (0, 0), None, (first, second), 0.0)]
        self.durable = 0
        """How many entries are on disk."""
        self.is_retired = False
        self._seen: dict[tuple[int, int], bytes] = {}

    @property
    def last(self) -> Snapshot:
        return self.snapshots[-1]

    def seat_of(self, session: int | None) -> Seat | None:
        """Tell the seat of a session."""
        for seat, holder in zip(SEATS, self.seats or (), strict=False):
            if holder == session:
                return seat
        return None

    def members(self) -> tuple[int, ...]:
        """List who plays here."""
        return self.seats or (self.creator,)

    def take(self, entry: Entry, uptime: float, move_cap: int) -> None:
        """Take one more entry; raise `Violation` when it does not follow from those before."""
        require(entry.place == len(self.entries), "one entry per place, none missing", entry)
        require(not self.is_retired, "nothing follows a retirement", entry)
        try:
            snapshot = self._after(entry, uptime, move_cap)
        except (Illegal, ValueError, LookupError, TypeError) as error:
            raise Violation(f"the journal can be replayed: {error!r} at {entry}") from error
        self.entries.append(entry)
        self.snapshots.append(snapshot)

    def _after(self, entry: Entry, uptime: float, move_cap: int) -> Snapshot:
        last, body = self.last, entry.body
        if entry.kind == BEGUN:
            return self._begun(body, uptime)
        if entry.kind == MOVED:
            return self._moved(body, uptime, move_cap)
        if entry.kind == ENDED:
            require(last.outcome is None and self.seats is not None, "only running matches end", entry)
            if body["reason"] == CLOCK:
                used = uptime - last.turn_began
                require(used >= (self.terms.clock_s or 0) - NEGLIGIBLE_S, "nobody loses time", entry, used)
            return self._ended(last, Outcome(winner=body["winner"], reason=body["reason"]))
        require(entry.kind == RETIRED, "there are five kinds of entries", entry)
        require(last.outcome is not None or self.seats is None, "no running match is put away", entry)
        self.is_retired = True
        return last

    def _begun(self, body: dict[str, Any], uptime: float) -> Snapshot:
        require(self.seats is None, "a match begins once", body)
        chance = Recorded(body["chance"])
        is_creator_first = (
            chance.below(2) == 0 if self.terms.first == "toss" else self.terms.first == "creator"
        )
        state, events = self.terms.game.setup(self.terms.options, chance)
        require(chance.is_used_up(), "chance is recorded exactly", body)
        first, second = body["seats"]
        self.seats, self.names = (first, second), tuple(body["names"])  # type: ignore[assignment]
        require((first if is_creator_first else second) == self.creator, "the toss decides", body)
        self._tell(events)
        return self.last._replace(state=state, events=len(self.events), turn_began=uptime)

    def _moved(self, body: dict[str, Any], uptime: float, move_cap: int) -> Snapshot:
        last, game, seat = self.last, self.terms.game, body["seat"]
        require(self.seats is not None and last.outcome is None, "only running matches are played", body)
        owed = game.to_act(last.state)
        require(seat in owed, "only who owes a move moves", body)
        chance, move = Recorded(body["chance"]), parse_move(game.id, body["move"])
        require(move is not None, "only moves are kept", body)
        state, events = game.apply(last.state, seat, move, chance)  # type: ignore[arg-type]
        require(chance.is_used_up(), "chance is recorded exactly", body)
        self._tell(events)
        is_half = len(owed) == 2 and len(game.to_act(state)) == 1
        ids = (body["id"], last.last_ids[1]) if seat == 1 else (last.last_ids[0], body["id"])
        after = last._replace(
            state=state, moves=last.moves + 1, events=len(self.events), last_ids=ids, turn=last.turn + 1
        )
        after = after._replace(turn=last.turn) if is_half else after._replace(turn_began=uptime)
        outcome = game.outcome(state)
        if outcome is None and after.moves >= move_cap:
            outcome = Outcome(winner=None, reason=MOVE_CAP)
        return after if outcome is None else self._ended(after, outcome)

    def _ended(self, last: Snapshot, outcome: Outcome) -> Snapshot:
        first, second = last.score
        score = (first + (outcome.winner == 1), second + (outcome.winner == 2))
        return last._replace(outcome=outcome, score=score)

    def _tell(self, events: Any) -> None:
        self.events += [plain(event) for event in events]

    def lose(self, place: int) -> None:
        """Forget the entries from a place on: they never reached the disk."""
        del self.entries[place:], self.snapshots[place:]
        del self.events[self.snapshots[-1].events :]
        self._seen = {key: seen for key, seen in self._seen.items() if key[0] < place}
        if not any(entry.kind == BEGUN for entry in self.entries):
            self.seats, self.names = None, (self.names[0], "")
            self.names = (self.entries[0].body["name"], "")
        self.is_retired = self.entries[-1].kind == RETIRED

    def seen(self, place: int, viewer: Seat | None) -> bytes:
        """Tell, packed, what a viewer may see after some entry: turn, view, legal moves, count of events."""
        key = (place, viewer or 0)
        if key not in self._seen:
            game, snapshot = self.terms.game, self.snapshots[place]
            is_asked = viewer is not None and snapshot.outcome is None
            legal = game.legal_moves(snapshot.state, viewer) if is_asked else ()  # type: ignore[arg-type]
            view = plain(game.view(snapshot.state, viewer))
            view["to_act"] = view["to_act"] if snapshot.outcome is None else []
            self._seen[key] = packed_sight(snapshot.turn, view, plain(legal), snapshot.events)
        return self._seen[key]


def packed_sight(turn: int, view: dict[str, Any], legal: list[Any], events: int) -> bytes:
    """Pack what somebody sees so that it can be compared; the order of keys means nothing."""
    packed: bytes = msgpack.packb([turn, sorted(view.items()), legal, events])
    return packed


def plain(value: Any) -> Any:
    """Turn models into what arrives at the other end of the wire."""
    return msgpack.unpackb(msgpack.packb(value, default=vars))
