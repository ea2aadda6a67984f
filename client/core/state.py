"""What a client knows, and how each server frame changes it.

`reduced` is the whole of it: a state and a frame in, a state and news out, nothing else touched. It
knows no rules and no words. Text that others wrote is defused here, for every kind of client at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from client.core import news, record
from client.core.news import News
from client.core.people import People
from protocol.choice import Choice
from protocol.field import First, Offer
from protocol.games import Event, View
from protocol.model import Owner, Seat, other
from protocol.outcome import Outcome
from protocol.server_frame import (
    Chatted,
    Closed,
    Ended,
    Exported,
    Left,
    Listed,
    Noticed,
    Offered,
    OpenMatch,
    Ponged,
    Refused,
    Seated,
    ServerFrame,
    Shown,
    Sighted,
    Told,
    Watched,
    Welcome,
)
from protocol.text import defused

MOST_SEEN = 16
"""How many matches a Hello can speak of."""
MOST_EVENTS = 2**31 - 1
SHORTEST_BEAT_S = 1.0


@dataclass(frozen=True, slots=True)
class MatchState:
    """One match, as far as we know it."""

    code: str
    game: str
    options: Mapping[str, str]
    seat: Owner
    """Our seat; 0 for a spectator, and before the match begins."""
    names: tuple[str, str]
    present: tuple[bool, bool]
    begun: bool
    first: First
    private: bool
    clock_s: int | None
    hints: bool
    score: tuple[int, int]
    spectators: int
    previous: str | None
    turn: int = 0
    view: View | None = None
    legal: tuple[Choice, ...] = ()
    left_ms: int | None = None
    seen: int = 0
    """How many of its events we have been told."""
    outcome: Outcome | None = None
    offers: frozenset[tuple[Offer, Seat]] = frozenset()
    """The offers that stand, and whose they are."""
    claim_in_s: int | None = None
    """In how many seconds, counted from the last news, an absent opponent's seat can be claimed."""
    left: Seat = 1
    """The seat that is shown first: ours, and of two others the one whose player was first before."""
    is_shared: bool = False
    """Whether both players sit in front of this screen; then our seat is the one that is asked now."""

    def name(self, seat: Seat) -> str:
        """Name a seat's player."""
        return self.names[seat - 1]

    @property
    def reader(self) -> Owner:
        """Whom words and boards may call "you"; 0 for a spectator, and where both players read them."""
        return 0 if self.is_shared else self.seat

    @property
    def people(self) -> People:
        """Who is who, to the one who reads this."""
        return People(self.names, self.reader, self.left)

    @property
    def opponent(self) -> Seat | None:
        """The seat opposite ours; None for a spectator."""
        return other(self.seat) if self.seat else None

    def has_offer(self, offer: Offer, seat: Seat | None) -> bool:
        """Tell whether a seat's offer stands."""
        return (offer, seat) in self.offers


@dataclass(frozen=True, slots=True)
class ClientState:
    """All that a client knows of one server."""

    name: str = ""
    server: str = ""
    token: str | None = None
    """The way back after the connection is lost."""
    heartbeat_s: float = 10.0
    dead_s: float = 30.0
    matches: Mapping[str, MatchState] = field(default_factory=dict)
    """Oldest first."""
    pieces: tuple[Exported, ...] = ()
    """The beginning of the record that is on its way; there is one at a time."""

    def seen(self) -> dict[str, int]:
        """List, for a Hello, how many events of each match we know."""
        begun = [match for match in self.matches.values() if match.seen]
        return {match.code: match.seen for match in begun[-MOST_SEEN:]}


Reduced = tuple[ClientState, list[News]]


def followed(state: ClientState, code: str | None, item: News) -> str | None:
    """Name the match that is ours after a piece of news: the first one that we sit at, then its rematches."""
    if isinstance(item, news.MatchOpened | news.MatchBegan | news.MatchResumed):
        match = state.matches.get(item.match)
        if code is None or (match is not None and match.previous == code):
            return item.match
    return code


def reduced(state: ClientState, frame: ServerFrame) -> Reduced:
    """Take in what the server said."""
    match frame:
        case Welcome():
            return _welcomed(state, frame)
        case Seated():
            return _seated(state, frame)
        case Refused():
            return state, [news.Refusal(frame.re, frame.code, defused(frame.text))]
        case Closed():
            return state, [news.SessionOver(defused(frame.text), frame.code)]
        case Noticed():
            return state, [news.Notice(defused(frame.text))]
        case Ponged() | Listed():
            return state, []
        case _:
            match = state.matches.get(frame.match)
            # What concerns a match that we have left can still be under way.
            return (state, []) if match is None else _about(state, match, frame)


def _welcomed(state: ClientState, frame: Welcome) -> Reduced:
    gone = [m.code for m in state.matches.values() if m.seat and m.code not in frame.matches]
    is_back = state.token is not None
    state = replace(
        state,
        name=defused(frame.name),
        server=defused(frame.server),
        token=frame.token,
        heartbeat_s=max(SHORTEST_BEAT_S, float(frame.heartbeat_s)),
        dead_s=max(SHORTEST_BEAT_S, float(frame.dead_s)),
        matches={code: match for code, match in state.matches.items() if code not in gone},
        pieces=(),
    )
    return state, [
        news.Welcomed(is_back, frame.matches),
        *(news.MatchLeft(code, is_ours=False) for code in gone),
    ]


def _seated(state: ClientState, frame: Seated) -> Reduced:
    known = state.matches.get(frame.match)
    match = MatchState(
        code=frame.match,
        game=frame.game,
        options=defused_options(frame.options),
        seat=frame.seat,
        names=(defused(frame.names[0]), defused(frame.names[1])),
        present=frame.present,
        begun=frame.begun,
        first=frame.first,
        private=frame.private,
        clock_s=frame.clock_s,
        hints=frame.hints,
        score=frame.score,
        spectators=frame.spectators,
        previous=frame.previous,
        left=frame.seat or _left(state, frame),
    )
    if known is not None:
        match = replace(match, turn=known.turn, view=known.view, seen=known.seen, outcome=known.outcome)
    return _with(state, match), [_seat_news(known, match, is_answer=frame.re is not None)]


def _left(state: ClientState, frame: Seated) -> Seat:
    """Keep the side of somebody whom we watch: a rematch swaps the seats."""
    known, before = state.matches.get(frame.match), state.matches.get(frame.previous or "")
    return known.left if known else other(before.left) if before else 1


def _seat_news(known: MatchState | None, match: MatchState, is_answer: bool) -> News:
    if not match.begun:
        return news.MatchOpened(match.code)
    if known is not None:
        return news.MatchResumed(match.code) if known.begun else news.MatchBegan(match.code)
    # One that nobody asked for is from before this client was started; one to watch may be old as well.
    is_new = match.previous is not None or (is_answer and match.seat != 0)
    return news.MatchBegan(match.code) if is_new else news.MatchResumed(match.code)


def _about(
    state: ClientState,
    match: MatchState,
    frame: Shown | Told | Ended | Sighted | Offered | Chatted | Watched | Left | Exported,
) -> Reduced:
    code = match.code
    match frame:
        case Shown():
            return _shown(state, match, frame)
        case Told():
            match, told = _told(match, frame.first_event, frame.events)
            return _with(state, match), told
        case Ended():
            match = replace(match, outcome=frame.outcome, score=frame.score, legal=(), offers=frozenset())
            is_known = state.matches[code].outcome is not None
            return _with(state, match), [] if is_known else [news.MatchEnded(code, frame.outcome)]
        case Sighted():
            return _sighted(state, match, frame)
        case Offered():
            offer = (frame.offer, frame.seat)
            offers = match.offers | {offer} if frame.standing else match.offers - {offer}
            made = (news.OfferMade if frame.standing else news.OfferGone)(code, *offer)
            return _with(state, replace(match, offers=offers)), [made]
        case Chatted():
            return state, [news.ChatArrived(code, frame.seat, defused(frame.text))]
        case Watched():
            match = replace(match, spectators=frame.count)
            return _with(state, match), [news.SpectatorsChanged(code, frame.count)]
        case Left():
            matches = {key: value for key, value in state.matches.items() if key != code}
            return replace(state, matches=matches), [news.MatchLeft(code, frame.re is not None)]
        case Exported():
            return _exported(state, match, frame)


def _shown(state: ClientState, match: MatchState, frame: Shown) -> Reduced:
    match, told = _told(match, frame.first_event, frame.events)
    match = replace(match, turn=frame.turn, view=frame.view, legal=frame.legal, left_ms=frame.left_ms)
    return _with(state, match), [*told, news.PositionShown(match.code, frame.re)]


def _told(match: MatchState, first: int, events: tuple[Event, ...]) -> tuple[MatchState, list[News]]:
    # After a lost connection the same events may come twice; their numbers tell.
    new = events[max(0, match.seen - first) :]
    match = replace(match, seen=min(max(match.seen, first + len(events)), MOST_EVENTS))
    return match, [news.EventsHappened(match.code, new)] if new else []


def _sighted(state: ClientState, match: MatchState, frame: Sighted) -> Reduced:
    was_present = match.present[frame.seat - 1]
    present = (frame.present, match.present[1]) if frame.seat == 1 else (match.present[0], frame.present)
    # Nobody plays again with somebody who has left a finished match.
    offers = frozenset() if match.outcome is not None and not frame.present else match.offers
    state = _with(state, replace(match, present=present, claim_in_s=frame.claim_in_s, offers=offers))
    if not frame.present:
        lost = news.PlayerLost(match.code, frame.seat, frame.claim_in_s, was_present, frame.on_purpose)
        return state, [lost]
    return state, [] if was_present else [news.PlayerBack(match.code, frame.seat)]


def _exported(state: ClientState, match: MatchState, frame: Exported) -> Reduced:
    pieces = pieces_with(state, frame)
    if frame.more:
        return replace(state, pieces=pieces), []
    whole = record.joined(pieces, match.seat)
    return replace(state, pieces=()), [news.RecordArrived(frame.match, whole)]


def pieces_with(state: ClientState, frame: Exported) -> tuple[Exported, ...]:
    """Put a piece behind those that it belongs to."""
    is_more = bool(state.pieces) and state.pieces[0].re == frame.re
    return (*state.pieces, frame) if is_more else (frame,)


def _with(state: ClientState, match: MatchState) -> ClientState:
    return replace(state, matches={**state.matches, match.code: match})


def open_matches(frame: Listed) -> tuple[OpenMatch, ...]:
    """Read a list of matches."""
    return tuple(map(_defused_open, frame.matches))


def defused_options(options: Mapping[str, str]) -> dict[str, str]:
    return {defused(key): defused(value) for key, value in options.items()}


def _defused_open(match: OpenMatch) -> OpenMatch:
    names = match.names and (defused(match.names[0]), defused(match.names[1]))
    texts = {"creator": defused(match.creator), "game": defused(match.game), "names": names}
    return match.model_copy(update={**texts, "options": defused_options(match.options)})
