"""The seat: which match is ours, how our move stands, and what of the news is to be shown.

Every face has one: lines, full screen and automatic players. News goes in; what concerns this seat comes
out, to be shown. Requests go to what carries them, a session or a test. No loop, no file, no words about
moves: a face shows and asks, and decides nothing about the match.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from client.core import news, wording
from client.core.games import RENDERERS
from client.core.games.renderer import Lines, Move
from client.core.news import MatchNews, News
from client.core.record import Record
from client.core.state import ClientState, MatchState, followed
from protocol.client_frame import Depart, Leave, Play, Request
from protocol.link import Link


@dataclass(frozen=True, slots=True)
class Arrival:
    """How somebody comes to a match, and what leaving it means."""

    request: int | None = None
    """The request that must succeed for there to be a match at all."""
    code: str | None = None
    """The match to go back to, when there is no request."""
    way_back: str = "Your seat is kept. The way back: conquest join --resume"
    """What to say on leaving a match that is not over; empty where there is no seat to come back to."""
    quit_question: str | None = None
    """What to ask before leaving a match that is not over, if leaving does harm."""
    unfinished: str = ""
    """What has failed when the input ends during the match; empty where the match can be gone back to."""
    on_open: Callable[[str], Lines] = lambda code: ()
    """Called with the code of a match that waits for its second player; says what to show meanwhile."""
    link: Callable[[str], Link] | None = None
    """Makes the link to a match of our own, for faces that show it in their own way."""
    calls: bool = True
    """Whether the player is called to each turn; not where the opponent is here and answers at once."""
    by_ssh: Callable[[str], Lines] = lambda code: ()
    """Says what a friend types who has nothing but ssh, if that leads there."""
    says_goodbye: bool = False
    """Whether to tell the server that we leave a match that goes on; one of our own says so by stopping."""


class Requests(Protocol):
    """What carries requests to the server."""

    @property
    def state(self) -> ClientState:
        """All that is known by now."""
        ...

    @property
    def is_connected(self) -> bool:
        """Whether a request would go out now."""
        ...

    def send(self, kind: type[Request], **fields: Any) -> int:
        """Make a request, now or as soon as there is a connection; return its id."""
        ...

    def forget(self) -> None:
        """Give up the way back."""
        ...

    def left_s(self, code: str) -> float | None:
        """Tell how much time is left for the move that is due in a match."""
        ...


@dataclass(frozen=True, slots=True)
class Back:
    """The connection is there again."""


@dataclass(frozen=True, slots=True)
class ServerGone:
    """The match is over, and nothing more can come from its server."""

    text: str


@dataclass(frozen=True, slots=True)
class ToSave:
    """The record that was asked for is here, to be written to a file."""

    path: str
    """Empty for the place where all records are kept."""
    record: Record


@dataclass(frozen=True, slots=True)
class ToReview:
    """The record that was asked for is here, to be looked at again."""

    record: Record


Shown = News | Back | ServerGone | ToSave | ToReview
"""What of the news is to be shown; the news itself, unless it means something else to a player."""


class Seat:
    """One player, or spectator, at one match and its rematches."""

    def __init__(self, requests: Requests, arrival: Arrival, state: ClientState) -> None:
        self.requests = requests
        self.arrival = arrival
        self.is_done = False
        self.failure: str | None = None
        """Why there is nothing to stay for, if that is a failure."""
        self.is_catching_up = False
        """Whether events are told that happened before we came, or were back."""
        self.is_gone = False
        """Whether nothing more can come from the server of a match that is over."""
        self.uses: dict[int, Callable[[Record], ToSave | ToReview]] = {}
        """What the record is for, by the requests that ask for it."""
        self.record: Record | None = None
        """The record of the match that is over, once it is here."""
        self._state = state
        self._code = arrival.code
        self._play: int | None = None
        self._played: tuple[str, int] | None = None
        self._is_lost = False

    @property
    def match(self) -> MatchState | None:
        """The match that is ours: the first one that we sit at, then its rematches."""
        return self._state.matches.get(self._code) if self._code else None

    @property
    def is_over(self) -> bool:
        """Whether the match has an outcome."""
        return self.match is not None and self.match.outcome is not None

    @property
    def is_running(self) -> bool:
        """Whether the match has begun and is not over."""
        return self.match is not None and self.match.begun and self.match.outcome is None

    @property
    def is_move_under_way(self) -> bool:
        """Whether the server has not answered our move yet."""
        return self._play is not None

    @property
    def can_play(self) -> bool:
        """Whether a move of ours is due, and none is under way."""
        return self._play is None and self.match is not None and bool(self.match.legal)

    @property
    def has_played(self) -> bool:
        """Whether we have made a move in this turn, answered or not."""
        return self.match is not None and self._played == (self.match.code, self.match.turn)

    def hear(self, item: News, state: ClientState) -> tuple[Shown, ...]:
        """Take in news, and all that was known when it came; return what is to be shown."""
        self._state = state
        self._code = followed(state, self._code, item)
        if isinstance(item, MatchNews):
            return self._hear_of_match(item) if item.match == self._code else ()
        return () if self.is_gone else self._hear_of_connection(item)

    def _hear_of_match(self, item: News) -> tuple[Shown, ...]:
        match = self.match
        if match is None:
            if not self.is_done:
                self.requests.forget()
                self.fail(wording.PUT_AWAY)
            return ()
        if match.game not in RENDERERS:
            self.fail(wording.unknown_game(match.game))
            return ()
        match item:
            case news.MatchResumed():
                self.is_catching_up = True
            case news.MatchBegan():
                self._play = self.record = None
                self.uses.clear()
            case news.MatchEnded():
                self._play = None
            case news.PositionShown(request=request):
                self.is_catching_up = False
                self._answered(request)
            case news.RecordArrived(record=record):
                self.record = record
                uses, self.uses = self.uses, {}
                return tuple(use(record) for use in uses.values())
        return (item,)

    def _hear_of_connection(self, item: News) -> tuple[Shown, ...]:
        match item:
            case news.SessionOver() | news.ConnectionLost() if self.is_over:
                # There is nothing to come back for, and perhaps nobody: the host may have left.
                self.is_gone = True
                self.requests.forget()
                return (ServerGone(wording.gone(item)),)
            case news.SessionOver(text=text):
                return self.fail(text)
            case news.Refusal(request=request, text=text) if request == self.arrival.request:
                return self.fail(text)
            case news.Refusal(request=request):
                self._answered(request)
            case news.ConnectionLost():
                self._is_lost = True
            case news.Welcomed(matches=matches):
                return self._welcomed(matches)
        return (item,)

    def _welcomed(self, matches: tuple[str, ...]) -> tuple[Shown, ...]:
        was_lost, self._is_lost = self._is_lost, False
        if self.arrival.request is None and self._code not in matches:
            self.requests.forget()
            self.fail(wording.NOT_THERE)
        return (Back(),) if was_lost else ()

    def _answered(self, request: int | None) -> None:
        self.uses.pop(request or 0, None)
        if request == self._play:
            self._play = None

    def fail(self, text: str) -> tuple[Shown, ...]:
        """End, because there is nothing to stay for; nothing more is shown."""
        self.failure = text
        self.is_done = True
        return ()

    def play(self, move: Move) -> None:
        """Make a move; what comes of it is heard."""
        match = self.match
        if match is not None and self._play is None:
            self._played = match.code, match.turn
            self._play = self.requests.send(Play, match=match.code, turn=match.turn, move=move)

    def leave(self, for_good: bool = False) -> str:
        """Leave, and say the way back: a seat in a running match is kept, unless for good."""
        match, self.is_done = self.match, True
        if match is None:
            return ""
        if self.is_running and match.seat and not for_good:
            if self.arrival.says_goodbye and self.requests.is_connected:
                self.requests.send(Depart)
            return self.arrival.way_back
        self.requests.send(Leave, match=match.code)
        self.requests.forget()
        return ""

    def leave_unasked(self) -> str:
        """Leave because the system wants it: nobody has said that an open match is to be taken back."""
        if self.match is not None and not self.match.begun and self.arrival.way_back:
            return self.lose_touch()
        return self.leave()

    def lose_touch(self) -> str:
        """End without a word to the others: whoever sat here is gone, and nobody has said that they leave."""
        self.is_done = True
        return self.arrival.way_back if self.match is not None else ""
