"""Ways to a match between real processes: by link, by address and code, by looking around; and astray."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.core.wording import spaced_code
from protocol.link import Link, parse_link
from tests.e2e.line import LineClient, line_client
from tests.e2e.process import serving

WAITING = "Waiting for your friend to join. /quit gives up.\n"


@asynccontextmanager
async def hosting(home: Path, *flags: str) -> AsyncIterator[tuple[LineClient, Link]]:
    """Ann hosts a match of Conquer in which she begins, encrypted, on any port."""
    arguments = (
        "host",
        "conquer",
        "--bind",
        "127.0.0.1",
        "--port",
        "0",
        "--name",
        "Ann",
        "--first",
        "creator",
    )
    # A loopback server is plain unless a certificate is asked for; all addresses are encrypted.
    async with line_client(home / "ann", *(flags or arguments)) as ann:
        link = parse_link(await ann.link())
        await ann.until(WAITING)
        yield ann, link


OPEN = ("host", "conquer", "--port", "0", "--name", "Ann", "--first", "creator")
"""A host on all addresses, which encrypts."""


def reached(link: Link) -> str:
    """The host's server as a guest on the same machine reaches it."""
    return f"127.0.0.1:{link.port}"


async def test_by_link(tmp_path: Path) -> None:
    async with hosting(tmp_path, *OPEN) as (ann, link):
        assert link.fingerprint is not None
        near = str(Link("127.0.0.1", link.port, link.code, link.fingerprint))
        async with line_client(tmp_path / "bob", "join", near, "--name", "Bob") as bob:
            await bob.until("Player 1 is Ann, Player 2 is Bob. You are Player 2.")
            await ann.until("Player 1 is Ann, Player 2 is Bob. You are Player 1.")
            assert "first time" not in bob.transcript


async def test_by_the_link_as_it_is_printed(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as (_, link),
        line_client(tmp_path / "bob", "join", str(link), "--name", "Bob") as bob,
    ):
        await bob.until("You are Player 2.")


async def test_by_address_and_code_trusting_on_first_use(tmp_path: Path) -> None:
    async with hosting(tmp_path, *OPEN) as (_, link):
        code = f"{(link.code or '')[:4]}-{(link.code or '')[4:]}".lower()
        async with line_client(tmp_path / "bob", "join", reached(link), code, "--name", "Bob") as bob:
            await bob.until(f"This is the first time at {reached(link)}")
            assert link.fingerprint is not None
            await bob.until(link.fingerprint)
            await bob.until("You are Player 2.")


async def test_by_address_alone_from_a_list(tmp_path: Path) -> None:
    async with hosting(tmp_path, *OPEN) as (_, link):
        arguments = ("join", reached(link), "--name", "Bob")
        async with line_client(tmp_path / "bob", *arguments) as bob:
            await bob.until("1. Conquer against Ann\n")
            bob.type("1")
            await bob.until("You are Player 2.")


async def test_by_looking_around(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (_, link):
        wanted, seen = f". Conquer against Ann, at {reached(link)}", ""
        while not seen:
            # Other tests' hosts may answer so early that Bob waits for nobody else; then he looks again.
            async with line_client(tmp_path / "bob", "join", "--name", "Bob") as bob:
                await bob.until("Looking for matches on this network…\n")
                said = await bob.until(": ")
                seen = next((line for line in said.splitlines() if wanted in line), "")
                if seen:
                    bob.type(seen.partition(".")[0])
                    await bob.until("You are Player 2.")


async def test_by_the_code_alone_on_a_server_known_from_before_though_the_match_is_private(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "server") as server:
        address = f"127.0.0.1:{server.port}"
        private = ("host", "conquer", "--at", address, "--private", "--first", "creator", "--name")
        async with (
            line_client(tmp_path / "ann", *private, "Ann") as ann,
            line_client(tmp_path / "cid", *private, "Cid") as cid,
        ):
            anns, cids = [parse_link(await each.link()).code or "" for each in (ann, cid)]
            async with line_client(tmp_path / "bob", "join", cids, "--name", "Bob") as bob:
                assert await bob.ended() == 1
                assert f"Match {spaced_code(cids)} was not found on this network (" in bob.errors
                assert "known from before" not in bob.errors
                assert "Ask your friend for the whole link" in bob.errors
            async with line_client(tmp_path / "bob", "join", address, anns, "--name", "Bob") as bob:
                await bob.until("You are Player 2.")
            async with line_client(tmp_path / "bob", "join", cids, "--name", "Bob") as bob:
                await bob.until("Player 1 is Cid, Player 2 is Bob. You are Player 2.")
            async with line_client(tmp_path / "bob", "join", "ZZZZ-ZZZZ", "--name", "Bob") as bob:
                assert await bob.ended() == 1
                assert f"or among the servers known from before ({address})." in bob.errors


async def test_the_code_alone_leads_back_to_ones_own_seat(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ann, link):
        async with line_client(tmp_path / "bob", "join", str(link), "--name", "Bob") as bob:
            await bob.until("You are Player 2.")
        await ann.until("Bob has lost the connection.")
        async with line_client(tmp_path / "bob", "join", link.code or "", "--name", "Bob") as bob:
            await bob.until(f"Going back to match {spaced_code(link.code or '')}")
            await ann.until("Bob is back.")


async def test_a_spectator_watches_by_link(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as (ann, link),
        line_client(tmp_path / "bob", "join", str(link), "--name", "Bob") as bob,
    ):
        await bob.until("You are Player 2.")
        ann.type("4")
        async with line_client(tmp_path / "cid", "watch", str(link), "--name", "Cid") as cid:
            await cid.until("You are watching.")
            bob.type("7")
            await cid.until("Player 2 claims territory 7.\n")
            ann.type("3", "2")
            bob.type("5")
            await cid.until("Player 1 wins!\n")
            cid.type("/quit")
            assert await cid.ended() == 0


@pytest.mark.parametrize("is_terminal", [False, True])
async def test_a_wrong_code_is_one_sentence(tmp_path: Path, is_terminal: bool) -> None:
    async with hosting(tmp_path, *OPEN) as (_, link):
        astray = str(Link("127.0.0.1", link.port, "ZZZZZZZZ", link.fingerprint))
        arguments = ("join", astray, "--name", "Bob")
        async with line_client(tmp_path / "bob", *arguments, is_terminal=is_terminal) as bob:
            assert await bob.ended() == 1
            said = bob.transcript + bob.errors
            assert said == "conquest: There is no match with that code; check it with your friend.\n"


async def test_a_full_match_is_one_sentence(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as (_, link),
        line_client(tmp_path / "bob", "join", str(link), "--name", "Bob") as bob,
    ):
        await bob.until("You are Player 2.")
        async with line_client(tmp_path / "cid", "join", str(link), "--name", "Cid") as cid:
            assert await cid.ended() == 1
            assert cid.errors == ("conquest: Both seats of that match are taken; you can watch it instead.\n")


async def test_a_wrong_fingerprint_is_a_loud_sentence_and_the_host_hears_nothing(tmp_path: Path) -> None:
    async with hosting(tmp_path, *OPEN) as (ann, link):
        false = str(Link("127.0.0.1", link.port, link.code, "A" * 43))
        async with line_client(tmp_path / "bob", "join", false, "--name", "Bob") as bob:
            assert await bob.ended() == 1
            assert bob.errors.startswith(f"conquest: STOP: {reached(link)} is not the server it should be.")
            assert len(bob.errors.splitlines()) == 1
        true = str(Link("127.0.0.1", link.port, link.code, link.fingerprint))
        async with line_client(tmp_path / "bob", "join", true, "--name", "Bob") as bob:
            await bob.until("You are Player 2.")
            await ann.until("You are Player 1.")


async def test_a_certificate_that_changed_is_a_loud_sentence(tmp_path: Path) -> None:
    async with hosting(tmp_path, *OPEN) as (_, link):
        arguments = ("join", reached(link), link.code or "", "--name", "Bob")
        async with line_client(tmp_path / "bob", *arguments) as bob:
            await bob.until("You are Player 2.")
    again = ("host", "conquer", "--port", str(link.port), "--name", "Eve")
    async with hosting(tmp_path / "eve", *again) as (_, other):
        arguments = ("join", reached(other), other.code or "", "--name", "Bob")
        async with line_client(tmp_path / "bob", *arguments) as bob:
            assert await bob.ended() == 1
            assert bob.errors.startswith("conquest: STOP: ")
            assert "Ask the host for the whole join link" in bob.errors


async def test_a_plain_server_is_joined_with_a_word_about_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (_, link):
        assert link.fingerprint is None
        arguments = ("join", reached(link), link.code or "", "--name", "Bob")
        async with line_client(tmp_path / "bob", *arguments) as bob:
            await bob.until(f"{reached(link)} does not encrypt: others on the network could read along.\n")
            await bob.until("You are Player 2.")
