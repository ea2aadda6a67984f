"""A game with the computer: an embedded server, the computer's player and a person, all in one process."""

import asyncio
import contextlib
import random
from functools import partial

from client.automaton import Habit, Pause, attend
from client.connection import dial
from client.embedded import Hosted, Listening, agreed_options, contestant, hosted, within_limits
from client.host import Wish
from client.line import Manner
from client.player import bot_name
from client.session import Dial, Heard, Session
from client.table import Person, sit
from protocol.frame import Join

PAUSE_S = (0.5, 1.2)
"""How long the computer seems to think, so that one can follow."""
WAY_BACK = "The game with the computer ends here."


async def practise(person: Person, wish: Wish, level: str, listening: Listening, is_hasty: bool) -> None:
    """Play against the computer, or a bot; raise `CouldNot` when that failed to play."""
    agreed_options(wish.game, wish.options)
    bot = contestant(level)
    habit = Habit(bot.mind, pause(is_hasty))
    call = partial(dial, person.store)
    async with hosted(listening) as server, _Opponent(server, bot_name(bot.file), habit, call) as opponent:

        def begin(session: Session) -> Manner:
            return Manner(request=wish.request(session), way_back=WAY_BACK, on_open=opponent.join)

        await sit(person, server.own, begin)


def pause(is_hasty: bool) -> Pause:
    """Make the pause before a move: none that could be helped, or a natural one."""
    return within_limits() if is_hasty else _natural


async def _natural() -> None:
    await asyncio.sleep(random.uniform(*PAUSE_S))


class _Opponent:
    """The computer's player, from when there is a match to join until the person has had enough."""

    def __init__(self, server: Hosted, name: str, habit: Habit, dial: Dial) -> None:
        self._server = server
        self._name = name
        self._habit = habit
        self._dial = dial
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "_Opponent":
        return self

    async def __aexit__(self, *raised: object) -> None:
        if self._task is not None:
            self._task.cancel()
            # What stopped a bot of the user's own is told when its opponent is done.
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def join(self, code: str) -> None:
        """Sit down at a match that was opened."""
        if self._task is None:
            self._task = asyncio.create_task(self._play(code))

    async def _play(self, code: str) -> None:
        inbox: asyncio.Queue[Heard] = asyncio.Queue()
        async with Session(self._server.own, self._name, inbox.put_nowait, self._dial) as session:
            await attend(session, inbox.get, self._habit, session.send(Join, match=code))
