"""`conquest play --two`: a server and both players in one process, at one keyboard."""

from functools import partial

from client.core.games.renderer import Lines
from client.core.seat import Arrival
from client.flow.host import open_match
from client.flow.name import GUEST
from client.flow.person import Person
from client.flow.play import UNFINISHED
from client.flow.wanted import PlayTwo
from client.local.hosting import hosted
from client.local.option import agreed_options
from client.net.connection import dial
from client.net.history import History
from client.net.keeper import Keeper
from client.net.two import TwoSessions

WAY_BACK = "The match ends here."
QUIT_QUESTION = "The match ends here, for both of you. Leave?"


async def play_two(person: Person, wanted: PlayTwo) -> None:
    """Let two people play each other at the face of one."""
    agreed_options(wanted.game, wanted.terms.options)
    names = (person.name, wanted.other or GUEST)
    keeper = Keeper(History(person.store), person.face.listen().put_nowait)
    async with (
        hosted(wanted.listening) as server,
        TwoSessions(server.own, names, keeper.hear, partial(dial, person.store)) as both,
    ):
        keeper.send = both.send

        def join(code: str) -> Lines:
            both.join(code)
            return ()

        arrival = Arrival(
            request=open_match(both, wanted.game, wanted.terms),
            way_back=WAY_BACK,
            quit_question=QUIT_QUESTION,
            unfinished=UNFINISHED,
            calls=False,
            on_open=join,
        )
        await person.take_seat(both, arrival)
        await keeper.settle()
