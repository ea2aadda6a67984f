"""Joining by link, and by address and code."""

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.flow.join import join
from client.flow.wanted import Terms
from client.net import lan
from client.net.connection import Target
from client.net.place import Place, parse_place
from protocol.link import parse_link
from tests.client.command.test_main import unmeasured
from tests.client.people import HOST, PROMPT, Player, complete_and_join, hosting, left_by


async def test_a_friend_joins_by_link_and_both_play_to_the_end(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join(bob.person, parse_place(link)))
        await ann.type("4", "3", "2")
        await bob.type("7", "5")
        assert "Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n" in await ann.until("> ")
        assert "Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n" in await bob.until("> ")
        bob.hang_up()
        await joined
        ann.hang_up()
        await hosted
    assert bob.store.sessions() == []
    assert ann.store.sessions() == []
    assert not list(ann.store.root.glob("hosted-*"))


async def test_a_friend_joins_by_address_and_code(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        joined = asyncio.create_task(join(bob.person, parse_place(f"{link.host}:{link.port}", link.code)))
        said = await bob.until("You are Player 2.")
        assert f"This is the first time at 127.0.0.1:{link.port}" in said
        assert link.fingerprint is not None
        assert link.fingerprint in said
        joined.cancel()
    assert bob.store.fingerprint(link.host, link.port) == link.fingerprint


async def test_a_wrong_code_is_a_sentence(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        with pytest.raises(CouldNot, match="There is no match with that code"):
            await join(bob.person, Place(Target(link.host, link.port, link.fingerprint), "ZZZZZZZZ"))


async def test_a_wrong_fingerprint_is_a_loud_sentence(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        with pytest.raises(CouldNot, match=r"^STOP: "):
            await join(bob.person, Place(Target(link.host, link.port, "A" * 43), link.code))


async def test_a_link_with_another_certificate_than_the_known_one_needs_a_word_of_the_player(
    ann: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        assert link.fingerprint is not None
        bob = Player("Bob", tmp_path, is_terminal=True)
        bob.store.keep_fingerprint(link.host, link.port, "A" * 43)
        refused = asyncio.create_task(join(bob.person, parse_place(text)))
        said = await bob.until("(y/n) ")
        assert f"Known: {'A' * 43}\nLink:  {link.fingerprint}\n" in said
        await bob.type("")
        with pytest.raises(CouldNot, match="Nothing was sent, and nothing was changed"):
            await refused
        assert bob.store.fingerprint(link.host, link.port) == "A" * 43
        joined = asyncio.create_task(join(bob.person, parse_place(text)))
        await bob.until("(y/n) ")
        await bob.type("y")
        await bob.until("You are Player 2.")
        assert bob.store.fingerprint(link.host, link.port) == link.fingerprint
        joined.cancel()


async def test_no_script_is_led_to_another_certificate_than_the_known_one(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        bob.store.keep_fingerprint(link.host, link.port, "A" * 43)
        await bob.type("y")
        with pytest.raises(CouldNot) as raised:
            await join(bob.person, parse_place(text))
    known, file = "A" * 43, bob.store.root / "known_servers.json"
    assert str(raised.value) == (
        f"127.0.0.1:{link.port} is known by the certificate {known}, and this link names {link.fingerprint}."
        " Nothing was sent, and nothing was changed. If the server was set up anew, remove its line from"
        f" {file} and try again."
    )
    assert bob.store.fingerprint(link.host, link.port) == "A" * 43


async def test_a_server_that_was_found_is_met_for_the_first_time_when_a_match_there_is_chosen(
    ann: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting(ann, replace(HOST, terms=Terms(first="creator"))) as (_, text):
        link = parse_link(text)

        async def one(named: object) -> list[lan.Found]:
            return [lan.Found((link.host,), link.port, link.fingerprint, "")]

        monkeypatch.setattr(lan, "look_around", one)
        bob = Player("Bob", tmp_path, is_terminal=True)
        joined = asyncio.create_task(complete_and_join(bob, None))
        await bob.until("Enter a number from 1 to 1: ")
        assert bob.store.fingerprint(link.host, link.port) is None
        await bob.type("1")
        said = await bob.until("You are Player 2.")
        assert f"This is the first time at 127.0.0.1:{link.port}" in said
        assert f"the end of the host's link: {link.fingerprint})" in said
        assert bob.store.fingerprint(link.host, link.port) == link.fingerprint
        joined.cancel()


@pytest.mark.parametrize("is_by_link", [True, False])
async def test_a_guest_who_uses_the_link_or_the_code_again_gets_the_seat_back(
    ann: Player, bob: Player, tmp_path: Path, is_by_link: bool
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        link = parse_link(text)
        place = parse_place(text if is_by_link else f"{link.host}:{link.port}", link.code)
        bob = Player("Bob", tmp_path)
        returned = asyncio.create_task(join(bob.person, place))
        assert "So far:\nPlayer 1 claims territory 4.\n" in await bob.until(PROMPT)
        await ann.until("Bob is back.")
        returned.cancel()


async def test_a_guest_gets_the_seat_back_by_another_address_of_the_same_server(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        link = parse_link(text)
        bob = Player("Bob", tmp_path)
        place = Place(Target("localhost", link.port, link.fingerprint), link.code)
        returned = asyncio.create_task(join(bob.person, place))
        assert f" at localhost:{link.port}.\n" in await bob.until(PROMPT)
        returned.cancel()


async def test_a_seat_that_another_process_of_ours_holds_is_not_taken_by_a_link(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        ((file, saved),) = bob.store.sessions()
        file.save(replace(saved, pid=os.getppid()))
        with pytest.raises(CouldNot, match="Both seats of that match are taken"):
            await join(Player("Bob", tmp_path).person, parse_place(text))


async def test_a_seat_that_the_server_does_not_know_any_more_is_a_sentence_and_is_forgotten(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        ((file, saved),) = bob.store.sessions()
        file.save(replace(saved, token="unknown"))
        with pytest.raises(CouldNot, match="The server does not know you any more"):
            await join(Player("Bob", tmp_path).person, parse_place(text))
        assert bob.store.sessions() == []


JOIN_AND_LIST_MODULES = """
import sys
from client.command.main import main
code = main(sys.argv[1:])
print("IMPORTED", *sys.modules)
sys.exit(code)
"""


async def test_joining_in_line_mode_imports_nothing_of_the_server(ann: Player, tmp_path: Path) -> None:
    async with hosting(ann) as (_, link):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", JOIN_AND_LIST_MODULES, "join", link, "--plain"),
            env=unmeasured() | {"CONQUEST_HOME": str(tmp_path / "bob")},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        answered = asyncio.create_task(process.communicate(b"7\n5\n"))
        await ann.type("4", "3", "2")
        await ann.until("Player 1 wins!")
        said = (await answered)[0].decode()
    assert process.returncode == 0
    assert "Player 1 wins!" in said
    imported = said.partition("IMPORTED")[2].split()
    assert "client.flow.join" in imported
    assert [name for name in imported if name.split(".")[0] == "server"] == []
