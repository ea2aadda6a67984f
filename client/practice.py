"""A game with the computer: an embedded server, the computer's player and a person, all in one process."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from functools import partial

from client.connection import dial
from client.embedded import Hosted, Listening, agreed_options, hosted, play_as_computer
from client.host import Wish
from client.line import Manner
from client.session import Session
from client.table import Person, sit

PAUSE_S = (0.5, 1.2)
"""How long the computer seems to think, so that one can follow."""
WAY_BACK = "The game with the computer ends here."


async def practise(person: Person, wish: Wish, level: str, listening: Listening, is_hasty: bool) -> None:
    """Play against the computer."""
    agreed_options(wish.game, wish.options)
    pause = _at_once if is_hasty else _pause
    async with hosted(listening) as server, _Opponent(person, server, level, pause) as opponent:

        def begin(session: Session) -> Manner:
            return Manner(request=wish.request(session), way_back=WAY_BACK, on_open=opponent.join)

        await sit(person, server.own, begin)


class _Opponent:
    """The computer's player, from when there is a match to join until the person has had enough."""

    def __init__(
        self, person: Person, server: Hosted, level: str, pause: Callable[[], Awaitable[None]]
    ) -> None:
        self._dial = partial(dial, person.store)
        self._server = server
        self._level = level
        self._pause = pause
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "_Opponent":
        return self

    async def __aexit__(self, *raised: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def join(self, code: str) -> None:
        """Sit down at a match that was opened."""
        if self._task is None:
            playing = play_as_computer(self._server, code, self._level, self._dial, self._pause)
            self._task = asyncio.create_task(playing)


async def _pause() -> None:
    await asyncio.sleep(random.uniform(*PAUSE_S))


async def _at_once() -> None:
    pass
