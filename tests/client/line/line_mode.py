"""A player in line mode, with a scripted server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from client.core.seat import Arrival
from client.line.play import LinePlayer
from client.net.session import Session
from client.net.store import Store
from protocol.client_frame import Join, Play
from protocol.games.conquer import View
from protocol.outcome import Outcome
from protocol.server_frame import Exported, Turned
from tests.client.frames import CODE, seated, shown, view, welcome
from tests.client.scripted import Line, ScriptedTerminal, settle

PROMPT = "Enter the territory number to claim: "


class LineMode:
    """A player at a terminal, and the script of their server."""

    def __init__(self, is_terminal: bool) -> None:
        self.line = Line()
        self.tty = ScriptedTerminal(is_terminal)
        self.request = 0
        self.task: asyncio.Task[None] | None = None

    @property
    def is_left(self) -> bool:
        return self.task is not None and self.task.done()

    async def type(self, *lines: str) -> str:
        """Type lines and return what is written then."""
        await self.tty.type(*lines)
        return self.tty.take()

    async def hear(self, *frames: object) -> str:
        """Let the server say something and return what is written then."""
        await self.line.wire.say(*frames)  # type: ignore[arg-type]
        return self.tty.take()

    def played(self) -> Play:
        return self.line.wire.last(Play)

    async def ended(self) -> None:
        assert self.task is not None
        await self.task


Begin = Callable[[Session], Arrival]


def joining(session: Session) -> Arrival:
    return Arrival(request=session.send(Join, match=CODE))


@asynccontextmanager
async def line_mode(
    is_terminal: bool = False, begin: Begin = joining, store: Store | None = None, token: str | None = None
) -> AsyncIterator[LineMode]:
    made = LineMode(is_terminal)
    file = store.new_session_file() if store else None
    session = made.line.session(made.tty.terminal.inbox.put_nowait, file=file, token=token)
    async with session:
        arrival = begin(session)
        made.request = arrival.request or 0
        made.task = asyncio.create_task(LinePlayer(session, made.tty.terminal, arrival).run())
        await settle()
        try:
            yield made
        finally:
            if not made.task.done():
                made.task.cancel()


@asynccontextmanager
async def playing(is_terminal: bool = False) -> AsyncIterator[LineMode]:
    """A match of Conquer that has begun, with our move due."""
    async with line_mode(is_terminal) as made:
        await made.hear(welcome(), seated(re=made.request), shown())
        yield made


def over(claims: tuple[int, ...]) -> View:
    """A position in which nobody is to act."""
    return view(claims).model_copy(update={"to_act": ()})


def exported(re: int) -> Exported:
    return Exported(
        re=re,
        match=CODE,
        game="conquer",
        options={},
        names=("Ann", "Bob"),
        chance=(),
        outcome=Outcome(winner=1, reason="resigned"),
        first=0,
        moves=(Turned(seat=1, move={"kind": "claim", "territory": 4}, chance=(), at=1.0),),
        more=False,
    )
