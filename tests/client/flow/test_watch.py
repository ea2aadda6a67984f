"""Watching a match of others."""

import asyncio
from pathlib import Path

import pytest

from client.command.question import complete
from client.core.failure import CouldNot
from client.flow.join import join
from client.flow.wanted import WatchAt
from client.flow.watch import watch
from client.net import lan
from client.net.connection import Target
from client.net.place import Place, parse_place
from client.net.store import SavedSession
from client.net.survey import NOTHING_LIVE
from protocol.link import parse_address
from protocol.process.usage import Misused
from tests.client.people import Player, hosting
from tests.client.tui.application import match_of_others, running


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


async def test_what_can_be_watched_is_listed_on_a_server_and_chosen_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "LOOK_S", 0.1)
    cid = Player("Cid", tmp_path)
    async with match_of_others(tmp_path, "duel") as (address, code, _, _):
        host, port = parse_address(address)
        been_there = SavedSession(host, port, None, True, "token", "Cid", "00000000", "grid")
        cid.store.new_session_file().save(been_there)
        for wanted in (WatchAt(), WatchAt(parse_place(address))):
            await cid.type("1")
            chosen = await complete(cid.person, cid.terminal, wanted)
            assert isinstance(chosen, WatchAt)
            assert chosen.place is not None
            assert (chosen.place.target.address, chosen.place.code) == (address, code)
            said = cid.take()
            assert "Matches that can be watched:" in said
            assert "1. Command Line Conquer, Eve against Bob, Eve to move" in said


async def test_nothing_to_watch_is_a_sentence_and_a_question_for_the_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "LOOK_S", 0.1)
    cid = Player("Cid", tmp_path)
    await cid.type("7K3M-9QXZ")
    assert await complete(cid.person, cid.terminal, WatchAt()) == WatchAt(code="7K3M9QXZ")
    assert NOTHING_LIVE in cid.take()
    async with running() as server:
        there = WatchAt(Place(Target("127.0.0.1", server.port)))
        with pytest.raises(CouldNot, match="No match can be watched at 127"):
            await complete(cid.person, cid.terminal, there)
