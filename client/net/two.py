"""Two sessions behind one keyboard: requests go to the one who is asked, and news is told once.

What both must want, such as an end by agreement, is asked by both: they sit side by side and have talked.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Self

from client.core import news
from client.core.state import ClientState
from client.core.two import LEAD, OTHER, SESSIONS, Shared
from client.net.connection import Target
from client.net.session import Dial, Heard, Session
from protocol.client_frame import CallOff, Join, Leave, Play, Rematch, Request, Resign

OF_ONE = (Play, Resign)
"""What the one asks who is at the keyboard; the rest is the lead's."""
OF_BOTH = (CallOff, Leave, Rematch)
"""What both ask."""


class TwoSessions:
    """Use as `async with TwoSessions(...)`: for a face it is one session."""

    def __init__(
        self, target: Target, names: tuple[str, str], tell: Callable[[Heard], None], dial: Dial
    ) -> None:
        self._tell = tell
        self._shared = Shared()
        self._sessions = tuple(
            Session(target, names[each], partial(self._hear, each), dial) for each in SESSIONS
        )
        self._stands_for: dict[int, int] = {}
        """What the lead has asked after the other, by the number of the other's request."""
        self._answered: int | None = None
        self._background = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        for session in self._sessions:
            await self._background.enter_async_context(session)
        return self

    async def __aexit__(self, *raised: Any) -> None:
        await self._background.__aexit__(*raised)

    @property
    def state(self) -> ClientState:
        """What is known to the one who is asked now."""
        return self._shared.state

    @property
    def is_connected(self) -> bool:
        """Whether a request would go out now."""
        return all(session.is_connected for session in self._sessions)

    def send(self, kind: type[Request], **fields: Any) -> int:
        """Make a request, or the same one for both; return its number."""
        if kind not in OF_BOTH:
            return self._ask(self._shared.asked if kind in OF_ONE else LEAD, kind, fields)
        number = self._ask(OTHER, kind, fields)
        self._stands_for[self._ask(LEAD, kind, fields)] = number
        return number

    def join(self, code: str) -> None:
        """Let the other one sit down at the match that the lead has opened."""
        self._ask(OTHER, Join, {"match": code})

    def left_s(self, code: str) -> float | None:
        """Tell how much time is left for the move that is due in a match; None without a clock."""
        return self._sessions[self._shared.asked].left_s(code)

    def forget(self) -> None:
        """Give up the way back, which there is none."""

    def _ask(self, session: int, kind: type[Request], fields: dict[str, Any]) -> int:
        return _number(session, self._sessions[session].send(kind, **fields))

    def _hear(self, session: int, heard: Heard) -> None:
        item = heard.news
        if isinstance(item, news.Refusal | news.PositionShown) and item.request is not None:
            item = replace(item, request=self._own(session, item.request))
        if heard.answers is not None:
            self._answered = self._own(session, heard.answers)
        told = self._shared.hear(session, item, heard.state)
        for one, state in told:
            self._tell(Heard(one, state, self._answered))
        self._answered = None if told else self._answered

    def _own(self, session: int, request: int) -> int:
        number = _number(session, request)
        return self._stands_for.get(number, number)


def _number(session: int, request: int) -> int:
    """Give requests of both sessions numbers that differ."""
    return 2 * request + session
