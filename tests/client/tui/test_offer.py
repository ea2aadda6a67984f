"""An offer is a bar with its keys, for as long as it stands; nobody is asked who cannot answer."""

import pytest

from client.tui.dialog import Confirm
from client.tui.offer import OfferBar
from protocol.client_frame import CallOff
from tests.client.tui.application import (
    SMALL,
    Opponent,
    at_board,
    new_app,
    running,
    text_of,
    until,
)

OFFERED = "Bob offers to call the match off."


@pytest.fixture
async def playing(tmp_path):
    """Play Conquer against Bob, who makes no move."""
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            yield pilot, bob, code


async def test_the_opponents_offer_is_accepted_by_a_key(playing):
    pilot, bob, code = playing
    bob.session.send(CallOff, match=code)
    await until(pilot, lambda: OFFERED in text_of(pilot.app))
    assert "A accept   D decline" in text_of(pilot.app)
    await pilot.press("a")
    await until(pilot, lambda: pilot.app.match.outcome)
    assert pilot.app.match.outcome.winner is None


async def test_the_opponents_offer_is_declined_by_a_key_and_the_bar_goes(playing):
    pilot, bob, code = playing
    bob.session.send(CallOff, match=code)
    await until(pilot, lambda: OFFERED in text_of(pilot.app))
    await pilot.press("d")
    await until(pilot, lambda: not bob.match.offers)
    await until(pilot, lambda: not pilot.app.screen.query_one(OfferBar).display)


async def test_our_own_offer_is_asked_about_made_and_taken_back(playing):
    pilot, bob, _ = playing
    await pilot.press("f3", "3")
    await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
    assert not pilot.app.match.offers
    await pilot.press("y")
    await until(pilot, lambda: "You offer to call the match off.   D take it back" in text_of(pilot.app))
    await pilot.press("d")
    await until(pilot, lambda: not bob.match.offers)


async def test_without_an_offer_its_keys_do_nothing(playing):
    pilot, bob, _ = playing
    await pilot.press("a", "d")
    await pilot.pause()
    assert not bob.match.offers
    assert not pilot.app.screen.query_one(OfferBar).display
