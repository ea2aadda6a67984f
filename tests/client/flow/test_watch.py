"""Watching a match of others."""

import asyncio
from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.flow.join import join
from client.flow.watch import watch
from client.net.connection import Target
from client.net.place import Place, parse_place
from protocol.process.usage import Misused
from tests.client.people import Player, hosting


async def test_a_full_match_is_a_sentence_and_can_be_watched(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    cid = Player("Cid", tmp_path)
    async with hosting(ann) as (_, link):
        place = parse_place(link)
        joined = asyncio.create_task(join(bob.person, place))
        await bob.until("You are Player 2.")
        with pytest.raises(CouldNot, match="Both seats of that match are taken"):
            await join(cid.person, place)
        watching = asyncio.create_task(watch(cid.person, place))
        await cid.until("You are watching.")
        await ann.type("4")
        assert await cid.until("Player 1 claims territory 4.")
        assert await ann.until("1 person is watching.")
        for task in (joined, watching):
            task.cancel()


async def test_watching_needs_a_code(bob: Player) -> None:
    with pytest.raises(Misused, match="whole link"):
        await watch(bob.person, Place(Target("127.0.0.1", 7717)))
