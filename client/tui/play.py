"""Playing in full screen: what a seat shows goes to the pages, what is chosen there goes to the seat.

It knows which page shows the match; it draws nothing and knows no rule.
"""

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING

from client.core import news, slash, wording
from client.core.command import Help, Hint, Rules, Said, ToConfirm, obey
from client.core.failure import CouldNot
from client.core.news import MatchNews, News
from client.core.seat import Arrival, Back, Requests, Seat, ServerGone, Shown, ToReview, ToSave
from client.core.state import MatchState
from client.local import saved
from client.net.inbox import Inbox
from client.net.session import Heard
from client.tui import call
from client.tui.dialog import Confirm
from client.tui.keys import keyed
from client.tui.match import MatchPage
from client.tui.waiting import WaitingPage

if TYPE_CHECKING:
    from client.tui.app import ConquestApp

LEAVE_QUESTION = "Leave the match?\n{way_back}"
STOP_QUESTION = "Stop waiting and take the match back?"
AWAY_QUESTION = "Leave?"
MOST_UNREAD = 8
AT_ONCE = 8
"""How many pieces of news are told before the screen has to keep up with them."""
DRAWN_S = 0.5


class FullScreen:
    """The application, as those who bring a player to a match see it."""

    is_terminal = True

    def __init__(self, app: "ConquestApp") -> None:
        self._app = app
        self._heard: Inbox[Heard | None] = Inbox()

    def say(self, *lines: str) -> None:
        """Show lines on the page that is there."""
        self._app.say(*lines)

    async def agrees(self, *question: str) -> bool:
        """Ask for a yes."""
        answered: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()

        def answer(is_yes: bool | None) -> None:
            if not answered.done():
                answered.set_result(is_yes)

        await self._app.push_screen(Confirm("\n".join(question)), answer)
        return bool(await answered)

    def listen(self) -> Inbox[Heard | None]:
        """Return what takes the news of a new session; news of the one before is dropped."""
        self._heard = Inbox()
        return self._heard

    async def take_seat(self, session: Requests, arrival: Arrival) -> None:
        """Play until the match is left; raise `CouldNot` when there is nothing to stay for."""
        self._app.playing = ScreenPlayer(self._app, session, self._heard, arrival)
        await self._app.playing.run()


class ScreenPlayer:
    """One player, or spectator, in front of the screen."""

    def __init__(
        self, app: "ConquestApp", session: Requests, heard: Inbox[Heard | None], arrival: Arrival
    ) -> None:
        self.seat = Seat(session, arrival, session.state)
        self._app = app
        self._heard = heard
        self._page: MatchPage | None = None
        self._unread: deque[str] = deque(maxlen=MOST_UNREAD)
        """What was said of the connection before there was a board to say it at."""
        self._called: tuple[str, int] | None = None
        """The turn to which the player was called last."""

    async def run(self) -> None:
        """Stay until the player leaves; raise `CouldNot` when there is nothing to stay for."""
        told = 0
        while not self.seat.is_done and (heard := await self._heard.get()) is not None:
            for shown in self.seat.hear(heard.news, heard.state):
                await self._show(shown)
            told = told + 1 if self._heard.qsize() else 0
            if told >= AT_ONCE:
                told = 0
                await self._drawn()
        if self.seat.failure is not None:
            raise CouldNot(self.seat.failure)

    async def _drawn(self) -> None:
        """Wait until what was told is on the screen, or for a moment: what is not drawn yet piles up."""
        drawn = asyncio.Event()
        self._app.screen.call_after_refresh(drawn.set)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAWN_S):
                await drawn.wait()

    def carry_out(self, command: slash.Command, is_confirmed: bool = False) -> None:
        """Carry out a command."""
        if command.name == "quit":
            self.ask_to_leave()
            return
        match obey(self.seat, command, is_confirmed):
            case Said(lines=lines):
                self._app.say(*lines)
            case Help(is_watching=is_watching, is_shared=is_shared):
                self._app.say(*slash.help_lines(is_watching=is_watching, is_shared=is_shared))
            case Rules():
                self._app.action_rules()
            case Hint(match=match) if self._page is not None:
                self._page.advise(match)
            case ToConfirm(question=question):
                self._app.confirm(question, lambda: self.carry_out(command, is_confirmed=True))
            case ToSave() | ToReview() as use:
                self._use(use)

    def _use(self, use: ToSave | ToReview) -> None:
        match use:
            case ToSave(path=path, record=record):
                self._app.say(saved.save(path, record))
            case ToReview(record=record):
                self._app.show_again(record, is_review=True)

    def ask_to_leave(self) -> None:
        """Ask, once, whether to leave, and leave after a yes."""
        match, arrival = self.seat.match, self.seat.arrival
        if self.seat.is_over:
            self.leave()
        elif match is None or (match.begun and not match.seat):
            self._app.confirm(AWAY_QUESTION, self.leave)
        elif not match.begun:
            self._app.confirm(STOP_QUESTION, self.leave)
        else:
            usual = LEAVE_QUESTION.format(way_back=arrival.way_back)
            self._app.confirm(arrival.quit_question or usual, self.leave)

    def leave(self) -> None:
        """Leave politely."""
        self._end(self.seat.leave())

    def leave_unasked(self) -> None:
        """Leave because the system wants it."""
        self._end(self.seat.leave_unasked())

    def _end(self, farewell: str) -> None:
        self._app.farewell = farewell
        self._heard.put_nowait(None)

    async def _show(self, shown: Shown) -> None:
        match = self.seat.match
        if isinstance(shown, MatchNews) and match is not None:
            await self._show_match(shown, match)
            return
        page = self._page
        match shown:
            case ToSave() | ToReview():
                self._use(shown)
            case ServerGone(text=text) if page is not None:
                page.gone(text)
            case Back() if page is not None:
                page.banner.back()
                page.say([wording.CONNECTED_AGAIN])
            case news.ConnectionLost() if page is not None:
                page.banner.lost(shown)
                page.say(keyed(wording.connection_lines(shown)[:-1]))
            case news.Refusal(text=text):
                self._app.tell(text)
                if page is not None and match is not None:
                    page.position(match, self.seat.can_play)
            case ServerGone() | Back() | news.ConnectionLost():
                pass
            case _:
                lines = keyed(wording.connection_lines(shown))
                self._app.say(*lines)
                self._unread += lines if page is None else ()

    async def _show_match(self, item: News, match: MatchState) -> None:
        match item:
            case news.MatchOpened():
                await self._opened(match)
            case news.MatchBegan():
                await self._open_board(match)
            case news.MatchResumed():
                if self._page is None or self._page.code != match.code:
                    await self._open_board(match)
            case _ if self._page is not None:
                self._show_at_board(self._page, item, match)

    async def _opened(self, match: MatchState) -> None:
        arrival = self.seat.arrival
        if arrival.link is None:
            self._app.say(*keyed(arrival.on_open(match.code)))
        else:
            link = arrival.link(match.code)
            await self._app.errand.show(WaitingPage(self, match, link, arrival.by_ssh(match.code)))

    async def _open_board(self, match: MatchState) -> None:
        self._page = MatchPage(self, match)
        await self._app.errand.show(self._page)
        self._page.say(self._unread)
        self._unread.clear()

    def _show_at_board(self, page: MatchPage, item: News, match: MatchState) -> None:
        match item:
            case news.EventsHappened(events=events):
                page.happened(match, events, is_old=self.seat.is_catching_up)
            case news.PositionShown():
                page.position(match, self.seat.can_play)
                self._call(match)
            case news.MatchEnded():
                self._app.entitle(call.standing(match))
                page.position(match, can_play=False)
                page.over(match)
            case news.ChatArrived(seat=seat):
                page.say(wording.match_lines(match, item), seat)
            case _:
                page.say(keyed(wording.match_lines(match, item)))
                page.around(match)

    def _call(self, match: MatchState) -> None:
        """Say whose turn it is to a player who may look elsewhere, once a turn."""
        standing = call.standing(match)
        self._app.entitle(standing)
        if self.seat.arrival.calls and match.legal and self._called != (match.code, match.turn):
            self._called = match.code, match.turn
            self._app.call(standing)
