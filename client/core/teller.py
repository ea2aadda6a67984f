"""The order in which a match is told: the welcome, what happened, whose turn it is.

News arrives piece by piece; a position is told when it is complete, as the rule books' samples show it.
It remembers what its reader has read already and writes nothing itself.
"""

from collections import deque

from client.core import news, wording
from client.core.games import RENDERERS
from client.core.games.renderer import Lines
from client.core.news import News
from client.core.state import MatchState
from protocol.games import Event

HISTORY_TOLD = 12
"""Events that are told to somebody who comes to a match that is under way."""
MOST_HELD = 1024
"""How many events are held until their position comes; the latest ones."""


class Teller:
    """Turns news into lines for one reader."""

    def __init__(self) -> None:
        self._opening: type[News] | None = None
        self._events: deque[Event] = deque(maxlen=MOST_HELD)
        self._introduced: set[str] = set()
        self._opened: Lines = ()

    def tell(self, match: MatchState | None, item: News) -> Lines:
        """Say a piece of news; `match` is the one it is about, if it is about one."""
        if match is None:
            return wording.connection_lines(item)
        match item:
            case news.MatchBegan() | news.MatchResumed():
                self._opening = type(item)
                self._events.clear()
            case news.EventsHappened(events=events):
                self._events.extend(events)
            case news.PositionShown():
                return self._position(match)
            case _:
                return wording.match_lines(match, item)
        return ()

    def _position(self, match: MatchState) -> Lines:
        opening, events = self._opening, [*self._events]
        self._opening = None
        self._events.clear()
        if opening is news.MatchBegan:
            before = self._introduction(match, events)
        elif opening is news.MatchResumed:
            before = self._resumption(match, events)
        elif not events:
            return ()
        else:
            before = self._turn_once(_happenings(match, events))
        self._opened = turn_lines(match)
        return (*before, *self._opened)

    def _turn_once(self, lines: Lines) -> Lines:
        """Leave out the opening of a turn that was opened before its player was asked."""
        known = len(self._opened)
        return lines[known:] if lines[:known] == self._opened else lines

    def _introduction(self, match: MatchState, events: list[Event]) -> Lines:
        self._introduced.add(match.code)
        renderer = RENDERERS[match.game]
        # What has happened at the start is told, not drawn before it is told: a card before its draw.
        first = _happenings(match, events) or ("", *renderer.board(match.view))
        return (*wording.header(match), "", *renderer.welcome(match.view), *first)

    def _resumption(self, match: MatchState, events: list[Event]) -> Lines:
        board = RENDERERS[match.game].board(match.view)
        if match.code in self._introduced:
            missed = ("Back in the match. Meanwhile:" if events else "Back in the match.",)
            return (*missed, *_announcements(match, events), "", *board)
        self._introduced.add(match.code)
        told = events[-HISTORY_TOLD:]
        left_out = match.seen - len(told)
        so_far = (f"So far ({left_out} earlier events left out):" if left_out else "So far:",) if told else ()
        history = _announcements(match, told)
        return (*wording.header(match), *so_far, *history, "", *board)


def _happenings(match: MatchState, events: list[Event]) -> Lines:
    """Tell of events that have led to the position just now."""
    update = RENDERERS[match.game].update
    told = ((*_announcements(match, [event]), *update(event, match.view)) for event in events)
    return tuple(line for lines in told for line in lines)


def _announcements(match: MatchState, events: list[Event]) -> Lines:
    renderer = RENDERERS[match.game]
    read = ((event, renderer.addressee(event) if match.is_shared else match.seat) for event in events)
    return tuple(line for event, viewer in read for line in renderer.announce(event, viewer))


def turn_lines(match: MatchState) -> Lines:
    """Open a turn, parted from what was before by an empty line; nothing when the match is over."""
    if match.outcome is not None or match.view is None or not match.view.to_act:
        return ()
    lines = RENDERERS[match.game].turn(match.view)
    return ("", *lines) if lines else ()
