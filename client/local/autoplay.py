"""A match without a person: something that chooses moves sits where a player would.

It has a session like anybody's and sees what its seat may see; whoever opened or joined the match, and
whatever chooses the moves, it behaves alike. Thinking is done in a thread, so that nothing else waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from client.core import news, wording
from client.core.catalogue import TITLES
from client.core.failure import CouldNot
from client.core.news import News
from client.core.state import MatchState
from client.net.session import Heard, Session
from protocol.choice import Choice
from protocol.frame import CallOff, Claim, Leave, Play, Rematch, Resign
from protocol.games import View
from protocol.process.supervision import in_thread
from protocol.refusal import RefusalCode

FAREWELL_S = 5.0
"""How long a resignation may take before one leaves without its answer."""
CLAIM_MARGIN_S = 1.0
"""How much later than allowed a win is claimed, since the server counts by its own clock."""
RETRY_S = 2.0
"""How long to wait before a move is sent again to a server that could not save it."""
BEHIND = frozenset({RefusalCode.STALE_TURN, RefusalCode.NOT_YOUR_TURN, RefusalCode.MATCH_OVER})
"""Refusals of a move that came too late: what happened instead is on its way."""


class Mind(Protocol):
    """What chooses the moves of one match."""

    def choose(self, view: View, choices: Sequence[Choice]) -> dict[str, int | str]:
        """Choose a legal move, as it travels; raise `CouldNot`."""
        ...


Pause = Callable[[], Awaitable[None]]
Hear = Callable[[], Awaitable[Heard | None]]


@dataclass(frozen=True, slots=True)
class Habit:
    """How an automaton behaves."""

    mind: Callable[[Mapping[str, str]], Mind]
    """Makes a mind for a match with such options; raises `CouldNot`."""
    pause: Pause
    """What it does before each move."""
    linger_s: float | None = None
    """How long to stay for a rematch; None for always, and for ever where the other one is gone."""


async def attend(session: Session, hear: Hear, habit: Habit, request: int | None = None) -> None:
    """Play the match that a session gets into, and its rematches; raise `CouldNot` when that fails.

    `hear` gives what the session tells, or None to give up; `request` is what has to succeed first.
    """
    seat = _Seat(session, habit, request)
    while not seat.is_done:
        try:
            async with asyncio.timeout_at(seat.deadline):
                heard = await hear()
        except TimeoutError:
            seat.lose_patience()
            continue
        if heard is None:
            seat.give_up()
        else:
            await seat.take(heard)
    if seat.failure is not None:
        raise seat.failure


class _Seat:
    """One match after the other, as they are heard of."""

    def __init__(self, session: Session, habit: Habit, request: int | None) -> None:
        self.is_done = False
        self.failure: CouldNot | None = None
        self.deadline: float | None = None
        """When patience ends, in the time of the event loop."""
        self._session = session
        self._habit = habit
        self._request = request
        self._match: MatchState | None = None
        self._mind: Mind | None = None
        self._played: tuple[str, int] | None = None
        self._play: int | None = None
        self._move: dict[str, int | str] = {}
        self._is_leaving = False

    async def take(self, heard: Heard) -> None:
        """React to what was heard."""
        item = heard.news
        if isinstance(item, news.MatchOpened | news.MatchBegan):
            self._mind, self.deadline = None, None
            self._match = heard.state.matches[item.match]
        elif self._match is not None:
            self._match = heard.state.matches.get(self._match.code, self._match)
        elif isinstance(item, news.MatchNews):
            self._match = heard.state.matches.get(item.match)
        if self._match is not None and self._match.game not in TITLES:
            self._fail(CouldNot(wording.unknown_game(self._match.game)))
        elif isinstance(item, news.SessionOver):
            self._end_session(item.text)
        elif isinstance(item, news.Refusal):
            await self._refused(item)
        elif self._match is not None:
            await self._react(self._match, item)

    async def _react(self, match: MatchState, item: News) -> None:
        match item:
            case news.PositionShown(match=code) if code == match.code and not self._is_leaving:
                await self._answer(match)
            case news.OfferMade(match=code, offer=offer, seat=seat) if seat != match.seat:
                self._session.send(CallOff if offer == "calloff" else Rematch, match=code)
            case news.MatchEnded():
                self._mind = None
                self._ended()
            case news.PlayerLost(seat=seat, claim_in_s=claim_in_s) if seat != match.seat:
                self._left_alone(match, claim_in_s)
            case news.PlayerBack() if match.outcome is None:
                self.deadline = None
            case news.MatchLeft(match=code) if code == match.code:
                self._leave()
            case news.ConnectionLost() if match.outcome is not None and self._habit.linger_s is not None:
                self._leave()
            case _:
                pass

    async def _answer(self, match: MatchState) -> None:
        """Move, if it is our turn and this is not merely shown again."""
        if not match.legal or match.view is None or self._played == (match.code, match.turn):
            return
        await self._habit.pause()
        try:
            move = await in_thread(partial(self._think, match, match.view), "thinking")
        except CouldNot as problem:
            self.failure = problem
            self.give_up()
            return
        self._played = match.code, match.turn
        self._send(match, move)

    def _think(self, match: MatchState, view: View) -> dict[str, int | str]:
        if self._mind is None:
            self._mind = self._habit.mind(match.options)
        return self._mind.choose(view, match.legal)

    def _send(self, match: MatchState, move: dict[str, int | str]) -> None:
        self._move = move
        self._play = self._session.send(Play, match=match.code, turn=match.turn, move=move)

    async def _refused(self, item: news.Refusal) -> None:
        if item.request == self._request:
            self._fail(CouldNot(item.text))
        elif item.request != self._play or item.code in BEHIND or self._match is None:
            return
        elif item.code is RefusalCode.CANNOT_SAVE:
            await asyncio.sleep(RETRY_S)
            self._send(self._match, self._move)
        else:
            self._fail(CouldNot(item.text))

    def _ended(self) -> None:
        if self._is_leaving:
            self._leave()
        elif self._habit.linger_s is not None:
            self._wait(self._habit.linger_s)

    def _left_alone(self, match: MatchState, claim_in_s: int | None) -> None:
        if self._habit.linger_s is None:
            return
        if match.outcome is not None:
            self._leave()
        elif claim_in_s is not None:
            self._wait(claim_in_s + CLAIM_MARGIN_S)

    def lose_patience(self) -> None:
        """Claim the win over somebody who stays away; leave where there is nothing to wait for."""
        self.deadline = None
        match = self._match
        if self._is_leaving or match is None or match.outcome is not None:
            self._leave()
        else:
            self._session.send(Claim, match=match.code)

    def give_up(self) -> None:
        """Leave a match that is not over, without keeping the opponent waiting."""
        match = self._match
        if self._is_leaving or match is None or not match.begun or match.outcome is not None:
            self._leave()
            return
        self._is_leaving = True
        self._session.send(Resign, match=match.code)
        self._wait(FAREWELL_S)

    def _wait(self, seconds: float) -> None:
        self.deadline = asyncio.get_running_loop().time() + seconds

    def _end_session(self, text: str) -> None:
        is_over = self._match is not None and self._match.outcome is not None
        if not is_over and self.failure is None:
            self.failure = CouldNot(text)
        self._session.forget()
        self.is_done = True

    def _fail(self, problem: CouldNot) -> None:
        self.failure = self.failure or problem
        self._leave()

    def _leave(self) -> None:
        if self._match is not None:
            self._session.send(Leave, match=self._match.code)
        self._session.forget()
        self.is_done = True
