"""A player, or spectator, in front of the screen: between a session's news and the pages that show them.

It does for full screen what the line client's chair does for lines, over the same session, orders and
words. It knows which match is ours and which page shows it; it draws nothing and knows no rule.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from client.core import news, wording
from client.core.failure import CouldNot
from client.core.games import RENDERERS
from client.core.games.renderer import Move
from client.core.news import MatchNews, News
from client.core.seat import Arrival
from client.core.state import MatchState, followed
from client.line.order import Orders
from client.line.terminal import Terminal
from client.net.session import Heard, Session
from client.tui.dialog import Reading
from client.tui.match import MatchPage
from client.tui.waiting import WaitingPage
from protocol.frame import Leave, Play

if TYPE_CHECKING:
    from client.tui.app import ConquestApp

LEAVE_QUESTION = "Leave the match?\n{way_back}"
STOP_QUESTION = "Stop waiting and take the match back?"
AWAY_QUESTION = "Leave?"


class Chair:
    """One player, or spectator, at one match after another."""

    def __init__(self, app: "ConquestApp", session: Session, terminal: Terminal, arrival: Arrival) -> None:
        self._app = app
        self._session = session
        self._terminal = terminal
        self._arrival = arrival
        self._code = arrival.code
        self._state = session.state
        self._orders = Orders(session, terminal, self._confirm, lambda is_asked: self.ask_to_leave())
        self._page: MatchPage | None = None
        self._is_resuming = False
        self._play: int | None = None
        self._is_lost = False
        self._is_done = False
        self._failure: str | None = None

    async def run(self) -> None:
        """Stay until the player leaves; raise `CouldNot` when there is nothing to stay for."""
        while not self._is_done:
            item = await self._terminal.next()
            if isinstance(item, Heard):
                self._state = item.state
                await self._hear(item.news)
        if self._failure is not None:
            raise CouldNot(self._failure)

    @property
    def match(self) -> MatchState | None:
        """The match that is ours."""
        return self._state.matches.get(self._code) if self._code else None

    @property
    def is_running(self) -> bool:
        """Whether the match has begun and is not over."""
        match = self.match
        return match is not None and match.begun and match.outcome is None

    def play(self, move: Move) -> None:
        """Make a move; what comes of it is heard."""
        match = self.match
        if match is not None and self._play is None:
            self._play = self._session.send(Play, match=match.code, turn=match.turn, move=move)

    def order(self, text: str) -> None:
        """Carry out a slash command."""
        self._orders.execute(text, self.match)

    def ask_to_leave(self) -> None:
        """Ask, once, whether to leave, and leave after a yes."""
        match = self.match
        if match is not None and match.outcome is not None:
            self.leave()
        elif not self.is_running:
            self._confirm(STOP_QUESTION if match else AWAY_QUESTION, self.leave)
        elif match is not None and not match.seat:
            self._confirm(AWAY_QUESTION, self.leave)
        else:
            usual = LEAVE_QUESTION.format(way_back=self._arrival.way_back)
            self._confirm(self._arrival.quit_question or usual, self.leave)

    def leave(self) -> None:
        """Leave politely: the seat in a running match is kept, anything else is cleared away."""
        match = self.match
        if self.is_running and match is not None and match.seat:
            self._app.farewell = self._arrival.way_back
        elif match is not None:
            self._session.send(Leave, match=match.code)
            self._session.forget()
        self._end()

    def dismissed(self) -> None:
        """Leave because the system wants it: nobody has said that an open match is to be taken back."""
        if self.match is not None and not self.match.begun and self._arrival.way_back:
            self._app.farewell = self._arrival.way_back
            self._end()
        else:
            self.leave()

    def _end(self) -> None:
        self._is_done = True
        # Whoever waits for news must notice that none matter any more.
        self._terminal.inbox.put_nowait(Heard(news.Notice(""), self._state))

    def _fail(self, text: str) -> None:
        self._failure = text
        self._end()

    def _confirm(self, question: str, confirmed: Callable[[], None]) -> None:
        self._app.confirm(question, confirmed)

    async def _hear(self, item: News) -> None:
        self._code = followed(self._state, self._code, item)
        if isinstance(item, MatchNews):
            match = self.match
            if match is not None and item.match == self._code:
                await self._hear_of_match(item, match)
            elif isinstance(item, news.MatchLeft) and item.match == self._code and not self._is_done:
                self._session.forget()
                self._fail(wording.PUT_AWAY)
        else:
            self._hear_of_connection(item)

    async def _hear_of_match(self, item: News, match: MatchState) -> None:
        if match.game not in RENDERERS:
            self._fail(wording.unknown_game(match.game))
            return
        match item:
            case news.MatchOpened():
                await self._opened(match)
            case news.MatchBegan():
                await self._sit_down(match)
            case news.MatchResumed():
                self._is_resuming = True
                if self._page is None or self._page.code != match.code:
                    await self._sit_down(match)
            case _ if self._page is not None:
                self._hear_at_board(self._page, item, match)

    async def _opened(self, match: MatchState) -> None:
        if self._arrival.link is None:
            self._terminal.say(*self._arrival.on_open(match.code))
        else:
            await self._app.show_page(WaitingPage(self, match, self._arrival.link(match.code)))

    async def _sit_down(self, match: MatchState) -> None:
        self._play = None
        self._page = MatchPage(self, match)
        await self._app.show_page(self._page)

    def _hear_at_board(self, page: MatchPage, item: News, match: MatchState) -> None:
        match item:
            case news.EventsHappened(events=events):
                page.happened(match, events, is_old=self._is_resuming)
            case news.PositionShown(request=request):
                self._is_resuming = False
                if self._play is None or request == self._play:
                    self._play = None
                page.position(match, can_play=self._play is None)
            case news.MatchEnded():
                self._play = None
                page.position(match, can_play=False)
                page.say(wording.match_lines(match, item))
                page.over(match)
            case news.ChatArrived(seat=seat):
                page.say(wording.match_lines(match, item), seat)
            case news.HintGiven(lines=lines):
                self._app.push_screen(Reading("Hint", lines))
            case news.ReviewGiven(lines=lines):
                self._app.push_screen(Reading("Review", lines))
            case news.RecordArrived(record=record):
                self._orders.save(record)
            case _:
                page.say(wording.match_lines(match, item))
                page.around(match)

    def _hear_of_connection(self, item: News) -> None:
        match item:
            case news.SessionOver():
                self._session_over(item)
            case news.Refusal(request=request, text=text) if request == self._arrival.request:
                self._fail(text)
            case news.Refusal(request=request, text=text):
                self._refused(request, text)
            case news.ConnectionLost():
                self._lost(item)
            case news.Welcomed():
                self._welcomed(item)
            case _:
                lines = [line for line in wording.connection_lines(item) if line]
                self._terminal.say(*lines)

    def _refused(self, request: int, text: str) -> None:
        self._app.tell(text)
        if request == self._play:
            self._play = None
        if self._page is not None and self.match is not None and self._play is None:
            self._page.position(self.match, can_play=True)

    def _session_over(self, item: news.SessionOver) -> None:
        match = self.match
        if self._page is None or match is None or match.outcome is None:
            self._fail(item.text)
            return
        self._session.forget()
        self._page.gone(wording.gone(item))

    def _lost(self, item: news.ConnectionLost) -> None:
        self._is_lost = True
        if self._page is not None and self.match is not None and self.match.outcome is not None:
            # There is nothing to come back for, and perhaps nobody: the host may have left.
            self._session.forget()
            self._page.gone(wording.gone(item))
        elif self._page is not None:
            self._page.banner.lost(item)
            self._page.say(wording.connection_lines(item)[:-1])

    def _welcomed(self, item: news.Welcomed) -> None:
        if self._is_lost and self._page is not None:
            self._page.banner.back()
            self._page.say([wording.CONNECTED_AGAIN])
        self._is_lost = False
        if self._arrival.request is None and self._code not in item.matches:
            self._session.forget()
            self._fail(wording.NOT_THERE)
