"""What brings a player to a match: the face that they look at, and a session with the match's server.

A flow (hosting, joining, watching, playing the computer, going back) says what happens on the way and
then gives up the session to whatever takes the seat. It does not know lines from screens.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from client.core import wording
from client.core.failure import CouldNot
from client.core.seat import Arrival, Requests
from client.net.connection import Target, dial
from client.net.history import History
from client.net.inbox import Inbox
from client.net.keeper import Keeper
from client.net.session import Session
from client.net.store import Hosting, SessionFile, Store
from client.net.visit import visiting


class Face(Protocol):
    """What a flow needs of that which stands before the player."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person looks on, and not a pipe."""
        ...

    def say(self, *lines: str) -> None:
        """Show lines."""
        ...

    async def agrees(self, *question: str) -> bool:
        """Ask for a yes; nobody gives one where no person looks on."""
        ...

    def listen(self) -> Inbox[Any]:
        """Return what takes the news of a new session; news of the one before is dropped."""
        ...


@dataclass(frozen=True, slots=True)
class Person:
    """A player, and where they play."""

    face: Face
    store: Store
    name: str
    take_seat: Callable[[Requests, Arrival], Awaitable[None]]
    """Plays, or watches, until the match is left; raises `CouldNot`."""
    is_bot: bool = False
    """Whether a bot plays, which looks back at nothing."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """Where the way back is written down, and the token when this is the way back."""

    file: SessionFile | None = None
    token: str | None = None
    hosting: Hosting | None = None


async def sit(
    person: Person,
    target: Target,
    begin: Callable[[Session], Arrival],
    way_back: WayBack | None = None,
    on_left: Callable[[], None] = lambda: None,
) -> None:
    """Connect, begin a match in the way that `begin` knows, and stay until it is left.

    `on_left` is called when the player has left and the session has not ended yet.
    """
    await _check_certificate(person, target)
    way = way_back or WayBack()
    inbox = person.face.listen()
    keeper = Keeper(None if person.is_bot else History(person.store), inbox.put_nowait)
    session = Session(
        target,
        person.name,
        keeper.hear,
        partial(dial, person.store),
        file=way.file,
        token=way.token,
        hosting=way.hosting,
        room=inbox.room,
    )
    keeper.send = session.send
    async with session:
        arrival = begin(session)
        if (visit := visiting()) and arrival.way_back:
            arrival = replace(arrival, way_back=f"Your seat is kept. The way back: {visit.way_back}")
        try:
            await person.take_seat(session, arrival)
            await keeper.settle()
        finally:
            on_left()


async def _check_certificate(person: Person, target: Target) -> None:
    """Ask before a link changes the certificate that a server is known by; raise `CouldNot` without a yes."""
    known, named = person.store.fingerprint(target.host, target.port), target.fingerprint
    # Behind a relay there are many servers.
    if target.relay or known is None or named is None or known == named:
        return
    changed = wording.certificate_changed(target.address, known, named)
    if not await person.face.agrees(*changed, wording.TRUST_QUESTION):
        raise CouldNot(wording.not_trusted(target.address, known, named, str(person.store.known_servers)))
    person.store.keep_fingerprint(target.host, target.port, named)
