"""Going back to a seat that was left, as one who joined and as the host."""

import asyncio
from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.flow.back import go_back
from client.flow.host import host_elsewhere
from client.flow.join import join
from client.flow.wanted import GoBack, HostAt
from client.net.connection import Target
from client.net.place import parse_place
from protocol.link import parse_link
from tests.client.people import PROMPT, TERMS, Player, hosting


async def test_a_guest_who_left_goes_back_to_the_seat(ann: Player, bob: Player, tmp_path: Path) -> None:
    async with hosting(ann) as (_, link):
        joined = asyncio.create_task(join(bob.person, parse_place(link)))
        await bob.until("You are Player 2.")
        await ann.type("4")
        await bob.until(PROMPT)
        bob.hang_up()
        await joined
        assert "Your seat is kept. The way back: conquest join --resume\n" in bob.take()
        assert "Bob has left." in await ann.until("/claim the win")
        code = parse_link(link).code or ""
        bob = Player("Bob", tmp_path)
        with pytest.raises(CouldNot, match="No way back to match ZZZZ-ZZZZ is known here"):
            await go_back(bob.person, GoBack("ZZZZZZZZ"))
        returned = asyncio.create_task(go_back(bob.person, GoBack(code)))
        said = await bob.until(PROMPT)
        assert "So far:\nPlayer 1 claims territory 4.\n" in said
        await ann.until("Bob is back.")
        returned.cancel()


async def test_a_waiting_match_elsewhere_is_gone_back_to_with_its_link(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        opened = asyncio.create_task(
            host_elsewhere(bob.person, HostAt(Target(link.host, link.port), "conquer", TERMS))
        )
        shown = (await bob.until("Waiting for your friend")).splitlines()
        opened.cancel()
        await asyncio.gather(opened, return_exceptions=True)
        bob = Player("Bob", tmp_path)
        returned = asyncio.create_task(go_back(bob.person, GoBack()))
        again = (await bob.until("Waiting for your friend")).splitlines()
        assert [line for line in again if line.startswith("Link: ")] == [
            line for line in shown if line.startswith("Link: ")
        ]
        returned.cancel()


async def test_there_must_be_something_to_go_back_to(ann: Player) -> None:
    with pytest.raises(CouldNot, match="There is no match to go back to"):
        await go_back(ann.person, GoBack())


async def test_a_host_who_left_starts_the_server_again_and_the_friend_carries_on(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join(bob.person, parse_place(link)))
        await bob.until("You are Player 2.")
        await ann.type("4")
        await bob.type("7")
        await ann.until(f"Available territories: 1, 2, 3, 5, 6\n{PROMPT}")
        ann.hang_up()
        await hosted
    assert "The way back: conquest host --resume\n" in ann.take()
    await bob.until("The host has left. The match is kept, and goes on when the host is back")
    await bob.until("Waiting for the host, trying again")
    ann = Player("Ann", tmp_path)
    returned = asyncio.create_task(go_back(ann.person, GoBack()))
    said = await ann.until(PROMPT)
    assert "Available territories: 1, 2, 3, 5, 6\n" in said
    await bob.until("Connected again.")
    await ann.type("3", "2")
    await bob.type("5")
    await bob.until("Player 1 wins!")
    await ann.until("> ")
    bob.hang_up()
    await joined
    ann.hang_up()
    await returned
    assert not list(ann.store.root.glob("hosted-*"))


async def test_a_hosted_match_whose_journal_is_gone_cannot_be_gone_back_to(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join(bob.person, parse_place(link)))
        await ann.until(PROMPT)
        ann.hang_up()
        await hosted
        joined.cancel()
    for path in list(ann.store.root.glob("hosted-*")):
        path.unlink()
    with pytest.raises(CouldNot, match="was not kept"):
        await go_back(ann.person, GoBack())
