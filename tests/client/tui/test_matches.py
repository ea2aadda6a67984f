"""The page of the matches that go on: whose turn it is, and the way there."""

from client.core.ongoing import NOTHING
from client.tui.matches import MatchesPage
from tests.client.tui.application import (
    LARGE,
    SMALL,
    Opponent,
    at_board,
    new_app,
    page,
    running,
    text_of,
    until,
)


async def test_a_match_that_was_left_is_listed_with_whose_turn_it_is_and_enter_goes_there(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel")
        address = f"127.0.0.1:{server.port}"
        async with new_app(tmp_path / "ann", "join", address, code).run_test(size=SMALL) as pilot:
            await at_board(pilot)
        app = new_app(tmp_path / "ann")
        async with app.run_test(size=LARGE) as pilot:
            await pilot.press("m")
            shown = await until(pilot, lambda: page(app, MatchesPage))
            await until(pilot, lambda: shown._found)
            await pilot.pause()
            row = next(line for line in text_of(app).splitlines() if address in line)
            assert row.split() == ["Command", "Line", "Conquer", "Bob", "your", "turn", address]
            await pilot.press("enter")
            await at_board(pilot)
            assert app.match.code == code


async def test_no_match_is_said_in_a_sentence(tmp_path):
    app = new_app(tmp_path, "matches")
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: NOTHING in text_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: app._exit)
