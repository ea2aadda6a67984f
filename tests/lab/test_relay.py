"""A relay between two homes that let nothing in: what nobody else could do for them.

What passes between real processes on loopback (`tests/e2e/test_relay.py`) passes between networks here.
"""

from pathlib import Path

import pytest

from protocol.games import TITLES
from protocol.link import parse_link
from tests.e2e.relaying import (
    WORD,
    Neighbourhood,
    a_game_is_played_to_its_end,
    both_come_back_after_being_killed,
    flooded,
    the_guest_stops_before_a_word_is_said,
    the_match_survives_its_relay,
    what_is_changed_on_the_way_is_not_taken,
)
from tests.lab.lab import Lab, Machine


@pytest.fixture
def relay(lab: Lab) -> Machine:
    return lab.machine()


@pytest.fixture
def place(lab: Lab, relay: Machine, tmp_path: Path) -> Neighbourhood:
    """Two homes and a relay in the middle; the guest's stands behind a provider's shared address too."""
    host, guest = lab.home().machine(), lab.home("100.64.0.0/24").home().machine()
    return Neighbourhood(tmp_path, relay.address, host.command(), guest.command(), relay.command())


@pytest.mark.parametrize("game", TITLES)
async def test_every_game_is_played_between_two_homes(place: Neighbourhood, game: str) -> None:
    flags = (f"--word={WORD}", "--public", f"{place.address}:7717", "--port=7717")
    async with place.relay(*flags) as relay:
        await a_game_is_played_to_its_end(place, relay, game)


async def test_a_match_goes_on_while_a_stranger_floods_the_relay(place: Neighbourhood, lab: Lab) -> None:
    stranger = lab.machine()
    async with place.relay(f"--word={WORD}") as relay, flooded(place, relay, stranger.command()):
        await a_game_is_played_to_its_end(place, relay, "digit")
        assert "code=busy" in relay.log.read_text(), "the flood was there"


async def test_without_the_relay_neither_reaches_the_other(place: Neighbourhood) -> None:
    async with place.client("Ann", "host", "conquer", "--port", "0", is_host=True) as ann:
        link = parse_link(await ann.link())
        async with place.client("Bob", "join", str(link)) as bob:
            assert await bob.ended() == 1
            assert f"{link.host}:{link.port}" in bob.errors


async def test_a_match_survives_a_relay_that_is_killed_and_started_again(place: Neighbourhood) -> None:
    await the_match_survives_its_relay(place)


async def test_who_was_killed_comes_back_through_the_relay(place: Neighbourhood) -> None:
    await both_come_back_after_being_killed(place)


async def test_a_relay_with_a_certificate_of_its_own_hears_nothing(place: Neighbourhood) -> None:
    await the_guest_stops_before_a_word_is_said(place)


@pytest.mark.parametrize("cheat", ["flip host", "flip guest", "replay host", "replay guest"])
async def test_what_a_relay_changes_or_repeats_is_not_taken(place: Neighbourhood, cheat: str) -> None:
    await what_is_changed_on_the_way_is_not_taken(place, cheat)
