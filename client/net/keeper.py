"""What keeps the record of every match that ends in a session, without anybody asking for it.

It stands between the session and the face that listens to it: it hears all news first, and what it has asked
for itself is not refused to the face.
"""

import asyncio
from collections.abc import Callable

from client.core.news import ConnectionLost, MatchEnded, RecordArrived, Refusal, SessionOver
from client.net.history import History
from client.net.session import Heard
from protocol.client_frame import Export, Request

MOST_ASKED = 8
"""How many records are asked for at once; a match that ends while so many are on their way is not kept."""
PATIENCE_S = 3.0
"""How long to stay for a record when its match is left at once."""


class Keeper:
    """Asks for records and keeps them; nothing where there is no history to keep them in."""

    send: Callable[..., int]
    """Makes a request of the session that is listened to."""

    def __init__(self, history: History | None, tell: Callable[[Heard], None]) -> None:
        self._history = history
        self._tell = tell
        self._asked: set[int] = set()
        self._is_settled = asyncio.Event()
        self._is_settled.set()

    def hear(self, heard: Heard) -> None:
        """Take in a piece of news, and pass it on."""
        match heard.news:
            case MatchEnded(match=code) if self._history is not None and len(self._asked) < MOST_ASKED:
                self._ask(Export, code)
            case RecordArrived(record=record) if heard.answers in self._asked and self._history is not None:
                self._history.keep(record)
                self._answered(heard.answers)
            case Refusal(request=request) if request in self._asked:
                self._answered(request)
                return
            case ConnectionLost() | SessionOver():
                self._is_settled.set()
        self._tell(heard)

    async def settle(self) -> None:
        """Wait a little for what is still on its way."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._is_settled.wait()
        except TimeoutError:
            return

    def _ask(self, kind: type[Request], code: str) -> None:
        self._asked.add(self.send(kind, match=code))
        self._is_settled.clear()

    def _answered(self, request: int | None) -> None:
        self._asked.discard(request or 0)
        if not self._asked:
            self._is_settled.set()
