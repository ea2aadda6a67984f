"""What has come in and nobody has taken yet: in order, and never much more than can be taken soon.

Keys, signals and results go in at once. Who has the news of a server waits for room first, so that a server
that says more than can be shown waits itself, and no memory fills.
"""

import asyncio
from typing import TypeVar

T = TypeVar("T")

MOST = 256
"""How many items may wait when more is taken from a server."""


class Inbox(asyncio.Queue[T]):
    """A queue that tells when there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._has_room = asyncio.Event()
        self._has_room.set()

    async def room(self) -> None:
        """Wait until not too much is waiting."""
        await self._has_room.wait()

    def _put(self, item: T) -> None:
        super()._put(item)
        if self.qsize() >= MOST:
            self._has_room.clear()

    def _get(self) -> T:
        item: T = super()._get()
        if self.qsize() < MOST:
            self._has_room.set()
        return item
