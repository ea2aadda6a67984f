"""The line for chat: it closes after what was sent, and nothing strands the keys outside the board."""

import pytest

from tests.client.tui.application import (
    SMALL,
    Opponent,
    at_board,
    middle_of,
    new_app,
    running,
    text_of,
    until,
)


@pytest.fixture
async def opened(tmp_path):
    """Open the line for chat in a match in which it is our turn."""
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            await pilot.press("f2")
            assert app.focused is shown.query_one("#say")
            yield pilot, shown


async def test_it_closes_after_a_line_and_the_next_key_is_a_move(opened):
    pilot, shown = opened
    await pilot.press(*"gg", "enter", "4")
    assert not shown.query_one("#say").display
    await until(pilot, lambda: pilot.app.match.turn == 1)
    assert "You: gg" in shown.query_one("#talk").texts()


@pytest.mark.parametrize("keys", [["tab"], ["shift+tab"], ["escape"], ["f2"], ["enter"], ["tab", "tab"]])
async def test_every_way_out_of_it_leads_to_the_board(opened, keys):
    pilot, shown = opened
    await pilot.press(*keys)
    assert pilot.app.focused is shown.board
    assert not shown.query_one("#say").display


async def test_a_click_on_the_board_closes_it(opened):
    pilot, shown = opened
    await pilot.click(shown.board, offset=middle_of(shown.board, ("territory", 4)))
    await pilot.pause()
    assert not shown.query_one("#say").display


async def test_the_footer_says_how_to_send_and_how_to_go_back(opened):
    pilot, _ = opened
    await pilot.pause()
    footer = text_of(pilot.app).splitlines()[-1]
    assert "Enter Send" in footer
    assert "Esc Back to the board" in footer
    assert "Choose" not in footer
