"""People who host and join over real connections, all in one process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from client.command.question import complete
from client.flow.errand import carry_out
from client.flow.host import host
from client.flow.join import join
from client.flow.person import Person
from client.flow.wanted import Host, JoinAt, Terms
from client.line.play import seat_at
from client.line.terminal import InputOver
from client.local.listening import Listening
from client.net.place import Place, parse_place
from client.net.store import Store
from tests.client.scripted import ScriptedTerminal

LOOPBACK = Listening(bind="127.0.0.1", port=0)
SECURE = Listening(bind="127.0.0.1", port=0, tls=True)
TERMS = Terms(first="creator", private=True)
HOST = Host("conquer", TERMS, SECURE)
PROMPT = "Enter the territory number to claim: "


class Player(ScriptedTerminal):
    """A player with a terminal and a store of their own."""

    def __init__(self, name: str, folder: Path, is_terminal: bool = False) -> None:
        super().__init__(is_terminal)
        self.first_line = ""
        self.store = Store(folder / name)
        self.person = Person(self.terminal, self.store, name, seat_at(self.terminal))

    def hang_up(self) -> None:
        self.terminal.inbox.put_nowait(InputOver())


@asynccontextmanager
async def hosting(ann: Player, wanted: Host = HOST) -> AsyncIterator[tuple[asyncio.Task[None], str]]:
    """Ann hosts; gives her task and the link that she sees."""
    task = asyncio.create_task(host(ann.person, wanted))
    try:
        text = await ann.until("Waiting for your friend")
        (link,) = [line.removeprefix("Link: ") for line in text.splitlines() if line.startswith("Link: ")]
        ann.first_line = text.splitlines()[0]
        assert "Listening on 127.0.0.1:" in text
        yield task, link
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def complete_and_join(bob: Player, place: Place | None) -> None:
    """Let Bob say which match he wants to join, and join it."""
    await carry_out(bob.person, await complete(bob.person, bob.terminal, JoinAt(place)))


async def left_by(bob: Player, ann: Player, link: str) -> None:
    """Let Bob join by a link, and lose him while it is his turn."""
    joined = asyncio.create_task(join(bob.person, parse_place(link)))
    await bob.until("You are Player 2.")
    await ann.type("4")
    await bob.until(PROMPT)
    joined.cancel()
    await asyncio.gather(joined, return_exceptions=True)
    await ann.until("Bob has lost the connection.")
