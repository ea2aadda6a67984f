"""Sitting down: a session and a chair together, whichever way one came to the match."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from client.line.play import Chair, Manner
from client.line.terminal import Terminal
from client.net.connection import Target, dial
from client.net.session import Session
from client.net.store import Hosting, SessionFile, Store


async def in_line_mode(session: Session, terminal: Terminal, manner: Manner) -> None:
    """Play line by line until the match is left."""
    await Chair(session, terminal, manner).run()


@dataclass(frozen=True, slots=True)
class Person:
    """The player at this terminal, and how they like to play."""

    terminal: Terminal
    store: Store
    name: str
    hide_picks: bool = False
    take_seat: Callable[[Session, Terminal, Manner], Awaitable[None]] = in_line_mode


@dataclass(frozen=True, slots=True)
class WayBack:
    """Where the way back is written down, and the token when this is the way back."""

    file: SessionFile | None = None
    token: str | None = None
    hosting: Hosting | None = None


async def sit(
    person: Person,
    target: Target,
    begin: Callable[[Session], Manner],
    way_back: WayBack | None = None,
    on_left: Callable[[], None] = lambda: None,
) -> None:
    """Connect, begin a match in the way that `begin` knows, and stay until it is left.

    `on_left` is called when the player has left and the session has not ended yet.
    """
    way = way_back or WayBack()
    session = Session(
        target,
        person.name,
        person.terminal.inbox.put_nowait,
        partial(dial, person.store),
        file=way.file,
        token=way.token,
        hosting=way.hosting,
    )
    person.terminal.forget_news()
    async with session:
        manner = begin(session)
        manner.hide_picks = person.hide_picks
        try:
            await person.take_seat(session, person.terminal, manner)
        finally:
            on_left()
