"""A match without a person: something that chooses moves sits where a player would.

It has a session and a seat like anybody's and sees what its seat may see; no matter who opened the match, or
what chooses the moves, it behaves alike. Thinking is done in a thread, so that nothing else waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from client.core import news
from client.core.failure import CouldNot
from client.core.seat import Arrival, Requests, Seat, ServerGone, Shown
from client.core.state import MatchState
from client.net.session import Heard
from protocol.choice import Choice
from protocol.client_frame import CallOff, Claim, Rematch, Resign
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


class Chooser(Protocol):
    """What chooses the moves of one match."""

    def choose(self, view: View, choices: Sequence[Choice]) -> dict[str, int | str]:
        """Choose a legal move, as it travels; raise `CouldNot`."""
        ...


Pause = Callable[[], Awaitable[None]]
Hear = Callable[[], Awaitable[Heard | None]]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How an automatic player behaves."""

    chooser: Callable[[Mapping[str, str]], Chooser]
    """Makes what chooses the moves of a match with such options; raises `CouldNot`."""
    pause: Pause
    """What it does before each move."""
    linger_s: float | None = None
    """How long to stay for a rematch; None for always, and for ever where the other one is gone."""


async def play_alone(session: Requests, hear: Hear, behaviour: Behaviour, arrival: Arrival) -> None:
    """Play the match that a session gets into, and its rematches; raise `CouldNot` when that fails.

    `hear` gives what the session tells, or None to give up.
    """
    player = _AutoPlayer(session, behaviour, arrival)
    while not player.is_done:
        try:
            async with asyncio.timeout_at(player.deadline):
                heard = await hear()
        except TimeoutError:
            player.lose_patience()
            continue
        if heard is None:
            player.give_up()
        else:
            await player.take(heard)
    if player.failure is not None:
        raise player.failure


class _AutoPlayer:
    """A seat, and what thinks and waits in the place of a person."""

    def __init__(self, session: Requests, behaviour: Behaviour, arrival: Arrival) -> None:
        self.failure: CouldNot | None = None
        self.deadline: float | None = None
        """When patience ends, in the time of the event loop."""
        self._session = session
        self._behaviour = behaviour
        self._seat = Seat(session, arrival, session.state)
        self._chooser: Chooser | None = None
        self._move: dict[str, int | str] = {}
        self._is_leaving = False

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to play."""
        return self._seat.is_done

    async def take(self, heard: Heard) -> None:
        """React to what was heard."""
        was_under_way = self._seat.is_move_under_way
        for shown in self._seat.hear(heard.news, heard.state):
            match shown:
                case ServerGone():
                    self._seat.is_done = True
                case news.Refusal() if was_under_way and not self._seat.is_move_under_way:
                    await self._refused(shown)
                case _ if self._seat.match is not None:
                    await self._react(self._seat.match, shown)
        if self._seat.failure is not None and not isinstance(heard.news, news.MatchLeft):
            self.failure = self.failure or CouldNot(self._seat.failure)

    async def _react(self, match: MatchState, item: Shown) -> None:
        match item:
            case news.MatchOpened() | news.MatchBegan():
                self._chooser, self.deadline = None, None
            case news.PositionShown() if self._seat.can_play and not self._seat.has_played:
                await self._answer(match)
            case news.OfferMade(match=code, offer=offer, seat=seat) if seat != match.seat:
                self._session.send(CallOff if offer == "calloff" else Rematch, match=code)
            case news.MatchEnded():
                self._ended()
            case news.PlayerLost(seat=seat, claim_in_s=claim_in_s) if seat != match.seat:
                self._left_alone(claim_in_s)
            case news.PlayerBack() if not self._seat.is_over:
                self.deadline = None

    async def _answer(self, match: MatchState) -> None:
        if self._is_leaving or match.view is None:
            return
        await self._behaviour.pause()
        try:
            self._move = await in_thread(partial(self._think, match, match.view), "thinking")
        except CouldNot as problem:
            self.failure = problem
            self.give_up()
            return
        self._seat.play(self._move)

    def _think(self, match: MatchState, view: View) -> dict[str, int | str]:
        if self._chooser is None:
            self._chooser = self._behaviour.chooser(match.options)
        return self._chooser.choose(view, match.legal)

    async def _refused(self, item: news.Refusal) -> None:
        if item.code is RefusalCode.CANNOT_SAVE:
            await asyncio.sleep(RETRY_S)
            self._seat.play(self._move)
        elif item.code not in BEHIND:
            self.failure = self.failure or CouldNot(item.text)
            self._leave()

    def _ended(self) -> None:
        self._chooser = None
        if self._is_leaving:
            self._leave()
        elif self._behaviour.linger_s is not None:
            self._wait(self._behaviour.linger_s)

    def _left_alone(self, claim_in_s: int | None) -> None:
        if self._behaviour.linger_s is None:
            return
        if self._seat.is_over:
            self._leave()
        elif claim_in_s is not None:
            self._wait(claim_in_s + CLAIM_MARGIN_S)

    def lose_patience(self) -> None:
        """Claim the win over somebody who stays away; leave where there is nothing to wait for."""
        self.deadline = None
        match = self._seat.match
        if self._is_leaving or match is None or self._seat.is_over:
            self._leave()
        else:
            self._session.send(Claim, match=match.code)

    def give_up(self) -> None:
        """Leave a match that is not over, without keeping the opponent waiting."""
        match = self._seat.match
        if self._is_leaving or match is None or not self._seat.is_running:
            self._leave()
            return
        self._is_leaving = True
        self._session.send(Resign, match=match.code)
        self._wait(FAREWELL_S)

    def _leave(self) -> None:
        self._seat.leave(for_good=True)

    def _wait(self, seconds: float) -> None:
        self.deadline = asyncio.get_running_loop().time() + seconds
