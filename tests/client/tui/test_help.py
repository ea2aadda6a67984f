"""The keys of a page, shown in a window; letters for arrows; and the letter that leaves."""

import pytest

from client.tui.dialog import Confirm
from client.tui.help import Keys
from client.tui.match import MatchPage
from client.tui.page import Page
from client.tui.settings import SettingsPage
from client.tui.start import StartPage
from tests.client.tui.application import SMALL, at_board, new_app, page, text_of


@pytest.mark.parametrize("words", [("history",), ("settings",), ("rules",), ("host",), ("play", "conquer")])
async def test_every_page_shows_all_its_keys_with_what_they_do(tmp_path, words):
    app = new_app(tmp_path, *words) if words[0] in ("history", "host", "play") else new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        if words == ("play", "conquer"):
            await at_board(pilot)
        elif words[0] in ("settings", "rules"):
            app.enter(words[0])
            await pilot.pause()
        shown = page(app, Page)
        labels = {
            active.binding.description
            for active in shown.active_bindings.values()
            if active.binding.show and active.enabled
        }
        await pilot.press("question_mark")
        assert isinstance(app.screen, Keys)
        text = text_of(app)
        assert labels
        assert [label for label in labels if label not in text] == []
        await pilot.press("question_mark")
        assert app.screen is shown


async def test_letters_do_what_arrows_do_and_q_leaves(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        menu = app.screen.query_one("#games")
        at = menu.highlighted
        await pilot.press("j", "j", "k")
        assert menu.highlighted == at + 1
        app.enter("settings")
        await pilot.pause()
        await pilot.press("q")
        assert isinstance(app.screen, StartPage)
        await pilot.press("q")
        assert isinstance(app.screen, Confirm)


async def test_letters_are_letters_in_a_field(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        app.enter("settings")
        await pilot.pause()
        await pilot.press("shift+tab", *"jkq?")
        assert isinstance(app.screen, SettingsPage)
        assert app.screen.query_one("#name").value == "Annjkq?"


async def test_letters_walk_over_a_board_and_q_asks_before_a_match_is_left(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator")
    async with app.run_test(size=SMALL) as pilot:
        shown = await at_board(pilot)
        await pilot.press("l", "l", "h")
        assert shown.board.scene.cursor == ("territory", 2)
        await pilot.press("q")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert isinstance(app.screen, MatchPage)
