"""Two at one keyboard: what both seats have heard, told once, as if by one seat that changes hands.

Each of the two has a session of its own, so all news comes twice, in either order. It is told when both
know it, with the state of the one who is asked next: that one's view, and that one's moves. Where both
owe a move, one is asked after the other, and what the first has chosen is in no state that is handed out
after it. No loop, no words.
"""

from dataclasses import replace

from client.core import news
from client.core.news import News
from client.core.state import ClientState, MatchState
from protocol.model import Seat

LEAD, OTHER = range(2)
"""The two sessions: the one that opened the match, and the one that joined it."""
SESSIONS = (LEAD, OTHER)
KNOWN_TO_BOTH = (
    news.MatchBegan,
    news.MatchResumed,
    news.PositionShown,
    news.MatchEnded,
)
"""What is told when both sessions know it."""
BETWEEN_THEM = (
    # A position follows the events that have led to it, and both are told together.
    news.EventsHappened,
    news.OfferMade,
    news.OfferGone,
    news.ChatArrived,
    news.PlayerLost,
    news.PlayerBack,
    news.ClaimDue,
)
"""What is not told as it comes: two people at one keyboard know of each other."""
OF_EITHER = (news.Refusal, news.RequestLost, news.SessionOver)
"""What is told whichever of the sessions it comes from; the rest both hear alike."""

Told = tuple[tuple[News, ClientState], ...]
"""News, each with what was known when it came."""


class Shared:
    """The news of two sessions, told as that of one."""

    def __init__(self) -> None:
        self.state = ClientState()
        """What is known to the one who is asked now."""
        self.asked = LEAD
        """Whose turn at the keyboard it is."""
        self._states = [ClientState(), ClientState()]
        self._told: MatchState | None = None
        """The match as it was told last."""
        self._events: list[news.EventsHappened] = []
        self._request: int | None = None

    def hear(self, session: int, item: News, state: ClientState) -> Told:
        """Take in what one of the sessions has heard; return what is to be told now."""
        self._states[session] = state
        match item:
            case news.EventsHappened() if session == LEAD:
                self._events.append(item)
            case news.PositionShown(request=request) if request is not None:
                self._request = request
        if isinstance(item, KNOWN_TO_BOTH):
            return self._settled()
        if not self._is_told_at_once(session, item):
            return ()
        if self._told is None or isinstance(item, news.MatchLeft):
            self.state = self._shared(state)
        return ((item, self.state),)

    def _is_told_at_once(self, session: int, item: News) -> bool:
        if isinstance(item, news.TimeShort):
            return session == self.asked
        return isinstance(item, OF_EITHER) or (session == LEAD and not isinstance(item, BETWEEN_THEM))

    def _settled(self) -> Told:
        """Tell what has changed since it was told last, as soon as both know the same."""
        match, theirs = (_latest(state) for state in self._states)
        if match is None or theirs is None or _progress(match) != _progress(theirs):
            return ()
        before, self._told = self._told, match
        told: list[tuple[News, ClientState]] = []
        if before is None or before.code != match.code:
            before = replace(match, turn=-1, outcome=None)
            told += self._as(self._next(match), news.MatchBegan(match.code))
        if self._request is not None or (before.turn, before.seen) != (match.turn, match.seen):
            told += self._position(match, is_same_turn=before.turn == match.turn)
        if match.outcome is not None and before.outcome is None:
            self.state = self._shared(self._states[self.asked])
            told.append((news.MatchEnded(match.code, match.outcome), self.state))
        return tuple(told)

    def _position(self, match: MatchState, is_same_turn: bool) -> list[tuple[News, ClientState]]:
        request, self._request = self._request, None
        events, self._events = self._events, []
        following = self._next(match)
        # Who has chosen first of two is told so before the other is asked.
        reader = self.asked if is_same_turn else following
        happened = (item for item in events if item.match == match.code)
        told = self._as(reader, *happened, news.PositionShown(match.code, request))
        if reader != following:
            told += self._as(following, news.PositionShown(match.code, None))
        return told

    def _as(self, session: int, *items: News) -> list[tuple[News, ClientState]]:
        """Hand the keyboard to one of the two, and tell them something about a match that goes on."""
        self.asked, self.state = session, self._shared(self._states[session], self._told)
        return [(item, self.state) for item in items]

    def _next(self, match: MatchState) -> int:
        """Find who is asked next: whoever is at the keyboard, as long as they owe a move."""
        owing: tuple[Seat, ...] = match.view.to_act if match.view is not None else ()
        seats = [state.matches[match.code].seat for state in self._states]
        return next((each for each in (self.asked, *SESSIONS) if seats[each] in owing), self.asked)

    def _shared(self, state: ClientState, unended: MatchState | None = None) -> ClientState:
        """Mark the matches as those of two; the end of one may be known that is not told yet."""
        leads = self._states[LEAD].matches
        matches = {
            code: replace(match, is_shared=True, left=leads[code].left if code in leads else match.left)
            for code, match in state.matches.items()
        }
        if unended is not None:
            matches[unended.code] = replace(matches[unended.code], outcome=None)
        return replace(state, matches=matches)


def _latest(state: ClientState) -> MatchState | None:
    match = next(reversed(list(state.matches.values())), None)
    return match if match is not None and match.view is not None else None


def _progress(match: MatchState) -> tuple[object, ...]:
    return match.code, match.turn, match.seen, match.outcome
