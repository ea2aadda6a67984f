"""What is left open is asked: which match, or the one that was left."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from client.core import wording
from client.core.failure import CouldNot
from client.flow.wanted import Host, Terms
from client.net import lan
from client.net.connection import Target
from client.net.place import Place
from protocol.link import parse_link
from tests.client.people import HOST, PROMPT, SECURE, Player, complete_and_join, hosting, left_by


async def test_a_friend_with_only_an_address_chooses_from_what_is_open(ann: Player, bob: Player) -> None:
    terms = Terms({"size": "4"}, first="creator", clock_s=90)
    async with hosting(ann, Host("grid", terms, SECURE)) as (_, text):
        link = parse_link(text)
        await bob.type("1")
        joined = asyncio.create_task(complete_and_join(bob, Place(Target(link.host, link.port))))
        said = await bob.until("You are Player 2.")
        assert "1. Grid Conquest against Ann, size 4, 90 seconds a move\n" in said
        joined.cancel()


async def test_a_server_with_nothing_open_says_so(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        with pytest.raises(CouldNot, match=r"No match waits at 127\.0\.0\.1:.* conquest host --at 127"):
            await complete_and_join(bob, Place(Target(link.host, link.port, link.fingerprint)))


async def test_a_friend_on_the_same_network_finds_the_match(ann: Player, bob: Player) -> None:
    async with hosting(ann, Host("duel", Terms(first="creator"), SECURE)) as (_, text):
        joined = asyncio.create_task(complete_and_join(bob, None))
        line = f". Command Line Conquer against Ann, at 127.0.0.1:{parse_link(text).port}\n"
        said = await bob.until(line)
        await bob.type(said.splitlines()[-1].partition(".")[0])
        await bob.until("You are Player 2.")
        joined.cancel()


async def test_who_finds_nothing_is_asked_for_the_link(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(named: object) -> list[lan.Found]:
        return []

    monkeypatch.setattr(lan, "look_around", nothing)
    async with hosting(ann) as (_, link):
        await bob.type(link)
        joined = asyncio.create_task(complete_and_join(bob, None))
        said = await bob.until("You are Player 2.")
        assert "No open match was found on this network.\n" in said
        joined.cancel()


async def test_who_looks_around_is_offered_the_way_back(
    ann: Player, bob: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(named: object) -> list[lan.Found]:
        return []

    monkeypatch.setattr(lan, "look_around", nothing)
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        bob = Player("Bob", tmp_path)
        await bob.type("0")
        returned = asyncio.create_task(complete_and_join(bob, None))
        code = wording.spaced_code(parse_link(text).code or "")
        said = await bob.until(PROMPT)
        assert f"0. Go back to your match (Conquer, {code})\n" in said
        returned.cancel()


async def test_the_way_back_stands_before_the_matches_that_were_found(
    ann: Player, bob: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cid = Player("Cid", tmp_path)
    async with (
        hosting(ann) as (_, text),
        hosting(cid, replace(HOST, terms=Terms(first="creator"))) as (_, other),
    ):
        await left_by(bob, ann, text)
        link = parse_link(other)

        async def one(named: object) -> list[lan.Found]:
            return [lan.Found((link.host,), link.port, link.fingerprint, "")]

        monkeypatch.setattr(lan, "look_around", one)
        bob = Player("Bob", tmp_path)
        await bob.type("0")
        returned = asyncio.create_task(complete_and_join(bob, None))
        said = await bob.until(PROMPT)
        assert "\n0. Go back to your match (Conquer, " in said
        assert f"\n1. Conquer against Cid, at 127.0.0.1:{link.port}\nEnter a number from 0 to 1: 0\n" in said
        returned.cancel()
