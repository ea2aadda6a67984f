"""`conquest play`: a server, the computer's player and a person, all in one process."""

import asyncio
from functools import partial

from client.core.failure import CouldNot
from client.core.games.renderer import Lines
from client.core.seat import Arrival
from client.flow.host import open_match
from client.flow.name import bot_name
from client.flow.person import Person, sit
from client.flow.wanted import PlayHere
from client.local.autoplay import Behaviour, play_alone
from client.local.contestant import contestant
from client.local.hosting import Hosted, hosted
from client.local.option import agreed_options
from client.local.pause import pause_before_moves
from client.net.connection import dial
from client.net.session import Dial, Heard, Session
from protocol.client_frame import Join
from protocol.process.supervision import alongside

WAY_BACK = "The game with the computer ends here."
UNFINISHED = "The input ended before the game did."


async def play(person: Person, wanted: PlayHere) -> None:
    """Play against the computer, or a bot; raise `CouldNot` when that failed to play."""
    agreed_options(wanted.game, wanted.terms.options)
    bot = contestant(wanted.bot)
    behaviour = Behaviour(bot.chooser, pause_before_moves(wanted.is_hasty or not person.face.is_terminal))
    opponent = _Opponent(bot_name(bot.file), behaviour, partial(dial, person.store))

    def begin(session: Session) -> Arrival:
        return Arrival(
            request=open_match(session, wanted.game, wanted.terms),
            way_back=WAY_BACK,
            unfinished=UNFINISHED,
            calls=False,
            on_open=opponent.join,
        )

    async with hosted(wanted.listening) as server, alongside(opponent.play(server), "opponent"):
        await sit(person, server.own, begin)
    if opponent.problem is not None:
        raise opponent.problem


class _Opponent:
    """The computer's player, from when there is a match to join until the person has had enough."""

    def __init__(self, name: str, behaviour: Behaviour, dial: Dial) -> None:
        self.problem: CouldNot | None = None
        """What stopped a bot of the user's own."""
        self._name = name
        self._behaviour = behaviour
        self._dial = dial
        self._code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def join(self, code: str) -> Lines:
        """Sit down at a match that was opened; those after it are its rematches."""
        if not self._code.done():
            self._code.set_result(code)
        return ()

    async def play(self, server: Hosted) -> None:
        """Wait for the match, and play it."""
        code = await self._code
        inbox: asyncio.Queue[Heard] = asyncio.Queue()
        try:
            async with Session(server.own, self._name, inbox.put_nowait, self._dial) as session:
                arrival = Arrival(session.send(Join, match=code))
                await play_alone(session, inbox.get, self._behaviour, arrival)
        except CouldNot as problem:
            self.problem = problem
