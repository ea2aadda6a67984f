"""A relay, a host and a guest as real processes on loopback; the labs have the same between two homes."""

import asyncio
import signal
from pathlib import Path

import pytest

from protocol.games import TITLES
from protocol.link import parse_link, url_text
from protocol.relay import FROM_RELAY, Host, Proof, Prove, parse_line, to_sign, written
from server.io import proof, tls
from tests.e2e.line import line_client
from tests.e2e.process import free_port
from tests.e2e.relaying import (
    LOOSE,
    WORD,
    Neighbourhood,
    a_game_is_played_to_its_end,
    both_come_back_after_being_killed,
    flooded,
    the_guest_stops_before_a_word_is_said,
    the_match_survives_its_relay,
    what_is_changed_on_the_way_is_not_taken,
)


@pytest.fixture
def place(tmp_path: Path) -> Neighbourhood:
    return Neighbourhood(tmp_path)


@pytest.mark.parametrize("game", TITLES)
async def test_every_game_is_played_to_its_end(place: Neighbourhood, game: str) -> None:
    async with place.relay(f"--word={WORD}") as relay:
        await a_game_is_played_to_its_end(place, relay, game)
        assert await relay.stop() == 0
        assert "127.0.0.1" not in relay.log.read_text()


async def test_a_match_survives_a_relay_that_is_killed_and_started_again(place: Neighbourhood) -> None:
    await the_match_survives_its_relay(place)


async def test_who_was_killed_comes_back_through_the_relay(place: Neighbourhood) -> None:
    await both_come_back_after_being_killed(place)


async def test_a_relay_with_a_certificate_of_its_own_hears_nothing(place: Neighbourhood) -> None:
    await the_guest_stops_before_a_word_is_said(place)


@pytest.mark.parametrize("cheat", ["flip host", "flip guest", "replay host", "replay guest"])
async def test_what_a_relay_changes_or_repeats_is_not_taken(place: Neighbourhood, cheat: str) -> None:
    await what_is_changed_on_the_way_is_not_taken(place, cheat)


async def test_a_squatter_gets_nobody(place: Neighbourhood, tmp_path: Path) -> None:
    async with place.relay() as relay, place.host(relay) as ann:
        text = await ann.link()
        link = parse_link(text)
        tls.server_context(tmp_path / "eve")
        certificate, key = tls.identity(tmp_path / "eve")
        friends, _ = tls.identity(tmp_path / "Ann")
        for shown in (certificate, friends):
            reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
            host = Host(link.fingerprint or "", link.relay, place.named(relay))
            writer.write(written(host))
            asked = parse_line((await reader.readline())[:-1], FROM_RELAY)
            assert isinstance(asked, Prove)
            signature = proof.sign(key, to_sign(host, asked.challenge))
            writer.write(written(Proof(url_text(shown), url_text(signature), "-")))
            assert await reader.read() == b"no proof\n"
            writer.close()
            await writer.wait_closed()
        async with place.client("Bob", "join", text) as bob:
            await bob.until("You are Player 2.")


async def test_a_match_goes_on_while_the_relay_is_flooded(place: Neighbourhood) -> None:
    flags = (f"--word={WORD}", "--connections=80")
    async with place.relay(*flags) as relay, flooded(place, relay, (), "127.0.0.2"):
        await a_game_is_played_to_its_end(place, relay, "digit")


@pytest.mark.parametrize(
    ("flags", "word", "sentence"),
    [
        ((f"--word={WORD}",), "", "is only for those who know its word: --relay WORD@HOST."),
        ((f"--word={WORD}",), "crane", "is only for those who know its word: --relay WORD@HOST."),
        (("--public=relay.example",), "", "calls itself otherwise; name it as its owner does."),
        (("--connections-per-address=1", "--hosts=1", "--connections=1"), "", ""),
    ],
)
async def test_a_host_whom_the_relay_does_not_want_is_told_why(
    place: Neighbourhood, flags: tuple[str, ...], word: str, sentence: str
) -> None:
    async with place.relay(*flags) as relay, place.host(relay, word=word) as ann:
        if not sentence:
            await ann.link()
            return
        assert await ann.ended() == 1
        assert ann.errors == f"conquest: The relay {place.named(relay)} {sentence}\n"


async def test_a_relay_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    where = f"127.0.0.1:{free_port()}"
    async with line_client(tmp_path / "ann", "host", "grid", "--relay", where, "--name", "Ann") as ann:
        assert await ann.ended() == 1
        assert ann.errors.startswith(f"conquest: Nothing answers at {where}.")
        assert ann.errors.count("\n") == 1


async def test_a_guest_whose_host_is_gone_is_told_so(place: Neighbourhood) -> None:
    async with place.relay() as relay:
        async with place.host(relay) as ann:
            link = await ann.link()
        async with place.client("Bob", "join", link) as bob:
            assert await bob.ended() == 1
            assert bob.errors == f"conquest: Your friend is not at the relay {place.named(relay)} just now.\n"


async def test_a_relay_that_is_told_to_stop_does_so_in_order(place: Neighbourhood) -> None:
    async with place.relay() as relay, place.host(relay) as ann:
        await ann.link()
        assert await relay.stop(signal.SIGTERM) == 0
        await ann.until("is lost.")
        assert "Traceback" not in relay.log.read_text()


async def test_two_servers_of_one_home_are_both_led_to(place: Neighbourhood) -> None:
    async with place.relay(*LOOSE) as relay, place.host(relay) as ann:
        first = await ann.link()
        async with place.host(relay) as again:
            other = await again.link()
            assert parse_link(first).fingerprint == parse_link(other).fingerprint
            for host, link in ((ann, first), (again, other)):
                async with place.client("Bob", "join", link) as bob:
                    await host.until("Player 2 is Bob.")
                    bob.type("/quit")


async def test_addresses_are_in_the_log_when_they_are_asked_for(place: Neighbourhood) -> None:
    async with place.relay("--log-addresses", "--log-json") as relay, place.host(relay) as ann:
        await ann.link()
        assert {line["address"] for line in relay.log_lines()} == {"127.0.0.1"}


async def test_the_doctor_looks_at_a_relay(place: Neighbourhood) -> None:
    async with place.relay(f"--word={WORD}") as relay:
        named = place.named(relay)
        for asked, said in (
            (f"{WORD}@{named}", f"ok  The relay {named} leads here"),
            (named, f"WRONG  The relay {named} does not lead here."),
        ):
            async with line_client(place.home / "doctor", "doctor", "--relay", asked) as doctor:
                await doctor.until(said)


async def test_who_takes_the_relay_for_a_server_is_told_that_it_is_none(place: Neighbourhood) -> None:
    async with (
        place.relay() as relay,
        place.client("Bob", "join", place.named(relay), "7K3M-9QXZ") as bob,
    ):
        assert await bob.ended() == 1
        assert "is not a Conquest server of this version." in bob.errors
